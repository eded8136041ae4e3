"""Statistics, progress of the jobs, upkeep, and retries of what failed."""

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
    """The number of memories of one type."""

    type: MemoryType
    count: int


@object_type
class LinkCount:
    """The number of links of one type."""

    type: str = described("The type of the relationship in the graph, such as `MENTIONS` or `TEMPORAL`.")
    count: int


@object_type
class ScopeSize:
    """The size of the viewer's own memories, or of those of one of their chats, as far as they may see them."""

    size_bytes: int = described("The estimated size of texts and vectors, in bytes, as in `Stats.sizeBytes`.")
    share: float = described(
        "The ratio of that size to the setting `max_size_mb`; above 1, upkeep archives the memories that are "
        "worth least."
    )
    chat_id: strawberry.Private[str | None]

    @field
    async def chat(self, info: Info) -> Chat | None:
        """The chat; null for the viewer's own memories."""
        return await chat_of(info.context.loaders, self.chat_id)


@object_type
class Stats:
    """Statistics of what the viewer may see, in all their chats."""

    memories: int
    by_type: list[TypeCount]
    entities: int = described("The number of entities that these memories name or are about.")
    links: int = described("The number of links from these memories to entities and to each other.")
    links_by_type: list[LinkCount] = described("The number of these links by type.")
    orphans: int = described("The number of memories that name nothing and are about nobody, without pending ones.")
    size_bytes: int = described(
        "The estimated size of these memories in bytes: their texts, and 8 bytes for each number of their vectors."
    )
    sizes: list[ScopeSize] = described("The size by scope, the largest first.")
    pending: int = described("The number of memories that wait for their vector and names.")
    trying_again: int = described("The number of `pending` memories that failed before.")
    failed: int = described(
        "The number of memories that were given up after repeated failures; `retryFailed` requeues them."
    )
    waiting_sessions: int = described("The number of sessions in the viewer's chats that wait for consolidation.")
    last_consolidated: datetime | None = described(
        "When a session in the viewer's chats was last consolidated; null before the first time."
    )
    last_maintenance: datetime | None = described(
        "When a step of upkeep last succeeded, in the whole store; null before the first time."
    )
    secrets_removed: int = described("The number of secrets that were removed from these memories.")


@object_type
class ReasonCount:
    """A reason, and how often it occurred."""

    reason: str
    times: int


@object_type
class ConsolidationProgress:
    """Progress of the consolidation of sessions, in the whole store."""

    sessions: int
    waiting: int = described("The number of sessions that wait for consolidation.")
    trying_again: int = described("The number of `waiting` sessions that failed before.")
    consolidated: int = described("The number of sessions that were consolidated as a whole.")
    failed: int = described(
        "The number of sessions that were given up after repeated failures; `retryFailed` requeues them."
    )
    failures: list[ReasonCount] = described("The reasons of these failures.")
    statements: int = described("The number of statements that were found.")
    dropped: list[ReasonCount] = described("The numbers of statements that were dropped, by reason.")
    owed: int = described(
        "The number of sessions in which a language model still has something to do; it is asked again every "
        "few minutes."
    )


@object_type
class LanguageModelUse:
    """Calls of a language model for one use, by all processes, and their outcomes."""

    use: str = described(
        "What the model was called for: `facts`, `causes`, `entity_summaries`, `talk_summaries` or `conflicts`."
    )
    since: datetime = described("The time since which calls are counted.")
    asked: int = described("The number of calls that ended.")
    answered: int = described("The number of usable answers.")
    refused: int = described("The number of calls that the model refused to answer.")
    timed_out: int = described("The number of calls that took longer than the setting `llm_timeout_s`.")
    invalid: int = described("The number of answers in no usable form.")
    failed: int = described("The number of calls that did not reach the model, or that it answered with an error.")
    over_budget: int = described("The number of requests that exceeded the setting `llm_daily_calls`.")
    spent_today: int = described("The number of calls on the current day, in UTC.")
    answered_at: datetime | None = described("When the model last answered; null if it never did.")
    failed_at: datetime | None = described("When a call last failed; null if none did.")
    failure: str | None = described("Why it last failed; null if no call did.")


@object_type
class RecallProgress:
    """Progress of the answering process in writing the recalls of returned memories to the graph."""

    waiting: int = described("The number of returned memories whose recall is not yet written to the graph.")
    written: int = described("The number of memories whose recall was written.")
    lost: int = described("The number of memories whose recall was lost, because the database did not accept it.")
    failures: int = described("The number of failed writes.")
    last_failure: str | None = described("Why the last of these failed; null if none did.")


@object_type
class StatsQueries:
    """Queries of statistics and progress."""

    @field
    async def stats(self, info: Info) -> Stats | None:
        """Statistics of what the viewer may see."""
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
        """Progress of the consolidation of sessions; for administrators, null for others."""
        found = await info.context.service.consolidation.progress()
        return to_type(ConsolidationProgress, found, failures=_reasons(found.reasons), dropped=_reasons(found.dropped))

    @field
    @for_administrators
    async def language_model(self, info: Info) -> list[LanguageModelUse] | None:
        """Calls of a language model so far, by use; for administrators, null for others."""
        counts = await info.context.service.model_uses.counts()
        return [to_type(LanguageModelUse, each, use=each.name) for each in counts]

    @field
    @for_administrators
    async def recall(self, info: Info) -> RecallProgress | None:
        """Progress of writing recalls to the graph; for administrators, null for others."""
        return to_type(RecallProgress, info.context.service.recall.counts())


