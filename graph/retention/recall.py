"""Recall: memories that a read returns count as accessed, their confidence and stability grow, and the best of one call
are linked in pairs (T4, T6). It also records what went into which answer, when, and by which credential (W13).

A read only notes in this process what it returned; the notes are written to the graph in batches, about once a second.
So a read writes nothing and does not wait. Notes of the last second are lost if the process is killed.
"""

import asyncio
import logging
from collections import Counter, deque
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from itertools import combinations
from typing import Final

from hippograph.graph.background import in_background
from hippograph.graph.clock import Clock
from hippograph.graph.database import Database, Row
from hippograph.graph.errors import HippographError
from hippograph.graph.ids import new_id
from hippograph.graph.model import Viewer

log = logging.getLogger(__name__)

PAUSE_S: Final = 1.0
"""Interval between writes of the notes, in seconds."""
MOST_NOTED: Final = 20_000
"""Maximum number of memories noted and not yet written; beyond it the oldest notes are dropped."""
TOGETHER: Final = 5
"""Number of the best memories of one call that are linked in pairs."""
_AT_ONCE: Final = 2_000
"""Maximum number of memories in one statement, unless a single call has more."""


class ReadKind(StrEnum):
    """Kind of a read that returns memories."""

    SEARCH = "search"
    CONTEXT = "context"
    CARD = "card"


@dataclass(frozen=True, slots=True)
class _Call:
    """The memories that one call returned, the best first, to whom, when, and whether it counts as a recall."""

    viewer: Viewer
    ids: tuple[str, ...]
    at: datetime
    kind: ReadKind
    reinforces: bool


@dataclass(frozen=True, slots=True)
class RecallCounts:
    """Counts of this process: memories noted and `waiting`, `written`, and `lost` because the graph did not take them;
    the number of failed writes, and the reason of the last one.
    """

    waiting: int
    written: int
    lost: int
    failures: int
    last_failure: str | None


class Recall:
    """Notes what reads return, and writes it to the graph later."""

    def __init__(
        self, database: Database, clock: Clock, *, growth: float, most_days: float, log_uses: bool = False
    ) -> None:
        """`growth` is the factor by which a recall multiplies the stability, up to `most_days` days (T1). With
        `log_uses` it is also recorded what went into which answer.
        """
        self._database = database
        self._clock = clock
        self._growth = growth
        self._most_days = most_days
        self._log_uses = log_uses
        self._calls: deque[_Call] = deque()
        self._noted = 0
        self._written = 0
        self._lost = 0
        self._failures = 0
        self._last_failure: str | None = None
        self._writing = asyncio.Lock()

    def note(
        self, viewer: Viewer, ids: Iterable[str], kind: ReadKind = ReadKind.SEARCH, *, reinforces: bool = True
    ) -> None:
        """Notes the memories that one call returned to a viewer, the best first. Nothing is written yet. Without
        `reinforces`, as for a further page of a list, the call does not count as a recall.
        """
        distinct = tuple(dict.fromkeys(ids))
        if distinct and (reinforces or self._log_uses):
            self._keep([_Call(viewer, distinct, self._clock(), kind, reinforces)])

    def counts(self) -> RecallCounts:
        """The current counts of this process."""
        return RecallCounts(self._noted, self._written, self._lost, self._failures, self._last_failure)

    async def flush(self) -> None:
        """Writes the notes to the graph. After a retryable error the notes are kept for the next flush; after any other
        they are lost. Errors are counted and logged, never raised.
        """
        async with self._writing:
            while calls := self._take():
                try:
                    await self._write(calls)
                except HippographError as error:
                    self._failed(calls, error, again=error.retryable)
                    return
                except Exception as error:
                    self._failed(calls, error, again=False)

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[None]:
        """Flushes once a second while the context is open, and at its end."""

        async def keep_flushing() -> None:
            while True:
                await asyncio.sleep(PAUSE_S)
                await asyncio.shield(self.flush())  # at the end the last flush waits for it

        try:
            async with in_background(keep_flushing()):
                yield
        finally:
            await self.flush()

    def _take(self) -> list[_Call]:
        """Removes and returns the oldest calls, as many as go into one statement."""
        taken: list[_Call] = []
        size = 0
        while self._calls and (not taken or size + len(self._calls[0].ids) <= _AT_ONCE):
            taken.append(self._calls.popleft())
            size += len(taken[-1].ids)
        self._noted -= size
        return taken

    def _keep(self, calls: Sequence[_Call]) -> None:
        """Appends calls to the notes, and drops the oldest calls above `MOST_NOTED`."""
        self._calls.extend(calls)
        self._noted += sum(len(call.ids) for call in calls)
        while self._noted > MOST_NOTED:
            dropped = len(self._calls.popleft().ids)
            self._noted -= dropped
            self._lost += dropped

    async def _write(self, calls: Sequence[_Call]) -> None:
        recalling = [call for call in calls if call.reinforces]
        rows, pairs = recall_rows(recalling), co_recall_rows(recalling)
        self._written += await self._database.count(
            "recall/reinforce",
            rows=rows,
            pairs=pairs,
            uses=use_rows(calls) if self._log_uses else [],
            growth=self._growth,
            most_days=self._most_days,
            now=self._clock(),
        )

    def _failed(self, calls: Sequence[_Call], error: Exception, *, again: bool) -> None:
        self._failures += 1
        self._last_failure = f"{type(error).__name__}: {error}"[:500]
        if again:
            log.warning("what was recalled is written later: %s", error)
            self._keep(calls)
        else:
            log.error("what was recalled could not be written", exc_info=error)
            self._lost += sum(len(call.ids) for call in calls)


def recall_rows(calls: Iterable[_Call]) -> list[Row]:
    """A row for each memory: how often it was returned, how often to whom, and when last."""
    readers: dict[str, Counter[str]] = {}
    last: dict[str, datetime] = {}
    for call in calls:
        for each in call.ids:
            readers.setdefault(each, Counter())[call.viewer.person_id] += 1
            last[each] = max(call.at, last.get(each, call.at))
    return [
        {"id": each, "times": counts.total(), "readers": dict(counts), "at": last[each]}
        for each, counts in readers.items()
    ]


def co_recall_rows(calls: Iterable[_Call]) -> list[Row]:
    """A row for each reader and pair of memories: how often both were among the best of one call."""
    pairs = Counter(
        (call.viewer.person_id, *pair) for call in calls for pair in combinations(sorted(call.ids[:TOGETHER]), 2)
    )
    return [
        {"reader": reader, "one": one, "other": other, "times": times} for (reader, one, other), times in pairs.items()
    ]


def use_rows(calls: Iterable[_Call]) -> list[Row]:
    """A row for each call: whose assistant was told what, when, where and by which credential."""
    return [
        {
            "id": new_id(),
            "person_id": call.viewer.person_id,
            "at": call.at,
            "kind": call.kind.value,
            "credential": call.viewer.credential,
            "chat_id": call.viewer.chat_id or "",
            "persona_id": call.viewer.persona_id or "",
            "space_id": call.viewer.space_id or "",
            "ids": list(call.ids),
        }
        for call in calls
    ]
