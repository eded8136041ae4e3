"""Every read path against the plain oracle `graph.visibility`, in worlds that hypothesis makes up.

A new read path joins by registering itself: a function with `@read_path` that gives the ids it answered with, and what
the oracle is asked for it.
"""

import random
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from neo4j import AsyncDriver, AsyncGraphDatabase

from api.service import Service
from graph import visibility
from graph.browsing import Browsing
from graph.ids import new_id, token
from graph.memories import Memories
from graph.model import NO_END, Times, Viewer
from graph.recording import DEFAULTS
from graph.schema import VectorSlot, answering_slot
from graph.search import Search
from graph.stats import Stats
from graph.upkeep import wipe
from graph.visibility import Part, Record

WORLDS, VIEWS = 20, 8
DAYS = [datetime(2024, 1, day, tzinfo=UTC) for day in range(1, 11)]
NOW = DAYS[6]
PERSONS, CHATS, PERSONAS, ENTITIES = 3, 3, 2, 4
PRIVATE = 0
"""The number of the chat that is private, of person 0."""


# --- the worlds ---


@dataclass(frozen=True)
class Draft:
    """A memory by the numbers of its owner, chat and persona; one of the private chat has an owner and a chat."""

    owner: int | None
    chat: int | None
    persona: int | None
    entity: int
    moments: tuple[datetime, datetime]
    ends: tuple[datetime | None, ...]


@dataclass(frozen=True)
class View:
    """Who looks, from where, as whom, at which times; numbers as in a draft, None for no chat, no persona."""

    person: int
    chat: int | None
    persona: int | None
    times: Times


@dataclass(frozen=True)
class World:
    """What is in the graph, with its ids."""

    persons: list[str]
    chats: list[str]
    personas: list[str]
    entities: list[str]
    parts: list[Part]
    memories: dict[str, Record]
    learned_in: dict[str, str | None]
    mentions: dict[str, str]

    def viewer(self, view: View) -> Viewer:
        """The view as a viewer of this world."""
        chat = None if view.chat is None else self.chats[view.chat]
        persona = None if view.persona is None else self.personas[view.persona]
        return Viewer(self.persons[view.person], chat, persona)

    def takes_part(self, person_id: str, chat_id: str | None) -> bool:
        """Whether somebody takes part in a chat today."""
        return chat_id is not None and visibility.takes_part(self.parts, person_id, chat_id, NOW)


days = st.sampled_from(DAYS)
ends = st.one_of(st.none(), st.none(), days)
# An end that is set was known when it was set, and nothing was set later than today.
ends_of_truth = st.one_of(st.just((None, None)), st.tuples(days, st.sampled_from(DAYS[:7])))
# Mostly members from the first day on; else any two stretches, overlapping and backwards ones too.
members = st.one_of(st.just([(DAYS[0], None)]), st.lists(st.tuples(days, st.one_of(st.none(), days)), max_size=2))


@st.composite
def drafts(draw: st.DrawFn) -> Draft:
    """A memory of a person's (said in the private chat or nowhere) or of a group."""
    in_group = draw(st.booleans())
    owner = None if in_group else draw(st.integers(0, PERSONS - 1))
    places = st.integers(1, CHATS - 1) if in_group else st.sampled_from([None, PRIVATE] if owner == 0 else [None])
    chat = draw(places)
    persona = draw(st.one_of(st.none(), st.integers(0, PERSONAS - 1)))
    # Mostly what counts today, so that the other conditions decide.
    moments = draw(st.one_of(st.just((DAYS[0], DAYS[0])), st.tuples(days, days)))
    truth, retired, expires = draw(st.one_of(st.just(((None, None), None, None)), st.tuples(ends_of_truth, ends, ends)))
    return Draft(owner, chat, persona, draw(st.integers(0, ENTITIES - 1)), moments, (*truth, retired, expires))


views = st.builds(
    View,
    person=st.integers(0, PERSONS - 1),
    chat=st.sampled_from([None, *range(CHATS), *range(1, CHATS)]),
    persona=st.one_of(st.none(), st.integers(0, PERSONAS - 1)),
    times=st.one_of(st.just(Times(NOW, NOW)), st.builds(Times, days, days)),
)
stretches = st.lists(members, min_size=PERSONS * (CHATS - 1), max_size=PERSONS * (CHATS - 1))


