"""Finds contradictions between facts that share no key: retractions by later turns, and facts that disagree (W6).

Facts that share a key supersede each other when they are written (`graph.writing.supersession`). For the rest, a
session waits in the queue of the job `find_conflicts` after causal inference. A fact that a turn retracts is ended
(`graph.knowledge.retractions`). Facts that contradict each other, such as that somebody likes and cannot stand the same
thing, are only recognized by a language model: both stay, and `explain` shows the contradiction. Without models,
sessions are only taken off the queue.
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
"""Maximum number of facts of a session that are examined, the most important first."""
_BESIDE: Final = 4
"""Maximum number of earlier facts that each of them is compared with, the most similar first."""
_LEAST_CONFIDENCE: Final = 0.7
"""Minimum confidence of the judge for a contradiction. It is high because both facts are doubted then."""


class Conflicts:
    """The job that looks for contradictions in sessions."""

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
        """Claims some sessions, examines the turns and facts of those that are ready, and returns their number."""
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
        """Returns pairs of an earlier fact and a fact of the session about the same entity."""
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
        """Returns the rows of the pairs that contradict each other; None if the judge fails."""
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
