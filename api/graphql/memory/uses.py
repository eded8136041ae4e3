"""The record of use: which memories the viewer's assistant was told, and which answers contained a memory (W13)."""

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

strawberry.enum(recall.ReadKind, description="The kind of answer.")


@object_type
class MemoryUse:
    """One answer that contained memories. Of an answer to another person, the owner of a memory sees only the time and
    that person.
    """

    at: datetime = described("The time of the answer.")
    kind: recall.ReadKind | None = described("The kind of the answer; null if it was given to another person.")
    credential: str | None = described(
        "The credential that was used: the name of one of the viewer's own keys, else the id of a key, or "
        "`local`, or `token`. Null if the answer was given to another person."
    )
    found: strawberry.Private[uses.Use]

    @field
    async def person(self, info: Info) -> Person | None:
        """The person whose assistant got the answer."""
        return await person_of(info.context.loaders, self.found.person_id)

    @field
    async def chat(self, info: Info) -> Chat | None:
        """The chat it was given in; null for none, and for another person's."""
        return await chat_of(info.context.loaders, self.found.chat_id)

    @field
    async def persona(self, info: Info) -> Persona | None:
        """The persona it was given for; null for none, and for another person's."""
        return await persona_of(info.context.loaders, self.found.persona_id)

    @field
    async def memories(self, info: Info) -> list[Memory]:
        """The memories in it that the viewer may still see, the best first, up to 50; empty for another person's."""
        return await memories_of(info.context.loaders, self.found.memory_ids)


def use(found: uses.Use) -> MemoryUse:
    """Returns the GraphQL object of a use."""
    return to_type(MemoryUse, found)


@object_type
class UseQueries:
    """Queries of the record of use."""

    @field
    async def uses(self, info: Info, first: int = 20, after: str | None = None) -> Connection[MemoryUse] | None:
        """The answers of searches, contexts and cards to the viewer's assistant, the latest first. They are kept for
        as many days as the setting `use_log_days` says. Reads with `reinforce: false` are not recorded, and questions
        never are.
        """
        context = info.context
        return connection(await context.service.uses.of_viewer(context.viewer, first=first, after=after), use, after)
