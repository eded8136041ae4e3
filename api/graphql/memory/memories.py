"""Memories: the type, and what each leads to."""

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
    description="What sort of statement a memory is: something that happened or was said, a fact, a way of doing "
    "things, an opinion.",
)
strawberry.enum(model.EventPrecision, description="How exactly it is known when something happened.")
strawberry.enum(model.Sensitivity, description="How carefully a memory is to be shown.")
strawberry.enum(model.SourceRole, description="Whose words a memory holds.")
strawberry.enum(AttachmentKind, description="What was sent along with a message.")


@strawberry.enum(description="What says who may see a memory, and where.")
class AccessLabel(StrEnum):
    """An access label of a memory."""

    SENSITIVITY = "sensitivity"
    PORTABLE = "portable"


Speaker = Annotated[Person | Persona, strawberry.union("Speaker", description="Who said something.")]


@object_type
class Quotation:
    """The words that a fact was taken from."""

    speaker: str | None = described("The name of who said it, as it was then.")
    day: date = described("The day on which it was said, where it was said.")
    text: str = described("What was said, word for word: the sentence, or all of a short turn.")
    memory_id: strawberry.ID = described("The turn.")


@object_type
class Attachment:
    """Something that was sent along with a message. Its bytes are nowhere here."""

    kind: AttachmentKind
    name: str | None = described("The name of the file.")
    caption: str | None = described("What its sender wrote below it.")
    text: str | None = described("What was read in it: nobody's statement, and no fact is made of it.")
    address: str | None = described("Where it is. Nobody asks for it.")


@object_type
class Memory(Node):
    """One stored statement. A turn of a dialogue is an episodic memory."""

    type: model.MemoryType
    content: str = described("What it says.")
    frame: str | None = described(
        "The frame that a fact found in talk fills (home, work, allergy, …); null for all else."
    )
    quotation: Quotation | None = described(
        "What a fact was taken from; null for turns, for what nobody said in a chat, and where the viewer "
        "may not see the turn."
    )
    speaker_name: str | None = described("The name of who said it, as it was then.")
    event_time: datetime = described("When it happened or was said, or is to be.")
    event_precision: model.EventPrecision = described(
        "How exactly that is known: `eventTime` is the start of that minute, day, month or year. A day, a "
        "month and a year are dates, of no zone, written as midnight UTC."
    )
    time_zone: str | None = described("Of a turn: where it was said; null where days are UTC's.")
    created_at: datetime = described("When it was recorded.")
    valid_from: datetime = described("Since when it holds.")
    valid_until: datetime | None = described("Until when it held; null while it does.")
    kind: MemoryKind | None
    category: MemoryCategory | None
    tags: list[str]
    source: MemorySource
    source_role: model.SourceRole
    narrative: str | None
    task: str | None
    attributes: JSON
    attachments: list[Attachment] = described(
        "Of a turn what was sent along. Behind the words of `content` a mark stands for each, as "
        "`[photo: IMG_2041.jpg] the hut at sunset`, and below it its text, each line behind `> `."
    )
    sensitivity: model.Sensitivity
    inferred_labels: list[AccessLabel] = described(
        "Which of `sensitivity` and `portable` nobody has set: they were guessed from the words."
    )
    portable: bool = described("Whether it is of use outside the chat where it was said.")
    status: MemoryStatus
    confidence: float = described("How sure it still is, 0 to 1: it decays while nothing recalls it.")
    importance: int = described(
        "0 trivial, 1 standard, 2 significant, 3 core identity: as set, or grown by being said again; 3 if "
        "the viewer pinned it, and 1 where another person set it by hand."
    )
    pinned: bool
    pinned_by_viewer: bool = described(
        "Whether the viewer pinned it: others' pins keep it, but change nothing of its rank."
    )
    score: int = described("What reinforcing added and demoting took.")
    fact_type: FactType | None
    pending: bool = described("Whether it waits for its vector and names.")
    found: strawberry.Private[model.Memory]
    times: strawberry.Private[model.Times | None]

    @field
    async def speaker(self, info: Info) -> Speaker | None:
        """Who said it: a person, or for the assistant's words a persona."""
        speaker_id, loaders = self.found.speaker_id, info.context.loaders
        if self.found.source_role is model.SourceRole.ASSISTANT:
            return await persona_of(loaders, speaker_id)
        return await person_of(loaders, speaker_id)

    @field
    async def session(
        self, info: Info
    ) -> Annotated["Session", strawberry.lazy("hippograph.api.graphql.chat.chats")] | None:
        """The session of the turn, at the times at which the turn was asked for."""
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
        """The space to which it belongs; null for none, and for one that the viewer may not use."""
        from hippograph.api.graphql.chat.spaces import space_of

        return await space_of(info.context.loaders, self.found.space_id)

    @field
    async def persona(self, info: Info) -> Persona | None:
        """The persona it belongs to; null when it belongs to all."""
        return await persona_of(info.context.loaders, self.found.persona_id)

    @field
    async def uses(
        self, info: Info, first: int = 20, after: str | None = None
    ) -> Connection[Annotated["MemoryUse", strawberry.lazy("hippograph.api.graphql.memory.uses")]]:
        """The answers that it went into, the latest first: those to the viewer, and if it is their own to others."""
        from hippograph.api.graphql.memory.uses import use

        context = info.context
        page = await context.service.uses.of_memory(context.viewer, self.found.id, first=first, after=after)
        return connection(page, use, after)

    @field
    async def entities(self, info: Info) -> list[Entity]:
        """What it is about or names, by key; empty while it is pending."""
        found = await info.context.loaders.entities.load_many(self.found.entity_keys)
        return [entity(one) for one in found if one]


def memory(found: model.Memory, times: model.Times | None = None) -> Memory:
    """A memory as the outside sees it, read at two times."""
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
    """Those of the memories that the viewer may see at two times, in their order."""
    found = await loaders.memories(times).load_many(ids)
    return [memory(one, times) for one in found if one]


async def held_memory(info: Info, memory_id: str) -> Memory | None:
    """A memory as it is now; None where the viewer does not see it any more."""
    found = await info.context.service.memories.held(info.context.viewer, memory_id)
    return memory(found) if found else None
