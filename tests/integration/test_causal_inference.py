"""Causes between consecutive episodes, as a job of consolidated sessions (T8)."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta
from typing import Any

import pytest

from hippograph.graph.knowledge.causal_inference import CONFIDENCE, CausalInference
from hippograph.nlp.errors import LlmFailed

CAUSES = """
MATCH (cause:Episodic)-[r:CAUSAL]->(effect:Episodic)
RETURN cause.content AS cause, effect.content AS effect, r.confidence AS confidence, r.predicate AS word
ORDER BY cause, effect
"""
WAITING = "MATCH (s:Session:Pending) RETURN s.job AS job, s.worker AS worker"
NEWS, WHY, REASON = "I may not play on Friday.", "Oh no. Why?", "They put me on call that night."


@pytest.fixture
def infer(service, drain, clock) -> Callable[..., Awaitable[None]]:
    """Works until nothing is due, with this job in place of the service's own."""

    async def work(job: CausalInference | None = None) -> None:
        while True:
            clock.advance(timedelta(seconds=2))
            steps = [await drain(), await service.consolidation.step()]
            if not sum(steps) + await (job or service.causal_inference).step():
                return

    return work


async def talk(scene: Any) -> None:
    """Maya says something, Ben asks why, Maya tells, and the session ends."""
    await scene.say(NEWS, at=scene.minutes(0))
    await scene.say(WHY, by=scene.ben, at=scene.minutes(1))
    await scene.say(REASON, at=scene.minutes(2))
    await scene.service.sessions.close(scene.viewer(), scene.group.id)


class Judge:
    """Is as sure of every pair as it was told to be; fails without."""

    def __init__(self, confidence: float | None) -> None:
        self.confidence = confidence
        self.pairs: list[tuple[str, str]] = []

    async def causes(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """The same for all."""
        self.pairs += pairs
        if self.confidence is None:
            raise LlmFailed("away")
        return [self.confidence] * len(pairs)


async def test_a_consolidated_session_is_searched_for_causes(scene, infer, raw) -> None:
    """The answer to why is the cause of what was said before, and the session waits for nothing any more."""
    await talk(scene)
    await infer()
    found = {"cause": REASON, "effect": NEWS, "confidence": CONFIDENCE, "word": "why"}
    assert [found] == await raw(CAUSES)
    assert [] == await raw(WAITING)


async def test_looking_again_changes_nothing(scene, infer, raw) -> None:
    """A session that is consolidated once more has the same causes."""
    await talk(scene)
    await infer()
    before = await raw(CAUSES)
    [row] = await raw("MATCH (s:Session) RETURN s.id AS id")
    await scene.service.consolidation.ask(scene.viewer(), row["id"])
    await infer()
    assert before == await raw(CAUSES)


async def test_a_run_looks_at_so_many_pairs_and_the_next_goes_on(scene, infer, raw, service, clock) -> None:
    """With one pair a run the causes are the same."""
    await talk(scene)
    await infer(CausalInference(service.database, clock, batch_size=1))
    assert [REASON] == [row["cause"] for row in await raw(CAUSES)]


async def test_a_turn_that_comes_late_is_looked_at_too(scene, infer, raw) -> None:
    """Its links are new, and the session is read again."""
    await scene.say(NEWS, at=scene.minutes(0))
    await scene.say(REASON, at=scene.minutes(2))
    await scene.service.sessions.close(scene.viewer(), scene.group.id)
    await infer()
    assert [] == await raw(CAUSES)
    await scene.say(WHY, by=scene.ben, at=scene.minutes(1))
    await infer()
    assert [REASON] == [row["cause"] for row in await raw(CAUSES)]


async def test_a_judge_decides(scene, infer, raw, service, clock) -> None:
    """What it believes is noted with its confidence, also where the words alone would leave doubts."""
    await scene.say("The landlord sold our flat.", at=scene.minutes(0))
    await scene.say("After that we moved to Graz.", at=scene.minutes(1))
    await scene.service.sessions.close(scene.viewer(), scene.group.id)
    await infer(CausalInference(service.database, clock, batch_size=50, judge=Judge(0.9)))
    assert [0.9] == [row["confidence"] for row in await raw(CAUSES)]


async def test_what_a_judge_does_not_believe_is_no_cause(scene, infer, raw, service, clock) -> None:
    """However clear the words are."""
    await talk(scene)
    judge = Judge(0.2)
    await infer(CausalInference(service.database, clock, batch_size=50, judge=judge))
    assert [(REASON, NEWS)] == judge.pairs
    assert [] == await raw(CAUSES)


async def test_without_its_judge_the_words_decide(scene, infer, raw, service, clock) -> None:
    """A language model that fails keeps nothing from being found."""
    await talk(scene)
    await infer(CausalInference(service.database, clock, batch_size=50, judge=Judge(None)))
    assert [CONFIDENCE] == [row["confidence"] for row in await raw(CAUSES)]


async def test_what_was_forgotten_meanwhile_is_no_cause(scene, infer, raw) -> None:
    """Neither end may be retired."""
    await talk(scene)
    await raw("MATCH (m:Memory {content: $content}) SET m.retired_at = datetime('2024-03-05')", content=REASON)
    await infer()
    assert [] == await raw(CAUSES)
