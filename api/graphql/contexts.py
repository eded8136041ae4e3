"""The context of a prompt, and what else is read of the store for an assistant: weak facts and the archive."""

from datetime import datetime
from typing import Annotated

import strawberry

from hippograph.api.arguments import inner_id, optional_id
from hippograph.api.graphql.cards import REINFORCE
from hippograph.api.graphql.chats import AS_OF, KNOWN_AT, PERSONA
from hippograph.api.graphql.context import Info
from hippograph.api.graphql.docs import field, input_type, object_type
from hippograph.api.graphql.errors import InvalidInputError, NotAllowedError, NotFoundError, UnavailableError
from hippograph.api.graphql.memories import Memory, memory
from hippograph.api.graphql.nodes import Connection, connection
from hippograph.api.graphql.searching import PROFILE, QuestionAnalysis, analysis
from hippograph.graph.context import assembly, composing
from hippograph.graph.retrieval import archive, weak_facts
from hippograph.graph.retrieval.ranking import RankingProfile
from hippograph.nlp.questions.intent import Intent

strawberry.enum(
    composing.Section,
    name="ContextSection",
    description="A part of a context: blocks of working memory, the user's state, what is pinned, summaries and open "
    "todos always stand there; then facts, with entity cards first, profiles of whom and what it is about, turns in "
    "the order of time, and sources under their facts.",
)
strawberry.enum(
    composing.Reason,
    name="ContextReason",
    description="Why something is in a context: as state, pinned, on the card of an entity, found by the search, as a "
    "relation of whom or what it is about, or as the source of a fact.",
)
strawberry.enum(
    composing.LeftOut,
    name="ContextLeftOut",
    description="Why something is not in a context: the budget was used up, it stands there already, or "
    "nothing that was found is as relevant as answers are.",
)


@object_type
class ContextEntry:
    """Something that stands in a context, and why."""

    section: composing.Section = strawberry.field(description="Where it stands.")
    reason: composing.Reason = strawberry.field(description="Why it stands there.")
    detail: str = strawberry.field(
        description="Of a state its key, of a card or a profile the entity's, of what was found its place, of a source "
        "the fact's id."
    )
    text: str = strawberry.field(description="As it reads.")
    tokens: int = strawberry.field(description="How many tokens it takes.")
    memories: list[Memory] = strawberry.field(description="The memories that it holds.")


@object_type
class ContextOmission:
    """Something that was left out of a context, and why."""

    section: composing.Section = strawberry.field(description="Where it would stand.")
    reason: composing.Reason = strawberry.field(description="Why it would be there.")
    left_out: composing.LeftOut = strawberry.field(description="Why it is not.")
    memories: list[Memory] = strawberry.field(description="The memories that it would hold.")


@object_type
class PromptContext:
    """What an assistant is to know for its answer, as Markdown with the ids of memories as `[id:…]`, within a fence and
    behind the notice that it is data. What another said says so.
    """

    text: str
    always: str = strawberry.field(
        description="The beginning of `text`: what always stands there. The question changes nothing in it, so that a "
        "prompt cache holds."
    )
    tokens: int = strawberry.field(description="Of `text`, by the embedding model's own tokenizer.")
    budget: int = strawberry.field(description="For what was found, in tokens; up to 1000 more always stand there.")
    analysis: QuestionAnalysis = strawberry.field(description="What was made of the question.")
    entries: list[ContextEntry] = strawberry.field(description="All that stands there.")
    left_out: list[ContextOmission] = strawberry.field(description="All that was found and does not stand there.")


@object_type
class WeakFact:
    """A fact that is hardly believed any more."""

    memory: Memory
    confidence: float = strawberry.field(description="What is left of it by now.")
    fades_at: datetime | None = strawberry.field(
        description="When it will be retired as faded, unless somebody comes back to it; null for what is pinned."
    )


@object_type
class ArchivedMemory:
    """A memory in the archive."""

    memory: Memory
    archived_at: datetime = strawberry.field(description="When it came there.")


@input_type
class RestoreMemoryInput:
    """A memory in the archive."""

    memory_id: strawberry.ID


@object_type
class RestoreMemoryPayload:
    """A memory that is out of the archive."""

    memory_id: strawberry.ID
    memory: Memory | None = strawberry.field(description="Null where the viewer does not see it, since it ended.")


RestoreMemoryResult = Annotated[
    RestoreMemoryPayload | InvalidInputError | NotFoundError | NotAllowedError | UnavailableError,
    strawberry.union("RestoreMemoryResult"),
]


@object_type
class ArchiveMutations:
    """Taking memories out of the archive."""

    @field
    async def restore_memory(self, info: Info, input: RestoreMemoryInput) -> RestoreMemoryResult | None:
        """Takes a memory out of the archive: for its owner, or a member of its chat. Where the same matter was told
        anew meanwhile, it ends when that begins.
        """
        service, viewer, memory_id = info.context.service, info.context.viewer, inner_id("Memory", input.memory_id)
        await service.archive.restore(viewer, memory_id)
        found = await service.memories.held(viewer, memory_id)
        return RestoreMemoryPayload(memory_id=input.memory_id, memory=memory(found) if found else None)


