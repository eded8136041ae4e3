"""A fact before it is stored: its fields and their checks, its subjects, its key and its value (W5)."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Final

from hippograph.graph.checks import checked_attributes, checked_moment, checked_text, refuse_secrets
from hippograph.graph.errors import InvalidInput
from hippograph.graph.ids import derived_id
from hippograph.graph.model import (
    CATEGORIES,
    KINDS,
    NO_END,
    OLD_DATA,
    EntityType,
    EventPrecision,
    MemoryType,
    Sensitivity,
)
from hippograph.graph.stretches import precision_of, started
from hippograph.graph.zones import UTC_ZONE, moment_at
from hippograph.nlp.privacy.confidences import told_in_confidence
from hippograph.nlp.text import normalise, slug

MAX_SUBJECTS: Final = 20
FACT_TYPES: Final = ("fact", "preference", "relationship", "friction", "habit")
SOURCES: Final = ("agent", "tool_result", "narrative", "seeded_profile", OLD_DATA)
_TYPES: Final = (MemoryType.SEMANTIC, MemoryType.PROCEDURAL, MemoryType.OPINION)
SMALL_WORDS: Final = frozenset(
    {*("a", "an", "the", "i", "my", "me", "is", "am", "are", "was", "be", "been", "has", "have", "had", "s", "m")}
    | {*("in", "at", "on", "of", "to", "for", "as", "from", "with", "and", "his", "her", "their", "now")}
    | {*("work", "works", "working", "live", "lives", "living")}
)
"""Words that do not distinguish one value from another under the same aspect; `gist` leaves them out."""
_DASH: Final = re.compile(r"(?<!\s)(?<!^)-|-(?!\d)")
"""A hyphen or dash that is not the sign of a number."""


class _Words(dict[int, str]):
    """A table for `str.translate`: keeps letters, digits, combining marks and symbols; all else becomes a space."""

    def __missing__(self, code: int) -> str:
        one = chr(code)
        kept = (
            one.isalnum()
            or one in "_#%-°"
            or (unicodedata.category(one) in ("Mn", "Mc", "Sm", "Sc") and one != "\ufe0f")
        )
        self[code] = one if kept else " "
        return self[code]


_WORDS: Final = _Words()


@dataclass(frozen=True, slots=True)
class Fact:
    """A self-contained statement with its metadata. A category, label, aspect, value or start that is None is inferred.

    `about` are ids or keys of entities, the primary one first; when empty, the fact is about its speaker, or about the
    group whose fact it is. `aspect` is the normalised predicate (`lives_in`), `value` what is compared under it (None:
    the words). `event_precision` says how exactly `event_time` is known. `ttl` overrides the lifetime of its kind.
    `evidence` are ids of turns it was extracted from.

    For an extracted fact, `said_at` is the time of the turn, `learned_at` when the turn was recorded, `emotion` its
    emotional intensity (0 to 1), and `quotation` the part of the turn that says it (empty: all). `called` are the names
    of the subjects `about` in its words, in their order; None for one without a name there. `frame` is the frame that
    it fills (`nlp.frames`). `ends` are the aspect and the value of a fact that it ends. `takes_back` are the claim
    key and the value of a fact that a turn retracts; such a retraction stays when the turn is extracted again.

    `idempotency_key` identifies an imported fact, `import_id` its import. `narrative` and `task` are the caller's names
    for what it belongs to, `attributes` is a JSON object of the caller. A `confided` fact is to be kept from somebody
    (`in_confidence`); if its speaker tells it of themselves, `matter` is the aspect in which it outranks hearsay. An
    `event_time` of a day or longer is a date without a zone; the day begins in `time_zone`, that of the speaker.
    """

    content: str
    about: tuple[str, ...] = ()
    kind: str = "knowledge"
    type: MemoryType = MemoryType.SEMANTIC
    category: str | None = None
    fact_type: str = "fact"
    aspect: str | None = None
    value: str | None = None
    sensitivity: Sensitivity | None = None
    portable: bool | None = None
    importance: int = 1
    confidence: float = 1.0
    event_time: datetime | None = None
    event_precision: EventPrecision | None = None
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    ttl: timedelta | None = None
    tags: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()
    source: str = "agent"
    said_at: datetime | None = None
    learned_at: datetime | None = None
    emotion: float | None = None
    quotation: str = ""
    called: tuple[str | None, ...] = ()
    frame: str = ""
    ends: tuple[str, str] | None = None
    takes_back: tuple[str, str] | None = None
    idempotency_key: str | None = None
    narrative: str = ""
    task: str = ""
    attributes: object = None
    confided: bool = False
    matter: str | None = None
    import_id: str | None = None
    time_zone: str = UTC_ZONE

    @property
    def begins(self) -> datetime | None:
        """The moment at which it happens or begins; None without an `event_time`."""
        if self.event_time is None:
            return None
        dated = (self.event_precision or precision_of(self.event_time)) is not EventPrecision.MINUTE
        return moment_at(self.event_time, self.time_zone) if dated else self.event_time


@dataclass(frozen=True, slots=True)
class Subject:
    """An entity that a fact is about. `name` is the name by which the speaker refers to it."""

    id: str
    key: str
    type: EntityType
    name: str | None = field(default=None, compare=False)


def checked_fact(fact: Fact, *, now: datetime, limit: int, identifiers: bool) -> Fact:
    """The fact with its times in UTC and white space around its texts removed; marked as `confided` if its words ask
    for confidence. Raises `InvalidInput` for invalid values, secrets, and texts over `limit` characters.
    """
    _check_choices(fact)
    _check_numbers(fact)
    if len(fact.about) > MAX_SUBJECTS:
        raise InvalidInput(f"a fact is about up to {MAX_SUBJECTS}; {len(fact.about)} were given")
    if fact.aspect is not None and not slug(checked_text(fact.aspect)):
        raise InvalidInput(
            f"{fact.aspect!r} has no letter to make an aspect of; write it like lives_in", value=fact.aspect
        )
    checked = replace(
        fact,
        content=checked_text(fact.content, limit=limit),
        value=fact.value and checked_text(fact.value, limit=limit),
        tags=tuple(checked_text(tag) for tag in fact.tags),
        narrative=fact.narrative and checked_text(fact.narrative),
        task=fact.task and checked_text(fact.task),
        about=tuple(dict.fromkeys(checked_text(ref) for ref in fact.about)),
        event_time=_started(fact),
        valid_from=_moment(fact.valid_from),
        valid_until=_moment(fact.valid_until),
    )
    words = (checked.content, checked.value or "", fact.aspect or "", checked.narrative, checked.task, *checked.tags)
    refuse_secrets(*words, identifiers=identifiers)
    checked_attributes(fact.attributes, identifiers=identifiers)
    start, end = checked.valid_from or checked.event_time or now, checked.valid_until
    if start >= NO_END:
        raise InvalidInput(f"the time {start.isoformat()} stands for no end; give one before it", value=start)
    if end is not None and end <= start:
        raise InvalidInput(f"the fact ends ({end.isoformat()}) before it begins ({start.isoformat()})")
    return in_confidence(checked) if told_in_confidence(checked.content) else checked


def in_confidence(fact: Fact, speaker: str = "") -> Fact:
    """The fact as one that is to be kept from somebody. It is about its speaker alone, so that nobody else may see it
    as a subject, and it ends no fact that others know. If `about` holds nobody but `speaker` (an id), its aspect
    becomes `matter`: the fact outranks hearsay, for the speaker alone.
    """
    of_others = any(ref != speaker for ref in fact.about)
    return replace(
        fact,
        confided=True,
        about=(),
        called=(),
        category=fact.category or ("people" if of_others else None),
        aspect=None,
        value=None,
        ends=None,
        takes_back=None,
        matter=None if of_others else fact.aspect,
        sensitivity=None,
        portable=None,
    )


def category_of(fact: Fact, primary: Subject, speaker: Subject) -> str:
    """The category of a fact; if none is given: `profile` (about the speaker), `people` or `project` (about things)."""
    if fact.category:
        return fact.category
    if primary.id == speaker.id:
        return "profile"
    return "people" if primary.type is EntityType.PERSON else "project"


def claim_key(fact: Fact, primary: Subject) -> str:
    """The key of the claim that a fact makes: `entity_type|primary_ref|fact_type|aspect`. Without an aspect, `=` and a
    hash of the words take its place.

    It is W5's key without the category, which depends on the speaker: what somebody says of themselves (`profile`) and
    what others say of them (`people`) must share a key (W6). So must a habit and a fact of one aspect; with an aspect
    the fact type in the key is always `fact`.
    """
    kind, _, ref = primary.key.partition(":")
    if fact.aspect:
        return f"{kind}|{ref}|fact|{slug(fact.aspect)}".lower()
    return f"{kind}|{ref}|{fact.fact_type}|={text_key(fact.content)}".lower()


def memory_key(fact: Fact, category: str, claim: str) -> str:
    """W5's key of a fact, from its category and its claim key (`claim_key`)."""
    kind, ref, _, aspect = claim.split("|")
    return f"{category}|{kind}|{ref}|{fact.fact_type}|{aspect}"


