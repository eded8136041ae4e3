"""State that the resolvers of a request share: the viewer, the service, and loaders that read in batches."""

from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property, partial, wraps
from typing import Any, TypeAlias, TypeVar, cast

import strawberry
from graphql import GraphQLFieldResolver, GraphQLSchema
from strawberry.dataloader import DataLoader

from hippograph.api import arguments
from hippograph.api.arguments import optional_id
from hippograph.api.service import Service
from hippograph.api.viewer import Caller
from hippograph.api.web.admission import admitted
from hippograph.graph.context.cards import Cards, EntitySummary, Relation
from hippograph.graph.context.timeline import ALWAYS, Stretch, Timelines
from hippograph.graph.model import Chat, Entity, Memory, Persona, Session, Times, Viewer
from hippograph.graph.paging import Listing
from hippograph.graph.people.spaces import Space, Spaces
from hippograph.graph.reading.browsing import Browsing, Participant

F = TypeVar("F", bound=Callable[..., Any])
V = TypeVar("V")


@dataclass
class Context:
    """One request: its caller, and the service that answers it.

    `authenticate` checks its credential again and returns the caller; `headers` are those of the request; `by_get` says
    whether it came by GET.
    """

    service: Service
    caller: Caller
    authenticate: Callable[[], Awaitable[Caller]]
    headers: Mapping[str, str] = field(default_factory=dict)
    by_get: bool = False

    def recalls(self, reinforce: bool) -> bool:
        """Returns whether results count as recalled (T4): if the request asks for it, but never by GET, which any page
        can make a browser send.
        """
        return reinforce and not self.by_get

    @property
    def viewer(self) -> Viewer:
        """The viewer on whose behalf the request is made."""
        return self.caller.viewer

    async def renew(self) -> None:
        """Checks the credential again and drops the loaders with what they read; for subscriptions, which stay open.

        Raises `Unauthenticated` or `NotAllowed` if the credential is no longer valid.
        """
        self.caller = await self.authenticate()
        self.forget_loaded()

    def forget_loaded(self) -> None:
        """Drops the loaders with what they read, so that it is loaded anew."""
        vars(self).pop("loaders", None)

    def times(self, as_of: datetime | None, known_at: datetime | None) -> Times | None:
        """Returns the two times of a read, None for the present. Raises `InvalidInput` for a time without an offset."""
        return arguments.times(self.service.clock, as_of, known_at)

    async def viewer_in(self, chat_id: str | None, persona_id: str | None) -> Viewer:
        """Returns the viewer in a chat, within its space, and for a persona, both given by id. If the viewer does not
        take part in the chat, the space stays as it was. Raises `InvalidInput`.
        """
        viewer = self.viewer.at(optional_id("Chat", chat_id), optional_id("Persona", persona_id))
        chat = await self.loaders.chats.load(viewer.chat_id) if viewer.chat_id else None
        return viewer.within(chat.space_id) if chat else viewer

    @cached_property
    def loaders(self) -> "Loaders":
        """The loaders of the request, created on first use."""
        return Loaders(self.service, self.viewer)


def reload_in_mutations(schema: GraphQLSchema) -> None:
    """Lets each mutation of a request load anew what an earlier mutation of the request may have changed."""

    def reloading(resolve: GraphQLFieldResolver) -> GraphQLFieldResolver:
        def resolved(source: Any, info: Any, **given: Any) -> Any:
            info.context.forget_loaded()
            return resolve(source, info, **given)

        return resolved

    assert schema.mutation_type is not None
    for each in schema.mutation_type.fields.values():
        assert each.resolve is not None
        each.resolve = reloading(each.resolve)


async def admitted_context(
    service: Service, credential: str | None, acting_for: str | None, headers: Mapping[str, str]
) -> Context:
    """Returns the context of a request with this credential. Raises `api.web.admission.Refused`."""
    caller = await admitted(service, credential, acting_for)
    return Context(service, caller, lambda: service.authenticator.authenticate(credential, acting_for), headers)


@dataclass(frozen=True, slots=True)
class ReadContext:
    """The viewer of a read, and its two times; None for the present."""

    viewer: Viewer
    times: Times | None = None


Place: TypeAlias = tuple[str, str | None]
"""The key of an entity, and the cursor after which its list continues; None for the start of the list."""


