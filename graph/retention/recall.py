"""Recall: what reads return is accessed, surer and more stable from then on, and joined with what came too (T4, T6);
and it is noted what went into which answer, when, and by which credential (W13).

A read only notes in this process what it returned; the graph is told later, once a second at most and in one statement.
So a read stays a read, and does not wait. What was noted in the last second is lost when the process is killed.
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
MOST_NOTED: Final = 20_000
"""So many memories are noted at most: while the graph does not answer, the oldest notes go."""
TOGETHER: Final = 5
"""Of what one call returned, so many of the best are joined pairwise."""
_AT_ONCE: Final = 2_000


class ReadKind(StrEnum):
    """What a read is that tells memories."""

    SEARCH = "search"
    CONTEXT = "context"
    CARD = "card"


@dataclass(frozen=True, slots=True)
class _Call:
    """What one call returned, the best first, to whom, and when."""

    viewer: Viewer
    ids: tuple[str, ...]
    at: datetime
    kind: ReadKind
    reinforces: bool


@dataclass(frozen=True, slots=True)
class RecallCounts:
    """Of this process: how many memories were noted and wait, were written, and were lost because the graph did not
    take them; how often writing failed, and why the last time.
    """

    waiting: int
    written: int
    lost: int
    failures: int
    last_failure: str | None


class Recall:
    """Notes what was returned, and writes it down later."""

    def __init__(
        self, database: Database, clock: Clock, *, growth: float, most_days: float, log_uses: bool = False
    ) -> None:
        """`growth` is by what a recall multiplies the stability, `most_days` what that leads to at most (T1). With
        `log_uses` it is noted what went into which answer.
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
        """Notes the memories that one call returned to a viewer, the best first. Nothing is written yet. A further
        page of a list is no other recall (`reinforces`).
        """
        distinct = tuple(dict.fromkeys(ids))
        if distinct and (reinforces or self._log_uses):
            self._keep([_Call(viewer, distinct, self._clock(), kind, reinforces)])

    def counts(self) -> RecallCounts:
        """How far it is."""
        return RecallCounts(self._noted, self._written, self._lost, self._failures, self._last_failure)

    async def flush(self) -> None:
        """Writes down what was noted. What the graph cannot take now is noted again; other failures lose it. Both are
        counted and logged, and none is raised.
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
        """Flushes once a second for as long as the context is open, and at its end."""

        async def keep_flushing() -> None:
            while True:
                await asyncio.sleep(PAUSE_S)
                await self.flush()

        try:
            async with in_background(keep_flushing()):
                yield
        finally:
            await self.flush()

    def _take(self) -> list[_Call]:
        """The oldest calls, as many as go into one statement."""
        taken: list[_Call] = []
        size = 0
        while self._calls and (not taken or size + len(self._calls[0].ids) <= _AT_ONCE):
            taken.append(self._calls.popleft())
            size += len(taken[-1].ids)
        self._noted -= size
        return taken

    def _keep(self, calls: Sequence[_Call]) -> None:
        """Notes calls behind the others, and drops the oldest if there are too many."""
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
    """How often each memory was returned, to whom, and when last."""
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
    """How often two memories were among the best of one call, by who read them."""
    pairs = Counter(
        (call.viewer.person_id, *pair) for call in calls for pair in combinations(sorted(call.ids[:TOGETHER]), 2)
    )
    return [
        {"reader": reader, "one": one, "other": other, "times": times} for (reader, one, other), times in pairs.items()
    ]


def use_rows(calls: Iterable[_Call]) -> list[Row]:
    """Each call with whose assistant was told what, where and by which credential."""
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
