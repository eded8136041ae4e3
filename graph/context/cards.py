"""Entity cards: the main facts about an entity, only from memories that the viewer may see (R7, M15)."""

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
    """The key of an entity and its `FACTS` most important facts for a viewer. Facts on cards have an importance of at
    least 2, or are pinned by the viewer. If an entity that was asked for has none, its card has its best other facts.
    """

    key: str
    facts: tuple[Memory, ...]
    viewer_id: str

    @property
    def items(self) -> tuple[str, ...]:
        """The words of each fact, with the speaker if that is not the viewer."""
        return tuple(said_by(fact, self.viewer_id) + as_item(fact, self.viewer_id) for fact in self.facts)

    @property
    def text(self) -> str:
        """The card in one line: `[person:john]: fact1; Ben says: fact2; fact3`; empty without facts."""
        return f"[{self.key}]: {'; '.join(self.items)}" if self.facts else ""


@dataclass(frozen=True, slots=True)
class EntitySummary:
    """A summary of an entity in a few sentences, and the ids of the memories that it was made from."""

    memory: Memory
    sources: frozenset[str]

    def tells_more_than(self, facts: Iterable[Memory]) -> bool:
        """Whether the summary was made from more than these facts; otherwise it only repeats them."""
        return not self.sources.issubset(fact.id for fact in facts)


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation between two entities (`works_at`, `brother_of`), and the latest memories that state it."""

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
    """Reads cards, summaries and relations of entities."""

    def __init__(self, database: Database, clock: Clock, recall: Recall | None = None) -> None:
        """`recall` notes the facts of cards that are read with `reinforce`."""
        self._database = database
        self._clock = clock
        self._recall = recall
        self._memories = Memories(database, clock)

    async def cards(
        self, viewer: Viewer, keys: Sequence[str], times: Times | None = None, *, reinforce: bool = False
    ) -> dict[str, Card]:
        """The cards of entities by key, as the viewer may see them from where they are; without facts, an empty card.

        Facts that the viewer pinned come first, then those about the entity before those that only name it, then by
        importance (facts that others added by hand count as 1 and come last), by frame, and newest first. With
        `reinforce` these facts count as recalled (T4). Raises `NotFound` for an unknown persona.
        """
        await check_persona(self._database, viewer.persona_id)
        made = await self._read(viewer, times, keys=list(keys), found=[])
        if reinforce:
            self._note(viewer, made.values())
        return {key: made.get(key) or Card(key, (), viewer.person_id) for key in keys}

    async def of_found(
        self, viewer: Viewer, found: Sequence[str], times: Times | None = None, *, reinforce: bool = False
    ) -> list[Card]:
        """The cards of all entities that some memories (by id, the best first) name or are about, in that order (R7).

        Their facts need not be among these memories; no card is empty. With `reinforce` the facts count as recalled,
        except those in `found`, which are counted already (T4).
        """
        made = list((await self._read(viewer, times, keys=[], found=list(found))).values())
        if reinforce:
            self._note(viewer, made, frozenset(found))
        return made

    async def mentions(self, viewer: Viewer, keys: Sequence[str], times: Times | None = None) -> dict[str, int]:
        """The number of memories visible to the viewer that name each entity or are about it, by key."""
        rows = await self._database.run(
            "entity/mentions", keys=list(keys), **request_params(viewer, times, self._clock)
        )
        return {row["key"]: row["mentions"] for row in rows}

    async def summaries(
        self, viewer: Viewer, keys: Sequence[str], times: Times | None = None
    ) -> dict[str, EntitySummary]:
        """The latest summary of each entity, by key, among those whose sources the viewer may all see (M15)."""
        rows = await self._database.run(
            "entity/summaries", keys=list(keys), **request_params(viewer, times, self._clock)
        )
        return {row["key"]: EntitySummary(memory(row), frozenset(row["sources"])) for row in rows}

    async def relations(
        self, viewer: Viewer, places: Mapping[str, str | None], *, times: Times | None = None, first: int = 20
    ) -> dict[str, Listing[Relation]]:
        """The relations of some entities, in both directions, for which the viewer may see a memory that states them
        from where they are; sorted by predicate and keys. `places` maps the key of each entity to its cursor, or None.

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