class Loaders:
    """Data loaders. Each collects the ids that are requested in one step of execution and reads them in one statement.

    A value that the viewer may not see is None, as if it did not exist.
    """

    def __init__(self, service: Service, viewer: Viewer) -> None:
        self._browsing: Browsing = service.browsing
        self._spaces: Spaces = service.spaces
        self._cards: Cards = service.cards
        self._timelines: Timelines = service.timelines
        self._viewer = viewer
        self._made: dict[Hashable, DataLoader[Any, Any]] = {}

    @cached_property
    def chats(self) -> DataLoader[str, Chat | None]:
        """Chats by id."""
        return _loader(partial(self._browsing.chats_by_id, self._viewer))

    @cached_property
    def participants(self) -> DataLoader[str, list[Participant] | None]:
        """Current and former participants, by chat id."""
        return _loader(partial(self._browsing.participants, self._viewer))

    @cached_property
    def spaces(self) -> DataLoader[str, Space | None]:
        """Spaces by id, if the viewer may use them."""
        return _loader(partial(self._spaces.by_id, self._viewer))

    @cached_property
    def personas(self) -> DataLoader[str, Persona | None]:
        """Personas by id."""
        return _loader(self._browsing.personas_by_id)

    @cached_property
    def entities(self) -> DataLoader[str, Entity | None]:
        """Entities by id or key, if the viewer may know of them."""
        return _loader(partial(self._browsing.entities_by, self._viewer))

    def memories(self, times: Times | None = None) -> DataLoader[str, Memory | None]:
        """Memories by id at two times, if the viewer may see them anywhere."""
        return self._shared(("memories", times), partial(self._browsing.memories, self._viewer, times=times))

    def sessions(self, times: Times | None = None) -> DataLoader[str, Session | None]:
        """Sessions by id, as they were at two times."""
        return self._shared(("sessions", times), partial(self._browsing.sessions_by_id, self._viewer, times=times))

    def turn_counts(self, times: Times | None) -> DataLoader[str, int | None]:
        """Number of turns of a session that the viewer may see, by session id."""
        return self._shared(("turn counts", times), partial(self._browsing.turn_counts, self._viewer, times=times))

    def mentions(self, read_context: ReadContext) -> DataLoader[str, int | None]:
        """Number of memories that name an entity or are about it, by its key."""
        read = partial(self._cards.mentions, read_context.viewer, times=read_context.times)
        return self._shared(("mentions", read_context), read)

    def summaries(self, read_context: ReadContext) -> DataLoader[str, EntitySummary | None]:
        """The summary of an entity, by its key."""
        read = partial(self._cards.summaries, read_context.viewer, times=read_context.times)
        return self._shared(("summaries", read_context), read)

    def relations(self, read_context: ReadContext, first: int) -> DataLoader[Place, Listing[Relation]]:
        """A page of the relations of an entity, by its key and a cursor."""

        async def read(places: Mapping[str, str | None]) -> Mapping[str, Listing[Relation]]:
            return await self._cards.relations(read_context.viewer, places, times=read_context.times, first=first)

        return self._shared(("relations", read_context, first), partial(_by_place, read))

    def timelines(
        self, read_context: ReadContext, first: int, stretch: Stretch = ALWAYS
    ) -> DataLoader[Place, Listing[Memory]]:
        """A page of the timeline of an entity, by its key and a cursor."""

        async def read(places: Mapping[str, str | None]) -> Mapping[str, Listing[Memory]]:
            return await self._timelines.of_entities(
                read_context.viewer, places, stretch=stretch, times=read_context.times, first=first
            )

        return self._shared(("timelines", read_context, first, stretch), partial(_by_place, read))

    def _shared(
        self, name: Hashable, read: Callable[[Sequence[Any]], Awaitable[Mapping[Any, Any]]]
    ) -> DataLoader[Any, Any]:
        """Returns the loader with this name, created on first use; the request has one for each name."""
        if name not in self._made:
            self._made[name] = _loader(read)
        return self._made[name]


async def _by_place(
    read: Callable[[Mapping[str, str | None]], Awaitable[Mapping[str, V]]], places: Sequence[Place]
) -> dict[Place, V]:
    """Reads pages of lists of entities. `read` takes one cursor for each key, so several pages of one entity take
    several calls.
    """
    found: dict[Place, V] = {}
    left = list(dict.fromkeys(places))
    while left:
        now = dict(reversed(left))
        listed = await read(now)
        found |= {(key, after): listed[key] for key, after in now.items()}
        left = [place for place in left if place not in found]
    return found


def _loader(read: Callable[[Sequence[Any]], Awaitable[Mapping[Any, V]]]) -> DataLoader[Any, V | None]:
    async def load(keys: list[Any]) -> Sequence[V | None]:
        found = await read(keys)
        return [found.get(key) for key in keys]

    return DataLoader(load)


Info: TypeAlias = strawberry.Info[Context, None]


def for_administrators(resolver: F) -> F:
    """Makes a resolver answer administrators only; others get null."""

    @wraps(resolver)
    async def resolve(self: object, info: Info, **given: Any) -> Any:
        return await resolver(self, info, **given) if info.context.viewer.rights.admin else None

    return cast(F, resolve)
