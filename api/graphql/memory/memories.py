"""The type of memories, with the fields that lead to other objects."""

from collections.abc import Sequence
from datetime import date, datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import strawberry
from strawberry.scalars import JSON

from hippograph.api.graphql.chat.personas import Persona, persona_of
from hippograph.api.graphql.context import Info, Loaders
from hippograph.api.graphql.docs import described, field, object_type
from hippograph.api.graphql.entity.entities import Entity, Person, entity, person_of
from hippograph.api.graphql.nodes import Connection, Node, connection, global_id, to_type
from hippograph.api.graphql.vocabulary import FactType, MemoryCategory, MemoryKind, MemorySource, MemoryStatus
from hippograph.graph import model
from hippograph.nlp.attachments import AttachmentKind

if TYPE_CHECKING:
    from hippograph.api.graphql.chat.chats import Chat, Session
    from hippograph.api.graphql.chat.spaces import Space
    from hippograph.api.graphql.memory.uses import MemoryUse

strawberry.enum(
    model.MemoryType,
    description="The type of statement that a memory is: something that happened or was said, a fact, a way of doing "
    "things, or an opinion.",
)
strawberry.enum(model.EventPrecision, description="How exactly it is known when something happened.")
strawberry.enum(model.Sensitivity, description="How carefully a memory is to be shown.")
strawberry.enum(model.SourceRole, description="Whose words a memory holds.")
strawberry.enum(AttachmentKind, description="The kind of an attachment of a message.")


@strawberry.enum(description="A label that determines who may see a memory, and where.")
class AccessLabel(StrEnum):
    """An access label of a memory."""

    SENSITIVITY = "sensitivity"
    PORTABLE = "portable"


Speaker = Annotated[
    Person | Persona, strawberry.union("Speaker", description="A speaker: a person, or a persona for the assistant.")
]


@object_type
class Quotation:
    """The words that a fact was extracted from."""

    speaker: str | None = described("The name of the speaker at that time; null if there is none.")
    day: date = described("The day on which it was said, in the time zone where it was said.")
    text: str = described("What was said, verbatim: the sentence, or the whole of a short turn.")
    memory_id: strawberry.ID = described("The id of the turn.")


@object_type
class Attachment:
    """An attachment of a message. Its bytes are not stored."""

    kind: AttachmentKind
    name: str | None = described("The name of the file.")
    caption: str | None = described("The caption that the sender wrote below it.")
    text: str | None = described(
        "The text that was read from it. It counts as nobody's statement, and no facts are extracted from it."
    )
    address: str | None = described("The address of the file. The service never fetches it.")


