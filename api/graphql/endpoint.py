"""GraphQL over HTTP: a request in, the schema's answer out (https://graphql.github.io/graphql-over-http/).

Queries come by GET or POST, mutations by POST alone, one operation a request, as JSON. Who accepts
`application/graphql-response+json` gets 400 for what could not be executed, and no `data` with it.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final
from urllib.parse import parse_qsl

import strawberry
from graphql import GraphQLError
from starlette.types import Receive, Scope, Send
from strawberry.exceptions import MissingQueryError
from strawberry.schema.exceptions import CannotGetOperationTypeError, InvalidOperationTypeError
from strawberry.types import ExecutionResult
from strawberry.types.graphql import OperationType

from api.graphql.context import Context
from api.middleware import headers_of, refuse
from api.service import Service
from graph.database import bookmarks

RESPONSE: Final = "application/graphql-response+json"
JSON: Final = "application/json"
BOOKMARK: Final = b"hippograph-bookmark"
MAX_BOOKMARKS: Final = 200
"""A process has as many as it wrote transactions at once: at most one a connection."""

_ENCODER: Final = json.JSONEncoder(separators=(",", ":"))
_BOOKMARK: Final = re.compile(r"[A-Za-z0-9+/=:_.-]{1,200}")
_BY_GET: Final = frozenset({OperationType.QUERY})
_BY_POST: Final = frozenset({OperationType.QUERY, OperationType.MUTATION})


@dataclass(frozen=True, slots=True)
class _Operation:
    """What a request asks for."""

    query: str
    variables: dict[str, Any]
    name: str | None


class _Refused(Exception):
    """The request is no GraphQL request that this service answers."""

    def __init__(self, status: int, message: str, *headers: tuple[bytes, bytes]) -> None:
        super().__init__(message)
        self.status = status
        self.headers = headers


class GraphQLEndpoint:
    """The ASGI application behind `/graphql`."""

    def __init__(self, schema: strawberry.Schema) -> None:
        self._schema = schema

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request."""
        headers = headers_of(scope)
        try:
            await self._answer(scope, headers, receive, send)
        except _Refused as error:
            await refuse(send, error.status, "BAD_REQUEST", str(error), error.headers)

    async def _answer(self, scope: Scope, headers: Mapping[bytes, bytes], receive: Receive, send: Send) -> None:
        content_type = _content_type(headers.get(b"accept", b"*/*").decode("latin-1"))
        allowed = _BY_GET if scope["method"] == "GET" else _BY_POST
        operation = await _operation(scope, headers, receive)
        service: Service = scope["app"].state.service
        token = bookmarks.set(_bookmarks(headers.get(BOOKMARK)))
        try:
            viewer = await service.authenticator.authenticate(_credential(headers))
            result = await self._execute(Context(service, viewer), operation, allowed)
        finally:
            bookmarks.reset(token)
        status, body = _response(result, content_type)
        answer = [
            (b"content-type", f"{content_type}; charset=utf-8".encode()),
            (b"content-length", str(len(body)).encode()),
        ]
        if allowed is _BY_POST and (seen := await service.database.last_bookmarks()):
            answer.append((BOOKMARK, ",".join(sorted(seen)).encode()))
        await send({"type": "http.response.start", "status": status, "headers": answer})
        await send({"type": "http.response.body", "body": body})

    async def _execute(
        self, context: Context, operation: _Operation, allowed: frozenset[OperationType]
    ) -> ExecutionResult:
        try:
            return await self._schema.execute(
                operation.query,
                variable_values=operation.variables,
                context_value=context,
                operation_name=operation.name,
                allowed_operation_types=allowed,
            )
        except MissingQueryError as error:
            raise _Refused(400, "the request has no `query`") from error
        except CannotGetOperationTypeError as error:
            raise _Refused(400, "the document has no operation of that name; name one that it has") from error
        except InvalidOperationTypeError as error:
            raise _Refused(405, "send mutations by POST", (b"allow", b"POST")) from error


async def _operation(scope: Scope, headers: Mapping[bytes, bytes], receive: Receive) -> _Operation:
    match scope["method"]:
        case "POST":
            given = _parsed(await _body(headers, receive))
        case "GET":
            given = dict(parse_qsl(scope["query_string"].decode("latin-1")))
            given["variables"] = _parsed(given.get("variables") or "{}")
        case _:
            raise _Refused(405, "send GraphQL by POST or GET", (b"allow", b"GET, POST"))
    if not isinstance(given, dict):
        raise _Refused(400, "a request is one JSON object with `query`, `variables`, `operationName`")
    query, variables, name = given.get("query"), given.get("variables") or {}, given.get("operationName") or None
    if not isinstance(query, str) or not isinstance(variables, dict) or not isinstance(name, str | None):
        raise _Refused(400, "`query` and `operationName` are strings, `variables` is an object")
    return _Operation(query, variables, name)


async def _body(headers: Mapping[bytes, bytes], receive: Receive) -> bytes:
    if headers.get(b"content-type", b"").partition(b";")[0].strip().lower() != JSON.encode():
        raise _Refused(415, f"send the request as {JSON}")
    parts: list[bytes] = []
    while True:
        message = await receive()
        parts.append(message.get("body", b""))
        if not message.get("more_body"):
            return b"".join(parts)


def _parsed(text: str | bytes) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _Refused(400, f"this is no JSON: {error}") from error


def _credential(headers: Mapping[bytes, bytes]) -> str | None:
    header = headers.get(b"authorization")
    return None if header is None else header.decode("latin-1")


def _bookmarks(header: bytes | None) -> frozenset[str]:
    """The bookmarks that a caller brings along, so that they read what they wrote elsewhere."""
    if not header:
        return frozenset()
    given = [part.strip() for part in header.decode("latin-1").split(",")]
    if len(given) > MAX_BOOKMARKS or not all(_BOOKMARK.fullmatch(one) for one in given):
        raise _Refused(400, "Hippograph-Bookmark holds what an earlier answer gave, unchanged")
    return frozenset(given)


@lru_cache(maxsize=64)
def _content_type(accept: str) -> str:
    """What to answer in. Raises `_Refused` for who accepts neither."""
    wanted = [part.partition(";")[0].strip().lower() for part in accept.split(",")]
    for one in wanted:
        if one in (RESPONSE, JSON):
            return one
    if "*/*" in wanted or "application/*" in wanted:
        return RESPONSE
    raise _Refused(406, f"answers are {RESPONSE} or {JSON}")


def _response(result: ExecutionResult, content_type: str) -> tuple[int, bytes]:
    """Status and body. What was not executed has no `data`."""
    errors: list[GraphQLError] = result.errors or []
    executed = result.data is not None or any(error.path for error in errors)
    answer: dict[str, Any] = {"data": result.data} if executed else {}
    if errors:
        answer["errors"] = [error.formatted for error in errors]
    if result.extensions:
        answer["extensions"] = result.extensions
    status = 200 if executed or content_type == JSON else 400
    return status, _ENCODER.encode(answer).encode()
