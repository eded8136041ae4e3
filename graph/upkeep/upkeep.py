"""The upkeep job: scheduled items on the job queue, their steps, and the record of each run (T7, T8).

An item is a node `ScheduledJob`. When done, it is due again at its next time, or deleted if it was requested once. Runs
missed while no process worked are made up for by one late run. An item resumes at its step, after the last batch. A
batch and its progress are stored in one transaction, which rolls back if another process has taken over the item. Each
run of a step is a `MaintenanceRun`. If a step fails, the failure is stored there and the next step runs. While the
database is unavailable or too busy, the step is retried later.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from hippograph.graph.clock import Clock
from hippograph.graph.database import Database, Row, Transaction
from hippograph.graph.errors import HippographError, InvalidInput
from hippograph.graph.ids import new_id
from hippograph.graph.jobs.queue import LEASE, Claim, Item, Queue
from hippograph.graph.paging import Listing, listing, newest_first
from hippograph.graph.upkeep.schedule import ScheduledJob, next_time
from hippograph.graph.upkeep.steps import EXPIRE, Batch, Step

log = logging.getLogger(__name__)

EXAMPLES: Final = 5
_TIMEOUT_S: Final = 300.0
_RUNS: Final = "runs of upkeep"

Report = Callable[[str, int], None]
"""Called after each batch with the name of the step and the number of its changes so far."""


@dataclass(frozen=True, slots=True)
class JobStatus:
    """A job as stored in the graph. `schedule` is None for a job that runs once; `next_at` is when it is due next;
    `step` is the current step, None if none; `since` is the moment that counts as now for the current run; `failure` is
    why the last attempt failed, None if it did not.
    """

    name: str
    schedule: str | None
    next_at: datetime
    steps: tuple[str, ...]
    step: str | None
    since: datetime | None
    failure: str | None


@dataclass(frozen=True, slots=True)
class Run:
    """One run of a step of a job. `ended_at` is None while it runs; `changed` is the number of changes; `failure` is
    why it failed, None if it did not.
    """

    id: str
    job: str
    step: str
    started_at: datetime
    ended_at: datetime | None
    changed: int
    failure: str | None


@dataclass(frozen=True, slots=True)
class Planned:
    """What a step would change now: the number of memories, and at most `EXAMPLES` of their ids."""

    step: str
    memories: int
    examples: tuple[str, ...]


class LeaseLost(Exception):
    """Raised in the transaction of a batch, which rolls back, when another process has taken over the item."""


class Upkeep:
    """Runs upkeep, when it is due or at once."""

    name: Final = "upkeep"

    def __init__(
        self,
        database: Database,
        clock: Clock,
        jobs: Sequence[ScheduledJob],
        steps: Mapping[str, Step],
        *,
        plan: Mapping[str, object],
        at_start: Sequence[str] = (),
        load: float = 1.0,
    ) -> None:
        """`steps` are the available steps by name; `plan` has the parameters of `upkeep/plan`; `at_start` are the steps
        that run when a process begins to work. `load` is the share of time, above 0 and at most 1, spent on items of
        the queue: after each batch the worker pauses for the rest, so that reads stay fast.
        """
        self.queue: Final = Queue(database, clock, self.name)
        self._database = database
        self._clock = clock
        self._jobs = tuple(jobs)
        self._steps = dict(steps)
        self._plan = dict(plan)
        self._at_start = tuple(at_start)
        self._load = load
        self._declared = False

    async def step(self) -> int:
        """Runs one step of an item that is due. Returns the number of items worked on: 1, or 0 if none is due.

        The first call also declares the jobs and requests the steps of the start.
        """
        if not self._declared:
            await self.declare()
            if self._at_start:
                await self._request("at start", self._at_start)
            self._declared = True
        return await self.queue.work_off(1, self._work)

    async def declare(self) -> None:
        """Creates or updates the items of the scheduled jobs according to the settings."""
        now = self._clock()
        rows = [
            {
                "id": job.name,
                "schedule": job.schedule,
                "steps": list(job.steps),
                "next_at": next_time(job.schedule, now),
            }
            for job in self._jobs
        ]
        await self._database.run("upkeep/declare", rows=rows)

    async def request(self, steps: Sequence[str] = ()) -> str:
        """Queues steps (without any, all nightly ones) for the workers of the queue. Returns the name of the job.

        Raises `InvalidInput` for an unknown step.
        """
        return await self._request(f"once {new_id()}", self._checked(steps))

    async def run(self, steps: Sequence[str] = (), report: Report | None = None) -> list[Run]:
        """Runs steps (without any, all nightly ones) now in this process, without pauses, and returns their runs. If
        the process ends before they are done, another one continues after the lease.

        Raises `InvalidInput` for an unknown step.
        """
        job, worker = f"once {new_id()}", new_id()
        wanted = self._checked(steps)
        await self._request(job, wanted, worker=worker)
        claim = Claim(worker, (Item(job, 1),))
        for _ in wanted:
            await self._work(job, claim, keep=True, report=report)
        page = await self.runs(first=100)
        return [run for run in reversed([listed.item for listed in page.items]) if run.job == job]

    async def jobs(self) -> list[JobStatus]:
        """Returns the jobs stored in the graph. There are none before a process has declared or requested one."""
        return [_status(row) for row in await self._database.run("upkeep/jobs")]

    async def runs(self, *, first: int = 20, after: str | None = None) -> Listing[Run]:
        """Returns a page of the runs of steps, the latest first."""
        rows = await self._database.run("upkeep/runs", **newest_first(_RUNS, first, after))
        return listing(_RUNS, first, [Run(**row) for row in rows], lambda run: (run.started_at, run.id))

    async def plan(self, steps: Sequence[str] = ()) -> list[Planned]:
        """Returns what these steps would change now, without changing anything; of those that retire and archive, all
        by default. Raises `InvalidInput` for any other step.
        """
        rows = await self._database.run("upkeep/plan", moment=self._clock(), most=EXAMPLES, **self._plan)
        if other := sorted(set(steps) - {row["step"] for row in rows}):
            shown = ", ".join(row["step"] for row in rows)
            raise InvalidInput(f"a dry run shows {shown}; it cannot show {', '.join(other)}")
        planned = [Planned(row["step"], row["memories"], tuple(row["examples"])) for row in rows]
        return [each for each in planned if not steps or each.step in steps]

    def _checked(self, steps: Sequence[str]) -> tuple[str, ...]:
        if unknown := [step for step in steps if step not in self._steps]:
            raise InvalidInput(f"{unknown[0]!r} is no step of upkeep; choose among {', '.join(self._steps)}")
        return tuple(dict.fromkeys(steps)) or self._jobs[0].steps

    async def _request(self, job: str, steps: Sequence[str], worker: str | None = None) -> str:
        now = self._clock()
        due_at = now if worker is None else now + LEASE
        await self._database.run("upkeep/request", id=job, steps=list(steps), worker=worker, due_at=due_at)
        return job

    async def _work(self, job: str, claim: Claim, *, keep: bool = False, report: Report | None = None) -> None:
        row = await self._database.one("upkeep/begin", id=job, worker=claim.worker, now=self._clock())
        if row is None:
            return
        failure = None
        try:
            async with self.queue.held(claim, [job]):
                await self._batches(job, claim, row, report, load=1.0 if keep else self._load)
        except LeaseLost:
            return
        except Exception as error:
            if isinstance(error, HippographError) and error.retryable:
                raise
            log.exception("the step %s of upkeep failed", row["step"])
            failure = f"{type(error).__name__}: {error}"[:500]
        await self._finish(job, claim, row, failure, keep=keep)

    async def _batches(self, job: str, claim: Claim, row: Row, report: Report | None, *, load: float) -> None:
        position: str | None = row["position"]
        while position is not None:
            started = time.monotonic()
            total, position = await self._batch(job, claim, row, position)
            if report:
                report(row["step"], total)
            if position is not None:
                await asyncio.sleep((time.monotonic() - started) * (1 / load - 1))

    async def _batch(self, job: str, claim: Claim, row: Row, position: str) -> tuple[int, str | None]:
        """Runs a batch and stores the progress. Returns the number of changes of the step so far, and the next position
        (None at the end). Raises `LeaseLost`.
        """
        step = self._steps.get(row["step"])
        if step is None:
            raise InvalidInput(f"{row['step']!r} is no step of upkeep in this version")

        async def work(transaction: Transaction) -> tuple[int, str | None]:
            now = self._clock()
            batch: Batch = await step.batch(transaction, position, row["moment"], now)
            noted = await transaction.run(
                "upkeep/progress",
                id=job,
                worker=claim.worker,
                run=row["run"],
                position=batch.position or "",
                changed=batch.changed,
                lease_until=now + LEASE,
            )
            if not noted:
                raise LeaseLost
            return noted[0]["total"], batch.position

        return await self._database.transaction("upkeep/progress", work, timeout_s=_TIMEOUT_S)

    async def _finish(self, job: str, claim: Claim, row: Row, failure: str | None, *, keep: bool) -> None:
        now, steps = self._clock(), row["steps"]
        place = steps.index(row["step"]) + 1 if row["step"] in steps else len(steps)
        await self._database.run(
            "upkeep/finish",
            id=job,
            worker=claim.worker,
            run=row["run"],
            failure=failure,
            following=steps[place] if place < len(steps) else None,
            keep=keep,
            lease_until=now + LEASE,
            next_at=now if row["once"] else next_time(row["schedule"], now),
            now=now,
        )


def _status(row: Row) -> JobStatus:
    return JobStatus(
        name=row["id"],
        schedule=row["schedule"],
        next_at=row["next_at"],
        steps=tuple(row["steps"]),
        step=row["step"],
        since=row["moment"],
        failure=row["failure"],
    )


GC: Final = (EXPIRE,)
"""The steps that run with `hippograph gc`, and at the start with `auto_gc` (T3)."""