def _reasons(counts: Mapping[str, int]) -> list[ReasonCount]:
    return [ReasonCount(reason=reason, times=times) for reason, times in counts.items()]


@object_type
class UpkeepJob:
    """A job of upkeep: scheduled, or run once."""

    name: str = described("The name: `nightly`, `pruning`, `strength`, or that of a job that runs once.")
    schedule: str | None = described("The schedule in the syntax of cron, in UTC; null for a job that runs once.")
    next_at: datetime = described("When the job is due next.")
    steps: list[str] = described("The names of its steps, in order.")
    step: str | None = described("The step that is under way or waits to be continued; null if there is none.")
    failure: str | None = described("Why the last attempt failed, while it is retried; null otherwise.")


@object_type
class UpkeepRun:
    """One run of one step of upkeep."""

    id: strawberry.ID
    job: str = described("The name of the job.")
    step: str = described("The name of the step.")
    started_at: datetime = described("When it began.")
    ended_at: datetime | None = described("When it ended; null while it runs.")
    changed: int = described("The number of memories (or entities, sessions) that it has changed so far.")
    failure: str | None = described("Why it failed; null if it did not.")


@object_type
class PlannedChange:
    """The number of memories that a step of upkeep would retire or archive now."""

    step: str = described("The name of the step.")
    memories: int = described("The number of memories.")


@object_type
class MaintenanceQueries:
    """Queries of upkeep; for administrators, null for others."""

    @field
    @for_administrators
    async def upkeep_jobs(self, info: Info) -> list[UpkeepJob] | None:
        """The jobs of upkeep and their progress; none before a worker has started."""
        return [to_type(UpkeepJob, job) for job in await info.context.service.upkeep.jobs()]

    @field
    @for_administrators
    async def upkeep_runs(self, info: Info, first: int = 20, after: str | None = None) -> Connection[UpkeepRun] | None:
        """The runs of upkeep steps, the latest first."""
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
    """Steps of upkeep to run, named as in `upkeepJobs`; without any, the nightly ones."""

    steps: list[str] = described("The names of the steps, in order.", default_factory=list)


@object_type
class RunUpkeepPayload:
    """The job that runs these steps; `upkeepRuns` shows their progress."""

    job: str = described("The name of the job.")


RunUpkeepResult = Annotated[
    RunUpkeepPayload | InvalidInputError | NotAllowedError | UnavailableError, strawberry.union("RunUpkeepResult")
]


@object_type
class RetryFailedPayload:
    """The number of items that were put back on their queues."""

    retried: int


RetryFailedResult = Annotated[
    RetryFailedPayload | NotAllowedError | UnavailableError, strawberry.union("RetryFailedResult")
]


@object_type
class MaintenanceMutations:
    """Mutations of the whole store, for administrators."""

    @field
    async def run_upkeep(self, info: Info, input: RunUpkeepInput) -> RunUpkeepResult | None:
        """Requests that a worker runs steps of upkeep now. For administrators."""
        info.context.viewer.rights.require_admin("work on what belongs to everybody")
        return RunUpkeepPayload(job=await info.context.service.upkeep.request(input.steps))

    @field
    async def retry_failed(self, info: Info) -> RetryFailedResult | None:
        """Puts the items that the jobs gave up back on their queues, with their attempts reset. For administrators."""
        info.context.viewer.rights.require_admin("work on what belongs to everybody")
        return RetryFailedPayload(retried=await info.context.service.runner.retry_failed())


@object_type
class JobProgress:
    """The backlog of one job."""

    job: str = described("The name of the job.")
    waiting: int = described("The number of items that wait or are being processed.")
    trying_again: int = described("The number of `waiting` items that failed before.")
    failed: int = described(
        "The number of items that were given up after repeated failures; `retryFailed` requeues them."
    )


@object_type
class OwnProgress:
    """The position of the viewer's own memories in the queue. Owners and groups take turns."""

    waiting: int = described("The number of them that wait or are being processed.")
    before: int = described(
        "The maximum number of items before the last of them, including the viewer's own; those of others "
        "are rounded up to hundreds."
    )


@object_type
class WorkProgress:
    """Progress of the jobs: on the viewer's own memories and, for administrators, on the whole store."""

    own: OwnProgress = described("The position of the viewer's own memories.")
    jobs: list[JobProgress] = described(
        "The backlog of each job, in the order in which messages pass through them; empty for viewers who "
        "are not administrators."
    )


@object_type
class MaintenanceSubscriptions:
    """Subscriptions to the progress of the jobs."""

    @subscription
    async def work_progress(self, info: Info) -> AsyncIterator[WorkProgress]:
        """Progress of the jobs, sent at once and whenever it changes (checked once a second): on the viewer's own
        memories and, for administrators, of each job.
        """
        with counted(info.context):
            before = None
            while True:
                with suppress(DatabaseUnavailable):
                    await info.context.renew()
                    viewer, progress = info.context.viewer, info.context.service.progress
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
