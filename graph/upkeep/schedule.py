"""Schedules in the syntax of cron: five fields, for minute, hour, day, month and day of the week, in UTC."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from cronsim import CronSim, CronSimError

from hippograph.graph.errors import InvalidInput

_FIELDS: Final = 5


@dataclass(frozen=True, slots=True)
class ScheduledJob:
    """A job: its name, its cron schedule, and the names of its steps in order."""

    name: str
    schedule: str
    steps: tuple[str, ...]


def next_time(schedule: str, after: datetime) -> datetime:
    """Returns the first time of a schedule later than `after`. Raises `InvalidInput` for an invalid schedule."""
    try:
        found = next(CronSim(schedule, after.astimezone(UTC)), None)
    except CronSimError as error:
        raise _no_schedule(schedule, str(error)) from error
    if found is None or len(schedule.split()) != _FIELDS:
        raise _no_schedule(schedule, "it has other than five fields" if found else "it never comes")
    return found


def _no_schedule(schedule: str, why: str) -> InvalidInput:
    return InvalidInput(
        f"{schedule!r} is no schedule ({why}): write minute, hour, day, month and day of the week as cron has them; "
        "`0 3 * * *` is every day at three, UTC"
    )


def every_hours(hours: int) -> str:
    """Returns the schedule of a job that runs every so many hours (1 to 24), counted from midnight."""
    return "0 0 * * *" if hours == 24 else f"0 */{hours} * * *"
