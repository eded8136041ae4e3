"""The uses of a language model, their prompts, and the interface that counts calls.

What does not belong here: how a model is called (`nlp.llm.endpoint`).
"""

from enum import StrEnum
from functools import cache
from pathlib import Path
from string import Template
from typing import Final, Protocol

_PROMPTS: Final = Path(__file__).with_name("prompts")


class Use(StrEnum):
    """What a language model is asked for; each has a prompt in `prompts/`."""

    FACTS = "facts"
    CAUSES = "causes"
    ENTITY_SUMMARIES = "entity_summaries"
    TALK_SUMMARIES = "talk_summaries"
    CONFLICTS = "conflicts"


DAILY_CALLS: Final = {
    Use.FACTS: 2_000,
    Use.CAUSES: 1_000,
    Use.ENTITY_SUMMARIES: 1_000,
    Use.TALK_SUMMARIES: 1_000,
    Use.CONFLICTS: 500,
}
"""Default maximum number of calls a day of each use."""


class Outcome(StrEnum):
    """Outcome of a call."""

    ANSWERED = "answered"
    REFUSED = "refused"
    TIMED_OUT = "timed_out"
    INVALID = "invalid"
    FAILED = "failed"


class Ledger(Protocol):
    """Counts calls to a model, and keeps each use within its budget."""

    async def spend(self, use: Use, calls: int) -> None:
        """Charges calls that are about to be made. Raises LlmFailed if the budget does not cover all of them; then none
        is charged.
        """

    async def note(self, use: Use, outcome: Outcome, reason: str = "") -> None:
        """Counts the outcome of a call; `reason` says why it failed."""


@cache
def prompt(use: Use, **values: str) -> str:
    """Returns the system message for a use: that the input is data, and what to do with it. `values` fill its
    placeholders. Raises KeyError for a placeholder without a value.
    """
    return f"{_read('data')}\n{Template(_read(use.value)).substitute(values)}"


def _read(name: str) -> str:
    return (_PROMPTS / f"{name}.md").read_text("utf-8")
