"""Input and output of extractors: turns of a talk, and the statements found in them.

What belongs here: plain values. What does not: how a statement is found (`nlp.frames.extractor`).
"""

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from hippograph.nlp.dates import Precision
from hippograph.nlp.names.recognition import EntityType

DATED: Final = frozenset({"event", "plan"})
"""Kinds that have a date of their own; their statements have no aspect."""


class AmbiguousReference(Exception):
    """Something cannot be worded so that it is understood on its own; the message is the reason."""


@dataclass(frozen=True, slots=True)
class Said:
    """A turn of a talk: the full name of its speaker (None for the assistant), their local time (as if UTC), and the
    text.
    """

    speaker: str | None
    time: datetime
    text: str


@dataclass(frozen=True, slots=True)
class Subject:
    """Whom or what a statement is about: the full name of a participant, else the name as said, and its type.

    Things without a name of their own ("the Atlas release", "Maya's phone") are a Concept.
    """

    name: str
    type: EntityType


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation between two entities: Ana works_at Siemens, Lars brother_of Ingrid Solheim."""

    source: Subject
    predicate: str
    target: Subject


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement that is understood on its own.

    `subjects` are whom it is about: the primary one first, then other persons of whom it is equally true ("Maya and Ben
    moved"), not everybody it names. `kind` is fact, preference, relationship, habit, event or plan; `confidence` is
    from 0 to 1. `event_time` is the first day of the time that its words name, at midnight
    UTC, and `event_precision` how exactly they name it.
    `aspect` is the predicate that has one value at a time, so that a new value replaces the old one; None if it makes
    no such claim. `value` is what it claims under the aspect. `ends` is the aspect and the value of a claim that no
    longer holds because of it.
    `sensitivity` is the extractor's own label (public, personal, sensitive), None without one. It can only make a fact
    more private than `nlp.privacy.sensitivity` guesses. `portable` is False if the extractor finds the statement of no
    use outside the talk.
    `quotation` is the part of the turn that it was taken from, word for word (empty: all of it). `frame` is the frame
    that it fills (`nlp.frames`), empty for none.
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
        """The name of the primary subject."""
        return self.subjects[0].name


@dataclass(slots=True)
class Extracted:
    """The statements of each turn, how many were dropped by reason, and the numbers of the turns in which a language
    model finds a request to keep something from somebody.
    """

    turns: list[list[Statement]] = field(default_factory=list)
    dropped: Counter[str] = field(default_factory=Counter)
    confided: set[int] = field(default_factory=set)
