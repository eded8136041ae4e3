"""Tools for blocks of working memory: named texts of the user and a persona."""

from typing import Annotated

from mcp.server.mcpserver.tools import Tool
from mcp_types import ToolAnnotations
from pydantic import Field

from api.mcp.door import ADDS, READS, REPLACES, Asked, Door, Work
from api.mcp.forms import BlockForm, BlocksForm, ChangedBlockForm, block_form
from api.mcp.recalling import Persona
from graph.errors import NotFound

Name = Annotated[str, Field(description="persona_state, user_model, active_context, or any other name.")]
Version = Annotated[int | None, Field(description="The version that you read; needed to change what is there.")]


class WorkingMemory:
    """Tools for blocks."""

    def __init__(self, door: Door) -> None:
        self._door = door
        self._blocks = door.service.blocks

    def tools(self) -> list[Tool]:
        """All of them."""
        work: dict[Work, ToolAnnotations] = {
            self.block_write: ADDS,
            self.block_read: READS,
            self.block_list: READS,
            self.block_delete: REPLACES,
        }
        return [self._door.tool(each, hints) for each, hints in work.items()]

    async def block_write(
        self,
        asked: Asked,
        name: Name,
        content: Annotated[str, Field(description="All that the block is to hold.")],
        persona: Persona = None,
        description: Annotated[str | None, Field(description="What the block is for.")] = None,
        version: Version = None,
    ) -> BlockForm:
        """Write a block of working memory, a new one or over the version that you read; the context always has it."""
        viewer = await self._door.viewer(asked, None, persona)
        return block_form(await self._blocks.write(viewer, name, content, description=description, version=version))

    async def block_read(self, asked: Asked, name: Name, persona: Persona = None) -> BlockForm:
        """Read a block of working memory, with its version."""
        found = await self._blocks.read(await self._door.viewer(asked, None, persona), name)
        if found is None:
            raise NotFound(f"there is no block {name!r}: see block_list")
        return block_form(found)

    async def block_list(self, asked: Asked, persona: Persona = None) -> BlocksForm:
        """List the blocks of working memory."""
        blocks = await self._blocks.all(await self._door.viewer(asked, None, persona))
        return BlocksForm([block_form(one) for one in blocks])

    async def block_delete(
        self, asked: Asked, name: Name, persona: Persona = None, version: Version = None
    ) -> ChangedBlockForm:
        """Take a block out of working memory."""
        await self._blocks.delete(await self._door.viewer(asked, None, persona), name, version=version)
        return ChangedBlockForm(name)
