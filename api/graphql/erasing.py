"""Persons' rights to their data: all that is held on somebody, and their erasure."""

from datetime import datetime
from typing import Annotated

import strawberry
from strawberry.scalars import JSON

from api.arguments import inner_id
from api.graphql.context import Info
from api.graphql.docs import field, input_type, object_type
from api.graphql.errors import ConflictError, InvalidInputError, NotAllowedError, NotFoundError, UnavailableError
from graph.errors import Conflict
from graph.transfer.erasure import ErasureReceipt as Receipt


@input_type
class ErasePersonInput:
    """Who is to be erased, and what becomes of what others said of them."""

    person_id: strawberry.ID
    others_words: bool = strawberry.field(
        default=True,
        description="What others said of nobody else goes too; else it stays without the person's names, as what is "
        "about others as well always does.",
    )
    dry_run: bool = strawberry.field(default=False, description="Count what would go, and change nothing.")


@object_type
class ErasedCount:
    """How many things of one kind went."""

    kind: str = strawberry.field(description="What they are, such as `turns`.")
    count: int = strawberry.field(description="How many.")


@object_type
class ErasureReceipt:
    """What an erasure took away, or would; of the person it keeps nothing."""

    id: str | None = strawberry.field(description="Null when it was only planned.")
    others_words: bool = strawberry.field(description="Whether what others said of nobody else went too.")
    counts: list[ErasedCount] = strawberry.field(description="By kind: turns, facts, states and so on.")
    requested_at: datetime | None = strawberry.field(description="Null when it was only planned.")
    finished_at: datetime | None = strawberry.field(description="Null while it is under way, or only planned.")


@object_type
class ErasePersonPayload:
    """What went with a person."""

    receipt: ErasureReceipt = strawberry.field(description="What went, counted.")


ErasePersonResult = Annotated[
    ErasePersonPayload | InvalidInputError | NotFoundError | NotAllowedError | ConflictError | UnavailableError,
    strawberry.union("ErasePersonResult"),
]


@object_type
class ErasureQueries:
    """What is held on a person."""

    @field
    async def export_person(
        self, info: Info, id: Annotated[strawberry.ID, strawberry.argument(description="Of the viewer.")]
    ) -> JSON | None:
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
        """Deletes a person for good: what they said, what is theirs, and their names everywhere. For the person, and
        for a trusted service.
        """
        service, viewer = info.context.service, info.context.viewer
        person_id = inner_id("Person", input.person_id)
        if input.dry_run:
            receipt = await service.erasures.plan(viewer, person_id, others_words=input.others_words)
        elif person_id == service.local_user.id:
            raise Conflict("the service runs for this person: stop it, and use `hippograph person erase`")
        else:
            receipt = await service.erasures.erase(viewer, person_id, others_words=input.others_words)
        return ErasePersonPayload(receipt=_receipt(receipt))


def _receipt(found: Receipt) -> ErasureReceipt:
    return ErasureReceipt(
        id=found.id,
        others_words=found.others_words,
        counts=[ErasedCount(kind=kind, count=count) for kind, count in sorted(found.counts.items())],
        requested_at=found.requested_at,
        finished_at=found.finished_at,
    )
