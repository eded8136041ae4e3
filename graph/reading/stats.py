"""How much there is: counts of what a viewer may see, and of nothing else (P3, R10)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from hippograph.graph.access.parameters import read_params
from hippograph.graph.clock import Clock
from hippograph.graph.database import Database
from hippograph.graph.model import MemoryType, Viewer
from hippograph.nlp.embedding.late_interaction import MOST_TOKENS, bytes_of_token

_BYTES_OF_NUMBER: Final = 8
"""As Neo4j stores a list of numbers."""
_LETTERS_OF_TOKEN: Final = 4
MEGABYTE: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class ScopeSize:
    """How large the memories of one scope are, the viewer's own (`chat_id` is None) or those of a chat, as far as the
    viewer may see them; and that as a share of the bound above which upkeep archives (T7).
    """

    chat_id: str | None
    size_bytes: int
    share: float


@dataclass(frozen=True, slots=True)
class Counts:
    """What a viewer may see: memories by type, the entities named in them, the links of these memories to entities and
    to each other by type, those without any entity (orphans), and their size, in all and by scope, the largest first:
    their text, and 8 bytes for each number of their vectors, reckoned. How far enrichment is with them, how
    many sessions of theirs wait for consolidation and when one was last consolidated, when upkeep last ran, and how
    many secrets were taken out of the memories.
    """

    by_type: Mapping[MemoryType, int]
    entities: int
    links_by_type: Mapping[str, int]
    orphans: int
    sizes: Sequence[ScopeSize]
    size_bytes: int
    pending: int
    waiting_sessions: int
    last_consolidated: datetime | None
    last_maintenance: datetime | None
    trying_again: int
    failed: int
    secrets_removed: int

    @property
    def memories(self) -> int:
        """All memories."""
        return sum(self.by_type.values())

    @property
    def links(self) -> int:
        """All links."""
        return sum(self.links_by_type.values())


def size_params(dimensions: int) -> dict[str, object]:
    """What the fragment `reckoned_size` is given for vectors of so many dimensions: the bytes of a vector, and those of
    token vectors for each character, up to so many characters.
    """
    return {
        "vector_bytes": dimensions * _BYTES_OF_NUMBER,
        "token_bytes": bytes_of_token(dimensions) / _LETTERS_OF_TOKEN,
        "token_characters": MOST_TOKENS * _LETTERS_OF_TOKEN,
    }


class Stats:
    """Counts what there is."""

    def __init__(self, database: Database, clock: Clock, *, most_megabytes: float, dimensions: int = 0) -> None:
        """`most_megabytes` is the bound of a scope's size; `dimensions` are those of a memory's vector, 0 without an
        embedder.
        """
        self._database = database
        self._clock = clock
        self._most_bytes = most_megabytes * MEGABYTE
        self._sizes = size_params(dimensions)

    async def counts(self, viewer: Viewer) -> Counts:
        """What the viewer may see now: their own, what is of the chats in which they take part, and about them."""
        params = read_params(viewer, None, self._clock)
        rows = await self._database.run("stats/memories", **self._sizes, **params)
        [named] = await self._database.run("stats/entities", **params)
        linked = await self._database.run("stats/links", **params)
        [worked] = await self._database.run("stats/sessions", **params)
        [kept_up] = await self._database.run("stats/maintenance")
        by_type: Counter[MemoryType] = Counter()
        sizes: Counter[str] = Counter()
        for row in rows:
            by_type[MemoryType(row["type"])] += row["memories"]
            sizes[row["scope"]] += row["size"]
        return Counts(
            by_type=by_type,
            entities=named["entities"],
            links_by_type={row["type"]: row["links"] for row in linked},
            orphans=sum(row["orphans"] for row in rows),
            size_bytes=sizes.total(),
            sizes=[self._size(viewer, scope, size) for scope, size in sizes.most_common() if scope],
            waiting_sessions=worked["waiting"],
            last_consolidated=worked["last_consolidated"],
            last_maintenance=kept_up["last_maintenance"],
            pending=sum(row["pending"] for row in rows),
            trying_again=sum(row["trying_again"] for row in rows),
            failed=sum(row["failed"] for row in rows),
            secrets_removed=sum(row["secrets_removed"] for row in rows),
        )

    def _size(self, viewer: Viewer, scope: str, size: int) -> ScopeSize:
        return ScopeSize(None if scope == viewer.person_id else scope, size, size / self._most_bytes)