def build(found: list[Draft], memberships: list[list[tuple[datetime, datetime | None]]]) -> World:
    """Gives everything an id of its own, so that worlds lie side by side in one graph and must not mix."""
    persons, chats, personas, entities = ([new_id() for _ in range(n)] for n in (PERSONS, CHATS, PERSONAS, ENTITIES))
    pairs = [(person, chat) for chat in chats[1:] for person in persons]
    parts = [Part(persons[0], chats[PRIVATE], DAYS[0])]
    for (person, chat), when in zip(pairs, memberships, strict=True):
        parts += [Part(person, chat, since, until) for since, until in when]
    world = World(persons, chats, personas, entities, parts, {}, {}, {})
    for draft in found:
        memory, (valid_until, ended, retired, expires) = new_id(), draft.ends
        world.memories[memory] = Record(
            owner_id=None if draft.owner is None else persons[draft.owner],
            chat_id=chats[draft.chat] if draft.owner is None else None,
            persona_id=None if draft.persona is None else personas[draft.persona],
            created_at=draft.moments[0],
            valid_from=draft.moments[1],
            valid_until=valid_until,
            ended_at=ended,
            retired_at=retired,
            expires_at=expires,
        )
        world.learned_in[memory] = None if draft.chat is None else chats[draft.chat]
        world.mentions[memory] = entities[draft.entity]
    return world


LOAD = """
UNWIND $persons AS id
CREATE (:Entity:Person {id: id, key: 'person:' + id, type: 'person', canonical_name: id, aliases: [], usernames: [],
                        names: []})
WITH count(*) AS persons
UNWIND $chats AS id CREATE (:Chat {id: id, created_at: $now, kind: 'group', title: id})
WITH count(*) AS chats
UNWIND $entities AS id
CREATE (:Entity:Concept {id: id, key: 'concept:' + id, type: 'concept', canonical_name: id, aliases: [], usernames: [],
                         names: []})
WITH count(*) AS entities
CALL () {
  UNWIND $parts AS part
  MATCH (p:Person {id: part.person}), (c:Chat {id: part.chat})
  CREATE (p)-[:PARTICIPATES_IN {id: part.id, since: part.since, until: part.until}]->(c)
}
UNWIND $memories AS row
MATCH (e:Entity {id: row.mentions})
CREATE (m:Memory:Episodic)-[:MENTIONS]->(e)
SET m = row.properties, m.embedding_a = row.vector
MERGE (s:Session {id: row.properties.session_id})
SET s.chat_id = row.properties.learned_in, s.persona_id = row.properties.persona_id
"""


def node(world: World, memory_id: str, number: int, slot: VectorSlot) -> dict[str, Any]:
    """A memory with all that the indexes and the reads need."""
    record, learned_in = world.memories[memory_id], world.learned_in[memory_id]
    scope, persona = record.owner_id or record.chat_id or "", record.persona_id or ""
    chance = random.Random(memory_id)
    properties = {
        **DEFAULTS,
        "id": memory_id,
        "content": f"bread number {number}",
        "type": "episodic",
        "owner_id": record.owner_id or "",
        "chat_id": record.chat_id or "",
        "scope": scope,
        "scopes": [scope],
        "learned_in": learned_in or "",
        "persona_id": persona,
        "session_id": session_of(world, memory_id),
        "turn": number + 1,
        "speaker_id": world.persons[0],
        "speaker_name": "",
        "source": "conversation",
        "source_role": "user",
        "tags": [],
        "event_time": record.valid_from,
        "event_day": f"{record.valid_from:%Y%m%d}",
        "created_at": record.created_at,
        "valid_from": record.valid_from,
        "facets": [token("persona", persona), token("status", "active"), token("type", "episodic")],
        "embedding_model_a": slot.model,
        **{name: getattr(record, name) or NO_END for name in ("valid_until", "ended_at", "retired_at", "expires_at")},
    }
    vector = [chance.gauss(0, 1) for _ in range(slot.dimensions)]
    return {"properties": properties, "vector": vector, "mentions": world.mentions[memory_id]}


def session_of(world: World, memory_id: str) -> str:
    """One session for each chat and persona."""
    chat, persona = world.learned_in[memory_id], world.memories[memory_id].persona_id
    return f"session {world.persons[0]} {chat} {persona}"


# --- what each path answers, and what it should ---


