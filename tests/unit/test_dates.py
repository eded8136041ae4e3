"""Days, months and years that words name, seen from the day on which they are said."""

from datetime import UTC, datetime

import pytest

from hippograph.nlp.dates import dated

SUNDAY = datetime(2026, 5, 3, 18, 20, tzinfo=UTC)
TUESDAY = datetime(2026, 9, 8, 12, 0, tzinfo=UTC)
BEGINNING, END = datetime(1, 1, 1, tzinfo=UTC), datetime(9999, 12, 31, 23, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "past", "day"),
    [
        ("yesterday", True, "2026-05-02"),
        ("this Friday the 8th", False, "2026-05-08"),
        ("this Fri 8 May", False, "2026-05-08"),
        ("on 3 May", False, "2026-05-03"),
        ("tomorrow at 3", False, "2026-05-04"),
        ("on Friday", False, "2026-05-08"),
        ("on Friday", True, "2026-05-01"),
        ("last Friday", True, "2026-05-01"),
        ("in two weeks", False, "2026-05-17"),
        ("3 days ago", True, "2026-04-30"),
        ("since Monday", False, "2026-04-27"),
        ("on the 12th", False, "2026-05-12"),
        ("on the 2nd", False, "2026-06-02"),
        ("on the 31st", True, "2026-03-31"),
        ("March 15", False, "2027-03-15"),
        ("15 March", True, "2026-03-15"),
        ("the second of June", False, "2026-06-02"),
        ("on may eighteenth", False, "2026-05-18"),
        ("the day after tomorrow", False, "2026-05-05"),
        ("on Saturday the 9th", False, "2026-05-09"),
        ("on Sat 16th", False, "2026-05-16"),
        ("on Tuesday the 9th", False, "2026-06-09"),
        ("on Friday the 9th", False, "2026-05-09"),
        ("on Wednesday 20 May", False, "2026-05-20"),
        ("on Thursday, June 4", False, "2026-06-04"),
        ("a week on Tuesday", False, "2026-05-12"),
        ("Friday week", False, "2026-05-15"),
        ("by Christmas", False, "2026-12-25"),
        ("by Christmas", True, "2026-12-25"),
        ("last Christmas", True, "2025-12-25"),
        ("last Christmas", False, "2025-12-25"),
        ("last Christmas we flew", True, "2025-12-25"),
        ("this Christmas", False, "2026-12-25"),
        ("this coming Christmas", False, "2026-12-25"),
        ("this Easter", True, "2026-04-05"),
        ("next Easter", False, "2027-03-28"),
        ("next Easter", True, "2027-03-28"),
        ("since last New Year’s Eve", True, "2025-12-31"),
        ("half a month ago", True, "2026-04-19"),
        ("twenty-five days ago", True, "2026-04-08"),
        ("in thirteen weeks", False, "2026-08-02"),
        ("at Christmas 2019", True, "2019-12-25"),
        ("at Easter, 2019", True, "2019-04-21"),
        ("on Christmas Day in 2019 with Tom", True, "2019-12-25"),
        ("by Christmas 2027", False, "2027-12-25"),
        ("this Christmas 2026", True, "2026-12-25"),
        ("on New Year's Eve of 2027", False, "2027-12-31"),
        ("last week on Tuesday", True, "2026-04-28"),
        ("next week on Tuesday", False, "2026-05-05"),
        ("on New Year 's Eve", False, "2026-12-31"),
        ("at Easter", True, "2026-04-05"),
        ("on Good Friday", True, "2026-04-03"),
        ("on the sixth and waits", False, "2026-05-06"),
        ("from june the thirteenth", False, "2026-06-13"),
        ("this morning", True, "2026-05-03"),
        ("2026-06-15", False, "2026-06-15"),
        ("on the 9th between 8 and 12", False, "2026-05-09"),
        ("from 15 to 26 June", False, "2026-06-15"),
        ("between the 3rd and the 5th of June", False, "2026-06-03"),
        ("15–26 June", False, "2026-06-15"),
        ("at 3 this night", True, "2026-05-03"),
        ("from the 29th to the 3rd of June", False, "2026-05-29"),
        ("and finish that one tomorrow", False, "2026-05-04"),
        ("on October the 3rd", False, "2026-10-03"),
        ("on 7 of october", False, "2026-10-07"),
        ("on Saturday the sixteenth of May", False, "2026-05-16"),
        ("next Tuesday the 19th", False, "2026-05-19"),
        ("in July, by ferry, on the 9th", False, "2026-07-09"),
        ("in July, on the 9th", True, "2025-07-09"),
        ("not on Monday but on Wednesday", False, "2026-05-06"),
        ("on Wednesday, no, Thursday the 14th", False, "2026-05-14"),
        ("on Wednesday and on Thursday", False, "2026-05-06"),
    ],
)
def test_days(text: str, past: bool, day: str) -> None:
    """Words that name a day, said on Sunday, 3 May 2026, give its date."""
    found = dated(f"Maya does it {text}", SUNDAY, past=past)
    assert found.start is not None
    assert (day, "day") == (found.start.date().isoformat(), found.precision)


