"""Compares every read path with the oracle `benchmarks.oracle`, in worlds that hypothesis generates.

A new read path is registered by `@read_path`, on a function that returns the ids of its answer, with the function that
computes the expected ids by the oracle.
"""

import random
import sys
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, nullcontext, suppress
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st
from neo4j import AsyncDriver

from benchmarks import oracle as visibility
from benchmarks.environment import load_statements
from benchmarks.oracle import Part, Places, Record
from hippograph import cypher
from hippograph.api.graphql.context import Context
from hippograph.api.graphql.memory.following import FeedFilter, followed
from hippograph.api.service import Service
from hippograph.api.viewer import Caller
from hippograph.graph.access.labels import CONSTANTS, AccessLabels, label_tokens, space_tokens
from hippograph.graph.access.parameters import read_params, request_params
from hippograph.graph.context.assembly import ContextAssembly
from hippograph.graph.context.cards import EVIDENCE, Cards
from hippograph.graph.context.timeline import Timelines
from hippograph.graph.database import Database, Row
from hippograph.graph.errors import FellBehind, NotAllowed, NotFound
from hippograph.graph.ids import new_id, token
from hippograph.graph.jobs.wipe import wipe
from hippograph.graph.knowledge.entity_resolution.entity_merging import Merging
from hippograph.graph.model import (
    NO_END,
    START,
    ChatKind,
    EntityType,
    Memory,
    Person,
    Sensitivity,
    Session,
    Times,
    Viewer,
)
from hippograph.graph.people.people import name_token
from hippograph.graph.reading.archive import Archive
from hippograph.graph.reading.browsing import Browsing
from hippograph.graph.reading.explanation import Explaining
from hippograph.graph.reading.stats import Stats
from hippograph.graph.reading.uses import Uses
from hippograph.graph.reading.weak_facts import WeakFacts
from hippograph.graph.retrieval.filters import NO_FILTERS, Filters
from hippograph.graph.retrieval.fusion import CAUSAL, CO_RECALLED, FULL_TEXT, TEMPORAL
from hippograph.graph.retrieval.memories import Memories
from hippograph.graph.retrieval.profiles import make_search
from hippograph.graph.retrieval.ranking import RankingProfile
from hippograph.graph.retrieval.search import Result, Search
from hippograph.graph.rights import ALL_RIGHTS, EVERY, NO_RIGHTS, Rights
from hippograph.graph.schema import VectorSlot, answering_slot
from hippograph.graph.transfer.exports.graph_seen import seen_by
from hippograph.graph.transfer.forgetting import Forgettings, Selection
from hippograph.graph.writing.memory_properties import DEFAULTS
from hippograph.nlp.embedding.embedder import Embedding
from hippograph.nlp.embedding.late_interaction import pack
from hippograph.nlp.embedding.token_count import reckoned_tokens
from tests.neo4j_servers import driver_of

WORLDS, VIEWS, CHANGES = settings().max_examples // 25, 6, 12
DAYS = [datetime(2024, 1, day, tzinfo=UTC) for day in range(1, 11)]
NOW = DAYS[6]
PERSONS, CHATS, PERSONAS, ENTITIES, SPACES = 3, 3, 2, 4, 2
HOPS = 2
SEEDS = 3
EXPLAINED = 4
NAMES = ["", "@alpha", "ALPHA", "Alpha", "Alphabet", "Beta", "Zeta"]
CANONICAL = "Alpha"
SESSION_TIMES = ("started_at", "last_activity_at", "ended_at")
PRIVATE = 0
"""The number of the private chat, which is that of person 0."""


# --- the worlds ---


@dataclass(frozen=True)
class Draft:
    """A memory before `build` gives it ids: owner (None: it belongs to a group), chats, persons and so on by number.

    A memory learned in the private chat is owned by that chat's person. `learned_in` is None where the chat is unknown.
    """

    owner: int | None
    chat: int | None
    learned_in: int | None
    persona: int | None
    speaker: int | None
    about: frozenset[int]
    entity: int
    name: str
    """The name of the entity in the text; empty if it was not recorded."""
    sensitivity: Sensitivity
    portable: bool
    source: str
    moments: tuple[datetime, datetime, datetime]
    """`created_at`, `valid_from` and `learned_at`."""
    ends: tuple[datetime | None, ...]
    outranked_by: int | None
    archived: bool = False
    sources: frozenset[int] = frozenset()
    """The numbers of the sources of a summary: earlier memories that are not summaries; empty for other memories."""
    space: int | None = None
    confided: bool = False


@dataclass(frozen=True)
class View:
    """A viewer by the numbers of person, chat and persona, the times of the read, and the person named in the query
    (None for no chat, persona or person). `every_persona` is set for a viewer with all personas. `space` is the space
    of a read outside any chat, None for all.
    """

    person: int
    chat: int | None
    persona: int | None
    times: Times
    named: int | None
    every_persona: bool = False
    space: int | None = None
    rights: Rights = NO_RIGHTS
    """The rights of the credential; the oracle ignores them."""


@dataclass(frozen=True)
class Change:
    """A person's request to change a label of a memory: its sensitivity, or whether it is portable."""

    person: int
    memory: int
    label: Sensitivity | bool
    rights: Rights = NO_RIGHTS


@dataclass(frozen=True)
class World:
    """The content of the graph, by ids: what `load` writes and what the oracle reads."""

    persons: list[str]
    chats: list[str]
    personas: list[str]
    entities: list[str]
    places: Places
    memories: dict[str, Record]
    mentions: dict[str, str]
    names: dict[str, str]
    outranking: dict[str, str]
    made_of: dict[str, list[str]]
    spaces: list[str]
    merged: str = field(default_factory=new_id)
    """The id of the entity that was merged into the first one."""

    def moved(self) -> list[str]:
        """The memories that named the merged entity."""
        return self.naming(self.entities[0])[::2]

    def visible(self, memory_id: str, viewer: Viewer, times: Times) -> bool:
        """Whether the oracle lets the viewer see a memory of this world."""
        sources = [(self.memories[i], self.over(i)) for i in self.made_of.get(memory_id, ())]
        record = self.memories[memory_id]
        return visibility.visible(record, viewer, self.places, times, NOW, self.over(memory_id), sources)

    def over(self, memory_id: str) -> list[Record]:
        """The memories that outrank a memory: one or none."""
        return [self.memories[self.outranking[memory_id]]] if memory_id in self.outranking else []

    def viewer(self, view: View) -> Viewer:
        """The view as a viewer of this world."""
        chat = None if view.chat is None else self.chats[view.chat]
        persona = None if view.persona is None else self.personas[view.persona]
        space = None if view.space is None else self.spaces[view.space]
        me = Viewer(self.persons[view.person], chat, persona, view.rights, space_id=space)
        return me.with_every_persona() if view.every_persona else me

    def takes_part(self, person_id: str, chat_id: str | None) -> bool:
        """Whether a person takes part in a chat at `NOW`."""
        return self.places.takes_part(person_id, chat_id, NOW)

    def enters(self, view: View, chat_id: str | None) -> bool:
        """Whether the viewer takes part in a chat at `NOW`, and it is not in another space than theirs."""
        return self.places.enters(self.viewer(view), chat_id, NOW)

    def invited(self) -> list[tuple[str, str]]:
        """Each person with each group in which they take no part at `NOW`: invitations alone give no access."""
        groups = [chat for chat, kind in self.places.kinds.items() if kind is ChatKind.GROUP]
        return [(person, chat) for chat in groups for person in self.persons if not self.takes_part(person, chat)]

    def naming(self, entity: str) -> list[str]:
        """The memories that mention an entity."""
        return [memory for memory, named in self.mentions.items() if named == entity]

    def named(self, view: View) -> list[str]:
        """The ids of the persons named in the query: one or none."""
        return [] if view.named is None else [self.persons[view.named]]


# Few days, so that starts and ends often coincide.
days = st.sampled_from(DAYS[::2])
ends = st.one_of(st.none(), st.none(), days)
# `valid_until` and `ended_at`: an end is known from when it was set, which is at `NOW` at the latest.
ends_of_truth = st.one_of(st.just((None, None)), st.tuples(days, st.sampled_from(DAYS[:7:2])))
# Membership from the first day on, or until some day, or at most two arbitrary periods, which may overlap or run
# backwards.
members = st.one_of(
    st.just([(DAYS[0], None)]),
    st.builds(lambda until: [(DAYS[0], until)], days),
    st.lists(st.tuples(days, st.one_of(st.none(), days)), max_size=2),
)
persons = st.integers(0, PERSONS - 1)


@st.composite
def drafts(draw: st.DrawFn) -> Draft:
    """Generates a memory of a person (learned in private, in a group or in no chat) or of a group."""
    groups = st.integers(1, CHATS - 1)
    owner = draw(st.one_of(st.none(), persons))
    chat = draw(groups) if owner is None else None
    elsewhere = [st.none(), groups] + ([st.just(PRIVATE)] * 2 if owner == 0 else [])
    learned_in = draw(st.one_of(*elsewhere)) if owner is not None else draw(st.sampled_from([chat, chat, None]))
    # Mostly valid at `NOW`, so that the other conditions decide.
    moments = draw(st.one_of(st.just((DAYS[0],) * 3), st.tuples(days, days, days)))
    truth, retired, expires = draw(st.one_of(st.just(((None, None), None, None)), st.tuples(ends_of_truth, ends, ends)))
    return Draft(
        owner=owner,
        chat=chat,
        learned_in=learned_in,
        persona=draw(st.one_of(st.none(), st.none(), st.integers(0, PERSONAS - 1))),
        speaker=draw(st.one_of(st.none(), persons)),
        about=draw(st.frozensets(persons, max_size=2)),
        entity=draw(st.integers(0, ENTITIES - 1)),
        name=draw(st.sampled_from(NAMES)),
        sensitivity=draw(st.sampled_from(Sensitivity)),
        portable=draw(st.booleans()),
        source=draw(st.sampled_from(["conversation", "extraction", "migration", "seeded_profile"])),
        moments=moments,
        ends=(*truth, retired, expires),
        outranked_by=draw(st.one_of(st.none(), st.none(), st.none(), st.integers(0, 11))),
        archived=draw(st.sampled_from([False] * 4 + [True])),
        sources=draw(
            st.one_of(st.just(frozenset()), st.just(frozenset()), st.frozensets(st.integers(0, 11), max_size=2))
        ),
        space=draw(st.sampled_from([None, None, *range(SPACES)])),
        confided=draw(st.sampled_from([False] * 3 + [True])),
    )


asked = st.sampled_from(
    [{"persona": None}, {"persona": None, "every_persona": True}, *({"persona": number} for number in range(PERSONAS))]
)
"""The persona of a view: none, all, or one."""
# No right of a credential shows its viewer more: to act for others, to record anywhere, to speak as a persona, to
# administer.
credentials = st.sampled_from(
    [
        NO_RIGHTS,
        Rights(acts_for=(EVERY,)),
        Rights(records=(EVERY,)),
        Rights(speaks_as="a persona"),
        Rights(acts_for=("somebody",), records=("a chat",)),
        ALL_RIGHTS,
    ]
)
views = st.builds(
    lambda asked, **others: View(**asked, **others),
    asked,
    person=persons,
    chat=st.sampled_from([None, None, *range(CHATS), *range(1, CHATS)]),
    times=st.one_of(st.just(Times(NOW, NOW)), st.builds(Times, days, days)),
    named=st.one_of(st.none(), persons),
    space=st.sampled_from([None, None, None, *range(SPACES)]),
    rights=credentials,
)
changes = st.builds(
    Change,
    person=persons,
    memory=st.integers(0, 11),
    label=st.one_of(st.sampled_from(Sensitivity), st.booleans()),
    rights=credentials,
)
# About half of the worlds have no spaces.
chats_of_spaces = st.one_of(st.none(), st.tuples(*[st.sampled_from([None, *range(SPACES), *range(SPACES)])] * CHATS))
stretches = st.lists(members, min_size=PERSONS * (CHATS - 1), max_size=PERSONS * (CHATS - 1))


