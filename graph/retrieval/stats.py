"""How much there is: counts of what a viewer may see, and of nothing else (P3, R10)."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from graph.access.parameters import read_params
from graph.clock import Clock
from graph.database import Database
from graph.model import MemoryType, Viewer

_BYTES: Final = 8
"""Of a number, as Neo4j stores a list of them."""


@dataclass(frozen=True, slots=True)
class Counts:
    """What a viewer may see: memories by type, the entities named in them, the links of these memories to entities and
    to each other, those without any entity (orphans), and their size: their text, and 8 bytes for each number of their
    vectors, reckoned. How far enrichment is with them, how many sessions of theirs wait for consolidation and when one
    was last consolidated, and how many secrets were taken out of the memories.
    """

    by_type: Mapping[MemoryType, int]
    entities: int
    links: int
    orphans: int
    size_bytes: int
    pending: int
    waiting_sessions: int
    last_maintenance: datetime | None
    trying_again: int
    failed: int
    secrets_removed: int

    @property
    def memories(self) -> int:
        """All memories."""
        return sum(self.by_type.values())


class Stats:
    """Counts what there is."""

    def __init__(self, database: Database, clock: Clock, *, dimensions: int = 0) -> None:
        """`dimensions` are those of a memory's vector, 0 without an embedder."""
        self._database = database
        self._clock = clock
        self._dimensions = dimensions

    async def counts(self, viewer: Viewer) -> Counts:
        """What the viewer may see now: their own, what is of the chats in which they take part, and about them."""
        params = read_params(viewer, None, self._clock)
        rows = await self._database.run("stats/memories", **params)
        named = await self._database.one("stats/entities", **params)
        linked = await self._database.one("stats/links", **params)
        worked = await self._database.one("stats/sessions", **params)
        assert named is not None
        assert linked is not None
        assert worked is not None
        vectors = sum(row["vectors"] for row in rows)
        return Counts(
            by_type={MemoryType(row["type"]): row["memories"] for row in rows},
            entities=named["entities"],
            links=linked["links"],
            orphans=sum(row["orphans"] for row in rows),
            size_bytes=sum(row["characters"] for row in rows) + vectors * self._dimensions * _BYTES,
            waiting_sessions=worked["waiting"],
            last_maintenance=worked["last_consolidated"],
            pending=sum(row["pending"] for row in rows),
            trying_again=sum(row["trying_again"] for row in rows),
            failed=sum(row["failed"] for row in rows),
            secrets_removed=sum(row["secrets_removed"] for row in rows),
        )
