"""People's rights to their data: export of all data held on a person, and erasure."""

from datetime import datetime
from typing import Annotated

import strawberry
from strawberry.scalars import JSON

from hippograph.api.arguments import inner_id, split_id
from hippograph.api.graphql.context import Info, for_administrators
from hippograph.api.graphql.docs import argument, described, field, input_type, object_type
from hippograph.api.graphql.errors import AnyFailure
from hippograph.api.graphql.nodes import Connection, connection, global_id, to_type
from hippograph.graph.errors import Conflict
from hippograph.graph.transfer.erasure import LISTED, Item
from hippograph.graph.transfer.erasure import ErasureReceipt as Receipt
from hippograph.graph.transfer.erasure import PlannedPlace as Place
from hippograph.graph.transfer.erasure import UndecidedErasure as Undecided


@input_type
class ErasePersonInput:
    """The person to erase, and what happens to what others said about them."""

    person_id: strawberry.ID
    others_words: bool = described(
        "Whether what others said about nobody else is deleted, too. Otherwise it stays without the person's "
        "names, as what is also about other people always does.",
        default=True,
    )
    dry_run: bool = described("Only counts what would be deleted, and changes nothing.", default=False)
    confirm: bool = described(
        "Also removes the names that would otherwise be left to be decided, as a dry run showed it. For "
        "administrators.",
        default=False,
    )


@input_type
class DecideErasureInput:
    """The decision about the words that an erasure left to be decided."""

    id: strawberry.ID
    confirm: bool = described(
        "True removes the names; false leaves all texts as they are. Either way the plan is deleted."
    )
    places: list[strawberry.ID] | None = described(
        "The ids of the places where the names are removed if `confirm` is true (default: all places).",
        default=None,
    )


@object_type
class ErasedCount:
    """The number of things of one kind that were removed or reworded."""

    kind: str = described("The kind of the things, such as `turns`.")
    count: int = described("The number of them.")


@object_type
class ErasedItem:
    """Something that was removed, or that stays reworded."""

    kind: str = described("The type, such as `Memory`, `Chat` or `Entity`.")
    id: strawberry.ID


@object_type
class WordsChange:
    """A change of a text."""

    before: str = described("The text as it is.")
    after: str = described("The text without the person's names.")


@object_type
class PlannedPlace:
    """A place whose texts name a person who is erased."""

    kind: str = described("The type, such as `Memory`, `Chat` or `Entity`.")
    id: strawberry.ID
    words: list[WordsChange] = described("The texts of the place that change; empty if none changes any more.")
    undecided: bool = described("Whether they change only if an administrator confirms it.")


@object_type
class UndecidedErasure:
    """An erasure that left texts of others to be decided. They contain a name of the person that only the person
    vouched for, or that may mean somebody or something else.
    """

    id: strawberry.ID
    names: list[str] = described("The names of the person.")
    place_count: int = described("The number of places where these names occur.")
    by_admin: bool = described("Whether somebody other than the person requested the erasure.")
    requested_at: datetime = described("When the erasure was requested.")

    @field
    async def places(self, info: Info, first: int = 20, after: str | None = None) -> Connection[PlannedPlace]:
        """The texts left to be decided, as they are now and as they would be without the names."""
        viewer, erasures = info.context.viewer, info.context.service.erasures
        return connection(await erasures.places(viewer, self.id, first=first, after=after), _planned, after)


@object_type
class ErasureReceipt:
    """What an erasure removed, or would remove. It keeps nothing about the person."""

    id: str | None = described("The id of the erasure; null for a dry run.")
    others_words: bool = described("Whether what others said about nobody else was deleted, too.")
    counts: list[ErasedCount] = described(
        "The numbers of things removed or reworded, by kind: turns, facts, states and so on."
    )
    removed: list[ErasedItem] = described(f"What was removed, up to {LISTED} items.")
    reworded: list[ErasedItem] = described(f"What stays with changed words, up to {LISTED} items.")
    places: list[PlannedPlace] = described(
        "For a dry run by an administrator of another person's erasure: the texts that would change, and "
        "those left to be decided."
    )
    undecided: int | None = described(
        "For administrators, the number of places that are left to be decided; null for others."
    )
    requested_at: datetime | None = described("When it was requested; null for a dry run.")
    finished_at: datetime | None = described("When it was finished; null while it is under way, and for a dry run.")


