"""Persons' rights to their data: all that is held on somebody, and their erasure."""

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
    """Who is to be erased, and what becomes of what others said of them."""

    person_id: strawberry.ID
    others_words: bool = described(
        "What others said of nobody else goes too; else it stays without the person's names, as what is "
        "about others as well always does.",
        default=True,
    )
    dry_run: bool = described("Count what would go, and change nothing.", default=False)
    confirm: bool = described(
        "What would be left to be decided goes too, as a dry run showed it. For administrators.", default=False
    )


@input_type
class DecideErasureInput:
    """What becomes of the words that an erasure left to be decided."""

    id: strawberry.ID
    confirm: bool = described("The names go; else all stays as it is, and the plan is forgotten.")
    places: list[strawberry.ID] | None = described(
        "The ids of the places where the names are taken out when it is confirmed. Without it, all places.",
        default=None,
    )


@object_type
class ErasedCount:
    """How many things of one kind went."""

    kind: str = described("What they are, such as `turns`.")
    count: int = described("How many.")


@object_type
class ErasedItem:
    """Something that was removed, or that stays in other words."""

    kind: str = described("What it is, such as `Memory`, `Chat` or `Entity`.")
    id: strawberry.ID


@object_type
class WordsChange:
    """A text that changes."""

    before: str = described("As it is.")
    after: str = described("Without the person's names.")


@object_type
class PlannedPlace:
    """A place whose words name a person who is erased."""

    kind: str = described("What it is, such as `Memory`, `Chat` or `Entity`.")
    id: strawberry.ID
    words: list[WordsChange] = described("Its texts that change; none when they do no more.")
    undecided: bool = described("Whether they change only when that is confirmed.")


@object_type
class UndecidedErasure:
    """An erasure that left words of others: they may name the person, who alone says so, or something else."""

    id: strawberry.ID
    names: list[str] = described("What the person was called.")
    place_count: int = described("In how many places these names stand.")
    by_admin: bool = described("Whether somebody else erased the person than they themselves.")
    requested_at: datetime = described("When the person was erased.")

    @field
    async def places(self, info: Info, first: int = 20, after: str | None = None) -> Connection[PlannedPlace]:
        """The words that are left to be decided, as they are now, before and after."""
        viewer, erasures = info.context.viewer, info.context.service.erasures
        return connection(await erasures.places(viewer, self.id, first=first, after=after), _planned, after)


@object_type
class ErasureReceipt:
    """What an erasure took away, or would; of the person it keeps nothing."""

    id: str | None = described("Null when it was only planned.")
    others_words: bool = described("Whether what others said of nobody else went too.")
    counts: list[ErasedCount] = described("By kind: turns, facts, states and so on.")
    removed: list[ErasedItem] = described(f"What went, up to {LISTED} of it.")
    reworded: list[ErasedItem] = described(f"What stays in other words, up to {LISTED} of it.")
    places: list[PlannedPlace] = described(
        "Of a dry run by an administrator: the words that would change, and those left to be decided."
    )
    undecided: int | None = described("For administrators: in how many places words are left to be decided.")
    requested_at: datetime | None = described("Null when it was only planned.")
    finished_at: datetime | None = described("Null while it is under way, or only planned.")


@object_type
class ErasePersonPayload:
    """What went with a person."""

    receipt: ErasureReceipt = described("What went, counted.")


@object_type
class DecideErasurePayload:
    """What was decided."""

    receipt: ErasureReceipt = described("That of the whole erasure, with what went now.")


DecideErasureResult = Annotated[DecideErasurePayload | AnyFailure, strawberry.union("DecideErasureResult")]


ErasePersonResult = Annotated[ErasePersonPayload | AnyFailure, strawberry.union("ErasePersonResult")]


@object_type
class ErasureQueries:
    """What is held on a person, and what erasures left to be decided."""

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
        self, info: Info, id: Annotated[strawberry.ID, argument("Of an erasure.")]
    ) -> UndecidedErasure | None:
        """An erasure that left words to be decided; for administrators, null for others."""
        return _undecided(await info.context.service.erasures.undecided_erasure(info.context.viewer, id))

    @field
    async def export_person(self, info: Info, id: Annotated[strawberry.ID, argument("Of the viewer.")]) -> JSON | None:
        """All that is held on the viewer: names, chats, state, what they said, forgotten or not, and of what others
        told of them what they may see.
        """
        context = info.context
        return JSON(await context.service.person_export.export(context.viewer, inner_id("Person", id)))


@object_type
class ErasureMutations:
    """Erasing a person."""

    @field
    async def erase_person(self, info: Info, input: ErasePersonInput) -> ErasePersonResult | None:
        """Deletes a person for good: what they said, what is theirs, and the names by which others meant them. Other
        words with their names are left to an administrator. For the person, and for administrators.
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
        """Takes the names out of what an erasure left to be decided, or leaves it as it is. For administrators."""
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
