"""How much there is, how far the jobs are, and putting back what failed."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from datetime import datetime
from typing import Annotated, Final

import strawberry

from hippograph.api.graphql.chat.chats import Chat, chat_of
from hippograph.api.graphql.context import Info, for_administrators
from hippograph.api.graphql.docs import described, field, input_type, object_type, subscription
from hippograph.api.graphql.errors import InvalidInputError, NotAllowedError, UnavailableError
from hippograph.api.graphql.memory.following import counted
from hippograph.api.graphql.nodes import Connection, connection, global_id, to_type
from hippograph.graph.errors import DatabaseUnavailable
from hippograph.graph.jobs.progress import OwnPlace
from hippograph.graph.jobs.queue import Backlog
from hippograph.graph.model import MemoryType
from hippograph.graph.upkeep.upkeep import Run

_LOOK_S: Final = 1.0


@object_type
class TypeCount:
    """How many memories of one type there are."""

    type: MemoryType
    count: int


@object_type
class LinkCount:
    """How many links of one type there are."""

    type: str = described("The type of the relationship in the graph: `MENTIONS`, `TEMPORAL`.")
    count: int


@object_type
class ScopeSize:
    """The size of the viewer's own memories, or of those of a chat of theirs, as far as they may see them."""

    size_bytes: int = described("Text and vectors, reckoned as in `Stats.sizeBytes`.")
    share: float = described(
        "That as a share of the setting `max_size_mb`: above 1, upkeep archives what is worth least."
    )
    chat_id: strawberry.Private[str | None]

    @field
    async def chat(self, info: Info) -> Chat | None:
        """The chat; null for the viewer's own memories."""
        return await chat_of(info.context.loaders, self.chat_id)


@object_type
class Stats:
    """Counts of what the viewer may see, in all their chats."""

    memories: int
    by_type: list[TypeCount]
    entities: int = described("The entities named in these memories.")
    links: int = described("From these memories to entities, and to each other.")
    links_by_type: list[LinkCount] = described("The same by type.")
    orphans: int = described("Memories that name nothing and are about nobody.")
    size_bytes: int = described(
        "The size of these memories: their text, and 8 bytes for each number of their vectors, reckoned."
    )
    sizes: list[ScopeSize] = described("That by scope, the largest first.")
    pending: int = described("Memories that wait for their vector and names.")
    trying_again: int = described("Those among `pending` that failed before.")
    failed: int = described("Memories that kept failing; `retryFailed` puts them back.")
    waiting_sessions: int = described("Sessions of one's chats that wait for consolidation.")
    last_consolidated: datetime | None = described(
        "When a session of one's chats was last consolidated; null before the first time."
    )
    last_maintenance: datetime | None = described(
        "When a step of upkeep last ended well, in the whole store; null before the first time."
    )
    secrets_removed: int = described("Secrets that were taken out of what was said.")


@object_type
class ReasonCount:
    """How often something was the reason."""

    reason: str
    times: int


@object_type
class ConsolidationProgress:
    """How far the working out of sessions is, in the whole store."""

    sessions: int
    waiting: int = described("Sessions that wait to be worked out.")
    trying_again: int = described("Those among `waiting` that failed before.")
    consolidated: int = described("Sessions all of which was worked out.")
    failed: int = described("Sessions that kept failing; `retryFailed` puts them back.")
    failures: list[ReasonCount] = described("Why those failed.")
    statements: int = described("Statements that were found.")
    dropped: list[ReasonCount] = described("What was not taken for a statement, and why.")
    owed: int = described(
        "Sessions where a language model has still something to do: it is asked again every few minutes."
    )


