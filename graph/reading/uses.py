"""The record of use (W13): which memories a person's assistant was told, when, where, how and by which credential.

It is written by `graph.retention.recall`, in batches and behind the reads. Whoever was told sees what it was, as far as
they see that still; the owner of a memory sees when others were told it, and whose assistant that was. Of the question
nothing is kept.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from hippograph.graph.access.parameters import read_params
from hippograph.graph.clock import Clock
from hippograph.graph.database import Database, Row
from hippograph.graph.model import Viewer
from hippograph.graph.paging import Listing, listing, newest_first
from hippograph.graph.retention.recall import ReadKind


@dataclass(frozen=True, slots=True)
class Use:
    """One answer. If it was given to another person, the owner of a memory learns only when and to whom. `memory_ids`
    are what it held, the best first, up to 50; `credential` is the name of a key of the viewer's own, else the id of
    one, or how they came otherwise (`local`, `token`).
    """

    id: str
    at: datetime
    person_id: str
    kind: ReadKind | None
    credential: str | None
    chat_id: str | None
    persona_id: str | None
    memory_ids: tuple[str, ...]


class Uses:
    """Tells what was used. Raises `InvalidInput` for a page size out of range or a cursor of another list."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def of_viewer(self, viewer: Viewer, *, first: int = 20, after: str | None = None) -> Listing[Use]:
        """What the viewer's assistant was told, the latest first."""
        return await self._listed("use/of_viewer", "uses", viewer, first, after)

    async def of_memory(
        self, viewer: Viewer, memory_id: str, *, first: int = 20, after: str | None = None
    ) -> Listing[Use]:
        """When a memory was told to whom, the latest first: to the viewer, and if it is their own to others. Of what
        they may not see there is nothing.
        """
        return await self._listed("use/of_memory", f"uses of {memory_id}", viewer, first, after, id=memory_id)

    async def _listed(
        self, statement: str, name: str, viewer: Viewer, first: int, after: str | None, **of: str
    ) -> Listing[Use]:
        rows = await self._database.run(
            statement, **newest_first(name, first, after), **of, **read_params(viewer, None, self._clock)
        )
        return listing(name, first, _uses(rows), lambda use: (use.at, use.id))


def _uses(rows: Sequence[Row]) -> list[Use]:
    found = [row["use"] for row in rows]
    return [
        Use(
            one["id"],
            one["at"],
            one["person_id"],
            ReadKind(one["kind"]) if one["kind"] else None,
            one["credential"],
            one["chat_id"],
            one["persona_id"],
            tuple(one["memory_ids"]),
        )
        for one in found
    ]
