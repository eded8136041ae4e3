"""Finds the period that a question names: "last spring", asked on 22 November 2026, is March to May 2026 (R2).

English and Russian. A question is about the past unless it says otherwise: "in May" is the last May that has begun.
Weeks begin on Monday; seasons are the meteorological ones of the northern hemisphere. `now` is the local time where
the question is asked, with UTC as its time zone; so are the bounds of periods.
"""

import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Final, Literal

from dateutil.relativedelta import relativedelta

from hippograph.nlp.questions.reading import read_part

Precision = Literal["day", "week", "month", "season", "year"]

EARLIEST: Final = datetime(1, 1, 1, tzinfo=UTC)
LATEST: Final = datetime(9999, 1, 1, tzinfo=UTC)

MONTHS: Final = (
    *("january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november"),
    "december",
)
WEEKDAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
SEASONS: Final = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
"""First month of each season, 1 to 12."""
_ONES: Final = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_TENS: Final = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
NUMBERS: Final = (
    *("zero", *_ONES, "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen"),
    *("eighteen", "nineteen", *(f"{ten}-{one}".removesuffix("-") for ten in _TENS for one in ("", *_ONES))),
)
"""The numbers from 0 to 99 in words."""
NUMBER: Final = rf"(?:(?:{'|'.join(_TENS)})(?:[ -](?:{'|'.join(_ONES)}))?|{'|'.join(NUMBERS[1:20])})"
"""Pattern for a number in words, from 1 to 99."""
_FEW: Final = 3
_HALVES: Final = {"month": ("week", 2), "year": ("month", 6)}
"""How many of a shorter unit are half of a month and of a year."""
_SUNDAY: Final = 6
_MAY: Final = 5
_MONTH: Final = rf"(?:{'|'.join(MONTHS)})"
_YEAR: Final = r"(?:19|20)\d\d"
_COUNT: Final = rf"(?:an?|(?:a\ )?few|(?:a\ )?couple(?:\ of)?|{NUMBER}|\d{{1,3}})"
_UNIT: Final = r"(?:day|week|month|year)"
# Times of which only the end would be read: 1.5 years ago, a quarter of a year ago, a year and two months ago.
NOT_COUNTED: Final = re.compile(
    rf"""(?:
      (?: \b(?:hundred|thousand)[- ](?:and[- ])? | \b(?:{"|".join(_TENS)})(?:\W{{2,3}}|[^\w\s-])
        | (?<!\blast\ )(?<!\bthis\ )(?<!\bnext\ )\b{_UNIT}s?\ and\s
        | \b(?:half|most|part|thirds?|quarters?)\ of\s) (?:{_COUNT}\ )?
      | \b\d+[^\w–-]\d{{1,3}}\s | (?:\bquarter|[¼½¾])\s) {_UNIT}s?\ ago\b""",
    re.IGNORECASE | re.VERBOSE,
)
_OF_YEAR: Final = rf"last\ year|this\ year|{_YEAR}"


def _behind(words: str) -> str:
    """Returns a pattern for a position after one of some words and a space."""
    return "|".join(rf"(?<=\b{word}\ )" for word in words.split())


