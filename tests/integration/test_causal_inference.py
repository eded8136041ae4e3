"""Causes between consecutive turns, inferred by a job over consolidated sessions (T8)."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta
from typing import Any

import pytest

from hippograph.graph.knowledge.causal_inference import CausalInference
from hippograph.nlp.errors import LlmFailed
from hippograph.nlp.extraction.causes import CONFIDENCE

CAUSES = """
MATCH (cause:Episodic)-[r:CAUSAL]->(effect:Episodic)
RETURN cause.content AS cause, effect.content AS effect, r.confidence AS confidence, r.predicate AS word
ORDER BY cause, effect
"""
WAITING = "MATCH (s:Session:Pending) RETURN s.job AS job, s.worker AS worker"
NEWS, WHY, REASON = "I may not play on Friday.", "Oh no. Why?", "They put me on call that night."


@pytest.fixture
def infer(service, drain, clock) -> Callable[..., Awaitable[None]]:
    """Runs all jobs until nothing is due, with the given job for causes in place of the service's own."""

    async def work(job: CausalInference | None = None) -> None:
        while True:
            clock.advance(timedelta(seconds=2))
            steps = [await drain(), await service.consolidation.step(), await service.conflicts.step()]
            if not sum(steps) + await (job or service.causal_inference).step():
                return

    return work


async def talk(scene: Any) -> None:
    """Maya says something, Ben asks why, Maya answers, and the session ends."""
    await scene.say(NEWS, at=scene.minutes(0))
    await scene.say(WHY, by=scene.ben, at=scene.minutes(1))
    await scene.say(REASON, at=scene.minutes(2))
    await scene.service.sessions.close(scene.viewer(), scene.group.id)


class Judge:
    """Returns the same confidence for every pair, or fails if that is None. `pairs` are those it was asked about."""

    def __init__(self, confidence: float | None) -> None:
        self.confidence = confidence
        self.pairs: list[tuple[str, str]] = []

    async def judge(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """Returns the confidence once per pair. Raises `LlmFailed` if it is None."""
        self.pairs += pairs
        if self.confidence is None:
            raise LlmFailed("away")
        return [self.confidence] * len(pairs)


async def test_a_consolidated_session_is_searched_for_causes(scene, infer, raw) -> None:
    """The answer to a question of why is the cause of the turn before the question; no session is left in a queue."""
    await talk(scene)
    await infer()
    found = {"cause": REASON, "effect": NEWS, "confidence": CONFIDENCE, "word": "why"}
    assert [found] == await raw(CAUSES)
    assert [] == await raw(WAITING)


async def test_looking_again_changes_nothing(scene, infer, raw) -> None:
    """A session that is consolidated again has the same causes."""
    await talk(scene)
    await infer()
    before = await raw(CAUSES)
    [row] = await raw("MATCH (s:Session) RETURN s.id AS id")
    await scene.service.consolidation.ask(scene.viewer(), row["id"])
    await infer()
    assert before == await raw(CAUSES)


async def test_a_run_looks_at_so_many_pairs_and_the_next_goes_on(scene, infer, raw, service, clock) -> None:
    """With one link per run, the following runs find the same cause."""
    await talk(scene)
    await infer(CausalInference(service.database, clock, batch_size=1))
    assert [REASON] == [row["cause"] for row in await raw(CAUSES)]


async def test_a_turn_that_comes_late_is_looked_at_too(scene, infer, raw) -> None:
    """A turn that arrives late, after the session was examined, is examined with its new links."""
    await scene.say(NEWS, at=scene.minutes(0))
    await scene.say(REASON, at=scene.minutes(2))
    await scene.service.sessions.close(scene.viewer(), scene.group.id)
    await infer()
    assert [] == await raw(CAUSES)
    await scene.say(WHY, by=scene.ben, at=scene.minutes(1))
    await infer()
    assert [REASON] == [row["cause"] for row in await raw(CAUSES)]


DOUBTFUL = ("The landlord sold our flat.", "After that we moved to Graz.")


async def doubtful(scene: Any, words: Sequence[str] = DOUBTFUL) -> None:
    """Maya says two things, of which the first may be the cause of the second, and the session ends."""
    for minute, each in enumerate(words):
        await scene.say(each, at=scene.minutes(minute))
    await scene.service.sessions.close(scene.viewer(), scene.group.id)


def judged_by(scene: Any, confidence: float | None) -> tuple[CausalInference, Judge]:
    """A job with a judge of this confidence, and the judge."""
    judge = Judge(confidence)
    return CausalInference(scene.service.database, scene.service.clock, batch_size=50, judge=judge), judge


@pytest.mark.parametrize(
    "words", [DOUBTFUL, ("Der Vermieter hat die Wohnung verkauft.", "Also sind wir nach Graz gezogen.")]
)
async def test_a_judge_decides_what_the_words_leave_in_doubt(scene, infer, raw, words: Sequence[str]) -> None:
    """A doubtful pair that the judge is confident of is stored with its confidence; in German each pair is doubtful."""
    await doubtful(scene, words)
    job, judge = judged_by(scene, 0.9)
    await infer(job)
    assert [tuple(words)] == judge.pairs
    assert [0.9] == [row["confidence"] for row in await raw(CAUSES)]


async def test_what_a_judge_does_not_believe_is_no_cause(scene, infer, raw) -> None:
    """A pair for which the judge has low confidence is no cause, and is not judged again."""
    await doubtful(scene)
    job, judge = judged_by(scene, 0.2)
    await infer(job)
    assert [] == await raw(CAUSES)
    assert 0 == await scene.service.model_uses.queue_owed()
    assert 1 == len(judge.pairs)


async def test_what_is_clear_is_not_asked_about(scene, infer, raw) -> None:
    """A sure cause is stored with its own confidence, and the judge is not asked."""
    await talk(scene)
    job, judge = judged_by(scene, 0.2)
    await infer(job)
    assert [] == judge.pairs
    assert [CONFIDENCE] == [row["confidence"] for row in await raw(CAUSES)]


async def test_without_its_judge_the_doubtful_stays_open(scene, infer, raw) -> None:
    """If the judge fails, sure causes are stored, and doubtful pairs are judged when it answers again."""
    for minute, each in enumerate(DOUBTFUL):
        await scene.say(each, at=scene.minutes(minute - 10))
    await talk(scene)
    await infer(judged_by(scene, None)[0])
    assert [REASON] == [row["cause"] for row in await raw(CAUSES)]
    assert 1 == await scene.service.model_uses.queue_owed()
    await infer(judged_by(scene, 0.9)[0])
    assert {REASON, DOUBTFUL[0]} == {row["cause"] for row in await raw(CAUSES)}
    assert [] == await raw("MATCH (s:Session) WHERE s.owes RETURN s.id")


async def test_what_was_forgotten_meanwhile_is_no_cause(scene, infer, raw) -> None:
    """A turn that is retired before its session is examined is no cause."""
    await talk(scene)
    await raw("MATCH (m:Memory {content: $content}) SET m.retired_at = datetime('2024-03-05')", content=REASON)
    await infer()
    assert [] == await raw(CAUSES)