def build(
    found: list[Draft],
    memberships: list[list[tuple[datetime, datetime | None]]],
    legacy_disclosable: bool,
    chats_of: tuple[int | None, ...] | None = None,
) -> World:
    """Builds a world from drafts. All ids are new, so that many worlds share one graph without mixing. `chats_of` holds
    the space of each chat; if it is None, nothing belongs to a space.
    """
    spaces = [new_id() for _ in range(SPACES)]
    if chats_of is None:
        found = [replace(draft, space=None) for draft in found]
    persons, chats, personas, entities = ([new_id() for _ in range(n)] for n in (PERSONS, CHATS, PERSONAS, ENTITIES))
    pairs = [(person, chat) for chat in chats[1:] for person in persons]
    parts = [Part(persons[0], chats[PRIVATE], DAYS[0])]
    for (person, chat), when in zip(pairs, memberships, strict=True):
        parts += [Part(person, chat, since, until) for since, until in when]
    kinds = dict.fromkeys(chats, ChatKind.GROUP) | {chats[PRIVATE]: ChatKind.PRIVATE}
    talked = [(d.learned_in, d.persona) for d in found if d.learned_in is not None and d.persona is not None]
    spoken = {chats[n]: frozenset(personas[one] for chat, one in talked if chat == n) for n in range(CHATS)}
    of_spaces = {chats[n]: spaces[space] for n, space in enumerate(chats_of or ()) if space is not None}
    places = Places(kinds, tuple(parts), legacy_disclosable, spoken, of_spaces)
    world = World(persons, chats, personas, entities, places, {}, {}, {}, {}, {}, spaces)
    for draft in found:
        memory, (valid_until, ended, retired, expires) = new_id(), draft.ends
        world.memories[memory] = Record(
            owner_id=_one(persons, draft.owner),
            chat_id=_one(chats, draft.chat),
            persona_id=_one(personas, draft.persona),
            created_at=draft.moments[0],
            learned_at=draft.moments[2],
            valid_from=draft.moments[1],
            valid_until=valid_until,
            ended_at=ended,
            retired_at=retired,
            expires_at=expires,
            sensitivity=draft.sensitivity,
            portable=draft.portable,
            learned_in=_one(chats, draft.learned_in),
            speaker_id=_one(persons, draft.speaker),
            source=draft.source,
            about=frozenset() if draft.sources else frozenset(persons[number] for number in draft.about),
            archived=draft.archived,
            summary=bool(draft.sources),
            space_id=_one(spaces, draft.space),
            confided=draft.confided,
        )
        world.mentions[memory] = entities[draft.entity]
        world.names[memory] = draft.name
    ids = list(world.memories)
    for number, (memory, draft) in enumerate(zip(ids, found, strict=True)):
        if draft.sources:
            # The sources of a summary of a space belong to that space or to none (P7).
            of = (None, draft.space)
            made_of = [n for n in sorted(draft.sources) if n < number and not found[n].sources and found[n].space in of]
            world.made_of[memory] = [ids[n] for n in made_of]
        if draft.outranked_by is not None and ids[draft.outranked_by] != memory:
            world.outranking[memory] = ids[draft.outranked_by]
    return world


def _one(ids: list[str], number: int | None) -> str | None:
    return None if number is None else ids[number]


LOAD = """
UNWIND $persons AS person
CREATE (:Entity:Person {id: person.id, key: 'person:' + person.id, type: 'person', canonical_name: person.id,
                        aliases: [], usernames: [], names: [person.token], called: ''})
WITH count(*) AS persons
UNWIND $personas AS persona CREATE (:Persona {id: persona, name: persona, created_at: $now})
WITH count(*) AS personas
UNWIND $chats AS chat CREATE (:Chat {id: chat.id, created_at: $now, kind: chat.kind, title: chat.id,
                                    space_id: chat.space})
WITH count(*) AS chats
UNWIND $entities AS id
CREATE (e:Entity:Concept {id: id, key: 'concept:' + id, type: 'concept', canonical_name: $canonical, aliases: [],
                          usernames: [], names: []})
WITH collect(e) AS entities
CALL (entities) {
  UNWIND range(0, size(entities) - 2) AS place
  WITH entities[place] AS one, entities[place + 1] AS other
  CREATE (one)-[:MAY_BE {score: 0.5, reason: 'alike', created_at: $now}]->(other)
}
UNWIND $parts AS part
MATCH (p:Person {id: part.person}), (c:Chat {id: part.chat})
CREATE (p)-[:PARTICIPATES_IN {id: part.id, since: part.since, until: part.until}]->(c)
"""
INVITE = """
UNWIND $invited AS asked
MATCH (p:Person {id: asked.person}), (c:Chat {id: asked.chat})
CREATE (p)-[:INVITED_TO {id: asked.id, created_at: $from, since: $from, until: $until, invited_by: asked.person}]->(c)
"""
"""Invites persons, with a `since` that nothing reads: a statement that took invitations for memberships would match."""
LINK = """
UNWIND $mentions AS row
MATCH (m:Memory {id: row.memory}), (e:Entity {id: row.entity})
CREATE (m)-[:MENTIONS {texts: [row.name]}]->(e)
MERGE (s:Session {id: m.session_id})
SET s:Pending, s.chat_id = m.learned_in, s.persona_id = m.persona_id,
    s.started_at = CASE WHEN s.started_at < m.event_time THEN s.started_at ELSE m.event_time END
WITH s, m
MATCH (c:Chat {id: m.learned_in})
MERGE (s)-[:IN_CHAT]->(c)
"""


MERGE = """
MATCH (kept:Entity {id: $kept})
CREATE (gone:Merged {id: $gone, key: 'concept:' + $gone, type: 'concept', canonical_name: $gone, aliases: [],
                     usernames: [], names: []})
CREATE (gone)-[:MERGED_INTO {id: $gone, created_at: $now}]->(kept)
WITH kept
MATCH (kept)<-[link:MENTIONS]-(m:Memory) WHERE m.id IN $moved
SET link.merged_from = [$gone]
"""
RELATE = """
UNWIND $rows AS row
MATCH (one:Entity {id: row.one}), (other:Entity {id: row.other})
CREATE (one)-[:RELATED_TO {predicate: 'part_of', evidence: row.evidence}]->(other)
"""
CHAIN = """
UNWIND $pairs AS pair
MATCH (one:Memory {id: pair[0]}), (next:Memory {id: pair[1]})
CREATE (one)-[:TEMPORAL {created_at: $from, confidence: 1.0}]->(next)
CREATE (next)-[:CAUSAL {created_at: $from, confidence: 0.7}]->(one)
CREATE (one)-[:CO_RECALLED {created_at: $from, strength: 1}]->(next)
WITH one, next WHERE one:Episodic AND NOT one:Summary
CREATE (one)-[:DERIVED_FROM {created_at: $from}]->(next)
"""
FACTS = """
MATCH (m:Memory) WHERE m.id IN $ids
REMOVE m:Episodic SET m:Semantic, m.decay_rate = 10.0
"""
"""Turns memories into facts, with a decay rate so high that they fade within a day."""
SUMMARIZE = """
UNWIND $rows AS row
MATCH (s:Memory {id: row.id})
SET s:Summary:EntitySummary:SessionSummary:RollingSummary:SummarySpine:GraphAnalysis
SET s.line = 'session|' + s.id, s.summary_kind = 'session', s.until = s.event_time,
    s += {version: 1, sections: [], sentences: [], sentence_sources: [], people: [], tone: ''}
WITH s, row
MATCH (e:Entity {id: row.entity})
CREATE (s)-[:SUMMARIZES {created_at: datetime()}]->(e)
CREATE (e)-[:ANALYSED_IN {created_at: datetime(), community: 1, centrality: 1.0}]->(s)
WITH s, row
UNWIND row.sources AS source
MATCH (m:Memory {id: source})
CREATE (s)-[:DERIVED_FROM {created_at: datetime(), quoted: false}]->(m)
"""
"""Gives memories the labels of every kind of summary, and derives them from their sources alone."""
SUMMARIZE_SESSIONS = """
UNWIND $ids AS id
MATCH (m:SessionSummary {id: id})
MATCH (s:Session {id: m.session_id})
CREATE (m)-[:SUMMARIZES {created_at: datetime()}]->(s)
"""
TODOS = """
UNWIND $ids AS id
MATCH (m:Memory {id: id})
UNWIND $persons AS person
CREATE (t:Todo {id: id + person, person_id: person, persona_id: m.persona_id, kind: 'thread', content: 'bread',
                status: 'open', source: 'extraction', created_at: $now, updated_at: $now})-[:DERIVED_FROM]->(m)
"""
"""Creates for every person a todo from each memory; it is visible if the memory is."""
USES = """
UNWIND $ids AS id
MATCH (m:Memory {id: id})
UNWIND $persons AS person
CREATE (:Use {id: id + person, person_id: person, at: $now, kind: 'search', credential: 'local', chat_id: '',
              persona_id: '', space_id: ''})-[:USED {place: 0}]->(m)
"""
"""Creates for every person a use of each memory, whether they may see it or not."""
PARTS = """
UNWIND $ids AS id
MATCH (m:Memory {id: id})
CREATE (m)-[part:HAS_PART]->(m)
SET part = m {.scope, .learned_in, .sensitivity, .persona_id, .space_id, .speaker_id, .session_id, .source,
              .narrative_id, .task_id, .status, .type, .kind, .category, .created_at, .retired_at, .expires_at,
              .valid_from, .valid_until, .ended_at, .event_time, .event_until, .embedding_a, .embedding_tokens_a,
              start: 0, end: 1},
    m.embedding_parts_a = 1, m.embedding_a = CASE WHEN EXISTS { (m)-[:ABOUT]->() } THEN m.embedding_a END
"""
"""Gives memories a part that covers the text. Those about nobody lose their own vector: vector search finds them by the
part alone.
"""
VERSIONS = """
UNWIND $ids AS id
MATCH (m:Memory {id: id})
CREATE (m)-[:HAS_VERSION]->(:Version {id: id, content: m.content, changed_at: $now})
"""
"""Gives each memory an earlier wording."""
OUTRANK = """
UNWIND $pairs AS pair
MATCH (over:Memory {id: pair.over}), (under:Memory {id: pair.under})
CREATE (over)-[:SUPERSEDES {outranks: true}]->(under)
SET under.outranked = true
"""


def node(world: World, memory_id: str, number: int, slot: VectorSlot) -> dict[str, Any]:
    """The node of a memory, with all properties that indexes and reads need, and the persons it is about."""
    record = world.memories[memory_id]
    scope, persona = record.owner_id or record.chat_id or "", record.persona_id or ""
    speaker, learned_in = record.speaker_id or "", record.learned_in or ""
    chance, status = random.Random(memory_id), "archived" if record.archived else "active"
    properties = {
        **DEFAULTS,
        "id": memory_id,
        "content": f"bread number {number}",
        "type": "episodic",
        "owner_id": record.owner_id or "",
        "chat_id": record.chat_id or "",
        "scope": scope,
        "scopes": [scope],
        "learned_in": learned_in,
        "persona_id": persona,
        "space_id": record.space_id or "",
        "session_id": session_of(world, memory_id),
        "turn": number + 1,
        "speaker_id": speaker,
        "speaker_name": "",
        "source": record.source,
        "status": status,
        "pinned": number % 3 == 0,
        "pinned_by": [person for person in world.persons if pins(world, person, memory_id)],
        "importance": given_importance(number),
        "source_role": "user",
        "tags": [],
        "sensitivity": record.sensitivity.value,
        "portable": record.portable,
        "confided": record.confided or None,
        "event_time": record.valid_from,
        "event_precision": "minute",
        "event_until": record.valid_from,
        "event_day": f"{record.valid_from:%Y%m%d}",
        "created_at": record.created_at,
        "learned_at": record.learned_at,
        "retired_by": "corrected" if record.retired_at else None,
        "valid_from": record.valid_from,
        "facets": [
            token("persona", persona),
            token("status", status),
            token("type", "episodic"),
            token("speaker", speaker),
            token("source", record.source),
            *label_tokens(record.sensitivity, record.portable, learned_in, sorted(record.about)),
            *space_tokens(record.space_id or ""),
        ],
        "embedding_a": [chance.gauss(0, 1) for _ in range(slot.dimensions)],
        "embedding_model_a": slot.model,
        "embedding_tokens_a": pack(np.ones((1, slot.dimensions), np.float32), np.zeros(slot.dimensions, np.float32)),
        **{name: getattr(record, name) or NO_END for name in ("valid_until", "ended_at", "retired_at", "expires_at")},
    }
    return {"memory": properties, "about": sorted(record.about)}


def is_fact(world: World, memory_id: str) -> bool:
    """Whether a memory is a fact and not a turn: one in four."""
    return list(world.memories).index(memory_id) % 4 == 1


def pins(world: World, person: str, memory_id: str) -> bool:
    """Whether a person pinned a memory: every second person pinned each third memory."""
    number = list(world.memories).index(memory_id)
    return number % 3 == 0 and (number + world.persons.index(person)) % 2 == 0


def is_weighed(world: World, view: View, memory_id: str) -> bool:
    """Whether the stored importance of a memory counts for the viewer: not if it is another's fact by hand (P6)."""
    memory, me = world.memories[memory_id], world.viewer(view).person_id
    return memory.source == "extraction" or me in (memory.speaker_id, memory.owner_id) or not is_fact(world, memory_id)


def weight(world: World, view: View, memory_id: str) -> int:
    """The importance of a memory to the viewer: 3 if they pinned it, 1 if the stored one does not count, else that."""
    if pins(world, world.viewer(view).person_id, memory_id):
        return 3
    number = list(world.memories).index(memory_id)
    return given_importance(number) if is_weighed(world, view, memory_id) else 1


