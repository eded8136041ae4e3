"""Browsing: chats, sessions, memories, entities and personas by id, and paged lists of them.

All reads return only what the viewer may see (P). What is hidden is absent, as if it did not exist.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from hippograph.graph.access.parameters import read_params, request_params
from hippograph.graph.checks import checked_text
from hippograph.graph.clock import Clock
from hippograph.graph.database import Database
from hippograph.graph.errors import InvalidInput, NotFound
from hippograph.graph.ids import derived_id
from hippograph.graph.model import (
    START,
    Chat,
    Entity,
    EntityType,
    Membership,
    Memory,
    Persona,
    Session,
    Times,
    Viewer,
)
from hippograph.graph.paging import Listing, checked_first, decode_cursor, listing, newest_first
from hippograph.graph.people.entities import known_entities
from hippograph.graph.people.people import check_persona, name_token
from hippograph.graph.people.rows import chat, membership
from hippograph.graph.people.sessions import session
from hippograph.graph.retrieval.filters import NO_FILTERS, Filters
from hippograph.graph.retrieval.memories import memories_by_time, memory
from hippograph.graph.retrieval.query_scope import find_query_scope, names_of
from hippograph.nlp.questions.relatives import find_relatives


@dataclass(frozen=True, slots=True)
class Participant:
    """A person, and one interval of their membership in a chat."""

    person: Entity
    membership: Membership


class Browsing:
    """Reads what the graph holds, other than by search."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def memories(self, viewer: Viewer, ids: Sequence[str], times: Times | None = None) -> dict[str, Memory]:
        """Memories by id, if the viewer may see them anywhere: alone or in a chat, for the memory's own persona."""
        rows = await self._database.run("browse/memories", ids=list(ids), **read_params(viewer, times, self._clock))
        return {row["memory"]["id"]: memory(row) for row in rows}

    async def chat_memories(
        self,
        viewer: Viewer,
        chat_id: str,
        *,
        persona_id: str | None = None,
        times: Times | None = None,
        first: int = 20,
        after: str | None = None,
    ) -> Listing[Memory]:
        """The memories learned in a chat, newest first; with `persona_id` only those of that persona and of none.

        Raises `InvalidInput` for a page size out of range or a cursor of another list, as do all lists here, and
        `NotFound` for an unknown persona.
        """
        await check_persona(self._database, persona_id)
        name = f"memories of {chat_id}"
        rows = await self._database.run(
            "browse/chat_memories",
            chat=chat_id,
            persona=persona_id,
            **newest_first(name, first, after),
            **read_params(viewer, times, self._clock),
        )
        return memories_by_time(name, first, rows)

    async def my_memories(
        self,
        viewer: Viewer,
        filters: Filters = NO_FILTERS,
        *,
        times: Times | None = None,
        first: int = 20,
        after: str | None = None,
    ) -> Listing[Memory]:
        """The viewer's own memories, those of their chats and those about them, newest first, if they pass the filters
        and the viewer may see them anywhere.
        """
        name = f"memories with {derived_id(repr(filters))}"
        rows = await self._database.run(
            "browse/my_memories",
            **newest_first(name, first, after),
            **filters.params(),
            **read_params(viewer, times, self._clock),
        )
        return memories_by_time(name, first, rows)

    async def entity_memories(
        self, viewer: Viewer, entity_id: str, *, times: Times | None = None, first: int = 20, after: str | None = None
    ) -> Listing[Memory]:
        """The memories that mention an entity or are about it, newest first, if the viewer may see them anywhere."""
        name = f"memories of entity {entity_id}"
        rows = await self._database.run(
            "browse/entity_memories",
            entity=entity_id,
            **newest_first(name, first, after),
            **read_params(viewer, times, self._clock),
        )
        return memories_by_time(name, first, rows)

    async def session_turns(
        self, viewer: Viewer, session_id: str, *, times: Times | None = None, first: int = 20, after: str | None = None
    ) -> Listing[Memory]:
        """The turns of a session in order."""
        name = f"turns of {session_id}"
        since, after_id = decode_cursor(name, after, (START, ""))
        rows = await self._database.run(
            "browse/session_turns",
            session=session_id,
            after=since,
            after_id=after_id,
            limit=checked_first(first) + 1,
            **read_params(viewer, times, self._clock),
        )
        return memories_by_time(name, first, rows)

    async def memories_about(
        self,
        viewer: Viewer,
        person_ids: Sequence[str] = (),
        *,
        query: str = "",
        left_out: str | None = None,
        times: Times | None = None,
        first: int = 20,
        after: str | None = None,
    ) -> Listing[Memory]:
        """What is known about people across all owners, newest first: about `person_ids` and those whom `query` names.

        Only portable memories that the viewer may see in their current chat, or outside any, without those of the owner
        `left_out` (R12). The cursor holds a digest of the query, not the people it names: no page discloses them.
        Raises `InvalidInput` without persons and query, `NotFound` for a chat in which the viewer takes no part.
        """
        scope = await find_query_scope(self._database, self._clock, viewer, query)
        persons = list(dict.fromkeys([*person_ids, *scope.named]))
        if not person_ids and not query:
            raise InvalidInput("say about whom: give the ids of persons, or a question that names them")
        name = f"memories about {derived_id(query, *person_ids)}"
        rows = await self._database.run(
            "browse/memories_about",
            persons=persons,
            left_out=left_out,
            **newest_first(name, first, after),
            **request_params(viewer, times, self._clock),
        )
        return memories_by_time(name, first, rows)

    async def chats(self, viewer: Viewer, *, first: int = 20, after: str | None = None) -> Listing[Chat]:
        """The chats in which the viewer takes part, newest first."""
        rows = await self._database.run(
            "browse/chats", of_space=None, **newest_first("chats", first, after), **self._here(viewer)
        )
        return listing("chats", first, [chat(row["chat"]) for row in rows], lambda c: (c.created_at, c.id))

    async def chats_by_id(self, viewer: Viewer, ids: Sequence[str]) -> dict[str, Chat]:
        """Chats by id, if the viewer takes part in them."""
        rows = await self._database.run("browse/chats_by", ids=list(ids), titles=[], **self._here(viewer))
        return {row["chat"]["id"]: chat(row["chat"]) for row in rows}

    async def chat_called(self, viewer: Viewer, name: str) -> Chat:
        """The viewer's chat with this id or title, else with this title in another case. Raises `NotFound`, and
        `InvalidInput` if several have the title.
        """
        found = await self._database.run("browse/chats_by", ids=[name], titles=[name], **self._here(viewer))
        rows = [row for row in found if name in (row["chat"]["id"], row["chat"]["title"])] or found
        if len(rows) > 1:
            ids = ", ".join(row["chat"]["id"] for row in rows)
            raise InvalidInput(f"{len(rows)} chats are called {name!r}; give an id: {ids}")
        if not rows:
            raise NotFound(f"there is no chat {name}")
        return chat(rows[0]["chat"])

    async def participants(self, viewer: Viewer, chat_ids: Sequence[str]) -> dict[str, list[Participant]]:
        """Current and former participants of the viewer's chats, by chat id, the earliest to join first."""
        rows = await self._database.run("browse/participants", chats=list(chat_ids), **self._here(viewer))
        parts = [membership(row["membership"]) for row in rows]
        people = await known_entities(self._database, self._clock, viewer, [part.person_id for part in parts])
        found: dict[str, list[Participant]] = {}
        for part in parts:
            if part.person_id in people:
                found.setdefault(part.chat_id, []).append(Participant(people[part.person_id], part))
        return found

    async def sessions(
        self, viewer: Viewer, chat_id: str, *, times: Times | None = None, first: int = 20, after: str | None = None
    ) -> Listing[Session]:
        """The sessions of a chat of which the viewer may see a turn, the latest start first."""
        name = f"sessions of {chat_id}"
        rows = await self._database.run(
            "browse/sessions",
            chat=chat_id,
            **newest_first(name, first, after),
            **read_params(viewer, times, self._clock),
        )
        return listing(name, first, [session(row["session"]) for row in rows], lambda s: (s.started_at, s.id))

    async def sessions_by_id(
        self, viewer: Viewer, ids: Sequence[str], times: Times | None = None
    ) -> dict[str, Session]:
        """Sessions by id, if the viewer takes part in their chats and may see a turn of them."""
        params = read_params(viewer, times, self._clock)
        rows = await self._database.run("browse/sessions_by_id", ids=list(ids), **params)
        return {row["session"]["id"]: session(row["session"]) for row in rows}

    async def turn_counts(self, viewer: Viewer, ids: Sequence[str], times: Times | None = None) -> dict[str, int]:
        """Number of turns of each session that the viewer may see, by session id."""
        params = read_params(viewer, times, self._clock)
        rows = await self._database.run("browse/session_turn_counts", ids=list(ids), **params)
        return {row["id"]: row["turns"] for row in rows}

    async def entities(
        self, viewer: Viewer, *, kind: EntityType | None = None, first: int = 20, after: str | None = None
    ) -> Listing[Entity]:
        """The entities that the viewer may know of, of one type or of all, ordered by key."""
        (key,) = decode_cursor("entities", after, ("",))
        rows = await self._database.run(
            "browse/entities",
            type=kind and kind.value,
            after=key,
            limit=checked_first(first) + 1,
            **read_params(viewer, None, self._clock),
        )
        known = await known_entities(self._database, self._clock, viewer, [row["id"] for row in rows])
        found = [known[row["id"]] for row in rows if row["id"] in known]
        return listing("entities", first, found, lambda entity: (entity.key,))

    async def entities_by(self, viewer: Viewer, refs: Sequence[str]) -> dict[str, Entity]:
        """Entities by the id or key in `refs`, if the viewer may know of them (M15)."""
        return await known_entities(self._database, self._clock, viewer, refs)

    async def entity(self, viewer: Viewer, key: str) -> Entity | None:
        """The entity with this key (`person:john`), None if the viewer may not know of it. Raises `InvalidInput`."""
        key = checked_text(key)
        return (await known_entities(self._database, self._clock, viewer, [key])).get(key)

    async def entity_called(self, viewer: Viewer, name: str) -> Entity:
        """The entity with this key, id or name, if the viewer may know of it.

        Raises `NotFound`, and `InvalidInput` if several have the name.
        """
        name = checked_text(name)
        if known := await known_entities(self._database, self._clock, viewer, [name]):
            return known[name]
        named = (await find_query_scope(self._database, self._clock, viewer, name)).entities
        wanted = name_token(name)
        called = [each for each in named if wanted in map(name_token, names_of(each))]
        found = called or (list(named) if find_relatives(name) else [])
        if len(found) > 1:
            keys = ", ".join(entity.key for entity in found)
            raise InvalidInput(f"several are called {name!r}; give a key: {keys}", value=name)
        if not found:
            raise NotFound(f"there is no person or thing {name}")
        return found[0]

    async def personas(self, *, first: int = 20, after: str | None = None) -> Listing[Persona]:
        """The personas, ordered by name."""
        (name,) = decode_cursor("personas", after, ("",))
        rows = await self._database.run("browse/personas", after=name, limit=checked_first(first) + 1)
        return listing("personas", first, [Persona(**row["persona"]) for row in rows], lambda p: (p.name,))

    async def personas_by_id(self, ids: Sequence[str]) -> dict[str, Persona]:
        """Personas by id."""
        rows = await self._database.run("browse/personas_by", ids=list(ids), names=[])
        return {row["persona"]["id"]: Persona(**row["persona"]) for row in rows}

    async def persona_called(self, name: str) -> Persona:
        """The persona with this id or name. Raises `NotFound`."""
        row = await self._database.one("browse/personas_by", ids=[name], names=[name])
        if row is None:
            raise NotFound(f"there is no persona {name}")
        return Persona(**row["persona"])

    def _here(self, viewer: Viewer) -> dict[str, object]:
        return {"viewer": viewer.person_id, "now": self._clock()}
