"""Chats and their sessions: the types, how to list them, and making them."""

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

AsOf = Annotated[datetime | None, argument("What was true then; now without it.")]
KnownAt = Annotated[datetime | None, argument("What was known then; now without it.")]
InChat = Annotated[strawberry.ID | None, argument("Where the viewer asks.")]
PERSONA = (
    "The persona that answers: adds what belongs to it. "
    "Without it that of the chat, where its sessions have exactly one; else what belongs to none counts alone."
)
ForPersona = Annotated[strawberry.ID | None, argument(PERSONA)]


strawberry.enum(
    model.ExtractionMode,
    description="Which statements are extracted from talk: all, what people say of themselves (meetings), or none.",
)


@object_type
class Participation:
    """One stretch of a person's part in a chat."""

    person: Person
    since: datetime
    until: datetime | None = described("When they left; null while they take part.")


@object_type
class Session(Node):
    """One stretch of a chat with one persona, as far as the viewer may see its turns."""

    started_at: datetime = described("When the first of its turns was said.")
    last_activity_at: datetime = described("When the last of its turns was said.")
    ended_at: datetime | None = described("Null while it is open.")
    consolidated_at: datetime | None = described(
        "When all of it was last worked out for facts; null as long as it never was."
    )
    found: strawberry.Private[model.Session]
    times: strawberry.Private[model.Times | None]

    @field
    async def turn_count(self, info: Info) -> int:
        """How many of its turns the viewer may see."""
        return await info.context.loaders.turn_counts(self.times).load(self.found.id) or 0

    @field
    async def chat(self, info: Info) -> Annotated["Chat", strawberry.lazy("hippograph.api.graphql.chat.chats")] | None:
        """The chat it is a stretch of."""
        return await chat_of(info.context.loaders, self.found.chat_id)

    @field
    async def persona(self, info: Info) -> Persona | None:
        """The persona people talked to; null when there was none."""
        return await persona_of(info.context.loaders, self.found.persona_id)

    @field
    async def turns(
        self, info: Info, first: int = 20, after: str | None = None, as_of: AsOf = None, known_at: KnownAt = None
    ) -> Connection[Memory]:
        """What was said, in order; without times, at those at which the session was asked for."""
        context = info.context
        times = context.times(as_of, known_at) or self.times
        page = await context.service.browsing.session_turns(
            context.viewer, self.found.id, times=times, first=first, after=after
        )
        return connection(page, partial(memory, times=times), after)


@object_type
class Chat(Node):
    """Where people talk."""

    kind: model.ChatKind
    title: str
    created_at: datetime
    extraction: model.ExtractionMode = described("Which statements are extracted from what is said there.")
    time_zone: str | None = described("Where people talk there, for the days of those whose account has no time zone.")
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
        """Who takes or took part, in the order in which they came; once for each stretch."""
        return [_participation(part) for part in await info.context.loaders.participants.load(self.found.id) or ()]

    @field
    async def sessions(
        self, info: Info, first: int = 20, after: str | None = None, as_of: AsOf = None, known_at: KnownAt = None
    ) -> Connection[Session]:
        """Its sessions, the last begun first."""
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
            strawberry.ID | None, argument("Only what belongs to this persona or to none; without it all.")
        ] = None,
        as_of: AsOf = None,
        known_at: KnownAt = None,
    ) -> Connection[Memory]:
        """What was said in it, newest first."""
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
    """A chat as the outside sees it."""
    return to_type(Chat, found, id=global_id("Chat", found.id))


async def chat_of(loaders: Loaders, chat_id: str | None) -> Chat | None:
    """The chat of an id, where the viewer takes part in it."""
    found = await loaders.chats.load(chat_id) if chat_id else None
    return chat(found) if found else None


def session(found: model.Session, times: model.Times | None = None) -> Session:
    """A session as the outside sees it, read at two times."""
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
    """A person's part in a chat that is to be made."""

    person_id: strawberry.ID
    since: datetime | None = described("Now without it; only an administrator may say another.", default=None)
    until: datetime | None = described("For good without it.", default=None)


@input_type
class CreateChatInput:
    """A new chat."""

    kind: model.ChatKind
    title: str
    participants: list[ParticipantInput] | None = described(
        "A private chat has exactly one person, a group one or more; without it the viewer alone.", default=None
    )
    extraction: model.ExtractionMode = described(
        "Which statements are extracted from what is said there.", default=model.ExtractionMode.ALL
    )
    once: bool = described("Gives the person's private chat of this title as it is, where there is one.", default=False)


