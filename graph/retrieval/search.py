"""Search: the same question to the full-text and the vector index, inside what the viewer may see, fused (R1, R4).

Every result says where each list had it and what its score is made of. A page ends with a cursor that fixes the
question, the viewer and the times, so that what is written meanwhile moves nothing. Results come from pools of
candidates, each deeper than the one before; what a deeper pool adds stands behind what came before, so that the order
is the same for pages of any size.
"""

import asyncio
import base64
import json
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import blake2b
from typing import Any, Final

from graph.access.parameters import place_params, read_params
from graph.checks import checked_moment, checked_text
from graph.clock import Clock
from graph.database import Database, Row
from graph.errors import InvalidInput
from graph.model import Memory, Times, Viewer
from graph.retrieval.filters import NO_FILTERS, Filters, title_slug, titled
from graph.retrieval.fusion import (
    CONTEXT,
    FULL_TEXT,
    VECTOR,
    Candidate,
    Fused,
    Fusion,
    Hit,
    collapse_evidence,
    context_fusion,
    deeper,
    reciprocal_rank_fusion,
)
from graph.retrieval.memories import Memories
from graph.retrieval.query_scope import QueryScope, about_ranges, find_query_scope, lucene, memory_ranges
from graph.schema import VectorSlot
from nlp.embedding.embedder import Embedder
from nlp.text import full_text_query, full_text_words, in_first_person, names_in, without_names

MAX_QUERY: Final = 10_000
MAX_PAGE: Final = 100
DEPTHS: Final = (75, 300, 1_200, 5_000)
"""How many turns of each list are candidates, pool by pool. What stands behind the last is not found: such a question
needs a filter."""
_OVERFETCH: Final = 3
"""The vector index answers from quantised vectors; three times as many, ordered exactly, lose nothing."""
_MOST_NAMES: Final = 1_000
"""Lucene takes no more clauses than about 1,500."""
_FIELDS: Final = ("content", "heading", "tags")
_LISTED: Final = 3
"""A list has at most so many times as many memories, so that the facts in it take no turn's place."""


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
            depth = min(max(int(depth), DEPTHS[0]), DEPTHS[-1])
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
        start = self._start(question, times, after)
        vector, scope = await asyncio.gather(
            self._embed(query), find_query_scope(self._database, self._clock, viewer, query)
        )
        present = times is None and after is None
        asked = _Asked(viewer, scope, query, vector, filters, _times(start), DEPTHS[0], present)
        page, depth = await self._behind(asked, start, first)
        memories = await self._memories.load(viewer, [item.id for item in page[:first]], asked.times)
        results = [
            Result(memories[item.id], item.score, item.hits, item.parts, _cursor(start, depth, item))
            for item in page[:first]
            if item.id in memories
        ]
        return Page(results, has_next=len(page) > first)

    def _start(self, question: str, times: Times | None, after: str | None) -> _Cursor:
        if after is None:
            now = self._clock()
            as_of, known_at = (times.as_of, times.known_at) if times else (now, now)
            return _Cursor(question, as_of, known_at, DEPTHS[0], float("inf"), "")
        cursor = _Cursor.decode(after)
        if cursor.question != question:
            raise InvalidInput("this cursor belongs to another search: keep query, filters, chat and persona the same")
        return cursor

    async def _behind(self, asked: "_Asked", start: _Cursor, first: int) -> tuple[Sequence[Fused], int]:
        """What stands behind the cursor, more than `first` if there is more; and how deep the pools went for it."""
        ranking: list[Fused] = []
        ranked: set[str] = set()
        for depth in DEPTHS:
            pool = await self._pool(replace(asked, depth=depth))
            # A fact of a turn that an earlier pool had was found there too.
            new = [item for item in pool.ranking if ranked.isdisjoint([item.id, *pool.evidence.get(item.id, ())])]
            ranking += deeper(ranking, new)
            ranked |= pool.ranked
            page = _behind(ranking, start)
            if depth >= start.depth and (len(page) > first or not pool.more):
                break
        return page, depth

    async def _pool(self, asked: "_Asked") -> "_Pool":
        lists = await asyncio.gather(self._by_words(asked), self._by_meaning(asked))
        found = {FULL_TEXT: lists[0].rows, VECTOR: lists[1].rows}
        pool = await self._candidates(asked, found)
        if self._fusion == "rrf":
            ranking = reciprocal_rank_fusion(pool, k=self._rrf_k, weights=self._rrf_weights)
        else:
            ranking = context_fusion(pool)
            if any(candidate.title for candidate in pool):
                reached, links = await self._named_by(asked, ranking[: CONTEXT.seeds], pool)
                pool = [*pool, *reached]
                ranking = context_fusion(pool, links)
        return _Pool(
            collapse_evidence(ranking, pool),
            frozenset(item.id for item in ranking),
            {candidate.id: candidate.evidence for candidate in pool},
            any(each.more for each in lists),
        )

    async def _embed(self, query: str) -> list[float] | None:
        if self._embedder is None:
            return None
        return await asyncio.get_running_loop().run_in_executor(self._executor, self._embedder.embed_query, query)

    async def _by_words(self, asked: "_Asked") -> "_List":
        # Who is asked about speaks or is spoken of in most of a chat: their name says little, and the index, which
        # counts over all chats, takes it for a rare word.
        words = full_text_words(asked.query)
        words = without_names(words, asked.scope.names) or words
        clause = full_text_query(words, _FIELDS)
        return await self._worded(asked, clause, _LISTED * asked.depth) if clause else _List([], more=False)

    async def _worded(self, asked: "_Asked", clause: str, limit: int) -> "_List":
        query = lucene(asked.viewer, asked.scope, clause, asked.filters)
        return await self._list(f"search/full_text.{self._slot_name}", asked, limit, {"query": query})

    async def _by_meaning(self, asked: "_Asked") -> "_List":
        if asked.vector is None:
            return _List([], more=False)
        where = (asked.viewer, asked.scope, asked.times, asked.filters)
        memories = memory_ranges(*where, present=asked.present)
        about = about_ranges(*where, present=asked.present)
        limit, concerned = asked.depth * _OVERFETCH, asked.scope.concerned(asked.viewer)
        if asked.filters.narrow:
            params: dict[str, object] = {"ranges": memories, "about": about, "concerned": concerned}
            return await self._list(f"search/vector_narrow.{self._slot_name}", asked, limit, params)
        params = {"rows": [*memories, *about], "concerned": concerned}
        return await self._list(f"search/vector.{self._slot_name}", asked, limit, params)

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
        for row in found.rows:
            about.setdefault(title_slug(row["title"]), []).append(row["id"])
        links = {
            seed: [
                memory for name in names for memory in about.get(name, ()) if len(about[name]) <= CONTEXT.most_namesakes
            ]
            for seed, names in named.items()
        }
        known = {candidate.id for candidate in pool}
        return [_candidate(asked, row, {}) for row in found.rows if row["id"] not in known], links

    async def _candidates(self, asked: "_Asked", lists: Mapping[str, Sequence[Row]]) -> list[Candidate]:
        """What the lists hold, each memory once, with its place in each list and in its session, and its evidence."""
        hits: dict[str, dict[str, Hit]] = {}
        rows: dict[str, Row] = {}
        for name, found in lists.items():
            for rank, row in enumerate(found, start=1):
                hits.setdefault(row["id"], {})[name] = Hit(rank, row["score"])
                rows[row["id"]] = row
        related = await self._database.one(
            "search/relations",
            turns=[row["id"] for row in rows.values() if row["turn"]],
            facts=[row["id"] for row in rows.values() if row["fact"]],
            reach=CONTEXT.reach,
            **self._reading(asked),
        )
        assert related is not None
        places = {row["id"]: 1 for row in rows.values() if row["turn"]}
        for gap in related["gaps"]:
            places[gap["id"]] = places[gap["before"]] + gap["between"] + 1
        evidence = {each["id"]: each["turns"] for each in related["evidence"]}
        return [
            _candidate(asked, row, hits[memory_id], places.get(memory_id), evidence.get(memory_id, ()))
            for memory_id, row in rows.items()
        ]

    async def _list(self, statement: str, asked: "_Asked", limit: int, params: Mapping[str, object]) -> "_List":
        """The beginning of one list: up to the turn that is number `depth`, and no more than so many times that in all.
        When the rule or a filter leaves too few, the index is asked for more.
        """
        most = _LISTED * asked.depth
        common = {**self._reading(asked), **params, "vector": asked.vector, "depth": most}
        while True:
            row = await self._database.one(statement, limit=limit, **common)
            assert row is not None
            turns = [place for place, each in enumerate(row["found"], start=1) if not each["fact"]]
            if len(turns) >= asked.depth:
                return _List(row["found"][: turns[asked.depth - 1]], more=True)
            full = len(row["found"]) >= most
            if full or not row["more"]:
                return _List(row["found"], more=full)
            limit *= 8

    def _reading(self, asked: "_Asked") -> dict[str, object]:
        reading = {**place_params(asked.viewer), **read_params(asked.viewer, asked.times, self._clock)}
        return {**reading, **asked.filters.params()}