@dataclass(frozen=True)
class Ground:
    """What the paths read through."""

    service: Service
    driver: AsyncDriver
    slot: VectorSlot
    executor: ThreadPoolExecutor
    decided: dict[str, list[int]] = field(default_factory=dict)

    async def load(self, world: World) -> None:
        """Puts a world into the graph."""
        parts = [
            {"id": new_id(), "person": p.person_id, "chat": p.chat_id, "since": p.since, "until": p.until or NO_END}
            for p in world.parts
        ]
        memories = [node(world, memory, number, self.slot) for number, memory in enumerate(world.memories)]
        lists = {"persons": world.persons, "chats": world.chats, "entities": world.entities, "parts": parts}
        await self.driver.execute_query(LOAD, {**lists, "memories": memories, "now": NOW})

    def search(self, embedder: Any) -> Search:
        """A search whose today is the worlds' today."""
        return Search(
            self.service.database,
            lambda: NOW,
            embedder=embedder,
            slot=self.slot,
            executor=self.executor,
            fusion="context",
            rrf_k=60,
            rrf_weights={},
        )


class OneVector:
    """An embedder for which every query means the same."""

    def __init__(self, dimensions: int) -> None:
        self._vector = [1.0] + [0.0] * (dimensions - 1)

    def embed_query(self, _: str) -> list[float]:
        """The one vector."""
        return self._vector


Answer = Callable[[Ground, World, View], Awaitable[set[str]]]
Oracle = Callable[[World, View], set[str]]
PATHS: dict[str, tuple[Answer, Oracle]] = {}


def read_path(name: str, oracle: Oracle) -> Callable[[Answer], Answer]:
    """Registers a read path: its answer must be what the oracle says."""

    def register(answer: Answer) -> Answer:
        PATHS[name] = (answer, oracle)
        return answer

    return register


def from_where_one_stands(world: World, view: View) -> set[str]:
    """What is visible from the chat and the persona of the request."""
    viewer = world.viewer(view)
    return {i for i, m in world.memories.items() if visibility.visible(m, viewer, world.parts, view.times, NOW)}


def at_home(world: World, view: View) -> set[str]:
    """What is visible from some chat and some persona: each memory is judged in its own."""
    me = world.viewer(view)
    return {
        i
        for i, m in world.memories.items()
        if visibility.visible(m, replace(me, chat_id=m.chat_id, persona_id=m.persona_id), world.parts, view.times, NOW)
    }


def in_the_chat(world: World, view: View) -> set[str]:
    """What was said in the chat of the view and is visible there: of all personas, or of the view's and of none."""
    me = world.viewer(view)
    if not world.takes_part(me.person_id, me.chat_id):
        return set()
    said = {i for i in at_home(world, view) if world.learned_in[i] == me.chat_id}
    return {i for i in said if me.persona_id is None or world.memories[i].persona_id in (None, me.persona_id)}


def in_sessions(world: World, view: View) -> set[str]:
    """What is visible of the sessions of chats in which one takes part."""
    me = world.viewer(view).person_id
    return {i for i in at_home(world, view) if world.takes_part(me, world.learned_in[i])}


def in_the_present(oracle: Oracle) -> Oracle:
    """The same for a path that knows no other time."""
    return lambda world, view: oracle(world, replace(view, times=Times(NOW, NOW)))


def entities_at_home(world: World, view: View) -> set[str]:
    """What some visible memory names (M15)."""
    return {world.mentions[i] for i in at_home(world, view)}


def how_many_at_home(world: World, view: View) -> set[str]:
    """The number of what is visible today and of what it names."""
    memories = at_home(world, view)
    return {f"{len(memories)} memories", f"{len({world.mentions[i] for i in memories})} entities"}


@read_path("memory/load", from_where_one_stands)
async def _load(ground: Ground, world: World, view: View) -> set[str]:
    memories = Memories(ground.service.database, lambda: NOW)
    return set(await memories.load(world.viewer(view), list(world.memories), view.times))


@read_path("search/full_text", from_where_one_stands)
async def _words(ground: Ground, world: World, view: View) -> set[str]:
    page = await ground.search(None).search(world.viewer(view), "bread", times=view.times, first=100)
    return {result.memory.id for result in page.results}


@read_path("search/vector", from_where_one_stands)
async def _meaning(ground: Ground, world: World, view: View) -> set[str]:
    search = ground.search(OneVector(ground.slot.dimensions))
    page = await search.search(world.viewer(view), "the and of", times=view.times, first=100)
    return {result.memory.id for result in page.results}


@read_path("search/vector, now", in_the_present(from_where_one_stands))
async def _meaning_now(ground: Ground, world: World, view: View) -> set[str]:
    search = ground.search(OneVector(ground.slot.dimensions))
    page = await search.search(world.viewer(view), "the and of", first=100)
    return {result.memory.id for result in page.results}


