"""Search: pages of what the retrievers find inside what the viewer may see, ranked by a profile (R1, R4).

Every result says where each list had it and what its score is made of. A page ends with a cursor that fixes the
question, the viewer and the times, so that what is written meanwhile moves nothing. Results come from pools of
candidates, each deeper than the one before; what a deeper pool adds stands behind what came before, so that the order
is the same for pages of any size. Which retrievers and fusions there are is `graph.retrieval.profiles`.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Final

from hippograph.graph.background import read_apart
from hippograph.graph.checks import checked_text
from hippograph.graph.clock import Clock
from hippograph.graph.database import Database, Row
from hippograph.graph.errors import InvalidInput
from hippograph.graph.ids import derived_id
from hippograph.graph.model import Memory, Times, Viewer
from hippograph.graph.paging import MAX_PAGE, checked_first, decode_cursor, encode_cursor
from hippograph.graph.retention.recall import ReadKind, Recall
from hippograph.graph.retrieval.analysis import Analysis, Analyst, moments_of
from hippograph.graph.retrieval.filters import NO_FILTERS, Filters
from hippograph.graph.retrieval.fusion import Fused, Fusion, Hit, Link, deeper
from hippograph.graph.retrieval.memories import Memories
from hippograph.graph.retrieval.outdated import Outdated
from hippograph.graph.retrieval.pools import Pools, Profile
from hippograph.graph.retrieval.query_scope import find_query_scope, names_of
from hippograph.graph.retrieval.ranking import RankingProfile
from hippograph.graph.retrieval.relevance import Relevance, unknown_people
from hippograph.graph.retrieval.retrievers.retriever import Request
from hippograph.graph.zones import time_there
from hippograph.nlp.attachments import mark_of
from hippograph.nlp.frames.frame import NOT_ASKED, asked_frames
from hippograph.nlp.questions.answer_cues import NO_CUES, answer_cues
from hippograph.nlp.questions.coverage import content_words
from hippograph.nlp.questions.events import around, find_event
from hippograph.nlp.questions.intent import Intent
from hippograph.nlp.questions.periods import Period

MAX_QUERY: Final = 10_000
DEPTHS: Final = (75, 300, 1_200, 5_000)
"""How many turns of each list are candidates, pool by pool. What stands behind the last is not found: such a question
needs a filter."""


@dataclass(frozen=True, slots=True)
class Replacement:
    """That what a turn says holds no longer: why (`ended`, `corrected`, `forgotten`), since when, and what holds now,
    as far as the viewer may see it.
    """

    reason: str
    since: datetime
    now: Memory | None


@dataclass(frozen=True, slots=True)
class Passage:
    """The part of a long text that a question is answered by, from the character `start` up to `end` (R11)."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Result:
    """A memory that was found, its score, what that is the sum of, its places in lists, the links that led to it; how
    relevant it is by itself, 0 to 1; of a long text the `passage` that matched; and `outdated`, when what it says holds
    no longer.
    """

    memory: Memory
    score: float
    relevance: float
    passage: Passage | None
    outdated: Replacement | None
    hits: Mapping[str, Hit]
    parts: Mapping[str, float]
    links: Mapping[str, Link]
    cursor: str

    @property
    def excerpt(self) -> str:
        """What the memory says, of a long text the part that matched, behind the mark of the file it was read in."""
        if self.passage is None:
            return self.memory.content
        text = self.passage.text
        if self.memory.attachments and (mark := mark_of(self.memory.content, self.passage.start)):
            text = f"{mark} > {text.removeprefix('> ')}"
        return f"… {text} …"


@dataclass(frozen=True, slots=True)
class Page:
    """Some results in order, whether there are more behind them, what was made of the question, and the relevance that
    nonsense does not reach and the best result of nearly every real question does.
    """

    results: list[Result]
    has_next: bool
    analysis: Analysis
    floor: float


