"""How much there is, how far the jobs are, and putting back what failed."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated

import strawberry

from api.graphql.context import Info
from api.graphql.docs import field, object_type
from api.graphql.errors import NotAllowedError, UnavailableError
from graph.errors import NotAllowed
from graph.model import MemoryType


@object_type
class TypeCount:
    """How many memories of one type there are."""

    type: MemoryType
    count: int


@object_type
class Stats:
    """Counts of what the viewer may see, in all their chats."""

    memories: int
    by_type: list[TypeCount]
    entities: int = strawberry.field(description="The entities named in these memories.")
    links: int = strawberry.field(description="From these memories to entities, and to each other.")
    orphans: int = strawberry.field(description="Memories that name nothing and are about nobody.")
    size_bytes: int = strawberry.field(
        description="The size of these memories: their text, and 8 bytes for each number of their vectors, reckoned."
    )
    pending: int = strawberry.field(description="Memories that wait for their vector and names.")
    trying_again: int = strawberry.field(description="Those among `pending` that failed before.")
    failed: int = strawberry.field(description="Memories that kept failing; `retryFailed` puts them back.")
    waiting_sessions: int = strawberry.field(description="Sessions of one's chats that wait for consolidation.")
    last_maintenance: datetime | None = strawberry.field(
        description="When a session of one's chats was last consolidated; null before the first time."
    )
    secrets_removed: int = strawberry.field(description="Secrets that were taken out of what was said.")


@object_type
class ReasonCount:
    """How often something was the reason."""

    reason: str
    times: int


@object_type
class ConsolidationProgress:
    """How far the working out of sessions is, in the whole store."""

    sessions: int
    waiting: int = strawberry.field(description="Sessions that wait to be worked out.")
    trying_again: int = strawberry.field(description="Those among `waiting` that failed before.")
    consolidated: int = strawberry.field(description="Sessions all of which was worked out.")
    failed: int = strawberry.field(description="Sessions that kept failing; `retryFailed` puts them back.")
    failures: list[ReasonCount] = strawberry.field(description="Why those failed.")
    statements: int = strawberry.field(description="Statements that were found.")
    dropped: list[ReasonCount] = strawberry.field(description="What was not taken for a statement, and why.")


@object_type
class StatsQueries:
    """Counting."""

    @field
    async def stats(self, info: Info) -> Stats | None:
        """How much there is."""
        counts = await info.context.service.stats.counts(info.context.viewer)
        return Stats(
            memories=counts.memories,
            by_type=[TypeCount(type=kind, count=count) for kind, count in counts.by_type.items()],
            entities=counts.entities,
            links=counts.links,
            orphans=counts.orphans,
            size_bytes=counts.size_bytes,
            pending=counts.pending,
            trying_again=counts.trying_again,
            failed=counts.failed,
            waiting_sessions=counts.waiting_sessions,
            last_maintenance=counts.last_maintenance,
            secrets_removed=counts.secrets_removed,
        )

    @field
    async def consolidation(self, info: Info) -> ConsolidationProgress | None:
        """How far the working out of sessions is, for a trusted service; null for others."""
        if not info.context.viewer.trusted:
            return None
        found = await info.context.service.consolidation.progress()
        return ConsolidationProgress(
            sessions=found.sessions,
            waiting=found.waiting,
            trying_again=found.trying_again,
            consolidated=found.consolidated,
            failed=found.failed,
            failures=_reasons(found.reasons),
            statements=found.statements,
            dropped=_reasons(found.dropped),
        )


def _reasons(counts: Mapping[str, int]) -> list[ReasonCount]:
    return [ReasonCount(reason=reason, times=times) for reason, times in counts.items()]


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
    async def retry_failed(self, info: Info) -> RetryFailedResult | None:
        """Puts what the jobs gave up back on their queues, from the first attempt on."""
        if not info.context.viewer.trusted:
            raise NotAllowed("only a trusted service may work on what belongs to everybody")
        return RetryFailedPayload(retried=await info.context.service.runner.retry_failed())
