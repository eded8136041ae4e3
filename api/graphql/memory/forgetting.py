"""Bulk forgetting and permanent deletion: plan, carry out, undo, purge."""

from datetime import datetime
from typing import Annotated

import strawberry

from hippograph.api.arguments import inner_id, limited
from hippograph.api.graphql.context import Info, ReadContext
from hippograph.api.graphql.docs import argument, described, field, input_type, object_type
from hippograph.api.graphql.errors import FailureOrConflict
from hippograph.api.graphql.memory.memories import Memory, memories_of
from hippograph.api.graphql.memory.searching import SearchFilter, filters_of
from hippograph.api.graphql.nodes import Connection, connection, global_id, to_type
from hippograph.graph.retrieval.filters import Filters
from hippograph.graph.transfer import forgetting as acts

_PATIENCE_S = 10.0
"""Maximum time a mutation waits for the act it started, in seconds."""

strawberry.enum(
    acts.ForgettingStatus,
    description="The status of an act of forgetting: planned, under way, forgotten, undone, or purged.",
)


@input_type
class PlanForgettingInput:
    """Which of the viewer's own memories to forget: those that match all given fields. Give at least one field besides
    `givenUp`. `memoryIds` cannot be combined with chats, an import or a filter.
    """

    memory_ids: list[strawberry.ID] = described(
        f"Only these memories, up to {acts.MOST_IDS}; memories that are no longer believed are allowed.",
        default_factory=list,
    )
    chat_ids: list[strawberry.ID] = described(
        "Only memories that were learned in these chats, up to 100.", default_factory=list
    )
    import_name: str | None = described(
        "Only memories that the viewer imported under this name, whoever said them.", default=None
    )
    filter: SearchFilter | None = described(
        "A filter, as in a search. Without it, archived memories are included.", default=None
    )
    given_up: bool = described(
        "Also includes memories that are no longer believed (corrected, forgotten, expired); these can only be purged.",
        default=False,
    )


@input_type
class ForgettingInput:
    """A plan of forgetting, or the act that it became."""

    id: strawberry.ID = described("The id of the plan.")


@object_type
class ForgettingCount:
    """The number of planned memories of one kind."""

    kind: str = described(
        "The kind: `turns`, `facts`, `procedures`, `opinions`; `found_in_them` for facts that rest on these "
        "memories alone; `given_up` for memories that are no longer believed."
    )
    count: int


@object_type
class Forgetting:
    """A plan of forgetting and the act that it became. Only the viewer sees it."""

    id: strawberry.ID = described("The id of the plan.")
    status: acts.ForgettingStatus = described("The status.")
    asked: list[str] = described("The criteria of the plan, in words; empty after a purge.")
    counts: list[ForgettingCount] = described("The number of planned memories, by kind.")
    selected: int = described("The number of planned memories, without the facts that rest on them alone.")
    done: int = described("The number of memories processed so far by the operation under way.")
    failed: bool = described("Whether workers gave it up; an administrator can have it retried (`retryFailed`).")
    requested_at: datetime = described("When it was planned.")
    finished_at: datetime | None = described("When it was finished; null while it is planned or under way.")
    found: strawberry.Private[acts.Forgetting]

    @field
    async def examples(self, info: Info) -> list[Memory]:
        """The first of the planned memories, without those that are no longer believed."""
        return await memories_of(info.context.loaders, self.found.examples)


@object_type
class ForgettingPayload:
    """The act as it stands."""

    forgetting: Forgetting = described("The plan or act as it is now.")


ForgettingResult = Annotated[ForgettingPayload | FailureOrConflict, strawberry.union("ForgettingResult")]


@object_type
class ForgettingQueries:
    """Queries of the viewer's plans and acts of forgetting."""

    @field
    async def forgettings(self, info: Info, first: int = 20, after: str | None = None) -> Connection[Forgetting] | None:
        """The viewer's plans and acts of forgetting, the latest first."""
        page = await info.context.service.forgettings.all(info.context.viewer, first=first, after=after)
        return connection(page, _forgetting, after)

    @field
    async def forgetting(
        self, info: Info, id: Annotated[strawberry.ID, argument("The id of the plan.")]
    ) -> Forgetting | None:
        """A plan or act of the viewer's, with its progress."""
        found = await info.context.service.forgettings.of(info.context.viewer, inner_id("Forgetting", id))
        return _forgetting(found)


@object_type
class ForgettingMutations:
    """Mutations for bulk forgetting and permanent deletion."""

    @field
    async def plan_forgetting(self, info: Info, input: PlanForgettingInput) -> ForgettingResult | None:
        """Plans what would be forgotten, and changes no memory. The plan can be carried out for one day."""
        context = info.context
        filters = Filters(statuses=())
        if input.filter is not None:
            filters = await filters_of(info, input.filter, ReadContext(context.viewer, None))
        selection = acts.Selection(
            filters,
            tuple(inner_id("Chat", one) for one in limited(input.chat_ids)),
            input.import_name,
            tuple(inner_id("Memory", one) for one in input.memory_ids),
            input.given_up,
        )
        return _payload(await context.service.forgettings.plan(context.viewer, selection))

    @field
    async def carry_out_forgetting(self, info: Info, input: ForgettingInput) -> ForgettingResult | None:
        """Forgets the planned memories, and the facts that rest on these alone. After ten seconds the mutation returns
        and the work goes on; `forgetting` shows its progress.
        """
        service, viewer = info.context.service, info.context.viewer
        act = await service.forgettings.carry_out(viewer, inner_id("Forgetting", input.id))
        return _payload(await service.forgettings.finished(viewer, act.id, within_s=_PATIENCE_S))

    @field
    async def undo_forgetting(self, info: Info, input: ForgettingInput) -> ForgettingResult | None:
        """Restores all memories that an act forgot. Not possible after they were purged."""
        service, viewer = info.context.service, info.context.viewer
        act = await service.forgettings.undo(viewer, inner_id("Forgetting", input.id))
        return _payload(await service.forgettings.finished(viewer, act.id, within_s=_PATIENCE_S))

    @field
    async def purge_forgotten(self, info: Info, input: ForgettingInput) -> ForgettingResult | None:
        """Permanently deletes what an act forgot, or what a plan selects: texts, vectors, earlier wordings, and what
        rests on these memories alone. This cannot be undone.
        """
        service, viewer = info.context.service, info.context.viewer
        act = await service.forgettings.purge(viewer, inner_id("Forgetting", input.id))
        return _payload(await service.forgettings.finished(viewer, act.id, within_s=_PATIENCE_S))


def _payload(found: acts.Forgetting) -> ForgettingPayload:
    return ForgettingPayload(forgetting=_forgetting(found))


def _forgetting(found: acts.Forgetting) -> Forgetting:
    counts = [ForgettingCount(kind=kind, count=count) for kind, count in sorted(found.counts.items())]
    return to_type(Forgetting, found, id=global_id("Forgetting", found.id), counts=counts)
