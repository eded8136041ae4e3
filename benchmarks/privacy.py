"""`bench privacy`: the cost of the access rule, and the recall of searches under it.

The expected results are computed without the database: the oracle `benchmarks.oracle` says which memories are visible,
numpy which of them are nearest. Times are compared with those of a search without the rule, in turns in one run. The
vectors of the questions are generated, so no time includes embedding.
"""

import asyncio
import time
from collections import defaultdict
from collections.abc import Awaitable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from statistics import mean
from typing import Any, Final

import numpy as np

from benchmarks.environment import Report, percentiles
from benchmarks.environment import Row as Line
from benchmarks.oracle import Record, candidate, visible
from benchmarks.quality.metrics import percentile
from benchmarks.synthetic_data import SLOT, Maker
from benchmarks.synthetic_population import LARGE_GROUP, SMALL_GROUP, Crowd, gather
from hippograph.api.service import Service
from hippograph.graph.access.parameters import request_params
from hippograph.graph.context.assembly import ContextAssembly
from hippograph.graph.database import Row
from hippograph.graph.ids import new_id
from hippograph.graph.model import Times, Viewer
from hippograph.graph.retrieval.filters import NO_FILTERS
from hippograph.graph.retrieval.fusion import LISTS, VECTOR
from hippograph.graph.retrieval.profiles import make_search
from hippograph.graph.retrieval.query_scope import QueryScope, about_searches, find_query_scope, memory_searches
from hippograph.graph.retrieval.search import DEPTHS, Search
from hippograph.graph.schema import VectorSlot
from hippograph.nlp.embedding.embedder import Embedder, Embedding
from hippograph.nlp.text import full_text_query, full_text_words

QUESTIONS: Final = 100
"""Number of questions measured in each place for the recall and for the times; a fifth of them for the survival."""
WARM_UP: Final = 20
TOP: Final = 10
DEPTH: Final = DEPTHS[0]
LIMIT: Final = 3 * DEPTH
"""Number of memories requested from the index for a list of `DEPTH`; the ratio is that of `retrievers.index_list`."""
LOOKS: Final = 300
ALONE: Final = "alone"
_NOBODY: Final = {"viewer": "", "chat": ""}
"""The parameters of the place for a search without the rule."""
NAMING: Final = "alone, naming somebody"
_PLAIN_LIST: Final = "vector list without a rule or a scope"
_PLAIN: Final = "both lists without a rule or a scope"


@dataclass(frozen=True, slots=True)
class _Question:
    text: str
    vector: list[float]
    named: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Place:
    """A place from which questions are asked, and its questions."""

    name: str
    viewer: Viewer
    questions: list[_Question]


async def measure(service: Service, report: Report) -> list[Line]:
    """Returns all rows in the order of the report. Takes eight minutes, most of it for filling the graph."""
    assert service.embedder
    maker = Maker(service.embedder.dimensions)
    crowd = await gather(service, maker, report)
    places = _places(service, crowd, maker)
    with _search(service, places) as search:
        lines = []
        for number, place in enumerate(places):
            report(number, len(places), "what is found")
            lines.append(await _recall(service, crowd, place, search))
        report(0, 3, "how long it takes")
        lines += await _times(service, places, search)
    report(1, 3, "what survives the rule")
    for place in places:
        lines += await _survival(service, crowd, place)
    report(2, 3, "the hidden and the missing")
    return lines + await _looks(service, crowd)


def _places(service: Service, crowd: Crowd, maker: Maker) -> list[_Place]:
    def place(name: str, *, naming: bool = False) -> _Place:
        questions, vectors = [], maker.vectors(QUESTIONS + WARM_UP).tolist()
        for number, vector in enumerate(vectors):
            of = [crowd.named[number % len(crowd.named)]] if naming else []
            text = maker.question("".join(person.canonical_name for person in of))
            questions.append(_Question(text, vector, tuple(person.id for person in of)))
        return _Place(name, service.viewer(crowd.groups.get(name)), questions)

    return [place(ALONE), place(SMALL_GROUP), place(LARGE_GROUP), place(NAMING, naming=True)]


class _Prepared(Embedder):
    """An embedder that returns prepared vectors, by the text of the question."""

    def __init__(self, vectors: dict[str, list[float]]) -> None:
        self._vectors = vectors

    def embed_query(self, text: str) -> Embedding:
        """Returns the prepared vector of a question."""
        return Embedding(self._vectors[text], tokens=None)


@contextmanager
def _search(service: Service, places: list[_Place]) -> Iterator[Search]:
    """Yields the service's search, with prepared vectors of the questions. In the fusion `rrf` only the vector list has
    a weight, so that it alone is the ranking.
    """
    assert service.embedder
    embedder = _Prepared({question.text: question.vector for place in places for question in place.questions})
    slot = VectorSlot(SLOT, service.embedder.model, service.embedder.dimensions)
    with ThreadPoolExecutor(max_workers=1) as executor:
        yield make_search(
            service.database,
            service.clock,
            embedder=embedder,
            slot=slot,
            executor=executor,
            fusion=service.settings.fusion,
            rrf_k=service.settings.rrf_k,
            rrf_weights={**dict.fromkeys(LISTS, 0.0), VECTOR: 1.0},
        )