@dataclass(frozen=True, slots=True)
class _Asked:
    """One search, as its parts need it."""

    viewer: Viewer
    scope: QueryScope
    query: str
    vector: list[float] | None
    filters: Filters
    times: Times
    depth: int
    present: bool


@dataclass(frozen=True, slots=True)
class _List:
    """The beginning of one list, best first, and whether there may be more behind it."""

    rows: Sequence[Row]
    more: bool


@dataclass(frozen=True, slots=True)
class _Pool:
    """A pool of candidates, ranked: each thing once, all that was ranked, the evidence of each candidate, and
    whether there may be more in a deeper one.
    """

    ranking: Sequence[Fused]
    ranked: frozenset[str]
    evidence: Mapping[str, Sequence[str]]
    more: bool


def _candidate(
    asked: _Asked, row: Row, hits: Mapping[str, Hit], place: int | None = None, evidence: Sequence[str] = ()
) -> Candidate:
    return Candidate(
        id=row["id"],
        hits=hits,
        cosine=row["cosine"],
        session=row["session"],
        turn=place,
        words=row["words"],
        by_asker=row["speaker_id"] == asked.viewer.person_id and in_first_person(asked.query),
        title=row["title"],
        evidence=evidence,
    )


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


def _digest(query: str, viewer: Viewer, filters: Filters) -> str:
    parts: tuple[Any, ...] = (query, viewer.person_id, viewer.chat_id, viewer.persona_id, filters)
    return blake2b(repr(parts).encode("utf-8"), digest_size=12).hexdigest()