@object_type
class LanguageModelUse:
    """How often a language model was asked for something, by all processes, and what became of it."""

    use: str = described(
        "`facts`, `causes`, `entity_summaries`, `talk_summaries` or `conflicts`: what it was asked for."
    )
    since: datetime = described("From when on it is counted.")
    asked: int = described("Calls that ended.")
    answered: int = described("Answers that could be used.")
    refused: int = described("Calls that the model would not answer.")
    timed_out: int = described("Calls that took longer than the setting `llm_timeout_s`.")
    invalid: int = described("Answers in no usable form.")
    failed: int = described("Calls that did not reach it, or that it answered with an error.")
    over_budget: int = described("How often the setting `llm_daily_calls` did not hold what was to be asked.")
    spent_today: int = described("Calls of this day, in UTC.")
    answered_at: datetime | None = described("When it answered last.")
    failed_at: datetime | None = described("When it failed last.")
    failure: str | None = described("Why it failed last.")


@object_type
class RecallProgress:
    """What the process that answers has noted of what it returned, and told the graph."""

    waiting: int = described("Memories that were returned, of which the graph is yet to be told.")
    written: int = described("Memories whose recall was written down.")
    lost: int = described("Memories whose recall was lost, because the database did not take it.")
    failures: int = described("How often that failed.")
    last_failure: str | None = described("Why, the last time.")


@object_type
class StatsQueries:
    """Counting."""

    @field
    async def stats(self, info: Info) -> Stats | None:
        """How much there is."""
        counts = await info.context.service.stats.counts(info.context.viewer)
        return to_type(
            Stats,
            counts,
            by_type=[TypeCount(type=kind, count=count) for kind, count in counts.by_type.items()],
            links_by_type=[LinkCount(type=name, count=count) for name, count in counts.links_by_type.items()],
            sizes=[to_type(ScopeSize, size) for size in counts.sizes],
        )

    @field
    @for_administrators
    async def consolidation(self, info: Info) -> ConsolidationProgress | None:
        """How far the working out of sessions is, for administrators; null for others."""
        found = await info.context.service.consolidation.progress()
        return to_type(ConsolidationProgress, found, failures=_reasons(found.reasons), dropped=_reasons(found.dropped))

    @field
    @for_administrators
    async def language_model(self, info: Info) -> list[LanguageModelUse] | None:
        """What a language model was asked so far, by what for; for administrators, null for others."""
        counts = await info.context.service.model_uses.counts()
        return [to_type(LanguageModelUse, each, use=each.name) for each in counts]

    @field
    @for_administrators
    async def recall(self, info: Info) -> RecallProgress | None:
        """How far the noting of what was returned is, for administrators; null for others."""
        return to_type(RecallProgress, info.context.service.recall.counts())


def _reasons(counts: Mapping[str, int]) -> list[ReasonCount]:
    return [ReasonCount(reason=reason, times=times) for reason, times in counts.items()]


@object_type
class UpkeepJob:
    """A job of upkeep: scheduled, or to be done once."""

    name: str = described("`nightly`, `pruning`, `strength`, or that of one to be done once.")
    schedule: str | None = described("As cron writes times, in UTC; null for what is done once.")
    next_at: datetime = described("When it is due next.")
    steps: list[str] = described("What it does, in order.")
    step: str | None = described("The step that is under way, or waits to go on.")
    failure: str | None = described("Why its last attempt failed, while it is tried again.")


@object_type
class UpkeepRun:
    """One run of one step of upkeep."""

    id: strawberry.ID
    job: str = described("The job that it was a step of.")
    step: str = described("Its name.")
    started_at: datetime = described("When it began.")
    ended_at: datetime | None = described("Null while it goes on.")
    changed: int = described("How many memories (entities, sessions) it changed by now.")
    failure: str | None = described("Why it failed.")


@object_type
class PlannedChange:
    """What a step of upkeep would retire or archive now."""

    step: str = described("Its name.")
    memories: int = described("How many memories.")


