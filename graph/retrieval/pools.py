"""Pools of candidates: what the retrievers of a profile find at one depth, fused into one ranking."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from hippograph.graph.clock import Clock
from hippograph.graph.database import Database, Row
from hippograph.graph.model import Memory
from hippograph.graph.retention.strength import first_stability
from hippograph.graph.retrieval.filters import NO_FILTERS
from hippograph.graph.retrieval.fusion import CONTEXT, Candidate, Fuse, Fused, Hit, Link, collapse_evidence
from hippograph.graph.retrieval.outdated import Outdated, holding_first
from hippograph.graph.retrieval.ranking import Rerank, Traits, use_ranking
from hippograph.graph.retrieval.retrievers.full_text import FIELDS, FullText
from hippograph.graph.retrieval.retrievers.retriever import Ranked, RankedList, Request, Retriever
from hippograph.graph.schema import VectorSlot
from hippograph.nlp.embedding.late_interaction import max_similarities
from hippograph.nlp.names.recognition import TYPED
from hippograph.nlp.text import full_text_query, in_first_person

_COMPARED: Final = 60
"""Maximum number of memories whose token vectors are compared with those of the query."""
_UNDIVIDED: Final = 500
"""Maximum number of characters of a text without parts."""
_LEAST_DEPTH: Final = 5
"""Minimum depth of a list that has a place for a fact from elsewhere."""
_PARTS_READ: Final = 4
"""Maximum number of parts of a text that are read for the words of the question."""


@dataclass(frozen=True, slots=True)
class Profile:
    """How a search ranks.

    `retrievers` start from the query, and `fuse` makes their lists one ranking. `expansions` are retrievers that go on
    from what was found (`Request.found`); fusion is then done anew. `weighs_cues` says that the fusion weighs what
    answers often hold. `rerank` then ranks by other traits of the memories; None ranks by their use alone. `bounded`
    says that there is only one pool.
    """

    retrievers: Sequence[Retriever]
    fuse: Fuse
    expansions: Sequence[Retriever] = ()
    weighs_cues: bool = False
    rerank: Rerank | None = None
    bounded: bool = False


@dataclass(frozen=True, slots=True)
class Pool:
    """A ranked pool. `ranking` has each thing once, `ranked` the ids of all that was ranked before duplicates were
    collapsed. `evidence` is that of each candidate, `outdated` the turns that state something outdated. `more` says
    that a deeper pool may have more.
    """

    ranking: Sequence[Fused]
    ranked: frozenset[str]
    evidence: Mapping[str, Sequence[str]]
    outdated: Mapping[str, Outdated]
    more: bool


@dataclass(frozen=True, slots=True)
class _Relations:
    """The place of each turn in its session, counted from the first turn found, and the evidence of each fact."""

    places: Mapping[str, int]
    evidence: Mapping[str, Sequence[str]]


class Pools:
    """Builds candidate pools."""

    def __init__(self, database: Database, clock: Clock, slot: VectorSlot | None) -> None:
        """`slot` is the vector slot whose token vectors are compared, None without an embedder."""
        self._database = database
        self._clock = clock
        self._slot = slot

    async def pool(self, request: Request, profile: Profile) -> Pool:
        """Runs the retrievers of the profile and ranks what they find."""
        lists = await _retrieve(profile.retrievers, request)
        items = {item.id: item for each in lists.values() for item in each.items}
        relations, outdated, late = await asyncio.gather(
            self._relations(request, items.values()),
            self._outdated(request, items.values()),
            self._late_interaction(request, lists),
        )
        candidates = await self._cued(request, profile, _candidates(request, lists, items.values(), relations, late))
        ranking = profile.fuse(candidates)
        if profile.expansions:
            found = replace(request, found=[items[fused.id] for fused in ranking])
            led_to = await _retrieve(profile.expansions, found)
            linked = _linked(request, candidates, led_to)
            # Candidates found through links alone follow the earlier ones in the list.
            known = len(candidates)
            new = [item for each in led_to.values() for item in each.items if item.id not in items]
            cued, newly_outdated = await asyncio.gather(
                self._cued(request, profile, linked[known:]), self._outdated(request, new)
            )
            candidates, outdated = [*linked[:known], *cued], outdated | newly_outdated
            ranking = profile.fuse(candidates)
        ranked = frozenset(fused.id for fused in ranking)
        ranking = collapse_evidence(ranking, candidates)
        if profile.rerank:
            ranking = profile.rerank(
                ranking, {each.id: each for each in candidates}, await self._traits(request, ranking)
            )
        else:
            ranking = use_ranking(ranking, {each.id: each.own_score for each in candidates})
        evidence = {candidate.id: candidate.evidence for candidate in candidates}
        ranking = holding_first(ranking, outdated, evidence)
        more = any(each.more for each in lists.values()) and not profile.bounded
        return Pool(ranking, ranked, evidence, outdated, more)

    async def _relations(self, request: Request, items: Iterable[Ranked]) -> _Relations:
        turns = [item.id for item in items if item.turn]
        row = await self._database.one(
            "search/relations",
            turns=turns,
            facts=[item.id for item in items if item.fact],
            reach=CONTEXT.reach,
            **request.params(self._clock),
        )
        assert row is not None
        return _related(turns, row)

    async def _late_interaction(self, request: Request, lists: Mapping[str, RankedList]) -> dict[str, float]:
        """The late interaction of the best items of the lists with the query, by id, where they have token vectors."""
        if request.tokens is None or self._slot is None:
            return {}
        statement = f"search/token_vectors.{self._slot.name}"
        rows = await self._database.run(
            statement, ids=_best(lists), vector=request.vector, **request.params(self._clock)
        )
        packed = [row["tokens"] for row in rows]
        similarities = max_similarities(request.tokens, packed, self._slot.dimensions)
        return {row["id"]: each for row, each in zip(rows, similarities, strict=True) if each is not None}

    async def nearest_parts(self, request: Request, memories: Iterable[Memory]) -> dict[str, list[Row]]:
        """The parts of texts that are nearest to the query, nearest first, by the ids of the texts. A part has `start`,
        `end` and `cosine`. There are none for texts without parts, nor without a vector of the query.
        """
        ids = [each.id for each in memories if len(each.content) > _UNDIVIDED]
        if request.vector is None or self._slot is None or not ids:
            return {}
        statement = f"search/nearest_parts.{self._slot.name}"
        params = {"vector": request.vector, "most": _PARTS_READ, **request.params(self._clock)}
        rows = await self._database.run(statement, ids=ids, **params)
        return {row["id"]: row["parts"] for row in rows}

    async def holds(self, request: Request, words: Iterable[str]) -> bool:
        """Whether the viewer may see an active memory with one of these words, whatever the filters of the request."""
        clause = full_text_query(words, FIELDS)
        if clause is None:
            return False
        anything = replace(request, filters=NO_FILTERS, vector=None, depth=_LEAST_DEPTH)
        full_text = FullText(self._database, self._clock, self._slot.name if self._slot else "a")
        return bool((await full_text.matching(anything, clause)).items)

    async def _cued(self, request: Request, profile: Profile, candidates: Sequence[Candidate]) -> list[Candidate]:
        """The candidates, each with the flags of `search/cued`: whether it holds what answers often hold, whether it is
        a fact of a kind that the question asks for about whom it asks, and whether it is a fact of another kind.
        """
        asks = request.cues.words or request.cues.place or request.asked.frames
        if not (profile.weighs_cues and candidates and asks):
            return list(candidates)
        rows = await self._database.run(
            "search/cued",
            ids=[candidate.id for candidate in candidates],
            cues=request.cues.words,
            place=request.cues.place,
            sure=TYPED,
            frames=list(request.asked.frames),
            about=request.asked_about,
            **request.params(self._clock),
        )
        found = {row["id"]: row for row in rows}
        return [replace(each, **_answering(found[each.id])) if each.id in found else each for each in candidates]

    async def _outdated(self, request: Request, items: Iterable[Ranked]) -> dict[str, Outdated]:
        """The turns among the items that state something outdated, by id."""
        turns = [item.id for item in items if item.turn]
        if not turns:
            return {}
        rows = await self._database.run("search/outdated", turns=turns, **request.params(self._clock))
        return {row["turn"]: Outdated(row["reason"], row["since"], row["holds"]) for row in rows}

    async def _traits(self, request: Request, ranking: Iterable[Fused]) -> dict[str, Traits]:
        """The traits of the memories in a ranking, by id."""
        ids = [item.id for item in ranking]
        rows = await self._database.run("search/traits", ids=ids, **request.params(self._clock))
        return {
            row["id"]: Traits(
                row["importance"],
                row["stability"] or first_stability(row["emotion"]),
                row["score"],
                row["idle"],
                row["since_hit"],
                row["age"],
                frozenset(row["entities"]),
            )
            for row in rows
        }


def _answering(row: Row) -> Row:
    """The fields of a candidate that a row of `search/cued` sets."""
    return {"cued": row["cued"], "asked": row["asked"], "of_another_kind": row["of_another_kind"]}


def _related(turns: Iterable[str], row: Row) -> _Relations:
    """The relations in the row of `search/relations`, whose gaps are in the order of each session."""
    places = dict.fromkeys(turns, 1)
    for gap in row["gaps"]:
        places[gap["id"]] = places[gap["before"]] + gap["between"] + 1
    return _Relations(places, {each["id"]: each["turns"] for each in row["evidence"]})


async def _retrieve(retrievers: Sequence[Retriever], request: Request) -> dict[str, RankedList]:
    """Runs the retrievers concurrently; returns their lists by name."""
    lists = await asyncio.gather(*(retriever.retrieve(request) for retriever in retrievers))
    return {retriever.name: found for retriever, found in zip(retrievers, lists, strict=True)}


def _candidates(
    request: Request,
    lists: Mapping[str, RankedList],
    items: Iterable[Ranked],
    relations: _Relations,
    late: Mapping[str, float],
) -> list[Candidate]:
    """The items as candidates, with their ranks, their places in sessions, their evidence and late interaction."""
    hits: dict[str, dict[str, Hit]] = {}
    for name, found in lists.items():
        for rank, item in enumerate(found.items, start=1):
            hits.setdefault(item.id, {})[name] = Hit(rank, item.score)
    return [
        replace(
            _candidate(request, item),
            hits=hits[item.id],
            late_interaction=late.get(item.id),
            turn=relations.places.get(item.id),
            evidence=relations.evidence.get(item.id, ()),
        )
        for item in items
    ]


def _best(lists: Mapping[str, RankedList]) -> list[str]:
    """The ids of the `_COMPARED` best items of all lists, by the best rank in any list."""
    places: dict[str, int] = {}
    for found in lists.values():
        for place, item in enumerate(found.items):
            places[item.id] = min(place, places.get(item.id, place))
    return sorted(places, key=lambda memory_id: (places[memory_id], memory_id))[:_COMPARED]


def _linked(request: Request, candidates: Iterable[Candidate], lists: Mapping[str, RankedList]) -> list[Candidate]:
    """The candidates with the links that lead to them, followed by new ones that links alone lead to."""
    pool = {candidate.id: candidate for candidate in candidates}
    for name, found in lists.items():
        for rank, item in enumerate(found.items, start=1):
            candidate = pool.get(item.id) or _candidate(request, item)
            pool[item.id] = replace(candidate, links={**candidate.links, name: Link(rank, item.seeds, item.path)})
    return list(pool.values())


def _candidate(request: Request, item: Ranked) -> Candidate:
    return Candidate(
        id=item.id,
        cosine=item.cosine,
        session=item.session,
        words=item.words,
        summary=item.summary,
        by_named=item.speaker_id in request.scope.named,
        by_assistant=item.by_assistant,
        asks=item.asks,
        by_asker=item.speaker_id == request.viewer.person_id and in_first_person(request.query),
        elsewhere=item.elsewhere,
        own_score=item.own_score,
    )
