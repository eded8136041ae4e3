"""How much there is: counts of what a viewer may see, and of nothing else (P3, R10 in a first version)."""

from collections.abc import Mapping
from dataclasses import dataclass

from graph.access.parameters import read_params
from graph.clock import Clock
from graph.database import Database
from graph.model import MemoryType, Viewer


@dataclass(frozen=True, slots=True)
class Counts:
    """What a viewer may see: memories by type, the entities named in them, how far enrichment is with them, and how
    many secrets were taken out of them.
    """

    by_type: Mapping[MemoryType, int]
    entities: int
    pending: int
    trying_again: int
    failed: int
    secrets_removed: int

    @property
    def memories(self) -> int:
        """All memories."""
        return sum(self.by_type.values())


class Stats:
    """Counts what there is."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def counts(self, viewer: Viewer) -> Counts:
        """What the viewer may see now: their own, what is of the chats in which they take part, and about them."""
        params = read_params(viewer, None, self._clock)
        rows = await self._database.run("stats/memories", **params)
        named = await self._database.one("stats/entities", **params)
        return Counts(
            by_type={MemoryType(row["type"]): row["memories"] for row in rows},
            entities=named["entities"] if named else 0,
            pending=sum(row["pending"] for row in rows),
            trying_again=sum(row["trying_again"] for row in rows),
            failed=sum(row["failed"] for row in rows),
            secrets_removed=sum(row["secrets_removed"] for row in rows),
        )