@object_type
class MaintenanceQueries:
    """Upkeep, for administrators; null for others."""

    @field
    @for_administrators
    async def upkeep_jobs(self, info: Info) -> list[UpkeepJob] | None:
        """The jobs of upkeep and how far they are; none before a worker has started."""
        return [to_type(UpkeepJob, job) for job in await info.context.service.upkeep.jobs()]

    @field
    @for_administrators
    async def upkeep_runs(self, info: Info, first: int = 20, after: str | None = None) -> Connection[UpkeepRun] | None:
        """What upkeep did, the latest first."""
        return connection(await info.context.service.upkeep.runs(first=first, after=after), _run, after)

    @field
    @for_administrators
    async def upkeep_plan(self, info: Info) -> list[PlannedChange] | None:
        """What upkeep would retire or archive now. Nothing is changed."""
        return [to_type(PlannedChange, each) for each in await info.context.service.upkeep.plan()]


def _run(found: Run) -> UpkeepRun:
    return to_type(UpkeepRun, found, id=global_id("UpkeepRun", found.id))


@input_type
class RunUpkeepInput:
    """Steps of upkeep, as `upkeepJobs` names them; without any, those of the night."""

    steps: list[str] = described("Their names, in order.", default_factory=list)


@object_type
class RunUpkeepPayload:
    """The job that these steps are; `upkeepRuns` tells how far they are."""

    job: str = described("Its name.")


RunUpkeepResult = Annotated[
    RunUpkeepPayload | InvalidInputError | NotAllowedError | UnavailableError, strawberry.union("RunUpkeepResult")
]


@object_type
class RetryFailedPayload:
    """How many memories and sessions were put back."""

    retried: int


RetryFailedResult = Annotated[
    RetryFailedPayload | NotAllowedError | UnavailableError, strawberry.union("RetryFailedResult")
]


@object_type
class MaintenanceMutations:
    """Work on the whole store."""

    @field
    async def run_upkeep(self, info: Info, input: RunUpkeepInput) -> RunUpkeepResult | None:
        """Has steps of upkeep done now, by a worker."""
        info.context.viewer.rights.require_admin("work on what belongs to everybody")
        return RunUpkeepPayload(job=await info.context.service.upkeep.request(input.steps))

    @field
    async def retry_failed(self, info: Info) -> RetryFailedResult | None:
        """Puts what the jobs gave up back on their queues, from the first attempt on."""
        info.context.viewer.rights.require_admin("work on what belongs to everybody")
        return RetryFailedPayload(retried=await info.context.service.runner.retry_failed())


@object_type
class JobProgress:
    """What is left of one job."""

    job: str = described("Its name.")
    waiting: int = described("What waits, or is being worked on.")
    trying_again: int = described("Those among `waiting` that failed before.")
    failed: int = described("What kept failing; `retryFailed` puts it back.")


@object_type
class OwnProgress:
    """Where in the queue the viewer's own memories stand. Owners and groups take turns."""

    waiting: int = described("How many of them wait, or are being worked on.")
    before: int = described("How many at most come before the last of them, their own too; of others in hundreds.")


@object_type
class WorkProgress:
    """How far the work is: on what is the viewer's own and, for administrators, on the whole store."""

    own: OwnProgress = described("Of the viewer's own memories.")
    jobs: list[JobProgress] = described(
        "Each job, in the order in which talk passes through them; none for who does not administer."
    )


@object_type
class MaintenanceSubscriptions:
    """Following the work on the whole store."""

    @subscription
    async def work_progress(self, info: Info) -> AsyncIterator[WorkProgress]:
        """How far the work is, at once and whenever that changes (looked at once a second): on the viewer's own, and
        for administrators each job.
        """
        with counted(info.context):
            before = None
            while True:
                await info.context.renew()
                viewer, progress = info.context.viewer, info.context.service.progress
                with suppress(DatabaseUnavailable):
                    backlogs = await progress.backlogs() if viewer.rights.admin else {}
                    now = await progress.own(viewer), backlogs
                    if now != before:
                        yield _progress(*now)
                        before = now
                await asyncio.sleep(_LOOK_S)


def _progress(own: OwnPlace, backlogs: Mapping[str, Backlog]) -> WorkProgress:
    return WorkProgress(
        own=to_type(OwnProgress, own),
        jobs=[to_type(JobProgress, found, job=job) for job, found in backlogs.items()],
    )
