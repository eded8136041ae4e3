"""Communities of the entities of a scope, and their centrality, computed by Graph Data Science and stored on request.

They are computed only from memories that everybody who may see the scope may see. A viewer sees them if they may see
all of these memories (M15). Viewers read them by `graph.reading.communities`.
"""

from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from hippograph.graph.access.parameters import read_params, request_params
from hippograph.graph.clock import Clock
from hippograph.graph.database import Database, Row
from hippograph.graph.errors import Conflict, InvalidInput
from hippograph.graph.ids import new_id
from hippograph.graph.model import Viewer
from hippograph.graph.summaries.summary_memory import most_private, summary_memory

ALGORITHM: Final = "leiden, page rank"
MOST_OF_HEAP: Final = 0.5
"""Maximum estimated share of Neo4j's heap, 0 to 1; a computation that may take more is refused."""
_DIGITS: Final = 6


@dataclass(frozen=True, slots=True)
class Scope:
    """The scope of a computation: the memories of an owner or, with a `chat_id`, of a group; those of no persona and no
    space, and if given also those of a persona and of a space.
    """

    id: str
    chat_id: str = ""
    persona_id: str = ""
    space_id: str = ""


@dataclass(frozen=True, slots=True)
class CommunityAssignment:
    """An entity with its community (1 is the largest) and its centrality (PageRank)."""

    entity_id: str
    key: str
    community: int
    centrality: float


@dataclass(frozen=True, slots=True)
class Partition:
    """The communities of a scope: `members` by community, the most central first. `modularity` says how well the
    communities are separated (-0.5 to 1; 0 is expected by chance). `memories` is the number of memories they are
    computed from, `bytes` the estimated maximum memory use. `version` is the stored version, None if not stored.
    """

    members: tuple[CommunityAssignment, ...]
    modularity: float
    memories: int
    bytes: int
    version: int | None = None


class CommunityFinder:
    """Finds communities in a temporary projection of one scope."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def scope_of(self, viewer: Viewer) -> Scope:
        """Returns the scope of a viewer: that of their group; in a private chat or without a chat their own. Without a
        persona of the viewer, it has that of the chat, if its sessions have exactly one.
        """
        [row] = await self._database.run("community/scope", **request_params(viewer, None, self._clock))
        return Scope(row["scope"], row["group"], row["persona"], row["space"])

    async def find(self, scope: Scope, *, write: bool = False) -> Partition:
        """Computes the communities of the current memories of a scope; with `write` it stores them as the next version.

        Raises `InvalidInput` if no memory there names two entities, or if Neo4j's heap is too small; `Conflict` if a
        memory was erased meanwhile.
        """
        now = self._clock()  # before reading: a later rewording of a source hides them
        sources = await self._database.run(
            "community/sources",
            scope=scope.id,
            group=scope.chat_id,
            persona=scope.persona_id,
            space_id=scope.space_id,
            **read_params(Viewer(scope.id), None, self._clock),
        )
        ids = [source["id"] for source in sources]
        if not ids:
            raise InvalidInput("no memory there names two people or things: there is nothing that belongs together")
        size = await self._estimated(ids)
        async with self._projected(ids) as name:
            rows = await self._database.run("community/find", name=name)
        if not rows:
            raise Conflict("all that came up together there was erased meanwhile: try again")
        members = numbered(rows)
        modularity = round(rows[0]["modularity"], _DIGITS)
        version = None
        if write:
            version = await self._write(_analysis(scope, sources, members, modularity, now), members, ids)
        return Partition(members, modularity, len(ids), size, version)

    async def _estimated(self, ids: Sequence[str]) -> int:
        [row] = await self._database.run("community/estimate", sources=ids)
        if row["share"] > MOST_OF_HEAP:
            raise InvalidInput(
                f"{row['entities']} entities in {row['pairs']} pairs may take {row['bytes'] / 2**20:.0f} MiB, more "
                "than half of Neo4j's heap: raise HIPPOGRAPH_NEO4J_HEAP_MB"
            )
        return int(row["bytes"])

    @asynccontextmanager
    async def _projected(self, ids: Sequence[str]) -> AsyncIterator[str]:
        """Projects the entities of memories, yields the name of the projection, and drops it in any case."""
        name = f"hippograph {new_id()}"
        try:
            await self._database.run("community/project", name=name, sources=ids)
            yield name
        finally:
            await self._database.run("community/drop", name=name)

    async def _write(self, analysis: Row, members: Sequence[CommunityAssignment], ids: Sequence[str]) -> int:
        rows = [{"entity": m.entity_id, "community": m.community, "centrality": m.centrality} for m in members]
        row = await self._database.one(
            "community/write", analysis=analysis, members=rows, sources=ids, now=self._clock()
        )
        if row is None:
            raise Conflict("a memory of which they are made was erased meanwhile: try again")
        return int(row["version"])


def numbered(rows: Sequence[Row]) -> tuple[CommunityAssignment, ...]:
    """Returns the members, with communities numbered by size, the largest first; ties by their first keys."""
    groups: dict[int, list[Row]] = defaultdict(list)
    for row in rows:
        groups[row["community"]].append(row)
    ordered = sorted(groups.values(), key=lambda group: (-len(group), min(row["key"] for row in group)))
    members = [
        CommunityAssignment(row["entity"], row["key"], number, round(row["centrality"], _DIGITS))
        for number, group in enumerate(ordered, 1)
        for row in group
    ]
    return tuple(sorted(members, key=lambda member: (member.community, -member.centrality, member.key)))


def _analysis(
    scope: Scope, sources: Sequence[Row], members: Sequence[CommunityAssignment], modularity: float, now: datetime
) -> Row:
    """Returns the properties of an analysis: those of a summary of its scope, the algorithm and the modularity."""
    communities = len({member.community for member in members})
    content = f"{communities} communities of {len(members)} entities, from {len(sources)} memories"
    return {
        **summary_memory(
            scope=scope.id,
            chat_id=scope.chat_id,
            persona_id=scope.persona_id,
            space_id=scope.space_id,
            content=content,
            sensitivity=most_private(source["sensitivity"] for source in sources),
            heading="communities",
            now=now,
        ),
        "summary_kind": "communities",
        "algorithm": ALGORITHM,
        "modularity": modularity,
    }
