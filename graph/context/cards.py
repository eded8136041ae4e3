"""Entity cards: what is known of an entity in short, from what the viewer may see and nothing else (R7, M15)."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

from hippograph.graph.access.parameters import request_params
from hippograph.graph.clock import Clock
from hippograph.graph.context.attribution import as_item, said_by
from hippograph.graph.database import Database
from hippograph.graph.model import Entity, EntityType, Memory, Times, Viewer
from hippograph.graph.paging import Listing, checked_first, decode_cursor, listing
from hippograph.graph.people.entities import known_entities
from hippograph.graph.people.people import check_persona
from hippograph.graph.retention.recall import ReadKind, Recall
from hippograph.graph.retrieval.memories import Memories, memory
from hippograph.nlp.frames.frame import frame_order
from hippograph.nlp.parsing.wording import possessive

FACTS: Final = 3
EVIDENCE: Final = 3


@dataclass(frozen=True, slots=True)
class Card:
    """An entity by its key, and the weightiest of what is significant about it to the viewer: importance 2 or more, or
    pinned by them. The card of an entity that was asked for, and of which nothing is, has the weightiest of its other
    facts.
    """

    key: str
    facts: tuple[Memory, ...]
    viewer_id: str

    @property
    def items(self) -> tuple[str, ...]:
        """The words of each fact, with who says so where it is not the viewer."""
        return tuple(said_by(fact, self.viewer_id) + as_item(fact, self.viewer_id) for fact in self.facts)

    @property
    def text(self) -> str:
        """The card in one line: `[person:john]: fact1; Ben says: fact2; fact3`; empty when there is no fact."""
        return f"[{self.key}]: {'; '.join(self.items)}" if self.facts else ""


@dataclass(frozen=True, slots=True)
class EntitySummary:
    """What is known of an entity in a few sentences, and the ids of the memories that they are taken from."""

    memory: Memory
    sources: frozenset[str]

    def tells_more_than(self, facts: Iterable[Memory]) -> bool:
        """Whether it is taken from more than these facts: else it says again what they say."""
        return not self.sources.issubset(fact.id for fact in facts)


@dataclass(frozen=True, slots=True)
class Relation:
    """What one entity is to another (the predicate: `works_at`, `brother_of`), and the latest memories that say so."""

    source: Entity
    predicate: str
    target: Entity
    evidence: tuple[Memory, ...]

    @property
    def words(self) -> str:
        """The relation as a sentence: "Karin is Maya Lindqvist's boss", "Maya Lindqvist works at Brightwater"."""
        source, target = self.source.canonical_name, self.target.canonical_name
        what = self.predicate.replace("_", " ")
        if what.endswith(" of") and self.target.type is EntityType.PERSON:
            return f"{source} is {possessive(target)} {what.removesuffix(' of')}"
        is_verb = what.split(" ")[0].endswith("s") and not what.endswith(" of")
        return f"{source} {'' if is_verb else 'is '}{what} {target}"


class Cards:
    """Makes cards."""

    def __init__(self, database: Database, clock: Clock, recall: Recall | None = None) -> None:
        """`recall` notes what is on cards, where that is asked for."""
        self._database = database
        self._clock = clock
        self._recall = recall
        self._memories = Memories(database, clock)

    async def cards(
        self, viewer: Viewer, keys: Sequence[str], times: Times | None = None, *, reinforce: bool = False
    ) -> dict[str, Card]:
        """The cards of entities by key, from where the viewer stands: facts that they pinned first, then the important
        ones, those by another's hand behind, by frame, then the new; where none is significant, others. Of whom there
        is no fact, there is an empty one.

        With `reinforce` these facts count as recalled (T4). Raises `NotFound` for an unknown persona.
        """
        await check_persona(self._database, viewer.persona_id)
        made = await self._read(viewer, times, keys=list(keys), found=[])
        if reinforce:
            self._note(viewer, made.values())
        return {key: made.get(key) or Card(key, (), viewer.person_id) for key in keys}

    async def of_found(
        self, viewer: Viewer, found: Sequence[str], times: Times | None = None, *, reinforce: bool = False
    ) -> list[Card]:
        """The cards of all that some memories (by id, the best first) name or are about, in the order in which it comes
        up there (R7). They hold what is significant about it, whether found or not; none is empty. With `reinforce`
        their facts count as recalled, apart from those that were found and so are counted already (T4).
        """
        made = list((await self._read(viewer, times, keys=[], found=list(found))).values())
        if reinforce:
            self._note(viewer, made, frozenset(found))
        return made

    async def mentions(self, viewer: Viewer, keys: Sequence[str], times: Times | None = None) -> dict[str, int]:
        """How many memories name each entity or are about it, of those that the viewer may see, by key."""
        rows = await self._database.run(
            "entity/mentions", keys=list(keys), **request_params(viewer, times, self._clock)
        )
        return {row["key"]: row["mentions"] for row in rows}

    async def summaries(
        self, viewer: Viewer, keys: Sequence[str], times: Times | None = None
    ) -> dict[str, EntitySummary]:
        """The latest summary of each entity that has one of which the viewer may see all sources, by key (M15)."""
        rows = await self._database.run(
            "entity/summaries", keys=list(keys), **request_params(viewer, times, self._clock)
        )
        return {row["key"]: EntitySummary(memory(row), frozenset(row["sources"])) for row in rows}

    async def relations(
        self, viewer: Viewer, places: Mapping[str, str | None], *, times: Times | None = None, first: int = 20
    ) -> dict[str, Listing[Relation]]:
        """What some entities are to others and they to them, as far as the viewer may see a memory that says so from
        where they stand; by predicate and keys. `places` are the entities by key, each with the cursor to go on from.

        Raises `InvalidInput` for a page size out of range or a cursor of another list.
        """
        rows = await self._database.run(
            "entity/relations",
            places=[_place(key, after) for key, after in places.items()],
            most=EVIDENCE,
            limit=checked_first(first) + 1,
            **request_params(viewer, times, self._clock),
        )
        ends = chain.from_iterable((row["source"], row["target"]) for row in rows)
        said, known = await asyncio.gather(
            self._memories.load(viewer, [each for row in rows for each in row["evidence"]], times),
            known_entities(self._database, self._clock, viewer, ends),
        )
        found: dict[str, list[Relation]] = {key: [] for key in places}
        for row in rows:
            if row["source"] in known and row["target"] in known:
                evidence = tuple(said[each] for each in row["evidence"] if each in said)
                found[row["key"]].append(
                    Relation(known[row["source"]], row["predicate"], known[row["target"]], evidence)
                )
        return {
            key: listing(_name(key), first, each, lambda one: (one.predicate, one.source.key, one.target.key))
            for key, each in found.items()
        }

    def _note(self, viewer: Viewer, cards: Iterable[Card], counted: frozenset[str] = frozenset()) -> None:
        if self._recall is not None:
            told = (fact.id for card in cards for fact in card.facts if fact.id not in counted)
            self._recall.note(viewer, told, ReadKind.CARD)

    async def _read(self, viewer: Viewer, times: Times | None, **asked: list[str]) -> dict[str, Card]:
        rows = await self._database.run(
            "entity/cards",
            frames=list(frame_order()),
            most=FACTS,
            **asked,
            **request_params(viewer, times, self._clock),
        )
        facts: dict[str, list[Memory]] = {}
        for row in rows:
            facts.setdefault(row["key"], []).append(memory(row))
        return {key: Card(key, tuple(each), viewer.person_id) for key, each in facts.items()}


def _place(key: str, after: str | None) -> dict[str, object]:
    predicate, source, target = decode_cursor(_name(key), after, ("", "", ""))
    return {"key": key, "predicate": predicate, "source": source, "target": target}


def _name(key: str) -> str:
    return f"relations of {key}"
