"""Entity cards (the main facts about an entity) and timelines (memories in chronological order)."""

from functools import partial
from typing import Annotated

import strawberry

from hippograph.api.arguments import inner_id, optional_id, stretch
from hippograph.api.graphql.chat.chats import PERSONA, AsOf, ForPersona, InChat, KnownAt
from hippograph.api.graphql.context import Info, ReadContext
from hippograph.api.graphql.docs import argument, described, field, object_type
from hippograph.api.graphql.entity.entities import Entity, entity
from hippograph.api.graphql.memory.memories import Memory, memory
from hippograph.api.graphql.nodes import Connection, connection, global_id, to_type
from hippograph.graph import model
from hippograph.graph.context import cards
from hippograph.graph.errors import InvalidInput
from hippograph.graph.ids import derived_id
from hippograph.graph.paging import checked_first

Reinforce = Annotated[
    bool,
    argument(
        "Whether the memories that are returned count as recalled, so that they fade later. This is recorded "
        "within a second after the response, and never for a request by GET."
    ),
]


@object_type
class Relation:
    """A relation between two entities, as stated by memories that the viewer may see."""

    id: strawberry.ID
    source: Entity
    predicate: str = described("What the source is to the target: `works_at`, `brother_of`, …")
    target: Entity
    evidence: list[Memory] = described("The memories that state it: the latest three.")


def _relation(found: cards.Relation) -> Relation:
    return to_type(
        Relation,
        found,
        id=global_id("Relation", derived_id(found.source.id, found.predicate, found.target.id)),
        source=entity(found.source),
        target=entity(found.target),
        evidence=[memory(said) for said in found.evidence],
    )


@object_type
class EntityCard:
    """The main facts about an entity that the viewer may see in the current scope, at the two times of the read."""

    id: strawberry.ID
    entity: Entity
    text: str = described(
        "The card in one line, for a prompt: `[person:john]: fact1; Ben says: fact2`; empty without facts."
    )
    facts: list[Memory] = described(
        "Up to 3 facts that are significant (importance 2 or more) or pinned by the viewer: pinned ones "
        "first, then the most important, then the newest. Facts that another person wrote by hand count as "
        "standard (importance 1) and come last. If a card that was requested by its key has no such facts, "
        "it holds other facts."
    )
    read_context: strawberry.Private[ReadContext]

    @field
    async def summary(self, info: Info) -> Memory | None:
        """A summary of the entity in a few sentences; null if there is none of which the viewer may see all sources."""
        found = await info.context.loaders.summaries(self.read_context).load(self.entity.key)
        return memory(found.memory, self.read_context.times) if found else None

    @field
    async def mentions(self, info: Info) -> int:
        """Number of memories the viewer may see that name the entity or are about it."""
        return await info.context.loaders.mentions(self.read_context).load(self.entity.key) or 0

    @field
    async def relations(self, info: Info, first: int = 20, after: str | None = None) -> Connection[Relation]:
        """The relations of the entity to others, in both directions, ordered by predicate."""
        loader = info.context.loaders.relations(self.read_context, checked_first(first))
        page = await loader.load((self.entity.key, after))
        return connection(page, _relation, after)

    @field
    async def timeline(self, info: Info, first: int = 20, after: str | None = None) -> Connection[Memory]:
        """The memories that name the entity or are about it, earliest first."""
        loader = info.context.loaders.timelines(self.read_context, checked_first(first))
        page = await loader.load((self.entity.key, after))
        return connection(page, partial(memory, times=self.read_context.times), after)


TimelineKey = Annotated[
    str | None,
    argument(
        "The key of an entity (`person:john`), whose timeline it is; without it, the timeline is that of the chat."
    ),
]
TimelineChat = Annotated[
    strawberry.ID | None, argument("The chat in which the viewer asks or, without `key`, whose timeline it is.")
]
TimelinePersona = Annotated[
    strawberry.ID | None, argument(f"{PERSONA} The timeline of a chat covers all personas by default.")
]
TimelineSince = Annotated[
    str | None,
    argument(
        "Only memories that last until this time or are later. ISO 8601, or a phrase: `last_week`, `yesterday`, `in "
        "May 2025`. Days, and times without an offset, are read in the viewer's time zone."
    ),
]
TimelineUntil = Annotated[
    str | None, argument("Only memories that begin before this time, or before the period of the phrase begins.")
]