@read_path("browse/memories", at_home)
async def _browse(ground: Ground, world: World, view: View) -> set[str]:
    browsing = Browsing(ground.service.database, lambda: NOW)
    return set(await browsing.memories(world.viewer(view), list(world.memories), view.times))


@read_path("browse/chat_memories", in_the_chat)
async def _chat(ground: Ground, world: World, view: View) -> set[str]:
    me, browsing = world.viewer(view), Browsing(ground.service.database, lambda: NOW)
    listing = await browsing.chat_memories(me, me.chat_id or "", persona_id=me.persona_id, times=view.times, first=100)
    return {listed.item.id for listed in listing.items}


@read_path("browse/session_turns", in_sessions)
async def _turns(ground: Ground, world: World, view: View) -> set[str]:
    me, browsing, found = world.viewer(view), Browsing(ground.service.database, lambda: NOW), set()
    for session in sorted({session_of(world, memory) for memory in world.memories}):
        listing = await browsing.session_turns(me, session, times=view.times, first=100)
        found |= {listed.item.id for listed in listing.items}
    return found


@read_path("browse/entities", in_the_present(entities_at_home))
async def _entities(ground: Ground, world: World, view: View) -> set[str]:
    browsing = Browsing(ground.service.database, lambda: NOW)
    return set(await browsing.entities_by_id(world.viewer(view), world.entities))


@read_path("stats", in_the_present(how_many_at_home))
async def _stats(ground: Ground, world: World, view: View) -> set[str]:
    counts = await Stats(ground.service.database, lambda: NOW).counts(world.viewer(view))
    return {f"{counts.memories} memories", f"{counts.entities} entities"}


# --- the test ---


@pytest.fixture(scope="module")
def executor() -> Iterator[ThreadPoolExecutor]:
    """A thread for the embedder."""
    with ThreadPoolExecutor(1) as pool:
        yield pool


@pytest.fixture(scope="module")
async def ground(
    shared_service: Service, executor: ThreadPoolExecutor, request: pytest.FixtureRequest
) -> AsyncIterator[Ground]:
    """A graph for many worlds; at the end it tells how much was decided."""
    await wipe(shared_service.database, shared_service.local_user.id)
    where, embedder = shared_service.connection, shared_service.embedder
    assert embedder is not None
    slot = await answering_slot(shared_service.database, shared_service.clock, embedder.model, embedder.dimensions)
    async with AsyncGraphDatabase.driver(where.uri, auth=(where.user, where.password)) as driver:
        ground = Ground(shared_service, driver, slot, executor)
        yield ground
    await wipe(shared_service.database, shared_service.local_user.id)
    capture = request.config.pluginmanager.get_plugin("capturemanager")
    with capture.global_and_fixture_disabled():
        for name, (seen, hidden) in ground.decided.items():
            sys.stdout.write(f"\nvisibility: {name} decided {seen + hidden:,} times, {seen:,} shown, {hidden:,} hidden")
        sys.stdout.write("\n")


# Without shrinking, which would make hundreds of worlds more: the view and the path in the message tell enough.
@settings(
    max_examples=WORLDS,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
)
@given(
    found=st.lists(drafts(), min_size=12, max_size=24),
    memberships=stretches,
    looks=st.lists(views, min_size=VIEWS, max_size=VIEWS),
)
async def test_every_read_path_shows_what_the_oracle_says(ground: Ground, found, memberships, looks) -> None:
    """Whoever looks, from wherever, at whatever times: each path answers exactly with what the rule allows."""
    world = build(found, memberships)
    await ground.load(world)
    for view in looks:
        for name, (answer, oracle) in PATHS.items():
            expected, actual = oracle(world, view), await answer(ground, world, view)
            assert expected == actual, (name, view)
            tally = ground.decided.setdefault(name, [0, 0])
            tally[0] += len(expected)
            tally[1] += len(world.memories) - len(expected)


async def test_every_path_that_returns_memories_is_registered(root) -> None:
    """A statement that includes the rule belongs to a registered path, so that no new one goes unchecked."""
    including = {
        f"{file.parent.name}/{file.stem}"
        for file in (root / "cypher").glob("*/*.cypher")
        if "// include: visible" in file.read_text("utf-8")
    }
    covered = {*PATHS, "browse/entities_by", "stats/memories", "stats/entities"} - {"stats", "search/vector, now"}
    assert covered == including
