"""Check whether the configured LLM answers, and a description of its uses. No memory or message is sent."""

import time
from dataclasses import dataclass
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, ValidationError

from hippograph.api.models.job_models import open_llm
from hippograph.api.settings.settings import Settings
from hippograph.nlp.errors import LlmFailed
from hippograph.nlp.llm.endpoint import Question
from hippograph.nlp.llm.uses import Outcome, Use

PURPOSES: Final = {
    Use.FACTS: "facts out of whole sessions, in any language; else the local extractor reads English",
    Use.CAUSES: "what caused what where the words leave it in doubt; else only what is clear",
    Use.ENTITY_SUMMARIES: "what is known of people and things, worded; else the sentences of the facts",
    Use.TALK_SUMMARIES: "summaries of sessions, of the latest talk and of people, worded; else what was said",
    Use.CONFLICTS: "facts that contradict each other and share no key; else none are found",
}
"""What the LLM provides for each use, and what happens without it."""
_HINTS: Final = {
    "status 401": "the key is not accepted: HIPPOGRAPH_LLM_API_KEY",
    "status 403": "the key may not use this model: HIPPOGRAPH_LLM_API_KEY, HIPPOGRAPH_LLM_MODEL",
    "status 404": "there is no such address or model: HIPPOGRAPH_LLM_BASE_URL, HIPPOGRAPH_LLM_MODEL",
    "status 429": "too many calls, or nothing is left of what was paid for",
    "connection": "nobody answers there: HIPPOGRAPH_LLM_BASE_URL",
    "timeout": "it takes too long: HIPPOGRAPH_LLM_TIMEOUT_S",
    "not json": "it does not answer in JSON: another model is needed",
    "wrong shape": "it does not keep to the form that is asked for: another model is needed",
    "refused": "it refuses: another model is needed",
}
_ASKED: Final = "Answer with the object of JSON whose only key, `sum`, is the sum of the numbers in the user's message."


class _Sum(BaseModel):
    model_config = ConfigDict(strict=True)

    sum: int


@dataclass(frozen=True, slots=True)
class ModelCheck:
    """The result of a check: whether the model at an address answers in the requested form, and after how many seconds.
    If it does not, `failure` is the reason, and `hint` the likely cause or the settings to look at, if known.
    """

    model: str
    address: str
    answers: bool
    seconds: float
    failure: str = ""
    hint: str = ""


class _Uncounted:
    """A ledger that counts nothing, since a check is not a use."""

    async def spend(self, use: Use, calls: int) -> None:
        """Allows any number of calls."""

    async def note(self, use: Use, outcome: Outcome, reason: str = "") -> None:
        """Ignores the outcome."""


async def check_model(settings: Settings) -> ModelCheck | None:
    """Asks the configured LLM for a sum. Returns None, and sends nothing, if none is set."""
    async with open_llm(settings, _Uncounted()) as endpoint:
        if endpoint is None:
            return None
        model, address, started = str(settings.llm_model), str(settings.llm_base_url), time.perf_counter()
        try:
            await endpoint.ask(Question(Use.FACTS, _ASKED, _Sum, _read), [{"numbers": [19, 23]}])
        except LlmFailed as error:
            taken, hint = time.perf_counter() - started, _HINTS.get(error.reason, "")
            return ModelCheck(model, address, answers=False, seconds=taken, failure=error.reason, hint=hint)
        return ModelCheck(model, address, answers=True, seconds=time.perf_counter() - started)


def _read(answer: dict[str, Any]) -> _Sum:
    try:
        return _Sum.model_validate(answer)
    except ValidationError as error:
        raise LlmFailed("wrong shape") from error
