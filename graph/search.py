"""Search: the same question to the full-text and the vector index, inside what the viewer may see, fused (R1, R4).

Every result says where each list had it. A page ends with a cursor that fixes the question, the viewer and the
times, so that what is written meanwhile moves nothing.
"""

import asyncio
import base64
import json
from collections.abc import Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b
from typing import Any, Final

from graph.checks import checked_text
from graph.clock import Clock
from graph.database import Database
from graph.errors import InvalidInput
from graph.filters import NO_FILTERS, Filters, lucene, ranges
from graph.fusion import Fused, Hit, ranked, reciprocal_rank_fusion
from graph.memories import Memories, read_params
from graph.model import Memory, Times, Viewer
from graph.schema import VectorSlot
from nlp.embedding import Embedder
from nlp.text import full_text_query, full_text_words

MAX_QUERY: Final = 10_000
MAX_PAGE: Final = 100
MAX_DEPTH: Final = 500
_LEAST_DEPTH: Final = 100
_OVERFETCH: Final = 3
"""The vector index answers from quantised vectors; three times as many, ordered exactly, lose nothing."""
_FIELDS: Final = ("content", "heading", "tags")


@dataclass(frozen=True, slots=True)
class Result:
    """A memory that was found, its fused score, where each list had it, and the cursor behind it."""

    memory: Memory
    score: float
    hits: Mapping[str, Hit]
    cursor: str


@dataclass(frozen=True, slots=True)
class Page:
    """Some results in order, and whether there are more behind them."""

    results: list[Result]
    has_next: bool


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
            times = datetime.fromisoformat(as_of), datetime.fromisoformat(known_at)
            return cls(str(question), *times, min(int(depth), MAX_DEPTH), float(score), str(memory_id))
        except (ValueError, TypeError) as error:
            raise InvalidInput("this is no cursor of a search: pass on the one that a page gave, unchanged") from error


class Search:
    """Finds memories. Without an embedder it answers from the full-text index alone (R11)."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        *,
        embedder: Embedder | None,
        slot: VectorSlot | None,
        executor: Executor,
        rrf_k: int,
        rrf_weights: Mapping[str, float],
    ) -> None:
        self._database = database
        self._clock = clock
        self._memories = Memories(database, clock)
        self._embedder = embedder
        self._slot = slot
        self._executor = executor
        self._rrf_k = rrf_k
        self._rrf_weights = rrf_weights

    async def search(
        self,
        viewer: Viewer,
        query: str,
        *,
        filters: Filters = NO_FILTERS,
        times: Times | None = None,
        first: int = 10,
        after: str | None = None,
    ) -> Page:
        """The best `first` memories for a question (1 to 100), or the next ones after a cursor.

        Raises `InvalidInput` for an empty or overlong query, a page size out of range, or a cursor of another search.
        """
        query = checked_text(query, limit=MAX_QUERY)
        if not 1 <= first <= MAX_PAGE:
            raise InvalidInput(f"a page has 1 to {MAX_PAGE} results; {first} were asked for")
        question = _digest(query, viewer, filters)
        start = self._start(question, times, first, after)
        ranking = await self._ranking(viewer, query, filters, start)
        page = [item for item in ranking if (-item.score, item.id) > (-start.score, start.memory_id)]
        memories = await self._memories.load(viewer, [item.id for item in page[:first]], _times(start))
        results = [
            Result(memories[item.id], item.score, item.hits, self._cursor(start, item))
            for item in page[:first]
            if item.id in memories
        ]
        return Page(results, has_next=len(page) > first)

    def _start(self, question: str, times: Times | None, first: int, after: str | None) -> _Cursor:
        if after is None:
            now = self._clock()
            as_of, known_at = (times.as_of, times.known_at) if times else (now, now)
            depth = min(max(_LEAST_DEPTH, 2 * first), MAX_DEPTH)
            return _Cursor(question, as_of, known_at, depth, float("inf"), "")
        cursor = _Cursor.decode(after)
        if cursor.question != question:
            raise InvalidInput("this cursor belongs to another search: keep query, filters, chat and persona the same")
        return cursor

    @staticmethod
    def _cursor(start: _Cursor, item: Fused) -> str:
        return _Cursor(start.question, start.as_of, start.known_at, start.depth, item.score, item.id).encode()

    async def _ranking(self, viewer: Viewer, query: str, filters: Filters, start: _Cursor) -> list[Fused]:
        by_words, by_meaning = await asyncio.gather(
            self._full_text(viewer, query, filters, start), self._vector(viewer, query, filters, start)
        )
        lists = {"full_text": by_words, "vector": by_meaning}
        return reciprocal_rank_fusion(lists, k=self._rrf_k, weights=self._rrf_weights)

    async def _full_text(self, viewer: Viewer, query: str, filters: Filters, start: _Cursor) -> dict[str, Hit]:
        words = full_text_query(full_text_words(query), _FIELDS)
        if words is None:
            return {}
        params = {
            "query": lucene(viewer, words, filters, own=False),
            "own_query": lucene(viewer, words, filters, own=True),
        }
        return await self._candidates("search/full_text", viewer, filters, start, start.depth, params)

    async def _vector(self, viewer: Viewer, query: str, filters: Filters, start: _Cursor) -> dict[str, Hit]:
        if self._embedder is None or self._slot is None:
            return {}
        loop = asyncio.get_running_loop()
        vector = await loop.run_in_executor(self._executor, self._embedder.embed_query, query)
        params = {"vector": vector, "ranges": ranges(viewer, _times(start), filters)}
        statement = f"search/vector.{self._slot.name}"
        return await self._candidates(statement, viewer, filters, start, start.depth * _OVERFETCH, params)

    async def _candidates(
        self, statement: str, viewer: Viewer, filters: Filters, start: _Cursor, limit: int, params: Mapping[str, object]
    ) -> dict[str, Hit]:
        """The best `depth` of one list. When the rule or a filter leaves too few, the index is asked for more."""
        common = {**read_params(viewer, _times(start), self._clock), **filters.params(), **params}
        while True:
            row = await self._database.one(statement, limit=limit, **common)
            assert row is not None
            if len(row["found"]) >= start.depth or row["asked"] < limit:
                found = [(hit["id"], hit["score"]) for hit in row["found"][: start.depth]]
                return ranked(found)
            limit *= 8


def _times(start: _Cursor) -> Times:
    return Times(start.as_of, start.known_at)


def _digest(query: str, viewer: Viewer, filters: Filters) -> str:
    parts: tuple[Any, ...] = (query, viewer.person_id, viewer.chat_id, viewer.persona_id, filters)
    return blake2b(repr(parts).encode("utf-8"), digest_size=12).hexdigest()
