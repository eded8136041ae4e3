"""Search: pages of what the retrievers find inside what the viewer may see, ranked by a profile (R1, R4).

Every result says where each list had it and what its score is made of. A page ends with a cursor that fixes the
question, the viewer and the times, so that what is written meanwhile moves nothing. Results come from pools of
candidates, each deeper than the one before; what a deeper pool adds stands behind what came before, so that the order
is the same for pages of any size. Which retrievers and fusions there are is `graph.retrieval.profiles`.
"""

import asyncio
import base64
import json
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import blake2b
from typing import Final

from graph.checks import checked_moment, checked_text
from graph.clock import Clock
from graph.database import Database
from graph.errors import InvalidInput
from graph.model import Memory, Times, Viewer
from graph.retrieval.analysis import Analysis, Analyst
from graph.retrieval.filters import NO_FILTERS, Filters
from graph.retrieval.fusion import Fused, Fusion, Hit, Link, deeper
from graph.retrieval.memories import Memories
from graph.retrieval.pools import Pools, Profile
from graph.retrieval.query_scope import find_query_scope
from graph.retrieval.retrievers.retriever import Request
from nlp.questions.intent import Intent

MAX_QUERY: Final = 10_000
MAX_PAGE: Final = 100
DEPTHS: Final = (75, 300, 1_200, 5_000)
"""How many turns of each list are candidates, pool by pool. What stands behind the last is not found: such a question
needs a filter."""


@dataclass(frozen=True, slots=True)
class Result:
    """A memory that was found, its score, what that is the sum of, its places in lists, the links that led to it."""

    memory: Memory
    score: float
    hits: Mapping[str, Hit]
    parts: Mapping[str, float]
    links: Mapping[str, Link]
    cursor: str


@dataclass(frozen=True, slots=True)
class Page:
    """Some results in order, whether there are more behind them, and what was made of the question."""

    results: list[Result]
    has_next: bool
    analysis: Analysis


@dataclass(frozen=True, slots=True)
class _Cursor:
    """What a page fixes for the next one."""

    question: str
    as_of: datetime
    known_at: datetime
    depth: int
    score: float
    memory_id: str

    def encode(self) -> str:
        fields = (
            self.question,
            self.as_of.isoformat(),
            self.known_at.isoformat(),
            self.depth,
            self.score,
            self.memory_id,
        )
        return base64.urlsafe_b64encode(json.dumps(fields).encode()).decode()

    @classmethod
    def decode(cls, text: str) -> "_Cursor":
        try:
            question, as_of, known_at, depth, score, memory_id = json.loads(base64.urlsafe_b64decode(text))
            times = checked_moment(datetime.fromisoformat(as_of)), checked_moment(datetime.fromisoformat(known_at))
            depth = min(max(int(depth), DEPTHS[0]), DEPTHS[-1])
            return cls(str(question), *times, depth, float(score), str(memory_id))
        except (ValueError, TypeError, OverflowError, RecursionError) as error:
            raise InvalidInput("this is no cursor of a search: pass on the one that a page gave, unchanged") from error


