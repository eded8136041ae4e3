"""The day that somebody names, seen from the day on which they said it: "yesterday", said on 3 May, is 2 May.

dateparser works the days out; what belongs here is which words of a clause name a day, and what it leaves to us.
"""

import re
from calendar import monthrange
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

_WEEKDAY: Final = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_MONTH: Final = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december"
    r"|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b\.?"
)
_COUNTED: Final = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_COUNT: Final = rf"(?:an?|{'|'.join(_COUNTED)}|\d{{1,3}})"
_UNIT: Final = r"(?:day|week|month|year)s?"
_NO_ONE: Final = "(?<!\\ba )(?<!\\ban )(?<!\\bany )(?<!\\bevery )(?<!\\beach )(?<!\\bone )"
_NTH: Final = r"\d{1,2}(?:st|nd|rd|th)"
_NTHS: Final = (
    *("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"),
    *("eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth"),
    *("nineteenth", "twentieth", "twenty first", "twenty second", "twenty third", "twenty fourth", "twenty fifth"),
    *("twenty sixth", "twenty seventh", "twenty eighth", "twenty ninth", "thirtieth", "thirty first"),
)
_SPOKEN_NTH: Final = "|".join(nth.replace(" ", "[ -]") for nth in reversed(_NTHS))
_SPOKEN: Final = re.compile(
    rf"\b(?:(?P<nth>{_SPOKEN_NTH})\ of\ (?P<month>{_MONTH})|(?P<month_first>{_MONTH})\ (?P<nth_last>{_SPOKEN_NTH})"
    rf"|(?<=\bthe )(?P<nth_alone>{_SPOKEN_NTH.partition('|fourth')[0]})(?=$|[,.]| (?:at|in|for|to|from)\b))\b",
    re.IGNORECASE,
)
_AFTER_NTH: Final = (
    "at|in|on|for|to|from|of|until|till?|and|or|with|because|when|if|so|is|was|are|not|no|we|i|he|she|they"
)
_DAY: Final = re.compile(
    rf"""\b{_NO_ONE}(?:
      the\ day\ (?:before\ yesterday|after\ tomorrow) | yesterday | today | tonight | tomorrow
      | this\ (?:morning|afternoon|evening) | last\ night
      | (?:last|next|this|coming)\ {_WEEKDAY} | {_WEEKDAY}(?!s)
      | {_COUNT}\ (?:day|week)s?\ ago | in\ {_COUNT}\ (?:day|week)s?
      | (?:the\ )?{_NTH}(?:\ of)?\ {_MONTH}(?:,?\ \d{{4}})? | \d{{1,2}}\ {_MONTH}(?:,?\ \d{{4}})?
      | {_MONTH}\ \d{{1,2}}(?:st|nd|rd|th)?(?:,?\ \d{{4}})?\b
      | \d{{4}}-\d\d-\d\d | the\ {_NTH}(?!\ (?!(?:{_AFTER_NTH})\b)\w)
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_SINCE: Final = re.compile(r"\bsince $", re.IGNORECASE)
_BOUNDS: Final = {"by", "until", "till", "til", "since", "before", "after", "from"}
_RELATIVE_TIME: Final = re.compile(
    rf"""\b(?:(?P<before>on|by|until|till|til|since|before|after|from|for|of|over|during|starting)\ )?
    (?:early\ |late\ )?
    {_NO_ONE}(?:(?P<day>the\ day\ (?:before\ yesterday|after\ tomorrow) | yesterday | today | tonight | tomorrow
      | this\ (?:morning|afternoon|evening) | last\ night | (?:(?:last|next|this|coming)\ )?{_WEEKDAY}
      | {_COUNT}\ (?:day|week)s?\ ago | in\ {_COUNT}\ (?:day|week)s? )
     | (?P<which>last|next|this)\ (?P<unit>month|year) | (?P<count>{_COUNT})\ (?P<ago>month|year)s?\ ago
     | (?:last|next|this|coming)\ (?:week|weekend|{_MONTH}|spring|summer|autumn|fall|winter) )
    (?:\ (?:morning|afternoon|evening|night|noon))?(?P<whose>\ ['’]s)?(?!\w)""",
    re.IGNORECASE | re.VERBOSE,
)
_TIME: Final = re.compile(
    rf"""\b(?:
      (?:last|next|this)\ (?:week|weekend|month|year|spring|summer|autumn|fall|winter|{_MONTH})
      | (?:in|until|till|since|by|from|before|after)\ (?:early\ |late\ |mid-?)?{_MONTH} | in\ {_COUNT}\ {_UNIT}
      | (?:at|for|over|before|after|since|until|till?|by|this|last|next)\ (?:easter|christmas|xmas|thanksgiving|eid
        |diwali|new\ year(?:'s)?|half\ term|ramadan|passover|halloween|hanukkah)
      | (?:the\ )?(?:end|middle|beginning|start)\ of\ (?:{_MONTH}|(?:the|this|next)\ (?:week|month|year))
      | (?:until|till?|til)\ \w+ | (?:from|since)\ (?:{_MONTH}|then|now)
      | (?:for|over)\ (?:the\ (?:next|whole|entire)\ )?(?:{_COUNT}\ )?{_UNIT} | (?:until|till|from|by)\ [A-Z][a-z]+day
      | (?:the\ )?{_MONTH}\ (?:holidays|break) | (?:by|at)\ (?:the\ )?end\ of\ (?:the\ )?(?:day|week|month|year)
      | {_COUNT}\ {_UNIT}\ ago | at\ (?:\d{{1,2}}(?:[:.]\d\d)?|noon|midnight)\b
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_DAY_OF_MONTH: Final = re.compile(r"the (\d{1,2})(?:st|nd|rd|th)", re.IGNORECASE)
_RELATIVE: Final = {"the day before yesterday": -2, "the day after tomorrow": 2}


@dataclass(frozen=True, slots=True)
class Dated:
    """When something is said to be: the day, if one is named, and whether any time is."""

    day: datetime | None
    timed: bool


def dated(text: str, said: datetime, *, past: bool) -> Dated:
    """The first day that a text names, at midnight UTC. `past` tells which Friday is meant by "on Friday"."""
    text = _SPOKEN.sub(_in_figures, text)
    found = _DAY.search(text)
    if found is None:
        return Dated(None, timed=_TIME.search(text) is not None)
    since = _SINCE.search(text, 0, found.start()) is not None
    return Dated(_day(found[0].casefold(), said, past=past or since), timed=True)


def read_later(text: str, said: datetime, *, past: bool, kept: bool) -> list[tuple[int, int, str]]:
    """Which parts of a text say when only to those who know when it was said, and what to write for each: with `kept`
    the date, else nothing, except where it is a bound ("until Friday"). Last and next month and year are named.
    """
    written = []
    for found in _RELATIVE_TIME.finditer(text):
        before = (found["before"] or "").casefold()
        day = _day(found["day"].casefold(), said, past=past or before == "since") if found["day"] else None
        month = _named_month(found, said)
        if found["whose"]:
            instead = "the"
        elif day is not None and (kept or before in _BOUNDS):
            bound = before if before in _BOUNDS else "on"
            instead = f"{bound} {day.day} {day:%B}" + (f" {day.year}" if kept else "")
        elif month and before not in {"of", "for"}:
            instead = f"{before if before in _BOUNDS else 'in'} {month}"
        else:
            instead = ""
        written.append((found.start(), found.end(), instead))
    return written


def _named_month(found: re.Match[str], said: datetime) -> str:
    """The month or the year that is meant by last month, next year and two years ago; empty for other words."""
    unit = found["unit"] or found["ago"]
    if unit is None:
        return ""
    if found["ago"]:
        count = found["count"].casefold()
        step = -(int(count) if count.isdigit() else _COUNTED.index("one" if count in {"a", "an"} else count) + 1)
    else:
        step = {"last": -1, "this": 0, "next": 1}[found["which"].casefold()]
    if unit.casefold() == "year":
        return str(said.year + step)
    months = said.year * 12 + said.month - 1 + step
    return f"{datetime(months // 12, months % 12 + 1, 1, tzinfo=UTC):%B %Y}"


def _in_figures(spoken: re.Match[str]) -> str:
    """The second of April as 2 April."""
    nth = (spoken["nth"] or spoken["nth_last"] or spoken["nth_alone"]).casefold().replace("-", " ")
    day, month = _NTHS.index(nth) + 1, spoken["month"] or spoken["month_first"]
    return f"{day} {month}" if month else f"{day}th"


def _day(words: str, said: datetime, *, past: bool) -> datetime | None:
    base = said.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    if words in _RELATIVE:
        return base + timedelta(days=_RELATIVE[words])
    if words.startswith("this ") and not words.endswith("day"):
        return base
    if alone := _DAY_OF_MONTH.fullmatch(words):
        return _of_month(int(alone[1]), base, past=past)
    import dateparser  # takes half a second, and most texts name no day

    # "this Friday" and "coming Friday" are the next one that comes.
    words = re.sub(r"^(?:this|coming) ", "next ", words.removeprefix("the ")).replace(" of ", " ")
    settings = {"RELATIVE_BASE": base.replace(tzinfo=None), "PREFER_DATES_FROM": "past" if past else "future"}
    parsed = dateparser.parse(words, languages=["en"], settings=settings)
    return None if parsed is None else parsed.replace(hour=0, minute=0, second=0, microsecond=0, tzinfo=UTC)


def _of_month(day: int, base: datetime, *, past: bool) -> datetime | None:
    """The next month, or the last, that has the day there."""
    step = -1 if past else 1
    year, month = base.year, base.month
    for _ in range(12):
        if 1 <= day <= monthrange(year, month)[1]:
            there = base.replace(year=year, month=month, day=day)
            if (there <= base) if past else (there >= base):
                return there
        year, month = (year + (month + step - 1) // 12, (month + step - 1) % 12 + 1)
    return None
