"""Communities of the entities in the viewer's current scope, as the viewer reads them (M15).

They are visible to viewers who may see every memory of which they were made. `graph.summaries.communities` finds them.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from hippograph.graph.access.parameters import request_params
from hippograph.graph.clock import Clock
from hippograph.graph.database import Database, Row
from hippograph.graph.errors import NotFound
from hippograph.graph.model import Entity, Times, Viewer
from hippograph.graph.paging import Listing, checked_first, decode_cursor, listing
from hippograph.graph.people.entities import known_entities
from hippograph.graph.people.people import check_persona

_UNBOUNDED: Final = 2**31
"""A limit larger than any community."""


@dataclass(frozen=True, slots=True)
class CommunityMember:
    """An entity, its community (1 is the largest) and its centrality. The other fields describe the analysis that
    assigned it.
    """

    entity: Entity
    community: int
    centrality: float
    version: int
    algorithm: str
    modularity: float
    computed_at: datetime


class Communities:
    """Reads the latest communities of a scope."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def members(
        self,
        viewer: Viewer,
        *,
        community: int | None = None,
        times: Times | None = None,
        first: int = 20,
        after: str | None = None,
    ) -> Listing[CommunityMember]:
        """The entities of one community or of all, by community and within it the most central first.

        Raises `InvalidInput` for a page size out of range or a cursor of another list, and `NotFound` for an unknown
        persona.
        """
        await check_persona(self._database, viewer.persona_id)
        name = f"communities of {viewer.chat_id} {viewer.persona_id} {community}"
        start = decode_cursor(name, after, (0, 0.0, ""))
        rows = await self._rows(viewer, community, times, start, checked_first(first) + 1)
        known = await known_entities(self._database, self._clock, viewer, [row["entity"] for row in rows])
        found = [_member(row, known[row["entity"]]) for row in rows if row["entity"] in known]
        return listing(name, first, found, lambda one: (one.community, one.centrality, one.entity.id))

    async def keys(self, viewer: Viewer, community: int, times: Times | None = None) -> tuple[str, ...]:
        """The keys of the entities of one community. Raises `NotFound` if the viewer may see no such community."""
        rows = await self._rows(viewer, community, times, (0, 0.0, ""), _UNBOUNDED)
        if not rows:
            raise NotFound(f"there is no community {community} where you stand: see the list of them")
        return tuple(sorted(row["key"] for row in rows))

    async def _rows(
        self, viewer: Viewer, community: int | None, times: Times | None, after: tuple[object, ...], limit: int
    ) -> list[Row]:
        number, centrality, entity = after
        return await self._database.run(
            "community/members",
            community=community,
            after=number,
            after_centrality=centrality,
            after_id=entity,
            limit=limit,
            **request_params(viewer, times, self._clock),
        )


def _member(row: Row, entity: Entity) -> CommunityMember:
    analysis = row["analysis"]
    return CommunityMember(
        entity=entity,
        community=row["community"],
        centrality=row["centrality"],
        version=analysis["version"],
        algorithm=analysis["algorithm"],
        modularity=analysis["modularity"],
        computed_at=analysis["created_at"],
    )
