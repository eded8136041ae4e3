"""`recordMessage` and `recordMessages`: the hot path as the outside calls it."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, TypeVar

import strawberry
from strawberry import UNSET
from strawberry.scalars import JSON

from hippograph.api.arguments import inner_id, limited, optional_id, session_reference
from hippograph.api.graphql.chat.chats import Session, session
from hippograph.api.graphql.context import Info
from hippograph.api.graphql.docs import described, field, input_type, object_type
from hippograph.api.graphql.errors import AnyFailure
from hippograph.api.graphql.memory.memories import Memory, memory
from hippograph.api.graphql.nodes import global_id, to_type
from hippograph.api.graphql.vocabulary import TurnSource
from hippograph.graph.errors import InvalidInput
from hippograph.graph.writing.recording import Recorded, Turn
from hippograph.nlp.attachments import Attachment, AttachmentKind

T = TypeVar("T")


@input_type
class AttachmentInput:
    """Something that was sent along with a message: what is known of it, and not its bytes."""

    kind: AttachmentKind
    name: str | None = described(
        "The name of the file, up to 255 characters. Square brackets in it become round.", default=UNSET
    )
    caption: str | None = described(
        "What its sender wrote below it, in one line: up to 2,000 characters.", default=UNSET
    )
    text: str | None = described(
        "What was read in it. With the words of the message it may be as long as these may be.", default=UNSET
    )
    address: str | None = described(
        "Where it is, `http`, `https` or `file`, up to 2,048 characters. Nobody asks for it.", default=UNSET
    )


@input_type
class MessageInput:
    """What somebody said."""

    # Nothing has a default value in the schema: each that is filled in costs the hot path some 10 µs.

    content: str = described("The words; empty for a message that is its attachments.")
    speaker_id: strawberry.ID | None = described(
        "The person who said it; the viewer when nobody is named.", default=UNSET
    )
    as_assistant: bool | None = described("The persona said it.", default=UNSET)
    event_time: datetime | None = described("When it was said, with an offset; now without it.", default=UNSET)
    session_id: str | None = described(
        "The session it belongs to: its id, or a word of your own that names it in this chat with this "
        "persona; a new word begins one. Without it the message's time tells.",
        default=UNSET,
    )
    idempotency_key: str | None = described(
        "A word of your own. A second try with it gives what the first gave.", default=UNSET
    )
    tags: list[str] | None = UNSET
    narrative: str | None = UNSET
    task: str | None = UNSET
    source: TurnSource | None = described("A conversation, without it.", default=UNSET)
    attributes: JSON | None = UNSET
    time_zone: str | None = described(
        "Where it was said (Europe/Vienna), for the days that it names; without it the speaker's, the "
        "chat's or the service's.",
        default=UNSET,
    )
    attachments: list[AttachmentInput] | None = described(
        "What was sent along: up to 20. It is found by its words, like the message.", default=UNSET
    )


@input_type
class RecordMessageInput(MessageInput):
    """What somebody said in a chat."""

    chat_id: strawberry.ID
    persona_id: strawberry.ID | None = described(
        "The persona that people talk to here; sessions are kept apart by it.", default=UNSET
    )


@input_type
class RecordMessagesInput:
    """What was said in a chat, in its order: up to 100 messages."""

    chat_id: strawberry.ID
    persona_id: strawberry.ID | None = described(
        "The persona that people talk to here; sessions are kept apart by it.", default=UNSET
    )
    messages: list[MessageInput] = described("In their order.")


@object_type
class RecordMessagePayload:
    """What became of a message. It is committed."""

    memory_id: strawberry.ID
    session_id: strawberry.ID
    repeated: bool = described("Whether an earlier try with this idempotency key had stored it.")
    secrets_removed: int = described("How many secrets were taken out: `[secret removed]` stands in place of each.")
    recorded: strawberry.Private[Recorded]

    @field
    async def memory(self, info: Info) -> Memory | None:
        """The memory, read back."""
        found = await info.context.loaders.memories().load(self.recorded.memory_id)
        return memory(found) if found else None

    @field
    async def session(self, info: Info) -> Session | None:
        """The session, read back."""
        found = await info.context.loaders.sessions().load(self.recorded.session_id)
        return session(found) if found else None


RecordMessageResult = Annotated[RecordMessagePayload | AnyFailure, strawberry.union("RecordMessageResult")]


@object_type
class RecordMessagesPayload:
    """What became of messages, in their order. All of them are committed."""

    messages: list[RecordMessagePayload] = described("In the order in which they were given.")


RecordMessagesResult = Annotated[RecordMessagesPayload | AnyFailure, strawberry.union("RecordMessagesResult")]


@object_type
class RecordingMutations:
    """Storing what is said."""

    @field
    async def record_message(self, info: Info, input: RecordMessageInput) -> RecordMessageResult | None:
        """Stores what somebody said. When it answers, the message is committed; it is searchable by its words at once,
        and by its meaning within seconds.
        """
        (recorded,) = await _record(info, input, [input])
        return recorded

    @field
    async def record_messages(self, info: Info, input: RecordMessagesInput) -> RecordMessagesResult | None:
        """Stores what was said, in its order: all of it or nothing, in one commit. What is wrong with one message says
        which; a second try with the same idempotency keys stores what is missing.
        """
        messages = limited(input.messages)
        return RecordMessagesPayload(messages=await _record(info, input, messages) if messages else [])


async def _record(
    info: Info, place: RecordMessageInput | RecordMessagesInput, messages: Sequence[MessageInput]
) -> list[RecordMessagePayload]:
    context = info.context
    turns = [_turn(message, context.viewer.person_id) for message in messages]
    chat_id, persona_id = inner_id("Chat", place.chat_id), optional_id("Persona", _given(place.persona_id))
    stored = await context.service.recorder.record(context.viewer, chat_id, turns, persona_id)
    return [
        to_type(
            RecordMessagePayload,
            recorded,
            memory_id=global_id("Memory", recorded.memory_id),
            session_id=global_id("Session", recorded.session_id),
            recorded=recorded,
        )
        for recorded in stored
    ]


def _turn(given: MessageInput, viewer_id: str) -> Turn:
    return Turn(
        content=given.content,
        speaker_id=_speaker(given, viewer_id),
        event_time=_given(given.event_time),
        session_id=session_reference(_given(given.session_id)),
        idempotency_key=_given(given.idempotency_key),
        tags=tuple(given.tags or ()),
        narrative=_given(given.narrative),
        task=_given(given.task),
        source=(_given(given.source) or TurnSource.CONVERSATION).value,
        attributes=_given(given.attributes),
        time_zone=_given(given.time_zone),
        attachments=tuple(
            Attachment(one.kind, _given(one.name), _given(one.caption), _given(one.text), _given(one.address))
            for one in given.attachments or ()
        ),
    )


def _given(value: T | None) -> T | None:
    """What was given, with None for what was left out."""
    return None if value is UNSET else value


def _speaker(given: MessageInput, viewer_id: str) -> str | None:
    """The person who speaks; None for the persona."""
    if not given.as_assistant:
        return optional_id("Person", _given(given.speaker_id)) or viewer_id
    if _given(given.speaker_id) is not None:
        raise InvalidInput("either a person said it (`speakerId`) or the persona (`asAssistant`), not both")
    return None
