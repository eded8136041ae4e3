"""Tests of cron schedules."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from pydantic import ValidationError

from hippograph.api.settings.settings import Settings
from hippograph.graph.errors import InvalidInput
from hippograph.graph.upkeep.schedule import every_hours, next_time

NIGHT = datetime(2024, 2, 28, 2, 59, 30, tzinfo=UTC)


def test_the_next_time_is_later_than_the_moment() -> None:
    """For a moment that is a time of the schedule, `next_time` returns the one after it."""
    first = next_time("0 3 * * *", NIGHT)
    assert datetime(2024, 2, 28, 3, tzinfo=UTC) == first
    assert first + timedelta(days=1) == next_time("0 3 * * *", first)


def test_times_are_in_utc() -> None:
    """Schedules are in UTC, whatever the offset of the moment."""
    elsewhere = NIGHT.astimezone(timezone(timedelta(hours=9)))
    assert datetime(2024, 2, 28, 3, tzinfo=UTC) == next_time("0 3 * * *", elsewhere)


def test_days_of_months_and_weeks() -> None:
    """`next_time` finds 29 February in a leap year, and the first Monday of a month."""
    assert datetime(2024, 2, 29, 0, tzinfo=UTC) == next_time("0 0 29 2 *", NIGHT)
    assert datetime(2024, 3, 4, 0, tzinfo=UTC) == next_time("0 0 * * MON#1", NIGHT)


@pytest.mark.parametrize("schedule", ["", "0 3 * *", "0 0 3 * * *", "61 3 * * *", "0 0 31 2 *", "daily"])
def test_what_is_no_schedule_is_refused_with_an_example(schedule) -> None:
    """An invalid schedule raises an error with an example, both in `next_time` and as a setting."""
    with pytest.raises(InvalidInput, match="every day at three"):
        next_time(schedule, NIGHT)
    with pytest.raises(ValidationError, match="every day at three"):
        Settings(_env_file=None, maintenance_schedule=schedule)


def test_every_so_many_hours() -> None:
    """A schedule of every n hours counts from midnight; 24 is once a day, at midnight."""
    assert [3, 6] == [next_time(every_hours(hours), NIGHT).hour for hours in (1, 6)]
    assert datetime(2024, 2, 29, tzinfo=UTC) == next_time(every_hours(24), NIGHT)