_BEFORE_YEAR: Final = _behind("in of year since from after before between and to until till")
_BEFORE_SEASON: Final = _behind("in the of since from after before until till during by last this next")
"""Pattern for a position at which "spring" and "fall" are seasons, not verbs."""
_PERIOD: Final = re.compile(
    rf"""\b(?:
      (?P<day>the\ day\ before\ yesterday | the\ day\ after\ tomorrow | yesterday | today | tonight | tomorrow
        | this\ (?:morning|afternoon|evening) | last\ night)
    | (?P<iso>\d{{4}}-\d\d-\d\d)
    | (?P<date_day>\d{{1,2}})(?:st|nd|rd|th)?(?:\ of|\ in)?\ (?P<date_month>{_MONTH})(?:,?\ (?P<date_year>{_YEAR}))?
    | (?P<us_month>{_MONTH})\ (?P<us_day>\d{{1,2}})(?:st|nd|rd|th)?\b(?:,?\ (?P<us_year>{_YEAR}))?
    | (?P<which>last|this|next|past|previous|coming)\ (?P<unit>weekend|{_UNIT})(?!s)
    | (?:(?P<season_which>last|this|next)\ )?(?P<season>summer|autumn|winter
        | (?:{_BEFORE_SEASON})(?:spring|fall) | (?:spring|fall)(?=\ (?:of\ )?(?:{_OF_YEAR})))
      (?:\ (?:of\ )?(?P<season_year>{_OF_YEAR}))?
    | (?:(?P<month_which>last|this|next)\ )?(?P<in>in\ )?(?:early\ |late\ |mid-?)?(?P<month>{_MONTH})
      (?:,?\ (?:of\ )?(?P<month_year>{_OF_YEAR}))?
    | half\ an?\ (?P<half>{_UNIT})\ ago
    | (?P<count>{_COUNT})\ (?P<ago_unit>{_UNIT})s?\ ago | (?<!\bhalf\ )(?<!-)(?P<bare_ago>{_UNIT})\ ago
    | the\ (?:last|past)\ (?P<span>{_COUNT})\ (?P<span_unit>{_UNIT})s?
    | (?:(?P<weekday_which>last|this|next)\ )?(?:on\ )?(?P<weekday>{"|".join(WEEKDAYS)})
      (?!,?\ (?:the\ )?(?:\d{{1,2}}(?:st|nd|rd|th)?(?:\ of|\ in)?\ {_MONTH}\b|{_MONTH}\ \d))
    | (?:{_BEFORE_YEAR})(?P<year>{_YEAR})
    )\b""",
    re.IGNORECASE | re.VERBOSE,
)
_LEADING: Final = re.compile(r"\b(since|from|after|before|until|till|by|between)\s+(?:the\s+|in\s+)*$", re.IGNORECASE)
_JOINING: Final = re.compile(r"\s*(?:and|to|until|till|[-–])\s+(?:in\s+)?", re.IGNORECASE)
_ENDS: Final = ("before", "until", "till", "by")


@dataclass(frozen=True, slots=True)
class Period:
    """A period from `start` (inclusive) to `end` (exclusive). `precision` is the unit of the phrase that names it;
    `words` are that phrase, in English for a Russian question too.
    """

    start: datetime
    end: datetime
    precision: Precision
    words: str


def find_period(question: str, now: datetime) -> Period | None:
    """Returns the period that a question names, relative to `now`; None if it names none."""
    text = NOT_COUNTED.sub("", _in_english(read_part(question)))
    for found in _PERIOD.finditer(text):
        if (period := _read(found, now)) is None:
            continue
        leading = _LEADING.search(text, 0, found.start())
        if leading is None:
            return period
        bound = leading[1].casefold()
        if bound in ("between", "from", "since") and (joined := _JOINING.match(text, found.end())):
            last = _PERIOD.match(text, joined.end())
            if last and (end := _read(last, now)) and (start := _start(found, period.start, end, last[0])) < end.end:
                return replace(period, start=start, end=end.end, words=text[leading.start() : last.end()])
        return _bounded(period, bound, text[leading.start() : found.end()])
    return None


def _start(found: re.Match[str], start: datetime, end: Period, last: str) -> datetime:
    """Returns the start of a span; a month or date without a year takes that of the end (`last`), if it has one."""
    if not (found["month"] or found["date_month"] or found["us_month"]) or re.search(_YEAR, found[0]):
        return start
    if start < end.end and not re.search(_YEAR, last):
        return start
    start += relativedelta(years=end.start.year - start.year)
    return start if start < end.end else start - relativedelta(years=1)


