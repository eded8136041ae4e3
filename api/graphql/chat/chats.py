"""Chats and their sessions: types, lists, creating and changing them."""

from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Annotated

import strawberry

from hippograph.api.arguments import inner_id, optional_id
from hippograph.api.graphql.chat.personas import Persona, persona_of
from hippograph.api.graphql.context import Info, Loaders
from hippograph.api.graphql.docs import argument, described, field, input_type, object_type
from hippograph.api.graphql.entity.entities import Person, person
from hippograph.api.graphql.errors import Failure, FailureOrNotAllowed
from hippograph.api.graphql.memory.memories import Memory, memory
from hippograph.api.graphql.nodes import Connection, Node, connection, global_id, to_type
from hippograph.graph import model
from hippograph.graph.people.people import Member, NewChat
from hippograph.graph.reading.browsing import Participant

if TYPE_CHECKING:
    from hippograph.api.graphql.chat.spaces import Space

strawberry.enum(
    model.ChatKind, description="A private chat is one person with the assistant; a group has any number of people."
)

AsOf = Annotated[datetime | None, argument("Reads what was true at this time (default: now).")]
KnownAt = Annotated[datetime | None, argument("Reads what was known at this time (default: now).")]
InChat = Annotated[strawberry.ID | None, argument("The chat in which the viewer asks (default: none).")]
PERSONA = (
    "The persona that answers; what belongs to it is included. Default: the persona of the chat, if its "
    "sessions have exactly one; otherwise only what belongs to no persona is included."
)
ForPersona = Annotated[strawberry.ID | None, argument(PERSONA)]


strawberry.enum(
    model.ExtractionMode,
    description="Which statements are extracted from a chat: all, only those that people make about themselves (for "
    "meetings), or none.",
)


@object_type
class Participation:
    """One interval of a person's membership in a chat."""

    person: Person
    since: datetime
    until: datetime | None = described("When they left or will leave; null while no end is known.")


@object_type
class Session(Node):
    """A session: a run of turns of a chat with one persona, as far as the viewer may see them."""

    started_at: datetime = described("The time of its first turn.")
    last_activity_at: datetime = described("The time of its last turn.")
    ended_at: datetime | None = described("When it ended; null while it is open.")
    consolidated_at: datetime | None = described(
        "When all of it was last consolidated, which extracts facts; null before the first time."
    )
    found: strawberry.Private[model.Session]
    times: strawberry.Private[model.Times | None]

    @field
    async def turn_count(self, info: Info) -> int:
        """Number of its turns that the viewer may see."""
        return await info.context.loaders.turn_counts(self.times).load(self.found.id) or 0

    @field
    async def chat(self, info: Info) -> Annotated["Chat", strawberry.lazy("hippograph.api.graphql.chat.chats")] | None:
        """The chat to which it belongs."""
        return await chat_of(info.context.loaders, self.found.chat_id)

    @field
    async def persona(self, info: Info) -> Persona | None:
        """The persona to which people talked; null if there was none."""
        return await persona_of(info.context.loaders, self.found.persona_id)

    @field
    async def turns(
        self, info: Info, first: int = 20, after: str | None = None, as_of: AsOf = None, known_at: KnownAt = None
    ) -> Connection[Memory]:
        """Its turns in order. Without `asOf` and `knownAt` they are read at the times at which the session was read."""
        context = info.context
        times = context.times(as_of, known_at) or self.times
        page = await context.service.browsing.session_turns(
            context.viewer, self.found.id, times=times, first=first, after=after
        )
        return connection(page, partial(memory, times=times), after)