def given_importance(number: int) -> int:
    """The stored importance of the memory at a place in the world; among turns and among facts every value occurs."""
    return (number + number // 4) % 4


def session_of(world: World, memory_id: str) -> str:
    """The id of the session of a memory: one for each chat and persona."""
    memory = world.memories[memory_id]
    return f"session {world.persons[0]} {memory.learned_in} {memory.persona_id}"


# --- the answer of each path, and the expected one ---


@dataclass(frozen=True)
class Ground:
    """The service, driver and vector slot that the paths read through. `decided` counts the memories that each path
    showed and hid.
    """

    service: Service
    driver: AsyncDriver
    slot: VectorSlot
    executor: ThreadPoolExecutor
    decided: dict[str, list[int]] = field(default_factory=dict)

    def of(self, world: World, statements: cypher.Statements | None = None) -> "Ground":
        """A copy for a service with the `legacy_disclosable` of a world, and with other statements if any are given."""
        constants = {**CONSTANTS, "legacy_disclosable": world.places.legacy_disclosable, "default_zone": "UTC"}
        database = Database(self.driver, statements or load_statements(), constants=constants)
        return replace(self, service=replace(self.service, database=database))

    async def load(self, world: World) -> None:
        """Writes a world to the graph."""
        parts = [
            {"id": new_id(), "person": p.person_id, "chat": p.chat_id, "since": p.since, "until": p.until or NO_END}
            for p in world.places.parts
        ]
        persons = [{"id": person, "token": name_token(person)} for person in world.persons]
        of_spaces = world.places.spaces
        chats = [
            {"id": chat, "kind": kind.value, "space": of_spaces.get(chat, "")}
            for chat, kind in world.places.kinds.items()
        ]
        params = {"persons": persons, "chats": chats, "entities": world.entities, "parts": parts, "now": NOW}
        params["canonical"] = CANONICAL
        params["personas"] = world.personas
        await self.driver.execute_query(LOAD, params)
        invited = [{"id": new_id(), "person": person, "chat": chat} for person, chat in world.invited()]
        await self.driver.execute_query(INVITE, {"invited": invited, "from": DAYS[0], "until": NO_END})
        rows = [node(world, memory, number, self.slot) for number, memory in enumerate(world.memories)]
        await self.service.database.run("bench/fill", rows=rows, common={})
        await self.driver.execute_query(PARTS, {"ids": list(world.memories)[::3]})
        archived = [memory for memory, record in world.memories.items() if record.archived]
        await self.driver.execute_query(
            "MATCH (m:Memory) WHERE m.id IN $ids SET m:Archived, m.archived_at = $now", {"ids": archived, "now": NOW}
        )
        made = [{"id": i, "sources": each, "entity": world.mentions[i]} for i, each in world.made_of.items()]
        await self.driver.execute_query(SUMMARIZE, {"rows": made})
        await self.driver.execute_query(FACTS, {"ids": [i for i in world.memories if is_fact(world, i)]})
        mentions = [
            {"memory": memory, "entity": entity, "name": world.names[memory]}
            for memory, entity in world.mentions.items()
        ]
        await self.driver.execute_query(LINK, {"mentions": mentions})
        merge = {"kept": world.entities[0], "gone": world.merged, "moved": world.moved(), "now": DAYS[0]}
        await self.driver.execute_query(MERGE, merge)
        await self.driver.execute_query(SUMMARIZE_SESSIONS, {"ids": list(world.made_of)})
        await self.driver.execute_query(TODOS, {"ids": list(world.memories), "persons": world.persons, "now": NOW})
        await self.driver.execute_query(USES, {"ids": list(world.memories), "persons": world.persons, "now": NOW})
        await self.driver.execute_query(VERSIONS, {"ids": list(world.memories), "now": START})
        related = [{"one": one, "other": two, "evidence": world.naming(one)} for one, two in pairwise(world.entities)]
        await self.driver.execute_query(RELATE, {"rows": related})
        await self.driver.execute_query(
            CHAIN, {"pairs": [list(pair) for pair in pairwise(world.memories)], "from": START}
        )
        pairs = [{"over": over, "under": under} for under, over in world.outranking.items()]
        await self.driver.execute_query(OUTRANK, {"pairs": pairs})

    async def change(self, world: World, wish: Change) -> None:
        """Sets a label for a person, in the graph and in the world. Asserts the right error if they may not (P4)."""
        labels = AccessLabels(self.service.database, lambda: NOW)
        me = Viewer(world.persons[wish.person], rights=wish.rights)
        memory_id = list(world.memories)[wish.memory]
        record, expected = world.memories[memory_id], None
        # A memory that held once can be labelled too.
        home = View(wish.person, None, None, Times(record.valid_from, NOW), None)
        if record.retired_at is not None or memory_id not in at_home(world, home):
            expected = NotFound
        elif me.person_id not in {record.owner_id, record.speaker_id, *record.about}:
            expected = NotAllowed
        with pytest.raises(expected) if expected else nullcontext():
            if isinstance(wish.label, Sensitivity):
                await labels.set_sensitivity(me, memory_id, wish.label)
            else:
                await labels.set_portable(me, memory_id, wish.label)
        if expected is None:
            field = "sensitivity" if isinstance(wish.label, Sensitivity) else "portable"
            world.memories[memory_id] = replace(record, **{field: wish.label})

    async def labels(self, world: World) -> dict[str, tuple[str, bool, set[str]]]:
        """Sensitivity, portability and index tokens of the labels of each memory, as stored in the graph."""
        records, _, _ = await self.driver.execute_query(
            "MATCH (m:Memory) WHERE m.id IN $ids RETURN m.id, m.sensitivity, m.portable, m.facets",
            ids=list(world.memories),
        )
        every = {facet for record in world.memories.values() for facet in _label_facets(record)} | _LABELS
        return {memory: (label, portable, every.intersection(facets)) for memory, label, portable, facets in records}

    async def found(
        self,
        world: World,
        view: View,
        embedder: Any,
        words: str,
        times: Times | None,
        filters: Filters = NO_FILTERS,
    ) -> set[str]:
        """The ids in the ranked lists of a search for these words and the person that the view names; empty if the
        search raises `NotFound`. Asserts that the results are those of the lists.
        """
        query = " ".join([words, *world.named(view)])
        lists = Listening(self.service.database)
        try:
            page = await self.search(embedder, lists).search(
                world.viewer(view), query, filters=filters, times=times, first=100
            )
        except NotFound:
            return set()
        # Results are filtered by the rule once more, which would hide that a list held too much.
        results = {result.memory.id for result in page.results}
        told = {session_of(world, result) for result in results - world.made_of.keys()}
        summaries = {i for i in world.made_of if session_of(world, i) in told}  # other results displace them
        assert lists.found - summaries <= results <= lists.found, "a list holds what is not shown"
        return lists.found

    def search(self, embedder: Any, lists: "Listening") -> Search:
        """A search whose clock stands at `NOW`."""
        return make_search(
            lists,  # type: ignore[arg-type]
            lambda: NOW,
            embedder=embedder,
            slot=self.slot,
            executor=self.executor,
            fusion="context",
            rrf_k=60,
            rrf_weights={},
        )


def labels_of(world: World) -> dict[str, tuple[str, bool, set[str]]]:
    """Sensitivity, portability and index tokens of the labels of each memory, as expected from the world."""
    return {
        memory: (record.sensitivity.value, record.portable, _label_facets(record))
        for memory, record in world.memories.items()
    }


def _label_facets(record: Record) -> set[str]:
    about = sorted(record.about)
    return set(label_tokens(record.sensitivity, record.portable, record.learned_in or "", about))


_LABELS = {facet for label in Sensitivity for yes in (True, False) for facet in label_tokens(label, yes, "")}


class Listening:
    """A database that records in `found` the ids in the ranked lists of a search."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.found: set[str] = set()

    async def run(self, statement: str, /, **params: Any) -> list[Row]:
        """Runs a statement as the database does."""
        return await self._database.run(statement, **params)

    async def one(self, statement: str, /, **params: Any) -> Row | None:
        """Runs a statement as the database does, and records the ids of a ranked list."""
        row = await self._database.one(statement, **params)
        self.found |= {each["id"] for each in (row or {}).get("found", ())}
        return row


class OneVector:
    """An embedder that gives every query the same vector."""

    def __init__(self, dimensions: int) -> None:
        self._vector = [1.0] + [0.0] * (dimensions - 1)

    def embed_query(self, _: str) -> Embedding:
        """The vector, with one token vector equal to it."""
        return Embedding(
            self._vector, pack(np.array([self._vector], np.float32), np.zeros(len(self._vector), np.float32))
        )


Answer = Callable[[Ground, World, View], Awaitable[set[str]]]
Oracle = Callable[[World, View], set[str]]
PATHS: dict[str, tuple[Answer, Oracle]] = {}


def read_path(name: str, oracle: Oracle) -> Callable[[Answer], Answer]:
    """Registers a read path, whose answer must equal what `oracle` returns."""

    def register(answer: Answer) -> Answer:
        PATHS[name] = (answer, oracle)
        return answer

    return register


def from_where_one_stands(world: World, view: View) -> set[str]:
    """The memories visible from the chat and with the persona of the request."""
    viewer = world.viewer(view)
    return {i for i in world.memories if world.visible(i, viewer, view.times)}


def searched(world: World, view: View) -> set[str]:
    """The visible memories that are candidates of a search."""
    viewer, named = world.viewer(view), [person for person in world.named(view) if knows(world, view, person)]
    return {
        i
        for i in from_where_one_stands(world, view)
        if visibility.candidate(world.memories[i], viewer, world.places, named, NOW)
    }


def said_by_whom_is_named(world: World, view: View) -> set[str]:
    """What a search finds among the memories stated by the person who is named, or else by the first person."""
    [person] = world.named(view) or [world.persons[0]]
    return {i for i in searched(world, view) if world.memories[i].speaker_id == person}


def about_whom(world: World, view: View) -> set[str]:
    """The visible, portable memories about the person who is named (else the first person) that they do not own."""
    [person] = world.named(view) or [world.persons[0]]
    found = {i: world.memories[i] for i in from_where_one_stands(world, view)}
    return {i for i, m in found.items() if person in m.about and m.portable and m.owner_id != person}


def knows(world: World, view: View, person: str) -> bool:
    """Whether the viewer may know of a person (M15): it is themselves, they enter a chat in which the person ever took
    part, or they may see a memory about the person.
    """
    me = world.persons[view.person]
    chats = {part.chat_id for part in world.places.parts if part.person_id == person}
    told = {i for i in known_from(world, view) if person in world.memories[i].about}
    return me == person or any(world.enters(view, chat) for chat in chats) or bool(told)


def known_from(world: World, view: View) -> set[str]:
    """The memories visible where the viewer sees most of each, as known now and at a time when each held. From these
    the viewer knows of entities and their names.
    """
    return {i for i, m in world.memories.items() if is_at_home(world, view, i, Times(m.valid_from, NOW))}


def at_home(world: World, view: View) -> set[str]:
    """The memories visible where the viewer sees most of each (`is_at_home`), at the times of the view."""
    return {i for i in world.memories if is_at_home(world, view, i, view.times)}


def explained(world: World, view: View) -> set[str]:
    """Those of the first memories that are visible as known when they were recorded, at a time when they held."""
    first = list(world.memories.items())[:EXPLAINED]
    return {i for i, m in first if is_at_home(world, view, i, Times(m.valid_from, m.created_at))}


def used(world: World, view: View) -> set[str]:
    """The uses of the `explained` memories: the viewer's own, and for memories that the viewer owns also others'."""
    me = world.viewer(view).person_id
    return {
        f"{i} {person}"
        for i in explained(world, view)
        for person in world.persons
        if me in (person, world.memories[i].owner_id)
    }


def one_may_forget(world: World, view: View) -> set[str]:
    """Those of the first memories, archived or not, that are visible and that the viewer owns or said in a group in
    which they take part. Summaries are never selected.
    """
    me, own = world.viewer(view).person_id, set[str]()
    for memory_id in (explained(world, view) | explained(turned(world), view)) - world.made_of.keys():
        found = world.memories[memory_id]
        if found.owner_id == me or (found.speaker_id == me and world.enters(view, found.chat_id)):
            own.add(memory_id)
    return own


def held(world: World, view: View) -> set[str]:
    """Those of the first memories that are visible as known now, at a time when they held."""
    first = list(world.memories.items())[:EXPLAINED]
    return {i for i, m in first if is_at_home(world, view, i, Times(m.valid_from, NOW))}


def is_at_home(world: World, view: View, memory_id: str, times: Times, fact: str | None = None) -> bool:
    """Whether a memory is visible where the viewer sees most of it: alone, or in the chat it belongs to, else in
    another group; with all personas, and only in chats of its space. The evidence of a `fact` is judged from where the
    fact belongs.
    """
    me, at = world.viewer(view).at(None), world.memories[fact or memory_id]
    if at.space_id and me.space_id not in (None, at.space_id):
        return False
    home = at.chat_id or at.learned_in
    fitting = {chat for chat in world.chats if at.space_id in (None, world.places.spaces.get(chat))}
    mine = {chat for chat in fitting if world.enters(view, chat)}
    groups = sorted(chat for chat in mine if world.places.kinds[chat] is ChatKind.GROUP)
    chats = {None, *(groups[:1] if home not in groups else ()), *({home} & mine)}
    lookers = [me.at(chat).with_every_persona() for chat in chats]

    def somewhere(record: Record) -> bool:
        return any(visibility.allowed(record, looker, world.places, times, NOW) for looker in lookers)

    def shown(shown_id: str) -> bool:
        over = world.memories.get(world.outranking.get(shown_id, ""))
        return somewhere(world.memories[shown_id]) and not (over and somewhere(over))

    return shown(memory_id) and all(map(shown, world.made_of.get(memory_id, ())))


def quoted(world: World, view: View) -> set[str]:
    """The turns that visible memories quote (`derived`), if they are visible too, whenever they were said."""
    seen, viewer = from_where_one_stands(world, view), world.viewer(view)
    return {
        turn for fact, turn in derived(world) if fact in seen and world.visible(turn, viewer, _said(world, view, turn))
    }


def quoted_at_home(world: World, view: View) -> set[str]:
    """As `quoted`, for memories and turns judged by `is_at_home`, so with turns of any persona."""
    seen = at_home(world, view)
    return {
        turn
        for fact, turn in derived(world)
        if fact in seen and is_at_home(world, view, turn, _said(world, view, turn), fact)
    }


def quoted_in_the_chat(world: World, view: View) -> set[str]:
    """As `quoted`, for memories learned in the chat of the view: of all personas, or of the view's and of none."""
    seen, me = in_the_chat(world, view), world.viewer(view)
    looker = me if me.persona_id else me.with_every_persona()
    return {
        turn for fact, turn in derived(world) if fact in seen and world.visible(turn, looker, _said(world, view, turn))
    }


def derived(world: World) -> list[tuple[str, str]]:
    """Pairs of a turn that is no summary and the next memory if it is a turn: the first is derived from the second."""
    return [
        (one, turn)
        for one, turn in pairwise(world.memories)
        if not is_fact(world, one) and one not in world.made_of and not is_fact(world, turn)
    ]


def _said(world: World, view: View, turn: str) -> Times:
    return Times(world.memories[turn].valid_from, view.times.known_at)


def inside(world: World, view: View, chat_id: str | None) -> set[str]:
    """The memories learned in a chat that are visible there, with all personas."""
    return said_in(world, view, world.viewer(view).at(chat_id).with_every_persona())


def said_in(world: World, view: View, me: Viewer) -> set[str]:
    """The memories learned in the chat of the viewer `me` that are visible there; empty if they do not enter it."""
    if not world.enters(view, me.chat_id):
        return set()
    return {i for i, m in world.memories.items() if m.learned_in == me.chat_id and world.visible(i, me, view.times)}


def in_the_chat(world: World, view: View) -> set[str]:
    """The memories learned in the chat of the view that are visible there, with the persona of the view, else all."""
    me = world.viewer(view)
    return said_in(world, view, me if me.persona_id else me.with_every_persona())


def in_sessions(world: World, view: View) -> set[str]:
    """The visible memories of all sessions of chats in which the viewer takes part."""
    return {i for chat in world.chats for i in inside(world, view, chat)}


def in_the_present(oracle: Oracle) -> Oracle:
    """The oracle for a path that reads only the present."""
    return lambda world, view: oracle(world, replace(view, times=Times(NOW, NOW)))


def entities_at_home(world: World, view: View) -> set[str]:
    """The entities that a visible memory mentions (M15)."""
    return {world.mentions[i] for i in known_from(world, view)}


def names(world: World, view: View) -> set[str]:
    """Each entity with the names by which the viewer knows it: those in memories that they may see (M3)."""
    texts: dict[str, set[str]] = {}
    for i in known_from(world, view):
        texts.setdefault(world.mentions[i], set()).add(world.names[i])
    return {f"{entity} {named(entity, said)}" for entity, said in texts.items()}


def named(entity: str, said: set[str]) -> list[str]:
    """The names of an entity as the viewer sees them: the canonical name, then the aliases, the longest first."""
    spelled: dict[str, str] = {}
    for text in sorted(said, reverse=True):
        if text and not text.startswith("@"):
            spelled[text.lower()] = text
    others = sorted(spelled.values(), key=lambda text: (-len(text), text))
    if CANONICAL.lower() in spelled:
        return [CANONICAL, *(text for text in others if text.lower() != CANONICAL.lower())]
    return others or [entity]


def sessions(world: World, view: View) -> set[str]:
    """The sessions in which the viewer may see a turn, with the times of the first and the last one that they see."""
    said: dict[str, list[datetime]] = {}
    for i in in_sessions(world, view):
        said.setdefault(session_of(world, i), []).append(world.memories[i].valid_from)
    return {f"{session} {min(times)} {max(times)} {max(times)}" for session, times in said.items()}


def how_many_of_mine(world: World, view: View) -> set[str]:
    """The numbers of the memories in `mine`, of the entities they name, of their links to entities and to visible
    memories, and of the waiting sessions of which the viewer sees a turn.
    """
    found, seen = mine(world, view), at_home(world, view)
    named = {world.mentions[i] for i in found} | {person for i in found for person in world.memories[i].about}
    links = sum(1 + len(world.memories[i].about) + sum(other in seen for other in linked(world, i)) for i in found)
    waiting = len({session_of(world, i) for i in in_sessions(world, view)})
    return {f"{len(found)} memories", f"{len(named)} entities", f"{links} links", f"{waiting} sessions"}


def mine(world: World, view: View) -> set[str]:
    """The visible memories that the viewer owns, of their chats, or about them."""
    me = world.persons[view.person]
    return {
        i
        for i in at_home(world, view)
        if (m := world.memories[i]).owner_id == me or world.enters(view, m.chat_id) or me in m.about
    }


def named_at_home(world: World, view: View) -> set[str]:
    """Each entity with each memory that mentions it and is visible by `is_at_home`."""
    return {f"{world.mentions[i]} {i}" for i in at_home(world, view)}


def linked(world: World, memory_id: str) -> list[str]:
    """The targets of the links of a memory to others: the next memory (twice, or three times for a turn), the previous
    one, those that it outranks, and the sources of a summary.
    """
    ids = list(world.memories)
    place = ids.index(memory_id)
    after = ids[place + 1 : place + 2] * (2 if is_fact(world, memory_id) or memory_id in world.made_of else 3)
    under = [under for under, over in world.outranking.items() if over == memory_id]
    return after + (ids[place - 1 : place] if place else []) + under + world.made_of.get(memory_id, [])


def mentions(world: World, view: View) -> set[str]:
    """Each entity with the number of visible memories that mention it."""
    seen = [world.mentions[i] for i in from_where_one_stands(world, view)]
    return {f"{entity} {seen.count(entity)}" for entity in world.entities}


def of_entities(world: World, ids: set[str]) -> dict[str, list[str]]:
    """The memories among these that mention each entity or are about each person, by key."""
    found: dict[str, list[str]] = {}
    for i in ids:
        keys = [f"concept:{world.mentions[i]}", *(f"person:{person}" for person in world.memories[i].about)]
        for key in keys:
            found.setdefault(key, []).append(i)
    return found


def cards(world: World, view: View) -> set[str]:
    """The card of each entity and person: the first visible memories with an importance of 2 or more to the viewer."""
    seen = from_where_one_stands(world, view)
    return on_cards(world, view, of_entities(world, {i for i in seen if weight(world, view, i) >= 2}))


def cards_asked_for(world: World, view: View) -> set[str]:
    """As `cards`, and for entities and persons without a significant memory the visible facts."""
    seen = from_where_one_stands(world, view)
    significant = of_entities(world, {i for i in seen if weight(world, view, i) >= 2})
    facts = of_entities(world, {i for i in seen if is_fact(world, i) and i not in world.made_of})
    return on_cards(world, view, facts | significant)


def on_cards(world: World, view: View, memories: dict[str, list[str]]) -> set[str]:
    """Each card with its first three memories: those that the viewer pinned come first, then the most important, those
    whose stored importance counts for the viewer, and the newest.
    """
    me = world.viewer(view).person_id

    def order(i: str) -> tuple[bool, int, bool, float, str]:
        mine, newest = pins(world, me, i), -world.memories[i].valid_from.timestamp()
        return not mine, -weight(world, view, i), not is_weighed(world, view, i), newest, i

    return {f"{key} {sorted(ids, key=order)[:3]}" for key, ids in memories.items()}


def summaries(world: World, view: View) -> set[str]:
    """The latest visible summary of each entity."""
    latest: dict[str, str] = {}
    seen = from_where_one_stands(world, view) & world.made_of.keys()
    for i in sorted(seen, key=lambda i: (world.memories[i].created_at, i)):
        latest[world.mentions[i]] = i
    return {f"{entity} {i}" for entity, i in latest.items()}


def timelines(world: World, view: View) -> set[str]:
    """The visible memories of each entity and each person, the earliest first."""
    seen = of_entities(world, from_where_one_stands(world, view))
    return {f"{key} {sorted(ids, key=lambda i: (world.memories[i].valid_from, i))}" for key, ids in seen.items()}


def pinned(world: World, view: View) -> set[str]:
    """The visible memories that the viewer pinned, of their own and of the chat of the view."""
    viewer = world.viewer(view)
    return {
        i
        for i in from_where_one_stands(world, view)
        if pins(world, viewer.person_id, i)
        and ((m := world.memories[i]).owner_id == viewer.person_id or m.chat_id == viewer.chat_id is not None)
    }


def sources(world: World, view: View) -> set[str]:
    """Each visible turn with the next memory, if that is a visible turn; each visible summary with the latest of the
    visible turns among its sources.
    """
    seen = {i for i in from_where_one_stands(world, view) if not is_fact(world, i)}
    following = {one: [next_] for one, next_ in pairwise(world.memories)} | world.made_of
    found = {}
    for one, turns in following.items():
        if shown := [i for i in turns if i in seen]:
            found[one] = max(shown, key=lambda i: (world.memories[i].valid_from, i))
    may_ask = from_where_one_stands(world, view)
    facts = {i for i in may_ask if i in world.made_of or not is_fact(world, i)}
    return {f"{one} {turn}" for one, turn in found.items() if one in facts}


def weak(world: World, view: View) -> set[str]:
    """The visible facts that the viewer owns, of their chats, or about them, recorded before `NOW`: they have faded."""
    me = world.persons[view.person]
    return {
        i
        for i in at_home(world, view)
        if is_fact(world, i)
        and (m := world.memories[i]).created_at < NOW
        and (m.owner_id == me or world.enters(view, m.chat_id) or me in m.about)
    }


def in_the_archive(world: World, view: View) -> set[str]:
    """The archived memories that a search would find if they were not archived."""
    other = turned(world)
    named = [person for person in world.named(view) if knows(world, view, person)]
    viewer = world.viewer(view)
    return {
        i
        for i in from_where_one_stands(other, view)
        if visibility.candidate(other.memories[i], viewer, world.places, named, NOW)
    }


def turned(world: World) -> World:
    """The world with `archived` inverted, so that the oracle judges archived memories as if they were not archived."""
    return replace(world, memories={i: replace(m, archived=not m.archived) for i, m in world.memories.items()})


def archived_of_mine(world: World, view: View) -> set[str]:
    """The archived memories that would be in `mine` if they were not archived."""
    return mine(turned(world), view)


def archived_and_called(world: World, view: View) -> set[str]:
    """The archived ones of the first memories that would be `held` if they were not archived."""
    return held(turned(world), view)


def told_of_the_viewer(world: World, view: View) -> set[str]:
    """The memories about the viewer that they neither own nor stated, and that are visible by `is_at_home` as known
    now, at a time when they held.
    """
    me = world.persons[view.person]
    return {
        i
        for i, m in world.memories.items()
        if me in m.about
        and me not in (m.speaker_id, m.owner_id)
        and is_at_home(world, view, i, Times(m.valid_from, NOW))
    }


def exported(world: World, view: View) -> set[str]:
    """The memories in `known_from`, archived or not."""
    return known_from(world, view) | known_from(turned(world), view)


def without_space(oracle: Oracle) -> Oracle:
    """The oracle for a path that reads all spaces, whatever the view."""
    return lambda world, view: oracle(world, replace(view, space=None))


def exported_summaries(world: World, view: View) -> set[str]:
    """The summaries among the exported memories."""
    return exported(world, view) & world.made_of.keys()


def exported_todos(world: World, view: View) -> set[str]:
    """The viewer's todos from visible memories."""
    return {i + world.persons[view.person] for i in at_home(world, view)}


def nothing(world: World, view: View) -> set[str]:
    """The empty set, for a path that returns the hidden memories that it shows."""
    return set()


def related(world: World, view: View) -> set[str]:
    """The relations between neighbouring entities that the viewer knows of, each with the latest visible memories that
    state it, the latest first.
    """
    seen = from_where_one_stands(world, view)
    said = {(one, other): [i for i in world.naming(one) if i in seen] for one, other in pairwise(world.entities)}
    known = entities_at_home(world, view)
    return {
        f"{one} {other} {memories[::-1][:EVIDENCE]}"
        for (one, other), memories in said.items()
        if memories and {one, other} <= known
    }


def walked(world: World, view: View) -> set[str]:
    """The memories reached from visible memories along the chain of all memories, in at most `HOPS` hops that lead over
    visible memories only.
    """
    seen = from_where_one_stands(world, view)
    places = [i in seen for i in world.memories]
    return {
        i
        for at, i in enumerate(world.memories)
        for start in range(max(0, at - HOPS), min(len(places), at + HOPS + 1))
        if start != at and all(places[min(start, at) : max(start, at) + 1])
    }


def own_beside(world: World, view: View) -> set[str]:
    """The viewer's own visible memories that are next to another such memory in the chain of all memories."""
    me = world.viewer(view).person_id
    seen = {i for i in from_where_one_stands(world, view) if world.memories[i].owner_id == me}
    pairs = [pair for pair in pairwise(world.memories) if seen.issuperset(pair)]
    return {i for pair in pairs for i in pair}


def about_the_first_entity(world: World, view: View) -> set[str]:
    """The visible memories that mention the first entity, or the second if a visible memory states their relation."""
    seen = from_where_one_stands(world, view)
    first, *others = world.entities
    near = {first, *others[:1]} if seen.intersection(world.naming(first)) else {first}
    return {i for i in seen if world.mentions.get(i) in near}


@read_path("memory/load", from_where_one_stands)
async def _load(ground: Ground, world: World, view: View) -> set[str]:
    memories = Memories(ground.service.database, lambda: NOW)
    return set(await memories.load(world.viewer(view), list(world.memories), view.times))


@read_path("memory/load, quoted", quoted)
async def _quoted(ground: Ground, world: World, view: View) -> set[str]:
    memories = Memories(ground.service.database, lambda: NOW)
    return quotations((await memories.load(world.viewer(view), list(world.memories), view.times)).values())


@read_path("browse/memories, quoted", quoted_at_home)
async def _quoted_at_home(ground: Ground, world: World, view: View) -> set[str]:
    browsing = Browsing(ground.service.database, lambda: NOW)
    return quotations((await browsing.memories(world.viewer(view), list(world.memories), view.times)).values())


@read_path("browse/chat_memories, quoted", quoted_in_the_chat)
async def _quoted_in_the_chat(ground: Ground, world: World, view: View) -> set[str]:
    me, browsing = world.viewer(view), Browsing(ground.service.database, lambda: NOW)
    listing = await browsing.chat_memories(me, me.chat_id or "", persona_id=me.persona_id, times=view.times, first=100)
    return quotations(listed.item for listed in listing.items)


def quotations(memories: Iterable[Memory]) -> set[str]:
    """The ids of the turns that memories quote."""
    return {memory.quotation.memory_id for memory in memories if memory.quotation}


@read_path("memory/held", held)
async def _held(ground: Ground, world: World, view: View) -> set[str]:
    memories = Memories(ground.service.database, lambda: NOW)
    first = list(world.memories)[:EXPLAINED]
    return {memory_id for memory_id in first if await memories.held(world.viewer(view), memory_id)}


@read_path("search/full_text", searched)
async def _words(ground: Ground, world: World, view: View) -> set[str]:
    return await ground.found(world, view, None, "bread", view.times)


@read_path("search/vector", searched)
async def _meaning(ground: Ground, world: World, view: View) -> set[str]:
    return await ground.found(world, view, OneVector(ground.slot.dimensions), "the and of", view.times)


@read_path("search/vector, now", in_the_present(searched))
async def _meaning_now(ground: Ground, world: World, view: View) -> set[str]:
    return await ground.found(world, view, OneVector(ground.slot.dimensions), "the and of", None)


@read_path("search/vector_narrow", said_by_whom_is_named)
async def _narrow(ground: Ground, world: World, view: View) -> set[str]:
    [person] = world.named(view) or [world.persons[0]]
    filters = Filters(speakers=(person,))
    return await ground.found(world, view, OneVector(ground.slot.dimensions), "the and of", view.times, filters)


@read_path("browse/memories", at_home)
async def _browse(ground: Ground, world: World, view: View) -> set[str]:
    browsing = Browsing(ground.service.database, lambda: NOW)
    return set(await browsing.memories(world.viewer(view), list(world.memories), view.times))


class Told:
    """A feed that reports some memories as new, and then ends."""

    def __init__(self, ids: list[str]) -> None:
        self._ids = ids

    @asynccontextmanager
    async def follow(self) -> AsyncIterator["Told"]:
        """Yields the feed itself."""
        yield self

    async def next(self, _: float) -> list[str]:
        """All ids at the first call; afterwards it raises `FellBehind`, which ends the subscription."""
        if not self._ids:
            raise FellBehind("that was all")
        new, self._ids = self._ids, []
        return new


@read_path("browse/memories, followed", in_the_present(at_home))
async def _follow(ground: Ground, world: World, view: View) -> set[str]:
    browsing, caller = Browsing(ground.service.database, lambda: NOW), Caller(world.viewer(view), "credential")

    async def authenticate() -> Caller:
        return caller

    service: Any = replace(ground.service, browsing=browsing, feed=Told(list(world.memories)))  # type: ignore[arg-type]
    found = set()
    with suppress(FellBehind):
        async for memory in followed(Context(service, caller, authenticate), FeedFilter(None, None, None)):
            found.add(memory.id)
    return found


@read_path("browse/chat_memories", in_the_chat)
async def _chat(ground: Ground, world: World, view: View) -> set[str]:
    me, browsing = world.viewer(view), Browsing(ground.service.database, lambda: NOW)
    listing = await browsing.chat_memories(me, me.chat_id or "", persona_id=me.persona_id, times=view.times, first=100)
    return {listed.item.id for listed in listing.items}


@read_path("memory/called", explained)
async def _called(ground: Ground, world: World, view: View) -> set[str]:
    memories, found = Memories(ground.service.database, lambda: NOW), set()
    for memory_id in list(world.memories)[:EXPLAINED]:
        with suppress(NotFound):
            found.add(await memories.called(world.viewer(view), memory_id))
    return found


@read_path("forgetting/select", one_may_forget)
async def _select(ground: Ground, world: World, view: View) -> set[str]:
    acts, found = Forgettings(ground.service.database, lambda: NOW), set()
    for memory_id in list(world.memories)[:EXPLAINED]:
        plan = await acts.plan(world.viewer(view), Selection(ids=(memory_id,)))
        found |= {memory_id} if plan.selected else set()
    return found


@read_path("browse/my_memories", mine)
async def _mine(ground: Ground, world: World, view: View) -> set[str]:
    browsing = Browsing(ground.service.database, lambda: NOW)
    listing = await browsing.my_memories(world.viewer(view), times=view.times, first=100)
    # Imported memories without a known chat may be shown to all, so those of other worlds are left out here.
    return {listed.item.id for listed in listing.items}.intersection(world.memories)


@read_path("browse/entity_memories", named_at_home)
async def _entity_memories(ground: Ground, world: World, view: View) -> set[str]:
    browsing, found = Browsing(ground.service.database, lambda: NOW), set()
    for entity in world.entities:
        listing = await browsing.entity_memories(world.viewer(view), entity, times=view.times, first=100)
        found |= {f"{entity} {listed.item.id}" for listed in listing.items}
    return found


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
    found: set[str] = set()
    after = None
    while True:
        page = await browsing.entities(world.viewer(view), kind=EntityType.CONCEPT, first=100, after=after)
        found |= {listed.item.id for listed in page.items}
        if not page.has_next:
            # Imported memories without a known chat may be shown to all, so those of other worlds are left out here.
            return found.intersection(world.entities)
        after = page.items[-1].cursor


@read_path("browse/entities_by", in_the_present(names))
async def _entities_by(ground: Ground, world: World, view: View) -> set[str]:
    browsing = Browsing(ground.service.database, lambda: NOW)
    found = await browsing.entities_by(world.viewer(view), world.entities)
    return {f"{one.id} {[one.canonical_name, *one.aliases]}" for one in found.values()}


@read_path("browse/sessions", sessions)
async def _sessions(ground: Ground, world: World, view: View) -> set[str]:
    me, browsing = world.viewer(view), Browsing(ground.service.database, lambda: NOW)
    pages = [await browsing.sessions(me, chat, times=view.times, first=100) for chat in world.chats]
    return {told(listed.item) for page in pages for listed in page.items}


@read_path("browse/sessions_by_id", sessions)
async def _sessions_by_id(ground: Ground, world: World, view: View) -> set[str]:
    browsing, ids = Browsing(ground.service.database, lambda: NOW), {session_of(world, i) for i in world.memories}
    found = await browsing.sessions_by_id(world.viewer(view), sorted(ids), view.times)
    return {told(one) for one in found.values()}


def turns_of_sessions(world: World, view: View) -> set[str]:
    """Each session with the number of its visible turns."""
    counts = Counter(session_of(world, i) for i in in_sessions(world, view))
    return {f"{session} {turns}" for session, turns in counts.items()}


@read_path("browse/session_turn_counts", turns_of_sessions)
async def _turn_counts(ground: Ground, world: World, view: View) -> set[str]:
    browsing, ids = Browsing(ground.service.database, lambda: NOW), {session_of(world, i) for i in world.memories}
    found = await browsing.turn_counts(world.viewer(view), sorted(ids), view.times)
    return {f"{session} {turns}" for session, turns in found.items()}


def told(session: Session) -> str:
    """The id and the times of a session as shown."""
    return f"{session.id} {session.started_at} {session.last_activity_at} {session.ended_at}"


def suggested(world: World, view: View) -> set[str]:
    """The pairs of neighbouring entities of which the viewer knows both."""
    seen = entities_at_home(world, view)
    return {f"{one} {other}" for one, other in pairwise(world.entities) if {one, other} <= seen}


@read_path("merge/suggestions", in_the_present(suggested))
async def _suggestions(ground: Ground, world: World, view: View) -> set[str]:
    merging = Merging(ground.service.database, lambda: NOW)
    found: set[str] = set()
    after = None
    while True:
        page = await merging.suggestions(world.viewer(view), first=100, after=after)
        pairs = [(listed.item.one.id, listed.item.other.id) for listed in page.items]
        found |= {f"{one} {other}" for one, other in pairs if one in world.entities}
        if not page.has_next:
            return found
        after = page.items[-1].cursor


def merged(world: World, view: View) -> set[str]:
    """The merge into the first entity, if the viewer may see a memory that named the merged one."""
    return {world.merged} if known_from(world, view).intersection(world.moved()) else set()


@read_path("merge/done", in_the_present(merged))
async def _merges(ground: Ground, world: World, view: View) -> set[str]:
    merging = Merging(ground.service.database, lambda: NOW)
    found: set[str] = set()
    after = None
    while True:
        page = await merging.done(world.viewer(view), first=100, after=after)
        found |= {listed.item.merge_id for listed in page.items}
        if not page.has_next:
            return found & {world.merged}
        after = page.items[-1].cursor


@read_path("people/export_told", without_space(told_of_the_viewer))
async def _told_of_the_viewer(ground: Ground, world: World, view: View) -> set[str]:
    me = world.persons[view.person]
    params = read_params(Viewer(me), None, lambda: NOW)
    rows = await ground.service.database.run("people/export_told", ids=[me], after="", limit=1000, **params)
    return {row["memory"]["id"] for row in rows}


async def a_page(ground: Ground, world: World, view: View, statement: str, after: str, most: int) -> dict[str, Row]:
    """A page of the viewer's export by id: the values and times of the nodes that it shows."""
    scope = seen_by(Person(world.persons[view.person], "person:", ""), lambda: NOW)
    params = {**scope.params, "left_out": ["embedding_a"], "after": after, "limit": most}
    rows = await ground.service.database.run(f"export/{statement}", **params)
    return {row["id"]: {**dict(row["values"]), **dict(row["times"])} for row in rows if row["labels"]}


def exporting(statement: str) -> Answer:
    """Returns the read path of an export statement: the ids of a page of the world's memories, or of their versions or
    todos.
    """

    async def answer(ground: Ground, world: World, view: View) -> set[str]:
        first, many = min(world.memories), len(world.memories) * (PERSONS if "todos" in statement else 1)
        page = await a_page(ground, world, view, statement, first[:-1], many)
        return {one for one in page if one[: len(first)] in world.memories}

    return answer


for _statement, _oracle in {
    "seen.Memory": exported,
    "seen_versions": exported,
    "seen.RollingSummary": exported_summaries,
    "seen.SummarySpine": exported_summaries,
    "seen.GraphAnalysis": exported_summaries,
    "seen_todos": exported_todos,
}.items():
    read_path(f"export/{_statement}", without_space(in_the_present(_oracle)))(exporting(_statement))


@read_path("export/seen_entities", without_space(in_the_present(names)))
async def _seen_entities(ground: Ground, world: World, view: View) -> set[str]:
    made = [*world.entities, *world.persons]
    page = await a_page(ground, world, view, "seen_entities", min(made)[:-1], len(made))
    seen = {one: row for one, row in page.items() if one in world.entities}
    return {f"{one} {[row['canonical_name'], *row['aliases']]}" for one, row in seen.items()}


@read_path("export/seen_sessions", without_space(in_the_present(sessions)))
async def _seen_sessions(ground: Ground, world: World, view: View) -> set[str]:
    first = f"session {world.persons[0]}"
    page = await a_page(ground, world, view, "seen_sessions", first, len(world.memories))
    shown = {one: [datetime.fromisoformat(row[name]) for name in SESSION_TIMES] for one, row in page.items()}
    return {f"{one} {' '.join(map(str, times))}" for one, times in shown.items() if one.startswith(first)}


@read_path("browse/memories_about", about_whom)
async def _about(ground: Ground, world: World, view: View) -> set[str]:
    [person] = world.named(view) or [world.persons[0]]
    browsing = Browsing(ground.service.database, lambda: NOW)
    try:
        listing = await browsing.memories_about(
            world.viewer(view), [person], left_out=person, times=view.times, first=100
        )
    except NotFound:
        return set()
    return {listed.item.id for listed in listing.items}


@read_path("fact/explain", explained)
async def _explain(ground: Ground, world: World, view: View) -> set[str]:
    explaining, found = Explaining(ground.service.database, lambda: NOW), set()
    for memory_id in list(world.memories)[:EXPLAINED]:
        with suppress(NotFound):
            await explaining.explain(world.viewer(view), memory_id)
            found.add(memory_id)
    return found


@read_path("use/of_memory", used)
async def _used(ground: Ground, world: World, view: View) -> set[str]:
    uses, found = Uses(ground.service.database, lambda: NOW), set[str]()
    for memory_id in list(world.memories)[:EXPLAINED]:
        listed = (await uses.of_memory(world.viewer(view), memory_id, first=100)).items
        found |= {f"{memory_id} {each.item.person_id}" for each in listed}
    return found


def keys_of(world: World) -> list[str]:
    """The keys of all entities and persons."""
    return [f"concept:{entity}" for entity in world.entities] + [f"person:{person}" for person in world.persons]


@read_path("entity/mentions", mentions)
async def _mentions(ground: Ground, world: World, view: View) -> set[str]:
    keys = [f"concept:{entity}" for entity in world.entities]
    found = await Cards(ground.service.database, lambda: NOW).mentions(world.viewer(view), keys, view.times)
    return {f"{key.removeprefix('concept:')} {count}" for key, count in found.items()}


@read_path("entity/cards", cards)
async def _cards(ground: Ground, world: World, view: View) -> set[str]:
    made = Cards(ground.service.database, lambda: NOW)
    found = await made.of_found(world.viewer(view), list(world.memories), view.times)
    return {f"{one.key} {[fact.id for fact in one.facts]}" for one in found}


@read_path("entity/cards, asked", cards_asked_for)
async def _cards_asked_for(ground: Ground, world: World, view: View) -> set[str]:
    made = Cards(ground.service.database, lambda: NOW)
    asked = await made.cards(world.viewer(view), keys_of(world), view.times)
    return {f"{one.key} {[fact.id for fact in one.facts]}" for one in asked.values() if one.facts}


@read_path("entity/summaries", summaries)
async def _summaries(ground: Ground, world: World, view: View) -> set[str]:
    made = Cards(ground.service.database, lambda: NOW)
    found = await made.summaries(world.viewer(view), keys_of(world), view.times)
    return {f"{key.removeprefix('concept:')} {one.memory.id}" for key, one in found.items()}


@read_path("timeline/of_entities", timelines)
async def _timelines(ground: Ground, world: World, view: View) -> set[str]:
    places = dict.fromkeys(keys_of(world))
    lines = Timelines(ground.service.database, lambda: NOW)
    pages = await lines.of_entities(world.viewer(view), places, times=view.times, first=100)
    return {f"{key} {[listed.item.id for listed in page.items]}" for key, page in pages.items() if page.items}


@read_path("timeline/of_chat", in_the_chat)
async def _timeline_of_chat(ground: Ground, world: World, view: View) -> set[str]:
    me, lines = world.viewer(view), Timelines(ground.service.database, lambda: NOW)
    page = await lines.of_chat(me, me.chat_id or "", persona_id=me.persona_id, times=view.times, first=100)
    return {listed.item.id for listed in page.items}


@read_path("context/pinned", pinned)
async def _pinned(ground: Ground, world: World, view: View) -> set[str]:
    viewer = world.viewer(view)
    params = request_params(viewer, view.times, lambda: NOW)
    rows = await ground.service.database.run("context/pinned", most=100, **params)
    return {row["memory"]["id"] for row in rows}


@read_path("context/sources", sources)
async def _sources(ground: Ground, world: World, view: View) -> set[str]:
    viewer = world.viewer(view)
    facts = sorted(from_where_one_stands(world, view))
    params = request_params(viewer, view.times, lambda: NOW)
    rows = await ground.service.database.run("context/sources", facts=facts, **params)
    return {f"{row['fact']} {row['memory']['id']}" for row in rows}


@read_path("context", nothing)
async def _context(ground: Ground, world: World, view: View) -> set[str]:
    database = ground.service.database
    search = ground.search(OneVector(ground.slot.dimensions), Listening(database))
    contexts = ContextAssembly(
        database, lambda: NOW, search, count=reckoned_tokens, executor=ground.executor, fixed_budget=2000
    )
    words = " ".join(["bread", *world.named(view)])
    try:
        found = await contexts.context(world.viewer(view), words, times=view.times)
    except NotFound:
        return set()
    shown = from_where_one_stands(world, view)
    assert all(f"[id:{i}]" not in found.text for i in world.memories.keys() - shown), "a hidden memory is in the text"
    return found.memories.keys() - shown


@read_path("fact/weak", in_the_present(weak))
async def _weak(ground: Ground, world: World, view: View) -> set[str]:
    facts = WeakFacts(ground.service.database, lambda: NOW, threshold=0.05)
    page = await facts.weak(world.viewer(view), first=100)
    return {listed.item.memory.id for listed in page.items}


@read_path("archive/search", in_the_archive)
async def _archive(ground: Ground, world: World, view: View) -> set[str]:
    archive, words = Archive(ground.service.database, lambda: NOW), " ".join(["bread", *world.named(view)])
    try:
        page = await archive.search(world.viewer(view), words, times=view.times, first=100)
    except NotFound:
        return set()
    return {listed.item.id for listed in page.items}


@read_path("archive/list", in_the_present(archived_of_mine))
async def _archive_list(ground: Ground, world: World, view: View) -> set[str]:
    page = await Archive(ground.service.database, lambda: NOW).list(world.viewer(view), first=100)
    # Imported memories without a known chat may be shown to all, so those of other worlds are left out here.
    return {listed.item.memory.id for listed in page.items}.intersection(world.memories)


@read_path("archive/called", archived_and_called)
async def _archive_called(ground: Ground, world: World, view: View) -> set[str]:
    archive, found = Archive(ground.service.database, lambda: NOW), set()
    for memory_id in list(world.memories)[:EXPLAINED]:
        with suppress(NotFound):
            found.add(await archive.called(world.viewer(view), memory_id))
    return found


@read_path("entity/relations", related)
async def _relations(ground: Ground, world: World, view: View) -> set[str]:
    cards, found = Cards(ground.service.database, lambda: NOW), set()
    places = dict.fromkeys(f"concept:{entity}" for entity in world.entities)
    pages = await cards.relations(world.viewer(view), places, times=view.times)
    for one in (listed.item for page in pages.values() for listed in page.items):
        found.add(f"{one.source.id} {one.target.id} {[memory.id for memory in one.evidence]}")
    return found


async def _walk(ground: Ground, world: World, view: View, name: str) -> set[str]:
    lists = Listening(ground.service.database)
    seeds = sorted(from_where_one_stands(world, view))
    viewer = world.viewer(view)
    params = request_params(viewer, view.times, lambda: NOW) | NO_FILTERS.params()
    await lists.one(
        f"search/{'co_recalled' if name == CO_RECALLED else 'walked'}.{ground.slot.name}",
        seeds=seeds,
        type=name.upper(),
        depth=HOPS,
        most=100,
        asking=80,
        vector=None,
        **params,
    )
    return lists.found


@read_path("search/walked, in time", walked)
async def _before_and_after(ground: Ground, world: World, view: View) -> set[str]:
    return await _walk(ground, world, view, TEMPORAL)


@read_path("search/walked, to causes", walked)
async def _causes(ground: Ground, world: World, view: View) -> set[str]:
    return await _walk(ground, world, view, CAUSAL)


@read_path("search/co_recalled", own_beside)
async def _returned_together(ground: Ground, world: World, view: View) -> set[str]:
    return await _walk(ground, world, view, CO_RECALLED)


@read_path("search/entity", about_the_first_entity)
async def _entity(ground: Ground, world: World, view: View) -> set[str]:
    lists, viewer = Listening(ground.service.database), world.viewer(view)
    params = request_params(viewer, view.times, lambda: NOW) | NO_FILTERS.params()
    asked = {"about": world.entities[:1], "vector": None, "limit": 100, "reads": 100}
    await lists.one(f"search/entity.{ground.slot.name}", **asked, **params)
    return lists.found


def two_steps_away(world: World, view: View) -> set[str]:
    """The entities one and two relations from the first, if a visible memory states each relation on the way."""
    seen = from_where_one_stands(world, view)
    found: list[str] = []
    for one, other in list(pairwise(world.entities))[:2]:
        if not seen.intersection(world.naming(one)):
            break
        found.append(other)
    return set(found)


async def _asked(ground: Ground, world: World, view: View, statement: str, **params: object) -> set[str]:
    """The ids in the rows of a statement that is run as a request of the view."""
    viewer = world.viewer(view)
    where = request_params(viewer, view.times, lambda: NOW)
    return {row["id"] for row in await ground.service.database.run(statement, **params, **where)}


@read_path("search/relatives", two_steps_away)
async def _relatives(ground: Ground, world: World, view: View) -> set[str]:
    step = {"predicate": "part_of", "outward": True}
    rows = [{"owners": world.entities[:1], "steps": [step, step]}]
    return await _asked(ground, world, view, "search/relatives", rows=rows)


@read_path("search/traits", from_where_one_stands)
async def _traits(ground: Ground, world: World, view: View) -> set[str]:
    return await _asked(ground, world, view, "search/traits", ids=list(world.memories))


@read_path("search/cued", from_where_one_stands)
async def _cued(ground: Ground, world: World, view: View) -> set[str]:
    cues, about = "(?isu).*(?<!\\w)(?:bread)(?!\\w).*", world.entities[:2]
    ids, asked = list(world.memories), {"place": True, "sure": 0.8, "frames": ["like", "home"], "about": about}
    return await _asked(ground, world, view, "search/cued", ids=ids, cues=cues, **asked)


@read_path("search/token_vectors", from_where_one_stands)
async def _token_vectors(ground: Ground, world: World, view: View) -> set[str]:
    return await _asked(ground, world, view, "search/token_vectors.a", ids=list(world.memories), vector=None)


@read_path("search/nearest_parts", from_where_one_stands)
async def _nearest_parts(ground: Ground, world: World, view: View) -> set[str]:
    nearest = {"vector": [1.0] + [0.0] * (ground.slot.dimensions - 1), "most": 4}
    return await _asked(ground, world, view, "search/nearest_parts.a", ids=list(world.memories), **nearest)


def outdated(world: World, view: View) -> set[str]:
    """The outdated memories, each with the reason and the latest visible memory that holds in its place. Each turn is
    derived from the next memory; that one is outdated if the viewer could see the turn once, and the turn has ended or
    was corrected since.
    """
    found, viewer, times = set(), world.viewer(view), view.times
    for fact, turn in pairwise(world.memories):
        known = world.memories[fact]
        if known.summary or is_fact(world, fact):
            continue
        reason = _gone(known, times)
        once = Times(known.valid_from, known.created_at)
        if reason and known.created_at <= times.known_at and world.visible(fact, viewer, once):
            in_place = [each for each in _above(world, fact) if world.visible(each, viewer, times)]
            latest = max((world.memories[each].created_at for each in in_place), default=None)
            holds = min((each for each in in_place if world.memories[each].created_at == latest), default=None)
            found.add(f"{turn} {reason} {holds}")
    return found


def _gone(record: Record, times: Times) -> str | None:
    """Why a memory does not hold any more at these times: `corrected`, `ended`, or None if it holds."""
    if record.retired_at and record.retired_at <= times.known_at:
        return "corrected"
    ended = record.ended_at and record.ended_at <= times.known_at
    return "ended" if ended and record.valid_until and record.valid_until <= times.as_of else None


def _above(world: World, memory_id: str) -> set[str]:
    """The memories that outrank a memory, directly or through others."""
    above: set[str] = set()
    while (memory_id := world.outranking.get(memory_id, "")) and memory_id not in above:
        above.add(memory_id)
    return above


@read_path("search/outdated", outdated)
async def _outdated(ground: Ground, world: World, view: View) -> set[str]:
    viewer = world.viewer(view)
    params = request_params(viewer, view.times, lambda: NOW) | NO_FILTERS.params()
    rows = await ground.service.database.run("search/outdated", turns=list(world.memories), **params)
    return {f"{row['turn']} {row['reason']} {row['holds']}" for row in rows}


def with_named_persona(oracle: Oracle) -> Oracle:
    """The oracle limited to memories of the persona of the view, or to those of none if the view has none."""
    return lambda world, view: {
        i for i in oracle(world, view) if world.memories[i].persona_id == world.viewer(view).persona_id
    }


def with_asked_persona(oracle: Oracle) -> Oracle:
    """The oracle limited to memories of the persona that is asked: that of the view, else the only one of the chat."""
    return lambda world, view: {
        i
        for i in oracle(world, view)
        if world.memories[i].persona_id == visibility.asked_persona(world.viewer(view), world.places)
    }


def of_own_personas(world: World, view: View) -> set[str]:
    """The memories in `at_home` of the persona of the view, or of all for a viewer with all personas."""
    return (at_home if view.every_persona else with_named_persona(at_home))(world, view)


@read_path("todo/list", of_own_personas)
async def _todos(ground: Ground, world: World, view: View) -> set[str]:
    viewer = world.viewer(view)
    asked = {"statuses": ["open"], "kinds": ["thread"], "overdue": False, "limit": 100}
    rows = await ground.service.database.run(
        "todo/list",
        persona=viewer.persona_id or "",
        every_persona=viewer.every_persona,
        until=NO_END,
        until_id="",
        **asked,
        **read_params(viewer, view.times, lambda: NOW),
    )
    return {source for row in rows for source in row["todo"]["sources"]}


@read_path("todo/called", at_home)
async def _todos_called(ground: Ground, world: World, view: View) -> set[str]:
    viewer = world.viewer(view)
    params = read_params(viewer, view.times, lambda: NOW)
    rows = await ground.service.database.run("todo/called", prefix="", limit=1_000, **params)
    return {row["id"].removesuffix(viewer.person_id) for row in rows}


@read_path("todo/here", with_asked_persona(from_where_one_stands))
async def _todos_here(ground: Ground, world: World, view: View) -> set[str]:
    viewer = world.viewer(view)
    params = request_params(viewer, view.times, lambda: NOW)
    rows = await ground.service.database.run("todo/here", limit=100, **params)
    return {source for row in rows for source in row["todo"]["sources"]}


def summaries_of_scope(world: World, view: View, oracle: Oracle) -> dict[str, Record]:
    """The summaries that the oracle shows in the scope of the view: its group, else the viewer."""
    viewer = world.viewer(view)
    chat = viewer.chat_id
    group = chat is not None and world.places.kinds[chat] is ChatKind.GROUP
    return {
        i: world.memories[i]
        for i in oracle(world, view)
        if i in world.made_of
        and (world.memories[i].owner_id or world.memories[i].chat_id) == (chat if group else viewer.person_id)
    }


def latest_summary(world: World, view: View) -> set[str]:
    """The summary of the latest talk with the persona that is asked, or with any for a viewer with all personas."""
    of_any = from_where_one_stands if view.every_persona else with_asked_persona(from_where_one_stands)
    found = summaries_of_scope(world, view, of_any)
    return {max(found, key=lambda i: (found[i].valid_from, i))} if found else set()


@read_path("summary/here", latest_summary)
async def _summaries_here(ground: Ground, world: World, view: View) -> set[str]:
    viewer = world.viewer(view)
    params = request_params(viewer, view.times, lambda: NOW)
    return {row["summary"]["id"] for row in await ground.service.database.run("summary/here", **params)}


def asked_space(world: World, view: View) -> str | None:
    """The space whose communities are shown: that of the chat, outside any chat that of the viewer."""
    viewer = world.viewer(view)
    return world.places.spaces.get(viewer.chat_id) if viewer.chat_id else viewer.space_id


def latest_analysis(world: World, view: View) -> set[str]:
    """The latest visible analysis of the scope, of the persona that is asked and of the space of the view."""
    space = asked_space(world, view)
    of_scope = summaries_of_scope(world, view, with_asked_persona(from_where_one_stands))
    found = {i: summary for i, summary in of_scope.items() if summary.space_id == space}
    return {max(found, key=lambda i: (found[i].created_at, i))} if found else set()


@read_path("community/members", latest_analysis)
async def _communities(ground: Ground, world: World, view: View) -> set[str]:
    viewer = world.viewer(view)
    params = request_params(viewer, view.times, lambda: NOW)
    start = {"community": None, "after": 0, "after_centrality": 0.0, "after_id": "", "limit": 100}
    rows = await ground.service.database.run("community/members", **start, **params)
    return {row["analysis"]["id"] for row in rows}


def summaries_of_sessions(world: World, view: View) -> set[str]:
    """The latest summary of each session, among those visible in its chat."""
    latest: dict[str, str] = {}
    found = in_sessions(world, view) & set(world.made_of)
    for i in sorted(found, key=lambda i: (world.memories[i].created_at, i)):
        latest[session_of(world, i)] = i
    return set(latest.values())


@read_path("summary/of_sessions", summaries_of_sessions)
async def _summaries_of_sessions(ground: Ground, world: World, view: View) -> set[str]:
    sessions = sorted({session_of(world, i) for i in world.memories})
    rows = await ground.service.database.run(
        "summary/of_sessions", sessions=sessions, **read_params(world.viewer(view), view.times, lambda: NOW)
    )
    return {row["summary"]["id"] for row in rows}


def said_last(world: World, view: View) -> set[str]:
    """The last visible turn with the persona in the viewer's chats: by anybody, and by the viewer."""
    found = {i: world.memories[i] for i in with_named_persona(in_sessions)(world, view)}
    mine = {i for i, m in found.items() if m.speaker_id == world.persons[view.person]}

    def last(ids: Iterable[str]) -> str | None:
        return max(ids, key=lambda i: (found[i].valid_from, i), default=None)

    return {f"interaction {last(found)}", f"message {last(mine)}"}


@read_path("state/session_state", said_last)
async def _session_state(ground: Ground, world: World, view: View) -> set[str]:
    viewer = world.viewer(view)
    params = {"persona": viewer.persona_id or "", "no_end": NO_END} | read_params(viewer, view.times, lambda: NOW)
    row = await ground.service.database.one("state/session_state", **params)
    assert row is not None
    last, mine = row["last_interaction"] or {}, row["last_message"] or {}
    return {f"interaction {last.get('id')}", f"message {mine.get('id')}"}


@read_path("stats", in_the_present(how_many_of_mine))
async def _stats(ground: Ground, world: World, view: View) -> set[str]:
    counts = await Stats(ground.service.database, lambda: NOW, most_megabytes=1.0).counts(world.viewer(view))
    return {
        f"{counts.memories} memories",
        f"{counts.entities} entities",
        f"{counts.links} links",
        f"{counts.waiting_sessions} sessions",
    }


# --- the tests ---


@pytest.fixture(scope="module")
def executor() -> Iterator[ThreadPoolExecutor]:
    """A pool of one thread, for the embedder."""
    with ThreadPoolExecutor(1) as pool:
        yield pool


@pytest.fixture(scope="module")
async def ground(
    shared_service: Service, executor: ThreadPoolExecutor, request: pytest.FixtureRequest
) -> AsyncIterator[Ground]:
    """The ground of all worlds, over a graph that is emptied before and after. At the end the number of decisions of
    each path is printed.
    """
    await wipe(shared_service.database, shared_service.local_user.id)
    where, embedder = shared_service.connection, shared_service.embedder
    assert embedder is not None
    slot = await answering_slot(shared_service.database, shared_service.clock, embedder.model, embedder.dimensions)
    async with driver_of(where) as driver:
        ground = Ground(shared_service, driver, slot, executor)
        yield ground
    await wipe(shared_service.database, shared_service.local_user.id)
    capture = request.config.pluginmanager.get_plugin("capturemanager")
    with capture.global_and_fixture_disabled():
        for name, (seen, hidden) in ground.decided.items():
            sys.stdout.write(f"\nvisibility: {name} decided {seen + hidden:,} times, {seen:,} shown, {hidden:,} hidden")
        decided = sum(map(sum, ground.decided.values()))
        sys.stdout.write(f"\nvisibility: {decided:,} decisions in all\n")


def _draft(**changes: Any) -> Draft:
    """A public memory that the first person owns and said in private on the first day, with changes."""
    plain = Draft(
        owner=0,
        chat=None,
        learned_in=PRIVATE,
        persona=None,
        speaker=0,
        about=frozenset(),
        entity=0,
        name="Beta",
        sensitivity=Sensitivity.PUBLIC,
        portable=True,
        source="conversation",
        moments=(DAYS[0],) * 3,
        ends=(None, None, None, None),
        outranked_by=None,
    )
    return replace(plain, **changes)


# Edge cases that random worlds seldom contain: persons who join later or have just left, and memories that begin or end
# at `NOW`. In the first group the first person is a member throughout, the second joins later, the third leaves at
# `NOW`; in the second group the first person took part from the third day to the fifth.
EDGES = {
    "memberships": [
        *([(DAYS[0], None)], [(DAYS[8], None)], [(DAYS[0], NOW)]),
        *([(DAYS[2], DAYS[4])], [(DAYS[0], None)], [(DAYS[0], None)]),
    ],
    "found": [
        _draft(),
        _draft(about=frozenset({2})),
        _draft(owner=1, speaker=0, learned_in=2, about=frozenset({2})),
        # One about a person who is not there yet, and one with an entity that the first person may not know of.
        _draft(owner=2, speaker=2, learned_in=2, about=frozenset({1})),
        _draft(owner=1, speaker=1, learned_in=2, moments=(DAYS[0],) * 3, entity=3),
        *(
            _draft(owner=None, chat=1, learned_in=1, speaker=0, about=frozenset({person}), sensitivity=sensitivity)
            for person in (1, 2)
            for sensitivity in (Sensitivity.PERSONAL, Sensitivity.SENSITIVE)
        ),
        *(
            _draft(owner=1, learned_in=2, speaker=1, about=frozenset({2}), moments=(DAYS[0], DAYS[0], day))
            for day in (DAYS[0], DAYS[2], DAYS[3], DAYS[4], DAYS[6])
        ),
        # Shown to its owner alone but not in the group, since nobody whom it is about takes part there.
        _draft(learned_in=1, about=frozenset({1}), sensitivity=Sensitivity.PERSONAL),
        # Learned in the group, about somebody who is not there: a candidate of a search there only if they are named.
        _draft(owner=2, speaker=2, learned_in=1, about=frozenset({1}), portable=False),
        _draft(moments=(NOW, DAYS[0], DAYS[0])),
        _draft(moments=(DAYS[0], NOW, DAYS[0])),
        _draft(ends=(NOW, DAYS[4], None, None)),
        _draft(ends=(DAYS[2], DAYS[4], None, None)),
        _draft(ends=(DAYS[2], NOW, None, None)),
        _draft(ends=(None, None, NOW, None)),
        _draft(ends=(None, None, None, NOW)),
        # An archived memory, and summaries: of a source that all see, of one hidden in the group, of hidden ones.
        _draft(archived=True),
        _draft(sources=frozenset({0})),
        _draft(sources=frozenset({0, 3})),
        _draft(owner=None, chat=1, learned_in=1, sources=frozenset({5, 6}), sensitivity=Sensitivity.SENSITIVE),
        _draft(sensitivity=Sensitivity.SENSITIVE, sources=frozenset({0})),
        # The subject of a summary is the viewer, and not its speaker, who does not take part yet.
        _draft(owner=None, chat=1, learned_in=1, speaker=1, sources=frozenset({0}), sensitivity=Sensitivity.PERSONAL),
        # Its owner makes it public, by a wish below; then it is found.
        _draft(owner=1, speaker=1, learned_in=2, about=frozenset({2}), sensitivity=Sensitivity.PERSONAL),
        # Sensitive, about nobody, and learned here from its owner.
        _draft(learned_in=1, sensitivity=Sensitivity.SENSITIVE),
    ],
    "looks": [
        *(View(0, chat, None, Times(NOW, NOW), 2) for chat in (None, PRIVATE, 1, 2)),
        *(View(0, None, None, Times(DAYS[4], known_at), 2) for known_at in (DAYS[3], DAYS[4], NOW)),
        *(View(person, 1, None, Times(NOW, NOW), None) for person in (1, 2)),
        View(1, 2, None, Times(NOW, NOW), 2),
        # A person who joins later does not take part, whatever the times of the read.
        View(0, 1, None, Times(NOW, DAYS[8]), None),
        *(View(0, 1, None, Times(NOW, NOW), named) for named in (None, 1)),
    ],
    # Label changes: one that hides a memory shown in a group, and ones by the speaker and by the owner.
    "legacy_disclosable": False,
    "wishes": [
        *(Change(0, 0, Sensitivity.SENSITIVE), Change(0, 1, False), Change(0, 2, Sensitivity.PERSONAL)),
        *(Change(1, 2, Sensitivity.SENSITIVE), Change(1, 29, Sensitivity.PUBLIC)),
    ],
    "chats_of": None,
}

# The first group has sessions with one persona and with none, the second with both and none, the private chat with the
# second persona and none.
PERSONA_EDGES = {
    "memberships": [[(DAYS[0], None)]] * (PERSONS * (CHATS - 1)),
    "found": [
        *(_draft(owner=None, chat=1, learned_in=1, persona=persona) for persona in (None, 0)),
        *(_draft(owner=None, chat=2, learned_in=2, persona=persona) for persona in (None, 0, 1)),
        *(_draft(persona=persona) for persona in (None, 1)),
        *(_draft(persona=persona, learned_in=None) for persona in (0, 1)),
        # Owned by somebody else, with each persona.
        *(_draft(owner=1, speaker=1, learned_in=None, persona=persona) for persona in (0, 1)),
        # Hearsay, and the statement of its subject to one persona that outranks it.
        _draft(owner=1, speaker=1, learned_in=2, about=frozenset({0}), outranked_by=12),
        _draft(persona=1, about=frozenset({0})),
        # Summaries of memories of a persona.
        *(_draft(owner=None, chat=1, learned_in=1, persona=0, sources=frozenset(made_of)) for made_of in ({0, 1}, {1})),
        *(
            _draft(learned_in=None, persona=persona, sources=frozenset({made_of}))
            for persona, made_of in ((0, 7), (1, 8))
        ),
        # A summary of talk with no persona, beside those of talk with one.
        _draft(owner=None, chat=1, learned_in=1, sources=frozenset({0})),
    ],
    "looks": [
        View(0, chat, persona, Times(NOW, NOW), None, every_persona)
        for chat in (None, PRIVATE, 1, 2)
        for persona, every_persona in ((None, False), (None, True), (0, False), (1, False))
    ],
    "legacy_disclosable": False,
    "wishes": [],
    "chats_of": None,
}

# The private chat and the first group belong to two spaces, the second group to none. Memories belong to the space of
# the chat in which they were learned, to another or to none, or were learned in no chat.
SPACE_EDGES = {
    "memberships": [[(DAYS[0], None)]] * (PERSONS * (CHATS - 1)),
    "found": [
        *(_draft(space=space, learned_in=learned_in) for space in (None, 0, 1) for learned_in in (PRIVATE, None)),
        *(_draft(owner=None, chat=1, learned_in=1, space=space) for space in (None, 0, 1)),
        *(_draft(owner=None, chat=2, learned_in=2, space=space) for space in (None, 0)),
        # About somebody, stated by another in each group, portable and not.
        *(
            _draft(owner=1, speaker=1, learned_in=chat, about=frozenset({2}), space=space, portable=portable)
            for chat, space in ((1, 1), (2, None), (2, 0))
            for portable in (True, False)
        ),
        # Hearsay of no space, and the statement of its subject within a space that outranks it.
        _draft(owner=1, speaker=1, learned_in=2, about=frozenset({0}), outranked_by=18),
        _draft(about=frozenset({0}), space=1),
        # Summaries within one space.
        _draft(space=0, learned_in=None, sources=frozenset({0, 2})),
        _draft(space=1, learned_in=None, sources=frozenset({4})),
        _draft(owner=None, chat=1, learned_in=1, space=1, sources=frozenset({8})),
    ],
    "looks": [
        View(person, chat, None, Times(NOW, NOW), 2, True, space)
        for person in (0, 1)
        for chat, space in ((None, None), (None, 0), (None, 1), (PRIVATE, None), (1, None), (2, None), (2, 0))
        if (person, chat) != (1, PRIVATE)
    ],
    "legacy_disclosable": False,
    "wishes": [],
    "chats_of": (0, 1, None),
}
# In a private chat of no space, memories of a space are hidden.
SPACELESS_EDGES = {**SPACE_EDGES, "looks": [View(0, PRIVATE, None, Times(NOW, NOW), 2, True)], "chats_of": (None, 0, 1)}
# A confided memory is hidden from a member who had left and came back later, unless they said it, and from a person who
# is only invited to the other group. For a member who joined later, the session begins with the first turn that they
# may see.
RETURN_EDGES = {
    "memberships": [
        *([(DAYS[0], DAYS[2]), (DAYS[5], None)], [(DAYS[0], None)], [(DAYS[4], None)]),
        *([(DAYS[0], None)], [], [(DAYS[0], None)]),
    ],
    "found": [
        *(
            _draft(owner=None, chat=1, learned_in=1, speaker=1, moments=(day,) * 3, confided=confided)
            for day in (DAYS[0], DAYS[3], DAYS[5])
            for confided in (True, False)
            if confided or day > DAYS[0]
        ),
        _draft(owner=None, chat=1, learned_in=1, speaker=0, moments=(DAYS[3],) * 3, confided=True),
        _draft(owner=2, speaker=2, learned_in=2, about=frozenset({0}), confided=True),
    ],
    "looks": [View(person, 1, None, Times(NOW, NOW), None) for person in range(PERSONS)],
    "legacy_disclosable": False,
    "wishes": [],
    "chats_of": None,
}

# With `legacy_disclosable`, imported memories without a known chat may be disclosed to all.
LEGACY_EDGES = {
    "memberships": EDGES["memberships"],
    "found": [
        _draft(owner=1, speaker=1, about=frozenset({2}), learned_in=learned_in, source=source)
        for learned_in in (None, 2)
        for source in ("migration", "conversation")
    ],
    "looks": [View(0, chat, None, Times(NOW, NOW), 2) for chat in (None, PRIVATE)],
    "legacy_disclosable": True,
    "wishes": [],
    "chats_of": None,
}


Check = Callable[..., Awaitable[None]]


def in_worlds(many: int) -> Callable[[Check], Check]:
    """Runs a test in the worlds of edge cases, and in `many` random ones."""

    def decorated(test: Check) -> Check:
        for edges in (EDGES, LEGACY_EDGES, PERSONA_EDGES, SPACE_EDGES, SPACELESS_EDGES, RETURN_EDGES):
            test = example(**edges)(test)
        test = given(
            found=st.lists(drafts(), min_size=12, max_size=24),
            memberships=stretches,
            looks=st.lists(views, min_size=VIEWS, max_size=VIEWS),
            wishes=st.lists(changes, max_size=CHANGES),
            legacy_disclosable=st.booleans(),
            chats_of=chats_of_spaces,
        )(test)
        # No shrinking, which would write hundreds of worlds more: the path and the view in the message suffice.
        return settings(
            max_examples=many,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            phases=[Phase.explicit, Phase.reuse, Phase.generate],
        )(test)

    return decorated


async def agrees(ground: Ground, world: World, looks: list[View], paths: Iterable[str]) -> None:
    """Asserts that each of these read paths answers each view exactly as its oracle does, and counts the decisions."""
    for view in looks:
        for name in paths:
            answer, oracle = PATHS[name]
            expected, actual = oracle(world, view), await answer(ground, world, view)
            assert expected == actual, (name, view)
            tally = ground.decided.setdefault(name, [0, 0])
            tally[0] += len(expected)
            tally[1] += len(world.memories) - len(expected)


@in_worlds(5 * WORLDS)
async def test_memories_are_shown_by_their_ids_as_the_oracle_says(
    ground: Ground, found, memberships, looks, wishes, legacy_disclosable, chats_of
) -> None:
    """Reads by id, from where the viewer stands and from where they see most, answer as the oracle does in many worlds.
    Few statements are run, so that `scripts/weaken_rule.py` gets its result soon.
    """
    world = build(found, memberships, legacy_disclosable, chats_of)
    ground = ground.of(world)
    await ground.load(world)
    await agrees(ground, world, looks, ("memory/load", "browse/memories"))


@in_worlds(WORLDS)
async def test_every_read_path_shows_what_the_oracle_says(
    ground: Ground, found, memberships, looks, wishes, legacy_disclosable, chats_of
) -> None:
    """Each read path answers exactly as its oracle does, for any viewer, place and times, and after changes of labels.
    Labels in the graph are changed only by those who may change them.
    """
    world = build(found, memberships, legacy_disclosable, chats_of)
    ground = ground.of(world)
    await ground.load(world)
    for wish in wishes:
        await ground.change(world, wish)
    assert await ground.labels(world) == labels_of(world)
    await agrees(ground, world, looks, PATHS)


# --- influence ---

STRANGERS = 50
"""Number of hidden memories that are added to a world."""
HAUNT = """
UNWIND $pairs AS pair
MATCH (seen:Memory {id: pair.seen}), (hidden:Memory {id: pair.hidden})
CREATE (seen)-[:TEMPORAL {created_at: $from, confidence: 1.0}]->(hidden)
CREATE (hidden)-[:TEMPORAL {created_at: $from, confidence: 1.0}]->(seen)
CREATE (seen)-[:CAUSAL {created_at: $from, confidence: 0.7}]->(hidden)
CREATE (hidden)-[:CAUSAL {created_at: $from, confidence: 0.7}]->(seen)
CREATE (seen)-[:CO_RECALLED {created_at: $from, strength: 9}]->(hidden)
CREATE (seen)-[:ENTITY {created_at: $from}]->(hidden)
CREATE (seen)-[:CONTRADICTS {created_at: $from}]->(hidden)
CREATE (hidden)-[:SUPERSEDES {outranks: true}]->(seen)
SET seen.outranked = true, hidden += {pinned: true, importance: 3, score: 99, access_count: 99, stability: 365.0}
SET hidden += $nearest
WITH DISTINCT 1 AS done
MATCH (:Entity)-[related:RELATED_TO]->(:Entity)
WHERE any(memory IN related.evidence WHERE memory IN $seen)
SET related.evidence = related.evidence + $hidden
"""


def strangers(world: World) -> World:
    """A world of other persons and chats than the given one. Its memories mention the entities of the given world and
    are about its persons.
    """
    drafts = [
        _draft(owner=None if number % 2 else 0, chat=1 if number % 2 else None, learned_in=1 if number % 2 else PRIVATE)
        for number in range(STRANGERS)
    ]
    there = build(drafts, [[(DAYS[0], None)]] * (PERSONS * (CHATS - 1)), legacy_disclosable=False)
    for number, memory in enumerate(there.memories):
        about = frozenset({world.persons[number % PERSONS]})
        there.memories[memory] = replace(there.memories[memory], portable=False, about=about)
        there.mentions[memory] = world.entities[number % ENTITIES]
        there.names[memory] = ["Alpha", "Omega"][number % 2]
    return there


async def haunt(ground: Ground, world: World) -> None:
    """Writes hidden memories to the graph of a world: nearer to each query, of higher importance and score, and linked
    to all memories of the world.
    """
    there = strangers(world)
    await ground.load(there)
    seen, hidden = list(world.memories), list(there.memories)
    pairs = [{"seen": seen[number % len(seen)], "hidden": one} for number, one in enumerate(hidden)]
    nearest = {"embedding_a": [1.0] + [0.0] * (ground.slot.dimensions - 1)}
    asked = {"pairs": pairs, "from": START, "nearest": nearest, "seen": seen, "hidden": hidden}
    await ground.driver.execute_query(HAUNT, asked)


async def shown(ground: Ground, world: World, view: View) -> dict[str, Any]:
    """The answers that depend on several memories, with their numbers: search results with scores, contexts, cards and
    counts.
    """
    me, database, answers = world.viewer(view), ground.service.database, dict[str, Any]()
    for by, embedder in (("words", None), ("vectors", OneVector(ground.slot.dimensions))):
        search = ground.search(embedder, Listening(database))
        for profile in RankingProfile:
            asked = {"profile": profile, "times": view.times, "first": 20}
            page = await search.search(me, " ".join(["bread", *world.named(view)]), **asked)
            answers[f"{profile} by {by}"] = [
                (each.memory.id, asdict(replace(each, memory=None, cursor="", hits=_places(each))))
                for each in page.results
            ]
            answers[f"rest of {profile} by {by}"] = (page.has_next, page.floor)
            answers[f"least of {profile} by {by}"] = [
                each.memory.id for each in (await search.search(me, "bread", min_relevance=0.3, **asked)).results
            ]
        contexts = ContextAssembly(
            database, lambda: NOW, search, count=reckoned_tokens, executor=ground.executor, fixed_budget=2000
        )
        found = await contexts.context(me, "bread", times=view.times)
        answers[f"context by {by}"] = (found.text, found.tokens)
    cards = await Cards(database, lambda: NOW).cards(me, keys_of(world), view.times)
    answers["cards"] = {key: one.text for key, one in cards.items()}
    stats = await Stats(database, lambda: NOW, most_megabytes=1.0).counts(me)
    answers["stats"] = asdict(stats)
    return answers


def _places(result: Result) -> dict[str, tuple[int, float | None]]:
    """The rank and score of a result in each list. Scores of the full-text index are None, since they are not shown."""
    return {name: (hit.rank, None if name == FULL_TEXT else hit.score) for name, hit in result.hits.items()}


def nearly(given: Any) -> Any:
    """The value with each float replaced by `pytest.approx`, in nested dicts, lists and tuples."""
    if isinstance(given, float):
        return pytest.approx(given, rel=1e-6, abs=1e-9)
    if isinstance(given, dict):
        return {name: nearly(value) for name, value in given.items()}
    return type(given)(map(nearly, given)) if isinstance(given, (list, tuple)) else given


@settings(
    max_examples=max(2, WORLDS // 3),
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
)
@given(
    found=st.lists(drafts(), min_size=12, max_size=24),
    memberships=stretches,
    looks=st.lists(views, min_size=3, max_size=3),
)
async def test_what_is_hidden_changes_nothing(ground: Ground, found, memberships, looks) -> None:
    """Scores, ranks, floors, contexts, cards and counts stay the same when fifty hidden memories are added (P3)."""
    world = build(found, memberships, legacy_disclosable=False)
    ground = ground.of(world)
    await ground.load(world)
    lookers = [(view, world.viewer(view)) for view in looks]
    looks = [view for view, me in lookers if me.chat_id is None or world.enters(view, me.chat_id)]
    before = [await shown(ground, world, view) for view in looks]
    await haunt(ground, world)
    for view, expected in zip(looks, before, strict=True):
        found_now = await shown(ground, world, view)
        for name, answer in expected.items():
            assert nearly(answer) == found_now[name], (name, view)


@given(
    found=st.lists(drafts(), min_size=12, max_size=24),
    memberships=stretches,
    looks=st.lists(views, min_size=1, max_size=VIEWS),
)
def test_who_looks_with_all_personas_sees_nothing_that_no_persona_shows(found, memberships, looks) -> None:
    """Each memory, summaries aside, that a viewer sees with all personas is also visible to them with a single persona,
    in the same chat or, outside any chat, in one of their chats (P1). Checked on the oracle alone.
    """
    world = build(found, memberships, legacy_disclosable=False)
    for view in looks:
        me = world.viewer(view)
        chats = [me.chat_id] if me.chat_id else [None, *(chat for chat in world.chats if world.enters(view, chat))]
        named = [me.at(chat, persona) for chat in chats for persona in world.personas]
        for i in from_where_one_stands(world, replace(view, persona=None, every_persona=True)) - world.made_of.keys():
            assert any(world.visible(i, each, view.times) for each in named)


def test_every_path_that_returns_memories_is_registered() -> None:
    """Each read statement that includes the rule belongs to a registered path or is listed here, so that no new one
    goes unchecked.
    """
    including = {
        name if name in PATHS else name.partition(".")[0]
        for name, statement in cypher.load().items()
        if "may_see" in statement.text and (statement.mode == "read" or name in PATHS)
    }
    # `search/query_scope` and `search/relations` run in each search. Jobs read the sources of summaries and show them
    # to nobody; the summaries are read on each path. `summary/session_request` looks a session up as other reads do.
    covered = {*PATHS, "search/query_scope", "search/relations", "summary/sources"}
    covered |= {
        "summary/session_sources",
        "summary/rolling_sources",
        "summary/spine_sources",
        "summary/session_request",
        "community/sources",
    }
    covered |= {"stats/memories", "stats/entities", "stats/links", "stats/sessions"}
    assert {name.partition(",")[0] for name in covered} - {"stats", "context"} == including
