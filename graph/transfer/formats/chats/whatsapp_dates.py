"""Dates of WhatsApp's exports, which are written as the phone's region has it: what stands where is inferred."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Final

from hippograph.graph.transfer.formats.reading import DateOrder

_BUDDHIST: Final = 543
"""Years by which the calendar of Thailand is ahead."""
_LATEST: Final = 2400
"""Years from here on are Buddhist ones."""


@dataclass(frozen=True, slots=True)
class Stamp:
    """A date and a time as they are written: three numbers in the order of the file, and the time of day.

    `separator` stands between the numbers, `capital_half` says whether the time came with AM or PM in capitals, and
    `digits` how many the first number has.
    """

    numbers: tuple[int, int, int]
    digits: int
    separator: str
    hour: int
    minute: int
    second: int
    capital_half: bool

    def read(self, order: DateOrder) -> datetime | None:
        """The local time in this order; None where there is no such day."""
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
    """The text with the digits of all scripts as 0 to 9."""
    return re.sub(r"[^\x00-\x7f]", lambda found: _digit(found[0]), text)


def _digit(character: str) -> str:
    value = unicodedata.decimal(character, None)
    return character if value is None else str(value)


def infer_order(stamps: Sequence[Stamp]) -> tuple[DateOrder, bool]:
    """The order in which the dates of a file are written, and whether they leave no other.

    An order has to make a day of each date. Of several the one goes furthest in which time runs forward, as messages
    stand; of equals the one that is usual with such a separator and clock: the month is first with a slash and AM or PM
    in capitals, as in America.
    """
    readable = {order: _readable(stamps, order) for order in _usual(stamps)}
    most = max(readable.values(), default=0)
    possible = [order for order, count in readable.items() if count == most]
    backward = {order: _backward(stamps, order) for order in possible}
    least = min(backward.values())
    best = [order for order in possible if backward[order] == least]
    return best[0], len(best) == 1


def _usual(stamps: Sequence[Stamp]) -> list[DateOrder]:
    """The orders that can be, the most usual first."""
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
    """How many days time runs backward, all in all: messages that came late run back by hours."""
    days = [moment.toordinal() for stamp in stamps if (moment := stamp.read(order))]
    return sum(max(0, one - following) for one, following in pairwise(days))
