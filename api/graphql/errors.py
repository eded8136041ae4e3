"""GraphQL types for errors, and the conversion of exceptions into what clients see.

A mutation returns an error of the domain as a member of its union. Every other failure is an entry in `errors` with a
`code`. Unexpected exceptions are logged, and the client is told only the id of the request.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final

import structlog
from graphql import GraphQLError, GraphQLSyntaxError
from graphql.execution.values import VariableValues, get_argument_values
from strawberry.exceptions import MissingQueryError, StrawberryInputCoercionError
from strawberry.extensions import SchemaExtension
from strawberry.schema.exceptions import CannotGetOperationTypeError, InvalidOperationTypeError
from strawberry.types import Info
from strawberry.types.execution import PreExecutionError

from hippograph.api.graphql.docs import described, interface, object_type
from hippograph.graph.errors import (
    Conflict,
    DatabaseUnavailable,
    FellBehind,
    HippographError,
    InvalidInput,
    NotAllowed,
    NotFound,
    QueueFull,
    Unauthenticated,
)

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

LIMIT_EXCEEDED: Final = "LIMIT_EXCEEDED"


@interface
class Error:
    """The reason why a mutation did nothing."""

    message: str = described("What was wrong, and what to do about it.")
    code: str = described("The error code, for programs.")
    retryable: bool = described("Whether the same request may succeed later.")


@object_type
class InvalidInputError(Error):
    """The input is invalid."""

    field: str | None = described(
        "The path of the input field that is invalid (`eventTime`, `fact.about`); null if it is not a single field.",
        default=None,
    )


@object_type
class NotFoundError(Error):
    """The object does not exist, or the viewer may not know that it exists."""


@object_type
class NotAllowedError(Error):
    """The viewer may not do this."""


@object_type
class ConflictError(Error):
    """The name is taken, the key stands for other content, or another change stands in the way."""


@object_type
class UnavailableError(Error):
    """The database is unavailable, or the queue is full. Nothing was written."""


Failure = InvalidInputError | NotFoundError | UnavailableError
FailureOrNotAllowed = InvalidInputError | NotFoundError | NotAllowedError | UnavailableError
FailureOrConflict = InvalidInputError | NotFoundError | ConflictError | UnavailableError
AnyFailure = InvalidInputError | NotFoundError | NotAllowedError | ConflictError | UnavailableError
"""Errors that mutations return besides their payloads."""

_ABORTED: Final = ("Parsing aborted.", "Validation aborted.")
"""Endings of graphql-core's messages about its own limits: tokens, nesting, fragments in fragments."""
_TYPES: Final[dict[type[HippographError], type[Error]]] = {
    InvalidInput: InvalidInputError,
    NotFound: NotFoundError,
    NotAllowed: NotAllowedError,
    Conflict: ConflictError,
    DatabaseUnavailable: UnavailableError,
    QueueFull: UnavailableError,
}
SHOWN: Final = (*_TYPES, Unauthenticated, FellBehind)
"""Exceptions whose code and message clients see; all others are internal errors to them."""
_NOT_RUN: Final = (CannotGetOperationTypeError, InvalidOperationTypeError, MissingQueryError)
"""Raised for a document without the operation to run, or with one of a type that the transport does not accept."""


class _Handler:
    """Converts exceptions of one class into their GraphQL type, for fields whose union contains it."""

    def __init__(self, exception_type: type[HippographError], error_type: type[Error]) -> None:
        self.exception_type = exception_type
        self.error_type = error_type

    def handle(self, exception: HippographError, *, info: Info, **_: object) -> Error:
        error = self.error_type(message=_message(exception), code=exception.code, retryable=exception.retryable)
        if isinstance(error, InvalidInputError) and isinstance(exception, InvalidInput):
            error.field = _field_of(exception.value, info)
        return error


HANDLERS: Final = [_Handler(exception, error) for exception, error in _TYPES.items()]
"""Exception handlers of the schema: they convert exceptions of the domain into members of unions."""


class DescribedErrors(SchemaExtension):
    """Gives each error a code, and hides the messages of internal errors."""

    def on_operation(self) -> Iterator[None]:
        """Converts the errors of the result."""
        yield
        self._describe(self.execution_context.result)

    def on_stream_result(self, result: Any) -> Iterator[None]:
        """Converts the errors of each result of a subscription."""
        self._describe(result)
        yield

    @staticmethod
    def _describe(result: Any) -> None:
        if result is not None and result.errors:
            before = isinstance(result, PreExecutionError)
            result.errors = with_codes(result.errors, before_execution=before)


def with_codes(errors: Sequence[GraphQLError], *, before_execution: bool) -> list[GraphQLError]:
    """Returns the errors as clients see them. With `before_execution` they concern the document, not the variables."""
    return [_described(error, before_execution) for error in errors]


def _described(error: GraphQLError, before_execution: bool) -> GraphQLError:
    original = error.original_error
    if isinstance(original, HippographError) and isinstance(original, SHOWN):
        return _with(error, _message(original), code=original.code, retryable=original.retryable)
    if isinstance(original, _NOT_RUN):
        return _with(error, "subscriptions alone are answered here; send the rest by POST", code="BAD_REQUEST")
    if error.message.endswith(_ABORTED):
        return _with(error, error.message, code=LIMIT_EXCEEDED)
    if isinstance(error, GraphQLSyntaxError):
        return _with(error, error.message, code="GRAPHQL_PARSE_FAILED")
    if original is None or isinstance(original, GraphQLError | StrawberryInputCoercionError):
        code = "GRAPHQL_VALIDATION_FAILED" if before_execution else "BAD_USER_INPUT"
        return _with(error, error.message, **{"code": code, **(error.extensions or {})})
    log.error("internal error", path=error.path, exc_info=original)
    return _with(error, f"internal error (request id {request_id()})", code="INTERNAL")


def _field_of(value: object, info: Info) -> str | None:
    """Returns the path, below `input`, of the first field that holds a value; None if no field does."""
    if value is None:
        return None
    raw = info._raw_info
    definition = raw.parent_type.fields[raw.field_name]
    # Strawberry executes with a plain mapping; graphql-core's own type also has the sources of the values.
    coerced: Any = raw.variable_values
    variables = coerced if isinstance(coerced, VariableValues) else VariableValues({}, coerced)
    given = get_argument_values(definition, raw.field_nodes[0], variables)
    return next(_paths(given.get("input"), value), None)


def _paths(given: object, value: object) -> Iterator[str]:
    """Yields the paths of the fields of an input that hold a value; items of a list have the path of the list."""
    if isinstance(given, dict):
        for name, held in given.items():
            if value in (held if isinstance(held, list) else [held]):
                yield name
            yield from (f"{name}.{path}" for path in _paths(held, value))
    elif isinstance(given, list):
        for held in given:
            yield from _paths(held, value)


def request_id() -> str:
    """Returns the id of the current request, or `unknown` outside a request."""
    return str(structlog.contextvars.get_contextvars().get("request_id", "unknown"))


def _message(error: HippographError) -> str:
    if isinstance(error, DatabaseUnavailable):
        # The driver's message names hosts and ports, which only the operator may see.
        log.warning("the database is unavailable", reason=str(error))
        return "the database does not answer now; try again"
    return str(error)


def _with(error: GraphQLError, message: str, **extensions: object) -> GraphQLError:
    return GraphQLError(
        message,
        nodes=error.nodes,
        source=error.source,
        positions=error.positions,
        path=error.path,
        extensions=extensions,
    )
