"""Entity cards: what is known of an entity in short, from what the viewer may see and nothing else (R7, M15)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from graph.clock import Clock
from graph.database import Database
from graph.memories import Memories, place_params, read_params
from graph.model import Memory, Times, Viewer

FACTS: Final = 3


@dataclass(frozen=True, slots=True)
class Card:
    """An entity by its key: how many memories name it or are about it, and the weightiest significant ones."""

    key: str
    mentions: int
    facts: tuple[Memory, ...]

    @property
    def text(self) -> str:
        """The card in one line: `[person:john]: fact1; fact2; fact3`."""
        return f"[{self.key}]: {'; '.join(fact.content for fact in self.facts)}"


class Cards:
    """Makes cards."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._memories = Memories(database, clock)

    async def cards(self, viewer: Viewer, keys: Sequence[str], times: Times | None = None) -> dict[str, Card]:
        """The cards of entities by key, from where the viewer stands: pinned facts first, then important, then new."""
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
