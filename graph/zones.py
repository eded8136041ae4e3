"""Days are somebody's: the time that the clocks of a time zone show, and the moment at which they show it.

Language speaks by the clock on the wall ("yesterday", "on Friday"). What reads it is given that clock's time, written
as if it were UTC, and gives days so; what is stored as a moment is UTC.
"""

from datetime import UTC, date, datetime
from functools import cache
from typing import Final
from zoneinfo import ZoneInfo, available_timezones

from hippograph.graph.errors import InvalidInput
from hippograph.graph.model import EventPrecision, Memory
from hippograph.graph.stretches import precision_of

UTC_ZONE: Final = "UTC"


@cache
def _names() -> frozenset[str]:
    """The names that Python and Neo4j both know: `EST` and its like are not among them."""
    return frozenset(name for name in available_timezones() if "/" in name) | {UTC_ZONE}


def checked_zone(name: str) -> str:
    """The IANA name of a time zone. Raises `InvalidInput`."""
    if name not in _names():
        raise InvalidInput(f"{name[:100]!r} is no time zone: write one like Europe/Vienna, or UTC", value=name)
    return name


def in_zone(moment: datetime, zone: str) -> datetime:
    """The same moment with the offset of a zone; at the ends of the calendar as it is."""
    try:
        return moment.astimezone(ZoneInfo(zone))
    except OverflowError:
        return moment


def wall_clock(moment: datetime, zone: str) -> datetime:
    """What the clocks of a zone show at a moment, as if it were UTC; at the ends of the calendar the moment itself."""
    return in_zone(moment, zone).replace(tzinfo=UTC, fold=0)


def moment_at(shown: datetime, zone: str) -> datetime:
    """When the clocks of a zone show a time, the first time that they do; a time that they skip is when they go on."""
    try:
        return shown.replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)
    except OverflowError:
        return shown


def time_there(memory: Memory, zone: str) -> datetime:
    """When a memory happened, as the clocks of a zone show it; a day, a month or a year as it was told."""
    told = memory.event_precision is not EventPrecision.MINUTE
    return memory.event_time if told else wall_clock(memory.event_time, zone)


def day_there(moment: datetime, zone: str) -> date:
    """The day of a moment, as the clocks of a zone show it. Midnight UTC is a date, as it was told."""
    return moment.date() if precision_of(moment) is EventPrecision.DAY else wall_clock(moment, zone).date()