@object_type
class ErasePersonPayload:
    """The result of an erasure."""

    receipt: ErasureReceipt = described("The receipt of the erasure.")


@object_type
class DecideErasurePayload:
    """The result of a decision about an erasure."""

    receipt: ErasureReceipt = described("The receipt of the whole erasure, including what was changed now.")


DecideErasureResult = Annotated[DecideErasurePayload | AnyFailure, strawberry.union("DecideErasureResult")]


ErasePersonResult = Annotated[ErasePersonPayload | AnyFailure, strawberry.union("ErasePersonResult")]


@object_type
class ErasureQueries:
    """Queries of the data held on a person, and of what erasures left to be decided."""

    @field
    @for_administrators
    async def undecided_erasures(self, info: Info) -> list[UndecidedErasure] | None:
        """Erasures that left words to be decided, the earliest first, up to 100; for administrators, null for
        others.
        """
        return [_undecided(each) for each in await info.context.service.erasures.undecided(info.context.viewer)]

    @field
    @for_administrators
    async def erasure_plan(
        self, info: Info, id: Annotated[strawberry.ID, argument("The id of the erasure.")]
    ) -> UndecidedErasure | None:
        """An erasure that left words to be decided; for administrators, null for others."""
        return _undecided(await info.context.service.erasures.undecided_erasure(info.context.viewer, id))

    @field
    async def export_person(
        self, info: Info, id: Annotated[strawberry.ID, argument("The id of the viewer's own person.")]
    ) -> JSON | None:
        """All data held on the viewer: names, chats, state, credentials, their memories (forgotten or not), what their
        assistant was told, and what others said about them that they may see.
        """
        context = info.context
        return JSON(await context.service.person_export.export(context.viewer, inner_id("Person", id)))


@object_type
class ErasureMutations:
    """Mutations that erase a person."""

    @field
    async def erase_person(self, info: Info, input: ErasePersonInput) -> ErasePersonResult | None:
        """Permanently erases a person: what they said, what belongs to them, and the names by which others meant them.
        Other texts with their names are left to an administrator. For the person, and for administrators.
        """
        service, viewer = info.context.service, info.context.viewer
        person_id = inner_id("Person", input.person_id)
        if input.dry_run:
            receipt = await service.erasures.plan(viewer, person_id, others_words=input.others_words)
        elif person_id == service.local_user.id:
            raise Conflict("the service runs for this person: stop it, and use `hippograph person erase`")
        else:
            receipt = await service.erasures.erase(
                viewer, person_id, others_words=input.others_words, confirm=input.confirm
            )
        return ErasePersonPayload(receipt=_receipt(receipt))

    @field
    async def decide_erasure(self, info: Info, input: DecideErasureInput) -> DecideErasureResult | None:
        """Removes the names from what an erasure left to be decided, or leaves it as it is. For administrators."""
        erasures, viewer = info.context.service.erasures, info.context.viewer
        places = None if input.places is None else [split_id(each)[1] for each in input.places]
        receipt = await erasures.decide(viewer, input.id, confirm=input.confirm, places=places)
        return DecideErasurePayload(receipt=_receipt(receipt))


def _item(found: Item) -> ErasedItem:
    return ErasedItem(kind=found.kind, id=global_id(found.kind, found.id))


def _planned(found: Place) -> PlannedPlace:
    return PlannedPlace(
        kind=found.item.kind,
        id=global_id(found.item.kind, found.item.id),
        words=[WordsChange(before=before, after=after) for before, after in found.words],
        undecided=found.undecided,
    )


def _undecided(found: Undecided) -> UndecidedErasure:
    return to_type(UndecidedErasure, found, place_count=found.places)


def _receipt(found: Receipt) -> ErasureReceipt:
    return to_type(
        ErasureReceipt,
        found,
        counts=[ErasedCount(kind=kind, count=count) for kind, count in sorted(found.counts.items())],
        removed=[_item(each) for each in found.removed],
        reworded=[_item(each) for each in found.rewritten],
        places=[_planned(each) for each in found.places],
    )
