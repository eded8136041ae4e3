"""The search part of `bench speed`: the same kinds of searches while the graph grows."""

import time
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Final

import numpy as np

from benchmarks.environment import Report, Row, group_chat, in_turns, percentiles
from benchmarks.oracle import Record
from benchmarks.quality.metrics import percentile
from benchmarks.speed import pages
from benchmarks.synthetic_data import BATCH, Maker, Vectors, fill
from hippograph.api.service import Service
from hippograph.graph.ids import new_id
from hippograph.graph.model import ChatKind, Times, Viewer
from hippograph.graph.people.people import Member
from hippograph.graph.schema import await_indexes
from hippograph.nlp.questions.complexity import COMPLEX, SIMPLE
from hippograph.nlp.questions.intent import Intent

SIZES: Final = (1_000, 10_000, 50_000, 100_000)
OWN: Final = 1_000
SMALL: Final = 20
SMALL_AT: Final = 50_000
QUERIES: Final = 200


async def measure(service: Service, report: Report) -> list[Row]:
    """Times searches at each size of the graph, over a user's own 1,000 memories and in a chat that holds nearly all
    others. At some sizes also a small chat, searches in the past, traversals and pages.
    """
    assert service.embedder
    maker = Maker(service.embedder.dimensions)
    everyone, guest = await group_chat(service, "all"), await service.people.create_person(service.viewer(), "Guest")
    small = await service.people.create_chat(service.viewer(), ChatKind.GROUP, "small", [Member(guest.id)])
    await fill_scope(service, maker, service.local_user.id, "", OWN)
    small_vectors = await fill_scope(service, maker, small.id, small.id, SMALL)
    places = {"own 1,000": service.viewer(), "one scope of all": service.viewer(everyone.id)}
    rows, total, of_all = [], OWN + SMALL, list[str]()
    first: dict[tuple[str, bool], float] = {}
    for number, size in enumerate(SIZES, start=1):
        report(number, len(SIZES), f"searching: {size:,} memories")
        if size > total:
            of_all += (await fill_scope(service, maker, everyone.id, everyone.id, size - total))[0]
            total = size
        await await_indexes(service.database)
        for place, viewer in places.items():
            for embedded in (False, True):
                times = await _ask(service, maker, viewer, embedded=embedded)
                what = f"search, {place} of {size:,}, {'with' if embedded else 'without'} embedding the query"
                rows.append(Row(what, percentiles(times)))
                first.setdefault((place, embedded), percentile(times, 0.95))
                if place == "own 1,000" and size == SIZES[-1]:
                    ratio = percentile(times, 0.95) / first[place, embedded]
                    rows.append(Row(f"  p95 over that at {SIZES[0]:,}", {"ratio": ratio}))
        if size == SIZES[-1]:
            rows += await _in_the_past(service, maker, size)
            rows += await _traversals(service, maker, places["one scope of all"], of_all)
            rows += await pages.measure(service, maker, size)
        if size == SMALL_AT:
            rows.append(await _small_scope(service, maker, Viewer(guest.id, small.id), small_vectors))
    return rows


async def _ask(service: Service, maker: Maker, viewer: Viewer, *, embedded: bool) -> list[float]:
    """Returns the seconds of each search. Without `embedded`, the query's vector is cached from an earlier search."""
    repeated = [maker.question() for _ in range(20)]
    for question in repeated:
        await service.search.search(viewer, question)
    times = []
    for number in range(QUERIES):
        question = maker.question() if embedded else repeated[number % len(repeated)]
        started = time.perf_counter()
        await service.search.search(viewer, question)
        times.append(time.perf_counter() - started)
    return times


