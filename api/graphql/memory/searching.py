"""Search: the question, its filters, and results that say why they are there."""

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from functools import partial
from typing import Annotated

import strawberry

from hippograph.api.arguments import inner_id, limited, optional_id, speaker_id, within_time, words
from hippograph.api.graphql.chat.chats import AsOf, ForPersona, InChat, KnownAt
from hippograph.api.graphql.context import Info, ReadContext
from hippograph.api.graphql.docs import argument, described, field, input_type, object_type
from hippograph.api.graphql.entity.cards import EntityCard, Reinforce, cards_of_found
from hippograph.api.graphql.entity.entities import Entity, entity
from hippograph.api.graphql.memory.memories import Memory, memories_of, memory
from hippograph.api.graphql.nodes import Connection, PageInfo, connection, global_id, page_info, to_type
from hippograph.api.graphql.vocabulary import MemoryCategory, MemoryKind, MemorySource, MemoryStatus
from hippograph.graph.errors import InvalidInput
from hippograph.graph.model import MemoryType, Sensitivity, Times
from hippograph.graph.retrieval import fusion
from hippograph.graph.retrieval.analysis import Analysis
from hippograph.graph.retrieval.filters import Filters
from hippograph.graph.retrieval.fusion import Hit
from hippograph.graph.retrieval.ranking import RankingProfile
from hippograph.graph.retrieval.search import Replacement, Result
from hippograph.nlp.questions.intent import Intent
from hippograph.nlp.questions.periods import EARLIEST, LATEST

PROFILE = "How results are ranked; without it as the service is set."


@input_type
class SearchFilter:
    """What a search is narrowed to. Several values of one field are alternatives; fields add up."""

    types: list[MemoryType] = strawberry.field(default_factory=list)
    kinds: list[MemoryKind] = strawberry.field(default_factory=list)
    categories: list[MemoryCategory] = strawberry.field(default_factory=list)
    tags: list[str] = described("All of them must be there.", default_factory=list)
    sources: list[MemorySource] = strawberry.field(default_factory=list)
    session_ids: list[strawberry.ID] = strawberry.field(default_factory=list)
    speaker_ids: list[strawberry.ID] = described(
        "People, and personas for the assistant's words.", default_factory=list
    )
    narratives: list[str] = strawberry.field(default_factory=list)
    tasks: list[str] = strawberry.field(default_factory=list)
    statuses: list[MemoryStatus] = described(
        "`ACTIVE`; what was archived is found by `archiveSearch` alone.", default_factory=lambda: [MemoryStatus.ACTIVE]
    )
    sensitivities: list[Sensitivity] = strawberry.field(default_factory=list)
    entities: list[str] = described("Keys of what it is about or names: `person:john`.", default_factory=list)
    space_ids: list[strawberry.ID] = described("What belongs to these spaces; nothing of none.", default_factory=list)
    community: int | None = described(
        "The number of a community where the viewer stands: what is about its entities or names them. "
        "Instead of `entities`.",
        default=None,
    )
    after: str | None = described(
        "When it happened: then or later. ISO 8601, or a phrase: `last_week`, `yesterday`, `in May 2025`.", default=None
    )
    before: str | None = described(
        "When it happened: earlier than that, or before the phrase's stretch begins.", default=None
    )
    least_confidence: float = 0.0


strawberry.enum(Intent, description="What a question asks for.")
strawberry.enum(
    RankingProfile,
    description="How results are ranked. `FUSED`: by words and meaning. `STRENGTH`: and by how important and how fresh "
    "in memory they are. `HEBBIAN`: by words, and by what served before. `BLENDED`: by meaning, recency and what is "
    "often named.",
)


@strawberry.enum(description="The lists that a search fuses.")
class SearchList(StrEnum):
    """The lists that a search fuses."""

    FULL_TEXT = fusion.FULL_TEXT
    VECTOR = fusion.VECTOR
    ENTITY = fusion.ENTITY
    PERIOD = fusion.PERIOD


@object_type
class Reason:
    """A memory's place in one of the lists that were fused."""

    list: SearchList = described(
        "By its words, by its meaning, by an entity that the question names, or by the time it speaks of."
    )
    rank: int = described("Its place in that list, from 1 on.")
    similarity: float | None = described("Of `VECTOR`: (1 + cosine) / 2 of the question and the memory, 0 to 1.")


@object_type
class ScorePart:
    """What ranking added to a score, and for what: a list, the turns around, a link that led to it, facts that were
    found in it, the turn in whose place a fact stands, a deeper pool of candidates.
    """

    name: str
    value: float


