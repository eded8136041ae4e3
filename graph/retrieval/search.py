"""Search: pages of what the retrievers find among the memories that the viewer may see, ranked by a profile (R1, R4).

Every result has its rank in each list and the parts of its score. Its cursor fixes the question, the viewer and the
times, so that later writes do not move results. Results come from pools of candidates, each deeper than the one before.
What a deeper pool adds follows the earlier results, so that the order is the same for pages of any size. The retrievers
and methods of fusion are listed in `graph.retrieval.profiles`.
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
"""Maximum number of turns of each list that are candidates, pool by pool. What ranks behind the last is not found: such
a question needs a filter.
"""


@dataclass(frozen=True, slots=True)
class Replacement:
    """Why what a turn says no longer holds (`ended`, `corrected`, `forgotten`), since when, and the memory that holds
    now; None if there is none that the viewer may see.
    """

    reason: str
    since: datetime
    now: Memory | None


@dataclass(frozen=True, slots=True)
class Passage:
    """The part of a long text that matches a question best: its characters from `start` to before `end` (R11)."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Result:
    """A memory that was found. `score` is the sum of `parts`, `hits` are its places in lists, and `links` led to it.
    `relevance` is how relevant it is by itself, 0 to 1. `passage` is the part of a long text that matched. `outdated`
    is set if what it says no longer holds.
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
        """The text of the memory; of a long one the part that matched, after the mark of the file it was read in."""
        if self.passage is None:
            return self.memory.content
        text = self.passage.text
        if self.memory.attachments and (mark := mark_of(self.memory.content, self.passage.start)):
            text = f"{mark} > {text.removeprefix('> ')}"
        return f"… {text} …"


@dataclass(frozen=True, slots=True)
class Page:
    """Some results in order, whether more follow, and the analysis of the question. `floor` is a relevance that
    nonsense does not reach and the best result of nearly every real question does.
    """

    results: list[Result]
    has_next: bool
    analysis: Analysis
    floor: float


@dataclass(frozen=True, slots=True)
class _Cursor:
    """What a cursor fixes for the next page: the search, its times, and the last result."""

    question: str
    as_of: datetime
    known_at: datetime
    depth: int
    score: float
    memory_id: str


class Search:
    """Finds memories. Without an embedder there is no vector list (R11)."""

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
        """`profile` and `fusion` are the defaults of a search that names none. `executor` runs the models; None is the
        event loop's default.

        `recall` records what a search returned, if the search asks for it.
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
        """The best `first` memories for a question (1 to 100), or the next ones after a cursor. By default `first`
        depends on the question's complexity, `profile` and `fusion` on the settings, and `intent` on the question.

        With `reinforce` the results of the first page count as recalled (T4, R4); later pages are only logged as used.
        Results less relevant than `min_relevance` are left out. They are checked in blocks of 100, and the search ends
        at a block without a relevant one.
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
        """The analysis of a question, and the request for the retrievers."""
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
        """Whether a question names people, all of them unknown to the viewer and in no memory that they may see."""
        known = [*request.scope.names, *(name for each in request.scope.entities for name in names_of(each))]
        # In a thread: the first call reads tables of names.
        people = await asyncio.to_thread(lambda: unknown_people(content_words(request.query), known))
        return bool(people) and not await self._pools.holds(request, people)

    async def _event_period(self, request: Request, fusion: Fusion) -> Period | None:
        """The period before, after or during an event that the question names. The event is dated by the best memory
        about it; None if that is not relevant enough.
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
        """The first of the items found, with their memories, their relevance and what replaces them."""
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
        """The relevance of each item whose memory is given, by id; for a text with parts, that of its best part."""
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
        """The items after the cursor: more than `first` if there are."""
        ranking: list[Fused] = []
        ranked: set[str] = set()
        outdated: dict[str, Outdated] = {}
        for depth in DEPTHS:
            pool = await self._pools.pool(replace(request, depth=depth), profile)
            # A fact counts as found if an earlier pool had a turn that is its evidence.
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
        """The items that are relevant enough, more than `first` if there are, and whether there may be more of them."""
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
    """The relevance of a memory, and the part that has it; None for a text without parts."""

    relevance: float
    passage: Passage | None


def _match(relevance: Callable[..., float], memory: Memory, item: Fused, parts: Sequence[Row]) -> _Match:
    """The match of a memory with a question; for a text with parts, that of the best part."""
    if not parts:
        return _Match(relevance(memory, item.cosine), None)
    found = [(relevance(memory, row["cosine"], memory.content[row["start"] : row["end"]]), row) for row in parts]
    best, row = max(found, key=lambda each: each[0])
    start, end = row["start"], row["end"]
    return _Match(best, Passage(start, end, memory.content[start:end]))


@dataclass(frozen=True, slots=True)
class _Found:
    """The items after a cursor, the turns that state something outdated, and the depth of the last pool."""

    items: Sequence[Fused]
    outdated: Mapping[str, Outdated]
    depth: int


def _holding(found: Outdated | None, memories: Mapping[str, Memory]) -> Replacement | None:
    return Replacement(found.reason, found.since, memories.get(found.holds or "")) if found else None


def _behind(ranking: Sequence[Fused], start: _Cursor) -> Sequence[Fused]:
    """The items after the memory of the cursor or, if that is gone, after its score."""
    for place, item in enumerate(ranking):
        if item.id == start.memory_id:
            return ranking[place + 1 :]
    return [item for item in ranking if (-item.score, item.id) > (-start.score, start.memory_id)]


def _cursor(start: _Cursor, depth: int, item: Fused) -> str:
    return encode_cursor("search", (start.question, start.as_of, start.known_at, depth, item.score, item.id))


def _checked(query: str, filters: Filters, first: int | None, min_relevance: float) -> str:
    """The text of the question, checked. Raises `InvalidInput` for a search that cannot be done."""
    text = checked_text(query, limit=MAX_QUERY)
    if "archived" in filters.statuses:
        raise InvalidInput("what was archived is found by the search of the archive alone")
    if first is not None:
        checked_first(first)
    if not 0 <= min_relevance <= 1:
        raise InvalidInput(f"a relevance is between 0 and 1; {min_relevance} was asked for")
    return text


def _digest(query: str, viewer: Viewer, *choices: object) -> str:
    """A digest that tells searches apart, so that a cursor of one is not accepted in another."""
    parts = (query, viewer.person_id, viewer.chat_id, viewer.persona_id, viewer.every_persona, *choices)
    return derived_id(repr(parts))
