"""The queue in the graph: what waits for a job, who works on it and until when, what failed and why.

An item is a node with the label `Pending` and the properties `job`, `due_at` and `attempts`. A claim adds `worker` and
moves `due_at` to the end of the lease, when another worker may take over. A statement that completes an item matches
its `worker`: who lost the lease writes nothing. An item that keeps failing is given up: it carries `Failed` and
`failed_at` until it is retried.

What people write is taken in turns over owners and groups. Each has three places in the queue: for what is said now,
for what was said long ago, and for facts. A place moves on by `APART_MS` with each item. Who writes faster is put
behind: the name of the job has ` later`, and `due_at` is when their turn comes. When nothing else is due, what is later
is claimed too, so that no worker rests while there is work.
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
"""So many milliseconds behind each other stand the items of one owner or group."""

_FIRST_PAUSE: Final = timedelta(seconds=5)


@dataclass(frozen=True, slots=True)
class Backlog:
    """What waits for a job, due or claimed; how much of that failed before; how much was given up, by reason.

    `due_since` is since when the item that waits longest is due, None when none is.
    """

    waiting: int
    trying_again: int
    failed: int
    reasons: Mapping[str, int]
    due_since: datetime | None = field(default=None, compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Item:
    """A claimed node: its id, and how often it was claimed, this time included."""

    id: str
    attempts: int


@dataclass(frozen=True, slots=True)
class Claim:
    """What one worker claimed at once. Each claim is a worker of its own."""

    worker: str
    items: tuple[Item, ...]

    @property
    def ids(self) -> list[str]:
        """The ids of its items, the longest due first."""
        return [item.id for item in self.items]


class Queue:
    """The queue of one job. Any number of processes may work on it: none claims what another holds."""

    def __init__(self, database: Database, clock: Clock, job: str) -> None:
        self.job: Final = job
        self.database: Final = database
        self.clock: Final = clock
        self._holder = new_id()
        self._claims = count()

    async def claim(self, limit: int) -> Claim:
        """Claims at most `limit` items for `LEASE`: the due ones, then those whose turn comes later."""
        worker, now = f"{self._holder} {next(self._claims)}", self.clock()
        rows = await self.database.run(
            "queue/claim", job=self.job, worker=worker, now=now, lease_until=now + LEASE, limit=limit
        )
        return Claim(worker, tuple(Item(row["id"], row["attempts"]) for row in rows))

    async def release(self) -> int:
        """Gives back what this queue claimed and did not finish: it is due at once; how many items."""
        return await self.database.count("queue/release", job=self.job, holder=f"{self._holder} ", now=self.clock())

    @asynccontextmanager
    async def held(self, claim: Claim, ids: Sequence[str]) -> AsyncIterator[None]:
        """Renews the lease on some items of a claim for as long as the context is open."""

        async def hold() -> None:
            while True:
                await asyncio.sleep(LEASE.total_seconds() / 3)
                with suppress(DatabaseUnavailable):  # the next time is early enough
                    await self.database.run(
                        "queue/hold", ids=list(ids), worker=claim.worker, lease_until=self.clock() + LEASE
                    )

        async with in_background(hold()):
            yield

    async def ready(self, claim: Claim, statement: str) -> list[str]:
        """The ids of the claimed items that a statement finds ready; the others it puts back, due in a moment."""
        if not claim.items:
            return []
        later = self.clock() + _NOT_READY
        rows = await self.database.run(statement, ids=claim.ids, worker=claim.worker, later=later)
        return [row["id"] for row in rows]

    async def work_off(self, limit: int, work: Callable[[str, Claim], Awaitable[None]], *, held: bool = False) -> int:
        """Claims some items and works on them in turn; how many. With `held` their leases are renewed meanwhile."""
        claim = await self.claim(limit)
        async with self.held(claim, claim.ids) if held else nullcontext():
            await self.work_through(claim, claim.ids, work)
        return len(claim.items)

    async def work_through(
        self, claim: Claim, ids: Sequence[str], work: Callable[[str, Claim], Awaitable[None]]
    ) -> None:
        """Works on some items of a claim in turn. What fails is noted; only a database that is away ends it."""
        for item_id in ids:
            try:
                await work(item_id, claim)
            except Exception as error:
                if is_away(error):
                    raise
                log.exception("%s failed on %s", self.job, item_id)
                await self.fail(claim, {item_id: error})

    async def fail(self, claim: Claim, errors: Mapping[str, Exception]) -> None:
        """Notes why items failed, by id; each is due again after a pause (`next_try`), or given up."""
        now = self.clock()
        rows = [
            {"id": item.id, "reason": _reason(error), "due_at": next_try(item.attempts, now, error)}
            for item in claim.items
            if (error := errors.get(item.id))
        ]
        if rows:
            await self.database.run("queue/fail", rows=rows, worker=claim.worker, now=now)

    async def retry_failed(self) -> int:
        """Puts what was given up back on the queue; how many items."""
        return await self.database.count("queue/retry", job=self.job, now=self.clock())

    async def backlog(self) -> Backlog:
        """What waits, what was given up, and why."""
        return (await Queues([self]).backlogs())[self.job]


class Queues:
    """The queues of some jobs, each read of them in one trip."""

    def __init__(self, queues: Sequence[Queue]) -> None:
        self._queues = tuple(queues)

    async def due(self) -> list[str]:
        """The jobs for which there is something to claim."""
        return [row["job"] for row in await self._read("queue/due")]

    async def backlogs(self) -> dict[str, Backlog]:
        """What waits for each job, what was given up, and why."""
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
        if not self._queues:
            return []
        first, jobs = self._queues[0], [queue.job for queue in self._queues]
        return await first.database.run(statement, jobs=jobs, now=first.clock())


def quota(viewer: Viewer, most_waiting: int | None) -> int | None:
    """How many memories of an owner or a group may wait when a viewer adds to them; None is any number. A service that
    is there for everybody, and who is alone on their machine, has no bound.
    """
    return None if viewer.rights.serves_all else most_waiting


def next_try(attempts: int, now: datetime, error: Exception) -> datetime | None:
    """When to try again after so many attempts: 5 s, 10 s, 20 s … later; None when it is time to give up, which is
    never of what failed because the database was busy.
    """
    retryable = isinstance(error, HippographError) and error.retryable
    if attempts >= MAX_ATTEMPTS and not retryable:
        return None
    return now + _FIRST_PAUSE * float(2 ** (min(attempts, MAX_ATTEMPTS) - 1))


def is_away(error: Exception) -> bool:
    """Whether the database does not answer: nothing can be noted, the lease ends, and another worker takes over."""
    return isinstance(error, DatabaseUnavailable) and not isinstance(error, DatabaseTimedOut)


def _reason(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:500]