@object_type
class SearchLink:
    """That links of one kind led to a memory: names of titles, causes and effects, or what was before and after."""

    name: str = described("`title_hop`, `causal`, `temporal` or `co_recalled`.")
    path: list[strawberry.ID] = described(
        "The memories on the shortest way from a result to this one. Empty for `title_hop`."
    )
    steps: strawberry.Private[Sequence[str]]
    times: strawberry.Private[Times | None]

    @field
    async def memories(self, info: Info) -> list[Memory]:
        """The memories of `path`, read."""
        return await memories_of(info.context.loaders, self.steps, self.times)


@object_type
class QuestionAnalysis:
    """What was made of the question, and so how it was searched."""

    intent: Intent = described("Which traversals were taken.")
    margin: float | None = described(
        "By how much the intent was ahead of the next one, 0 to about 1; null when the caller named it."
    )
    keyword: str | None = described("Words of the question that show the intent, if there are any.")
    entities: list[Entity] = described("Those that the words of the question name.")
    period: str | None = described("The words that name a stretch of time.")
    after: datetime | None = described("When that stretch begins.")
    before: datetime | None = described("When it has ended.")
    hops: int = described("How far a traversal went.")


@object_type
class OutdatedStatement:
    """That what a turn says holds no longer."""

    reason: str = described("`ended`, `corrected` or `forgotten`.")
    since: datetime = described("When it ended, or when it was corrected or forgotten.")
    now: Memory | None = described("What holds in its place, if the viewer may see it.")


@object_type
class Passage:
    """The part of a long text that matched the question."""

    start: int = described("Where it begins in the text, in characters.")
    end: int = described("Where it has ended.")
    text: str = described("Its words.")


@object_type
class SearchEdge:
    """A memory that was found, and why."""

    node: Memory
    cursor: str
    score: float = described("The fused score: the sum of `parts`.")
    relevance: float = described("How relevant it is by itself, 0 to 1: comparable between questions, unlike `score`.")
    passage: Passage | None = described(
        "Of a text that the embedding model does not read whole, the part that matched."
    )
    outdated: OutdatedStatement | None = described(
        "Of a turn whose statement has ended, been corrected or forgotten. It stands behind what holds now."
    )
    ranks: list[Reason] = described("Its rank in each list; empty for what only a link led to.")
    parts: list[ScorePart]
    links: list[SearchLink]


@object_type
class SearchConnection:
    """A page of what was found, best first."""

    analysis: QuestionAnalysis
    page_info: PageInfo
    edges: list[SearchEdge]
    nodes: list[Memory]
    read_context: strawberry.Private[ReadContext]
    reinforce: strawberry.Private[bool]

    @field
    async def cards(self, info: Info) -> list[EntityCard]:
        """The cards of all that these memories name or are about, in the order in which it comes up there; none is
        empty. What is significant about it is on its card whether it was found or not.
        """
        found = [node.found.id for node in self.nodes]
        return await cards_of_found(info, self.read_context, found, reinforce=self.reinforce)


