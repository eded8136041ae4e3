"""Work on a queue: until when it goes on, when what failed is tried again, and when it is given up."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Final

from graph.errors import DatabaseUnavailable, HippographError

log = logging.getLogger(__name__)

MAX_ATTEMPTS: Final = 6
_FIRST_PAUSE: Final = timedelta(seconds=5)
_LONGEST_PAUSE_S: Final = 60.0


def next_try(attempts: int, now: datetime, error: Exception) -> datetime | None:
    """When to try again after so many attempts: 5 s, 10 s, 20 s … later; None when it is time to give up, which is
    never of what failed because the database was busy.
    """
    retryable = isinstance(error, HippographError) and error.retryable
    if attempts >= MAX_ATTEMPTS and not retryable:
        return None
    return now + _FIRST_PAUSE * float(2 ** (min(attempts, MAX_ATTEMPTS) - 1))


def reason(error: Exception) -> str:
    """Why something failed, in a few words."""
    return f"{type(error).__name__}: {error}"[:500]


async def work_until(stop: asyncio.Event, step: Callable[[], Awaitable[int]], pause: float) -> None:
    """Takes one step after the other until `stop` is set, and pauses so many seconds when there was nothing to do.

    No error of a step ends it: the pause is twice as long after each that follows another, up to a minute.
    """
    failures = 0
    while not stop.is_set():
        try:
            worked = await step()
            failures = 0
        except Exception as error:
            failures, worked = failures + 1, 0
            if isinstance(error, DatabaseUnavailable):
                log.warning("waiting for Neo4j (failure %d in a row): %s", failures, error)
            else:
                log.exception("a step of a worker failed (failure %d in a row)", failures)
        if not worked:
            with suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), pause_after(failures, pause))


def pause_after(failures: int, pause: float) -> float:
    """How many seconds to pause after so many failures in a row: `pause` without any."""
    return float(min(max(pause, _LONGEST_PAUSE_S), pause * 2.0 ** min(failures, 30)))