class Search:
    """Finds memories. Without an embedder there is no vector, and the full-text list answers alone (R11)."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        profiles: Mapping[tuple[Fusion, Intent], Profile],
        fusion: Fusion,
        analyst: Analyst,
        executor: Executor | None,
    ) -> None:
        """`fusion` is that of a search that names none. `executor` runs the models, None the event loop's own."""
        self._database = database
        self._clock = clock
        self._profiles = profiles
        self._fusion = fusion
        self._analyst = analyst
        self._pools = Pools(database, clock)
        self._memories = Memories(database, clock)
        self._executor = executor

    async def search(
        self,
        viewer: Viewer,
        query: str,
        *,
        filters: Filters = NO_FILTERS,
        times: Times | None = None,
        fusion: Fusion | None = None,
        intent: Intent | None = None,
        first: int | None = None,
        after: str | None = None,
    ) -> Page:
        """The best `first` memories for a question (1 to 100), or the next ones after a cursor. If not given, `first`
        follows from the question's complexity, `fusion` from the settings, and `intent` from the question.

        Raises `InvalidInput` for an empty or overlong query, a page size out of range, or a cursor of another search,
        and `NotFound` for a chat in which the viewer takes no part.
        """
        query = checked_text(query, limit=MAX_QUERY)
        if first is not None and not 1 <= first <= MAX_PAGE:
            raise InvalidInput(f"a page has 1 to {MAX_PAGE} results; {first} were asked for")
        fusion = fusion or self._fusion
        question = _digest(query, viewer, filters, fusion, intent)
        start = self._start(question, times, after)
        (vector, classified), scope = await asyncio.gather(
            asyncio.get_running_loop().run_in_executor(self._executor, self._analyst.read, query),
            find_query_scope(self._database, self._clock, viewer, query),
        )
        present = times is None and after is None
        analysis = self._analyst.analyse(query, classified, scope.entities, start.as_of, intent)
        first = first or analysis.effort.results
        request = Request(
            viewer,
            scope,
            query,
            vector,
            filters,
            _times(start),
            present,
            DEPTHS[0],
            analysis.period,
            analysis.effort.hops,
        )
        page, depth = await self._behind(request, self._profiles[fusion, analysis.intent], start, first)
        memories = await self._memories.load(viewer, [item.id for item in page[:first]], request.times)
        results = [
            Result(memories[item.id], item.score, item.hits, item.parts, item.links, _cursor(start, depth, item))
            for item in page[:first]
            if item.id in memories
        ]
        return Page(results, has_next=len(page) > first, analysis=analysis)

    def _start(self, question: str, times: Times | None, after: str | None) -> _Cursor:
        if after is None:
            now = self._clock()
            as_of, known_at = (times.as_of, times.known_at) if times else (now, now)
            return _Cursor(question, as_of, known_at, DEPTHS[0], float("inf"), "")
        cursor = _Cursor.decode(after)
        if cursor.question != question:
            raise InvalidInput(
                "this cursor belongs to another search: keep query, filters, fusion, intent, chat and persona the same"
            )
        return cursor

    async def _behind(
        self, request: Request, profile: Profile, start: _Cursor, first: int
    ) -> tuple[Sequence[Fused], int]:
        """What stands behind the cursor, more than `first` if there is more; and how deep the pools went for it."""
        ranking: list[Fused] = []
        ranked: set[str] = set()
        for depth in DEPTHS:
            pool = await self._pools.pool(replace(request, depth=depth), profile)
            # A fact of a turn that an earlier pool had was found there too.
            new = [item for item in pool.ranking if ranked.isdisjoint([item.id, *pool.evidence.get(item.id, ())])]
            ranking += deeper(ranking, new)
            ranked |= pool.ranked
            page = _behind(ranking, start)
            if depth >= start.depth and (len(page) > first or not pool.more):
                break
        return page, depth


def _behind(ranking: Sequence[Fused], start: _Cursor) -> Sequence[Fused]:
    """What comes after the cursor: after its memory, or where that is gone, after its score."""
    for place, item in enumerate(ranking):
        if item.id == start.memory_id:
            return ranking[place + 1 :]
    return [item for item in ranking if (-item.score, item.id) > (-start.score, start.memory_id)]


def _cursor(start: _Cursor, depth: int, item: Fused) -> str:
    return _Cursor(start.question, start.as_of, start.known_at, depth, item.score, item.id).encode()


def _times(start: _Cursor) -> Times:
    return Times(start.as_of, start.known_at)


def _digest(query: str, viewer: Viewer, filters: Filters, fusion: Fusion, intent: Intent | None) -> str:
    parts = (query, viewer.person_id, viewer.chat_id, viewer.persona_id, filters, fusion, intent)
    return blake2b(repr(parts).encode("utf-8"), digest_size=12).hexdigest()
