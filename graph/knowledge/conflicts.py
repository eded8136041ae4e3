"""Contradictions between facts that share no key: what somebody likes and cannot stand (W6).

What shares a key is settled when it is written (`graph.writing.supersession`). The rest only a language model sees: a
session in which causes were looked for waits for it in the queue of the job `find_conflicts`. Two facts that contradict
each other both stay; `explain` tells of it. Without a model sessions are only taken off the queue.
"""

from collections.abc import Sequence
from typing import Final

from hippograph.graph.clock import Clock
from hippograph.graph.database import Database, Row
from hippograph.graph.jobs.queue import LEASE, Claim, Queue
from hippograph.graph.knowledge.causal_inference import FIND_CONFLICTS, Judge
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
        self, database: Database, clock: Clock, *, slot: VectorSlot | None, judge: Judge | None = None
    ) -> None:
        self.queue: Final = Queue(database, clock, self.name)
        self._database = database
        self._clock = clock
        self._slot = slot.name if slot else "a"
        self._judge = judge

    async def step(self) -> int:
        """Claims some sessions and looks at what was found in each; how many."""
        return await self.queue.work_off(_SESSIONS_AT_ONCE, self._run)

    async def _run(self, session_id: str, claim: Claim) -> None:
        started = self._clock()
        found = await self._database.run(
            f"conflict/pairs.{self._slot}",
            id=session_id,
            worker=claim.worker,
            lease_until=started + LEASE,
            most=_MOST_FACTS,
            beside=_BESIDE,
            now=started,
        )
        pairs = [(other, row["fact"]) for row in found for other in row["others"]]
        async with self.queue.held(claim, [session_id]):
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