def _bounded(period: Period, bound: str, words: str) -> Period:
    """Returns the time before, after, or since a period, as the word `bound` before it says."""
    if bound in _ENDS:
        return replace(period, start=EARLIEST, end=period.start, words=words)
    return replace(period, start=period.end if bound == "after" else period.start, end=LATEST, words=words)


def _in_english(question: str) -> str:
    """Returns a question with its Russian expressions of time replaced by English ones."""
    for pattern, instead in _replacements():
        question = pattern.sub(instead, question)
    return re.sub(r"\s+", " ", question)


@cache
def _replacements() -> tuple[tuple[re.Pattern[str], str], ...]:
    table = tomllib.loads(Path(__file__).with_name("periods.toml").read_text(encoding="utf-8"))
    return tuple((re.compile(old, re.IGNORECASE), new) for old, new in table["ru"]["replacements"])


def _read(found: re.Match[str], now: datetime) -> Period | None:
    """Returns the period that a phrase names; None for impossible dates and other words, such as the verb "may"."""
    said = {name: words.casefold() for name, words in found.groupdict().items() if words}
    today = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    for name, read in _READERS.items():
        if name in said:
            try:
                return read(said, today, found[0].strip())
            except (ValueError, OverflowError):  # 31 June
                return None
    return None


def _day(said: dict[str, str], today: datetime, words: str) -> Period:
    offsets = {
        "the day before yesterday": -2,
        "yesterday": -1,
        "last night": -1,
        "tomorrow": 1,
        "the day after tomorrow": 2,
    }
    return _days(today + timedelta(days=offsets.get(said["day"], 0)), 1, "day", words)


def _iso(said: dict[str, str], _today: datetime, words: str) -> Period:
    return _days(datetime.fromisoformat(said["iso"]).replace(tzinfo=UTC), 1, "day", words)


def _date(said: dict[str, str], today: datetime, words: str) -> Period:
    month, day = said.get("date_month") or said["us_month"], int(said.get("date_day") or said["us_day"])
    year = said.get("date_year") or said.get("us_year")
    start = datetime(int(year) if year else today.year, MONTHS.index(month) + 1, day, tzinfo=UTC)
    if year is None and start > today:
        start = start.replace(year=start.year - 1)
    return _days(start, 1, "day", words)


def _unit(said: dict[str, str], today: datetime, words: str) -> Period:
    step = {"this": 0, "next": 1, "coming": 1}.get(said["which"], -1)
    if said["unit"] == "weekend":
        if said["which"] == "coming":
            step = int(today.weekday() == _SUNDAY)
        saturday = today - timedelta(days=today.weekday() - 5 - 7 * step)
        return _days(saturday, 2, "day", words)
    if said["which"] == "past" and said["unit"] != "day":
        return _up_to_now(said["unit"], 1, today, words)
    return _of_unit(said["unit"], step, today, words)


def _of_unit(unit: str, step: int, today: datetime, words: str) -> Period:
    """Returns the day, week, month or year that is `step` units after the current one."""
    if unit == "day":
        return _days(today + timedelta(days=step), 1, "day", words)
    if unit == "week":
        return _days(today - timedelta(days=today.weekday() - 7 * step), 7, "week", words)
    if unit == "month":
        return _months(today.replace(day=1) + relativedelta(months=step), 1, "month", words)
    return _months(today.replace(month=1, day=1) + relativedelta(years=step), 12, "year", words)


def _season(said: dict[str, str], today: datetime, words: str) -> Period:
    first = datetime(today.year, SEASONS[said["season"]], 1, tzinfo=UTC)
    which, year = said.get("season_which"), said.get("season_year")
    if year:
        return _months(first.replace(year=_year(year, today)), 3, "season", words)
    if which == "this":
        # Up to and including May, "this winter" is the one that began last year.
        running = said["season"] == "winter" and today.month <= _MAY
        start = first.replace(year=first.year - 1) if running else first
    elif which == "next":
        start = first if first > today else first.replace(year=first.year + 1)
    else:
        start = first if first <= today else first.replace(year=first.year - 1)
        if which == "last" and start + relativedelta(months=3) > today:
            start = start.replace(year=start.year - 1)
    return _months(start, 3, "season", words)