@pytest.mark.parametrize(
    ("said", "text", "past", "day"),
    [
        ("2027-01-10", "at Christmas", True, "2026-12-25"),
        ("2027-01-10", "at Christmas", False, "2027-12-25"),
        ("2027-01-10", "at Easter", True, "2026-04-05"),
        ("2027-01-10", "last Christmas", True, "2026-12-25"),
        ("2027-01-10", "this Christmas", True, "2026-12-25"),
        ("2027-01-10", "this Christmas", False, "2027-12-25"),
        ("2027-01-02", "this New Year", False, "2027-01-01"),
        ("2026-12-25", "at Christmas", True, "2026-12-25"),
        ("2026-12-25", "this Christmas", False, "2026-12-25"),
        ("2026-12-25", "last Christmas", True, "2025-12-25"),
        ("2026-12-25", "next Christmas", False, "2027-12-25"),
        ("2026-11-01", "this Easter", True, "2027-03-28"),
    ],
)
def test_feasts(said: str, text: str, past: bool, day: str) -> None:
    """A feast is the last or the next of its name; "last" and "next" are never today, and "this" is not long gone."""
    found = dated(f"Maya flies there {text}", datetime.fromisoformat(f"{said}T12:00+00:00"), past=past)
    assert found.start is not None
    assert (day, "day") == (found.start.date().isoformat(), found.precision)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "on a Friday",
        "until then",
        "on 30 February",
        "on the 45th",
        "half an hour ago",
        "half a day ago",
        "half a week ago",
        "1.5 days ago",
        "1.5 years ago",
        "3 1/2 years ago",
        "1,500 years ago",
        "10 000 years ago",
        "a quarter of a year ago",
        "three quarters of a year ago",
        "most of a year ago",
        "a hundred and five years ago",
        "one hundred twenty-five years ago",
        "twenty–five years ago",
        "twenty  five days ago",
        "a year and two months ago",
        "for the last Christmas 2019 presents",
        "with this Christmas tree",
        "for the last Christmas that we had",
        "on Grandma's last Christmas",
    ],
)
def test_no_day_is_named(text: str) -> None:
    """Words that name no day, month or year give no date."""
    assert dated(f"Maya moves {text}", SUNDAY, past=False).start is None


@pytest.mark.parametrize(
    ("text", "past", "start", "precision"),
    [
        ("on June 5, 2019", True, "2019-06-05", "day"),
        ("on June 5 , 2019", True, "2019-06-05", "day"),
        ("on 5 June 2019", True, "2019-06-05", "day"),
        ("in March", True, "2026-03-01", "month"),
        ("in June", True, "2025-06-01", "month"),
        ("in June", False, "2026-06-01", "month"),
        ("in March", False, "2027-03-01", "month"),
        ("in May", True, "2026-05-01", "month"),
        ("in May 2024", True, "2024-05-01", "month"),
        ("May 2024", True, "2024-05-01", "month"),
        ("since early March", True, "2026-03-01", "month"),
        ("last month", True, "2026-04-01", "month"),
        ("three months ago", True, "2026-02-01", "month"),
        ("next month", False, "2026-06-01", "month"),
        ("half a year ago", True, "2025-11-01", "month"),
        ("over Half a year ago", True, "2025-11-01", "month"),
        ("last June", True, "2025-06-01", "month"),
        ("in 2019", True, "2019-01-01", "year"),
        ("since 2014", True, "2014-01-01", "year"),
        ("last year", True, "2025-01-01", "year"),
        ("two years ago", True, "2024-01-01", "year"),
        ("as of a year ago", True, "2025-01-01", "year"),
        ("this week and two years ago", True, "2024-01-01", "year"),
        ("2-3 years ago", True, "2023-01-01", "year"),
        ("twenty-five years ago", True, "2001-01-01", "year"),
        ("Twenty one years ago", True, "2005-01-01", "year"),
        ("nineteen years ago", True, "2007-01-01", "year"),
        ("forty-two months ago", True, "2022-11-01", "month"),
        ("last summer", True, "2025-01-01", "year"),
        ("last spring", True, "2025-01-01", "year"),
        ("last winter", True, "2025-01-01", "year"),
        ("next year", False, "2027-01-01", "year"),
    ],
)
def test_a_month_is_a_month(text: str, past: bool, start: str, precision: str) -> None:
    """A day, a month or a year gives its first day and its precision."""
    found = dated(f"Maya moves {text}", SUNDAY, past=past)
    assert found.start is not None
    assert (start, precision) == (found.start.date().isoformat(), found.precision)


