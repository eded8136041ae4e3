"""The context of a prompt, weak facts, and the archive."""

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
    description="A section of a context. Blocks of working memory, the user's state, pinned memories, summaries and "
    "open todos are always included. Then come facts, with entity cards first, profiles of the people "
    "and things concerned, turns in chronological order, and sources below their facts.",
)
strawberry.enum(
    composing.Reason,
    name="ContextReason",
    description="Why an entry is in a context: it is always included (a block, the user's state, a pinned memory, a "
    "summary, a todo), is on the card of an entity, was found by the search, describes an entity, or is "
    "the source of a fact.",
)
strawberry.enum(
    composing.LeftOut,
    name="ContextLeftOut",
    description="Why an entry is not in a context: the budget was used up, the context contains it already, or no "
    "search result was relevant enough to be an answer.",
)


@object_type
class ContextEntry:
    """An entry of a context, and why it is there."""

    section: composing.Section = described("The section that it is in.")
    reason: composing.Reason = described("Why it is included.")
    detail: str = described(
        "More on the reason: the key of a state, the entity's key for a card or profile, the rank of a "
        "search result, the fact's id for a source."
    )
    text: str = described("The text of the entry in the context.")
    tokens: int = described("The number of tokens that it takes.")
    memories: list[Memory] = described("The memories that it contains.")


@object_type
class ContextOmission:
    """An entry that was left out of a context, and why."""

    section: composing.Section = described("The section that it would be in.")
    reason: composing.Reason = described("Why it would be included.")
    left_out: composing.LeftOut = described("Why it was left out.")
    memories: list[Memory] = described("The memories that it would contain.")


@object_type
class PromptContext:
    """What an assistant needs to know for its answer, as Markdown with the ids of memories as `[id:…]`. It is enclosed
    in a fence, after a notice that it is data. Statements of others are attributed to them.
    """

    text: str
    always: str = described(
        "The beginning of `text`, which is always included. It does not depend on the question, so that "
        "prompt caches hit."
    )
    tokens: int = described("The number of tokens of `text`, counted by the embedding model's own tokenizer.")
    budget: int = described(
        "The budget for search results, in tokens; the part that is always included takes up to 1000 more."
    )
    analysis: QuestionAnalysis = described("The analysis of the question.")
    entries: list[ContextEntry] = described("All entries of the context.")
    left_out: list[ContextOmission] = described("All entries that were left out.")


@object_type
class WeakFact:
    """A fact whose confidence has decayed to a low value."""

    memory: Memory
    confidence: float = described("The confidence now, after decay, 0 to 1.")
    fades_at: datetime | None = described(
        "When the fact will be retired as faded or expired, unless it is recalled before; null for never."
    )


@object_type
class ArchivedMemory:
    """A memory in the archive."""

    memory: Memory
    archived_at: datetime = described("When it was archived.")


@input_type
class RestoreMemoryInput:
    """The archived memory to restore."""

    memory_id: strawberry.ID


@object_type
class RestoreMemoryPayload:
    """The restored memory."""

    memory_id: strawberry.ID
    memory: Memory | None = described("The memory as it is now; null if the viewer may not see it.")


RestoreMemoryResult = Annotated[RestoreMemoryPayload | FailureOrNotAllowed, strawberry.union("RestoreMemoryResult")]


@object_type
class ArchiveMutations:
    """Restoring archived memories."""

    @field
    async def restore_memory(self, info: Info, input: RestoreMemoryInput) -> RestoreMemoryResult | None:
        """Restores a memory from the archive. Allowed to its owner and to members of its chat. If the same claim was
        stated anew meanwhile, the restored memory ends when the newer one begins.
        """
        service, viewer, memory_id = info.context.service, info.context.viewer, inner_id("Memory", input.memory_id)
        await service.archive.restore(viewer, memory_id)
        return RestoreMemoryPayload(memory_id=input.memory_id, memory=await held_memory(info, memory_id))


Budget = Annotated[
    int | None,
    argument(
        "The token budget for search results, 0 to 100,000. Default: 1000, or 3000 for a complex question; "
        "the setting `context_token_budget` if `adaptive_complexity` is off."
    ),
]
TotalBudget = Annotated[
    int | None,
    argument(
        "The token budget for all of `text`, 0 to 100,000, in place of `budget`; at most half of it goes to "
        "what is always included."
    ),
]


@object_type
class ContextQueries:
    """The context of a prompt, weak facts, and the archive."""

    @field
    async def context(
        self,
        info: Info,
        query: str,
        chat_id: InChat = None,
        persona_id: ForPersona = None,
        budget: Budget = None,
        total: TotalBudget = None,
        as_of: AsOf = None,
        known_at: KnownAt = None,
        intent: Annotated[
            Intent | None, argument("What the question asks for (default: inferred from the question).")
        ] = None,
        profile: Annotated[RankingProfile | None, argument(PROFILE)] = None,
        reinforce: Reinforce = True,
    ) -> PromptContext | None:
        """The memories for a prompt about this question, within a token budget: first those that are always included,
        then the search results. For example `context(query: "What does Priya like?") { text tokens }`.
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
        below: Annotated[float, argument("The confidence below which a fact is weak, 0 to 1.")] = 0.3,
        first: int = 20,
        after: str | None = None,
    ) -> Connection[WeakFact] | None:
        """The facts whose confidence has decayed below a threshold, weakest first: the viewer's own, those of their
        chats and those about them. `confirmFact` keeps one, `forget` drops it.
        """
        found = info.context.service.weak_facts
        return connection(
            await found.weak(info.context.viewer, below=below, first=first, after=after), _weak_fact, after
        )

    @field
    async def archive(self, info: Info, first: int = 20, after: str | None = None) -> Connection[ArchivedMemory] | None:
        """The viewer's own archived memories, those of their chats and those about them, latest archived first.
        `restoreMemory` restores one.
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
        """The archived memories that contain words of the query, best first. No other search finds them."""
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
