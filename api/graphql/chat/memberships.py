"""Memberships of groups: joining, leaving, and invitations."""

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
    """An invitation of the viewer to a group. Until they accept, they see only its title."""

    chat_id: strawberry.ID
    title: str = described("The title of the group.")
    created_at: datetime = described("The time of the invitation.")
    found: strawberry.Private[model.Invitation]

    @field
    async def invited_by(self, info: Info) -> Person | None:
        """The person who invited them; null if that person was erased."""
        return await person_of(info.context.loaders, self.found.invited_by)


@object_type
class InvitationQueries:
    """The list of invitations."""

    @field
    async def invitations(self, info: Info, first: int = 20, after: str | None = None) -> Connection[Invitation] | None:
        """The viewer's invitations to groups, the latest first."""
        invitations = info.context.service.invitations
        return connection(await invitations.all(info.context.viewer, first=first, after=after), _invitation, after)


@input_type
class JoinChatInput:
    """A group, the person who is to join it, and since when."""

    chat_id: strawberry.ID
    person_id: strawberry.ID
    since: datetime | None = described(
        "The start of the participation (default: now). Only an administrator may set it.", default=None
    )


@input_type
class LeaveChatInput:
    """A group, the person who leaves it, and when."""

    chat_id: strawberry.ID
    person_id: strawberry.ID
    until: datetime | None = described(
        "The end of the participation (default: now). A time in the future is a planned end.", default=None
    )


@input_type
class AcceptInvitationInput:
    """The group that the viewer joins."""

    chat_id: strawberry.ID


@input_type
class DeclineInvitationInput:
    """The group whose invitation the viewer declines."""

    chat_id: strawberry.ID


@object_type
class MembershipPayload:
    """A person's membership in a chat as it is now or, with `invitedAt`, their invitation, which they may accept."""

    chat_id: strawberry.ID
    person_id: strawberry.ID
    since: datetime | None = described("The start of the participation; null for an invitation.")
    until: datetime | None
    invited_at: datetime | None = described("The time of the invitation; null for a participant.")
    found: strawberry.Private[model.Membership | model.Invitation]

    @field
    async def chat(self, info: Info) -> Chat | None:
        """The chat with its participants; null if the viewer does not take part in it now."""
        return await chat_of(info.context.loaders, self.found.chat_id)

    @field
    async def person(self, info: Info) -> Person | None:
        """The person; null if the viewer may not know of them."""
        return await person_of(info.context.loaders, self.found.person_id)


@object_type
class DeclineInvitationPayload:
    """The group whose invitation was removed."""

    chat_id: strawberry.ID


MembershipResult = Annotated[MembershipPayload | FailureOrNotAllowed, strawberry.union("MembershipResult")]
DeclineInvitationResult = Annotated[DeclineInvitationPayload | Failure, strawberry.union("DeclineInvitationResult")]


@object_type
class MembershipMutations:
    """Joining and leaving groups, and answering invitations."""

    @field
    async def join_chat(self, info: Info, input: JoinChatInput) -> MembershipResult | None:
        """Adds a person to a group, with no end. A current participant stays one, and a planned end is removed. Anybody
        else who has an account is invited instead, unless the caller is an administrator or may record in this chat.
        """
        chat_id, person_id = inner_id("Chat", input.chat_id), inner_id("Person", input.person_id)
        people = info.context.service.people
        return _membership(await people.join_chat(info.context.viewer, chat_id, person_id, input.since))

    @field
    async def leave_chat(self, info: Info, input: LeaveChatInput) -> MembershipResult | None:
        """Ends a person's membership in a group. People who left by themselves can rejoin with acceptInvitation."""
        chat_id, person_id = inner_id("Chat", input.chat_id), inner_id("Person", input.person_id)
        people = info.context.service.people
        return _membership(await people.leave_chat(info.context.viewer, chat_id, person_id, input.until))

    @field
    async def accept_invitation(self, info: Info, input: AcceptInvitationInput) -> MembershipResult | None:
        """Adds the viewer, from now on, to a group to which they are invited or that they left by themselves."""
        invitations = info.context.service.invitations
        return _membership(await invitations.accept(info.context.viewer, inner_id("Chat", input.chat_id)))

    @field
    async def decline_invitation(self, info: Info, input: DeclineInvitationInput) -> DeclineInvitationResult | None:
        """Declines and removes an invitation of the viewer."""
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
