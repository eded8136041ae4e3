"""Runs jobs: until when, several at a time, and what happens when a step fails.

A new job is a class with a `name` and a `step`, listed in the composition root.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import Final, Protocol

from hippograph.graph.errors import DatabaseUnavailable, HippographError
from hippograph.graph.jobs.queue import Backlog, Queue, Queues
from hippograph.graph.model import Report

log = logging.getLogger(__name__)

_AT_ONCE: Final = 2
"""Claims of a job under way in a process: the database writes one while the models read the other."""
_PAUSE_S: Final = 0.25
_DUE_S: Final = 0.5
"""So often it is looked for what is due. It is what an idle process does."""
_LONGEST_PAUSE_S: Final = 60.0
_PATIENCE_S: Final = 10.0
"""So long a worker that is to stop waits for what is under way."""
_LOOK_S: Final = 0.25
_LOOK_AGAIN_S: Final = 2.0

Stepped = Callable[[str, int | None, float], None]
"""Gets the name of a job that took a step, how many items it worked on (None: the step failed), and for how long."""


class Job(Protocol):
    """Work that is done step by step."""

    @property
    def name(self) -> str:
        """What logs call it."""

    def step(self) -> Awaitable[int]:
        """Does some of the work; how many items that were, 0 when there was nothing to do."""


class QueueJob(Job, Protocol):
    """A job whose items wait in the graph. Its steps claim some of them each."""

    @property
    def queue(self) -> Queue:
        """Where they wait."""


@dataclass(frozen=True, slots=True)
class Periodic:
    """A job that is done at the start and then every so often. Doing it twice does no harm: each process does it.

    What it holds on a `queue`, if it has one, is given back when the process stops.
    """

    name: str
    step: Callable[[], Awaitable[int]]
    every: timedelta
    queue: Queue | None = None


class Runner:
    """Runs the jobs of a process."""

    def __init__(
        self,
        queued: Sequence[QueueJob],
        periodic: Sequence[Periodic] = (),
        *,
        stepped: Stepped = lambda _job, _items, _seconds: None,
    ) -> None:
        self._stepped = stepped
        self._queued = tuple(queued)
        self._queues = Queues([job.queue for job in queued])
        self._periodic = tuple(periodic)

    async def run(self, stop: asyncio.Event, *, patience_s: float = _PATIENCE_S) -> None:
        """Works until `stop` is set. What is under way then has `patience_s` seconds, and is given back after that."""
        async with asyncio.TaskGroup() as tasks:
            working = self._start(tasks, stop)
            for job in self._periodic:
                working.append(tasks.create_task(work_until(stop, job, job.every.total_seconds(), self._stepped)))
            await stop.wait()
            if working:
                await asyncio.wait(working, timeout=patience_s)
            for task in working:
                task.cancel()
        await self._release()

    async def _release(self) -> None:
        queues = [*(job.queue for job in self._queued), *(job.queue for job in self._periodic if job.queue)]
        for queue in queues:
            try:
                if released := await queue.release():
                    log.info("%s gave back %d items", queue.job, released)
            except HippographError as error:
                log.warning("%s could not give back its items, whose leases will end: %s", queue.job, error)

    async def backlogs(self) -> dict[str, Backlog]:
        """What waits for each job that has a queue, by its name."""
        return await self._queues.backlogs()

    async def until_idle(self, report: Report | None = None) -> None:
        """Waits until no item is left but those that were given up; another process may do the work."""
        done = before = 0
        while True:
            try:
                left = sum(each.waiting for each in (await self._queues.backlogs()).values())
            except DatabaseUnavailable as error:
                log.warning("what is left could not be counted: %s", error)
                await asyncio.sleep(_LOOK_AGAIN_S)
                continue
            if not left:
                return
            done += max(0, before - left)  # work that comes meanwhile makes the whole larger, and what is done no less
            before = left
            if report:
                report(done, done + left, "")
            await asyncio.sleep(_LOOK_S)

    async def work_until_idle(self, report: Report | None = None) -> None:
        """Does what waits in the queues, in this process; what is only periodic is left to `run`."""
        stop = asyncio.Event()
        async with asyncio.TaskGroup() as tasks:
            self._start(tasks, stop)
            await self.until_idle(report)
            stop.set()

    async def retry_failed(self) -> int:
        """Puts what the jobs gave up back on their queues; how many items."""
        return sum([await job.queue.retry_failed() for job in self._queued])

    def _start(self, tasks: asyncio.TaskGroup, stop: asyncio.Event) -> list[asyncio.Task[None]]:
        ready = {job.name: asyncio.Event() for job in self._queued}
        working = [
            tasks.create_task(work_until(stop, job, _PAUSE_S, self._stepped, ready[job.name]))
            for job in self._queued
            for _ in range(_AT_ONCE)
        ]
        return [*working, tasks.create_task(self._look(stop, ready))] if working else []

    async def _look(self, stop: asyncio.Event, ready: Mapping[str, asyncio.Event]) -> None:
        """Looks for all jobs at once whether there is something to claim, so that none asks by itself."""

        async def step() -> int:
            for name in await self._queues.due():
                ready[name].set()
            return 0

        try:
            await work_until(stop, Periodic("looking for what is due", step, timedelta(seconds=_DUE_S)), _DUE_S)
        finally:
            for each in ready.values():
                each.set()


async def work_until(
    stop: asyncio.Event,
    job: Job,
    pause: float,
    stepped: Stepped = lambda _job, _items, _seconds: None,
    ready: asyncio.Event | None = None,
) -> None:
    """Takes one step after the other until `stop` is set. When there was nothing to do it waits until it is `ready`, if
    that is told, else so many seconds.

    No error of a step ends it: the pause is twice as long after each that follows another, up to a minute.
    """
    failures = 0
    while not stop.is_set():
        started = time.perf_counter()
        try:
            worked = await job.step()
            failures = 0
            stepped(job.name, worked, time.perf_counter() - started)
        except Exception as error:
            failures, worked = failures + 1, 0
            stepped(job.name, None, time.perf_counter() - started)
            if isinstance(error, DatabaseUnavailable):
                log.warning("%s waits for Neo4j (failure %d in a row): %s", job.name, failures, error)
            else:
                log.exception("a step of %s failed (failure %d in a row)", job.name, failures)
        if not worked and not failures and ready is not None:
            ready.clear()
            if not stop.is_set():
                await ready.wait()
        elif not worked:
            with suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), pause_after(failures, pause))


def pause_after(failures: int, pause: float) -> float:
    """How many seconds to pause after so many failures in a row: `pause` without any."""
    return float(min(max(pause, _LONGEST_PAUSE_S), pause * 2.0 ** min(failures, 30)))
