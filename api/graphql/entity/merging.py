"""Entities that are the same: what is suggested, merging them, what was merged, and taking it back."""

from datetime import datetime
from typing import Annotated

import strawberry

from hippograph.api.arguments import entity_reference
from hippograph.api.graphql.context import Info
from hippograph.api.graphql.docs import described, field, input_type, object_type
from hippograph.api.graphql.entity.entities import Entity, Person, entity, person_of
from hippograph.api.graphql.errors import (
    AnyFailure,
    ConflictError,
    Failure,
    NotAllowedError,
    NotFoundError,
    UnavailableError,
)
from hippograph.api.graphql.nodes import Connection, connection, to_type
from hippograph.graph import model
from hippograph.graph.knowledge.entity_resolution.entity_merging import DoneMerge, Suggestion


@object_type
class MergeSuggestion:
    """Two entities that may be the same; nothing is done until somebody merges them or says that they are not."""

    one: Entity
    other: Entity
    score: float = described("How sure that is, 0 to 1.")
    reason: str = described("What of their names says so.")


@object_type
class Merge:
    """A merge of two things, for whom it concerns: they may see a memory that named what was merged away."""

    merge_id: strawberry.ID = described("What takes it back.")
    kept: Entity = described("The one that stayed.")
    key: str = described("The key of what became part of it, by which it is still found.")
    name: str = described("A name of what became part of it.")
    created_at: datetime = described("When they were merged.")
    found: strawberry.Private[DoneMerge]

    @field
    async def merged_by(self, info: Info) -> Person | None:
        """Who merged them; null for somebody whom the viewer may not know of."""
        return await person_of(info.context.loaders, self.found.merged_by)


@input_type
class MergeEntitiesInput:
    """Two entities that are the same, by id or key."""

    keep: str = described("The one that stays, under its key: an id, or `person:ben`.")
    merge: str = described("The one that becomes part of it.")
    type: model.EntityType | None = described(
        "Needed when their types differ: which wins, that of the one to keep.", default=None
    )


@input_type
class UnmergeEntitiesInput:
    """A merge."""

    merge_id: strawberry.ID


@input_type
class DismissMergeInput:
    """Two entities that are not the same, by id or key."""

    one: str
    other: str


@object_type
class MergeEntitiesPayload:
    """The entity that was kept, and what takes the merge back."""

    merge_id: strawberry.ID | None = described(
        "Null where nothing was merged: somebody else knows one of the two things, and it is suggested now."
    )
    entity: Entity


@object_type
class UnmergeEntitiesPayload:
    """The entity that was kept, and the one that is there again."""

    kept: Entity | None = described("Null when the viewer may not know of it now.")
    restored: Entity | None = described("Null when the viewer may not know of it now.")


@object_type
class DismissMergePayload:
    """Two entities that are not suggested again."""

    one: str
    other: str


MergeEntitiesResult = Annotated[MergeEntitiesPayload | AnyFailure, strawberry.union("MergeEntitiesResult")]
UnmergeEntitiesResult = Annotated[
    UnmergeEntitiesPayload | NotFoundError | NotAllowedError | ConflictError | UnavailableError,
    strawberry.union("UnmergeEntitiesResult"),
]
DismissMergeResult = Annotated[DismissMergePayload | Failure, strawberry.union("DismissMergeResult")]


@object_type
class MergeQueries:
    """What may be the same, and what was merged."""

    @field
    async def suggest_merges(
        self, info: Info, first: int = 20, after: str | None = None
    ) -> Connection[MergeSuggestion] | None:
        """Entities that may be the same, likeliest first, of which the viewer may know both."""
        merging = info.context.service.merging
        return connection(await merging.suggestions(info.context.viewer, first=first, after=after), _suggestion, after)

    @field
    async def merges(self, info: Info, first: int = 20, after: str | None = None) -> Connection[Merge] | None:
        """The merges of things that concern the viewer, the latest first. They may take back what no administrator
        merged for others too.
        """
        merging = info.context.service.merging
        return connection(await merging.done(info.context.viewer, first=first, after=after), _merge, after)


@object_type
class MergeMutations:
    """Merging entities, and taking it back."""

    @field
    async def merge_entities(self, info: Info, input: MergeEntitiesInput) -> MergeEntitiesResult | None:
        """Merges two entities that are the same. A person is merged by who made them, by themselves, or by an
        administrator; one who has an account or memories of their own is the one to keep. Things that others know too
        are merged by an administrator: who else asks makes a suggestion.
        """
        merging = info.context.service.merging
        keep, merge = entity_reference(input.keep), entity_reference(input.merge)
        merged = await merging.merge(info.context.viewer, keep, merge, kind=input.type)
        merge_id = strawberry.ID(merged.merge_id) if merged.merge_id else None
        return MergeEntitiesPayload(merge_id=merge_id, entity=entity(merged.kept))

    @field
    async def unmerge_entities(self, info: Info, input: UnmergeEntitiesInput) -> UnmergeEntitiesResult | None:
        """Takes a merge back: everything is as it was, and what came after stays with the entity that was kept, but for
        mentions by a name that only the other had. Merges into one entity are taken back from the last to the first.
        """
        undone = await info.context.service.merging.unmerge(info.context.viewer, input.merge_id)
        return UnmergeEntitiesPayload(
            kept=entity(undone.kept) if undone.kept else None,
            restored=entity(undone.restored) if undone.restored else None,
        )

    @field
    async def dismiss_merge(self, info: Info, input: DismissMergeInput) -> DismissMergeResult | None:
        """Says that two entities are not the same: it is not suggested again."""
        await info.context.service.merging.dismiss(
            info.context.viewer, entity_reference(input.one), entity_reference(input.other)
        )
        return DismissMergePayload(one=input.one, other=input.other)


def _suggestion(found: Suggestion) -> MergeSuggestion:
    return to_type(MergeSuggestion, found, one=entity(found.one), other=entity(found.other))


def _merge(found: DoneMerge) -> Merge:
    return to_type(Merge, found, kept=entity(found.kept))