@object_type
class SearchQueries:
    """Finding memories."""

    @field
    async def search(
        self,
        info: Info,
        query: str,
        chat_id: Annotated[
            strawberry.ID | None, argument("Where the viewer asks: adds what belongs to this chat.")
        ] = None,
        persona_id: ForPersona = None,
        filter: SearchFilter | None = None,
        as_of: AsOf = None,
        known_at: KnownAt = None,
        intent: Annotated[Intent | None, argument("What is asked for; without it the question's words say.")] = None,
        profile: Annotated[RankingProfile | None, argument(PROFILE)] = None,
        min_relevance: Annotated[float, argument("Leaves out what is less relevant, 0 to 1.")] = 0.0,
        first: Annotated[
            int | None, argument("1 to 100; without it 5, or 20 for a complex question (see `analysis`).")
        ] = None,
        after: str | None = None,
        reinforce: Reinforce = True,
    ) -> SearchConnection | None:
        """The memories that answer best, by their words and by their meaning, among what the viewer may see. A cursor
        fixes the question and the times: pass it on with the same arguments. Pages go on to the last match, or behind
        the 5,000 best of each list: then `hasNextPage` is false, and a filter finds what is left.
        """
        context = info.context
        viewer = await context.viewer_in(chat_id, persona_id)
        read_context = ReadContext(viewer, context.times(as_of, known_at))
        page = await context.service.search.search(
            viewer,
            query,
            filters=await filters_of(info, filter or SearchFilter(), read_context),
            times=read_context.times,
            profile=profile,
            intent=intent,
            min_relevance=min_relevance,
            first=first,
            after=after,
            reinforce=context.recalls(reinforce),
        )
        edges = [_edge(result, read_context.times) for result in page.results]
        return SearchConnection(
            analysis=analysis(page.analysis),
            page_info=page_info(page.has_next, [edge.cursor for edge in edges], after),
            edges=edges,
            nodes=[edge.node for edge in edges],
            read_context=read_context,
            reinforce=context.recalls(reinforce) and after is None,
        )

    @field
    async def memories(
        self,
        info: Info,
        filter: SearchFilter | None = None,
        as_of: AsOf = None,
        known_at: KnownAt = None,
        first: int = 20,
        after: str | None = None,
    ) -> Connection[Memory] | None:
        """The viewer's own memories, those of their chats and those about them, newest first: each that they may see
        somewhere, alone or in one of their chats.
        """
        context = info.context
        read_context = ReadContext(context.viewer, context.times(as_of, known_at))
        page = await context.service.browsing.my_memories(
            read_context.viewer,
            await filters_of(info, filter or SearchFilter(), read_context),
            times=read_context.times,
            first=first,
            after=after,
        )
        return connection(page, partial(memory, times=read_context.times), after)

    @field
    async def memories_about(
        self,
        info: Info,
        person_ids: list[strawberry.ID] | None = None,
        query: Annotated[str | None, argument("A question; whom its words name is asked about too.")] = None,
        left_out_id: Annotated[
            strawberry.ID | None, argument("A person whose own memories are to be left out.")
        ] = None,
        chat_id: InChat = None,
        persona_id: ForPersona = None,
        as_of: AsOf = None,
        known_at: KnownAt = None,
        first: int = 20,
        after: str | None = None,
    ) -> Connection[Memory] | None:
        """What is known about people, whoever told it, newest first: what is portable and the viewer may see."""
        context = info.context
        times = context.times(as_of, known_at)
        page = await context.service.browsing.memories_about(
            await context.viewer_in(chat_id, persona_id),
            [inner_id("Person", person) for person in limited(person_ids or [])],
            query=query or "",
            left_out=optional_id("Person", left_out_id),
            times=times,
            first=first,
            after=after,
        )
        return connection(page, partial(memory, times=times), after)


def _edge(result: Result, times: Times | None) -> SearchEdge:
    return to_type(
        SearchEdge,
        result,
        node=memory(result.memory, times),
        passage=to_type(Passage, result.passage) if result.passage else None,
        outdated=_outdated(result.outdated),
        ranks=[_reason(SearchList(name), hit) for name, hit in result.hits.items()],
        parts=[ScorePart(name=name, value=value) for name, value in result.parts.items()],
        links=[
            SearchLink(name=name, path=[global_id("Memory", step) for step in link.path], steps=link.path, times=times)
            for name, link in result.links.items()
        ],
    )


def _outdated(found: Replacement | None) -> OutdatedStatement | None:
    if found is None:
        return None
    return to_type(OutdatedStatement, found, now=memory(found.now) if found.now else None)


def analysis(found: Analysis) -> QuestionAnalysis:
    """What was made of a question, as the outside sees it."""
    period = found.period
    return to_type(
        QuestionAnalysis,
        found,
        entities=[entity(each) for each in found.entities],
        period=period.words if period else None,
        after=period.start if period and period.start > EARLIEST else None,
        before=period.end if period and period.end < LATEST else None,
        hops=found.budget.hops,
    )


def _reason(name: SearchList, hit: Hit) -> Reason:
    """The list's own score is shown for vectors alone: BM25 depends on texts that the viewer may not see (P3)."""
    return Reason(list=name, rank=hit.rank, similarity=hit.score if name is SearchList.VECTOR else None)


async def filters_of(info: Info, given: SearchFilter, read_context: ReadContext) -> Filters:
    """What a filter means: phrases of time as of now, a community's entities. Raises `InvalidInput`."""
    entities = words(given.entities)
    if given.community is not None:
        if entities:
            raise InvalidInput("narrow a search to entities or to a community, not to both")
        entities = await info.context.service.communities.keys(read_context.viewer, given.community, read_context.times)
    filters = Filters(
        types=tuple(given.types),
        kinds=tuple(each.value for each in given.kinds),
        categories=tuple(each.value for each in given.categories),
        tags=words(given.tags),
        sources=tuple(each.value for each in given.sources),
        sessions=tuple(inner_id("Session", one) for one in limited(given.session_ids)),
        speakers=tuple(speaker_id(one) for one in limited(given.speaker_ids)),
        narratives=words(given.narratives),
        tasks=words(given.tasks),
        statuses=tuple(each.value for each in given.statuses),
        sensitivities=tuple(given.sensitivities),
        entities=entities,
        spaces=tuple(inner_id("Space", one) for one in limited(given.space_ids)),
        least_confidence=given.least_confidence,
    )
    service = info.context.service
    return await within_time(filters, service.people, read_context.viewer, service.clock(), given.after, given.before)