def _chat_of(chat_id: strawberry.ID | None) -> str:
    """Returns the inner id of the chat of a timeline without an entity. Raises `InvalidInput` if none is given."""
    if chat_id is None:
        raise InvalidInput("say of what: give the key of an entity, or the id of a chat")
    return inner_id("Chat", chat_id)


def card(known: model.Entity, found: cards.Card, read_context: ReadContext) -> EntityCard:
    """Converts a card to its GraphQL type."""
    chat, persona = read_context.viewer.chat_id or "", read_context.viewer.persona_id or ""
    return EntityCard(
        id=global_id("EntityCard", derived_id(known.id, chat, persona)),
        entity=entity(known),
        text=found.text,
        facts=[memory(fact) for fact in found.facts],
        read_context=read_context,
    )


async def cards_of_found(
    info: Info, read_context: ReadContext, memory_ids: list[str], *, reinforce: bool
) -> list[EntityCard]:
    """Returns the cards of the entities that some memories name or are about, in the order of these memories."""
    found = await info.context.service.cards.of_found(
        read_context.viewer, memory_ids, read_context.times, reinforce=reinforce
    )
    known = await info.context.loaders.entities.load_many([one.key for one in found])
    return [card(of, one, read_context) for of, one in zip(known, found, strict=True) if of]


@object_type
class CardQueries:
    """Entity cards and timelines."""

    @field
    async def entity_card(
        self,
        info: Info,
        key: str,
        chat_id: InChat = None,
        persona_id: ForPersona = None,
        as_of: AsOf = None,
        known_at: KnownAt = None,
        reinforce: Reinforce = True,
    ) -> EntityCard | None:
        """The main facts about an entity, from memories that the viewer may see in the current scope; null if they may
        not know of the entity. For example `entityCard(key: "person:john") { text relations { nodes { predicate } } }`.
        """
        context = info.context
        known = await context.service.browsing.entity(context.viewer, key)
        if known is None:
            return None
        viewer = await context.viewer_in(chat_id, persona_id)
        read_context = ReadContext(viewer, context.times(as_of, known_at))
        recalls = context.recalls(reinforce)
        found = await context.service.cards.cards(viewer, [known.key], read_context.times, reinforce=recalls)
        return card(known, found[known.key], read_context)

    @field
    async def timeline(
        self,
        info: Info,
        key: TimelineKey = None,
        chat_id: TimelineChat = None,
        persona_id: TimelinePersona = None,
        since: TimelineSince = None,
        until: TimelineUntil = None,
        as_of: AsOf = None,
        known_at: KnownAt = None,
        first: int = 20,
        after: str | None = None,
    ) -> Connection[Memory] | None:
        """The memories about a person, a project or any other entity, or the turns of a chat, earliest first; null if
        the viewer may not know of the entity.
        For example `timeline(key: "project:lake") { nodes { eventTime content } }`.
        """
        context, persona = info.context, optional_id("Persona", persona_id)
        service, times = context.service, context.times(as_of, known_at)
        there = context.viewer.at(optional_id("Chat", chat_id))
        period = await stretch(service.people, there, service.clock(), since, until)
        if key is None:
            page = await service.timelines.of_chat(
                context.viewer,
                _chat_of(chat_id),
                persona_id=persona,
                stretch=period,
                times=times,
                first=first,
                after=after,
            )
            return connection(page, partial(memory, times=times), after)
        known = await service.browsing.entity(context.viewer, key)
        if known is None:
            return None
        read_context = ReadContext(await context.viewer_in(chat_id, persona_id), times)
        loader = context.loaders.timelines(read_context, checked_first(first), period)
        page = await loader.load((known.key, after))
        return connection(page, partial(memory, times=times), after)