async def _recall(service: Service, crowd: Crowd, place: _Place, search: Search) -> Line:
    """Returns the recall@10 of the nearest visible candidates, and the number of results that are none of these."""
    now, there = service.clock(), crowd.places(place.viewer.chat_id)
    records = enumerate(crowd.records)
    seen = [at for at, record in records if visible(record, place.viewer, there, Times(now, now), now)]
    looked_at: dict[tuple[str, ...], list[int]] = {}
    shares, sizes, wrong = [], [], 0
    for question in place.questions[:QUESTIONS]:
        if question.named not in looked_at:
            looked_at[question.named] = [
                at for at in seen if candidate(crowd.records[at], place.viewer, there, question.named, now)
            ]
        rows = looked_at[question.named]
        nearness = crowd.vectors[rows].astype(np.float64) @ np.array(question.vector)
        exact = {crowd.ids[rows[at]] for at in np.argsort(-nearness)[:TOP]}
        page = await search.search(place.viewer, question.text, fusion="rrf", first=TOP)
        found = {result.memory.id for result in page.results}
        shares.append(len(exact & found) / len(exact))
        sizes.append(len(rows))
        wrong += len(found - {crowd.ids[at] for at in rows})
    numbers = {f"recall@{TOP}": mean(shares), "least": min(shares), "not allowed": wrong, "candidates": mean(sizes)}
    return Line(f"vector list, {place.name}", numbers)