def gist(fact: Fact, about: Sequence[Subject]) -> frozenset[str]:
    """The distinguishing words of a fact's value: without `SMALL_WORDS` and the names of its subjects."""
    names = {word for subject in about for word in _normalised(subject.name or "").split()}
    return frozenset(value_of(fact.content, fact.value).split()) - names - SMALL_WORDS


def value_of(content: str, value: str | None = None) -> str:
    """The normalised text that is compared under a key: the value, or if it is None the content."""
    return _normalised(content if value is None else value)


def text_key(content: str) -> str:
    """The hash that stands for the words of a statement in its key."""
    return derived_id("text", _normalised(content))


def _normalised(text: str) -> str:
    """The words of a text in lower case. Punctuation makes no difference; symbols and signs do: "C" and "C++"."""
    return " ".join(_DASH.sub(" ", normalise(text).translate(_WORDS)).split())


def _started(fact: Fact) -> datetime | None:
    """The event time in UTC, rounded down to the start of its day, month or year if a precision is given."""
    moment = _moment(fact.event_time)
    return started(moment, fact.event_precision) if moment and fact.event_precision else moment


def _moment(moment: datetime | None) -> datetime | None:
    return checked_moment(moment) if moment else None


def _check_choices(fact: Fact) -> None:
    for name, value, choices in (
        ("kind", fact.kind, KINDS),
        ("category", fact.category, CATEGORIES),
        ("fact type", fact.fact_type, FACT_TYPES),
        ("source", fact.source, SOURCES),
        ("type", fact.type, _TYPES),
    ):
        if value is not None and value not in choices:
            raise InvalidInput(f"{value!r} is no {name} of a fact; choose one of {', '.join(choices)}", value=value)


def _check_numbers(fact: Fact) -> None:
    if not 0 <= fact.importance <= 3:
        raise InvalidInput(f"importance is 0 to 3; {fact.importance} was given", value=fact.importance)
    if not 0 <= fact.confidence <= 1:
        raise InvalidInput(f"confidence is 0 to 1; {fact.confidence} was given", value=fact.confidence)
    if fact.ttl is not None and fact.ttl <= timedelta():
        raise InvalidInput("a lifetime is longer than nothing")
