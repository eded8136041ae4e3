"""The context of a prompt, and what else is read of the store for an assistant: weak facts and the archive."""

from datetime import datetime
from typing import Annotated

import strawberry

from hippograph.api.arguments import inner_id
from hippograph.api.graphql.chat.chats import AsOf, ForPersona, InChat, KnownAt
from hippograph.api.graphql.context import Info
from hippograph.api.graphql.docs import argument, described, field, input_type, object_type
from hippograph.api.graphql.entity.cards import Reinforce
from hippograph.api.graphql.errors import FailureOrNotAllowed
from hippograph.api.graphql.memory.memories import Memory, held_memory, memory
from hippograph.api.graphql.memory.searching import PROFILE, QuestionAnalysis, analysis
from hippograph.api.graphql.nodes import Connection, connection, to_type
from hippograph.graph.context import assembly, composing
from hippograph.graph.reading import archive, weak_facts
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

    section: composing.Section = described("Where it stands.")
    reason: composing.Reason = described("Why it stands there.")
    detail: str = described(
        "Of a state its key, of a card or a profile the entity's, of what was found its place, of a source "
        "the fact's id."
    )
    text: str = described("As it reads.")
    tokens: int = described("How many tokens it takes.")
    memories: list[Memory] = described("The memories that it holds.")


@object_type
class ContextOmission:
    """Something that was left out of a context, and why."""

    section: composing.Section = described("Where it would stand.")
    reason: composing.Reason = described("Why it would be there.")
    left_out: composing.LeftOut = described("Why it is not.")
    memories: list[Memory] = described("The memories that it would hold.")


@object_type
class PromptContext:
    """What an assistant is to know for its answer, as Markdown with the ids of memories as `[id:…]`, within a fence and
    behind the notice that it is data. What another said says so.
    """

    text: str
    always: str = described(
        "The beginning of `text`: what always stands there. The question changes nothing in it, so that a "
        "prompt cache holds."
    )
    tokens: int = described("Of `text`, by the embedding model's own tokenizer.")
    budget: int = described("For what was found, in tokens; up to 1000 more always stand there.")
    analysis: QuestionAnalysis = described("What was made of the question.")
    entries: list[ContextEntry] = described("All that stands there.")
    left_out: list[ContextOmission] = described("All that was found and does not stand there.")


@object_type
class WeakFact:
    """A fact that is hardly believed any more."""

    memory: Memory
    confidence: float = described("What is left of it by now.")
    fades_at: datetime | None = described(
        "When it will be retired as faded, unless somebody comes back to it; null for what is pinned."
    )


@object_type
class ArchivedMemory:
    """A memory in the archive."""

    memory: Memory
    archived_at: datetime = described("When it came there.")


@input_type
class RestoreMemoryInput:
    """A memory in the archive."""

    memory_id: strawberry.ID


@object_type
class RestoreMemoryPayload:
    """A memory that is out of the archive."""

    memory_id: strawberry.ID
    memory: Memory | None = described("Null where the viewer does not see it, since it ended.")


RestoreMemoryResult = Annotated[RestoreMemoryPayload | FailureOrNotAllowed, strawberry.union("RestoreMemoryResult")]


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
        return RestoreMemoryPayload(memory_id=input.memory_id, memory=await held_memory(info, memory_id))


@object_type
class ContextQueries:
    """What an assistant is given."""

    @field
    async def context(
        self,
        info: Info,
        query: str,
        chat_id: InChat = None,
        persona_id: ForPersona = None,
        budget: Annotated[
            int | None, argument("Tokens for what was found; without it 1000, or 3000 for a complex question.")
        ] = None,
        total: Annotated[
            int | None,
            argument("Tokens for all of `text` in place of `budget`; up to half for what always stands there."),
        ] = None,
        as_of: AsOf = None,
        known_at: KnownAt = None,
        intent: Annotated[Intent | None, argument("What is asked for; without it the question's words say.")] = None,
        profile: Annotated[RankingProfile | None, argument(PROFILE)] = None,
        reinforce: Reinforce = True,
    ) -> PromptContext | None:
        """What of the memories belongs into a prompt for this question: what always stands there, then what was found,
        by a budget of tokens. For example `context(query: "What does Priya like?") { text tokens }`.
        """
        found = await info.context.service.contexts.context(
            await info.context.viewer_in(chat_id, persona_id),
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
        below: Annotated[float, argument("The confidence below which a fact is weak.")] = 0.3,
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
        chat_id: InChat = None,
        persona_id: ForPersona = None,
        as_of: AsOf = None,
        known_at: KnownAt = None,
        first: int = 20,
        after: str | None = None,
    ) -> Connection[Memory] | None:
        """The archived memories that hold words of the query, best first. Nothing else finds what was archived."""
        page = await info.context.service.archive.search(
            await info.context.viewer_in(chat_id, persona_id),
            query,
            times=info.context.times(as_of, known_at),
            first=first,
            after=after,
        )
        return connection(page, memory, after)


def _archived(found: archive.ArchivedMemory) -> ArchivedMemory:
    return to_type(ArchivedMemory, found, memory=memory(found.memory))


def _weak_fact(found: weak_facts.WeakFact) -> WeakFact:
    return to_type(WeakFact, found, memory=memory(found.memory))


def _context(found: assembly.Context) -> PromptContext:
    def memories(piece: composing.Piece) -> list[Memory]:
        return [memory(found.memories[memory_id]) for memory_id in piece.memory_ids]

    return to_type(
        PromptContext,
        found,
        analysis=analysis(found.analysis),
        entries=[
            to_type(
                ContextEntry,
                entry.piece,
                text=entry.piece.written(),
                tokens=entry.tokens,
                memories=memories(entry.piece),
            )
            for entry in found.entries
        ],
        left_out=[
            to_type(ContextOmission, omission.piece, left_out=omission.why, memories=memories(omission.piece))
            for omission in found.left_out
        ],
    )