@object_type
class ContextQueries:
    """What an assistant is given."""

    @field
    async def context(
        self,
        info: Info,
        query: str,
        chat_id: Annotated[strawberry.ID | None, strawberry.argument(description="Where the viewer asks.")] = None,
        persona_id: Annotated[strawberry.ID | None, strawberry.argument(description=PERSONA)] = None,
        budget: Annotated[
            int | None,
            strawberry.argument(
                description="Tokens for what was found; without it 1000, or 3000 for a complex question."
            ),
        ] = None,
        total: Annotated[
            int | None,
            strawberry.argument(
                description="Tokens for all of `text` in place of `budget`; up to half for what always stands there."
            ),
        ] = None,
        as_of: Annotated[datetime | None, strawberry.argument(description=AS_OF)] = None,
        known_at: Annotated[datetime | None, strawberry.argument(description=KNOWN_AT)] = None,
        intent: Annotated[
            Intent | None, strawberry.argument(description="What is asked for; without it the question's words say.")
        ] = None,
        profile: Annotated[RankingProfile | None, strawberry.argument(description=PROFILE)] = None,
        reinforce: Annotated[bool, strawberry.argument(description=REINFORCE)] = True,
    ) -> PromptContext | None:
        """What of the memories belongs into a prompt for this question: what always stands there, then what was found,
        by a budget of tokens. For example `context(query: "What does Priya like?") { text tokens }`.
        """
        found = await info.context.service.contexts.context(
            await info.context.viewer_in(optional_id("Chat", chat_id), optional_id("Persona", persona_id)),
            query,
            budget=budget,
            total=total,
            times=info.context.times(as_of, known_at),
            profile=profile,
            intent=intent,
            reinforce=info.context.recalls(reinforce),
        )
        return _context(found)

    @field
    async def weak_facts(
        self,
        info: Info,
        below: Annotated[float, strawberry.argument(description="The confidence below which a fact is weak.")] = 0.3,
        first: int = 20,
        after: str | None = None,
    ) -> Connection[WeakFact] | None:
        """The facts that are hardly believed any more, the weakest first: of the viewer's own, of their chats' and of
        what is about them. `confirmFact` keeps one, `forget` drops it.
        """
        found = info.context.service.weak_facts
        return connection(
            await found.weak(info.context.viewer, below=below, first=first, after=after), _weak_fact, after
        )

    @field
    async def archive(self, info: Info, first: int = 20, after: str | None = None) -> Connection[ArchivedMemory] | None:
        """The archived memories of the viewer's own, of their chats' and about them, the last to be archived first.
        `restoreMemory` takes one out.
        """
        page = await info.context.service.archive.list(info.context.viewer, first=first, after=after)
        return connection(page, _archived, after)

    @field
    async def archive_search(
        self,
        info: Info,
        query: str,
        chat_id: Annotated[strawberry.ID | None, strawberry.argument(description="Where the viewer asks.")] = None,
        persona_id: Annotated[strawberry.ID | None, strawberry.argument(description=PERSONA)] = None,
        as_of: Annotated[datetime | None, strawberry.argument(description=AS_OF)] = None,
        known_at: Annotated[datetime | None, strawberry.argument(description=KNOWN_AT)] = None,
        first: int = 20,
        after: str | None = None,
    ) -> Connection[Memory] | None:
        """The archived memories that hold words of the query, best first. Nothing else finds what was archived."""
        page = await info.context.service.archive.search(
            await info.context.viewer_in(optional_id("Chat", chat_id), optional_id("Persona", persona_id)),
            query,
            times=info.context.times(as_of, known_at),
            first=first,
            after=after,
        )
        return connection(page, memory, after)


def _archived(found: archive.ArchivedMemory) -> ArchivedMemory:
    return ArchivedMemory(memory=memory(found.memory), archived_at=found.archived_at)


def _weak_fact(found: weak_facts.WeakFact) -> WeakFact:
    return WeakFact(memory=memory(found.memory), confidence=found.confidence, fades_at=found.fades_at)


def _context(found: assembly.Context) -> PromptContext:
    def memories(piece: composing.Piece) -> list[Memory]:
        return [memory(found.memories[memory_id]) for memory_id in piece.memory_ids]

    return PromptContext(
        text=found.text,
        always=found.always,
        tokens=found.tokens,
        budget=found.budget,
        analysis=analysis(found.analysis),
        entries=[
            ContextEntry(
                section=entry.piece.section,
                reason=entry.piece.reason,
                detail=entry.piece.detail,
                text=entry.piece.written(),
                tokens=entry.tokens,
                memories=memories(entry.piece),
            )
            for entry in found.entries
        ],
        left_out=[
            ContextOmission(
                section=omission.piece.section,
                reason=omission.piece.reason,
                left_out=omission.why,
                memories=memories(omission.piece),
            )
            for omission in found.left_out
        ],
    )
