"""GraphQL over HTTP: Strawberry's view, adapted to the specification (https://graphql.github.io/graphql-over-http/).

Queries are sent by GET or POST, mutations only by POST, one operation per request, as JSON. Clients that accept
`application/graphql-response+json` get status 400, without `data`, for requests that could not be executed.
"""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from datetime import timedelta
from functools import lru_cache
from typing import Any, Final, Literal, cast

import strawberry
import structlog
from cross_web import AsyncHTTPRequestAdapter, HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Message, Receive, Scope, Send
from starlette.websockets import WebSocket
from strawberry.asgi import GraphQL
from strawberry.http import GraphQLHTTPResponse, GraphQLRequestData
from strawberry.http.base import BaseRequestProtocol
from strawberry.schema.exceptions import CannotGetOperationTypeError, InvalidOperationTypeError
from strawberry.subscriptions import GRAPHQL_SSE_PROTOCOL, GRAPHQL_TRANSPORT_WS_PROTOCOL
from strawberry.types import ExecutionResult, SubscriptionExecutionResult
from strawberry.types.graphql import OperationType
from strawberry.types.unset import UnsetType

from hippograph.api.graphql.context import Context, admitted_context
from hippograph.api.graphql.http.bookmarks import BOOKMARK, signed, verified
from hippograph.api.graphql.http.limits import is_subscription
from hippograph.api.graphql.http.sockets import Connecting, SocketHandler, check_connection
from hippograph.api.service import Service
from hippograph.api.web.admission import ACTING_FOR, AUTHORIZATION, Refused
from hippograph.api.web.middleware import refuse
from hippograph.graph.database import bookmarks

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

EVENTS: Final = "text/event-stream"
RESPONSE: Final = "application/graphql-response+json"
JSON: Final = "application/json"
_ANY: Final = frozenset({"*/*", "application/*"})

UNREAD_S = 60.0
"""Maximum time to send one piece of an event stream, in seconds; it is exceeded if the client does not read."""

_NOT_ALLOWED: Final = 405


