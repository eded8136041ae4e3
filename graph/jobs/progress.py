"""How far the jobs are, read once a moment for all who want to know."""

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
"""So old what is told may be."""
_OTHERS: Final = 100
"""What others wait for is told in multiples of this."""


@dataclass(frozen=True, slots=True)
class OwnPlace:
    """How many memories of one's own wait to be worked on, and how many at most come before the last of them. What
    others wait for is told in hundreds.
    """

    waiting: int
    before: int


class Progress:
    """The backlogs of a graph's jobs. They are counted at most once a second, however many ask."""

    def __init__(self, database: Database, runner: Runner) -> None:
        self._database = database
        self._runner = runner
        self._lock = asyncio.Lock()
        self._backlogs: Mapping[str, Backlog] = {}
        self._read_at = -_AGE_S

    async def backlogs(self) -> Mapping[str, Backlog]:
        """What waits for each job, by its name."""
        async with self._lock:
            if time.monotonic() - self._read_at >= _AGE_S:
                self._backlogs = await self._runner.backlogs()
                self._read_at = time.monotonic()
            return self._backlogs

    async def own(self, viewer: Viewer) -> OwnPlace:
        """Where in the queue the viewer's own memories stand."""
        waiting = await self._database.count("queue/own", viewer=viewer.person_id)
        if not waiting:
            return OwnPlace(0, 0)
        others = max(0, sum(each.waiting for each in (await self.backlogs()).values()) - waiting)
        return OwnPlace(waiting, waiting - 1 + ceil(others / _OTHERS) * _OTHERS)
