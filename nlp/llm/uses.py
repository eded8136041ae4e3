"""What a language model is used for, and how each use is counted.

What belongs here: the uses, their prompts, what can become of a call, and who counts. What does not: how a model is
called (`nlp.llm.endpoint`).
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
"""How many calls a day each use may make, unless a setting says otherwise."""


class Outcome(StrEnum):
    """What became of a call."""

    ANSWERED = "answered"
    REFUSED = "refused"
    TIMED_OUT = "timed_out"
    INVALID = "invalid"
    FAILED = "failed"


class Ledger(Protocol):
    """Counts what a model is asked, and holds each use to its budget."""

    async def spend(self, use: Use, calls: int) -> None:
        """Counts so many calls that are about to be made. Raises LlmFailed when the budget does not hold them all; then
        none is.
        """

    async def note(self, use: Use, outcome: Outcome, reason: str = "") -> None:
        """Counts what became of a call, and why it failed."""


@cache
def prompt(use: Use, **values: str) -> str:
    """What a model is told for a use: that what it gets is data, and what to do with it, with `values` in their places.

    Raises KeyError for a place without a value.
    """
    return f"{_read('data')}\n{Template(_read(use.value)).substitute(values)}"


def _read(name: str) -> str:
    return (_PROMPTS / f"{name}.md").read_text("utf-8")
