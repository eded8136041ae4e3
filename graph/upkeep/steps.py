"""The steps of upkeep (T2, T3, T7, T8, W9). Each goes through the graph in batches and can be resumed at any batch.

A batch that was not recorded as progress can safely be repeated.
"""

import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Protocol

from hippograph.graph.database import Transaction

log = logging.getLogger(__name__)

BATCH: Final = 250
"""Maximum number of memories that are changed, or looked at, in one transaction."""

EXPIRE, CONSOLIDATE, FADE, IMPORTANCE = "expire", "consolidate", "fade", "grow_importance"
SUMMARIES, CAUSES, MERGES, FOLD = "summarize", "infer_causes", "suggest_merges", "fold"
ENTRIES, SIZE, STRENGTH, USES = "archive_for_entries", "archive_for_size", "store_strength", "drop_uses"

NIGHTLY: Final = (EXPIRE, CONSOLIDATE, FADE, SUMMARIES, CAUSES, IMPORTANCE, MERGES, FOLD, USES)
"""The steps of the nightly job, in the order of T8."""
PRUNING: Final = (ENTRIES, SIZE)


@dataclass(frozen=True, slots=True)
class Batch:
    """The number of memories (or entities, sessions) that a batch changed, and the next position; None at the end."""

    changed: int
    position: str | None


class Step(Protocol):
    """A step, run batch by batch. `moment` counts as now for all batches of a run; `now` is the time of the clock."""

    async def batch(self, transaction: Transaction, position: str, moment: datetime, now: datetime) -> Batch:
        """Runs the batch from a position on; the position of the first batch is empty."""


@dataclass(frozen=True, slots=True)
class StatementStep:
    """A step whose batches are each one statement, in the transaction that stores the progress. A warning is logged
    when a statement returns that it archives in a scope for the first time (`first_in`).
    """

    statement: str
    params: Mapping[str, object] = field(default_factory=dict)

    async def batch(self, transaction: Transaction, position: str, moment: datetime, now: datetime) -> Batch:
        """Runs the statement."""
        given = {"position": position, "limit": BATCH, "moment": moment, "now": now}
        [row] = await transaction.run(self.statement, **given, **self.params)
        if scope := row.get("first_in"):
            log.warning(
                "the memories of %s are larger than max_size_mb: upkeep begins to archive those that are worth least. "
                "`hippograph archive` finds and restores them",
                scope,
            )
        return Batch(row["changed"], row["position"])


@dataclass(frozen=True, slots=True)
class WorkStep:
    """A step whose work runs in transactions of its own. A batch that was done but not recorded as progress is done
    again.
    """

    work: Callable[[str], Awaitable[Batch]]

    async def batch(self, _transaction: Transaction, position: str, _moment: datetime, _now: datetime) -> Batch:
        """Runs the work from a position on."""
        return await self.work(position)
