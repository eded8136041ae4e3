"""Entities as a viewer sees them: those that they may know of, under the names that they see (M3, M15, P4)."""

from collections.abc import Iterable

from hippograph.graph.access.parameters import read_params
from hippograph.graph.clock import Clock
from hippograph.graph.database import Database, Row
from hippograph.graph.model import Entity, EntityType, Viewer


async def known_entities(database: Database, clock: Clock, viewer: Viewer, refs: Iterable[str]) -> dict[str, Entity]:
    """The entities that the viewer may know of, by the id or key in `refs`. A merged entity is replaced by the one that
    it was merged into. Whoever may know of an entity may refer to it; for others it does not exist.
    """
    wanted = sorted(set(refs))
    if not wanted:
        return {}
    rows = await database.run("browse/entities_by", refs=wanted, **read_params(viewer, None, clock))
    return {row["ref"]: entity(row["entity"]) for row in rows}


def entity(row: Row) -> Entity:
    """An entity from the values of its node that the viewer sees."""
    return Entity(
        id=row["id"],
        key=row["key"],
        type=EntityType(row["type"]),
        canonical_name=row["canonical_name"],
        aliases=tuple(row["aliases"]),
        usernames=tuple(row["usernames"]),
    )