@object_type
class Memory(Node):
    """One stored statement. A turn of a dialogue is an episodic memory."""

    type: model.MemoryType
    content: str = described("What it says.")
    frame: str | None = described(
        "The frame that an extracted fact fills (home, work, allergy, …); null for all other memories."
    )
    quotation: Quotation | None = described(
        "The words that a fact was extracted from; null for turns, for what nobody said in a chat, and if "
        "the viewer may not see the turn."
    )
    speaker_name: str | None = described("The name of the speaker at that time; null if there is none.")
    event_time: datetime = described("When it happened, was said, or will happen.")
    event_precision: model.EventPrecision = described(
        "How exactly that is known: `eventTime` is the start of that minute, day, month or year. A day, a "
        "month and a year are dates without a time zone, written as midnight UTC."
    )
    time_zone: str | None = described("For a turn, the time zone where it was said; null if its days are those of UTC.")
    created_at: datetime = described("When it was recorded.")
    valid_from: datetime = described("Since when it holds.")
    valid_until: datetime | None = described("Until when it holds or held; null while no end is known.")
    kind: MemoryKind | None
    category: MemoryCategory | None
    tags: list[str]
    source: MemorySource
    source_role: model.SourceRole
    narrative: str | None
    task: str | None
    attributes: JSON
    attachments: list[Attachment] = described(
        "The attachments of a turn. Each has a mark at the end of `content`, such as `[photo: IMG_2041.jpg] "
        "the hut at sunset`, followed by its text, with `> ` before each line."
    )
    sensitivity: model.Sensitivity
    inferred_labels: list[AccessLabel] = described(
        "Those of `sensitivity` and `portable` that nobody has set and that were guessed from the words."
    )
    portable: bool = described("Whether it is of use outside the chat where it was said.")
    status: MemoryStatus
    confidence: float = described("The present confidence, 0 to 1; it decays while the memory is not recalled.")
    importance: int = described(
        "The importance for the viewer: 0 trivial, 1 standard, 2 significant, 3 core identity. It is as set, "
        "or grown because it was said again; it is 3 if the viewer pinned the memory, and 1 if another "
        "person set it by hand."
    )
    pinned: bool
    pinned_by_viewer: bool = described(
        "Whether the viewer pinned it. Pins of others keep it from expiring, but do not change its rank."
    )
    score: int = described("The sum of what reinforcing added and demoting subtracted.")
    fact_type: FactType | None
    pending: bool = described("Whether it still waits for its vector and for the names in it.")
    found: strawberry.Private[model.Memory]
    times: strawberry.Private[model.Times | None]

    @field
    async def speaker(self, info: Info) -> Speaker | None:
        """The speaker: a person, or a persona for the assistant's words."""
        speaker_id, loaders = self.found.speaker_id, info.context.loaders
        if self.found.source_role is model.SourceRole.ASSISTANT:
            return await persona_of(loaders, speaker_id)
        return await person_of(loaders, speaker_id)

    @field
    async def session(
        self, info: Info
    ) -> Annotated["Session", strawberry.lazy("hippograph.api.graphql.chat.chats")] | None:
        """The session of the turn, at the same two times as the turn."""
        from hippograph.api.graphql.chat.chats import session

        loader = info.context.loaders.sessions(self.times)
        found = self.found.session_id and await loader.load(self.found.session_id)
        return session(found, self.times) if found else None

    @field
    async def chat(self, info: Info) -> Annotated["Chat", strawberry.lazy("hippograph.api.graphql.chat.chats")] | None:
        """The chat in which it was said."""
        from hippograph.api.graphql.chat.chats import chat_of

        return await chat_of(info.context.loaders, self.found.learned_in)

    @field
    async def space(
        self, info: Info
    ) -> Annotated["Space", strawberry.lazy("hippograph.api.graphql.chat.spaces")] | None:
        """The space it belongs to; null for none, and for a space that the viewer may not use."""
        from hippograph.api.graphql.chat.spaces import space_of

        return await space_of(info.context.loaders, self.found.space_id)

    @field
    async def persona(self, info: Info) -> Persona | None:
        """The persona it belongs to; null if it belongs to all."""
        return await persona_of(info.context.loaders, self.found.persona_id)

    @field
    async def uses(
        self, info: Info, first: int = 20, after: str | None = None
    ) -> Connection[Annotated["MemoryUse", strawberry.lazy("hippograph.api.graphql.memory.uses")]]:
        """The answers that contained it, the latest first: those to the viewer and, for its owner, those to others."""
        from hippograph.api.graphql.memory.uses import use

        context = info.context
        page = await context.service.uses.of_memory(context.viewer, self.found.id, first=first, after=after)
        return connection(page, use, after)

    @field
    async def entities(self, info: Info) -> list[Entity]:
        """The entities it is about or names, by key; empty while it is pending."""
        found = await info.context.loaders.entities.load_many(self.found.entity_keys)
        return [entity(one) for one in found if one]


def memory(found: model.Memory, times: model.Times | None = None) -> Memory:
    """Returns the GraphQL object of a memory that was read at two times (None for now)."""
    quoted = found.quotation
    return to_type(
        Memory,
        found,
        id=global_id("Memory", found.id),
        quotation=to_type(Quotation, quoted, memory_id=global_id("Memory", quoted.memory_id)) if quoted else None,
        kind=MemoryKind(found.kind) if found.kind else None,
        category=MemoryCategory(found.category) if found.category else None,
        source=MemorySource(found.source),
        attachments=[to_type(Attachment, one) for one in found.attachments],
        inferred_labels=[AccessLabel(name) for name in found.inferred_labels],
        status=MemoryStatus(found.status),
        fact_type=FactType(found.fact_type) if found.fact_type else None,
        times=times,
    )


async def memories_of(loaders: Loaders, ids: Sequence[str], times: model.Times | None = None) -> list[Memory]:
    """Returns those of the memories that the viewer may see at two times, in the order of the ids."""
    found = await loaders.memories(times).load_many(ids)
    return [memory(one, times) for one in found if one]


async def held_memory(info: Info, memory_id: str) -> Memory | None:
    """Returns a memory as it is now, even if it has ended; None if the viewer no longer sees it."""
    found = await info.context.service.memories.held(info.context.viewer, memory_id)
    return memory(found) if found else None
