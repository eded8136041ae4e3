"""Contradictions that no key tells of: facts that a later turn takes back, and facts that disagree (W6).

What shares a key is settled when it is written (`graph.writing.supersession`). A session in which causes were looked
for waits for the rest in the queue of the job `find_conflicts`. A fact that a turn takes back ends there
(`graph.knowledge.retractions`). Facts that contradict each other, such as what somebody likes and cannot stand, only a
language model sees: both stay, and `explain` tells of it. Without models sessions are only taken off the queue.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from hippograph.graph.clock import Clock
from hippograph.graph.database import Database, Row
from hippograph.graph.jobs.queue import LEASE, Claim, Queue
from hippograph.graph.knowledge.causal_inference import FIND_CONFLICTS, Judge
from hippograph.graph.knowledge.retractions import Retractions
from hippograph.graph.schema import VectorSlot
from hippograph.nlp.errors import LlmFailed

_SESSIONS_AT_ONCE: Final = 4
_MOST_FACTS: Final = 40
_BESIDE: Final = 4
"""So many facts of a session are looked at, each beside so many others."""
_LEAST_CONFIDENCE: Final = 0.7
"""What the judge believes less is no contradiction: two facts that are told to disagree are doubted."""


class Conflicts:
    """The job that looks for contradictions."""

    name: Final = FIND_CONFLICTS

    def __init__(
        self,
        database: Database,
        clock: Clock,
        *,
        slot: VectorSlot | None,
        judge: Judge | None = None,
        retractions: Retractions | None = None,
    ) -> None:
        self.queue: Final = Queue(database, clock, self.name)
        self._database = database
        self._clock = clock
        self._slot = slot.name if slot else "a"
        self._judge = judge
        self._retractions = retractions

    async def step(self) -> int:
        """Claims some sessions and looks at what was said and found in each; how many."""
        claim = await self.queue.claim(_SESSIONS_AT_ONCE)
        ready = await self.queue.ready(claim, "conflict/ready")
        async with self.queue.held(claim, ready):
            await self.queue.work_through(claim, ready, self._run)
        return len(ready)

    async def _run(self, session_id: str, claim: Claim) -> None:
        started = self._clock()
        if self._retractions is not None:
            await self._retractions.find(session_id, claim.worker)
        pairs = await self._pairs(session_id, claim, started) if self._judge else []
        rows = await self._judged(pairs)
        await self._database.run(
            "conflict/note",
            id=session_id,
            worker=claim.worker,
            rows=rows or [],
            open=rows is None,
            started=started,
            now=self._clock(),
        )

    async def _pairs(self, session_id: str, claim: Claim, now: datetime) -> list[tuple[Row, Row]]:
        """Facts of a session, each behind earlier ones about the same."""
        found = await self._database.run(
            f"conflict/pairs.{self._slot}",
            id=session_id,
            worker=claim.worker,
            lease_until=now + LEASE,
            most=_MOST_FACTS,
            beside=_BESIDE,
            now=now,
        )
        return [(other, row["fact"]) for row in found for other in row["others"]]

    async def _judged(self, pairs: Sequence[tuple[Row, Row]]) -> list[Row] | None:
        """Which pairs contradict each other; None where the judge fails."""
        if self._judge is None or not pairs:
            return []
        try:
            sure = await self._judge.judge([(_told(earlier), _told(later)) for earlier, later in pairs])
        except LlmFailed:
            return None
        return [
            {"earlier": earlier["id"], "later": later["id"], "confidence": confidence}
            for (earlier, later), confidence in zip(pairs, sure, strict=True)
            if confidence >= _LEAST_CONFIDENCE
        ]


def _told(fact: Row) -> str:
    return f"{fact['valid_from']:%Y-%m-%d}: {fact['content']}"
