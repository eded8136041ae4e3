"""How far the jobs are, read once a moment for all who want to know."""

import asyncio
import time
from collections.abc import Mapping
from typing import Final

from graph.jobs.queue import Backlog
from graph.jobs.runner import Runner

_AGE_S: Final = 1.0
"""So old what is told may be."""


class Progress:
    """The backlogs of a graph's jobs. They are counted at most once a second, however many ask."""

    def __init__(self, runner: Runner) -> None:
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
