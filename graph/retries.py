"""Work on a queue: until when it goes on, when what failed is tried again, and when it is given up."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Final

from graph.errors import DatabaseUnavailable

log = logging.getLogger(__name__)

MAX_ATTEMPTS: Final = 6
_FIRST_PAUSE: Final = timedelta(seconds=5)


def next_try(attempts: int, now: datetime) -> datetime | None:
    """When to try again after so many attempts: 5 s, 10 s, 20 s … later; None when it is time to give up."""
    return None if attempts >= MAX_ATTEMPTS else now + _FIRST_PAUSE * 2 ** (attempts - 1)


def reason(error: Exception) -> str:
    """Why something failed, in a few words."""
    return f"{type(error).__name__}: {error}"[:500]


async def work_until(stop: asyncio.Event, step: Callable[[], Awaitable[int]], pause: float) -> None:
    """Takes one step after the other until `stop` is set, and pauses so many seconds when there was nothing to do."""
    while not stop.is_set():
        try:
            worked = await step()
        except DatabaseUnavailable as error:
            log.warning("waiting for Neo4j: %s", error)
            worked = 0
        if not worked:
            try:
                await asyncio.wait_for(stop.wait(), pause)
            except TimeoutError:
                continue