async def _times(service: Service, places: list[_Place], search: Search) -> list[Line]:
    """Times each question in each place, and without the rule, in turns, so that all run under the same conditions."""
    took: dict[str, list[float]] = defaultdict(list)
    assert service.embedder
    contexts = ContextAssembly(
        service.database, service.clock, search, count=service.embedder.count_tokens, executor=None, fixed_budget=None
    )
    for number in range(QUESTIONS + WARM_UP):
        for place in places:
            question = place.questions[number]
            params = await _list_params(service, place, question)
            work: dict[str, list[Awaitable[object]]] = {
                _PLAIN_LIST: [_plain_vector(service, question)],
                _PLAIN: [_plain_vector(service, question), _plain_text(service, question)],
                f"vector list, {place.name}": [service.database.run(f"search/vector.{SLOT}", **params)],
                f"search, {place.name}": [search.search(place.viewer, question.text)],
                f"search and entity cards, {place.name}": [_cards(service, search, place, question)],
                f"context, {place.name}": [contexts.context(place.viewer, question.text)],
            }
            for what, parts in work.items():
                started = time.perf_counter()
                await asyncio.gather(*parts)
                took[what].append(time.perf_counter() - started)
    # Searches without the rule run once for each place, so they have more warm-up times to drop.
    took = {what: seconds[WARM_UP * len(seconds) // (QUESTIONS + WARM_UP) :] for what, seconds in took.items()}
    rows = [Line(what, percentiles(seconds)) for what, seconds in took.items()]
    for name in (place.name for place in places):
        for what, plain in ((f"vector list, {name}", _PLAIN_LIST), (f"search, {name}", _PLAIN)):
            rows.append(Line(f"  over that without a rule: {what}", _ratios(took[what], took[plain])))
        rows += [
            Line(f"  over plain search: {what}", _ratios(took[what], took[f"search, {name}"]))
            for what in (f"search and entity cards, {name}", f"context, {name}")
        ]
    return rows


async def _cards(service: Service, search: Search, place: _Place, question: _Question) -> None:
    page = await search.search(place.viewer, question.text)
    await service.cards.of_found(place.viewer, [result.memory.id for result in page.results])


def _plain_vector(service: Service, question: _Question) -> Awaitable[object]:
    given = {**_NOBODY, "vector": question.vector, "limit": LIMIT, "depth": DEPTH}
    return service.database.run(f"bench/unscoped_vector.{SLOT}", **given)


def _plain_text(service: Service, question: _Question) -> Awaitable[object]:
    query = full_text_query(full_text_words(question.text), ("content",))
    given = {**_NOBODY, "query": query, "vector": question.vector, "depth": DEPTH}
    return service.database.run(f"bench/unscoped_text.{SLOT}", **given)


def _ratios(seconds: list[float], base: list[float]) -> dict[str, float]:
    return {f"p{share} ratio": percentile(seconds, share / 100) / percentile(base, share / 100) for share in (50, 95)}


async def _survival(service: Service, crowd: Crowd, place: _Place) -> list[Line]:
    """Returns the share of the memories from the index that the rule lets through, for each kind of index search."""
    given: dict[str, int] = defaultdict(int)
    found: dict[str, int] = defaultdict(int)
    entries = _entries(crowd)
    there: dict[tuple[str, tuple[str, ...]], int] = {}
    for question in place.questions[: QUESTIONS // 5]:
        params = await _list_params(service, place, question)
        for branch, rows in _branches(place.viewer, params).items():
            if (what := (branch, question.named)) not in there:
                there[what] = len({entry for entry, labels in entries if any(_within(row, labels) for row in rows)})
            only = {"rows": rows, "limit": LIMIT, "depth": LIMIT}
            row = await service.database.one(f"search/vector.{SLOT}", **{**params, **only})
            assert row is not None
            given[branch] += min(there[what], LIMIT)
            found[branch] += len(row["found"])
    return [
        Line(f"survive the rule, {place.name}: {branch}", {"given": count, "share": found[branch] / count})
        for branch, count in given.items()
        if count
    ]


async def _list_params(service: Service, place: _Place, question: _Question) -> dict[str, Any]:
    """Returns the parameters of the vector list, as a search passes them, but without `group` and `elsewhere`: these
    matter only for facts, and all memories here are turns.
    """
    scope = await find_query_scope(service.database, service.clock, place.viewer, question.text)
    now = service.clock()
    where: tuple[Viewer, QueryScope, Times, Any] = (place.viewer, scope, Times(now, now), NO_FILTERS)
    searches = [*memory_searches(*where, present=True), *about_searches(*where, present=True)]
    return {
        **request_params(place.viewer, where[2], service.clock),
        **NO_FILTERS.params(),
        "rows": [search.params() for search in searches],
        "concerned": scope.concerned(place.viewer),
        "vector": question.vector,
        "limit": LIMIT,
        "depth": DEPTH,
    }


def _branches(viewer: Viewer, params: Row) -> dict[str, list[Row]]:
    """Groups the index searches of a vector list by what they look for."""
    found: dict[str, list[Row]] = defaultdict(list)
    for row in params["rows"]:
        if row["scope"] is not None:
            found["own scope" if row["scope"] == viewer.person_id else "the group's scope"].append(row)
        elif row["person_from"] != row["person_to"]:
            found["others' own, told here"].append(row)
        else:
            found["about the viewer" if row["person_from"] == viewer.person_id else "about others"].append(row)
    return found


def _entries(crowd: Crowd) -> list[tuple[str, dict[str, Any]]]:
    """Returns the entries of the two vector indexes, as memory id and labels: one for each memory, and one for each
    person that a memory is about.
    """
    return [
        (memory_id, labels)
        for memory_id, record in zip(crowd.ids, crowd.records, strict=True)
        for labels in ({"scope": record.owner_id or record.chat_id, **_labels(record)}, *_edges(record))
    ]


def _edges(record: Record) -> list[dict[str, Any]]:
    return [{"person": person, **_labels(record)} for person in record.about]


def _labels(record: Record) -> dict[str, Any]:
    return {
        "chat": record.chat_id or "",
        "learned": record.learned_in or "",
        "sensitivity": record.sensitivity.value,
        "portable": record.portable,
        "speaker": record.speaker_id or "",
        "source": record.source,
    }


def _within(row: Row, labels: dict[str, Any]) -> bool:
    """Whether an entry is within the bounds of a search. The entry of a memory has a scope, the other kind a person."""
    if row.get("scope") != labels.get("scope"):
        return False
    return all(
        row.get(f"{name}_from", value) <= value <= row.get(f"{name}_to", value) for name, value in labels.items()
    )


async def _looks(service: Service, crowd: Crowd) -> list[Line]:
    """Times reads of a memory by its id: in turns one that is hidden from the viewer in every place, and one that does
    not exist. The time must not reveal which it is. Raises RuntimeError if a hidden memory is shown.
    """
    viewer, now = service.viewer(), service.clock()
    standing = [(service.viewer(chat), crowd.places(chat)) for chat in (None, *crowd.kinds)]
    unseen = (
        memory_id
        for memory_id, record in zip(crowd.ids, crowd.records, strict=True)
        if not any(visible(record, each, there, Times(now, now), now) for each, there in standing)
    )
    hidden = list(islice(unseen, WARM_UP + LOOKS))
    took: dict[str, list[float]] = {"hidden": [], "missing": []}
    for number, hidden_id in enumerate(hidden):
        for what, memory_id in (("hidden", hidden_id), ("missing", new_id())):
            started = time.perf_counter()
            if await service.browsing.memories(viewer, [memory_id]):
                raise RuntimeError(f"memory {memory_id} was shown, and must not be")
            if number >= WARM_UP:
                took[what].append(time.perf_counter() - started)
    return [
        *(Line(f"a {what} memory by its id", percentiles(seconds)) for what, seconds in took.items()),
        Line("  the hidden over the missing", _ratios(took["hidden"], took["missing"])),
    ]
