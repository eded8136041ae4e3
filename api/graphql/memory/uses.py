"""The record of use: what the viewer's assistant was told, and when a memory went into which answer (W13)."""

from datetime import datetime

import strawberry

from hippograph.api.graphql.chat.chats import Chat, chat_of
from hippograph.api.graphql.chat.personas import Persona, persona_of
from hippograph.api.graphql.context import Info
from hippograph.api.graphql.docs import described, field, object_type
from hippograph.api.graphql.entity.entities import Person, person_of
from hippograph.api.graphql.memory.memories import Memory, memories_of
from hippograph.api.graphql.nodes import Connection, connection, to_type
from hippograph.graph.reading import uses
from hippograph.graph.retention import recall

strawberry.enum(recall.ReadKind, description="What sort of answer it was.")


@object_type
class MemoryUse:
    """One answer that memories went into. Of answers to others the owner of a memory learns the time and the person."""

    at: datetime = described("When it was.")
    kind: recall.ReadKind | None = described("Null for another person's.")
    credential: str | None = described(
        "The name of a key of the viewer's own, else the id of a key; or `local`, or `token`. Null for "
        "another person's."
    )
    found: strawberry.Private[uses.Use]

    @field
    async def person(self, info: Info) -> Person | None:
        """Whose assistant was told."""
        return await person_of(info.context.loaders, self.found.person_id)

    @field
    async def chat(self, info: Info) -> Chat | None:
        """In which chat; null for none, and for another person's."""
        return await chat_of(info.context.loaders, self.found.chat_id)

    @field
    async def persona(self, info: Info) -> Persona | None:
        """For which persona; null for none, and for another person's."""
        return await persona_of(info.context.loaders, self.found.persona_id)

    @field
    async def memories(self, info: Info) -> list[Memory]:
        """What it held that the viewer may see still, the best first, up to 50; empty for another person's."""
        return await memories_of(info.context.loaders, self.found.memory_ids)


def use(found: uses.Use) -> MemoryUse:
    """A use as the outside sees it."""
    return to_type(MemoryUse, found)


@object_type
class UseQueries:
    """What the viewer's assistant was told."""

    @field
    async def uses(self, info: Info, first: int = 20, after: str | None = None) -> Connection[MemoryUse] | None:
        """What searches, contexts and cards told the viewer's assistant, the latest first, as long as that is kept
        (`use_log_days`). Reads that count as no recall (`reinforce: false`) are not noted, nor is any question.
        """
        context = info.context
        return connection(await context.service.uses.of_viewer(context.viewer, first=first, after=after), use, after)
