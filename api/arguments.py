"""Converts the arguments of callers into domain values: ids, times and lists of words.

Every interface uses these functions, so that the same mistake has the same message. Invalid arguments raise
`InvalidInput`.
"""

import base64
import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import Final, TypeVar

from hippograph.graph.checks import checked_moment, checked_text
from hippograph.graph.clock import Clock
from hippograph.graph.context.timeline import ALWAYS, Stretch
from hippograph.graph.errors import InvalidInput
from hippograph.graph.model import NO_END, START, EntityType, Times, Viewer
from hippograph.graph.people.people import People
from hippograph.graph.retrieval.filters import Filters
from hippograph.graph.rights import EVERY
from hippograph.graph.zones import UTC_ZONE, moment_at, wall_clock
from hippograph.nlp.questions.periods import find_period

T = TypeVar("T")

MAX_VALUES: Final = 100
_INNER: Final = re.compile(r"[0-9a-f]{31}[0-9]")
_HEXADECIMAL: Final = re.compile(r"[0-9a-f]{1,32}")
_FEWEST_DIGITS: Final = 8
"""Minimum length of a shortened id."""


def split_id(given: str) -> tuple[str, str]:
    """Returns the type and the inner id of a global id (`Chat:<id>` in Base64)."""
    try:
        type_name, _, inner = base64.b64decode(given, validate=True).decode().partition(":")
    except ValueError as error:
        raise InvalidInput(
            f"{given[:100]!r} is no id: pass on one that this service gave, unchanged", value=given
        ) from error
    if not inner:
        raise InvalidInput(f"{given[:100]!r} is no id: pass on one that this service gave, unchanged", value=given)
    return type_name, inner


def inner_id(type_name: str, given: str) -> str:
    """Returns the inner id of a global id of this type; an inner id is returned unchanged."""
    if _INNER.fullmatch(given):
        return given
    found, inner = split_id(given)
    if found != type_name:
        raise InvalidInput(f"{given[:100]!r} is the id of a {found}; here belongs that of a {type_name}", value=given)
    return inner


def chat_or_every(given: str) -> str:
    """Returns the chats of a right: the inner id of one chat, or `*` for all."""
    return given if given == EVERY else inner_id("Chat", given)


def memory_reference(given: str) -> str:
    """Returns the inner id of a memory's global id; an inner id, or eight or more first digits of one, is kept."""
    return _shortened_or_id("Memory", given)


def todo_reference(given: str) -> str:
    """Like `memory_reference`, for a todo."""
    return _shortened_or_id("Todo", given)


def _shortened_or_id(type_name: str, given: str) -> str:
    shortened = given.rstrip("…").lower()
    if not _HEXADECIMAL.fullmatch(shortened):
        return inner_id(type_name, given)
    if len(shortened) < _FEWEST_DIGITS:
        raise InvalidInput(f"{given!r} is too short: give at least {_FEWEST_DIGITS} digits of the id", value=given)
    return shortened


def named_or_id(type_name: str, given: str) -> str:
    """Returns the inner id of the global id of a chat, a persona or a session; titles, names and other words are
    returned unchanged. Raises `InvalidInput` for the global id of another type.
    """
    try:
        found, inner = split_id(given)
    except InvalidInput:
        return given
    return inner_id(type_name, given) if found == type_name or _INNER.fullmatch(inner) else given


def is_id(given: str) -> bool:
    """Returns whether a text is an inner id, and so not a title or a name."""
    return _INNER.fullmatch(given) is not None


def optional_id(type_name: str, given: str | None) -> str | None:
    """Like `inner_id`, for an optional id."""
    return None if given is None else inner_id(type_name, given)


def speaker_id(given: str) -> str:
    """Returns the inner id of a speaker: a person, or a persona for what the assistant says."""
    try:
        return inner_id("Persona", given)
    except InvalidInput:
        return inner_id("Person", given)


def entity_reference(given: str) -> str:
    """Returns the inner id of an entity's global id; a key (`person:john`) or an inner id is returned unchanged."""
    try:
        type_name, inner = split_id(given)
    except InvalidInput:
        return given
    if type_name.lower() not in {kind.value for kind in EntityType}:
        raise InvalidInput(
            f"{given[:100]!r} is the id of a {type_name}; here belongs that of a person or thing", value=given
        )
    return inner


