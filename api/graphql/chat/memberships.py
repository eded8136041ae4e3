"""Who takes part in groups: coming and going, and invitations."""

from datetime import datetime
from typing import Annotated

import strawberry

from hippograph.api.arguments import inner_id
from hippograph.api.graphql.chat.chats import Chat, chat_of
from hippograph.api.graphql.context import Info
from hippograph.api.graphql.docs import described, field, input_type, object_type
from hippograph.api.graphql.entity.entities import Person, person_of
from hippograph.api.graphql.errors import Failure, FailureOrNotAllowed
from hippograph.api.graphql.nodes import Connection, connection, global_id, to_type
from hippograph.graph import model


@object_type
class Invitation:
    """That the viewer may take part in a group. Until they accept they see nothing of it but its title."""

    chat_id: strawberry.ID
    title: str = described("The title of the group.")
    created_at: datetime = described("When they were invited.")
    found: strawberry.Private[model.Invitation]

    @field
    async def invited_by(self, info: Info) -> Person | None:
        """Who invited them; null for somebody who was erased."""
        return await person_of(info.context.loaders, self.found.invited_by)


@object_type
class InvitationQueries:
    """The list of invitations."""

    @field
    async def invitations(self, info: Info, first: int = 20, after: str | None = None) -> Connection[Invitation] | None:
        """The groups to which the viewer is invited, the latest invitation first."""
        invitations = info.context.service.invitations
        return connection(await invitations.all(info.context.viewer, first=first, after=after), _invitation, after)


@input_type
class JoinChatInput:
    """Who is to take part in which group, and since when."""

    chat_id: strawberry.ID
    person_id: strawberry.ID
    since: datetime | None = described("Now without it; only an administrator may say another.", default=None)


@input_type
class LeaveChatInput:
    """Whose part in which group ends, and when."""

    chat_id: strawberry.ID
    person_id: strawberry.ID
    until: datetime | None = described("Now without it.", default=None)


@input_type
class AcceptInvitationInput:
    """The group in which the viewer wants to take part."""

    chat_id: strawberry.ID


@input_type
class DeclineInvitationInput:
    """The group in which the viewer does not want to take part."""

    chat_id: strawberry.ID


@object_type
class MembershipPayload:
    """A person's part in a chat as it is now; or, with `invitedAt`, that they take part once they accept."""

    chat_id: strawberry.ID
    person_id: strawberry.ID
    since: datetime | None = described("Null for who is invited.")
    until: datetime | None
    invited_at: datetime | None = described("When they were invited; null for who takes part.")
    found: strawberry.Private[model.Membership | model.Invitation]

    @field
    async def chat(self, info: Info) -> Chat | None:
        """The chat with its participants; null when the viewer takes no part in it now."""
        return await chat_of(info.context.loaders, self.found.chat_id)

    @field
    async def person(self, info: Info) -> Person | None:
        """The person; null when the viewer may not know of them."""
        return await person_of(info.context.loaders, self.found.person_id)


@object_type
class DeclineInvitationPayload:
    """The invitation is gone."""

    chat_id: strawberry.ID


MembershipResult = Annotated[MembershipPayload | FailureOrNotAllowed, strawberry.union("MembershipResult")]
DeclineInvitationResult = Annotated[DeclineInvitationPayload | Failure, strawberry.union("DeclineInvitationResult")]


@object_type
class MembershipMutations:
    """Coming and going."""

    @field
    async def join_chat(self, info: Info, input: JoinChatInput) -> MembershipResult | None:
        """Lets a person take part in a group for good; who does already, stays, and a planned end is taken back.
        Somebody else who has an account is invited instead, unless an administrator asks, or who records in this chat.
        """
        chat_id, person_id = inner_id("Chat", input.chat_id), inner_id("Person", input.person_id)
        people = info.context.service.people
        return _membership(await people.join_chat(info.context.viewer, chat_id, person_id, input.since))

    @field
    async def leave_chat(self, info: Info, input: LeaveChatInput) -> MembershipResult | None:
        """Ends a person's part in a group. Who left by themselves comes back with acceptInvitation."""
        chat_id, person_id = inner_id("Chat", input.chat_id), inner_id("Person", input.person_id)
        people = info.context.service.people
        return _membership(await people.leave_chat(info.context.viewer, chat_id, person_id, input.until))

    @field
    async def accept_invitation(self, info: Info, input: AcceptInvitationInput) -> MembershipResult | None:
        """Lets the viewer take part in a group from now on: invited, or coming back after they left by themselves."""
        invitations = info.context.service.invitations
        return _membership(await invitations.accept(info.context.viewer, inner_id("Chat", input.chat_id)))

    @field
    async def decline_invitation(self, info: Info, input: DeclineInvitationInput) -> DeclineInvitationResult | None:
        """Takes an invitation of the viewer's away."""
        await info.context.service.invitations.decline(info.context.viewer, inner_id("Chat", input.chat_id))
        return DeclineInvitationPayload(chat_id=input.chat_id)


def _invitation(found: model.Invitation) -> Invitation:
    return to_type(Invitation, found, chat_id=global_id("Chat", found.chat_id))


def _membership(found: model.Membership | model.Invitation) -> MembershipPayload:
    part = found if isinstance(found, model.Membership) else None
    return MembershipPayload(
        chat_id=global_id("Chat", found.chat_id),
        person_id=global_id("Person", found.person_id),
        since=part.since if part else None,
        until=part.until if part else None,
        invited_at=found.created_at if isinstance(found, model.Invitation) else None,
        found=found,
    )
