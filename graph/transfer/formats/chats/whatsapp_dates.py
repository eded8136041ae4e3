"""Dates in WhatsApp exports. The order of day, month and year depends on the phone's region and is inferred."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Final

from hippograph.graph.transfer.formats.reading import DateOrder

_BUDDHIST: Final = 543
"""Difference between the Thai (Buddhist) and the western calendar, in years."""
_LATEST: Final = 2400
"""First year that is taken as a Buddhist one."""


@dataclass(frozen=True, slots=True)
class Stamp:
    """A date and a time as written: three numbers in the order of the file, and the time of day.

    `digits` is the number of digits of the first number; `separator` stands between the numbers; `capital_half` says
    whether the time has AM or PM in capitals.
    """

    numbers: tuple[int, int, int]
    digits: int
    separator: str
    hour: int
    minute: int
    second: int
    capital_half: bool

    def read(self, order: DateOrder) -> datetime | None:
        """Returns the local time if the date is in this order; None if there is no such day."""
        places = {part: place for place, part in enumerate(order.value)}
        day, month, year = (self.numbers[places[part]] for part in "dmy")
        try:
            return datetime(_year(year), month, day, self.hour, self.minute, self.second)  # noqa: DTZ001
        except ValueError:
            return None


def _year(year: int) -> int:
    if year < 100:
        return 2000 + year
    return year - _BUDDHIST if year >= _LATEST else year


def western_digits(text: str) -> str:
    """Returns the text with the digits of all scripts replaced by 0 to 9."""
    return re.sub(r"[^\x00-\x7f]", lambda found: _digit(found[0]), text)


def _digit(character: str) -> str:
    value = unicodedata.decimal(character, None)
    return character if value is None else str(value)


def infer_order(stamps: Sequence[Stamp]) -> tuple[DateOrder, bool]:
    """Returns the order of day, month and year in the dates of a file, and whether it is the only one that fits.

    The order that makes the most dates valid is taken. Of several, the one in which time goes backward least, since
    messages are in order of time. Of equals, the most usual one: month first with a slash and AM or PM in capitals, as
    in the USA; else day first.
    """
    readable = {order: _readable(stamps, order) for order in _usual(stamps)}
    most = max(readable.values(), default=0)
    possible = [order for order, count in readable.items() if count == most]
    backward = {order: _backward(stamps, order) for order in possible}
    least = min(backward.values())
    best = [order for order in possible if backward[order] == least]
    return best[0], len(best) == 1


def _usual(stamps: Sequence[Stamp]) -> list[DateOrder]:
    """Returns the orders that are possible, the most usual first."""
    if stamps and stamps[0].digits > 2:
        return [DateOrder.YMD]
    if stamps and max(stamp.numbers[2] for stamp in stamps) > 99:
        others: list[DateOrder] = []
    else:
        others = [DateOrder.YMD]
    month_first = any(stamp.separator == "/" and stamp.capital_half for stamp in stamps)
    first = [DateOrder.MDY, DateOrder.DMY] if month_first else [DateOrder.DMY, DateOrder.MDY]
    return first + others


def _readable(stamps: Sequence[Stamp], order: DateOrder) -> int:
    return sum(stamp.read(order) is not None for stamp in stamps)


def _backward(stamps: Sequence[Stamp], order: DateOrder) -> int:
    """Returns the total number of days that time goes backward. Late messages hardly count: they go back by hours."""
    days = [moment.toordinal() for stamp in stamps if (moment := stamp.read(order))]
    return sum(max(0, one - following) for one, following in pairwise(days))
