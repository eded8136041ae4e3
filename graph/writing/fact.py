"""A fact as somebody says it: what it may hold, whom it is about, its key and its value (W5)."""

import re
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
from hippograph.nlp.text import slug

MAX_SUBJECTS: Final = 20
FACT_TYPES: Final = ("fact", "preference", "relationship", "friction", "habit")
SOURCES: Final = ("agent", "tool_result", "narrative", "seeded_profile", OLD_DATA)
_TYPES: Final = (MemoryType.SEMANTIC, MemoryType.PROCEDURAL, MemoryType.OPINION)
SMALL_WORDS: Final = frozenset(
    {*("a", "an", "the", "i", "my", "me", "is", "am", "are", "was", "be", "been", "has", "have", "had", "s", "m")}
    | {*("in", "at", "on", "of", "to", "for", "as", "from", "with", "and", "his", "her", "their", "now")}
    | {*("work", "works", "working", "live", "lives", "living")}
)
"""What tells one value from another no more than its aspect does."""
_SPACE: Final = re.compile(r"\W+")


@dataclass(frozen=True, slots=True)
class Fact:
    """A statement that stands for itself, and what is said of it; None stands for "to be inferred" throughout.

    `about` are ids or keys of entities, the primary one first; with none it is about who states it. `aspect` is the
    normalised predicate (`lives_in`), `value` what is compared under it, else the words. `event_precision` says how
    exactly `event_time` is known. `ttl` overrides the lifetime of its kind, `evidence` are ids of turns it follows
    from. Of what is found in talk, `said_at` is when it was said there, `learned_at` when that was recorded, and
    `emotion` how stirred it was, from 0 to 1; `quotation` is what of the turn it was taken from (empty: all). `frame`
    is the frame that it fills (`nlp.frames`), `ends` the aspect and the value of what holds no more by it. `takes_back`
    is the claim key and the value of a fact that a turn takes back; that is not looked for again when it is read again.
    By an `idempotency_key` what was imported is known again; `import_id` says with which import. `narrative` and `task`
    are words of the caller's own for what it belongs to, `attributes` an object of their own. What is `confided` is to
    be kept from somebody (`in_confidence`); of what one so tells of oneself, `matter` is the aspect in which it stands
    in the place of hearsay. A day is a date, of no zone; it begins in the `time_zone` of who says so.
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
        """The moment at which it happens or begins to."""
        if self.event_time is None:
            return None
        dated = (self.event_precision or precision_of(self.event_time)) is not EventPrecision.MINUTE
        return moment_at(self.event_time, self.time_zone) if dated else self.event_time


@dataclass(frozen=True, slots=True)
class Subject:
    """Whom or what a fact is about, and the name by which whoever states it refers to it."""

    id: str
    key: str
    type: EntityType
    name: str | None = field(default=None, compare=False)


def checked_fact(fact: Fact, *, now: datetime, limit: int, identifiers: bool) -> Fact:
    """The fact with its times in UTC and its words trimmed to at most `limit` characters. Raises `InvalidInput`."""
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
    """The fact as one that is to be kept from somebody: as to who may see it, it is about who tells it alone, and it
    ends nothing that others know of. What they tell of themselves stands in the place of hearsay for them alone.
    """
    of_others = any(ref != speaker for ref in fact.about)
    return replace(
        fact,
        confided=True,
        about=(),
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
    """Of whom or what a fact is, when nobody says so: of oneself, of other people, of things."""
    if fact.category:
        return fact.category
    if primary.id == speaker.id:
        return "profile"
    return "people" if primary.type is EntityType.PERSON else "project"


def claim_key(fact: Fact, primary: Subject) -> str:
    """What a statement is about: `entity_type|primary_ref|fact_type|aspect`; without an aspect its words stand for it.

    It is W5's key without the category, which depends on who speaks: what somebody says of themselves (`profile`) and
    what others say of them (`people`) are claims about one matter, and must meet (W6). So do a habit and a fact of one
    aspect: under an aspect the fact type is `fact`.
    """
    kind, _, ref = primary.key.partition(":")
    if fact.aspect:
        return f"{kind}|{ref}|fact|{slug(fact.aspect)}".lower()
    return f"{kind}|{ref}|{fact.fact_type}|={text_key(fact.content)}".lower()


def memory_key(fact: Fact, category: str, claim: str) -> str:
    """W5's key of a fact of this category that makes this claim (`claim_key`)."""
    kind, ref, _, aspect = claim.split("|")
    return f"{category}|{kind}|{ref}|{fact.fact_type}|{aspect}"


def gist(fact: Fact, about: Sequence[Subject]) -> frozenset[str]:
    """The words of a fact's value that tell it from others: without small words, and without whom it is about."""
    names = {word for subject in about for word in _normalised(subject.name or "").split()}
    return frozenset(value_of(fact.content, fact.value).split()) - names - SMALL_WORDS


def value_of(content: str, value: str | None = None) -> str:
    """What is compared under a key: the value that was given, else the words."""
    return _normalised(content if value is None else value)


def text_key(content: str) -> str:
    """What stands for the words of a statement in its key."""
    return derived_id("text", _normalised(content))


def _normalised(text: str) -> str:
    """The words alone, in lower case: what is said again in other punctuation is the same."""
    return _SPACE.sub(" ", text.casefold()).strip()


def _started(fact: Fact) -> datetime | None:
    """The start of the stretch in which it happened, in UTC."""
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
