"""Tools for blocks of working memory: named texts of the user and a persona."""

from typing import Annotated

from mcp.server.mcpserver.tools import Tool
from mcp_types import ToolAnnotations
from pydantic import Field

from api.mcp.forms import BlockForm, BlocksForm, ChangedBlockForm, block_form
from api.mcp.recalling import ForGroups, Persona
from api.mcp.tool_context import ADDS, READS, REPLACES, ToolCall, ToolContext, Work
from graph.errors import NotFound

Name = Annotated[str, Field(description="persona_state, user_model, active_context, or any other name.")]
Version = Annotated[int | None, Field(description="The version that you read; needed to change what is there.")]


class WorkingMemory:
    """Tools for blocks."""

    def __init__(self, context: ToolContext) -> None:
        self._context = context

    def tools(self) -> list[Tool]:
        """All of them."""
        work: dict[Work, ToolAnnotations] = {
            self.block_write: ADDS,
            self.block_read: READS,
            self.block_list: READS,
            self.block_delete: REPLACES,
        }
        return [self._context.tool(each, hints) for each, hints in work.items()]

    async def block_write(
        self,
        call: ToolCall,
        name: Name,
        content: Annotated[str, Field(description="All that the block is to hold.")],
        persona: Persona = None,
        description: Annotated[str | None, Field(description="What the block is for.")] = None,
        for_groups: ForGroups = None,
        version: Version = None,
    ) -> BlockForm:
        """Write a block of working memory, a new one or over the version that you read; the context always has it, in a
        group where it is marked for groups.
        """
        viewer = await self._context.viewer(call, None, persona)
        written = await self._context.service.blocks.write(
            viewer, name, content, description=description, for_groups=for_groups, version=version
        )
        return block_form(written)

    async def block_read(self, call: ToolCall, name: Name, persona: Persona = None) -> BlockForm:
        """Read a block of working memory, with its version."""
        found = await self._context.service.blocks.read(await self._context.viewer(call, None, persona), name)
        if found is None:
            raise NotFound(f"there is no block {name!r}: see block_list")
        return block_form(found)

    async def block_list(self, call: ToolCall, persona: Persona = None) -> BlocksForm:
        """List the blocks of working memory."""
        blocks = await self._context.service.blocks.all(await self._context.viewer(call, None, persona))
        return BlocksForm([block_form(one) for one in blocks])

    async def block_delete(
        self, call: ToolCall, name: Name, persona: Persona = None, version: Version = None
    ) -> ChangedBlockForm:
        """Take a block out of working memory."""
        await self._context.service.blocks.delete(
            await self._context.viewer(call, None, persona), name, version=version
        )
        return ChangedBlockForm(name)
