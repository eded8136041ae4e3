"""Merging of entities that are the same: suggestions, merges, and taking them back."""

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
    """Two entities that may be the same. Nothing changes until somebody merges them or dismisses the suggestion."""

    one: Entity
    other: Entity
    score: float = described("How sure it is that they are the same, 0 to 1.")
    reason: str = described("Why they may be the same: mostly how their names are alike.")


@object_type
class Merge:
    """A merge of two things (not people). It is visible to viewers who may see a memory that named the merged one."""

    merge_id: strawberry.ID = described("The id of the merge, with which `unmergeEntities` undoes it.")
    kept: Entity = described("The entity that was kept.")
    key: str = described("The key of the entity that was merged into it; the key now leads to the kept entity.")
    name: str = described("A name of the entity that was merged into it.")
    created_at: datetime = described("When they were merged.")
    found: strawberry.Private[DoneMerge]

    @field
    async def merged_by(self, info: Info) -> Person | None:
        """The person who merged them; null if the viewer may not know of that person."""
        return await person_of(info.context.loaders, self.found.merged_by)


@input_type
class MergeEntitiesInput:
    """Two entities that are the same, by id or key."""

    keep: str = described("The entity to keep, by id or key (`person:ben`); it retains its key.")
    merge: str = described("The entity to merge into it, by id or key.")
    type: model.EntityType | None = described(
        "Required if the types of the two differ: the type that wins, which must be that of the entity to keep.",
        default=None,
    )


@input_type
class UnmergeEntitiesInput:
    """The merge to take back."""

    merge_id: strawberry.ID


@input_type
class DismissMergeInput:
    """Two entities that are not the same, by id or key."""

    one: str
    other: str


@object_type
class MergeEntitiesPayload:
    """The entity that was kept, and the id of the merge."""

    merge_id: strawberry.ID | None = described(
        "The id of the merge; null if nothing was merged, because somebody else knows one of the two things "
        "and the merge is now suggested."
    )
    entity: Entity


@object_type
class UnmergeEntitiesPayload:
    """The entity that was kept, and the one that was restored."""

    kept: Entity | None = described("The kept entity; null if the viewer may not know of it now.")
    restored: Entity | None = described("The restored entity; null if the viewer may not know of it now.")


@object_type
class DismissMergePayload:
    """The two entities of the dismissed suggestion."""

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
    """Suggestions and merges."""

    @field
    async def suggest_merges(
        self, info: Info, first: int = 20, after: str | None = None
    ) -> Connection[MergeSuggestion] | None:
        """Pairs of entities that may be the same, likeliest first; the viewer may know of both."""
        merging = info.context.service.merging
        return connection(await merging.suggestions(info.context.viewer, first=first, after=after), _suggestion, after)

    @field
    async def merges(self, info: Info, first: int = 20, after: str | None = None) -> Connection[Merge] | None:
        """The merges of things (not people) that concern the viewer, latest first. The viewer may take them back,
        except merges by an administrator of things that others know too.
        """
        merging = info.context.service.merging
        return connection(await merging.done(info.context.viewer, first=first, after=after), _merge, after)


@object_type
class MergeMutations:
    """Merging entities, and taking merges back."""

    @field
    async def merge_entities(self, info: Info, input: MergeEntitiesInput) -> MergeEntitiesResult | None:
        """Merges two entities that are the same. A person may be merged by whoever created them, by themselves, or by
        an administrator; a person with an account or memories of their own must be the one to keep. Things that occur
        in memories outside the viewer's own and their chats are merged only by administrators; for others the request
        becomes a suggestion.
        """
        merging = info.context.service.merging
        keep, merge = entity_reference(input.keep), entity_reference(input.merge)
        merged = await merging.merge(info.context.viewer, keep, merge, kind=input.type)
        merge_id = strawberry.ID(merged.merge_id) if merged.merge_id else None
        return MergeEntitiesPayload(merge_id=merge_id, entity=entity(merged.kept))

    @field
    async def unmerge_entities(self, info: Info, input: UnmergeEntitiesInput) -> UnmergeEntitiesResult | None:
        """Takes a merge back and restores the state before it. What was added since stays with the entity that was
        kept, except mentions by a name that only the other had. Merges into one entity are taken back latest first.
        """
        undone = await info.context.service.merging.unmerge(info.context.viewer, input.merge_id)
        return UnmergeEntitiesPayload(
            kept=entity(undone.kept) if undone.kept else None,
            restored=entity(undone.restored) if undone.restored else None,
        )

    @field
    async def dismiss_merge(self, info: Info, input: DismissMergeInput) -> DismissMergeResult | None:
        """Dismisses a suggestion: the two entities differ. It comes back only if somebody asks to merge them."""
        await info.context.service.merging.dismiss(
            info.context.viewer, entity_reference(input.one), entity_reference(input.other)
        )
        return DismissMergePayload(one=input.one, other=input.other)


def _suggestion(found: Suggestion) -> MergeSuggestion:
    return to_type(MergeSuggestion, found, one=entity(found.one), other=entity(found.other))


def _merge(found: DoneMerge) -> Merge:
    return to_type(Merge, found, kept=entity(found.kept))
