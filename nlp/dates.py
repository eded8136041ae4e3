"""Dates that a text names, relative to the day on which it was said: "yesterday", said on 3 May, is 2 May.

What belongs here: which words of a clause name a day, and the expressions that dateparser does not resolve; it resolves
the rest. `said` is the speaker's local time written as if it were UTC, and so are the results.
"""

import re
from calendar import monthrange
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final, Literal

from dateutil.relativedelta import relativedelta

from hippograph.nlp.questions.periods import NOT_COUNTED, NUMBER, NUMBERS, SEASONS, WEEKDAYS

_WEEKDAY: Final = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_BARE: Final = rf"(?:today|tomorrow|{_WEEKDAY})"
_MONTH: Final = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december"
    r"|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b\.?"
)
_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_SEASON: Final = "|".join(SEASONS)
_COUNT: Final = rf"(?:an?|{NUMBER}|\d{{1,3}})"
_NO_ONE: Final = "".join(rf"(?<!\b{word}\ )" for word in ("a", "an", "any", "every", "each", "one"))
_NTH: Final = r"\d{1,2}(?:st|nd|rd|th)"
_NTHS: Final = (
    *("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"),
    *("eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth"),
    *("nineteenth", "twentieth", "twenty first", "twenty second", "twenty third", "twenty fourth", "twenty fifth"),
    *("twenty sixth", "twenty seventh", "twenty eighth", "twenty ninth", "thirtieth", "thirty first"),
)
_SPOKEN_NTH: Final = "|".join(nth.replace(" ", "[ -]") for nth in reversed(_NTHS))
_FROM_FIFTH: Final = _SPOKEN_NTH.partition("|fourth")[0]
_AFTER_NTH: Final = (
    "at|in|on|for|to|from|of|until|till?|between|before|after|during|around|by|and|or|but|with|because|when|if|so|then"
    "|is|was|are|not|no|um|uh|please|too|instead|already|as"
    "|we|i|he|she|it|they|my|our"
)
_SPOKEN: Final = re.compile(
    rf"\b(?:(?P<nth>{_SPOKEN_NTH})\ of\ (?P<month>{_MONTH})"
    rf"|(?P<month_first>{_MONTH})\ (?:the\ )?(?P<nth_last>{_SPOKEN_NTH})"
    rf"|(?<=\bthe )(?P<nth_alone>{_FROM_FIFTH})(?=$|[,.]| (?:at|in|for|to|from)\b)"
    rf"|(?<=\bon the )(?P<nth_on>{_FROM_FIFTH})(?=$|[,.]| (?:{_AFTER_NTH})\b))\b",
    re.IGNORECASE,
)
_NOT_OFTEN: Final = "".join(
    rf"(?<!\b{word}\ )" for word in ("last", "next", "this", "once\\ a", "twice\\ a", "times\\ a")
)
_NO_NOUN: Final = rf"(?!\ (?!(?:{_AFTER_NTH})\b|\d)\w)"
_FEASTS: Final = {
    "christmas eve": (12, 24),
    "christmas": (12, 25),
    "boxing day": (12, 26),
    "new year's eve": (12, 31),
    "new year's day": (1, 1),
    "new year": (1, 1),
    "valentine's day": (2, 14),
    "halloween": (10, 31),
}
_EASTER: Final = {
    **{"shrove tuesday": -47, "ash wednesday": -46, "palm sunday": -7, "maundy thursday": -3, "good friday": -2},
    **{"easter sunday": 0, "easter monday": 1, "easter": 0},
}
# Feasts that are named without "on" too; a good Friday is none.
_WEEKDAY_FEAST: Final = "|".join(name.replace(" ", r"\ ").replace("g", "(?-i:G)") for name in _EASTER if " " in name)
_NAMES: Final = "ash|black|cyber|easter|giving|holy|maundy|palm|pancake|shrove|whit|(?-i:Good)|(?-i:Super)"
_NO_NAME: Final = "".join(rf"(?<!\b{name}\ )" for name in _NAMES.split("|"))
_FEAST: Final = "|".join(name.replace(" ", r"\ ").replace("'s", r"\ ?['’]s") for name in (*_FEASTS, *_EASTER))
_YEAR_OF_DAY: Final = r"(?:1[5-9]|20)\d\d(?!\d)"
_FEAST_YEAR: Final = rf"\ ?,?\ (?:(?:of|in)\ )?{_YEAR_OF_DAY}\b"
_IN_YEAR: Final = re.compile(rf"{_FEAST_YEAR}$")
_AT: Final = "|".join(rf"(?<=\b{word}\ )" for word in ["at", "on", "by", "is"])
# Not the last Christmas that somebody had: her last Christmas, Grandma's last Christmas.
_NOT_OWN: Final = "".join(
    rf"(?<!{word}\ )" for word in (*(rf"\b{each}" for each in ("the", "my", "our", "his", "her", "their")), "['’]s")
)
# Not a thing of the feast: this Christmas tree.
_NO_THING: Final = rf"(?!\ (?!(?:{_AFTER_NTH}|you|there|all|again|together|while|where|will)\b)(?-i:[a-z]))"
_WHICH_FEAST: Final = ("last", "next", "this", "coming")
_JUST_GONE: Final = timedelta(days=7)
_LONG_GONE: Final = timedelta(days=183)
"""How long ago, at most, "this Christmas" was: in the present or future tense, and in the past tense."""
# What is counted, not dated: in March 3 friends moved.
_COUNTED: Final = rf"\d{{1,2}}\ (?!(?!of\b)(?:{_AFTER_NTH})\b)(?-i:[a-z])"
_DATE: Final = (
    rf"(?:(?:the\ )?\d{{1,2}}(?:st|nd|rd|th)?(?:\ of)?\ {_MONTH}"
    rf" | (?!(?<=\bin\ ){_MONTH}\ {_COUNTED}){_MONTH}\ (?:the\ {_NTH} | \d{{1,2}}(?:st|nd|rd|th)?\b))"
    rf"(?:\ ?,?\ {_YEAR_OF_DAY})?"
)
# From the 3rd to the 5th of May, 15–26 June: the first day counts.
_STRETCH: Final = re.compile(
    rf"\b(?P<from>(?:the )?(?P<first>\d{{1,2}})(?:st|nd|rd|th)?)(?: ?[-–] ?| (?:to|until|till|and) )(?:the )?"
    rf"(?P<last>\d{{1,2}})(?:st|nd|rd|th)?(?: of)?(?P<month> {_MONTH})",
    re.IGNORECASE,
)
_DAY: Final = re.compile(
    rf"""\b(?:
      (?:(?:next|this|coming)\ )?
        (?:{_WEEKDAY}|mon|tues?|wed|thu(?:rs?)?|fri|sat|sun)\ ?,?\ (?:{_DATE}|(?:the\ )?{_NTH}{_NO_NOUN})
      | {_NOT_OFTEN}week\ on\ {_WEEKDAY} | {_BARE}\ (?:week|fortnight)\b |
      the\ day\ (?:before\ yesterday|after\ tomorrow) | yesterday | today | tonight | tomorrow
      | this\ (?:morning|afternoon|evening|night) | last\ night
      | (?:last|next|this|coming)\ {_WEEKDAY} | {_NO_ONE}{_NO_NAME}{_WEEKDAY}(?!s)
      | {_COUNT}\ (?:day|week)s?\ ago | in\ {_COUNT}\ (?:day|week)s?\b(?!\ from\ (?!now))
      | {_DATE}
      | {_NO_ONE}(?<!\blast\ )(?:{_WEEKDAY_FEAST})\b(?:{_FEAST_YEAR})?
      | (?:{_AT})(?:{_FEAST})(?:\ day)?\b(?:{_FEAST_YEAR})?
      | {_NOT_OWN}(?:{"|".join(_WHICH_FEAST)})\ (?:{_FEAST})(?:\ day)?\b(?:{_FEAST_YEAR})?+{_NO_THING}
      | \d{{4}}-\d\d-\d\d | the\ {_NTH}{_NO_NOUN}
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_HALF: Final = re.compile(r"\bhalf an? (?P<unit>day|week|month|year) ago\b", re.IGNORECASE)
_STEPS: Final = {"last": -1, "this": 0, "next": 1}
_HALVES: Final = {"month": "two weeks ago", "year": "six months ago"}
_DENYING: Final = re.compile(r"\bnot (?:on |the )?$", re.IGNORECASE)
_CORRECTING: Final = re.compile(r"\W*(?:(?:no|sorry|wait|i mean)\b\W*)+(?:on )?(?:the )?", re.IGNORECASE)
_LEADING: Final = re.compile(r"\b(since|by) $", re.IGNORECASE)
_ORDINAL: Final = "first|second|third|fourth|fifth|1st|2nd|3rd|4th|5th"
# Not the next Tuesday, but the second Tuesday of November.
_NTH_WEEKDAY: Final = re.compile(
    rf"""\b(?:(?P<nth>{_ORDINAL})(?:\ and\ (?:the\ )?(?:{_ORDINAL}|last))?
        | (?P<but>(?:second|third|next)[ -]to[ -])?last(?=\ \w+\ (?:of\b|in\ {_MONTH})))
      \ (?P<weekday>{_WEEKDAY})(?!s)(?:\ (?:of|in)\ (?P<month>{_MONTH})(?:\ ?,?\ (?P<year>{_YEAR_OF_DAY}))?
        (?:\ (?P<which>last|this|next)\ year\b)?)?""",
    re.IGNORECASE | re.VERBOSE,
)
_FORTNIGHT: Final = re.compile(r"\b(?:a|one) fortnight\b", re.IGNORECASE)
# Days before or after a day: a week from Friday; but no length or rate: for a week from Friday, once a week on Friday.
_OFFSET: Final = re.compile(
    rf"""\b(?:(?:(?P<lasting>for|every|once|twice|times|days?|hours|nights)
          | (?P<rough>or|to|than|over|under|within|least|most|the|first|next|last|half))\ )?
      (?:(?<![.,/–-])\b(?P<count>{_COUNT})\ (?P<unit>day|week|month|year)s? | the\ day
        | (?P<vague>days|weeks|months|years|half|or\ (?:two|so)|the\ (?:week(?:end)?|month|year|morning|evening|night)))
      (?:\ (?P<way>from|after|before|ago))?(?:\ on)?\ (?:the\ )?$""",
    re.IGNORECASE | re.VERBOSE,
)
# Monday in two weeks, Friday after next, the Friday before the wedding.
_MOVED: Final = re.compile(
    rf" in {_COUNT} (?:day|week|month)s?\b| (?:before|after) (?:next|last)(?=\W*$|[,.])"
    rf"|(?:{'|'.join(rf'(?<=the {each})' for each in WEEKDAYS)}) (?:before|after)\b",
    re.IGNORECASE,
)
_THEN: Final = re.compile(rf"(?:,? on)? (?P<weekday>{_WEEKDAY})\b", re.IGNORECASE)
# A month, a year or a season, where no day is named.
_STRETCH_OF_TIME: Final = re.compile(
    rf"""\b(?:
      (?:(?:in|since|until|till?|by|from|during|before|after|around|of|for)\ (?:the\ )?(?:early\ |late\ |mid[- ]?)?
         |(?P<which>last|next|this)\ )
        (?:(?P<month>{_MONTH})(?!\w|\ (?!{_COUNTED}(?!\w+\ ago\b))\d)
          | (?P<season>{_SEASON})\b | (?P<unit>month|year)\b)
      | (?P<count>{_COUNT})\ (?P<ago>month|year)s?\ ago
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_IN_MONTH: Final = re.compile(rf"\bin (?P<month>{_MONTH})(?!\w)", re.IGNORECASE)
_MONTH_OF_YEAR: Final = re.compile(rf"\b(?P<month>{_MONTH})\ ?,?\ (?P<year>(?:19|20)\d\d)(?!\w)", re.IGNORECASE)
_YEAR: Final = re.compile(
    r"\b(?:in|since|until|till?|by|from|during|before|after|around|of)\ (?P<year>(?:19|20)\d\d)\b(?!\ ?[%$€£])",
    re.IGNORECASE,
)
_LONGEST_MONTH: Final = 31
_FARTHEST_MONTH: Final = 3
"""Maximum distance, in months, at which a day of the month is looked for that falls on the weekday said with it."""
_SHORT: Final = tuple(name[:3] for name in WEEKDAYS)
_FURTHER: Final = re.compile(
    r"(?:(?:next|this|coming) )?(?P<weekday>[a-z]+) ?,? (?:(?:the )?(?P<nth>\d\d?)(?:st|nd|rd|th)|(?P<date>.*\d.*))"
)
_WEEK_ON: Final = re.compile(rf"week on ({_WEEKDAY})|({_BARE}) (?:week|fortnight)")
_DAY_OF_MONTH: Final = re.compile(r"the (\d{1,2})(?:st|nd|rd|th)", re.IGNORECASE)
_DAY_AND_MONTH: Final = re.compile(
    rf"\d{{1,2}}(?:st|nd|rd|th)? {_MONTH}|{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?", re.IGNORECASE
)
_READ: Final = 500
"""Maximum number of characters read; no clause is longer."""
_RELATIVE: Final = {"the day before yesterday": -2, "the day after tomorrow": 2}


Precision = Literal["day", "month", "year"]
"""Precision of a date; a month or a year is represented by its first day."""


@dataclass(frozen=True, slots=True)
class Dated:
    """The time that a text names: its first day at midnight UTC, None where it names none, and the precision."""

    start: datetime | None
    precision: Precision = "day"


def dated(text: str, said: datetime, *, past: bool) -> Dated:
    """Returns the first day that a text names, at midnight UTC, else the month or year. With `past`, "on Friday" is the
    last Friday, otherwise the next one. Only the first 500 characters are read.
    """
    text = NOT_COUNTED.sub("", _HALF.sub(_in_whole, _FORTNIGHT.sub("two weeks", text[:_READ])))
    text = _STRETCH.sub(_from_first, _SPOKEN.sub(_in_figures, text))
    try:
        return _dated(_NTH_WEEKDAY.sub(lambda found: _nth_weekday(found, said, past=past), text), said, past=past)
    except (ValueError, OverflowError):  # beyond the calendar
        return Dated(None)


def _dated(text: str, said: datetime, *, past: bool) -> Dated:
    """Returns the first day that a text names, else the month or year, after rewriting."""
    found = _meant_day(text)
    if found is None:
        return _month_or_year(text, said, past=past) or Dated(None)
    away = _OFFSET.search(text, 0, found.start())
    before = _LEADING.search(text, 0, away.start() if away else found.start())
    leading, words = before and before[1].casefold(), found[0].casefold()
    if alone := _DAY_OF_MONTH.fullmatch(words):
        month = _IN_MONTH.search(text, 0, found.start())
        words = f"{alone[1]} {month['month'].casefold()}" if month else words  # in July, by caesarean, on the 9th
    offset = _offset(away, words, past=past)
    if offset is None or _MOVED.match(text, found.end()):
        return Dated(None)
    past = past and leading != "by" and not (offset and away and away["way"] == "from")
    day = _day(words, said, past=past or leading == "since")
    then = _THEN.match(text, found.end()) if words.startswith("in ") or words.endswith(" ago") else None
    if day and then and WEEKDAYS[day.weekday()] != then["weekday"].casefold():
        return Dated(None)  # in two weeks on Monday
    return Dated(day and day + offset)


def _offset(away: re.Match[str] | None, words: str, *, past: bool) -> relativedelta | None:
    """Returns how far from a day its words lie: two days *after*, a week *from*; None if that is unclear."""
    unit, way = ((away["unit"] or "day").casefold(), (away["way"] or "").casefold()) if away else ("", "")
    if away is None or away["lasting"] or (not way and unit != "week"):  # six months on Friday
        return relativedelta()
    clear = {"": not past and re.fullmatch(_BARE, words), "ago": words in ("today", "yesterday", "tomorrow")}
    if away["rough"] or away["vague"] or not clear.get(way, True):
        return None
    count = _number(away["count"] or "a")
    return relativedelta(**{f"{unit}s": -count if way in ("before", "ago") else count})  # type: ignore[arg-type]


def _nth_weekday(found: re.Match[str], said: datetime, *, past: bool) -> str:
    """Rewrites a weekday of a month as a date: the second Tuesday of November; removes one whose month is unknown."""
    if not found["month"] or found["but"]:
        return ""
    month, nth = _month(found), found["nth"]
    named = said.year + _STEPS[found["which"].casefold()] if found["which"] else found["year"]
    year = int(named or _year_of(month, said, past=past, which=None))
    first = datetime(year, month, 1, tzinfo=UTC)
    ahead = WEEKDAYS.index(found["weekday"].casefold()) - first.weekday()
    fitting = range(ahead % 7 + 1, monthrange(year, month)[1] + 1, 7)
    number = _ORDINAL.split("|").index(nth.casefold()) % 5 if nth else -1
    return first.replace(day=fitting[number]).date().isoformat() if number < len(fitting) else ""


def _meant_day(text: str) -> re.Match[str] | None:
    """Finds the first day that a text names and neither denies nor corrects: not Monday but *Friday*; Monday, no,
    *Friday*.
    """
    meant = None
    for found in _DAY.finditer(text):
        if meant is not None and not _CORRECTING.fullmatch(text, meant.end(), found.start()):
            break
        if not _DENYING.search(text, 0, found.start()):
            meant = found
    return meant


def _month_or_year(text: str, said: datetime, *, past: bool) -> Dated | None:
    """The first month or year that a text names: in March, in May 2024, in 2019, last year, last summer."""
    if found := _MONTH_OF_YEAR.search(text):
        return _first_of(int(found["year"]), _month(found))
    if found := _YEAR.search(text):
        return _first_of(int(found["year"]))
    found = _STRETCH_OF_TIME.search(text)
    if found is None or (not found["which"] and (found["season"] or found["unit"])):
        return None
    if found["month"]:
        return _first_of(_year_of(_month(found), said, past=past, which=found["which"]), _month(found))
    if found["season"]:
        first, which = SEASONS[found["season"].casefold()], found["which"].casefold()
        # The last summer is over: its last month is past.
        return _first_of(_year_of(first + 2 if which == "last" else first, said, past=past, which=which))
    start, unit = _stepped(found, said), found["unit"] or found["ago"]
    return _first_of(start.year, start.month if unit.casefold() == "month" else None)


def _first_of(year: int, month: int | None = None) -> Dated:
    """The first day of a month, or of a year if no month is given."""
    start = datetime(year, month or 1, 1, tzinfo=UTC)
    return Dated(start, "year" if month is None else "month")


def _month(found: re.Match[str]) -> int:
    return _MONTHS.index(found["month"].casefold()[:3]) + 1


def _year_of(month: int, said: datetime, *, past: bool, which: str | None) -> int:
    """The year of a month named without one: that of the last or the next such month.

    The current month counts as this year's, unless "last" or "next" stands before it.
    """
    which = (which or "").casefold()
    if which == "this" or (not which and month == said.month):
        return said.year
    if which == "last" or (past and which != "next"):
        return said.year - (month >= said.month)
    return said.year + (month <= said.month)


def _stepped(found: re.Match[str], said: datetime) -> datetime:
    """The first day of the month or year meant by "last month", "next year" or "two years ago"."""
    unit = (found["unit"] or found["ago"]).casefold()
    step = -_number(found["count"]) if found["ago"] else _STEPS[found["which"].casefold()]
    if unit == "year":
        return datetime(said.year + step, 1, 1, tzinfo=UTC)
    months = said.year * 12 + said.month - 1 + step
    return datetime(months // 12, months % 12 + 1, 1, tzinfo=UTC)


def _number(count: str) -> int:
    """The number that a count names: 2, two, a."""
    count = count.casefold()
    word = "one" if count in {"a", "an"} else count.replace(" ", "-")
    return int(count) if count.isdigit() else NUMBERS.index(word)


def _in_whole(half: re.Match[str]) -> str:
    """Rewrites half a unit in whole ones: half a year ago as six months ago; removes half a day and half a week."""
    return _HALVES.get(half["unit"].casefold(), "")


def _in_figures(spoken: re.Match[str]) -> str:
    """Rewrites a spoken date in figures: the second of April as 2 April."""
    nth = (spoken["nth"] or spoken["nth_last"] or spoken["nth_alone"] or spoken["nth_on"]).casefold().replace("-", " ")
    day, month = _NTHS.index(nth) + 1, spoken["month"] or spoken["month_first"]
    return f"{day} {month}" if month else f"{day}th"


def _from_first(stretch: re.Match[str]) -> str:
    """Rewrites a range of days as its first: 15 to 26 June as 15 June; unchanged if it crosses the end of a month."""
    within = 1 <= int(stretch["first"]) < int(stretch["last"]) <= _LONGEST_MONTH
    return f"{stretch['from']}{stretch['month']}" if within else stretch[0]


def _day(words: str, said: datetime, *, past: bool) -> datetime | None:
    base = said.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    if words in _RELATIVE:
        return base + timedelta(days=_RELATIVE[words])
    if feast := _feast(words.replace("’", "'").replace(" 's", "'s"), base, past=past):
        return feast
    past = past and not words.startswith(("this ", "next ", "coming "))
    if words.startswith("this ") and words.endswith(("morning", "afternoon", "evening", "night")):
        return base
    if week := _WEEK_ON.fullmatch(words):
        day = _day(week[1] or week[2], said, past=False)
        return day and day + timedelta(days=14 if words.endswith("fortnight") else 7)
    if (further := _FURTHER.fullmatch(words)) and further["weekday"][:3] in _SHORT:
        if further["nth"]:
            weekday = _SHORT.index(further["weekday"][:3])
            return _of_month(int(further["nth"]), base, past=past, weekday=weekday)
        words = further["date"]
    if alone := _DAY_OF_MONTH.fullmatch(words):
        return _of_month(int(alone[1]), base, past=past)
    return _parsed(words, base, past=past)


def _parsed(words: str, base: datetime, *, past: bool) -> datetime | None:
    import dateparser  # takes half a second, and most texts name no day

    # "this Friday" and "coming Friday" mean the next Friday.
    words = re.sub(r"^(?:this|coming) ", "next ", words.removeprefix("the ")).replace(" of ", " ").replace(" the ", " ")
    words = re.sub(r" ?, ?", " ", words)
    settings = {"RELATIVE_BASE": base.replace(tzinfo=None), "PREFER_DATES_FROM": "past" if past else "future"}
    parsed = dateparser.parse(words, languages=["en"], settings=settings)
    if parsed is None:
        return None
    day = parsed.replace(hour=0, minute=0, second=0, microsecond=0, tzinfo=UTC)
    # dateparser takes "9 June", said on 9 June, for that of the next year.
    today = not past and (day.month, day.day) == (base.month, base.day) and _DAY_AND_MONTH.fullmatch(words)
    return base if today else day


def _feast(words: str, base: datetime, *, past: bool) -> datetime | None:
    """The date of the feast of a name in the year that is named, else of the last or the next one, which "last" or
    "next" before it decides, else the tense; "this Christmas" is the next, unless the last is not long gone. None if
    the words name no feast.
    """
    year = _IN_YEAR.search(words)
    words = words[: year.start()] if year else words
    first, _, rest = words.partition(" ")
    which, words = (first, rest) if first in _WHICH_FEAST else ("", words)
    name = next((each for each in (*_FEASTS, *_EASTER) if words in (each, f"{each} day")), None)
    if name is None:
        return None
    if year:
        return _feast_of(int(year[0][-4:]), name, base)
    days = [_feast_of(base.year + years, name, base) for years in (-1, 0, 1)]
    if which == "last":
        return max(day for day in days if day < base)
    if which == "next":
        return min(day for day in days if day > base)
    last, coming = max(day for day in days if day <= base), min(day for day in days if day >= base)
    if which == "this":
        past = base - last <= (_LONG_GONE if past else _JUST_GONE)
    return last if past and which != "coming" else coming


def _feast_of(year: int, name: str, base: datetime) -> datetime:
    """The date of a feast in a year, at the time of day of `base`."""
    from dateutil.easter import easter

    if name in _FEASTS:
        month, day = _FEASTS[name]
        return base.replace(year=year, month=month, day=day)
    sunday = easter(year)
    return base.replace(year=year, month=sunday.month, day=sunday.day) + timedelta(days=_EASTER[name])


def _of_month(day: int, base: datetime, *, past: bool, weekday: int | None = None) -> datetime | None:
    """The nearest date from `base` on (with `past`, up to `base`) that has this day of the month, in up to 12 months.

    With a `weekday` (0 is Monday), it is the nearest that falls on it, within `_FARTHEST_MONTH` months; without such a
    date, the nearest on any weekday. None if no month has the day.
    """
    step = -1 if past else 1
    year, month = base.year, base.month
    first = None
    for months in range(12):
        if 1 <= day <= monthrange(year, month)[1]:
            there = base.replace(year=year, month=month, day=day)
            if (there <= base) if past else (there >= base):
                if weekday in (None, there.weekday()):
                    return there
                first = first or there
                if months >= _FARTHEST_MONTH:
                    return first
        year, month = (year + (month + step - 1) // 12, (month + step - 1) % 12 + 1)
    return first
