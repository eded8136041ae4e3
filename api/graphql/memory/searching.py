"""Search: the query, its filters, and results with the reasons for their rank."""

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

PROFILE = "How results are ranked (default: the setting `ranking_profile`)."


@input_type
class SearchFilter:
    """Restricts a search. Several values of one field are alternatives; all given fields must match."""

    types: list[MemoryType] = strawberry.field(default_factory=list)
    kinds: list[MemoryKind] = strawberry.field(default_factory=list)
    categories: list[MemoryCategory] = strawberry.field(default_factory=list)
    tags: list[str] = described("Only memories with all of these tags.", default_factory=list)
    sources: list[MemorySource] = strawberry.field(default_factory=list)
    session_ids: list[strawberry.ID] = strawberry.field(default_factory=list)
    speaker_ids: list[strawberry.ID] = described(
        "Only memories of one of these speakers: ids of people, or of personas for the assistant's words.",
        default_factory=list,
    )
    narratives: list[str] = strawberry.field(default_factory=list)
    tasks: list[str] = strawberry.field(default_factory=list)
    statuses: list[MemoryStatus] = described(
        "Only memories with one of these statuses. `search` takes `ACTIVE` alone; `archiveSearch` finds "
        "archived memories.",
        default_factory=lambda: [MemoryStatus.ACTIVE],
    )
    sensitivities: list[Sensitivity] = strawberry.field(default_factory=list)
    entities: list[str] = described(
        "Only memories that are about or name one of these entities, given by key: `person:john`.", default_factory=list
    )
    space_ids: list[strawberry.ID] = described(
        "Only memories that belong to one of these spaces; those that belong to no space are excluded.",
        default_factory=list,
    )
    community: int | None = described(
        "Only memories that are about or name entities of this community, given by its number in the "
        "viewer's current scope. Not to be combined with `entities`.",
        default=None,
    )
    after: str | None = described(
        "Only memories of events at this time or later. ISO 8601, or a phrase: `last_week`, `yesterday`, `in "
        "May 2025`.",
        default=None,
    )
    before: str | None = described(
        "Only memories of events before this time, or before the period of the phrase begins.", default=None
    )
    least_confidence: float = 0.0


strawberry.enum(Intent, description="What a question asks for.")
strawberry.enum(
    RankingProfile,
    description="How results are ranked. `FUSED`: by words and meaning. `STRENGTH`: by these, importance, and how "
    "recently they were used. `HEBBIAN`: by words, and by how useful they were before. `BLENDED`: by "
    "meaning, recency, and how often their entities are named.",
)


@strawberry.enum(description="A ranked list that a search fuses.")
class SearchList(StrEnum):
    """A ranked list that a search fuses."""

    FULL_TEXT = fusion.FULL_TEXT
    VECTOR = fusion.VECTOR
    ENTITY = fusion.ENTITY
    PERIOD = fusion.PERIOD


@object_type
class Reason:
    """A memory's rank in one of the lists that were fused."""

    list: SearchList = described(
        "The list: by words, by meaning, by an entity that the question names, or by the time that it names."
    )
    rank: int = described("The rank of the memory in that list, from 1.")
    similarity: float | None = described(
        "For `VECTOR`: (1 + cosine similarity) / 2 of the question and the memory, 0 to 1; null for other lists."
    )


@object_type
class ScorePart:
    """A part of a score, named after its cause, such as: a ranked list, the neighbouring turns, a link that led to the
    memory, facts extracted from it, the turn that a fact replaces among the results, a deeper pool of candidates.
    """

    name: str
    value: float


@object_type
class SearchLink:
    """Links of one kind that led to a memory: names in titles, causes and effects, what came before or after, or
    memories recalled together.
    """

    name: str = described("The kind of link: `title_hop`, `causal`, `temporal` or `co_recalled`.")
    path: list[strawberry.ID] = described(
        "The ids of the memories on the shortest path from a result to this one; empty for `title_hop`."
    )
    steps: strawberry.Private[Sequence[str]]
    times: strawberry.Private[Times | None]

    @field
    async def memories(self, info: Info) -> list[Memory]:
        """The memories of `path` that the viewer may see."""
        return await memories_of(info.context.loaders, self.steps, self.times)


@object_type
class QuestionAnalysis:
    """The analysis of the question, which determines how the search is run."""

    intent: Intent = described("What the question asks for, which determines the traversals.")
    margin: float | None = described(
        "The lead of the intent's score over that of the next one, 0 to about 1; null if the caller chose the intent."
    )
    keyword: str | None = described("Words of the question that indicate the intent; null if there are none.")
    entities: list[Entity] = described("The entities that the question names.")
    period: str | None = described("The words that name a period; null if the question names none.")
    after: datetime | None = described("The start of that period; null if it has none.")
    before: datetime | None = described("The end of that period (exclusive); null if it has none.")
    hops: int = described("The maximum number of hops of a traversal.")