@pytest.mark.parametrize(
    ("text", "past", "day"),
    [
        ("born on 12 April 1897", True, "1897-04-12"),
        ("born on May 3rd, 1899", True, "1899-05-03"),
        ("the 12th of April, 1597", True, "1597-04-12"),
        ("at Christmas 1897", True, "1897-12-25"),
        ("on the second Tuesday of November", False, "2026-11-10"),
        ("on the 2nd Tuesday in November", True, "2025-11-11"),
        ("on the last Friday of October", False, "2026-10-30"),
        ("the first Monday of October, we fly", False, "2026-10-05"),
        ("the first Monday of October 2027", False, "2027-10-04"),
        ("the third Monday in May last year", True, "2025-05-19"),
        ("on the first and third Tuesday of November", False, "2026-11-03"),
        ("a week from Friday", False, "2026-09-18"),
        ("a week from Friday", True, "2026-09-18"),
        ("in two weeks from Friday", False, "2026-09-25"),
        ("two weeks from tomorrow", False, "2026-09-23"),
        ("two weeks from today", False, "2026-09-22"),
        ("two weeks today", False, "2026-09-22"),
        ("three weeks from yesterday", True, "2026-09-28"),
        ("the day before the 20th", False, "2026-09-19"),
        ("the day after the 20th of October", False, "2026-10-21"),
        ("by the day before Friday", True, "2026-09-10"),
        ("two days after Friday", False, "2026-09-13"),
        ("two months from Friday", False, "2026-11-11"),
        ("Friday fortnight", False, "2026-09-25"),
        ("tomorrow week", False, "2026-09-16"),
        ("a fortnight on Friday", False, "2026-09-25"),
        ("in a fortnight", False, "2026-09-22"),
        ("a year ago today", True, "2025-09-08"),
        ("for two weeks from Friday", False, "2026-09-11"),
        ("three days a week from Monday on", False, "2026-09-14"),
        ("twice a week on Friday", False, "2026-09-11"),
        ("in two days on Thursday", False, "2026-09-10"),
        ("before Friday", False, "2026-09-11"),
        ("on Friday after the meeting", False, "2026-09-11"),
        ("Ash Wednesday", False, "2027-02-10"),
        ("on Easter Monday", False, "2027-03-29"),
        ("Easter Monday", False, "2027-03-29"),
        ("Palm Sunday", True, "2026-03-29"),
        ("Shrove Tuesday 2024", True, "2024-02-13"),
        ("Maundy Thursday", False, "2027-03-25"),
        ("the day after Easter Monday", False, "2027-03-30"),
        ("has a really good Friday", False, "2026-09-11"),
        ("On March 3 Lena came", True, "2026-03-03"),
        ("in March 15 we moved", True, "2026-03-15"),
        ("in June 2 kids were born on the 12th", True, "2026-06-12"),
    ],
)
def test_days_by_other_days(text: str, past: bool, day: str) -> None:
    """Days by a year, a month, a feast or another day, said on Tuesday, 8 September 2026."""
    found = dated(text, TUESDAY, past=past)
    assert found.start is not None
    assert (day, "day") == (found.start.date().isoformat(), found.precision)


@pytest.mark.parametrize(
    "text",
    [
        "on the first Monday of the month",
        "on the fifth Friday of September",
        "on the second-to-last Friday of October",
        "the first Tuesday after Easter",
        "every second Tuesday",
        "Monday in two weeks",
        "in two weeks on Monday",
        "two weeks ago on Friday",
        "a year ago on Friday",
        "the Friday after next",
        "the Friday before the 20th",
        "the week before the 20th",
        "a few days after Friday",
        "two or three days after Friday",
        "2-3 days after Friday",
        "1.5 weeks from Friday",
        "half a year from Friday",
        "a week and a half from Friday",
        "on Black Friday",
        "Cyber Monday",
    ],
)
@pytest.mark.parametrize("past", [False, True])
def test_no_day_rather_than_another(text: str, past: bool) -> None:
    """Words that mean a day that is not computed give no date, not that of the nearest weekday."""
    assert dated(text, TUESDAY, past=past).start is None


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("In March 3 friends and I moved", "2026-03-01"),
        ("in May 2 weeks after Ben", "2026-05-01"),
        ("in May 2 of us left", "2026-05-01"),
        ("since April", "2026-04-01"),
        ("from April to June", "2026-04-01"),
        ("by the end of May", "2026-05-01"),
        ("from May 2024", "2024-05-01"),
        ("for early June", "2026-06-01"),
    ],
)
def test_months_beside_counts(text: str, start: str) -> None:
    """A count after a month is not its day, and a month without a day keeps its month."""
    found = dated(text, TUESDAY, past=True)
    assert found.start is not None
    assert (start, "month") == (found.start.date().isoformat(), found.precision)


@pytest.mark.parametrize(
    "text",
    [
        "on Friday",
        "the 31st",
        "at Easter",
        "next month",
        "last year",
        "last winter",
        "in January",
        "in 99 weeks",
        "90 years ago",
        "Friday week",
        "the day before yesterday",
        "the last Friday of October",
        "two weeks from today",
    ],
)
@pytest.mark.parametrize("past", [False, True])
def test_ends_of_the_calendar(text: str, past: bool) -> None:
    """No date lies beyond the calendar: where it ends, words name a date within it or none."""
    for said in (BEGINNING, END):
        found = dated(text, said, past=past)
        assert found.start is None or found.start.tzinfo is UTC
    assert dated("last year", BEGINNING, past=past).start is None
