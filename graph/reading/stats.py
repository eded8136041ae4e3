"""Statistics: counts and sizes of what a viewer may see, and of nothing else (P3, R10)."""

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
"""Bytes of one number in a list, as Neo4j stores it."""
_LETTERS_OF_TOKEN: Final = 4
MEGABYTE: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class ScopeSize:
    """Estimated size of the memories of one scope that the viewer may see: their own (`chat_id` is None) or those of a
    chat. `share` is its ratio to the limit above which upkeep archives (T7).
    """

    chat_id: str | None
    size_bytes: int
    share: float


@dataclass(frozen=True, slots=True)
class Counts:
    """Counts of the memories that a viewer may see. `entities` are those that they are about or mention.
    `links_by_type` are their links to entities and to each other; `orphans` are memories without a link to an entity
    that are not `pending`. `sizes` are by scope, the largest first, and `size_bytes` is the total: estimates of the
    text, one byte a character, and of the vectors. `pending` memories wait for enrichment, `trying_again` of them after
    a failure; enrichment of the `failed` was given up. `waiting_sessions` wait for consolidation, and
    `last_consolidated` is when one was last consolidated. `last_maintenance` is when a step of upkeep last succeeded in
    the whole store. `secrets_removed` counts the secrets taken out of the memories.
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
        """Number of all memories."""
        return sum(self.by_type.values())

    @property
    def links(self) -> int:
        """Number of all links."""
        return sum(self.links_by_type.values())


def size_params(dimensions: int) -> dict[str, object]:
    """The parameters of the fragment `reckoned_size`: the bytes of a vector of so many dimensions, those of token
    vectors for each character, and the number of characters up to which these are counted.
    """
    return {
        "vector_bytes": dimensions * _BYTES_OF_NUMBER,
        "token_bytes": bytes_of_token(dimensions) / _LETTERS_OF_TOKEN,
        "token_characters": MOST_TOKENS * _LETTERS_OF_TOKEN,
    }


class Stats:
    """Counts what a viewer may see."""

    def __init__(self, database: Database, clock: Clock, *, most_megabytes: float, dimensions: int = 0) -> None:
        """`most_megabytes` is the limit of a scope's size; `dimensions` is the length of a memory's vector, 0 without
        an embedder.
        """
        self._database = database
        self._clock = clock
        self._most_bytes = most_megabytes * MEGABYTE
        self._sizes = size_params(dimensions)

    async def counts(self, viewer: Viewer) -> Counts:
        """Counts of what the viewer may see now: their own memories, those of their chats, and those about them."""
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
