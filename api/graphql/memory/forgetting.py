"""Forgetting many at once, and deleting for good: a plan, its carrying out, its undoing, its purge."""

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
"""So long a mutation waits for what it began."""

strawberry.enum(
    acts.ForgettingStatus,
    description="Where an act of forgetting stands: planned, under way, forgotten, taken back, or purged.",
)


@input_type
class PlanForgettingInput:
    """What is to be forgotten of the viewer's own; fields add up. Give something of it, or ids alone."""

    memory_ids: list[strawberry.ID] = described(
        f"These alone, up to {acts.MOST_IDS}; also such as are believed no more.", default_factory=list
    )
    chat_ids: list[strawberry.ID] = described("What was learned there.", default_factory=list)
    import_name: str | None = described(
        "What the viewer imported under this name, by whomever it was said.", default=None
    )
    filter: SearchFilter | None = described("As of a search. Without one what was archived goes too.", default=None)
    given_up: bool = described(
        "Also what is believed no more: corrected, forgotten, run out. It can only be purged.", default=False
    )


@input_type
class ForgettingInput:
    """A plan of forgetting, or what became of it."""

    id: strawberry.ID = described("The id of the plan.")


@object_type
class ForgettingCount:
    """How many memories of one kind were planned."""

    kind: str = described(
        "`turns`, `facts`, `procedures`, `opinions`; `found_in_them`: facts that rest on these alone; "
        "`given_up`: what is believed no more."
    )
    count: int


@object_type
class Forgetting:
    """A plan of forgetting and what became of it. Nobody else sees it."""

    id: strawberry.ID = described("The id of the plan.")
    status: acts.ForgettingStatus = described("Where it stands.")
    asked: list[str] = described("What was asked for; nothing of what was purged.")
    counts: list[ForgettingCount] = described("What was planned, by kind.")
    selected: int = described("How many memories were planned, without what is found in them.")
    done: int = described("How many are done of what is under way.")
    failed: bool = described("Whether workers gave it up: an administrator has it tried again.")
    requested_at: datetime = described("When it was planned.")
    finished_at: datetime | None = described("Null while it is planned, or under way.")
    found: strawberry.Private[acts.Forgetting]

    @field
    async def examples(self, info: Info) -> list[Memory]:
        """The first of what was planned, as far as it is believed now."""
        return await memories_of(info.context.loaders, self.found.examples)


@object_type
class ForgettingPayload:
    """The act as it stands."""

    forgetting: Forgetting = described("The act as it stands.")


ForgettingResult = Annotated[ForgettingPayload | FailureOrConflict, strawberry.union("ForgettingResult")]


@object_type
class ForgettingQueries:
    """What the viewer planned to forget, and forgot."""

    @field
    async def forgettings(self, info: Info, first: int = 20, after: str | None = None) -> Connection[Forgetting] | None:
        """The viewer's plans of forgetting and what became of them, the latest first."""
        page = await info.context.service.forgettings.all(info.context.viewer, first=first, after=after)
        return connection(page, _forgetting, after)

    @field
    async def forgetting(self, info: Info, id: Annotated[strawberry.ID, argument("Of a plan.")]) -> Forgetting | None:
        """A plan of the viewer's, and how far it is."""
        found = await info.context.service.forgettings.of(info.context.viewer, inner_id("Forgetting", id))
        return _forgetting(found)


@object_type
class ForgettingMutations:
    """Forgetting many at once, and deleting for good."""

    @field
    async def plan_forgetting(self, info: Info, input: PlanForgettingInput) -> ForgettingResult | None:
        """Tells what would be forgotten, and changes nothing. The plan can be carried out for a day."""
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
        """Forgets what was planned, and what rests on it alone. What takes longer than ten seconds goes on:
        `forgetting` tells how far it is.
        """
        service, viewer = info.context.service, info.context.viewer
        act = await service.forgettings.carry_out(viewer, inner_id("Forgetting", input.id))
        return _payload(await service.forgettings.finished(viewer, act.id, within_s=_PATIENCE_S))

    @field
    async def undo_forgetting(self, info: Info, input: ForgettingInput) -> ForgettingResult | None:
        """Believes again all that an act forgot. Not possible any more once it was purged."""
        service, viewer = info.context.service, info.context.viewer
        act = await service.forgettings.undo(viewer, inner_id("Forgetting", input.id))
        return _payload(await service.forgettings.finished(viewer, act.id, within_s=_PATIENCE_S))

    @field
    async def purge_forgotten(self, info: Info, input: ForgettingInput) -> ForgettingResult | None:
        """Deletes for good what an act forgot, or what a plan selects: texts, vectors, earlier wordings, and what rests
        on it alone. It cannot be taken back.
        """
        service, viewer = info.context.service, info.context.viewer
        act = await service.forgettings.purge(viewer, inner_id("Forgetting", input.id))
        return _payload(await service.forgettings.finished(viewer, act.id, within_s=_PATIENCE_S))


def _payload(found: acts.Forgetting) -> ForgettingPayload:
    return ForgettingPayload(forgetting=_forgetting(found))


def _forgetting(found: acts.Forgetting) -> Forgetting:
    counts = [ForgettingCount(kind=kind, count=count) for kind, count in sorted(found.counts.items())]
    return to_type(Forgetting, found, id=global_id("Forgetting", found.id), counts=counts)
