"""Lookup of objects by id, and the viewer."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Annotated, Final

import strawberry

from hippograph.api.arguments import optional_id, split_id
from hippograph.api.graphql.chat.chats import AsOf, Chat, KnownAt, chat, chat_of, session
from hippograph.api.graphql.chat.personas import persona_of
from hippograph.api.graphql.chat.spaces import space_of
from hippograph.api.graphql.context import Info, Loaders
from hippograph.api.graphql.docs import argument, field, object_type
from hippograph.api.graphql.entity.entities import TYPES, Person, entity, person_of
from hippograph.api.graphql.memory.memories import memory
from hippograph.api.graphql.nodes import Connection, Node, connection
from hippograph.graph.errors import InvalidInput
from hippograph.graph.model import Times
from hippograph.graph.paging import MAX_PAGE

Finder = Callable[[Loaders, str], Awaitable[Node | None]]
FinderAtTimes = Callable[[Loaders, str, Times | None], Awaitable[Node | None]]


@object_type
class Viewer:
    """The person on whose behalf the request is made."""

    @field
    async def person(self, info: Info) -> Person | None:
        """The person."""
        return await person_of(info.context.loaders, info.context.viewer.person_id)

    @field
    async def chats(self, info: Info, first: int = 20, after: str | None = None) -> Connection[Chat]:
        """The chats in which the viewer takes part, newest first."""
        return connection(
            await info.context.service.browsing.chats(info.context.viewer, first=first, after=after), chat, after
        )

    @field
    async def time_zone(
        self,
        info: Info,
        chat_id: Annotated[
            strawberry.ID | None, argument("The chat in which the viewer looks (default: none).")
        ] = None,
    ) -> str:
        """The time zone of the viewer's days: that of their account, else of the chat, else of the service."""
        viewer = info.context.viewer.at(optional_id("Chat", chat_id))
        return await info.context.service.people.time_zone(viewer)


@object_type
class LookupQueries:
    """Lookup by id."""

    @field
    async def node(self, info: Info, id: strawberry.ID, as_of: AsOf = None, known_at: KnownAt = None) -> Node | None:
        """The object with this id; null if there is none or the viewer may not see it. A memory is found if they may
        see it anywhere: alone, or in one of their chats. The two times apply to memories and sessions only.
        """
        return await _find(info.context.loaders, id, info.context.times(as_of, known_at))

    @field
    async def nodes(
        self, info: Info, ids: list[strawberry.ID], as_of: AsOf = None, known_at: KnownAt = None
    ) -> list[Node | None] | None:
        """The objects with these ids (up to 100), in the same order; null where `node` gives null."""
        if len(ids) > MAX_PAGE:
            raise InvalidInput(f"up to {MAX_PAGE} ids at a time; {len(ids)} were given")
        times = info.context.times(as_of, known_at)
        return list(await asyncio.gather(*(_find(info.context.loaders, one, times) for one in ids)))

    @field
    def viewer(self) -> Viewer | None:
        """The person on whose behalf this request is made."""
        return Viewer()


async def _find(loaders: Loaders, given: str, times: Times | None) -> Node | None:
    type_name, inner = split_id(given)
    if finder_at_times := _FINDERS_AT_TIMES.get(type_name):
        return await finder_at_times(loaders, inner, times)
    finder = _FINDERS.get(type_name)
    return await finder(loaders, inner) if finder else None


async def _memory(loaders: Loaders, inner: str, times: Times | None) -> Node | None:
    found = await loaders.memories(times).load(inner)
    return memory(found, times) if found else None


async def _session(loaders: Loaders, inner: str, times: Times | None) -> Node | None:
    found = await loaders.sessions(times).load(inner)
    return session(found, times) if found else None


def _entity(type_name: str) -> Finder:
    async def find(loaders: Loaders, inner: str) -> Node | None:
        found = await loaders.entities.load(inner)
        return entity(found) if found and TYPES[found.type].__name__ == type_name else None

    return find


_FINDERS_AT_TIMES: Final[dict[str, FinderAtTimes]] = {"Memory": _memory, "Session": _session}
_FINDERS: Final[dict[str, Finder]] = {
    "Chat": chat_of,
    "Persona": persona_of,
    "Space": space_of,
    **{kind.__name__: _entity(kind.__name__) for kind in TYPES.values()},
}
