"""Spaces: listing and managing them, and moving chats and memories between them."""

from datetime import datetime
from typing import Annotated

import strawberry

from hippograph.api.arguments import inner_id, optional_id
from hippograph.api.graphql.chat.chats import Chat, chat, chat_of
from hippograph.api.graphql.context import Info, Loaders
from hippograph.api.graphql.docs import described, field, input_type, object_type
from hippograph.api.graphql.errors import Failure, FailureOrConflict, FailureOrNotAllowed
from hippograph.api.graphql.memory.memories import Memory, held_memory
from hippograph.api.graphql.nodes import Connection, Node, connection, global_id, to_type
from hippograph.graph.people import spaces


@object_type
class Space(Node):
    """A space keeps one project or client apart from others. What is said in its chats can be seen in these chats, and
    outside any chat by those who may see it anyway.
    """

    name: str
    created_at: datetime
    found: strawberry.Private[spaces.Space]

    @field
    async def group(self, info: Info) -> Chat | None:
        """The group to which it belongs; null for the viewer's own."""
        return await chat_of(info.context.loaders, self.found.chat_id)

    @field
    async def chats(self, info: Info, first: int = 20, after: str | None = None) -> Connection[Chat]:
        """Its chats in which the viewer takes part, newest first."""
        context = info.context
        page = await context.service.spaces.chats(context.viewer, self.found.id, first=first, after=after)
        return connection(page, chat, after)


def space(found: spaces.Space) -> Space:
    """Converts a space to its GraphQL type."""
    return to_type(Space, found, id=global_id("Space", found.id))


async def space_of(loaders: Loaders, space_id: str | None) -> Space | None:
    """Returns the space with this id, if the viewer may use it."""
    found = await loaders.spaces.load(space_id) if space_id else None
    return space(found) if found else None


@input_type
class CreateSpaceInput:
    """A new space."""

    name: str
    chat_id: strawberry.ID | None = described(
        "The group that the space belongs to; without it, the space is the viewer's own.", default=None
    )


@input_type
class RenameSpaceInput:
    """A space and its new name."""

    space_id: strawberry.ID
    name: str


@input_type
class DeleteSpaceInput:
    """The space to delete, which must be empty."""

    space_id: strawberry.ID


@input_type
class SetChatSpaceInput:
    """A chat and its new space."""

    chat_id: strawberry.ID
    space_id: strawberry.ID | None = described("The space; null for none.", default=None)


@input_type
class MoveMemoryInput:
    """A memory and its new space."""

    memory_id: strawberry.ID
    space_id: strawberry.ID | None = described("The space; null for none.", default=None)


@object_type
class SpacePayload:
    """The space as it is now."""

    space: Space


@object_type
class DeleteSpacePayload:
    """The space that was deleted."""

    space_id: strawberry.ID


@object_type
class SetChatSpacePayload:
    """The chat as it is now."""

    chat: Chat


@object_type
class MoveMemoryPayload:
    """The memory that was moved."""

    moved: strawberry.Private[str]

    @field
    async def memory(self, info: Info) -> Memory | None:
        """The memory as it is now; null if the viewer can no longer see it."""
        return await held_memory(info, self.moved)


SpaceResult = Annotated[SpacePayload | FailureOrConflict, strawberry.union("SpaceResult")]
DeleteSpaceResult = Annotated[DeleteSpacePayload | FailureOrConflict, strawberry.union("DeleteSpaceResult")]
SetChatSpaceResult = Annotated[SetChatSpacePayload | Failure, strawberry.union("SetChatSpaceResult")]
MoveMemoryResult = Annotated[MoveMemoryPayload | FailureOrNotAllowed, strawberry.union("MoveMemoryResult")]


@object_type
class SpaceQueries:
    """The list of spaces."""

    @field
    async def spaces(self, info: Info, first: int = 20, after: str | None = None) -> Connection[Space] | None:
        """The spaces that the viewer may use: their own and those of their groups, newest first."""
        page = await info.context.service.spaces.all(info.context.viewer, first=first, after=after)
        return connection(page, space, after)


@object_type
class SpaceMutations:
    """Managing spaces, and moving chats and memories between them."""

    @field
    async def create_space(self, info: Info, input: CreateSpaceInput) -> SpaceResult | None:
        """Creates a space of the viewer, or of a group in which they take part, or returns the one with this name."""
        made = await info.context.service.spaces.create(
            info.context.viewer, input.name, chat_id=optional_id("Chat", input.chat_id)
        )
        return SpacePayload(space=space(made))

    @field
    async def rename_space(self, info: Info, input: RenameSpaceInput) -> SpaceResult | None:
        """Renames a space."""
        space_id = inner_id("Space", input.space_id)
        return SpacePayload(
            space=space(await info.context.service.spaces.rename(info.context.viewer, space_id, input.name))
        )

    @field
    async def delete_space(self, info: Info, input: DeleteSpaceInput) -> DeleteSpaceResult | None:
        """Deletes a space to which no chat, memory, todo or block belongs."""
        await info.context.service.spaces.delete(info.context.viewer, inner_id("Space", input.space_id))
        return DeleteSpacePayload(space_id=input.space_id)

    @field
    async def set_chat_space(self, info: Info, input: SetChatSpaceInput) -> SetChatSpaceResult | None:
        """Moves a chat to a space, or to none, with its messages and the facts found in them. A private chat may be in
        any space that the viewer may use; a group in one of its own or, if nobody else in it has an account, in one of
        the viewer's.
        """
        moved = await info.context.service.spaces.move_chat(
            info.context.viewer, inner_id("Chat", input.chat_id), optional_id("Space", input.space_id)
        )
        return SetChatSpacePayload(chat=chat(moved))

    @field
    async def move_memory(self, info: Info, input: MoveMemoryInput) -> MoveMemoryResult | None:
        """Moves one memory to a space, or to none, with the facts found in it alone. Its owner and the members of its
        group may do this.
        """
        memory_id = inner_id("Memory", input.memory_id)
        await info.context.service.spaces.move_memory(
            info.context.viewer, memory_id, optional_id("Space", input.space_id)
        )
        return MoveMemoryPayload(moved=memory_id)
