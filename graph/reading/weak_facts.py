"""Weak facts: those whose confidence has decayed, because nobody has recalled them (R10, T2)."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from hippograph.graph.access.parameters import read_params
from hippograph.graph.clock import Clock
from hippograph.graph.database import Database, Row
from hippograph.graph.errors import InvalidInput
from hippograph.graph.model import NO_END, Memory, Viewer
from hippograph.graph.paging import Listing, checked_first, decode_cursor, listing
from hippograph.graph.retention.confidence import days_until_faded
from hippograph.graph.retrieval.memories import memory

WEAK: Final = 0.3
"""Default of the confidence below which a fact is weak, 0 to 1."""
_NAME: Final = "weak facts"


@dataclass(frozen=True, slots=True)
class WeakFact:
    """A fact, its decayed confidence, and when it will be retired as faded or expires; None for never, as for pinned
    facts.
    """

    memory: Memory
    confidence: float
    fades_at: datetime | None


class WeakFacts:
    """Finds weak facts. `threshold` is the confidence below which a fact is retired."""

    def __init__(self, database: Database, clock: Clock, *, threshold: float) -> None:
        self._database = database
        self._clock = clock
        self._threshold = threshold

    async def weak(
        self, viewer: Viewer, *, below: float = WEAK, first: int = 20, after: str | None = None
    ) -> Listing[WeakFact]:
        """The facts whose decayed confidence is below `below`, the weakest first: the viewer's own, those of their
        chats and those about them, as far as they may see them. All pages are as of the time of the first page.

        Raises `InvalidInput` for a `below` outside 0 to 1, a page size out of range, or a cursor of another list.
        """
        if not 0 <= below <= 1:
            raise InvalidInput(f"a confidence is 0 to 1; {below} was given")
        moment, last, last_id = decode_cursor(_NAME, after, (self._clock(), -1.0, ""))
        rows = await self._database.run(
            "fact/weak",
            moment=moment,
            below=below,
            confidence=last,
            after=last_id,
            limit=checked_first(first) + 1,
            **read_params(viewer, None, self._clock),
        )
        found = [(self._weak(row), moment) for row in rows]
        page = listing(_NAME, first, found, lambda f: (f[1], f[0].confidence, f[0].memory.id))
        return page.converted(lambda pair: pair[0])

    def _weak(self, row: Row) -> WeakFact:
        found = memory(row)
        days = None if found.pinned else days_until_faded(row["stored"], row["decay_rate"], self._threshold)
        gone = min(row["expires_at"], NO_END if days is None else _after(row["since"], days))
        return WeakFact(found, row["decayed"], gone if gone < NO_END else None)


def _after(since: datetime, days: float) -> datetime:
    """The time so many days later, at most `NO_END`."""
    return since + timedelta(days=days) if days < (NO_END - since).days else NO_END
