"""Local time in time zones, around midnight and where clocks go back or forward."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hippograph.graph.errors import InvalidInput
from hippograph.graph.model import NO_END, START
from hippograph.graph.retrieval.analysis import moments_of
from hippograph.graph.zones import checked_zone, moment_at, wall_clock
from hippograph.nlp.questions.periods import find_period

ZONES = (
    "UTC",
    "America/Los_Angeles",
    "Asia/Tokyo",
    "Europe/Vienna",
    "America/Havana",
    "Africa/Cairo",
    "Asia/Kathmandu",
)


@pytest.mark.parametrize("name", ["Nowhere", "europe/vienna", "EST", "Factory", "", "../UTC", "Europe/Vienna\x00"])
def test_a_name_of_no_zone_is_an_error_that_says_how_to_write_one(name: str) -> None:
    """A name that Python or Neo4j does not know, or an abbreviation, is refused with an example of a valid name."""
    with pytest.raises(InvalidInput, match="is no time zone: write one like Europe/Vienna"):
        checked_zone(name)


@pytest.mark.parametrize(
    ("moment", "zone", "shown"),
    [
        (datetime(2026, 5, 3, 3, tzinfo=UTC), "America/Los_Angeles", datetime(2026, 5, 2, 20, tzinfo=UTC)),
        (datetime(2026, 5, 3, 3, tzinfo=UTC), "Asia/Tokyo", datetime(2026, 5, 3, 12, tzinfo=UTC)),
        (datetime(2026, 1, 1, 7, 59, tzinfo=UTC), "America/Los_Angeles", datetime(2025, 12, 31, 23, 59, tzinfo=UTC)),
        # Summer time ends: 02:30 is shown twice.
        (datetime(2026, 10, 25, 0, 30, tzinfo=UTC), "Europe/Vienna", datetime(2026, 10, 25, 2, 30, tzinfo=UTC)),
        (datetime(2026, 10, 25, 1, 30, tzinfo=UTC), "Europe/Vienna", datetime(2026, 10, 25, 2, 30, tzinfo=UTC)),
    ],
)
def test_clocks_show_the_time_of_their_zone(moment: datetime, zone: str, shown: datetime) -> None:
    """`wall_clock` returns the local time of a zone, with the local date."""
    assert shown == wall_clock(moment, zone)


@pytest.mark.parametrize(
    ("shown", "zone", "moment"),
    [
        # Midnight is skipped: the day begins at one. It comes twice: the day begins at the first. 02:30 is skipped.
        (datetime(2026, 4, 24, tzinfo=UTC), "Africa/Cairo", datetime(2026, 4, 23, 22, tzinfo=UTC)),
        (datetime(2026, 11, 1, tzinfo=UTC), "America/Havana", datetime(2026, 11, 1, 4, tzinfo=UTC)),
        (datetime(2026, 3, 29, 2, 30, tzinfo=UTC), "Europe/Vienna", datetime(2026, 3, 29, 1, 30, tzinfo=UTC)),
    ],
)
def test_a_day_begins_when_its_date_does(shown: datetime, zone: str, moment: datetime) -> None:
    """`moment_at` returns a moment on the date that is shown, also where clocks skip or repeat the hour."""
    assert moment == moment_at(shown, zone)
    assert shown.date() == wall_clock(moment, zone).date()
    assert shown.date() > wall_clock(moment - timedelta(hours=3), zone).date() or shown.hour


@given(st.integers(-(10**9), 4 * 10**9), st.sampled_from(ZONES))
@example(int(datetime(2026, 11, 1, 5, 30, tzinfo=UTC).timestamp()), "America/Havana")
def test_a_moment_comes_back_but_for_the_hour_that_clocks_repeat(seconds: int, zone: str) -> None:
    """Conversion to local time and back returns the same moment, or in the repeated hour the first of the two."""
    moment = datetime.fromtimestamp(seconds, UTC)
    assert moment - moment_at(wall_clock(moment, zone), zone) in (timedelta(), timedelta(hours=1))


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize("end", [START, NO_END])
def test_beyond_the_calendar_there_is_no_day(end: datetime, zone: str) -> None:
    """Conversion of the first and the last moment of the calendar raises no error and stays within a day of it."""
    assert abs(wall_clock(end, zone) - end) < timedelta(days=1)
    assert abs(moment_at(end, zone) - end) < timedelta(days=1)


@pytest.mark.parametrize(
    ("now", "start", "hours"),
    [
        # Days in San Francisco: clocks go forward, clocks go back, a plain day, the last of a month.
        (datetime(2026, 3, 9, 20, tzinfo=UTC), datetime(2026, 3, 8, 8, tzinfo=UTC), 23),
        (datetime(2026, 11, 2, 20, tzinfo=UTC), datetime(2026, 11, 1, 7, tzinfo=UTC), 25),
        (datetime(2026, 5, 4, 6, tzinfo=UTC), datetime(2026, 5, 2, 7, tzinfo=UTC), 24),
        (datetime(2026, 6, 2, 5, tzinfo=UTC), datetime(2026, 5, 31, 7, tzinfo=UTC), 24),
    ],
)
def test_yesterday_lasts_from_midnight_to_midnight(now: datetime, start: datetime, hours: int) -> None:
    """The period of "yesterday" lasts from local midnight to local midnight, for 23, 24 or 25 hours."""
    period = find_period("What did I do yesterday?", wall_clock(now, "America/Los_Angeles"))
    assert period is not None
    found = moments_of(period, "America/Los_Angeles")
    assert (start, start + timedelta(hours=hours)) == (found.start, found.end)


def test_what_reaches_back_to_the_beginning_does_so_everywhere() -> None:
    """A period without a start begins within a day of the first moment of the calendar, in every zone."""
    for zone in ZONES:
        period = find_period("before March", wall_clock(datetime(2026, 5, 3, tzinfo=UTC), zone))
        assert period is not None
        assert moments_of(period, zone).start - START < timedelta(days=1)
