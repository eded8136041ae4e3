"""Group commit: writes that several tasks make at the same time share a transaction.

A transaction costs the database several times as much as one more row in it, and competing writers wait for each
other's locks. So only a few transactions run at a time, and items that arrive meanwhile share the next one.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Hashable, Sequence
from contextvars import Context
from dataclasses import dataclass
from typing import Generic, TypeVar

Item = TypeVar("Item")
Outcome = TypeVar("Outcome")


@dataclass(frozen=True, slots=True)
class _Waiting(Generic[Item, Outcome]):
    """An item to be committed, its group, and the future that its task waits for."""

    item: Item
    group: Hashable
    outcome: asyncio.Future[Outcome]

    def fail(self, error: BaseException) -> None:
        """Raises the error in the waiting task, if it still waits."""
        if not self.outcome.done():
            self.outcome.set_exception(error)

    def succeed(self, outcome: Outcome) -> None:
        """Gives the outcome to the waiting task, if it still waits."""
        if not self.outcome.done():
            self.outcome.set_result(outcome)


class GroupCommit(Generic[Item, Outcome]):
    """Hands items to `commit` in batches and gives each task the outcome of its own item.

    `commit` stores a batch of up to `largest` items in one transaction and returns an outcome for each, in order. When
    it raises, each item of the batch is tried by itself, so that an error reaches only the task whose item caused it.
    It must be idempotent, since a connection may be lost after the database has committed. Items of different groups
    never share a batch. `at_once` batches run at a time; one that takes longer than `patience_s` seconds no longer
    counts, so that others can start.
    """

    def __init__(
        self,
        commit: Callable[[Sequence[Item]], Awaitable[Sequence[Outcome]]],
        *,
        largest: int,
        at_once: int,
        patience_s: float,
    ) -> None:
        self._commit = commit
        self._largest = largest
        self._at_once = at_once
        self._patience_s = patience_s
        self._waiting: deque[_Waiting[Item, Outcome]] = deque()
        self._running: set[asyncio.Task[None]] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    async def submit(self, item: Item, group: Hashable) -> Outcome:
        """Returns the outcome of an item once it is committed. An exception of committing it alone is re-raised."""
        waiting: _Waiting[Item, Outcome] = _Waiting(item, group, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        self._start()
        return await waiting.outcome

    def _start(self) -> None:
        while len(self._running) < self._at_once and (batch := self._batch()):
            task = self._spawn(self._run(batch))
            self._running.add(task)
            task.add_done_callback(self._leave)
            asyncio.get_running_loop().call_later(self._patience_s, self._leave, task)

    def _leave(self, task: asyncio.Task[None]) -> None:
        if task in self._running:
            self._running.remove(task)
            self._start()

    def _batch(self) -> list[_Waiting[Item, Outcome]]:
        """Takes the next batch: the longest waiting item and others of its group. Drops items of cancelled tasks."""
        batch: list[_Waiting[Item, Outcome]] = []
        others: deque[_Waiting[Item, Outcome]] = deque()
        for waiting in self._waiting:
            if waiting.outcome.done():
                continue
            fits = not batch or (waiting.group == batch[0].group and len(batch) < self._largest)
            (batch if fits else others).append(waiting)
        self._waiting = others
        return batch

    async def _run(self, batch: Sequence[_Waiting[Item, Outcome]]) -> None:
        try:
            outcomes = await self._commit([waiting.item for waiting in batch])
            pairs = list(zip(batch, outcomes, strict=True))
        except asyncio.CancelledError:
            for waiting in batch:
                waiting.outcome.cancel()
            raise
        except Exception as error:
            if len(batch) == 1:
                batch[0].fail(error)
            else:
                for waiting in batch:
                    self._spawn(self._run([waiting]))
        else:
            for waiting, outcome in pairs:
                waiting.succeed(outcome)

    def _spawn(self, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        # An empty context: variables of the task that starts a batch, such as its bookmarks, must not affect others.
        task = asyncio.get_running_loop().create_task(work, context=Context())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task