@object_type
class Chat(Node):
    """A private chat or a group."""

    kind: model.ChatKind
    title: str
    created_at: datetime
    extraction: model.ExtractionMode = described("Which statements are extracted from what is said in the chat.")
    time_zone: str | None = described(
        "The time zone of the chat, used for the days of people whose account has none; null if unknown."
    )
    found: strawberry.Private[model.Chat]

    @field
    async def space(
        self, info: Info
    ) -> Annotated["Space", strawberry.lazy("hippograph.api.graphql.chat.spaces")] | None:
        """The space to which it belongs; null for none."""
        from hippograph.api.graphql.chat.spaces import space_of

        return await space_of(info.context.loaders, self.found.space_id)

    @field
    async def participants(self, info: Info) -> list[Participation]:
        """Current and former participants, the earliest to join first; one item for each interval of membership."""
        return [_participation(part) for part in await info.context.loaders.participants.load(self.found.id) or ()]

    @field
    async def sessions(
        self, info: Info, first: int = 20, after: str | None = None, as_of: AsOf = None, known_at: KnownAt = None
    ) -> Connection[Session]:
        """Its sessions of which the viewer may see a turn, the latest start first."""
        context = info.context
        times = context.times(as_of, known_at)
        page = await context.service.browsing.sessions(
            context.viewer, self.found.id, times=times, first=first, after=after
        )
        return connection(page, partial(session, times=times), after)

    @field
    async def memories(
        self,
        info: Info,
        first: int = 20,
        after: str | None = None,
        persona_id: Annotated[
            strawberry.ID | None, argument("Only memories that belong to this persona or to none (default: all).")
        ] = None,
        as_of: AsOf = None,
        known_at: KnownAt = None,
    ) -> Connection[Memory]:
        """The memories learned in it, newest first."""
        context = info.context
        times = context.times(as_of, known_at)
        page = await context.service.browsing.chat_memories(
            context.viewer,
            self.found.id,
            persona_id=optional_id("Persona", persona_id),
            times=times,
            first=first,
            after=after,
        )
        return connection(page, partial(memory, times=times), after)


def chat(found: model.Chat) -> Chat:
    """Converts a chat to its GraphQL type."""
    return to_type(Chat, found, id=global_id("Chat", found.id))


async def chat_of(loaders: Loaders, chat_id: str | None) -> Chat | None:
    """Returns the chat with this id, if the viewer takes part in it."""
    found = await loaders.chats.load(chat_id) if chat_id else None
    return chat(found) if found else None


def session(found: model.Session, times: model.Times | None = None) -> Session:
    """Converts a session to its GraphQL type; `times` are those at which it was read."""
    return to_type(Session, found, id=global_id("Session", found.id), times=times)


def _participation(part: Participant) -> Participation:
    return Participation(person=person(part.person), since=part.membership.since, until=part.membership.until)


@object_type
class ChatQueries:
    """The list of chats."""

    @field
    async def chats(self, info: Info, first: int = 20, after: str | None = None) -> Connection[Chat] | None:
        """The chats in which the viewer takes part, newest first."""
        return connection(
            await info.context.service.browsing.chats(info.context.viewer, first=first, after=after), chat, after
        )


@input_type
class ParticipantInput:
    """A participant of a new chat, and when they take part."""

    person_id: strawberry.ID
    since: datetime | None = described(
        "The start of the participation (default: now). Only an administrator may set it.", default=None
    )
    until: datetime | None = described("The end of the participation (default: none).", default=None)


@input_type
class CreateChatInput:
    """A new chat."""

    kind: model.ChatKind
    title: str
    participants: list[ParticipantInput] | None = described(
        "The first participants: exactly one in a private chat, one or more in a group (default: the viewer alone).",
        default=None,
    )
    extraction: model.ExtractionMode = described(
        "Which statements are extracted from what is said in the chat.", default=model.ExtractionMode.ALL
    )
    once: bool = described(
        "Returns the person's private chat with this title unchanged, if there is one, instead of creating another.",
        default=False,
    )


@input_type
class SetExtractionInput:
    """A chat, and which statements are extracted from what is said there from now on."""

    chat_id: strawberry.ID
    extraction: model.ExtractionMode


@input_type
class SetTimeZoneInput:
    """A time zone, for the viewer's account or for a chat."""

    time_zone: str | None = described(
        "A name from the IANA database, such as `Europe/Vienna`; null if unknown.", default=None
    )
    chat_id: strawberry.ID | None = described(
        "The chat that gets this time zone; without it, the viewer's account does.", default=None
    )


@input_type
class CloseSessionInput:
    """The open session to end: that of a chat with a persona, or with none."""

    chat_id: strawberry.ID
    persona_id: strawberry.ID | None = None


@input_type
class ConsolidateSessionInput:
    """The session to consolidate."""

    session_id: strawberry.ID


