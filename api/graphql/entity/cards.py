"""Entity cards and timelines: what is known of somebody or something, in short and in the order of time."""

from datetime import datetime
from functools import partial
from typing import Annotated

import strawberry

from hippograph.api.arguments import inner_id, moment, optional_id
from hippograph.api.graphql.chat.chats import PERSONA, AsOf, ForPersona, InChat, KnownAt
from hippograph.api.graphql.context import Info, ReadContext
from hippograph.api.graphql.docs import argument, described, field, object_type
from hippograph.api.graphql.entity.entities import Entity, entity
from hippograph.api.graphql.memory.memories import Memory, memory
from hippograph.api.graphql.nodes import Connection, connection, global_id, to_type
from hippograph.graph import model
from hippograph.graph.context import cards
from hippograph.graph.context.timeline import Stretch
from hippograph.graph.errors import InvalidInput
from hippograph.graph.ids import derived_id
from hippograph.graph.model import NO_END, START
from hippograph.graph.paging import checked_first

Reinforce = Annotated[
    bool,
    argument(
        "Whether what is returned counts as recalled: it then lasts longer. Written within a second after "
        "the answer; never for a request by GET."
    ),
]


@object_type
class Relation:
    """What one entity is to another, as memories say that the viewer may see."""

    id: strawberry.ID
    source: Entity
    predicate: str = described("What the source is to the target: `works_at`, `brother_of`, …")
    target: Entity
    evidence: list[Memory] = described("The memories that say so, the latest three of them.")


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
    """What is known of an entity in short, from where the viewer stands and at the two times of the read."""

    id: strawberry.ID
    entity: Entity
    text: str = described("In one line, for a prompt: `[person:john]: fact1; Ben says: fact2`; empty without facts.")
    facts: list[Memory] = described(
        "The weightiest of what is significant (importance 2 or more) or pinned by the viewer, up to 3: "
        "pinned first, then important, then new; what another person wrote by hand counts as standard, and stands "
        "behind. A card that was asked for by its key, without any of these, has other facts."
    )
    read_context: strawberry.Private[ReadContext]

    @field
    async def summary(self, info: Info) -> Memory | None:
        """What is known of it in a few sentences; null without a summary of which the viewer may see all sources."""
        found = await info.context.loaders.summaries(self.read_context).load(self.entity.key)
        return memory(found.memory, self.read_context.times) if found else None

    @field
    async def mentions(self, info: Info) -> int:
        """How many memories name it or are about it, of those one may see."""
        return await info.context.loaders.mentions(self.read_context).load(self.entity.key) or 0

    @field
    async def relations(self, info: Info, first: int = 20, after: str | None = None) -> Connection[Relation]:
        """What the entity is to others and they to it, by predicate."""
        loader = info.context.loaders.relations(self.read_context, checked_first(first))
        page = await loader.load((self.entity.key, after))
        return connection(page, _relation, after)

    @field
    async def timeline(self, info: Info, first: int = 20, after: str | None = None) -> Connection[Memory]:
        """What names it or is about it, in the order of time."""
        loader = info.context.loaders.timelines(self.read_context, checked_first(first))
        page = await loader.load((self.entity.key, after))
        return connection(page, partial(memory, times=self.read_context.times), after)


def _chat_of(chat_id: strawberry.ID | None) -> str:
    """The chat that a timeline is of where it is of no entity."""
    if chat_id is None:
        raise InvalidInput("say of what: give the key of an entity, or the id of a chat")
    return inner_id("Chat", chat_id)


def card(known: model.Entity, found: cards.Card, read_context: ReadContext) -> EntityCard:
    """A card as the outside sees it."""
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
    """The cards of what some memories name or are about, in the order in which it comes up there."""
    found = await info.context.service.cards.of_found(
        read_context.viewer, memory_ids, read_context.times, reinforce=reinforce
    )
    known = await info.context.loaders.entities.load_many([one.key for one in found])
    return [card(of, one, read_context) for of, one in zip(known, found, strict=True) if of]


@object_type
class CardQueries:
    """What is known of somebody or something."""

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
        """What is known of an entity in short, from the memories that the viewer may see there; null when they may not
        know of it. For example `entityCard(key: "person:john") { text relations { nodes { predicate } } }`.
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
        key: Annotated[str | None, argument("Of this entity (`person:john`); without it, of the chat.")] = None,
        chat_id: Annotated[strawberry.ID | None, argument("Where the viewer asks, or of which chat it is.")] = None,
        persona_id: Annotated[
            strawberry.ID | None, argument(f"{PERSONA} Of what was said in a chat, none means all.")
        ] = None,
        since: Annotated[datetime | None, argument("What lasts until then or is later.")] = None,
        until: Annotated[datetime | None, argument("What begins before that.")] = None,
        as_of: AsOf = None,
        known_at: KnownAt = None,
        first: int = 20,
        after: str | None = None,
    ) -> Connection[Memory] | None:
        """What is known of a person, a project or any other entity, or was said in a chat, the earliest first; null
        when the viewer may not know of it. For example `timeline(key: "project:lake") { nodes { eventTime content } }`.
        """
        context, persona = info.context, optional_id("Persona", persona_id)
        stretch = Stretch(moment(since) if since else START, moment(until) if until else NO_END)
        times = context.times(as_of, known_at)
        if key is None:
            page = await context.service.timelines.of_chat(
                context.viewer,
                _chat_of(chat_id),
                persona_id=persona,
                stretch=stretch,
                times=times,
                first=first,
                after=after,
            )
            return connection(page, partial(memory, times=times), after)
        known = await context.service.browsing.entity(context.viewer, key)
        if known is None:
            return None
        read_context = ReadContext(await context.viewer_in(chat_id, persona_id), times)
        loader = context.loaders.timelines(read_context, checked_first(first), stretch)
        page = await loader.load((known.key, after))
        return connection(page, partial(memory, times=times), after)