async def _in_the_past(service: Service, maker: Maker, size: int) -> list[Row]:
    """Times searches as of now and as of a past moment, in turns. All memories are older than that moment."""
    viewer, then = service.viewer(), service.clock()

    async def present(question: str) -> None:
        await service.search.search(viewer, question)

    async def past(question: str) -> None:
        await service.search.search(viewer, question, times=Times(then, then))

    ways = {"the present": present, "the past": past}
    took = await in_turns(service, [maker.question() for _ in range(QUERIES)], ways)
    ratio = percentile(took["the past"], 0.95) / percentile(took["the present"], 0.95)
    return [
        *(Row(f"search of {what}, own 1,000 of {size:,}", percentiles(seconds)) for what, seconds in took.items()),
        Row("  p95 of the past over that of the present", {"ratio": ratio}),
    ]


async def _traversals(service: Service, maker: Maker, viewer: Viewer, ids: list[str]) -> list[Row]:
    """Links the memories `ids`, then times searches without a route, along causes and along time, in turns: first with
    simple questions, of at most two hops, then with complex ones, of at most four.
    """
    for first in range(0, len(ids), BATCH):
        await service.database.run("bench/link", ids=ids[first : first + BATCH + 1])

    async def ask(question: str, intent: Intent) -> None:
        await service.search.search(viewer, question, intent=intent, first=10)

    rows = []
    ways = {each.value: partial(ask, intent=each) for each in (Intent.GENERAL, Intent.WHY, Intent.WHEN)}
    for hops, more in ((SIMPLE.hops, ""), (COMPLEX.hops, " And what happened after that, and why?")):
        took = await in_turns(service, [maker.question() + more for _ in range(QUERIES)], ways)
        for intent, seconds in took.items():
            ratio = percentile(seconds, 0.95) / percentile(took[Intent.GENERAL], 0.95)
            numbers = {**percentiles(seconds), "p95 over that without a route": ratio}
            rows.append(Row(f"search, {intent}, {hops} hops at most, one scope of all", numbers))
    return rows


async def _small_scope(service: Service, maker: Maker, viewer: Viewer, vectors: "_Vectors") -> Row:
    """Times searches in a chat of 20 memories among 50,000, and measures the recall of the vector index: the share of
    the exact ten nearest memories that are among the first ten of the vector list.
    """
    assert service.embedder
    times, shares = [], []
    ids, matrix = vectors
    for _ in range(50):
        question = maker.question()
        query = np.array(service.embedder.embed_query(question).vector)
        exact = {ids[place] for place in np.argsort(-(matrix @ query))[:10]}
        started = time.perf_counter()
        page = await service.search.search(viewer, question, first=SMALL)
        times.append(time.perf_counter() - started)
        nearest = [result for result in page.results if "vector" in result.hits and result.hits["vector"].rank <= 10]
        shares.append(len(exact.intersection(result.memory.id for result in nearest)) / 10)
    return Row(
        f"search, a chat of {SMALL} among {SMALL_AT:,}", {**percentiles(times), "recall@10": sum(shares) / len(shares)}
    )


_Vectors = tuple[list[str], Vectors]


async def fill_scope(service: Service, maker: Maker, scope: str, chat: str, count: int) -> _Vectors:
    """Writes `count` memories of one scope directly into the graph: a person's own if `chat` is empty, else the chat's.
    Returns their ids and vectors, in the same order.
    """
    now = datetime.now(UTC)
    ids, parts = [], []
    for first in range(0, count, BATCH):
        vectors = maker.vectors(min(BATCH, count - first))
        records = [(new_id(), _record(service, scope, chat, now, first + at)) for at in range(len(vectors))]
        await fill(service.database, maker.rows(records, vectors, first), service.settings.embedding_model)
        ids += [memory_id for memory_id, _ in records]
        parts.append(vectors)
    return ids, np.concatenate(parts)


def _record(service: Service, scope: str, chat: str, now: datetime, turn: int) -> Record:
    """Returns the labels of a memory, valid since `turn` minutes ago. A person's own memory was learned in no chat."""
    return Record(
        owner_id=None if chat else scope,
        chat_id=chat or None,
        persona_id=None,
        created_at=now,
        learned_at=now,
        valid_from=now - timedelta(minutes=turn),
        learned_in=chat or None,
        speaker_id=service.local_user.id,
    )
