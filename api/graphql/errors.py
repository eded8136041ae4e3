"""What goes wrong, as the outside sees it.

A mutation answers an error of the domain as a member of its union, and everything else that fails is an entry in
`errors` with a `code`. What was nobody's intent is logged and told apart by the id of its request alone.
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
    """Why a mutation did nothing."""

    message: str = described("What was wrong, and what to do about it.")
    code: str = described("One word for programs.")
    retryable: bool = described("Whether the same request may succeed later.")


@object_type
class InvalidInputError(Error):
    """What was given cannot be taken."""

    field: str | None = described(
        "The field of the input that cannot be taken (`eventTime`, `fact.about`); null when it is not one.",
        default=None,
    )


@object_type
class NotFoundError(Error):
    """It does not exist, or the viewer may not know that it does."""


@object_type
class NotAllowedError(Error):
    """The viewer may not do this."""


@object_type
class ConflictError(Error):
    """Something else already has this name, or this key stands for other content."""


@object_type
class UnavailableError(Error):
    """The database does not answer now, or too much waits to be worked on. Nothing was written."""


Failure = InvalidInputError | NotFoundError | UnavailableError
FailureOrNotAllowed = InvalidInputError | NotFoundError | NotAllowedError | UnavailableError
FailureOrConflict = InvalidInputError | NotFoundError | ConflictError | UnavailableError
AnyFailure = InvalidInputError | NotFoundError | NotAllowedError | ConflictError | UnavailableError
"""What mutations answer beside their payloads."""

_ABORTED: Final = ("Parsing aborted.", "Validation aborted.")
"""How graphql-core ends an error about limits of its own: tokens, nesting, fragments in fragments."""
_TYPES: Final[dict[type[HippographError], type[Error]]] = {
    InvalidInput: InvalidInputError,
    NotFound: NotFoundError,
    NotAllowed: NotAllowedError,
    Conflict: ConflictError,
    DatabaseUnavailable: UnavailableError,
    QueueFull: UnavailableError,
}
SHOWN: Final = (*_TYPES, Unauthenticated, FellBehind)
"""What clients are told of with its own code and words; all else is internal to them."""
_NOT_RUN: Final = (CannotGetOperationTypeError, InvalidOperationTypeError, MissingQueryError)
"""A document without the operation that is to run, or with one of a type that the transport does not take."""


class _Handler:
    """Turns one error of the domain into its type, where a field's union has it."""

    def __init__(self, exception_type: type[HippographError], error_type: type[Error]) -> None:
        self.exception_type = exception_type
        self.error_type = error_type

    def handle(self, exception: HippographError, *, info: Info, **_: object) -> Error:
        error = self.error_type(message=_message(exception), code=exception.code, retryable=exception.retryable)
        if isinstance(error, InvalidInputError) and isinstance(exception, InvalidInput):
            error.field = _field_of(exception.value, info)
        return error


HANDLERS: Final = [_Handler(exception, error) for exception, error in _TYPES.items()]
"""What the schema is given to turn errors of the domain into members of unions."""


class DescribedErrors(SchemaExtension):
    """Gives each error a code, and hides the text of those that nobody meant to show."""

    def on_operation(self) -> Iterator[None]:
        """Looks at what came out, when everything is done."""
        yield
        self._describe(self.execution_context.result)

    def on_stream_result(self, result: Any) -> Iterator[None]:
        """Looks at each result of a subscription."""
        self._describe(result)
        yield

    @staticmethod
    def _describe(result: Any) -> None:
        if result is not None and result.errors:
            before = isinstance(result, PreExecutionError)
            result.errors = with_codes(result.errors, before_execution=before)


def with_codes(errors: Sequence[GraphQLError], *, before_execution: bool) -> list[GraphQLError]:
    """The errors as they are answered. `before_execution` tells those of the document from those of its values."""
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
    """The path, below `input`, of the field that holds a value; None when none does."""
    if value is None:
        return None
    raw = info._raw_info
    definition = raw.parent_type.fields[raw.field_name]
    # Strawberry runs with the bare values, where graphql-core's own type has their sources too.
    coerced: Any = raw.variable_values
    variables = coerced if isinstance(coerced, VariableValues) else VariableValues({}, coerced)
    given = get_argument_values(definition, raw.field_nodes[0], variables)
    return next(_paths(given.get("input"), value), None)


def _paths(given: object, value: object) -> Iterator[str]:
    """Where in an input a value stands, the items of a list by the name of the list."""
    if isinstance(given, dict):
        for name, held in given.items():
            if value in (held if isinstance(held, list) else [held]):
                yield name
            yield from (f"{name}.{path}" for path in _paths(held, value))
    elif isinstance(given, list):
        for held in given:
            yield from _paths(held, value)


def request_id() -> str:
    """The id of the request that is being answered."""
    return str(structlog.contextvars.get_contextvars().get("request_id", "unknown"))


def _message(error: HippographError) -> str:
    if isinstance(error, DatabaseUnavailable):
        # What the driver says names hosts and ports, which are the operator's to know.
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
