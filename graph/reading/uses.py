"""The record of use (W13): which memories a person's assistant was told, when, where, how and by which credential.

`graph.retention.recall` writes it in batches after the reads. The person whose assistant was told sees which memories
it was told, as far as they may still see them. The owner of a memory sees when others were told it, and whose assistant
that was. Nothing of the question is kept.
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
    """One answer. If it was given to another person, only `id`, `at` and `person_id` are set for the owner of a memory.
    `memory_ids` are the memories in it, the best first, up to 50. `credential` is the name of a key of the viewer's
    own, else the id of a key, or the other way of access (`local`, `token`).
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
    """Reads the record of use. Raises `InvalidInput` for a page size out of range or a cursor of another list."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def of_viewer(self, viewer: Viewer, *, first: int = 20, after: str | None = None) -> Listing[Use]:
        """The answers given to the viewer's assistant, the latest first."""
        return await self._listed("use/of_viewer", "uses", viewer, first, after)

    async def of_memory(
        self, viewer: Viewer, memory_id: str, *, first: int = 20, after: str | None = None
    ) -> Listing[Use]:
        """The answers that held a memory, the latest first: those to the viewer, and if they own the memory also those
        to others. Empty if the viewer may not see the memory.
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
