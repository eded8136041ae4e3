"""The job queue in the graph: waiting items, leases, retries and failures.

An item is a node with the label `Pending` and the properties `job`, `due_at` and `attempts`. A claim adds `worker` and
moves `due_at` to the end of the lease, when another worker may take over. A statement that completes an item matches
its `worker`, so a worker that lost the lease writes nothing. An item that keeps failing is given up: it carries
`Failed` and `failed_at` until it is retried.

Items that people write are scheduled fairly over owners and groups. Each owner or group has three places in the queue:
for live turns, for turns of the past, and for facts. A place moves on by `APART_MS` with each item. Items of somebody
who writes faster are postponed: the name of their job ends with ` later`, and `due_at` is the time of their place. When
nothing else is due, postponed items are claimed too, so that no worker is idle while there is work.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import count
from typing import Final

from hippograph.graph.background import in_background
from hippograph.graph.clock import Clock
from hippograph.graph.database import Database, Row
from hippograph.graph.errors import DatabaseTimedOut, DatabaseUnavailable, HippographError
from hippograph.graph.ids import new_id
from hippograph.graph.model import Viewer

log = logging.getLogger(__name__)

_NOT_READY: Final = timedelta(seconds=1)
LEASE: Final = timedelta(minutes=2)
MAX_ATTEMPTS: Final = 6
APART_MS: Final = 500
"""Interval between the places of two items of one owner or group, in milliseconds."""

_FIRST_PAUSE: Final = timedelta(seconds=5)


@dataclass(frozen=True, slots=True)
class Backlog:
    """The backlog of a job: the number of waiting items (due, claimed or postponed), of those among them that failed
    before, and of items that were given up, with the most frequent reasons.

    `due_since` is the time since which the oldest waiting item is due, None if none is.
    """

    waiting: int
    trying_again: int
    failed: int
    reasons: Mapping[str, int]
    due_since: datetime | None = field(default=None, compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Item:
    """A claimed node: its id, and how often it was claimed, including this claim."""

    id: str
    attempts: int


@dataclass(frozen=True, slots=True)
class Claim:
    """The items claimed in one call. Each claim counts as a worker of its own."""

    worker: str
    items: tuple[Item, ...]

    @property
    def ids(self) -> list[str]:
        """The ids of its items, the longest due first."""
        return [item.id for item in self.items]


class Queue:
    """The queue of one job. Any number of processes may work on it; none claims an item that another holds."""

    def __init__(self, database: Database, clock: Clock, job: str) -> None:
        self.job: Final = job
        self.database: Final = database
        self.clock: Final = clock
        self._holder = new_id()
        self._claims = count()

    async def claim(self, limit: int) -> Claim:
        """Claims at most `limit` items for `LEASE`: those that are due, then postponed ones."""
        worker, now = f"{self._holder} {next(self._claims)}", self.clock()
        rows = await self.database.run(
            "queue/claim", job=self.job, worker=worker, now=now, lease_until=now + LEASE, limit=limit
        )
        return Claim(worker, tuple(Item(row["id"], row["attempts"]) for row in rows))

    async def release(self) -> int:
        """Gives back the items that this queue claimed and did not finish, and returns their number. They are due at
        once, and the attempt does not count.
        """
        return await self.database.count("queue/release", job=self.job, holder=f"{self._holder} ", now=self.clock())

    @asynccontextmanager
    async def held(self, claim: Claim, ids: Sequence[str]) -> AsyncIterator[None]:
        """Renews the lease on some items of a claim while the context is open."""

        async def hold() -> None:
            while True:
                await asyncio.sleep(LEASE.total_seconds() / 3)
                with suppress(DatabaseUnavailable):  # the next renewal still comes before the lease ends
                    await self.database.run(
                        "queue/hold", ids=list(ids), worker=claim.worker, lease_until=self.clock() + LEASE
                    )

        async with in_background(hold()):
            yield

    async def ready(self, claim: Claim, statement: str) -> list[str]:
        """Returns the ids of the claimed items that a statement finds ready. It requeues the others, due after
        `_NOT_READY`.
        """
        if not claim.items:
            return []
        later = self.clock() + _NOT_READY
        rows = await self.database.run(statement, ids=claim.ids, worker=claim.worker, later=later)
        return [row["id"] for row in rows]

    async def work_off(self, limit: int, work: Callable[[str, Claim], Awaitable[None]], *, held: bool = False) -> int:
        """Claims items, works on them one after the other, and returns their number. With `held` their leases are
        renewed meanwhile.
        """
        claim = await self.claim(limit)
        async with self.held(claim, claim.ids) if held else nullcontext():
            await self.work_through(claim, claim.ids, work)
        return len(claim.items)

    async def work_through(
        self, claim: Claim, ids: Sequence[str], work: Callable[[str, Claim], Awaitable[None]]
    ) -> None:
        """Works on items of a claim one after the other. A failure is noted on its item and does not stop the rest. If
        the database does not answer (`is_away`), its error is raised.
        """
        for item_id in ids:
            try:
                await work(item_id, claim)
            except Exception as error:
                if is_away(error):
                    raise
                log.exception("%s failed on %s", self.job, item_id)
                await self.fail(claim, {item_id: error})

    async def fail(self, claim: Claim, errors: Mapping[str, Exception]) -> None:
        """Stores why items failed; `errors` has the error of each by its id. Each is due again after a pause
        (`next_try`), or given up.
        """
        now = self.clock()
        rows = [
            {"id": item.id, "reason": _reason(error), "due_at": next_try(item.attempts, now, error)}
            for item in claim.items
            if (error := errors.get(item.id))
        ]
        if rows:
            await self.database.run("queue/fail", rows=rows, worker=claim.worker, now=now)

    async def retry_failed(self) -> int:
        """Requeues the items that were given up, and returns their number."""
        return await self.database.count("queue/retry", job=self.job, now=self.clock())

    async def backlog(self) -> Backlog:
        """Returns the backlog of this job."""
        return (await Queues([self]).backlogs())[self.job]


class Queues:
    """The queues of several jobs. Each read is one round trip for all of them."""

    def __init__(self, queues: Sequence[Queue]) -> None:
        self._queues = tuple(queues)

    async def due(self) -> list[str]:
        """Returns the names of the jobs that have items to claim."""
        return [row["job"] for row in await self._read("queue/due")]

    async def backlogs(self) -> dict[str, Backlog]:
        """Returns the backlog of each job, by its name."""
        return {
            row["job"]: Backlog(
                row["waiting"],
                row["trying_again"],
                row["failed"],
                {each["reason"]: each["times"] for each in row["reasons"]},
                due_since=row["due_since"],
            )
            for row in await self._read("queue/counts")
        }

    async def _read(self, statement: str) -> list[Row]:
        first, jobs = self._queues[0], [queue.job for queue in self._queues]
        return await first.database.run(statement, jobs=jobs, now=first.clock())


def quota(viewer: Viewer, most_waiting: int | None) -> int | None:
    """Returns the maximum number of memories of an owner or group that may wait when a viewer adds to them; None is no
    limit. There is none for services of everybody and for administrators, such as the only user of a machine.
    """
    return None if viewer.rights.serves_all else most_waiting


def next_try(attempts: int, now: datetime, error: Exception) -> datetime | None:
    """Returns the time of the next attempt: after 5 s, 10 s, 20 s …, at most 160 s. None means giving up, after
    `MAX_ATTEMPTS`; retryable errors, such as those of a busy database, are never given up.
    """
    retryable = isinstance(error, HippographError) and error.retryable
    if attempts >= MAX_ATTEMPTS and not retryable:
        return None
    return now + _FIRST_PAUSE * float(2 ** (min(attempts, MAX_ATTEMPTS) - 1))


def is_away(error: Exception) -> bool:
    """Whether an error says that the database does not answer. Then the failure cannot be stored: the lease ends, and
    another worker takes over.
    """
    return isinstance(error, DatabaseUnavailable) and not isinstance(error, DatabaseTimedOut)


def _reason(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:500]
