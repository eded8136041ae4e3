"""An agent for tests: the SDK's client, in this process, over HTTP, or over a spawned `hippograph mcp`."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult, TextContent

from hippograph.api.mcp.server import make_server
from hippograph.api.service import Service
from hippograph.graph.model import Viewer

Told = dict[str, Any]


class Agent:
    """A client of the SDK that calls tools."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def call(self, tool: str, **arguments: object) -> Told:
        """Returns the answer of a tool, a JSON object."""
        told: Told = json.loads(await self.text(tool, **arguments))
        return told

    async def text(self, tool: str, **arguments: object) -> str:
        """Returns the answer of a tool as it is sent: as one text, without structured content."""
        return self._told(await self.client.call_tool(tool, arguments))

    async def patient(self, tool: str, progress: Any = None, **arguments: object) -> Told:
        """Returns the answer of a tool of a server that may be starting; repeats the call until it has started."""
        told: Told = json.loads(self._told(await self._started(tool, arguments, progress)))
        return told

    async def refused_at_last(self, tool: str, **arguments: object) -> str:
        """Returns the error text of a tool of a server that may be starting; repeats the call until it has started."""
        answer = await self._started(tool, arguments)
        assert answer.is_error
        return answer.content[0].text  # type: ignore[union-attr]

    @staticmethod
    def _told(answer: CallToolResult) -> str:
        assert not answer.is_error, answer.content
        assert answer.structured_content is None
        [content] = answer.content
        assert isinstance(content, TextContent)
        return content.text

    async def _started(self, tool: str, arguments: Told, progress: Any = None) -> CallToolResult:
        while True:
            answer = await self.client.call_tool(tool, arguments, progress_callback=progress)
            if not (answer.is_error and "still starting" in answer.content[0].text):  # type: ignore[union-attr]
                return answer

    async def refused(self, tool: str, **arguments: object) -> str:
        """Returns the error text of a tool that refuses."""
        answer = await self.client.call_tool(tool, arguments)
        assert answer.is_error
        return answer.content[0].text  # type: ignore[union-attr]


@asynccontextmanager
async def within(service: Service, viewer: Viewer | None = None) -> AsyncIterator[Agent]:
    """Yields an agent in this process that acts for a viewer; None is the local user."""
    async with Client(make_server(service, lambda _: viewer or service.viewer())) as client:
        yield Agent(client)


@asynccontextmanager
async def over_http(address: str, **headers: str) -> AsyncIterator[Agent]:
    """Yields an agent that talks to a running service over HTTP."""
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as http,
        Client(streamable_http_client(f"http://{address}/mcp", http_client=http)) as client,
    ):
        yield Agent(client)
