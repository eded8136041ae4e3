"""What the extractor takes and gives: turns of a talk, and the statements found in them.

What belongs here: plain values. What does not: how a statement is found (`nlp.frames.extractor`).
"""

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from hippograph.nlp.dates import Precision
from hippograph.nlp.names.recognition import EntityType

DATED: Final = frozenset({"event", "plan"})
"""The kinds that have a day of their own, which they are not worded with."""


class AmbiguousReference(Exception):
    """Something cannot be said so that it stands alone; the message is the reason."""


@dataclass(frozen=True, slots=True)
class Said:
    """A turn of a talk: who spoke (a full name; none for the assistant), when by their clock (as if UTC), and what."""

    speaker: str | None
    time: datetime
    text: str


@dataclass(frozen=True, slots=True)
class Subject:
    """Whom or what a statement is about: the full name of a participant, else the name as said, and what it is.

    Things without a name of their own ("the Atlas release", "Maya's phone") are a Concept.
    """

    name: str
    type: EntityType


@dataclass(frozen=True, slots=True)
class Relation:
    """What one entity is to another: Ana works_at Siemens, Lars brother_of Ingrid Solheim."""

    source: Subject
    predicate: str
    target: Subject


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement that stands alone.

    `subjects` are whom it is about: first of all the primary one, then other persons of whom it is as true ("Maya and
    Ben moved"), not everybody it names. `kind` is fact, preference, relationship, friction, habit, event, plan,
    procedure or opinion; `confidence` is from 0 to 1; `event_time` the first day of the time that its words name, at
    midnight UTC, and `event_precision` how exactly they name it.
    `aspect` is the predicate of which a person has one value at a time, so that a new one replaces the old.
    `sensitivity` is what the extractor thinks (public, personal, sensitive), if it thinks at all: only ever something
    more private than what `nlp.privacy.sensitivity` guesses. `portable` is False for what it thinks is of no
    use outside of the talk.
    `quotation` is what of the turn it was taken from, word for word (empty: all of it). `frame` is the frame that it
    fills (`nlp.frames`), `value` what it claims under its aspect, and `ends` the aspect and the value of what holds no
    more by it.
    """

    content: str
    subjects: tuple[Subject, ...]
    kind: str
    confidence: float
    aspect: str | None = None
    importance: int = 1
    event_time: datetime | None = None
    relation: Relation | None = None
    sensitivity: str | None = None
    event_precision: Precision = "day"
    quotation: str = ""
    value: str | None = None
    frame: str = ""
    ends: tuple[str, str] | None = None
    portable: bool | None = None

    @property
    def subject(self) -> str:
        """The name of whom or what it is about first of all."""
        return self.subjects[0].name


@dataclass(slots=True)
class Extracted:
    """The statements of each turn, how many clauses were dropped for what reason, and the numbers of turns in which a
    language model hears that something is to be kept from somebody.
    """

    turns: list[list[Statement]] = field(default_factory=list)
    dropped: Counter[str] = field(default_factory=Counter)
    confided: set[int] = field(default_factory=set)
