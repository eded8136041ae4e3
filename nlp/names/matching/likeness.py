"""The likeness of two names, and the evidence that is needed besides before they are linked."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Final

from hippograph.nlp.names.matching.thresholds import SAME_SOUND


class Needs(IntEnum):
    """The evidence besides the words that linking two names needs."""

    NOTHING = 0
    NO_STRANGERS = 1
    """That both are not met among different people, none of whom they have in common."""
    COMPANY_OR_REVIEW = 2
    """The same chat, or somebody in common; or else somebody who looks at it."""
    COMPANY = 3
    """The same chat, or somebody in common."""
    CHAT = 4
    """The same chat; of a thing, somebody in common will do."""
    REVIEW = 5
    """Somebody who looks at it."""


@dataclass(frozen=True, slots=True)
class Likeness:
    """How alike two names are, 0 to 1, in which way, and what else it needs.

    `named` says that it is one of its names or usernames; `lasting` that it is a name of its own for the same thing,
    which short forms that the chat makes clear are not; `heard` that it only sounds so.
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
    """The same where the words alone say less: it needs at least so much, and is a name of its own no more, if that is
    company.
    """
    return replace(alike, needs=max(alike.needs, needs), named=alike.named and needs is Needs.NO_STRANGERS)


def best(found: Sequence[Likeness]) -> Likeness:
    """The one that needs least evidence; of several, the likest."""
    return max((one for one in found if one.score), key=lambda one: (-one.needs, one.score), default=NONE)


def sounding(far: float, needs: Needs) -> Likeness:
    """The likeness of two names of this phonetic distance."""
    if far <= SAME_SOUND:
        return Likeness(0.95, needs, "a name that sounds the same", heard=True)
    return Likeness(0.9 - far / 2, needs, "a name that sounds alike", heard=True)
