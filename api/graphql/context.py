"""What a request's resolvers share: who is looking, the parts of the service, and the loaders that read in batches."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property, partial
from typing import TypeAlias, TypeVar

import strawberry
from strawberry.dataloader import DataLoader

from api import arguments
from api.service import Service
from graph.model import Chat, Entity, Memory, Persona, Session, Times, Viewer
from graph.retrieval.browsing import Browsing, Participant

V = TypeVar("V")


@dataclass(frozen=True)
class Context:
    """One request: on whose behalf it is made, and what answers it."""

    service: Service
    viewer: Viewer

    def times(self, as_of: datetime | None, known_at: datetime | None) -> Times | None:
        """The two times of a read, None for the present. Raises `InvalidInput` for a time without an offset."""
        return arguments.times(self.service.clock, as_of, known_at)

    @cached_property
    def loaders(self) -> "Loaders":
        """The request's loaders, made when the first is asked for."""
        return Loaders(self.service.browsing, self.viewer)


class Loaders:
    """Each gathers the ids that are asked for in one step of execution and reads them in one statement.

    What the viewer may not see is None, like what does not exist.
    """

    def __init__(self, browsing: Browsing, viewer: Viewer) -> None:
        self._browsing = browsing
        self._viewer = viewer

    @cached_property
    def memories(self) -> DataLoader[str, Memory | None]:
        """Memories by id, each where the viewer may see it at all."""
        return _loader(partial(self._browsing.memories, self._viewer))

    @cached_property
    def chats(self) -> DataLoader[str, Chat | None]:
        """Chats by id."""
        return _loader(partial(self._browsing.chats_by_id, self._viewer))

    @cached_property
    def participants(self) -> DataLoader[str, list[Participant] | None]:
        """Who takes part, by the chat's id."""
        return _loader(partial(self._browsing.participants, self._viewer))

    @cached_property
    def sessions(self) -> DataLoader[str, Session | None]:
        """Sessions by id."""
        return _loader(partial(self._browsing.sessions_by_id, self._viewer))

    @cached_property
    def personas(self) -> DataLoader[str, Persona | None]:
        """Personas by id."""
        return _loader(self._browsing.personas_by_id)

    @cached_property
    def entities(self) -> DataLoader[str, Entity | None]:
        """Entities by id or key, as far as the viewer may know of them."""
        return _loader(partial(self._browsing.entities_by, self._viewer))


def _loader(read: Callable[[Sequence[str]], Awaitable[Mapping[str, V]]]) -> DataLoader[str, V | None]:
    async def load(keys: list[str]) -> Sequence[V | None]:
        found = await read(keys)
        return [found.get(key) for key in keys]

    return DataLoader(load)


Info: TypeAlias = strawberry.Info[Context, None]
