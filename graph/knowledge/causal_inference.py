"""Causes between consecutive episodes: what one turn explains of another, or concludes from it (T8).

A session that was consolidated waits for it in the queue of the job `infer_causes`. Each `TEMPORAL` link is examined
once; a turn that comes late has new links. A cause and its effect are turns of one session, so of one scope.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from hippograph.graph.clock import Clock
from hippograph.graph.database import Database, Row
from hippograph.graph.jobs.queue import LEASE, Claim, Queue
from hippograph.graph.model import NO_END
from hippograph.nlp.errors import LlmFailed
from hippograph.nlp.extraction.answered_causes import Inferred, Uttered, answered_causes

log = logging.getLogger(__name__)

CONFIDENCE: Final = 0.7
"""How sure a cause is that the words of a talk suggest (M11)."""
_LEAST_CONFIDENCE: Final = 0.5
"""What a judge believes less is no cause."""
_SESSIONS_AT_ONCE: Final = 4


class CausalJudge(Protocol):
    """Judges whether one thing caused another; `nlp.llm.extractor` has one."""

    async def causes(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """For each pair of texts, the confidence (0 to 1) that the first caused the second. Raises `LlmFailed`."""


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two turns by their ids and words, and why the one may be the cause of the other."""

    cause: Row
    effect: Row
    inferred: Inferred

    def row(self, confidence: float) -> Row:
        """The row of `causes/note`."""
        ends = {"cause": self.cause["id"], "effect": self.effect["id"]}
        return {
            **ends,
            "predicate": self.inferred.connective,
            "confidence": confidence,
            "evidence": [self.effect["id"]],
        }


class CausalInference:
    """The job that looks for causes in consolidated sessions, in at most `batch_size` pairs of turns a run.

    With a `judge` that decides; without one, or when it fails, what the words leave no doubt about is noted.
    """

    name: Final = "infer_causes"

    def __init__(self, database: Database, clock: Clock, *, batch_size: int, judge: CausalJudge | None = None) -> None:
        self.queue: Final = Queue(database, clock, self.name)
        self._database = database
        self._clock = clock
        self._batch_size = batch_size
        self._judge = judge

    async def step(self) -> int:
        """Claims some sessions and makes one run over each; how many."""
        claim = await self.queue.claim(_SESSIONS_AT_ONCE)
        await self.queue.work_through(claim, claim.ids, self._run)
        return len(claim.items)

    async def _run(self, session_id: str, claim: Claim) -> None:
        """Examines the next links of a session that is still held."""
        examined = await self._database.run(
            "causes/pairs",
            id=session_id,
            worker=claim.worker,
            lease_until=self._clock() + LEASE,
            limit=self._batch_size,
            no_end=NO_END,
        )
        pairs = [pair for row in examined for pair in _pairs(row["turns"])]
        async with self.queue.held(claim, [session_id]):
            rows = await self._judged(pairs)
        await self._database.run(
            "causes/note",
            id=session_id,
            worker=claim.worker,
            examined=[row["id"] for row in examined],
            rows=rows,
            left=len(examined) == self._batch_size,
            now=self._clock(),
            no_end=NO_END,
        )

    async def _judged(self, pairs: Sequence[_Pair]) -> list[Row]:
        if self._judge is not None and pairs:
            try:
                sure = await self._judge.causes([(pair.cause["content"], pair.effect["content"]) for pair in pairs])
                judged = zip(pairs, sure, strict=True)
                return [pair.row(confidence) for pair, confidence in judged if confidence >= _LEAST_CONFIDENCE]
            except LlmFailed as error:
                log.warning("the language model judged no causes (%s): the words alone decide", error.reason)
        return [pair.row(CONFIDENCE) for pair in pairs if pair.inferred.sure]


def _pairs(turns: Sequence[Row]) -> list[_Pair]:
    """The pairs that the last of some consecutive turns suggests, of turns that stand. What was read out is no talk."""
    if any(turn["title"] is not None for turn in turns):
        return []
    uttered = [Uttered(turn["content"], turn["speaker"], frozenset(turn["entities"])) for turn in turns]
    found = [_Pair(turns[each.cause], turns[each.effect], each) for each in answered_causes(uttered)]
    return [pair for pair in found if pair.cause["standing"] and pair.effect["standing"]]
