"""Time intervals of events, from a moment and its precision (M2)."""

from datetime import datetime, timedelta
from typing import Final

from hippograph.graph.checks import moment_after
from hippograph.graph.model import EventPrecision

_LONGEST: Final = {
    EventPrecision.DAY: timedelta(days=1),
    EventPrecision.MONTH: timedelta(days=31),
    EventPrecision.YEAR: timedelta(days=366),
}
_INSTANT: Final = timedelta(microseconds=1)


def started(moment: datetime, precision: EventPrecision) -> datetime:
    """Returns the start of the day, month or year of a moment; with precision `MINUTE` the moment itself."""
    if precision is EventPrecision.MINUTE:
        return moment
    midnight = moment.replace(hour=0, minute=0, second=0, microsecond=0)
    if precision is EventPrecision.DAY:
        return midnight
    first = midnight.replace(day=1)
    return first.replace(month=1) if precision is EventPrecision.YEAR else first


def ended(start: datetime, precision: EventPrecision) -> datetime:
    """Returns the last microsecond of the interval that begins at `start`; with precision `MINUTE` `start` itself."""
    if precision is EventPrecision.MINUTE:
        return start
    following = started(moment_after(start, _LONGEST[precision]), precision)
    return max(start, following - _INSTANT)


def precision_of(moment: datetime | None) -> EventPrecision:
    """Returns the precision of a time that was given without one: `DAY` for midnight, else `MINUTE`."""
    day = moment is not None and moment == started(moment, EventPrecision.DAY)
    return EventPrecision.DAY if day else EventPrecision.MINUTE
