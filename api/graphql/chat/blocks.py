"""Blocks of working memory: named texts of the viewer and a persona."""

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

PERSONA = "With whom it is shared; without it with no persona."
WithPersona = Annotated[strawberry.ID | None, argument(PERSONA)]
FOR_GROUPS = "Whether it stands in the contexts of groups too, from which an assistant answers to all of them."
VERSION = "The version that was read; another one is a conflict."


@object_type
class Block:
    """A named block of working memory, of one person and one persona or none."""

    id: strawberry.ID = described("The id of the block; its name finds it.")
    name: str = described("Any, in lower case; `persona_state`, `user_model` and `active_context` are standard.")
    content: str
    description: str | None = described("What belongs in it.")
    for_groups: bool = described(FOR_GROUPS)
    version: int = described("Counts the writes, from 1.")
    created_at: datetime
    updated_at: datetime = described("When it was last written.")
    found: strawberry.Private[working.Block]

    @field
    async def persona(self, info: Info) -> Persona | None:
        """The persona it is shared with; null when with none."""
        return await persona_of(info.context.loaders, self.found.persona_id)


def block(found: working.Block) -> Block:
    """A block as the outside sees it."""
    return to_type(Block, found, id=global_id("Block", found.id))


@object_type
class BlockQueries:
    """The viewer's blocks."""

    @field
    async def blocks(self, info: Info, persona_id: WithPersona = None) -> list[Block] | None:
        """All blocks of the viewer and a persona, by name."""
        return [block(one) for one in await info.context.service.blocks.all(_viewer(info, persona_id))]

    @field
    async def block(
        self,
        info: Info,
        name: Annotated[str, argument("In any case.")],
        persona_id: WithPersona = None,
    ) -> Block | None:
        """The block of a name; null when there is none."""
        found = await info.context.service.blocks.read(_viewer(info, persona_id), name)
        return block(found) if found else None


@input_type
class WriteBlockInput:
    """What a block is to hold."""

    name: str = described("Up to 100 characters; case makes no difference.")
    content: str
    description: str | None = described(
        "What belongs in the block. Without it, the description stays as it was.", default=None
    )
    for_groups: bool | None = described(f"{FOR_GROUPS} As it was without; of a new one false.", default=None)
    version: int | None = described(
        "The version that is to be written over; without it there must be no such block.", default=None
    )
    persona_id: strawberry.ID | None = described(PERSONA, default=None)


@input_type
class AppendToBlockInput:
    """A line for the end of a block."""

    name: str = described("Of a block; of one that is not there a new one is made.")
    text: str = described("What to add.")
    persona_id: strawberry.ID | None = described(PERSONA, default=None)


@input_type
class ReplaceInBlockInput:
    """Words of a block, and what is to stand in their place."""

    name: str
    old: str = described("What the block holds exactly once.")
    new: str = described("Empty to take the words out.")
    persona_id: strawberry.ID | None = described(PERSONA, default=None)


@input_type
class DeleteBlockInput:
    """Which block is to go."""

    name: str
    version: int | None = described(f"{VERSION} Any without it.", default=None)
    persona_id: strawberry.ID | None = described(PERSONA, default=None)


@object_type
class BlockPayload:
    """The block as it is now."""

    block: Block = described("The block.")


@object_type
class DeleteBlockPayload:
    """The block as it last was; null when there was none."""

    block: Block | None = described("The block.")


BlockResult = Annotated[BlockPayload | FailureOrConflict, strawberry.union("BlockResult")]
DeleteBlockResult = Annotated[DeleteBlockPayload | FailureOrConflict, strawberry.union("DeleteBlockResult")]


@object_type
class BlockMutations:
    """Writing the viewer's blocks."""

    @field
    async def write_block(self, info: Info, input: WriteBlockInput) -> BlockResult | None:
        """Writes a block, a new one or over the version that was read. The same again changes nothing."""
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
        """Adds a line to a block; lines of several writers at once are all kept."""
        viewer = _viewer(info, input.persona_id)
        return BlockPayload(block=block(await info.context.service.blocks.append(viewer, input.name, input.text)))

    @field
    async def replace_in_block(self, info: Info, input: ReplaceInBlockInput) -> BlockResult | None:
        """Replaces some words of a block; the rest stays, whatever others write meanwhile."""
        viewer = _viewer(info, input.persona_id)
        written = await info.context.service.blocks.replace(viewer, input.name, input.old, input.new)
        return BlockPayload(block=block(written))

    @field
    async def delete_block(self, info: Info, input: DeleteBlockInput) -> DeleteBlockResult | None:
        """Takes a block out of use."""
        viewer = _viewer(info, input.persona_id)
        gone = await info.context.service.blocks.delete(viewer, input.name, version=input.version)
        return DeleteBlockPayload(block=block(gone) if gone else None)


def _viewer(info: Info, persona_id: strawberry.ID | None) -> Viewer:
    return info.context.viewer.at(None, optional_id("Persona", persona_id))
