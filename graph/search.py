"""Search: the same question to the full-text and the vector index, inside what the viewer may see, fused (R1, R4).

Every result says where each list had it and what its score is made of. A page ends with a cursor that fixes the
question, the viewer and the times, so that what is written meanwhile moves nothing.
"""

import asyncio
import base64
import json
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b
from typing import Any, Final

from graph.checks import checked_moment, checked_text
from graph.clock import Clock
from graph.database import Database, Row
from graph.errors import InvalidInput
from graph.filters import NO_FILTERS, Filters, title_slug, titled
from graph.fusion import (
    CONTEXT,
    FULL_TEXT,
    VECTOR,
    Candidate,
    Fused,
    Fusion,
    Hit,
    context_fusion,
    reciprocal_rank_fusion,
    said_once,
)
from graph.memories import Memories, place_params, read_params
from graph.model import Memory, Times, Viewer
from graph.reach import Standing, about_ranges, find_standing, lucene, memory_ranges
from graph.schema import VectorSlot
from nlp.embedding import Embedder
from nlp.text import full_text_query, full_text_words, in_first_person, names_in, without_names

MAX_QUERY: Final = 10_000
MAX_PAGE: Final = 100
MAX_DEPTH: Final = 500
_LEAST_DEPTH: Final = 60
_OVERFETCH: Final = 3
"""The vector index answers from quantised vectors; three times as many, ordered exactly, lose nothing."""
_MOST_NAMES: Final = 1_000
"""Lucene takes no more clauses than about 1,500."""
_FIELDS: Final = ("content", "heading", "tags")
_LISTED: Final = 3
"""A list is so many times as deep as asked for, so that the facts in it take no turn's place."""


