"""Judgement of pairs of texts by a language model: whether one caused the other, or they contradict each other."""

from collections.abc import Sequence
from typing import Any, Final

from pydantic import BaseModel, ConfigDict

from hippograph.nlp.llm.endpoint import Endpoint, Question, all_validated, listed
from hippograph.nlp.llm.uses import Use, prompt

PAIRS: Final = 25
"""Maximum number of pairs in one call."""
CHARACTERS: Final = 500
"""Maximum number of characters of a text; the rest is cut off."""


class _Judged(BaseModel):
    model_config = ConfigDict(strict=True)

    pair: int
    confidence: float


class _Judgements(BaseModel):
    judgements: list[_Judged]


class LlmJudge:
    """Judges pairs of texts for one use."""

    def __init__(self, endpoint: Endpoint, use: Use) -> None:
        self._endpoint = endpoint
        self._question = Question(use, prompt(use), _Judgements, _read)

    async def judge(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """Returns the confidence (0 to 1) for each pair; the earlier text is the first of its pair.

        It is 0 for pairs that the model leaves out or judges with a number outside of 0 to 1. Raises LlmFailed.
        """
        parts = [pairs[start : start + PAIRS] for start in range(0, len(pairs), PAIRS)]
        answers = await self._endpoint.ask(self._question, [_shown(part) for part in parts])
        return [
            answer.get(number, 0.0) for part, answer in zip(parts, answers, strict=True) for number in range(len(part))
        ]


def _shown(pairs: Sequence[tuple[str, str]]) -> dict[str, Any]:
    return {
        "pairs": [
            {"pair": number, "earlier": earlier[:CHARACTERS], "later": later[:CHARACTERS]}
            for number, (earlier, later) in enumerate(pairs)
        ]
    }


def _read(answer: dict[str, Any]) -> dict[int, float]:
    found = all_validated(_Judged, listed(answer, "judgements"))
    return {each.pair: each.confidence for each in found if 0 <= each.confidence <= 1}