@input_type
class SetExtractionInput:
    """A chat, and which statements are to be extracted from what is said there from now on."""

    chat_id: strawberry.ID
    extraction: model.ExtractionMode


@input_type
class SetTimeZoneInput:
    """A time zone, and whose it is."""

    time_zone: str | None = described("Europe/Vienna; null when nobody knows.", default=None)
    chat_id: strawberry.ID | None = described(
        "The chat where people talk there; without it the viewer's account.", default=None
    )


@input_type
class CloseSessionInput:
    """Which open session is to end: that of a chat, with a persona or with none."""

    chat_id: strawberry.ID
    persona_id: strawberry.ID | None = None


@input_type
class ConsolidateSessionInput:
    """Which session is to be worked out."""

    session_id: strawberry.ID


@object_type
class CreateChatPayload:
    """The chat that was made."""

    chat: Chat
    made: strawberry.Private[NewChat]

    @field
    async def invited(self, info: Info) -> list[Person]:
        """Those of its first people who take part once they accept: others than the viewer who have an account."""
        found = await info.context.loaders.entities.load_many(list(self.made.invited))
        return [person(each) for each in found if each]


@object_type
class SetExtractionPayload:
    """The chat as it is now."""

    chat: Chat


@object_type
class SetTimeZonePayload:
    """What is so now."""

    time_zone: str = described("The time zone of the viewer's days, in the chat that was named.")


@object_type
class ConsolidateSessionPayload:
    """The session that is going to be worked out; within seconds, when a worker runs."""

    session: Session


@object_type
class CloseSessionPayload:
    """The session that was ended; null when none was open of which the viewer may see a turn."""

    session: Session | None


CreateChatResult = Annotated[CreateChatPayload | FailureOrNotAllowed, strawberry.union("CreateChatResult")]
SetExtractionResult = Annotated[SetExtractionPayload | Failure, strawberry.union("SetExtractionResult")]
SetTimeZoneResult = Annotated[SetTimeZonePayload | Failure, strawberry.union("SetTimeZoneResult")]
CloseSessionResult = Annotated[CloseSessionPayload | FailureOrNotAllowed, strawberry.union("CloseSessionResult")]
ConsolidateSessionResult = Annotated[ConsolidateSessionPayload | Failure, strawberry.union("ConsolidateSessionResult")]


@object_type
class ChatMutations:
    """Making chats, ending sessions."""

    @field
    async def create_chat(self, info: Info, input: CreateChatInput) -> CreateChatResult | None:
        """Makes a chat with its first people. Others who have an account are invited, unless an administrator asks."""
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
        """Says which statements are extracted from what is said in a chat from now on; for who takes part in it."""
        chat_id = inner_id("Chat", input.chat_id)
        changed = await info.context.service.people.set_extraction(info.context.viewer, chat_id, input.extraction)
        return SetExtractionPayload(chat=chat(changed))

    @field
    async def set_time_zone(self, info: Info, input: SetTimeZoneInput) -> SetTimeZoneResult | None:
        """Says in which time zone the viewer is, or people talk in a chat; for who takes part in it. What is said from
        now on is said there: "yesterday" is a day of it.
        """
        viewer, people = info.context.viewer, info.context.service.people
        chat_id = optional_id("Chat", input.chat_id)
        await people.set_time_zone(viewer, input.time_zone, chat_id)
        return SetTimeZonePayload(time_zone=await people.time_zone(viewer.at(chat_id)))

    @field
    async def close_session(self, info: Info, input: CloseSessionInput) -> CloseSessionResult | None:
        """Ends the open session of a chat where its last message was."""
        viewer, service = info.context.viewer, info.context.service
        chat_id, persona_id = inner_id("Chat", input.chat_id), optional_id("Persona", input.persona_id)
        ended = await service.sessions.close(viewer, chat_id, persona_id)
        shown = await service.browsing.sessions_by_id(viewer, [ended.id]) if ended else {}
        return CloseSessionPayload(session=session(shown[ended.id]) if ended and ended.id in shown else None)

    @field
    async def consolidate_session(self, info: Info, input: ConsolidateSessionInput) -> ConsolidateSessionResult | None:
        """Has a session worked out for facts now, open or not; as by itself when it ends. Again changes nothing."""
        asked = await info.context.service.consolidation.ask(info.context.viewer, inner_id("Session", input.session_id))
        return ConsolidateSessionPayload(session=session(asked))
