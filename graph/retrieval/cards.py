"""Entity cards: what is known of an entity in short, from what the viewer may see and nothing else (R7, M15)."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

from graph.access.parameters import place_params, read_params
from graph.clock import Clock
from graph.database import Database
from graph.model import Entity, Memory, Times, Viewer
from graph.paging import Listing, checked_first, decode_cursor, listing
from graph.people.entities import known_entities
from graph.people.people import check_persona
from graph.retrieval.memories import Memories

FACTS: Final = 3
EVIDENCE: Final = 3


@dataclass(frozen=True, slots=True)
class Card:
    """An entity by its key: how many memories name it or are about it, and the weightiest significant ones."""

    key: str
    mentions: int
    facts: tuple[Memory, ...]

    @property
    def text(self) -> str:
        """The card in one line: `[person:john]: fact1; fact2; fact3`; empty when there is no fact."""
        if not self.facts:
            return ""
        return f"[{self.key}]: {'; '.join(fact.content for fact in self.facts)}"


@dataclass(frozen=True, slots=True)
class Relation:
    """What one entity is to another (the predicate: `works_at`, `brother_of`), and the latest memories that say so."""

    source: Entity
    predicate: str
    target: Entity
    evidence: tuple[Memory, ...]


class Cards:
    """Makes cards."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._memories = Memories(database, clock)

    async def cards(self, viewer: Viewer, keys: Sequence[str], times: Times | None = None) -> dict[str, Card]:
        """The cards of entities by key, from where the viewer stands: pinned facts first, then important, then new.

        Raises `NotFound` for an unknown persona.
        """
        await check_persona(self._database, viewer.persona_id)
        rows = await self._database.run(
            "entity/card",
            keys=list(keys),
            most=FACTS,
            **place_params(viewer),
            **read_params(viewer, times, self._clock),
        )
        facts = await self._memories.load(viewer, [fact for row in rows for fact in row["facts"]], times)
        return {
            row["key"]: Card(row["key"], row["mentions"], tuple(facts[fact] for fact in row["facts"] if fact in facts))
            for row in rows
        }

    async def relations(
        self, viewer: Viewer, key: str, *, times: Times | None = None, first: int = 20, after: str | None = None
    ) -> Listing[Relation]:
        """What the entity of this key is to others and they to it, as far as the viewer may see a memory that says so
        from where they stand; by predicate and keys.

        Raises `InvalidInput` for a page size out of range or a cursor of another list.
        """
        name = f"relations of {key}"
        predicate, source, target = decode_cursor(name, after, ("", "", ""))
        rows = await self._database.run(
            "entity/relations",
            key=key,
            predicate=predicate,
            source=source,
            target=target,
            most=EVIDENCE,
            limit=checked_first(first) + 1,
            **place_params(viewer),
            **read_params(viewer, times, self._clock),
        )
        said = await self._memories.load(viewer, [each for row in rows for each in row["evidence"]], times)
        ends = chain.from_iterable((row["source"], row["target"]) for row in rows)
        known = await known_entities(self._database, self._clock, viewer, ends)
        found = [
            Relation(
                known[row["source"]],
                row["predicate"],
                known[row["target"]],
                tuple(said[each] for each in row["evidence"] if each in said),
            )
            for row in rows
            if row["source"] in known and row["target"] in known
        ]
        return listing(name, first, found, lambda r: (r.predicate, r.source.key, r.target.key))