@dataclass(frozen=True, slots=True)
class _Cursor:
    """What a page fixes for the next one."""

    question: str
    as_of: datetime
    known_at: datetime
    depth: int
    score: float
    memory_id: str


class Search:
    """Finds memories. Without an embedder there is no vector, and the full-text list answers alone (R11)."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        pools: Pools,
        profiles: Mapping[tuple[RankingProfile, Fusion, Intent], Profile],
        profile: RankingProfile,
        fusion: Fusion,
        analyst: Analyst,
        relevance: Relevance,
        executor: Executor | None,
        recall: Recall | None = None,
    ) -> None:
        """`profile` and `fusion` are those of a search that names none. `executor` runs the models, None the event
        loop's own.

        `recall` notes what is returned, where that is asked for.
        """
        self._database = database
        self._clock = clock
        self._profiles = profiles
        self._profile = profile
        self._fusion = fusion
        self._analyst = analyst
        self._relevance = relevance
        self._pools = pools
        self._memories = Memories(database, clock)
        self._executor = executor
        self._recall = recall

    async def search(
        self,
        viewer: Viewer,
        query: str,
        *,
        filters: Filters = NO_FILTERS,
        times: Times | None = None,
        profile: RankingProfile | None = None,
        fusion: Fusion | None = None,
        intent: Intent | None = None,
        min_relevance: float = 0.0,
        first: int | None = None,
        after: str | None = None,
        reinforce: bool = False,
    ) -> Page:
        """The best `first` memories for a question (1 to 100), or the next ones after a cursor. If not given, `first`
        follows from the question's complexity, `profile` and `fusion` from the settings, and `intent` from the
        question.

        With `reinforce` the results of the first page count as recalled (T4, R4).
        Results less relevant than `min_relevance` are left out; the search ends where a hundred in a row are.
        Raises `InvalidInput` for an empty or overlong query, a page size or relevance out of range, a cursor of another
        search, or the status `archived`, and `NotFound` for a chat in which the viewer takes no part.
        """
        query = _checked(query, filters, first, min_relevance)
        profile, fusion = profile or self._profile, fusion or self._fusion
        question = _digest(query, viewer, filters, profile, fusion, intent, min_relevance)
        start = self._start(question, times, after)
        present = times is None and after is None
        analysis, request = await self._read(viewer, query, filters, start, fusion, intent, present=present)
        first = first or analysis.budget.results
        route = self._profiles[profile, fusion, analysis.intent]
        found = await self._behind(request, route, start, first, min_relevance)
        results = await self._results(request, found, start, first)
        if reinforce and self._recall is not None:
            told = (result.memory.id for result in results)
            self._recall.note(viewer, told, ReadKind.SEARCH, reinforces=after is None)
        return Page(results, has_next=len(found.items) > first, analysis=analysis, floor=self._relevance.floor)

    async def _read(
        self,
        viewer: Viewer,
        query: str,
        filters: Filters,
        start: _Cursor,
        fusion: Fusion,
        intent: Intent | None,
        *,
        present: bool,
    ) -> tuple[Analysis, Request]:
        """What a question asks for, and what retrievers are given for it."""
        (embedding, classified), scope = await asyncio.gather(
            asyncio.get_running_loop().run_in_executor(self._executor, self._analyst.read, query),
            find_query_scope(self._database, self._clock, viewer, query),
        )
        analysis = self._analyst.analyse(query, classified, scope.entities, start.as_of, scope.time_zone, intent)
        request = Request(
            viewer,
            scope,
            query,
            embedding.vector if embedding else None,
            embedding.tokens if embedding else None,
            filters,
            Times(start.as_of, start.known_at),
            present,
            DEPTHS[0],
            analysis.period,
            analysis.budget.hops,
            cues=answer_cues(analysis.intent, query),
            asked=asked_frames(query),
        )
        if analysis.period is None and analysis.intent is Intent.WHEN:
            analysis = replace(analysis, period=await self._event_period(request, fusion))
            request = replace(request, period=analysis.period)
        return analysis, replace(request, strangers=await self._about_strangers(request))

    async def _about_strangers(self, request: Request) -> bool:
        """Whether a question names people whom the viewer does not know, and no memory they may see has the names."""
        known = [*request.scope.names, *(name for each in request.scope.entities for name in names_of(each))]
        # In a thread: the first time it reads tables of names.
        people = await asyncio.to_thread(lambda: unknown_people(content_words(request.query), known))
        return bool(people) and not await self._pools.holds(request, people)

    async def _event_period(self, request: Request, fusion: Fusion) -> Period | None:
        """The stretch of time before, after or during an event that the question names: when the best memory of it
        says that it was, if that is relevant enough.
        """
        phrase = find_event(request.query)
        if phrase is None:
            return None
        found = await asyncio.get_running_loop().run_in_executor(self._executor, self._analyst.embed, phrase.event)
        vector, tokens = (found.vector, found.tokens) if found else (None, None)
        asked = replace(
            request,
            query=phrase.event,
            vector=vector,
            tokens=tokens,
            filters=NO_FILTERS,
            cues=NO_CUES,
            asked=NOT_ASKED,
        )
        if await self._about_strangers(asked):
            return None
        pool = await self._pools.pool(asked, self._profiles[RankingProfile.FUSED, fusion, Intent.GENERAL])
        best = list(pool.ranking[:1])
        for memory in (await self._memories.load(request.viewer, [item.id for item in best], request.times)).values():
            if self._relevance.of(content_words(phrase.event), memory, best[0].cosine) > self._relevance.floor:
                zone = request.scope.time_zone
                return moments_of(around(phrase, time_there(memory, zone)), zone)
        return None

    async def _results(self, request: Request, found: "_Found", start: _Cursor, first: int) -> list[Result]:
        """The first of what was found, with their texts and what is to be told of them."""
        page = found.items[:first]
        holding = [found.outdated[item.id].holds for item in page if item.id in found.outdated]
        ids = [*(item.id for item in page), *(each for each in holding if each)]
        memories = await self._memories.load(request.viewer, ids, request.times)
        matches = await self._matches(request, page, memories)
        return [
            Result(
                memory=memories[item.id],
                score=item.score,
                relevance=matches[item.id].relevance,
                passage=matches[item.id].passage,
                outdated=_holding(found.outdated.get(item.id), memories),
                hits=item.hits,
                parts=item.parts,
                links=item.links,
                cursor=_cursor(start, found.depth, item),
            )
            for item in page
            if item.id in memories
        ]

    async def _matches(
        self, request: Request, items: Sequence[Fused], memories: Mapping[str, Memory]
    ) -> dict[str, "_Match"]:
        """How relevant each item is by itself, of those whose memories there are; of a text with parts its best one."""
        known = [item for item in items if item.id in memories]
        parts = await self._pools.nearest_parts(request, memories.values())

        def read() -> dict[str, _Match]:
            wanted = content_words(request.query)
            relevance = partial(self._relevance.of, wanted, strangers=request.strangers)
            return {each.id: _match(relevance, memories[each.id], each, parts.get(each.id, ())) for each in known}

        return await read_apart(len(request.query) + sum(len(memories[each.id].content) for each in known), read)

    def _start(self, question: str, times: Times | None, after: str | None) -> _Cursor:
        now = self._clock()
        as_of, known_at = (times.as_of, times.known_at) if times else (now, now)
        start = (question, as_of, known_at, DEPTHS[0], float("inf"), "")
        cursor = _Cursor(*decode_cursor("search", after, start))
        if cursor.question != question:
            raise InvalidInput(
                "this cursor belongs to another search: keep query, filters, profile, chat and all else the same"
            )
        return cursor

    async def _behind(self, request: Request, profile: Profile, start: _Cursor, first: int, least: float) -> "_Found":
        """What stands behind the cursor, more than `first` if there is more."""
        ranking: list[Fused] = []
        ranked: set[str] = set()
        outdated: dict[str, Outdated] = {}
        for depth in DEPTHS:
            pool = await self._pools.pool(replace(request, depth=depth), profile)
            # A fact of a turn that an earlier pool had was found there too.
            new = [item for item in pool.ranking if ranked.isdisjoint([item.id, *pool.evidence.get(item.id, ())])]
            ranking += deeper(ranking, new)
            ranked |= pool.ranked
            outdated |= pool.outdated
            if depth < min(start.depth, DEPTHS[-1]):
                continue
            page, more = _behind(ranking, start), pool.more
            if least > 0:
                page, more = await self._relevant(request, page, first, least, more=more)
            if len(page) > first or not more:
                break
        return _Found(page, outdated, depth)

    async def _relevant(
        self, request: Request, page: Sequence[Fused], first: int, least: float, *, more: bool
    ) -> tuple[list[Fused], bool]:
        """The items that are relevant enough, more than `first` if there are; and whether there may be more of them."""
        kept: list[Fused] = []
        for begin in range(0, len(page), MAX_PAGE):
            some = page[begin : begin + MAX_PAGE]
            memories = await self._memories.load(request.viewer, [item.id for item in some], request.times)
            matches = await self._matches(request, some, memories)
            above = [each for each in some if each.id in matches and matches[each.id].relevance >= least]
            kept += above
            if len(kept) > first or not above:
                return kept, more and bool(above)
        return kept, more


@dataclass(frozen=True, slots=True)
class _Match:
    """How relevant a memory is, and the part of it that is."""

    relevance: float
    passage: Passage | None


def _match(relevance: Callable[..., float], memory: Memory, item: Fused, parts: Sequence[Row]) -> _Match:
    """How relevant a memory is to a question; of a text with parts the best of them."""
    if not parts:
        return _Match(relevance(memory, item.cosine), None)
    found = [(relevance(memory, row["cosine"], memory.content[row["start"] : row["end"]]), row) for row in parts]
    best, row = max(found, key=lambda each: each[0])
    start, end = row["start"], row["end"]
    return _Match(best, Passage(start, end, memory.content[start:end]))


@dataclass(frozen=True, slots=True)
class _Found:
    """What stands behind a cursor, the turns that say what holds no longer, and how deep the pools went for it."""

    items: Sequence[Fused]
    outdated: Mapping[str, Outdated]
    depth: int


def _holding(found: Outdated | None, memories: Mapping[str, Memory]) -> Replacement | None:
    return Replacement(found.reason, found.since, memories.get(found.holds or "")) if found else None


def _behind(ranking: Sequence[Fused], start: _Cursor) -> Sequence[Fused]:
    """What comes after the cursor: after its memory, or where that is gone, after its score."""
    for place, item in enumerate(ranking):
        if item.id == start.memory_id:
            return ranking[place + 1 :]
    return [item for item in ranking if (-item.score, item.id) > (-start.score, start.memory_id)]


def _cursor(start: _Cursor, depth: int, item: Fused) -> str:
    return encode_cursor("search", (start.question, start.as_of, start.known_at, depth, item.score, item.id))


def _checked(query: str, filters: Filters, first: int | None, min_relevance: float) -> str:
    """The question's text, of a search that can be done. Raises `InvalidInput`."""
    text = checked_text(query, limit=MAX_QUERY)
    if "archived" in filters.statuses:
        raise InvalidInput("what was archived is found by the search of the archive alone")
    if first is not None:
        checked_first(first)
    if not 0 <= min_relevance <= 1:
        raise InvalidInput(f"a relevance is between 0 and 1; {min_relevance} was asked for")
    return text


def _digest(query: str, viewer: Viewer, *choices: object) -> str:
    """Tells searches apart, so that a cursor of one is not taken for one of another."""
    parts = (query, viewer.person_id, viewer.chat_id, viewer.persona_id, viewer.every_persona, *choices)
    return derived_id(repr(parts))