class GraphQLEndpoint(GraphQL[Any, None]):
    """The ASGI application behind `/graphql`.

    The overridden methods correct Strawberry, which always answers as `application/json`, with status 400 for bad media
    types and mutations by GET, and with 500 for JSON that is not an object, too deeply nested or not UTF-8.
    """

    graphql_transport_ws_handler_class = SocketHandler

    def __init__(self, schema: strawberry.Schema) -> None:
        super().__init__(
            schema,
            graphql_ide=None,
            subscription_protocols=(GRAPHQL_TRANSPORT_WS_PROTOCOL, GRAPHQL_SSE_PROTOCOL),
            connection_init_wait_timeout=timedelta(seconds=10),
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one HTTP request, or serves one WebSocket connection."""
        if scope["type"] == "websocket":
            await self.run(WebSocket(scope, receive, send))
            return
        request = Request(scope, receive)
        before = bookmarks.get()
        try:
            response = await self.run(request)
        except HTTPException as error:
            allowed = b"POST" if request.method == "GET" else b"GET, POST"
            headers = [(b"allow", allowed)] if error.status_code == _NOT_ALLOWED else []
            await refuse(send, error.status_code, "BAD_REQUEST", error.reason, headers)
        except Refused as error:
            await refuse(send, error.status, error.code, str(error), error.headers)
        except ClientDisconnect:
            log.info("the client went away before its request was read")
        else:
            await response(scope, receive, send)
        finally:
            bookmarks.set(before)

    async def get_context(
        self,
        request: Request | WebSocket,
        response: Response | WebSocket,  # noqa: ARG002
    ) -> Context | Connecting:
        """Returns the context of a request. Raises `Refused` if its credential is not accepted.

        For a WebSocket returns a `Connecting`, because the credential may come later. Sets `bookmarks` for HTTP.
        """
        service: Service = request.app.state.service
        if isinstance(request, WebSocket):
            return Connecting(service, request.headers)
        headers = request.headers
        context = await admitted_context(service, headers.get(AUTHORIZATION), headers.get(ACTING_FOR), headers)
        bookmarks.set(_bookmarks(headers.get(BOOKMARK), service.connection.password))
        return context

    def is_websocket_origin_allowed(self, request: WebSocket, origin: str) -> bool:  # noqa: ARG002
        """Returns True: `api.web.middleware.KnownSenders` has checked the origin before."""
        return True

    async def on_ws_connect(self, context: Connecting) -> UnsetType | dict[str, object] | None:
        """Checks the credential of a connection."""
        await check_connection(context)
        return await super().on_ws_connect(context)

    def decode_json(self, data: str | bytes) -> object:
        """Parses a WebSocket message. Raises `json.JSONDecodeError`, also for JSON nested too deeply."""
        try:
            return json.loads(data)
        except RecursionError as error:
            raise json.JSONDecodeError("too deep", "", 0) from error

    async def get_sub_response(self, request: Request | WebSocket) -> Response:
        """Returns an empty response in the media type that the client accepts. Raises `HTTPException` (406)."""
        accept = request.headers.get("accept", "*/*")
        media_type = JSON if _accepted(request.headers) == {EVENTS} else _content_type(accept)
        request.state.answer = Response(media_type=f"{media_type}; charset=utf-8")
        answer: Response = request.state.answer
        return answer

    def should_render_graphql_ide(self, request: BaseRequestProtocol) -> bool:  # noqa: ARG002
        """Returns False: GraphiQL has a URL of its own."""
        return False

    async def parse_http_body(self, request: AsyncHTTPRequestAdapter) -> GraphQLRequestData:
        """Returns the operation of a request. Raises `HTTPException` (400 or 415) for a malformed one."""
        if request.method == "GET":
            given = {
                name: value for name, value in self.parse_query_params(request.query_params).items() if value != ""
            }
        elif (request.content_type or "").partition(";")[0].strip().lower() == JSON:
            given = self.parse_json(await request.get_body())
        else:
            raise HTTPException(415, f"send the request as {JSON}")
        if not isinstance(given, dict):
            raise HTTPException(400, "a request is one JSON object with `query`, `variables`, `operationName`")
        query, name = given.get("query"), given.get("operationName")
        variables, extensions = given.get("variables"), given.get("extensions")
        if not isinstance(query, str) or not isinstance(name, str | None):
            raise HTTPException(400, "`query` and `operationName` are strings")
        if not isinstance(variables, dict | None) or not isinstance(extensions, dict | None):
            raise HTTPException(400, "`variables` and `extensions` are objects")
        accepted = _accepted(request.headers)
        streamed = EVENTS in accepted and (accepted == {EVENTS} or self._subscribes(query, name))
        protocol: Literal["sse", "http"] = "sse" if streamed else "http"
        return GraphQLRequestData(query, variables or {}, name or None, extensions=None, protocol=protocol)

    def _subscribes(self, query: str, operation_name: str | None) -> bool:
        """Returns whether the operation is a subscription."""
        schema = cast(strawberry.Schema, self.schema)
        return is_subscription(schema._schema, query, operation_name)

    def parse_json(self, data: str | bytes) -> Any:
        """Parses JSON. Raises `HTTPException` (400)."""
        try:
            return json.loads(data)
        except (ValueError, RecursionError) as error:
            raise HTTPException(400, f"this is no JSON: {error}") from error

    async def execute_operation(
        self,
        request: Request,  # noqa: ARG002
        request_adapter: AsyncHTTPRequestAdapter,
        request_data: GraphQLRequestData | list[GraphQLRequestData],
        context: Context,
        root_value: None,  # noqa: ARG002
        sub_response: Response,  # noqa: ARG002
    ) -> ExecutionResult | list[ExecutionResult] | SubscriptionExecutionResult:
        """Executes the operation; returns its result, or the stream of results of a subscription."""
        assert isinstance(request_data, GraphQLRequestData)
        if request_data.protocol == "http":
            return await self._answer(request_data, context, by_get=request_adapter.method == "GET")
        results = await self.schema.subscribe(
            request_data.query,
            variable_values=request_data.variables,
            context_value=context,
            operation_name=request_data.operation_name,
        )
        return cast(SubscriptionExecutionResult, results)

    async def _answer(self, request_data: GraphQLRequestData, context: Context, *, by_get: bool) -> ExecutionResult:
        """Executes a query or a mutation. Raises `HTTPException` for subscriptions, and for mutations by GET."""
        context.by_get = by_get
        reads = {OperationType.QUERY}
        try:
            return await self.schema.execute(
                request_data.query,
                variable_values=request_data.variables,
                context_value=context,
                operation_name=request_data.operation_name,
                allowed_operation_types=reads if by_get else reads | {OperationType.MUTATION},
            )
        except CannotGetOperationTypeError as error:
            raise HTTPException(400, error.as_http_error_reason()) from error
        except InvalidOperationTypeError as error:
            if error.operation_type is OperationType.MUTATION:
                raise HTTPException(_NOT_ALLOWED, "send mutations by POST") from error
            raise HTTPException(406, f"subscriptions are answered as {EVENTS}, or over WebSocket") from error

    async def process_result(self, request: Request, result: ExecutionResult) -> GraphQLHTTPResponse:
        """Returns the body of the response, and sets its status and, for POST, its bookmark header.

        If nothing was executed, there is no `data`, and the status is 400 unless the client gets `application/json`.
        """
        answer: Response = request.state.answer
        response = await super().process_result(request, result)
        if result.data is None and not any(error.path for error in result.errors or ()):
            del response["data"]
            answer.status_code = 400 if answer.headers["content-type"].startswith(RESPONSE) else 200
        service: Service = request.app.state.service
        if request.method == "POST" and (seen := await service.database.last_bookmarks()):
            answer.headers[BOOKMARK] = signed(seen, service.connection.password)
        return response

    async def create_streaming_response(
        self,
        request: Request | WebSocket,
        stream: Callable[[], AsyncIterator[str]],
        sub_response: Response,  # noqa: ARG002
        headers: Mapping[str, str],
    ) -> Response:
        """Returns the event stream of a subscription; it ends when the service stops."""
        request.state.streamed = True
        stopping: asyncio.Event = request.app.state.service.stopping
        return EventStream(while_wanted(stream(), stopping, request.receive), headers=dict(headers))

    def create_response(
        self, response_data: GraphQLHTTPResponse | list[GraphQLHTTPResponse], sub_response: Response
    ) -> Response:
        """Returns the response with its body."""
        sub_response.body = sub_response.render(self.encode_json(response_data))
        sub_response.headers["content-length"] = str(len(sub_response.body))
        return sub_response


class EventStream(StreamingResponse):
    """A response of server-sent events. It is closed if the client reads nothing for `UNREAD_S`."""

    def __init__(self, events: AsyncGenerator[str, None], headers: Mapping[str, str]) -> None:
        super().__init__(events, headers=headers)
        self._events = events

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Sends the events, and closes their source."""

        async def send_in_time(message: Message) -> None:
            async with asyncio.timeout(UNREAD_S):
                await send(message)

        try:
            await super().__call__(scope, receive, send_in_time)
        except (ClientDisconnect, TimeoutError):
            log.info("events were not read, or their reader went away")
        finally:
            await self._events.aclose()


def _bookmarks(header: str | None, password: str) -> frozenset[str]:
    """Returns the bookmarks of a request, with which a caller reads what they wrote through another instance."""
    if not header:
        return frozenset()
    try:
        return verified(header, password)
    except ValueError as error:
        told = "Hippograph-Bookmark holds what an earlier answer gave, unchanged; leave it out to begin anew"
        raise HTTPException(400, told) from error


async def while_wanted(
    stream: AsyncIterator[str], stopping: asyncio.Event, receive: Receive
) -> AsyncGenerator[str, None]:
    """Yields the pieces of a stream until it ends, the client disconnects or the process stops. When the process
    stops, the client sees an unfinished response and reconnects.
    """
    ends = {asyncio.create_task(stopping.wait()), asyncio.create_task(_disconnected(receive))}
    piece = asyncio.ensure_future(anext(stream, None))
    try:
        while True:
            await asyncio.wait({piece, *ends}, return_when=asyncio.FIRST_COMPLETED)
            if not piece.done() or (text := piece.result()) is None:
                return
            yield text
            piece = asyncio.ensure_future(anext(stream, None))
    finally:
        for task in (piece, *ends):
            task.cancel()
        await asyncio.wait({piece})  # the stream cannot be closed while this task runs in it
        await stream.aclose()  # type: ignore[attr-defined]


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _accepted(headers: Mapping[str, str]) -> frozenset[str]:
    """Returns the accepted media types, including wildcards, in which the endpoint can answer.

    Some clients accept events with every request, but expect them only for subscriptions.
    """
    wanted = {part.partition(";")[0].strip().lower() for part in headers.get("accept", "").split(",")}
    return frozenset(wanted & {EVENTS, RESPONSE, JSON, *_ANY})


@lru_cache(maxsize=64)
def _content_type(accept: str) -> str:
    """Returns the media type of the response. Raises `HTTPException` (406) if neither is accepted."""
    wanted = [part.partition(";")[0].strip().lower() for part in accept.split(",")]
    for one in wanted:
        if one in (RESPONSE, JSON):
            return one
    if not _ANY.isdisjoint(wanted):
        return JSON  # such a client may predate the specification, which asks for this
    raise HTTPException(406, f"answers are {RESPONSE} or {JSON}")
