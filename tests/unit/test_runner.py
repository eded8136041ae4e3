import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from hippograph.graph.errors import DatabaseFailed, DatabaseTimedOut, DatabaseUnavailable
from hippograph.graph.jobs.queue import MAX_ATTEMPTS, next_try
from hippograph.graph.jobs.runner import Periodic, Runner, pause_after, work_until

NOW = datetime(2026, 11, 22, tzinfo=UTC)


@pytest.mark.parametrize(
    "error", [DatabaseFailed("no"), DatabaseTimedOut("busy"), DatabaseUnavailable("away"), KeyError("name")]
)
async def test_no_error_of_a_step_ends_the_work(error: Exception) -> None:
    """After any exception in a step, the next step is taken."""
    stop, outcomes = asyncio.Event(), [error, error, None]

    async def step() -> int:
        outcome = outcomes.pop(0)
        if outcome:
            raise outcome
        stop.set()
        return 1

    await work_until(stop, Periodic("a job", step, timedelta()), 0.0)
    assert [] == outcomes


async def test_work_can_be_cancelled_in_a_step() -> None:
    """Cancelling the work during a step ends it; the cancellation is not handled as an error of the step."""
    begun = asyncio.Event()

    async def step() -> int:
        begun.set()
        await asyncio.Event().wait()
        return 1

    work = asyncio.create_task(work_until(asyncio.Event(), Periodic("a job", step, timedelta()), 0.0))
    await begun.wait()
    work.cancel()
    with pytest.raises(asyncio.CancelledError):
        await work


async def test_a_periodic_job_goes_on_after_a_failure() -> None:
    """A periodic job whose step failed runs again, and another job runs meanwhile."""
    stop, done, failing = asyncio.Event(), [], [DatabaseUnavailable("not now")]

    async def sweep() -> int:
        if failing:
            raise failing.pop()
        done.append("sweep")
        if len(done) > 2:
            stop.set()
        return 0

    async def other() -> int:
        done.append("other")
        return 0

    soon, never = timedelta(milliseconds=1), timedelta(days=1)
    await Runner([], [Periodic("sweep", sweep, soon), Periodic("other", other, never)]).run(stop)
    assert ["other", "sweep", "sweep"] == sorted(done)


@pytest.mark.parametrize(("failures", "seconds"), [(0, 0.25), (1, 0.5), (3, 2.0), (8, 60.0), (10_000, 60.0)])
def test_pauses_grow_with_each_failure(failures: int, seconds: float) -> None:
    """Each failure in a row doubles the pause, up to a minute."""
    assert seconds == pause_after(failures, 0.25)


@pytest.mark.parametrize(
    ("attempts", "error", "pause"),
    [
        (1, ValueError("bad"), timedelta(seconds=5)),
        (3, ValueError("bad"), timedelta(seconds=20)),
        (MAX_ATTEMPTS, ValueError("bad"), None),
        (MAX_ATTEMPTS, DatabaseFailed("no"), None),
        (MAX_ATTEMPTS, DatabaseTimedOut("busy"), timedelta(seconds=160)),
        (MAX_ATTEMPTS + 5, DatabaseTimedOut("busy"), timedelta(seconds=160)),
    ],
)
def test_what_failed_is_tried_again_later_each_time(attempts: int, error: Exception, pause: timedelta | None) -> None:
    """The pause doubles with each attempt, up to 160 s. An item is given up after `MAX_ATTEMPTS`, unless the database
    was busy.
    """
    assert (NOW + pause if pause else None) == next_try(attempts, NOW, error)
