"""GraphQL over HTTP: Strawberry's view, held to the specification (https://graphql.github.io/graphql-over-http/).

Queries come by GET or POST, mutations by POST alone, one operation a request, as JSON. Who accepts
`application/graphql-response+json` gets 400 for what could not be executed, and no `data` with it.
"""

import json
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

import strawberry
import structlog
from cross_web import AsyncHTTPRequestAdapter, HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket
from strawberry.asgi import GraphQL
from strawberry.http import GraphQLHTTPResponse, GraphQLRequestData
from strawberry.http.base import BaseRequestProtocol
from strawberry.schema.exceptions import InvalidOperationTypeError
from strawberry.types import ExecutionResult

from api.graphql.context import Context
from api.middleware import refuse
from api.service import Service
from api.viewer import Caller
from graph.database import bookmarks
from graph.errors import DatabaseUnavailable, InvalidInput, NotAllowed, Unauthenticated

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

RESPONSE: Final = "application/graphql-response+json"
JSON: Final = "application/json"
BOOKMARK: Final = "hippograph-bookmark"
ACTING_FOR: Final = "hippograph-user"
"""The header in which a service names the account that it acts for."""

MAX_BOOKMARKS: Final = 200
"""A process has as many as it wrote transactions at once: at most one a connection."""

_NOT_ALLOWED: Final = 405
_BOOKMARK: Final = re.compile(r"[A-Za-z0-9+/=:_.-]{1,200}")


class _Refused(Exception):
    """A request that is not looked at further: its status, its code, and headers of the answer."""

    def __init__(self, status: int, code: str, message: str, headers: Sequence[tuple[bytes, bytes]] = ()) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.headers = headers


