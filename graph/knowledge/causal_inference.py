"""Infers causes between consecutive turns: one explains another, or concludes something from it (T8).

A consolidated session waits in the queue of the job `infer_causes`. Each `TEMPORAL` link is examined once; a turn that
arrives late has new links. A cause and its effect are turns of one session, so of one scope. Causes that the words make
sure are stored; a language model, if one is configured, decides on doubtful ones.
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
"""Minimum confidence of a judge in a doubtful pair for it to be a cause."""
_SESSIONS_AT_ONCE: Final = 4
FIND_CONFLICTS: Final = "find_conflicts"
"""The job for which a session is queued next."""


class Judge(Protocol):
    """Judges pairs of texts; implemented in `nlp.llm.judgement`."""

    async def judge(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """Returns the confidence (0 to 1) that the relation holds, for each pair with the earlier text first. Raises
        `LlmFailed`.
        """


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two turns, one the possible cause of the other, and what suggests it."""

    cause: Row
    effect: Row
    inferred: Inferred

    def row(self, confidence: float) -> Row:
        """Returns the row for `causes/note`."""
        ends = {"cause": self.cause["id"], "effect": self.effect["id"]}
        return {
            **ends,
            "predicate": self.inferred.connective,
            "confidence": confidence,
            "evidence": [self.effect["id"]],
        }


class CausalInference:
    """The job that looks for causes in consolidated sessions, in at most `batch_size` links between turns per run.

    A `judge` decides on doubtful pairs. Without one they are no causes; if it fails, they stay undecided.
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
        """With `finds_conflicts`, a finished session is queued for the job that looks for contradictions."""
        self.queue: Final = Queue(database, clock, self.name)
        self._database = database
        self._clock = clock
        self._batch_size = batch_size
        self._judge = judge
        self._finds_conflicts = finds_conflicts

    async def step(self) -> int:
        """Claims some sessions, makes one run over each, and returns their number."""
        return await self.queue.work_off(_SESSIONS_AT_ONCE, self._run)

    async def _run(self, session_id: str, claim: Claim) -> None:
        """Examines the next links of a session, if its lease is still held."""
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
        """Returns the rows of the causes among doubtful pairs; None if the judge fails."""
        if self._judge is None or not pairs:
            return []
        try:
            sure = await self._judge.judge([(pair.cause["content"], pair.effect["content"]) for pair in pairs])
        except LlmFailed:
            return None
        judged = zip(pairs, sure, strict=True)
        return [pair.row(confidence) for pair, confidence in judged if confidence >= _LEAST_CONFIDENCE]


def _pairs(turns: Sequence[Row]) -> list[_Pair]:
    """Returns the possible causes that the last of these consecutive turns shows, between turns that are not retired.
    There are none if a turn has a title, since it was then read out and is no talk.
    """
    if any(turn["title"] is not None for turn in turns):
        return []
    turns = [{**turn, "content": own_words(turn["content"])} if turn["attached"] else turn for turn in turns]
    uttered = [Uttered(turn["content"], turn["speaker"], frozenset(turn["entities"])) for turn in turns]
    found = [_Pair(turns[each.cause], turns[each.effect], each) for each in answered_causes(uttered)]
    return [pair for pair in found if pair.cause["standing"] and pair.effect["standing"]]