@object_type
class CreateChatPayload:
    """The chat that was created, or found with `once`."""

    chat: Chat
    made: strawberry.Private[NewChat]

    @field
    async def invited(self, info: Info) -> list[Person]:
        """The first participants who were invited and take part once they accept; the viewer is never one of them."""
        found = await info.context.loaders.entities.load_many(list(self.made.invited))
        return [person(each) for each in found if each]


@object_type
class SetExtractionPayload:
    """The chat as it is now."""

    chat: Chat


@object_type
class SetTimeZonePayload:
    """The time zone as it is now."""

    time_zone: str = described(
        "The time zone that now applies to the viewer's days, in the given chat if there is one."
    )


@object_type
class ConsolidateSessionPayload:
    """The session that was queued. If a worker runs, it starts within seconds."""

    session: Session


@object_type
class CloseSessionPayload:
    """The session that was ended; null if none was open, or if the viewer may see none of its turns."""

    session: Session | None


CreateChatResult = Annotated[CreateChatPayload | FailureOrNotAllowed, strawberry.union("CreateChatResult")]
SetExtractionResult = Annotated[SetExtractionPayload | Failure, strawberry.union("SetExtractionResult")]
SetTimeZoneResult = Annotated[SetTimeZonePayload | Failure, strawberry.union("SetTimeZoneResult")]
CloseSessionResult = Annotated[CloseSessionPayload | FailureOrNotAllowed, strawberry.union("CloseSessionResult")]
ConsolidateSessionResult = Annotated[ConsolidateSessionPayload | Failure, strawberry.union("ConsolidateSessionResult")]


@object_type
class ChatMutations:
    """Creating and changing chats, ending and consolidating sessions."""

    @field
    async def create_chat(self, info: Info, input: CreateChatInput) -> CreateChatResult | None:
        """Creates a chat with its first participants. Others than the viewer who have an account are invited instead,
        unless the caller is an administrator or may record in all chats.
        """
        viewer_id = info.context.viewer.person_id
        members = (
            [Member(viewer_id)]
            if input.participants is None
            else [Member(inner_id("Person", given.person_id), given.since, given.until) for given in input.participants]
        )
        made = await info.context.service.people.create_chat(
            info.context.viewer, input.kind, input.title, members, extraction=input.extraction, once=input.once
        )
        return CreateChatPayload(chat=chat(made), made=made)

    @field
    async def set_extraction(self, info: Info, input: SetExtractionInput) -> SetExtractionResult | None:
        """Sets which statements are extracted from what is said in a chat from now on. Participants and administrators
        may do this.
        """
        chat_id = inner_id("Chat", input.chat_id)
        changed = await info.context.service.people.set_extraction(info.context.viewer, chat_id, input.extraction)
        return SetExtractionPayload(chat=chat(changed))

    @field
    async def set_time_zone(self, info: Info, input: SetTimeZoneInput) -> SetTimeZoneResult | None:
        """Sets the time zone of the viewer, or of a chat, which its participants and administrators may do. It applies
        to what is said from now on: "yesterday" is a day in this zone. A speaker's own zone takes precedence.
        """
        viewer, people = info.context.viewer, info.context.service.people
        chat_id = optional_id("Chat", input.chat_id)
        await people.set_time_zone(viewer, input.time_zone, chat_id)
        return SetTimeZonePayload(time_zone=await people.time_zone(viewer.at(chat_id)))

    @field
    async def close_session(self, info: Info, input: CloseSessionInput) -> CloseSessionResult | None:
        """Ends the open session of a chat, at the time of its last message, and queues it for consolidation."""
        viewer, service = info.context.viewer, info.context.service
        chat_id, persona_id = inner_id("Chat", input.chat_id), optional_id("Persona", input.persona_id)
        ended = await service.sessions.close(viewer, chat_id, persona_id)
        shown = await service.browsing.sessions_by_id(viewer, [ended.id]) if ended else {}
        return CloseSessionPayload(session=session(shown[ended.id]) if ended and ended.id in shown else None)

    @field
    async def consolidate_session(self, info: Info, input: ConsolidateSessionInput) -> ConsolidateSessionResult | None:
        """Queues a session, open or not, for consolidation now, which extracts facts; else this happens when it ends.
        Repeating the call while it waits changes nothing.
        """
        asked = await info.context.service.consolidation.ask(info.context.viewer, inner_id("Session", input.session_id))
        return ConsolidateSessionPayload(session=session(asked))
