"""Conversion between moments in UTC and the local time of a time zone.

Language refers to local time ("yesterday", "on Friday"). Code that reads language takes and returns local time written
as if it were UTC; stored moments are in UTC.
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
    """Names that both Python and Neo4j know; abbreviations such as `EST` are not among them."""
    return frozenset(name for name in available_timezones() if "/" in name) | {UTC_ZONE}


def checked_zone(name: str) -> str:
    """Returns the IANA name of a time zone. Raises `InvalidInput` if it is unknown."""
    if name not in _names():
        raise InvalidInput(f"{name[:100]!r} is no time zone: write one like Europe/Vienna, or UTC", value=name)
    return name


def in_zone(moment: datetime, zone: str) -> datetime:
    """The same moment with the offset of a zone; unchanged where the result would leave the range of `datetime`."""
    try:
        return moment.astimezone(ZoneInfo(zone))
    except OverflowError:
        return moment


def wall_clock(moment: datetime, zone: str) -> datetime:
    """The local time of a zone at a moment, written as if it were UTC; unchanged at the limits of `datetime`."""
    return in_zone(moment, zone).replace(tzinfo=UTC, fold=0)


def moment_at(shown: datetime, zone: str) -> datetime:
    """The moment, in UTC, at which the clocks of a zone show a time; the earlier one where they show it twice.

    A time that the clocks skip is read with the offset before the jump. At the limits of `datetime` it is unchanged.
    """
    try:
        return shown.replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)
    except OverflowError:
        return shown


def time_there(memory: Memory, zone: str) -> datetime:
    """When a memory happened, in the local time of a zone. A day, a month or a year is returned as stored."""
    told = memory.event_precision is not EventPrecision.MINUTE
    return memory.event_time if told else wall_clock(memory.event_time, zone)


def day_there(moment: datetime, zone: str) -> date:
    """The local day of a moment in a zone. Midnight UTC stands for a date, which is returned as it is."""
    return moment.date() if precision_of(moment) is EventPrecision.DAY else wall_clock(moment, zone).date()
