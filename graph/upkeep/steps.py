"""The steps of upkeep (T2, T3, T7, T8, W9): each goes through the graph in batches, and can be taken up at any of them.

Doing a batch twice changes nothing that doing it once did not.
"""

import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Protocol

from hippograph.graph.database import Transaction

log = logging.getLogger(__name__)

BATCH: Final = 250
"""So many memories are changed, or looked at, in one transaction."""

EXPIRE, CONSOLIDATE, FADE, IMPORTANCE = "expire", "consolidate", "fade", "grow_importance"
SUMMARIES, CAUSES, MERGES, FOLD = "summarize", "infer_causes", "suggest_merges", "fold"
ENTRIES, SIZE, STRENGTH, USES = "archive_for_entries", "archive_for_size", "store_strength", "drop_uses"

NIGHTLY: Final = (EXPIRE, CONSOLIDATE, FADE, SUMMARIES, CAUSES, IMPORTANCE, MERGES, FOLD, USES)
"""In the order of T8."""
PRUNING: Final = (ENTRIES, SIZE)


@dataclass(frozen=True, slots=True)
class Batch:
    """How many memories (or entities, sessions) a batch changed, and the place to go on from; None at the end."""

    changed: int
    position: str | None


class Step(Protocol):
    """A step, batch by batch. `moment` counts as now for all of them, `now` is what the clock says."""

    async def batch(self, transaction: Transaction, position: str, moment: datetime, now: datetime) -> Batch:
        """Does a batch, from a place on; the first from an empty one."""


@dataclass(frozen=True, slots=True)
class StatementStep:
    """A step of which each batch is one statement, in the transaction that notes how far it is. Where a statement says
    that it archives in a scope for the first time (`first_in`), that is logged.
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
    """A step that the domain does in transactions of its own: a batch that was done and not noted is done again."""

    work: Callable[[str], Awaitable[Batch]]

    async def batch(self, _transaction: Transaction, position: str, _moment: datetime, _now: datetime) -> Batch:
        """Does the work from a place on."""
        return await self.work(position)
