"""The likeness of two names, and the further evidence that linking them needs."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Final

from hippograph.nlp.names.matching.thresholds import SAME_SOUND


class Needs(IntEnum):
    """The evidence besides the words that linking a mention to an entity needs."""

    NOTHING = 0
    NO_STRANGERS = 1
    """Both are not used among different people, with nobody in common."""
    COMPANY_OR_REVIEW = 2
    """The same chat, or a person in common; otherwise a review."""
    COMPANY = 3
    """The same chat, or a person in common."""
    CHAT = 4
    """The same chat; for a thing, a person in common is enough."""
    REVIEW = 5
    """A review."""


@dataclass(frozen=True, slots=True)
class Likeness:
    """How alike two names are: a score (0 to 1), the reason, and the further evidence that a link needs.

    `named` says that a mention is the entity's own name, an alias or a username. `lasting` says that it is worth
    keeping as an alias, unlike short forms that only the chat makes clear. `heard` says that the names are alike in
    sound only.
    """

    score: float
    needs: Needs
    reason: str
    named: bool = False
    lasting: bool = True
    heard: bool = False


NONE: Final = Likeness(0.0, Needs.REVIEW, "")
SAME_NAME: Final = Likeness(1.0, Needs.NOTHING, "the same name", named=True)


def needing(alike: Likeness, needs: Needs) -> Likeness:
    """Returns the likeness with `needs` raised to at least the given level. `named` is kept for NO_STRANGERS only."""
    return replace(alike, needs=max(alike.needs, needs), named=alike.named and needs is Needs.NO_STRANGERS)


def best(found: Sequence[Likeness]) -> Likeness:
    """Returns the likeness that needs the least evidence, of several the one with the highest score; else `NONE`."""
    return max((one for one in found if one.score), key=lambda one: (-one.needs, one.score), default=NONE)


def sounding(far: float, needs: Needs) -> Likeness:
    """Returns the likeness of two names at a phonetic distance `far`."""
    if far <= SAME_SOUND:
        return Likeness(0.95, needs, "a name that sounds the same", heard=True)
    return Likeness(0.9 - far / 2, needs, "a name that sounds alike", heard=True)
