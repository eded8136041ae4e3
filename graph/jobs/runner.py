"""Runs the jobs of a process: concurrency, pauses, errors of steps, and the stop.

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
"""Number of concurrent workers of a job in a process: the database writes one batch while the models read another."""
_PAUSE_S: Final = 0.25
_DUE_S: Final = 0.5
"""Interval between two lookups of due items, in seconds. It sets the load of an idle process."""
_LONGEST_PAUSE_S: Final = 60.0
_PATIENCE_S: Final = 10.0
"""Default time to finish running steps after a stop, in seconds."""
_LOOK_S: Final = 0.25
_LOOK_AGAIN_S: Final = 2.0

Stepped = Callable[[str, int | None, float], None]
"""Callback after a step of a job: its name, the number of items (None if the step failed), and the seconds it took."""


class Job(Protocol):
    """Work that is done in steps."""

    @property
    def name(self) -> str:
        """The name of the job in logs and metrics."""

    def step(self) -> Awaitable[int]:
        """Does some of the work. Returns the number of items, 0 if there was nothing to do."""


class QueueJob(Job, Protocol):
    """A job whose items wait in a queue in the graph. Each step claims some of them."""

    @property
    def queue(self) -> Queue:
        """The queue of its items."""


@dataclass(frozen=True, slots=True)
class Periodic:
    """A job that runs at the start and then at an interval; after a step that did work, again at once. It runs in each
    process, so it must be safe to run twice.

    If it has a `queue`, the items that it holds there are released when the process stops.
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
        """Works until `stop` is set. Running steps then have `patience_s` seconds to finish before they are cancelled.
        Items that are still claimed are given back.
        """
        async with asyncio.TaskGroup() as tasks:
            working = self._start(tasks, stop)
            for job in self._periodic:
                working.append(tasks.create_task(work_until(stop, job, job.every.total_seconds(), self._stepped)))
            await stop.wait()
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
        """Returns the backlog of each job that has a queue, by its name."""
        return await self._queues.backlogs()

    async def until_idle(self, report: Report | None = None) -> None:
        """Waits until no items are left except those that were given up. Another process may do the work. `report` is
        called with the number of finished items and the total.
        """
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
            done += max(0, before - left)  # new work raises the total; `done` never decreases
            before = left
            if report:
                report(done, done + left, "")
            await asyncio.sleep(_LOOK_S)

    async def work_until_idle(self, report: Report | None = None) -> None:
        """Works in this process until the queues are empty. Periodic jobs are left to `run`."""
        stop = asyncio.Event()
        async with asyncio.TaskGroup() as tasks:
            self._start(tasks, stop)
            await self.until_idle(report)
            stop.set()

    async def retry_failed(self) -> int:
        """Requeues the items that the jobs gave up, and returns their number."""
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
        """Polls the queues of all jobs in one query and wakes the workers of those with due items."""

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
    """Takes one step after the other until `stop` is set. After a step without work it waits for `ready`, if that is
    given, else for `pause` seconds.

    Errors of a step do not end it; the pause doubles with each failure in a row (`pause_after`).
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
    """Returns the pause after a number of failures in a row, in seconds: `pause` doubled for each, up to a minute, or
    `pause` itself if that is longer.
    """
    return float(min(max(pause, _LONGEST_PAUSE_S), pause * 2.0 ** min(failures, 30)))
