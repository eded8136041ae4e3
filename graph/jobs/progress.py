"""The progress of the jobs: cached backlogs, and the place of a viewer's memories in the queue."""

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil
from typing import Final

from hippograph.graph.database import Database
from hippograph.graph.jobs.queue import Backlog
from hippograph.graph.jobs.runner import Runner
from hippograph.graph.model import Viewer

_AGE_S: Final = 1.0
"""Maximum age of the cached counts, in seconds."""
_OTHERS: Final = 100
"""Other people's backlog is rounded up to a multiple of this, so that it does not reveal single memories."""


@dataclass(frozen=True, slots=True)
class OwnPlace:
    """The number of the viewer's own memories that wait, and the maximum number of items before the last of them. The
    backlog of others is counted in hundreds, rounded up.
    """

    waiting: int
    before: int


class Progress:
    """Reads the backlogs of a graph's jobs. They are counted at most once a second for all callers together."""

    def __init__(self, database: Database, runner: Runner) -> None:
        self._database = database
        self._runner = runner
        self._lock = asyncio.Lock()
        self._backlogs: Mapping[str, Backlog] = {}
        self._read_at = -_AGE_S

    async def backlogs(self) -> Mapping[str, Backlog]:
        """Returns the backlog of each job, by its name."""
        async with self._lock:
            if time.monotonic() - self._read_at >= _AGE_S:
                self._backlogs = await self._runner.backlogs()
                self._read_at = time.monotonic()
            return self._backlogs

    async def own(self, viewer: Viewer) -> OwnPlace:
        """Returns the place of the viewer's own memories in the queue."""
        waiting = await self._database.count("queue/own", viewer=viewer.person_id)
        if not waiting:
            return OwnPlace(0, 0)
        others = max(0, sum(each.waiting for each in (await self.backlogs()).values()) - waiting)
        return OwnPlace(waiting, waiting - 1 + ceil(others / _OTHERS) * _OTHERS)