@object_type
class OutdatedStatement:
    """Why and since when a turn's statement no longer holds, and what holds in its place."""

    reason: str = described("Why it no longer holds: `ended`, `corrected` or `forgotten`.")
    since: datetime = described("When it ended, or when it was corrected or forgotten.")
    now: Memory | None = described("The memory that holds in its place; null if there is none that the viewer may see.")


@object_type
class Passage:
    """The part of a long text that matched the question."""

    start: int = described("The position of its first character in the text, from 0.")
    end: int = described("The position after its last character.")
    text: str = described("The text of the passage.")


@object_type
class SearchEdge:
    """A memory that was found, with the reasons."""

    node: Memory
    cursor: str
    score: float = described("The score after fusion: the sum of `parts`.")
    relevance: float = described(
        "The relevance of the memory by itself, 0 to 1; comparable between questions, unlike `score`."
    )
    passage: Passage | None = described(
        "The part that matched, for a text that is too long for the embedding model to read as a whole; null "
        "for other texts."
    )
    outdated: OutdatedStatement | None = described(
        "For a turn whose statement has ended, been corrected or forgotten; it ranks behind what holds now. "
        "Null for other memories."
    )
    ranks: list[Reason] = described("The rank of the memory in each list; empty if only a link led to it.")
    parts: list[ScorePart]
    links: list[SearchLink]


@object_type
class SearchConnection:
    """A page of results, best first."""

    analysis: QuestionAnalysis
    page_info: PageInfo
    edges: list[SearchEdge]
    nodes: list[Memory]
    read_context: strawberry.Private[ReadContext]
    reinforce: strawberry.Private[bool]

    @field
    async def cards(self, info: Info) -> list[EntityCard]:
        """The cards of all entities that these memories name or are about, in the order of their first occurrence. No
        card is empty. The significant facts on a card need not be among the results.
        """
        found = [node.found.id for node in self.nodes]
        return await cards_of_found(info, self.read_context, found, reinforce=self.reinforce)


@object_type
class SearchQueries:
    """Queries that find memories."""

    @field
    async def search(
        self,
        info: Info,
        query: str,
        chat_id: Annotated[
            strawberry.ID | None,
            argument("The chat in which the viewer asks; what belongs to it is included (default: none)."),
        ] = None,
        persona_id: ForPersona = None,
        filter: SearchFilter | None = None,
        as_of: AsOf = None,
        known_at: KnownAt = None,
        intent: Annotated[
            Intent | None, argument("What the question asks for (default: inferred from the question).")
        ] = None,
        profile: Annotated[RankingProfile | None, argument(PROFILE)] = None,
        min_relevance: Annotated[float, argument("The minimum relevance of results, 0 to 1.")] = 0.0,
        first: Annotated[
            int | None,
            argument(
                "The maximum number of results, 1 to 100. Default: 5, or 20 for a complex question (see `analysis`); "
                "10 if the setting `adaptive_complexity` is off."
            ),
        ] = None,
        after: str | None = None,
        reinforce: Reinforce = True,
    ) -> SearchConnection | None:
        """The memories visible to the viewer that answer the query best, by words and by meaning. A cursor fixes the
        query and the times: pass it with the same arguments. Pages end at the last match, or after the 5,000 best of
        each list: then `hasNextPage` is false, and a filter is needed to find the rest.
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
        """The viewer's own memories, those of their chats and those about them, newest first: all that they may see
        anywhere, alone or in one of their chats.
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
        query: Annotated[str | None, argument("A question; the people whom it names are included, too.")] = None,
        left_out_id: Annotated[strawberry.ID | None, argument("A person whose own memories are left out.")] = None,
        chat_id: InChat = None,
        persona_id: ForPersona = None,
        as_of: AsOf = None,
        known_at: KnownAt = None,
        first: int = 20,
        after: str | None = None,
    ) -> Connection[Memory] | None:
        """Portable memories about people that the viewer may see, whoever stated them, newest first."""
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
    """Returns the GraphQL object of an analysis."""
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
    """Returns a hit as a reason. Only the vector list shows its score: BM25 scores depend on texts that the viewer may
    not see (P3).
    """
    return Reason(list=name, rank=hit.rank, similarity=hit.score if name is SearchList.VECTOR else None)


async def filters_of(info: Info, given: SearchFilter, read_context: ReadContext) -> Filters:
    """Returns the filters of a search: time phrases are resolved relative to now, a community to its entities. Raises
    `InvalidInput`.
    """
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
