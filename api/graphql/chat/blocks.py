"""Blocks of working memory: named texts that the viewer shares with a persona, or with none."""

from datetime import datetime
from typing import Annotated

import strawberry

from hippograph.api.arguments import optional_id
from hippograph.api.graphql.chat.personas import Persona, persona_of
from hippograph.api.graphql.context import Info
from hippograph.api.graphql.docs import argument, described, field, input_type, object_type
from hippograph.api.graphql.errors import FailureOrConflict
from hippograph.api.graphql.nodes import global_id, to_type
from hippograph.graph.model import Viewer
from hippograph.graph.people import blocks as working

PERSONA = "The persona with which the block is shared; without it, none."
WithPersona = Annotated[strawberry.ID | None, argument(PERSONA)]
FOR_GROUPS = "Whether the block also appears in the contexts of groups, where an assistant answers to all members."
VERSION = "The version that was read; if the block has another version, the result is a conflict."


@object_type
class Block:
    """A named block of working memory, which belongs to one person and to one persona or none."""

    id: strawberry.ID = described("The id of the block. Blocks are found by their names.")
    name: str = described(
        "The name, in lower case. `persona_state`, `user_model` and `active_context` are standard names; any "
        "other is possible."
    )
    content: str
    description: str | None = described("A description of what belongs in the block; null if none was given.")
    for_groups: bool = described(FOR_GROUPS)
    version: int = described("The number of writes so far, from 1.")
    created_at: datetime
    updated_at: datetime = described("The time of the last write.")
    found: strawberry.Private[working.Block]

    @field
    async def persona(self, info: Info) -> Persona | None:
        """The persona with which it is shared; null for none."""
        return await persona_of(info.context.loaders, self.found.persona_id)


def block(found: working.Block) -> Block:
    """Converts a block to its GraphQL type."""
    return to_type(Block, found, id=global_id("Block", found.id))


@object_type
class BlockQueries:
    """The viewer's blocks."""

    @field
    async def blocks(self, info: Info, persona_id: WithPersona = None) -> list[Block] | None:
        """All blocks of the viewer with a persona, ordered by name."""
        return [block(one) for one in await info.context.service.blocks.all(_viewer(info, persona_id))]

    @field
    async def block(
        self,
        info: Info,
        name: Annotated[str, argument("The name of the block; case makes no difference.")],
        persona_id: WithPersona = None,
    ) -> Block | None:
        """The block with this name; null if there is none."""
        found = await info.context.service.blocks.read(_viewer(info, persona_id), name)
        return block(found) if found else None


@input_type
class WriteBlockInput:
    """The new content of a block."""

    name: str = described("The name, up to 100 characters; case makes no difference.")
    content: str
    description: str | None = described(
        "A description of what belongs in the block, up to 500 characters. Without it, the description stays "
        "as it was.",
        default=None,
    )
    for_groups: bool | None = described(
        f"{FOR_GROUPS} Without it, the setting stays as it was; it is false for a new block.", default=None
    )
    version: int | None = described("The version to overwrite. Without it, the block must not exist yet.", default=None)
    persona_id: strawberry.ID | None = described(PERSONA, default=None)


@input_type
class AppendToBlockInput:
    """A line to append to a block."""

    name: str = described("The name of the block, which is created if it does not exist.")
    text: str = described("The line to append.")
    persona_id: strawberry.ID | None = described(PERSONA, default=None)


@input_type
class ReplaceInBlockInput:
    """Words of a block, and their replacement."""

    name: str
    old: str = described("Words that the block contains exactly once.")
    new: str = described("The words that replace them; empty to remove them.")
    persona_id: strawberry.ID | None = described(PERSONA, default=None)


@input_type
class DeleteBlockInput:
    """The block to delete."""

    name: str
    version: int | None = described(f"{VERSION} Without it, the block is deleted whatever its version.", default=None)
    persona_id: strawberry.ID | None = described(PERSONA, default=None)


@object_type
class BlockPayload:
    """The block as it is now."""

    block: Block = described("The block.")


@object_type
class DeleteBlockPayload:
    """The block as it was before it was deleted; null if there was none."""

    block: Block | None = described("The block.")


BlockResult = Annotated[BlockPayload | FailureOrConflict, strawberry.union("BlockResult")]
DeleteBlockResult = Annotated[DeleteBlockPayload | FailureOrConflict, strawberry.union("DeleteBlockResult")]


@object_type
class BlockMutations:
    """Writing the viewer's blocks."""

    @field
    async def write_block(self, info: Info, input: WriteBlockInput) -> BlockResult | None:
        """Writes a block: creates it, or overwrites the given version. Writing the same again changes nothing."""
        viewer = _viewer(info, input.persona_id)
        written = await info.context.service.blocks.write(
            viewer,
            input.name,
            input.content,
            description=input.description,
            for_groups=input.for_groups,
            version=input.version,
        )
        return BlockPayload(block=block(written))

    @field
    async def append_to_block(self, info: Info, input: AppendToBlockInput) -> BlockResult | None:
        """Appends a line to a block, or creates the block with it. Lines of concurrent writers are all kept."""
        viewer = _viewer(info, input.persona_id)
        return BlockPayload(block=block(await info.context.service.blocks.append(viewer, input.name, input.text)))

    @field
    async def replace_in_block(self, info: Info, input: ReplaceInBlockInput) -> BlockResult | None:
        """Replaces some words of a block. The rest stays, with what others write at the same time."""
        viewer = _viewer(info, input.persona_id)
        written = await info.context.service.blocks.replace(viewer, input.name, input.old, input.new)
        return BlockPayload(block=block(written))

    @field
    async def delete_block(self, info: Info, input: DeleteBlockInput) -> DeleteBlockResult | None:
        """Takes a block out of use. A new block may have its name."""
        viewer = _viewer(info, input.persona_id)
        gone = await info.context.service.blocks.delete(viewer, input.name, version=input.version)
        return DeleteBlockPayload(block=block(gone) if gone else None)


def _viewer(info: Info, persona_id: strawberry.ID | None) -> Viewer:
    return info.context.viewer.at(None, optional_id("Persona", persona_id))