@dataclass(frozen=True, slots=True)
class Result:
    """A memory that was found, its score and what that is the sum of, where each list had it, and its cursor."""

    memory: Memory
    score: float
    hits: Mapping[str, Hit]
    parts: Mapping[str, float]
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
            times = checked_moment(datetime.fromisoformat(as_of)), checked_moment(datetime.fromisoformat(known_at))
            depth = min(max(int(depth), 1), MAX_DEPTH)
            return cls(str(question), *times, depth, float(score), str(memory_id))
        except (ValueError, TypeError, OverflowError, RecursionError) as error:
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
        fusion: Fusion,
        rrf_k: int,
        rrf_weights: Mapping[str, float],
    ) -> None:
        self._database = database
        self._clock = clock
        self._memories = Memories(database, clock)
        self._embedder = embedder
        self._slot_name = slot.name if slot else "a"
        self._executor = executor
        self._fusion = fusion
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

        Raises `InvalidInput` for an empty or overlong query, a page size out of range, or a cursor of another search,
        and `NotFound` for a chat in which the viewer takes no part.
        """
        query = checked_text(query, limit=MAX_QUERY)
        if not 1 <= first <= MAX_PAGE:
            raise InvalidInput(f"a page has 1 to {MAX_PAGE} results; {first} were asked for")
        question = _digest(query, viewer, filters)
        start = self._start(question, times, first, after)
        ranking = await self._ranking(viewer, query, filters, start, present=times is None and after is None)
        page = _behind(ranking, start)
        memories = await self._memories.load(viewer, [item.id for item in page[:first]], _times(start))
        results = [
            Result(memories[item.id], item.score, item.hits, item.parts, self._cursor(start, item))
            for item in page[:first]
            if item.id in memories
        ]
        return Page(results, has_next=len(page) > first)

    def _start(self, question: str, times: Times | None, first: int, after: str | None) -> _Cursor:
        if after is None:
            now = self._clock()
            as_of, known_at = (times.as_of, times.known_at) if times else (now, now)
            depth = min(max(_LEAST_DEPTH, 3 * first), MAX_DEPTH)
            return _Cursor(question, as_of, known_at, depth, float("inf"), "")
        cursor = _Cursor.decode(after)
        if cursor.question != question:
            raise InvalidInput("this cursor belongs to another search: keep query, filters, chat and persona the same")
        return cursor

    @staticmethod
    def _cursor(start: _Cursor, item: Fused) -> str:
        return _Cursor(start.question, start.as_of, start.known_at, start.depth, item.score, item.id).encode()

    async def _ranking(
        self, viewer: Viewer, query: str, filters: Filters, start: _Cursor, *, present: bool
    ) -> list[Fused]:
        vector, standing = await asyncio.gather(
            self._embed(query), find_standing(self._database, self._clock, viewer, query)
        )
        asked = _Asked(viewer, standing, query, vector, filters, _times(start), start.depth, present)
        by_words, by_meaning = await asyncio.gather(self._by_words(asked), self._by_meaning(asked))
        pool = _pool(asked, {FULL_TEXT: by_words, VECTOR: by_meaning})
        if self._fusion == "rrf":
            return said_once(reciprocal_rank_fusion(pool, k=self._rrf_k, weights=self._rrf_weights), pool)
        ranking = context_fusion(pool)
        if any(candidate.title for candidate in pool):
            reached, links = await self._named_by(asked, ranking[: CONTEXT.seeds], pool)
            pool = [*pool, *reached]
            ranking = context_fusion(pool, links)
        return said_once(ranking, pool)

    async def _embed(self, query: str) -> list[float] | None:
        if self._embedder is None:
            return None
        return await asyncio.get_running_loop().run_in_executor(self._executor, self._embedder.embed_query, query)

    async def _by_words(self, asked: "_Asked") -> list[Row]:
        # Who is asked about speaks or is spoken of in most of a chat: their name says little, and the index, which
        # counts over all chats, takes it for a rare word.
        words = full_text_words(asked.query)
        words = without_names(words, asked.standing.names) or words
        clause = full_text_query(words, _FIELDS)
        return await self._worded(asked, clause, _LISTED * asked.depth) if clause else []

    async def _worded(self, asked: "_Asked", clause: str, limit: int) -> list[Row]:
        query = lucene(asked.viewer, asked.standing, clause, asked.filters)
        return await self._candidates(f"search/full_text.{self._slot_name}", asked, limit, {"query": query})

    async def _by_meaning(self, asked: "_Asked") -> list[Row]:
        if asked.vector is None:
            return []
        where = (asked.viewer, asked.standing, asked.times, asked.filters)
        memories = memory_ranges(*where, present=asked.present)
        about = about_ranges(*where, present=asked.present)
        limit, concerned = asked.depth * _OVERFETCH, asked.standing.concerned(asked.viewer)
        if asked.filters.narrow:
            params: dict[str, object] = {"ranges": memories, "about": about, "concerned": concerned}
            return await self._candidates(f"search/vector_narrow.{self._slot_name}", asked, limit, params)
        params = {"rows": [*memories, *about], "concerned": concerned}
        return await self._candidates(f"search/vector.{self._slot_name}", asked, limit, params)

    async def _named_by(
        self, asked: "_Asked", seeds: Sequence[Fused], pool: Sequence[Candidate]
    ) -> tuple[list[Candidate], dict[str, list[str]]]:
        """What the best results name in their texts and what has that name for its title: one hop (R1)."""
        memories = await self._memories.load(asked.viewer, [seed.id for seed in seeds], asked.times)
        named = {memory.id: names_in(memory.content) for memory in memories.values()}
        slugs = list(dict.fromkeys(name for seed in seeds for name in sorted(named.get(seed.id, ()))))[:_MOST_NAMES]
        if not slugs:
            return [], {}
        found = await self._worded(asked, titled(slugs), asked.depth)
        about: dict[str, list[str]] = {}
        for row in found:
            about.setdefault(title_slug(row["title"]), []).append(row["id"])
        links = {
            seed: [
                memory for name in names for memory in about.get(name, ()) if len(about[name]) <= CONTEXT.most_namesakes
            ]
            for seed, names in named.items()
        }
        known = {candidate.id for candidate in pool}
        return [_candidate(asked, row, {}) for row in found if row["id"] not in known], links

    async def _candidates(self, statement: str, asked: "_Asked", limit: int, params: Mapping[str, object]) -> list[Row]:
        """The best `depth` of one list, and of facts as many beside them. When the rule or a filter leaves too few, the
        index is asked for more.
        """
        reading = {**place_params(asked.viewer), **read_params(asked.viewer, asked.times, self._clock)}
        common = {**reading, **asked.filters.params(), **params, "vector": asked.vector, "depth": _LISTED * asked.depth}
        while True:
            row = await self._database.one(statement, limit=limit, **common)
            assert row is not None
            if len(row["found"]) >= asked.depth or not row["more"]:
                facts = [each for each in row["found"] if each["evidence"]][: asked.depth]
                others = [each for each in row["found"] if not each["evidence"]][: asked.depth]
                return sorted([*facts, *others], key=lambda each: (-each["score"], each["id"]))
            limit *= 8


@dataclass(frozen=True, slots=True)
class _Asked:
    """One search, as its parts need it."""

    viewer: Viewer
    standing: Standing
    query: str
    vector: list[float] | None
    filters: Filters
    times: Times
    depth: int
    present: bool


def _pool(asked: _Asked, lists: Mapping[str, Sequence[Row]]) -> list[Candidate]:
    """What the lists hold, each memory once, with its place in each list."""
    hits: dict[str, dict[str, Hit]] = {}
    rows: dict[str, Row] = {}
    for name, found in lists.items():
        for rank, row in enumerate(found, start=1):
            hits.setdefault(row["id"], {})[name] = Hit(rank, row["score"])
            rows[row["id"]] = row
    return [_candidate(asked, rows[memory_id], places) for memory_id, places in hits.items()]


def _candidate(asked: _Asked, row: Row, hits: Mapping[str, Hit]) -> Candidate:
    return Candidate(
        id=row["id"],
        hits=hits,
        cosine=row["cosine"],
        # What was read out stands for itself: what was read out before it is no context.
        session=row["session"],
        turn=None if row["title"] else row["turn"],
        words=row["words"],
        by_asker=row["speaker_id"] == asked.viewer.person_id and in_first_person(asked.query),
        title=row["title"],
        evidence=row["evidence"],
    )


def _behind(ranking: Sequence[Fused], start: _Cursor) -> Sequence[Fused]:
    """What comes after the cursor: after its memory, or where that is gone, after its score."""
    for place, item in enumerate(ranking):
        if item.id == start.memory_id:
            return ranking[place + 1 :]
    return [item for item in ranking if (-item.score, item.id) > (-start.score, start.memory_id)]


def _times(start: _Cursor) -> Times:
    return Times(start.as_of, start.known_at)


def _digest(query: str, viewer: Viewer, filters: Filters) -> str:
    parts: tuple[Any, ...] = (query, viewer.person_id, viewer.chat_id, viewer.persona_id, filters)
    return blake2b(repr(parts).encode("utf-8"), digest_size=12).hexdigest()
