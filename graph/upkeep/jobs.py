"""The list of all scheduled jobs and their steps (T7, T8)."""

from collections.abc import Mapping
from functools import partial
from typing import Final

from hippograph.graph.clock import Clock
from hippograph.graph.database import Database
from hippograph.graph.knowledge.consolidation import Consolidation
from hippograph.graph.knowledge.entity_resolution.merge_suggestions import MergeSuggestions
from hippograph.graph.knowledge.near_duplicates import fold_repetitions
from hippograph.graph.reading.stats import MEGABYTE, size_params
from hippograph.graph.schema import VectorSlot
from hippograph.graph.upkeep.schedule import ScheduledJob, every_hours
from hippograph.graph.upkeep.steps import (
    CAUSES,
    CONSOLIDATE,
    ENTRIES,
    EXPIRE,
    FADE,
    FOLD,
    IMPORTANCE,
    MERGES,
    NIGHTLY,
    PRUNING,
    SIZE,
    STRENGTH,
    SUMMARIES,
    USES,
    Batch,
    StatementStep,
    Step,
    WorkStep,
)

_FOLDED_AT_ONCE: Final = 200
_COMPARED_AT_ONCE: Final = 100


def scheduled_jobs(steps: Mapping[str, Step], *, nightly: str, pruning: str, strength_hours: int) -> list[ScheduledJob]:
    """Returns the jobs, with those of their steps that are in `steps`. `nightly` and `pruning` are cron schedules."""
    jobs = (
        ScheduledJob("nightly", nightly, NIGHTLY),
        ScheduledJob("pruning", pruning, PRUNING),
        ScheduledJob("strength", every_hours(strength_hours), (STRENGTH,)),
    )
    return [ScheduledJob(job.name, job.schedule, tuple(each for each in job.steps if each in steps)) for job in jobs]


def bounds(
    *, threshold: float, most_entries: int | None, most_megabytes: float, percent: float, dimensions: int
) -> dict[str, object]:
    """Returns the limits for retiring and archiving, as parameters of the statements. `threshold` is the confidence
    below which a fact has faded; `most_entries` (None: no limit) and `most_megabytes` are the limits of a scope;
    `percent` is the share of memories archived in a scope that is too large; `dimensions` is the length of a vector.
    """
    return {
        "threshold": threshold,
        "most_entries": most_entries,
        "most_bytes": most_megabytes * MEGABYTE,
        "percent": percent,
        **size_params(dimensions),
    }


def make_steps(
    database: Database,
    clock: Clock,
    limits: Mapping[str, object],
    *,
    slot: VectorSlot | None,
    consolidation: Consolidation | None,
    suggestions: MergeSuggestions,
    least_mentions: int,
    use_log_days: int = 30,
) -> dict[str, Step]:
    """Returns the steps by name. `FOLD` is left out without a vector slot, `CONSOLIDATE` without `consolidation`."""
    steps: dict[str, Step] = {
        EXPIRE: StatementStep("upkeep/expire", limits),
        FADE: StatementStep("upkeep/fade", limits),
        SUMMARIES: StatementStep("summary/queue_missing", {"least": least_mentions}),
        CAUSES: StatementStep("causes/queue_left"),
        IMPORTANCE: StatementStep("upkeep/grow_importance"),
        MERGES: WorkStep(partial(_suggest, suggestions)),
        ENTRIES: StatementStep("upkeep/archive_for_entries", limits),
        SIZE: StatementStep("upkeep/archive_for_size", limits),
        STRENGTH: StatementStep("upkeep/store_strength"),
        USES: StatementStep("upkeep/drop_uses", {"days": use_log_days}),
    }
    if consolidation is not None:
        steps[CONSOLIDATE] = WorkStep(partial(_queue, consolidation))
    if slot is not None:
        steps[FOLD] = WorkStep(partial(_fold, database, clock, slot.name))
    return steps


async def _queue(consolidation: Consolidation, _position: str) -> Batch:
    return Batch(await consolidation.queue_left(), None)


async def _suggest(suggestions: MergeSuggestions, position: str) -> Batch:
    return Batch(*await suggestions.look(position, _COMPARED_AT_ONCE))


async def _fold(database: Database, clock: Clock, slot: str, position: str) -> Batch:
    [row] = await database.run("upkeep/plain_facts", position=position, limit=_FOLDED_AT_ONCE)
    folded = await fold_repetitions(database, slot, row["ids"], clock()) if row["ids"] else 0
    return Batch(folded, row["position"])