def _month(said: dict[str, str], today: datetime, words: str) -> Period | None:
    name, which, year = said["month"], said.get("month_which"), said.get("month_year")
    if name in ("may", "march") and not (which or year or "in" in said or "May" in words or "March" in words):
        return None
    first = datetime(today.year, MONTHS.index(name) + 1, 1, tzinfo=UTC)
    if year:
        first = first.replace(year=_year(year, today))
    elif which == "next" and first <= today:
        first = first.replace(year=first.year + 1)
    elif (which not in ("this", "next") and first > today) or (which == "last" and first.month == today.month):
        first = first.replace(year=first.year - 1)
    return _months(first, 1, "month", words)


def _ago(said: dict[str, str], today: datetime, words: str) -> Period:
    return _of_unit(said["ago_unit"], -_number(said["count"]), today, words)


def _half_ago(said: dict[str, str], today: datetime, words: str) -> Period | None:
    unit, count = _HALVES.get(said["half"], ("", 0))
    return _of_unit(unit, -count, today, words) if unit else None


def _one_ago(said: dict[str, str], today: datetime, words: str) -> Period:
    return _of_unit(said["bare_ago"], -1, today, words)


def _span(said: dict[str, str], today: datetime, words: str) -> Period:
    return _up_to_now(said["span_unit"], _number(said["span"]), today, words)


def _up_to_now(unit: str, count: int, today: datetime, words: str) -> Period:
    """Returns the period from `count` days, weeks, months or years ago to the end of today."""
    start = today - relativedelta(**{f"{unit}s": count})  # type: ignore[arg-type]
    return Period(start, today + timedelta(days=1), _precision(unit), words)


def _weekday(said: dict[str, str], today: datetime, words: str) -> Period:
    ahead = WEEKDAYS.index(said["weekday"]) - today.weekday()
    if said.get("weekday_which") == "next":
        days = ahead + 7 if ahead <= 0 else ahead
    elif said.get("weekday_which") == "this":
        days = ahead
    else:
        days = ahead if ahead < 0 else ahead - 7
    return _days(today + timedelta(days=days), 1, "day", words)


def _in_year(said: dict[str, str], _today: datetime, words: str) -> Period:
    return _months(datetime(int(said["year"]), 1, 1, tzinfo=UTC), 12, "year", words)


_READERS: Final[dict[str, Callable[[dict[str, str], datetime, str], Period | None]]] = {
    "day": _day,
    "iso": _iso,
    "date_day": _date,
    "us_day": _date,
    "unit": _unit,
    "season": _season,
    "month": _month,
    "count": _ago,
    "half": _half_ago,
    "bare_ago": _one_ago,
    "span": _span,
    "weekday": _weekday,
    "year": _in_year,
}


def _days(start: datetime, count: int, precision: Precision, words: str) -> Period:
    return Period(start, start + timedelta(days=count), precision, words)


def _months(start: datetime, count: int, precision: Precision, words: str) -> Period:
    return Period(start, start + relativedelta(months=count), precision, words)


def _precision(unit: str) -> Precision:
    return {"day": "day", "week": "week", "month": "month"}.get(unit, "year")  # type: ignore[return-value]


def _year(said: str, today: datetime) -> int:
    return {"last year": today.year - 1, "this year": today.year}.get(said) or int(said)


def _number(said: str) -> int:
    words = said.removeprefix("a ").removesuffix(" of")
    if words.isdigit():
        return int(words)
    return {"few": _FEW, "couple": 2, "a": 1, "an": 1}.get(words) or NUMBERS.index(words.replace(" ", "-"))
