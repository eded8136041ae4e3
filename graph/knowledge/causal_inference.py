"""Causes between consecutive episodes: what one turn explains of another, or concludes from it (T8).

A session that was consolidated waits for it in the queue of the job `infer_causes`. Each `TEMPORAL` link is examined
once; a turn that comes late has new links. A cause and its effect are turns of one session, so of one scope. What the
words leave no doubt about is noted; of what they leave in doubt a language model decides, where one is set.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from hippograph.graph.clock import Clock
from hippograph.graph.database import Database, Row
from hippograph.graph.jobs.queue import LEASE, Claim, Queue
from hippograph.nlp.attachments import own_words
from hippograph.nlp.errors import LlmFailed
from hippograph.nlp.extraction.answered_causes import Inferred, Uttered, answered_causes
from hippograph.nlp.extraction.causes import CONFIDENCE

_LEAST_CONFIDENCE: Final = 0.5
"""What a judge believes less is no cause."""
_SESSIONS_AT_ONCE: Final = 4
FIND_CONFLICTS: Final = "find_conflicts"
"""The job that a session goes on to."""


class Judge(Protocol):
    """Judges pairs of texts; `nlp.llm.judgement` has one."""

    async def judge(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """For each pair, the earlier one first, with what confidence (0 to 1) it is so. Raises `LlmFailed`."""


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

    A `judge` decides on the pairs in doubt; without one they are no causes, and when it fails they stay open.
    """

    name: Final = "infer_causes"

    def __init__(
        self,
        database: Database,
        clock: Clock,
        *,
        batch_size: int,
        judge: Judge | None = None,
        finds_conflicts: bool = False,
    ) -> None:
        """With `finds_conflicts` a session goes on to the job that looks for contradictions."""
        self.queue: Final = Queue(database, clock, self.name)
        self._database = database
        self._clock = clock
        self._batch_size = batch_size
        self._judge = judge
        self._finds_conflicts = finds_conflicts

    async def step(self) -> int:
        """Claims some sessions and makes one run over each; how many."""
        return await self.queue.work_off(_SESSIONS_AT_ONCE, self._run)

    async def _run(self, session_id: str, claim: Claim) -> None:
        """Examines the next links of a session that is still held."""
        examined = await self._database.run(
            "causes/pairs",
            id=session_id,
            worker=claim.worker,
            lease_until=self._clock() + LEASE,
            limit=self._batch_size,
        )
        pairs = [(row["id"], pair) for row in examined for pair in _pairs(row["turns"])]
        doubtful = [each for each in pairs if not each[1].inferred.sure]
        async with self.queue.held(claim, [session_id]):
            judged = await self._judged([pair for _, pair in doubtful])
        await self._database.run(
            "causes/note",
            id=session_id,
            worker=claim.worker,
            examined=[row["id"] for row in examined],
            undecided=[] if judged is not None else list(dict.fromkeys(link for link, _ in doubtful)),
            rows=[pair.row(CONFIDENCE) for _, pair in pairs if pair.inferred.sure] + (judged or []),
            left=len(examined) == self._batch_size,
            next=FIND_CONFLICTS if self._finds_conflicts else None,
            now=self._clock(),
        )

    async def _judged(self, pairs: Sequence[_Pair]) -> list[Row] | None:
        """The causes among pairs in doubt; None where the judge fails."""
        if self._judge is None or not pairs:
            return []
        try:
            sure = await self._judge.judge([(pair.cause["content"], pair.effect["content"]) for pair in pairs])
        except LlmFailed:
            return None
        judged = zip(pairs, sure, strict=True)
        return [pair.row(confidence) for pair, confidence in judged if confidence >= _LEAST_CONFIDENCE]


def _pairs(turns: Sequence[Row]) -> list[_Pair]:
    """The pairs that the last of some consecutive turns suggests, of turns that stand. What was read out is no talk."""
    if any(turn["title"] is not None for turn in turns):
        return []
    turns = [{**turn, "content": own_words(turn["content"])} if turn["attached"] else turn for turn in turns]
    uttered = [Uttered(turn["content"], turn["speaker"], frozenset(turn["entities"])) for turn in turns]
    found = [_Pair(turns[each.cause], turns[each.effect], each) for each in answered_causes(uttered)]
    return [pair for pair in found if pair.cause["standing"] and pair.effect["standing"]]
