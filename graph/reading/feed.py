"""The feed of new memories: the turns and facts that any process records while somebody follows, each once.

A process polls the graph once for all followers. A memory gets its time of recording before its transaction commits,
so memories become visible out of that order. Each poll therefore starts before the previous one and skips the ids that
it knows. Most polls overlap by a few seconds; now and then one overlaps by as much as the longest transaction may take.
"""

import asyncio
import logging
import time
from collections import deque
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import datetime, timedelta
from itertools import islice
from typing import Final

from hippograph.graph.clock import Clock
from hippograph.graph.database import Database
from hippograph.graph.errors import FellBehind, HippographError

log = logging.getLogger(__name__)

_OVERLAP: Final = timedelta(seconds=5)
"""Overlap of each poll with the previous one."""
_LONGEST_COMMIT: Final = timedelta(minutes=3)
"""Maximum delay between a memory's time of recording and its commit: the longest transaction with its retries, and the
difference between the clocks of servers.
"""
_DEEP_LOOK_S: Final = 5.0
"""Interval between polls that go back by `_LONGEST_COMMIT`, in seconds."""
_LOOK_S: Final = 1.0
_LEAST_PAUSE_S: Final = 0.05
"""Delay before each poll, in seconds, so that writes in quick succession share one."""
_LONGEST_PAUSE_S: Final = 10.0
_PAGE: Final = 5_000
_KEPT: Final = 10_000
"""Maximum number of new memories kept for slow followers."""


class Feed:
    """The new memories of a graph, for all followers in this process."""

    def __init__(self, database: Database, clock: Clock, *, kept: int = _KEPT) -> None:
        self._database = database
        self._clock = clock
        self._new: deque[str] = deque(maxlen=kept)
        self._published = 0
        self._changed = asyncio.Condition()
        self._woken = asyncio.Event()
        self._looking = asyncio.Lock()
        self._known: dict[str, datetime] = {}
        self._looked_at: datetime | None = None
        self._looked_deep = 0.0
        self._followers = 0
        self._task: asyncio.Task[None] | None = None

    @property
    def followers(self) -> int:
        """Number of followers."""
        return self._followers

    def wake(self) -> None:
        """Triggers a poll at once, because this process wrote something."""
        self._woken.set()

    @asynccontextmanager
    async def follow(self) -> AsyncIterator["Follower"]:
        """Yields a follower of what is recorded from now on. Raises `DatabaseUnavailable`."""
        await self._look(deep=True)
        self._followers += 1
        if self._task is None:
            self._task = asyncio.create_task(self._keep_looking())
        try:
            yield Follower(self, self._published)
        finally:
            self._followers -= 1
            if not self._followers:
                await self._rest()

    async def _rest(self) -> None:
        """Stops polling, since nobody follows, and clears its state."""
        task, self._task = self._task, None
        if task:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        if not self._followers:
            self._looked_at = None
            self._known.clear()
            self._new.clear()

    async def _keep_looking(self) -> None:
        pause = _LOOK_S
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._woken.wait(), pause)
            await asyncio.sleep(_LEAST_PAUSE_S)
            self._woken.clear()
            try:
                await self._look(deep=time.monotonic() - self._looked_deep >= _DEEP_LOOK_S)
                pause = _LOOK_S
            except HippographError as error:
                pause = min(2 * pause, _LONGEST_PAUSE_S)
                log.warning("new memories could not be read and are read later: %s", error)
            except Exception:
                pause = min(2 * pause, _LONGEST_PAUSE_S)
                log.exception("new memories could not be read and are read later")

    async def _look(self, *, deep: bool) -> None:
        """Polls the graph once and publishes what is new. The first poll only notes what is there already."""
        async with self._looking:
            now = self._clock()
            # After the clock was set back, memories recorded before cannot be told from new ones.
            first = self._looked_at is None or now < self._looked_at
            start = now if first else self._looked_at
            assert start is not None
            since = start - (_LONGEST_COMMIT if deep or first else _OVERLAP)
            began = time.monotonic()
            found = await self._recorded(since)
            new = [memory_id for memory_id in found if memory_id not in self._known]
            self._known |= found
            self._looked_at = now
            if deep or first:
                self._looked_deep = began
                self._known = {one: at for one, at in self._known.items() if at >= since}
            if new and not first:
                await self._publish(new)

    async def _recorded(self, since: datetime) -> dict[str, datetime]:
        """The time of recording of each memory since then, by id, in that order."""
        found: dict[str, datetime] = {}
        after = ""
        while True:
            rows = await self._database.run("feed/recorded", since=since, after=after, limit=_PAGE)
            found |= {row["id"]: row["created_at"] for row in rows}
            if len(rows) < _PAGE:
                return found
            since, after = rows[-1]["created_at"], rows[-1]["id"]

    async def _publish(self, new: Sequence[str]) -> None:
        async with self._changed:
            self._new.extend(new)
            self._published += len(new)
            self._changed.notify_all()

    async def _behind(self, place: int, timeout_s: float) -> tuple[int, list[str]]:
        """The new end position and the ids published since `place`; waits up to `timeout_s` seconds for some. Raises
        `FellBehind` if some of them are no longer kept.
        """
        async with self._changed:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._changed.wait_for(lambda: self._published > place), timeout_s)
            behind = self._published - place
            if behind > len(self._new):
                raise FellBehind(f"{behind} new memories waited to be read; read the list, and subscribe again")
            return self._published, list(islice(self._new, len(self._new) - behind, None))


class Follower:
    """A follower of the feed, with a position in it."""

    def __init__(self, feed: Feed, place: int) -> None:
        self._feed = feed
        self._place = place

    async def next(self, timeout_s: float) -> list[str]:
        """The ids of the memories published since the last call, mostly in the order of recording; empty after
        `timeout_s` seconds without any. Raises `FellBehind` if the follower reads too slowly.
        """
        self._place, new = await self._feed._behind(self._place, timeout_s)
        return new