def session_reference(given: str | None) -> str | None:
    """Returns the inner id of a session's global id; a caller's own name for it is returned unchanged."""
    return None if given is None else named_or_id("Session", given)


def moment(given: datetime | str, zone: str = UTC_ZONE) -> datetime:
    """Returns a time in UTC. Text is ISO 8601: a time with an offset (2026-03-01T12:00+01:00), a time without one,
    which is local time in `zone`, or a day (2026-03-01), which becomes midnight UTC.
    """
    if isinstance(given, datetime):
        return checked_moment(given)
    return checked_moment(read_time(given, UTC_ZONE if _is_day(given) else zone))


def _is_day(given: str) -> bool:
    try:
        date.fromisoformat(given)
    except ValueError:
        return False
    return True


def read_time(given: str, zone: str = UTC_ZONE) -> datetime:
    """Parses a time in ISO 8601; without an offset it is local time in `zone`. Its range is not checked."""
    try:
        read = datetime.fromisoformat(given)
    except ValueError:
        raise InvalidInput(
            f"{given[:100]!r} is no time; write 2026-03-01 or 2026-03-01T12:00+01:00", value=given
        ) from None
    return read if read.tzinfo else moment_at(read, zone)


def parse_start(given: str, now: datetime, zone: str = UTC_ZONE) -> datetime:
    """Returns the start of a period, given as a time in ISO 8601 or a phrase such as last_week, yesterday or in May.

    Phrases are relative to `now`. Days, and times without an offset, are read in `zone`. Raises `InvalidInput`.
    """
    phrase = given.strip().replace("_", " ")
    if phrase[:1].isdigit() and "-" in phrase:
        return checked_moment(read_time(given.strip(), zone))
    now = wall_clock(now, zone)
    if period := find_period(phrase, now) or find_period(f"in {phrase}", now):
        return moment_at(period.start, zone)
    raise InvalidInput(f"{given[:100]!r} is no time; write 2026-03-01, or a phrase such as last_week or in May 2025")


async def within_time(
    filters: Filters, people: People, viewer: Viewer, now: datetime, after: str | None, before: str | None
) -> Filters:
    """Restricts filters to events between two times, read by `parse_start` in the viewer's time zone."""
    if not after and not before:
        return filters
    told = await stretch(people, viewer, now, after, before)
    return replace(filters, after=told.since, before=told.until, zone=told.zone)


async def stretch(people: People, viewer: Viewer, now: datetime, since: str | None, until: str | None) -> Stretch:
    """Returns the period between two times, read by `parse_start` in the viewer's time zone."""
    if not since and not until:
        return ALWAYS
    zone = await people.time_zone(viewer)
    start, end = (parse_start(given, now, zone) if given else None for given in (since, until))
    return Stretch(start or START, end or NO_END, zone)


def times(clock: Clock, as_of: datetime | str | None, known_at: datetime | str | None) -> Times | None:
    """Returns the two times of a read, each now by default; None, which is cheaper to read, if neither is given."""
    if as_of is None and known_at is None:
        return None
    now = clock()
    return Times(*(_moment_or_phrase(given, now) if given else now for given in (as_of, known_at)))


def _moment_or_phrase(given: datetime | str, now: datetime) -> datetime:
    """Returns a time as `moment` does, or the start of a period as `parse_start` does, in UTC."""
    if isinstance(given, str) and not given[:1].isdigit():
        return parse_start(given, now)
    return moment(given)


def limited(values: Sequence[T]) -> Sequence[T]:
    """Returns the values of one argument unchanged. Raises `InvalidInput` for more than 100."""
    if len(values) > MAX_VALUES:
        raise InvalidInput(f"up to {MAX_VALUES} values at a time; {len(values)} were given", value=values)
    return values


def words(values: Sequence[str]) -> tuple[str, ...]:
    """Returns several words or names after checking each."""
    return tuple(checked_text(value) for value in limited(values))
