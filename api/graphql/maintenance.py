"""How much there is and how far the slow path is, and putting back what failed."""

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
    pending: int = strawberry.field(description="Memories that wait for the slow path.")
    trying_again: int = strawberry.field(description="Those among `pending` that failed before.")
    failed: int = strawberry.field(description="Memories that kept failing; `retryFailed` puts them back.")
    secrets_removed: int = strawberry.field(description="Secrets that were taken out of what was said.")


@object_type
class StatsQueries:
    """Counting."""

    @field
    async def stats(self, info: Info) -> Stats:
        """How much there is."""
        counts = await info.context.service.stats.counts(info.context.viewer)
        return Stats(
            memories=counts.memories,
            by_type=[TypeCount(type=kind, count=count) for kind, count in counts.by_type.items()],
            entities=counts.entities,
            pending=counts.pending,
            trying_again=counts.trying_again,
            failed=counts.failed,
            secrets_removed=counts.secrets_removed,
        )


@object_type
class RetryFailedPayload:
    """How many memories were put back."""

    retried: int


RetryFailedResult = Annotated[
    RetryFailedPayload | NotAllowedError | UnavailableError, strawberry.union("RetryFailedResult")
]


@object_type
class MaintenanceMutations:
    """Work on the whole store."""

    @field
    async def retry_failed(self, info: Info) -> RetryFailedResult | None:
        """Puts what the slow path gave up on back on its queue, from the first try on."""
        if not info.context.viewer.trusted:
            raise NotAllowed("only a trusted service may work on what belongs to everybody")
        return RetryFailedPayload(retried=await info.context.service.slow_path.retry_failed())
