"""The MCP server over a service.

The SDK creates spans through OpenTelemetry's API only. They are discarded unless a tracer provider is set for the whole
process, which nothing here does. The SDK has no other telemetry.
"""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Final, cast

import anyio
from mcp.server.mcpserver import MCPServer
from mcp.server.stdio import stdio_server
from mcp_types import SERVER_INFO_META_KEY, Resource
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS
from pydantic_core import to_jsonable_python

from hippograph.api.mcp.attachments import CONTEXT, attach
from hippograph.api.mcp.keeping import Keeping
from hippograph.api.mcp.recalling import Recalling
from hippograph.api.mcp.remembering import Remembering
from hippograph.api.mcp.standby import INSTRUCTIONS_FILE, Standby
from hippograph.api.mcp.startup import Startup
from hippograph.api.mcp.talking import Talking
from hippograph.api.mcp.tool_context import ToolContext, ViewerResolver

if TYPE_CHECKING:
    from hippograph.api.service import Service

INSTRUCTIONS: Final = INSTRUCTIONS_FILE.read_text("utf-8")


class Server(MCPServer):
    """The MCP server with all its tools."""

    async def list_resources(self) -> list[Resource]:
        """All resources. The context is read through its template."""
        return [CONTEXT, *await super().list_resources()]

    async def run_on(self, standby: Standby) -> None:
        """Takes over from `standby` and answers the client until its input ends. No request is answered twice."""
        wire = anyio.wrap_file(cast("Any", standby))
        standby.hand_over()
        async with stdio_server(wire, wire) as (received, sent):
            server = self._lowlevel_server
            await server.run(received, sent, server.create_initialization_options())

    async def catalogue(self) -> dict[str, Any]:
        """Returns what `Standby` answers from, without the instructions."""
        server = self._lowlevel_server
        about = {
            "capabilities": server.get_capabilities(),
            "serverInfo": server.server_info,
        }
        lists = {
            "tools/list": {"tools": await self.list_tools()},
            "resources/list": {"resources": await self.list_resources()},
            "resources/templates/list": {"resourceTemplates": await self.list_resource_templates()},
            "prompts/list": {"prompts": await self.list_prompts()},
        }
        modern = {
            "supportedVersions": MODERN_PROTOCOL_VERSIONS,
            "resultType": "complete",
            "cacheScope": "private",
            "ttlMs": 0,
            "_meta": {SERVER_INFO_META_KEY: server.server_info},
        }
        found = {"handshakes": HANDSHAKE_PROTOCOL_VERSIONS, "modern": modern, "server": about, "lists": lists}
        return cast("dict[str, Any]", to_jsonable_python(found, by_alias=True, exclude_none=True))


def make_server(source: Service | Startup, resolve_viewer: ViewerResolver) -> Server:
    """Returns a server over a service that is open or being opened. `resolve_viewer` returns the viewer of a call."""
    startup = source if isinstance(source, Startup) else Startup(source)
    rooms = [room(startup, resolve_viewer) for room in (Recalling, Talking, Remembering, Keeping)]
    server = Server(
        "hippograph",
        title="hippograph",
        description="A long-term memory: what people said, and what is known from it.",
        instructions=INSTRUCTIONS,
        version=version("hippograph"),
        tools=[tool for room in rooms for tool in room.tools()],
        subscriptions=False,
        log_level="WARNING",
    )
    attach(server, ToolContext(startup, resolve_viewer))
    return server
