"""The ASGI application behind `/mcp`: the MCP server over streamable HTTP."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from starlette.datastructures import Headers
from starlette.types import Receive, Scope, Send

from hippograph.api.mcp.server import make_server
from hippograph.api.mcp.tool_context import ToolCall
from hippograph.api.service import Service
from hippograph.api.viewer import Caller
from hippograph.api.web.admission import ACTING_FOR, AUTHORIZATION, Refused, admitted
from hippograph.api.web.middleware import refuse
from hippograph.graph.model import Viewer

_CALLER: Final = "hippograph.caller"


class McpEndpoint:
    """Answers each request without a session, by its own credential, as JSON."""

    def __init__(self, challenge: bytes = b"Bearer") -> None:
        """`challenge` is the value of `WWW-Authenticate` in the answer to a request without a valid credential."""
        self._challenge = challenge
        self._sessions: StreamableHTTPSessionManager | None = None

    @asynccontextmanager
    async def serving(self, service: Service) -> AsyncIterator[None]:
        """Runs the MCP server while the context is open."""
        server = make_server(service, _caller)
        # Hosts and origins are checked by `api.web.middleware.KnownSenders`, as for every other path.
        unchecked = TransportSecuritySettings(enable_dns_rebinding_protection=False)
        server.streamable_http_app(stateless_http=True, json_response=True, transport_security=unchecked)
        self._sessions = server.session_manager
        ready, done = asyncio.Event(), asyncio.Event()

        async def hold() -> None:
            """Opens and closes the SDK's task group in one task, as it requires; a lifespan may use two."""
            async with server.session_manager.run():
                ready.set()
                await done.wait()

        holding = asyncio.create_task(hold())
        await ready.wait()
        try:
            yield
        finally:
            done.set()
            await holding

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request."""
        assert self._sessions is not None, "the application's lifespan was not entered"
        headers = Headers(scope=scope)
        try:
            caller = await admitted(scope["app"].state.service, headers.get(AUTHORIZATION), headers.get(ACTING_FOR))
        except Refused as error:
            refusal = [(b"www-authenticate", self._challenge)] if error.status == 401 else error.headers
            await refuse(send, error.status, error.code, str(error), refusal)
            return
        await self._sessions.handle_request({**scope, _CALLER: caller}, receive, send)


def _caller(call: ToolCall) -> Viewer:
    """The viewer of the HTTP request that a call came with."""
    request = call.request_context.request
    assert request is not None, "a call over HTTP came without its request"
    caller: Caller = request.scope[_CALLER]
    return caller.viewer