class GraphQLEndpoint(GraphQL[Context, None]):
    """The ASGI application behind `/graphql`.

    What is overridden here Strawberry answers otherwise: every answer as `application/json`, bad media types and
    mutations by GET as 400, and JSON that is no object, too deep or no UTF-8 as 500.
    """

    def __init__(self, schema: strawberry.Schema) -> None:
        super().__init__(schema, graphql_ide=None, subscription_protocols=())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request."""
        request = Request(scope, receive)
        before = bookmarks.get()
        try:
            bookmarks.set(_bookmarks(request.headers.get(BOOKMARK)))
            response = await self.run(request)
        except HTTPException as error:
            allowed = b"POST" if request.method == "GET" else b"GET, POST"
            headers = [(b"allow", allowed)] if error.status_code == _NOT_ALLOWED else []
            await refuse(send, error.status_code, "BAD_REQUEST", error.reason, headers)
        except _Refused as error:
            await refuse(send, error.status, error.code, str(error), error.headers)
        except ClientDisconnect:
            log.info("the client went away before its request was read")
        else:
            await response(scope, receive, send)
        finally:
            bookmarks.set(before)

    async def get_context(self, request: Request | WebSocket, response: Response | WebSocket) -> Context:  # noqa: ARG002
        """On whose behalf the request is made, and what answers it."""
        service: Service = request.app.state.service
        caller = await self._caller(service, request)
        if service.rate_limit and (wait_s := await service.rate_limit.wait_s(caller.credential)):
            retry_after = [(b"retry-after", str(wait_s).encode())]
            raise _Refused(429, "RATE_LIMITED", f"too many requests; try again in {wait_s} s", retry_after)
        return Context(service, caller.viewer)

    @staticmethod
    async def _caller(service: Service, request: Request | WebSocket) -> Caller:
        headers = request.headers
        try:
            return await service.authenticator.authenticate(headers.get("authorization"), headers.get(ACTING_FOR))
        except Unauthenticated as error:
            raise _Refused(401, error.code, str(error), [(b"www-authenticate", b"Bearer")]) from error
        except (NotAllowed, InvalidInput) as error:
            raise _Refused(403, error.code, str(error)) from error
        except DatabaseUnavailable as error:
            raise _Refused(503, error.code, "the database does not answer now; try again") from error

    async def get_sub_response(self, request: Request | WebSocket) -> Response:
        """The answer to be, in the media type that is accepted."""
        media_type = _content_type(request.headers.get("accept", "*/*"))
        request.state.answer = Response(media_type=f"{media_type}; charset=utf-8")
        answer: Response = request.state.answer
        return answer

    def should_render_graphql_ide(self, request: BaseRequestProtocol) -> bool:  # noqa: ARG002
        """Never: GraphiQL has an address of its own."""
        return False

    async def parse_http_body(self, request: AsyncHTTPRequestAdapter) -> GraphQLRequestData:
        """The one operation of a request."""
        if request.method == "GET":
            given = self.parse_query_params(request.query_params)
        elif (request.content_type or "").partition(";")[0].strip().lower() == JSON:
            given = self.parse_json(await request.get_body())
        else:
            raise HTTPException(415, f"send the request as {JSON}")
        if not isinstance(given, dict):
            raise HTTPException(400, "a request is one JSON object with `query`, `variables`, `operationName`")
        query, variables, name = given.get("query"), given.get("variables") or {}, given.get("operationName") or None
        if not isinstance(query, str) or not isinstance(variables, dict) or not isinstance(name, str | None):
            raise HTTPException(400, "`query` and `operationName` are strings, `variables` is an object")
        return GraphQLRequestData(query, variables, name, extensions=None)

    def parse_json(self, data: str | bytes) -> Any:
        """The value in a text of JSON."""
        try:
            return json.loads(data)
        except (ValueError, RecursionError) as error:
            raise HTTPException(400, f"this is no JSON: {error}") from error

    async def execute_single(self, *args: Any, **kwargs: Any) -> ExecutionResult:
        """The result of the operation."""
        try:
            return await super().execute_single(*args, **kwargs)
        except HTTPException as error:
            if isinstance(error.__cause__, InvalidOperationTypeError):
                raise HTTPException(_NOT_ALLOWED, "send mutations by POST") from error
            raise

    async def process_result(self, request: Request, result: ExecutionResult) -> GraphQLHTTPResponse:
        """The answer; what was not executed has no `data`, and its status says so."""
        answer: Response = request.state.answer
        response = await super().process_result(request, result)
        if result.data is None and not any(error.path for error in result.errors or ()):
            del response["data"]
            answer.status_code = 400 if answer.headers["content-type"].startswith(RESPONSE) else 200
        service: Service = request.app.state.service
        if request.method == "POST" and (seen := await service.database.last_bookmarks()):
            answer.headers[BOOKMARK] = ",".join(sorted(seen))
        return response

    def create_response(
        self, response_data: GraphQLHTTPResponse | list[GraphQLHTTPResponse], sub_response: Response
    ) -> Response:
        """The answer with its body."""
        sub_response.body = sub_response.render(self.encode_json(response_data))
        sub_response.headers["content-length"] = str(len(sub_response.body))
        return sub_response


def _bookmarks(header: str | None) -> frozenset[str]:
    """The bookmarks that a caller brings along, so that they read what they wrote elsewhere."""
    if not header:
        return frozenset()
    given = [part.strip() for part in header.split(",")]
    if len(given) > MAX_BOOKMARKS or not all(_BOOKMARK.fullmatch(one) for one in given):
        raise HTTPException(400, "Hippograph-Bookmark holds what an earlier answer gave, unchanged")
    return frozenset(given)


@lru_cache(maxsize=64)
def _content_type(accept: str) -> str:
    """What to answer in. Raises `HTTPException` for who accepts neither."""
    wanted = [part.partition(";")[0].strip().lower() for part in accept.split(",")]
    for one in wanted:
        if one in (RESPONSE, JSON):
            return one
    if "*/*" in wanted or "application/*" in wanted:
        return RESPONSE
    raise HTTPException(406, f"answers are {RESPONSE} or {JSON}")
