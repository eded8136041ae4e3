"""Resources and prompts: the context and cards, which clients can read by themselves, and the prompt for recall."""

from collections.abc import Awaitable, Callable
from typing import Final

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError, ToolError
from mcp.server.mcpserver.prompts import Prompt
from mcp_types import Resource

from hippograph.api.global_ids import SHORT
from hippograph.api.mcp.standby import INSTRUCTIONS_FILE
from hippograph.api.mcp.startup import NotReady
from hippograph.api.mcp.tool_context import ToolCall, ToolContext, told
from hippograph.graph.context.fence import defused, fenced
from hippograph.graph.errors import HippographError, NotFound

_MARKDOWN: Final = "text/markdown"
CONTEXT: Final = Resource(
    uri="hippograph://context",
    name="context",
    description="What belongs into every prompt: the user's blocks, state, pinned memories, summaries and todos.",
    mime_type=_MARKDOWN,
)
"""Listed for clients that do not know templates. It is read through the template, whose parameters are optional."""


def attach(server: MCPServer, context: ToolContext) -> None:
    """Registers the resources and prompts of a server."""

    @server.resource(
        "hippograph://context{?chat,persona}", name="context", description=CONTEXT.description, mime_type=_MARKDOWN
    )
    async def standing(call: ToolCall, chat: str | None = None, persona: str | None = None) -> str:
        async def read() -> str:
            viewer = await context.viewer(call, chat, persona)
            return await context.service.contexts.standing(viewer, id_length=SHORT)

        return await _read(context, call, read)

    @server.resource(
        "hippograph://card/{+key}",
        name="card",
        description="What matters most of a person or thing, by its key: hippograph://card/person:ben",
        mime_type=_MARKDOWN,
    )
    async def card(call: ToolCall, key: str) -> str:
        return await _read(context, call, lambda: _card(context, call, key))

    server.add_prompt(Prompt.from_function(recall))


def recall(question: str) -> str:
    """How to answer a question from memory."""
    return f"{INSTRUCTIONS_FILE.read_text('utf-8')}\nAnswer from memory, as that says: {question}"


async def _read(context: ToolContext, call: ToolCall, read: Callable[[], Awaitable[str]]) -> str:
    """Waits for the service and returns the result of `read`. Errors are converted to the SDK's resource errors."""
    try:
        await context.opened(call)
        return await read()
    except NotReady as error:
        raise ResourceError(str(error)) from error
    except NotFound as error:
        raise ResourceNotFoundError(str(error)) from error
    except HippographError as error:
        shown = told(error)
        raise ResourceError(str(shown)) if isinstance(shown, ToolError) else error from error


async def _card(context: ToolContext, call: ToolCall, key: str) -> str:
    """The card of an entity, and its summary where that tells more, within the fence. Raises `NotFound`."""
    viewer, cards = await context.viewer(call), context.service.cards
    known = await context.service.browsing.entity(viewer, key)
    if known is None:
        raise NotFound(f"there is no person or thing {key}")
    card = (await cards.cards(viewer, [known.key]))[known.key]
    summary = (await cards.summaries(viewer, [known.key])).get(known.key)
    more = defused(summary.memory.content) if summary and summary.tells_more_than(card.facts) else ""
    lines = [card.text, more]
    return fenced("\n".join(filter(None, lines)), notice=True)
