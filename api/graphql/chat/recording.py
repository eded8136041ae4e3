"""`recordMessage` and `recordMessages`: the GraphQL interface of the hot path."""

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
    """A file or medium that was sent along with a message: its description and text, without its bytes."""

    kind: AttachmentKind
    name: str | None = described(
        "The name of the file, up to 255 characters. Square brackets in it are replaced by round ones.", default=UNSET
    )
    caption: str | None = described(
        "The caption that the sender wrote below it, up to 2,000 characters, stored on one line.", default=UNSET
    )
    text: str | None = described(
        "The text that was read from it. Together with the content of the message it may have as many "
        "characters as a message may (setting `max_message_characters`).",
        default=UNSET,
    )
    address: str | None = described(
        "Its address (`http`, `https` or `file`), up to 2,048 characters. The service never fetches it.", default=UNSET
    )


@input_type
class MessageInput:
    """A message."""

    # No field has a default value in the schema: filling in each default would cost the hot path about 10 µs.

    content: str = described("The text of the message; may be empty if there are attachments.")
    speaker_id: strawberry.ID | None = described("The person who said it (default: the viewer).", default=UNSET)
    as_assistant: bool | None = described(
        "Whether the persona said it instead of a person; not to be combined with `speakerId`.", default=UNSET
    )
    event_time: datetime | None = described(
        "When it was said (default: now); at most a few minutes in the future (setting `clock_skew_minutes`).",
        default=UNSET,
    )
    session_id: str | None = described(
        "The session it belongs to: its id, or your own name for it in this chat with this persona; a new "
        "name begins a session. Without it, the time of the message decides.",
        default=UNSET,
    )
    idempotency_key: str | None = described(
        "A key of your own, up to 200 characters. A retry with the same key returns the result of the first request.",
        default=UNSET,
    )
    tags: list[str] | None = UNSET
    narrative: str | None = UNSET
    task: str | None = UNSET
    source: TurnSource | None = described("The origin of the message (default: `CONVERSATION`).", default=UNSET)
    attributes: JSON | None = UNSET
    time_zone: str | None = described(
        "The time zone where it was said (`Europe/Vienna`), for the days that it names. Default: that of the "
        "speaker, the chat or the service, in this order.",
        default=UNSET,
    )
    attachments: list[AttachmentInput] | None = described(
        "The attachments, up to 20. Searches find the message by their text, too.", default=UNSET
    )


@input_type
class RecordMessageInput(MessageInput):
    """A message of a chat."""

    chat_id: strawberry.ID
    persona_id: strawberry.ID | None = described(
        "The persona that people talk to; each persona has sessions of its own in a chat.", default=UNSET
    )


@input_type
class RecordMessagesInput:
    """Up to 100 messages of a chat, in order."""

    chat_id: strawberry.ID
    persona_id: strawberry.ID | None = described(
        "The persona that people talk to; each persona has sessions of its own in a chat.", default=UNSET
    )
    messages: list[MessageInput] = described("The messages, in order.")


@object_type
class RecordMessagePayload:
    """The result of storing a message, which is committed."""

    memory_id: strawberry.ID
    session_id: strawberry.ID
    repeated: bool = described("Whether an earlier request with this idempotency key had stored it.")
    secrets_removed: int = described("The number of secrets that were removed; each is replaced by `[secret removed]`.")
    recorded: strawberry.Private[Recorded]

    @field
    async def memory(self, info: Info) -> Memory | None:
        """The stored memory."""
        found = await info.context.loaders.memories().load(self.recorded.memory_id)
        return memory(found) if found else None

    @field
    async def session(self, info: Info) -> Session | None:
        """The session of the message."""
        found = await info.context.loaders.sessions().load(self.recorded.session_id)
        return session(found) if found else None


RecordMessageResult = Annotated[RecordMessagePayload | AnyFailure, strawberry.union("RecordMessageResult")]


@object_type
class RecordMessagesPayload:
    """The results of storing several messages, in their order. All of them are committed."""

    messages: list[RecordMessagePayload] = described("The results, in the order of the input.")


RecordMessagesResult = Annotated[RecordMessagesPayload | AnyFailure, strawberry.union("RecordMessagesResult")]


@object_type
class RecordingMutations:
    """Storing messages."""

    @field
    async def record_message(self, info: Info, input: RecordMessageInput) -> RecordMessageResult | None:
        """Stores a message. It is committed when the call returns, and can be found by its words at once and by its
        meaning within seconds.
        """
        (recorded,) = await _record(info, input, [input])
        return recorded

    @field
    async def record_messages(self, info: Info, input: RecordMessagesInput) -> RecordMessagesResult | None:
        """Stores messages in their order, all or none, in one commit. An error says which message caused it. A retry
        with the same idempotency keys stores only the messages that are missing.
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
    """Returns the value, or None if it was left out."""
    return None if value is UNSET else value


def _speaker(given: MessageInput, viewer_id: str) -> str | None:
    """Returns the id of the person who speaks, None for the persona. Raises `InvalidInput` if both are given."""
    if not given.as_assistant:
        return optional_id("Person", _given(given.speaker_id)) or viewer_id
    if _given(given.speaker_id) is not None:
        raise InvalidInput("either a person said it (`speakerId`) or the persona (`asAssistant`), not both")
    return None
