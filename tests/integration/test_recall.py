"""Recall in the graph: what searches, cards and contexts return is noted once per call and written later (T4, T6)."""

import json
from datetime import timedelta
from typing import Any

import pytest

from hippograph.graph.database import Database
from hippograph.graph.errors import DatabaseFailed, DatabaseUnavailable
from hippograph.graph.model import Viewer
from hippograph.graph.retention import recall as recalling
from hippograph.graph.retention.confidence import confidence_after_recall, decayed_confidence
from hippograph.graph.retention.recall import Recall
from hippograph.graph.retention.strength import stability_after_recall
from hippograph.graph.retrieval.filters import Filters
from hippograph.graph.retrieval.fusion import CO_RECALLED
from hippograph.graph.retrieval.profiles import make_search
from hippograph.graph.schema import answering_slot
from hippograph.graph.writing.fact import Fact

COUNTS = """
MATCH (m:Memory) WHERE m.id IN $ids
RETURN m.id AS id, m.access_count AS count, m.last_accessed_at AS last, m.confidence AS confidence,
       m.stability AS stability, m.score AS score, m.last_hit_at AS hit
"""
PAIRS = "MATCH (a:Memory)-[r:CO_RECALLED]->(b:Memory) RETURN a.id AS one, b.id AS other, r.strength AS strength"
INDEXED = """
MATCH (m:Memory)
RETURN m.id AS id, [key IN keys(m) WHERE NOT key IN $counters | [key, toStringOrNull(m[key])]] AS rest
"""
COUNTERS = ["access_count", "last_accessed_at", "confidence", "stability", "stabilities", "recalled_at", "lock"]


@pytest.fixture
async def recall(service) -> Recall:
    """The service's recall, without unwritten notes."""
    await service.recall.flush()
    return service.recall


async def remember(scene: Any, *contents: str, **more: Any) -> list[str]:
    """Stores facts of the local user, and returns the ids of their memories."""
    viewer = Viewer(scene.me)
    stored = await scene.service.facts.remember(viewer, [Fact(content, **more) for content in contents])
    return [each.memory_id for each in stored]


async def counters(raw: Any, ids: list[str]) -> list[dict[str, Any]]:
    """The properties that recall counts, of each memory in this order."""
    rows = {row["id"]: row for row in await raw(COUNTS, ids=ids)}
    return [rows[each] for each in ids]


async def test_a_search_counts_what_it_returns_when_it_is_written(scene, recall, raw, clock) -> None:
    """When the notes are written, access count, confidence and stability grow by the documented formulas, and the score
    stays the same.
    """
    clock.stop()
    [fact] = await remember(scene, "I feed the otters on Mondays", confidence=0.8)
    clock.advance(timedelta(days=3))
    await scene.service.search.search(Viewer(scene.me), "otters", reinforce=True)
    [before] = await counters(raw, [fact])
    await recall.flush()
    [after] = await counters(raw, [fact])
    assert (0, None, 0.8, 1.0) == (before["count"], before["last"], before["confidence"], before["stability"])
    assert (1, scene.service.clock()) == (after["count"], after["last"])
    assert after["confidence"] == pytest.approx(confidence_after_recall(0.8, 1))
    assert after["stability"] == stability_after_recall(1.0, growth=1.5, most=365)
    assert (before["score"], before["hit"]) == (after["score"], after["hit"])


async def test_many_recalls_in_one_batch_are_as_many_recalls_one_by_one(scene, recall, raw) -> None:
    """Twenty recalls written in one batch equal twenty steps of the formulas, up to the maximum stability."""
    [fact] = await remember(scene, "I feed the otters on Mondays", confidence=0.5)
    for _ in range(20):
        recall.note(Viewer(scene.me), [fact])
    await recall.flush()
    [after] = await counters(raw, [fact])
    confidence, stability = 0.5, 1.0
    for count in range(1, 21):
        confidence = confidence_after_recall(confidence, count)
        stability = stability_after_recall(stability, growth=1.5, most=365)
    assert (20, 365) == (after["count"], after["stability"])
    assert (confidence, stability) == (pytest.approx(after["confidence"]), 365)


async def test_without_the_word_nothing_is_counted(scene, recall) -> None:
    """A search and a context without `reinforce` note nothing."""
    await remember(scene, "I feed the otters on Mondays", importance=2)
    viewer = Viewer(scene.me)
    await scene.service.search.search(viewer, "otters")
    await scene.service.contexts.context(viewer, "otters")
    assert 0 == recall.counts().waiting


async def test_only_the_first_page_counts(scene, recall, raw) -> None:
    """Only the first page of a search counts as a recall (R4), but each page is recorded as a use (W13)."""
    both = await remember(scene, "I feed the otters on Mondays", "I feed the otters on Fridays")
    search, viewer = scene.service.search, Viewer(scene.me)
    page = await search.search(viewer, "otters", first=1, reinforce=True)
    assert 1 == recall.counts().waiting
    await search.search(viewer, "otters", first=1, after=page.results[-1].cursor, reinforce=True)
    await recall.flush()
    assert [0, 1] == sorted(each["count"] for each in await counters(raw, both))
    assert 2 == len(await raw("MATCH (u:Use) RETURN u.id AS id"))


async def test_graphql_counts_once_a_call_and_not_when_told_so(scene, recall, ask, raw) -> None:
    """A GraphQL search with its cards counts each memory once; with `reinforce: false` it counts none."""
    [fact] = await remember(scene, "I feed the otters on Mondays", importance=2)
    query = 'query($on: Boolean!) { search(query: "otters", reinforce: $on) { nodes { id } cards { text } } }'
    answer = await ask(query, on=False)
    assert answer["data"]["search"]["cards"][0]["text"].endswith("I feed the otters on Mondays")
    await recall.flush()
    assert 0 == (await counters(raw, [fact]))[0]["count"]
    await ask(query, on=True)
    await recall.flush()
    assert 1 == (await counters(raw, [fact]))[0]["count"]


@pytest.mark.parametrize(
    "query",
    [
        'search(query: "otters") { nodes { id } cards { text } }',
        'context(query: "otters") { text }',
        "entityCard(key: $key) { text }",
    ],
)
async def test_what_is_asked_by_get_counts_nothing(client, ask, scene, recall, raw, query: str) -> None:
    """A read by GET counts nothing, since any web page can make a browser send one; the same read by POST counts."""
    [fact] = await remember(scene, "I feed the otters on Mondays", importance=2)
    me = (await scene.service.browsing.entities_by(Viewer(scene.me), [scene.me]))[scene.me]
    document = f"{{ {query.replace('$key', json.dumps(me.key))} }}"
    for by_get, expected in ((True, 0), (False, 1)):
        answer = (await client.get("/graphql", params={"query": document})).json() if by_get else await ask(document)
        assert "errors" not in answer
        await recall.flush()
        assert expected == (await counters(raw, [fact]))[0]["count"]


async def test_cards_and_contexts_count_what_is_in_them(scene, recall, raw, ask) -> None:
    """Memories on a card or in a context count as recalled; those that the context leaves out do not."""
    facts = await remember(
        scene, "I feed the otters", *(f"I saw {n} otters at the river" for n in range(3)), importance=2
    )
    me = (await scene.service.browsing.entities_by(Viewer(scene.me), [scene.me]))[scene.me]
    await ask("query($key: String!) { entityCard(key: $key) { text } }", key=me.key)
    await recall.flush()
    on_card = [row["count"] for row in await counters(raw, facts)]
    assert 3 == sum(on_card)
    found = await scene.service.contexts.context(Viewer(scene.me), "otters", budget=70, reinforce=True)
    shown = {each for entry in found.entries for each in entry.piece.memory_ids}
    assert set() < shown < set(facts)
    await recall.flush()
    expected = [count + (each in shown) for count, each in zip(on_card, facts, strict=True)]
    assert expected == [row["count"] for row in await counters(raw, facts)]


async def test_the_five_best_are_joined_in_pairs_and_more_often_more_strongly(scene, recall, raw) -> None:
    """The five best memories of a call are linked in ten pairs, the sixth in none; each recall of a pair adds 1 to its
    strength (T6).
    """
    ids = await remember(scene, *(f"I saw {number} otters" for number in range(6)))
    recall.note(Viewer(scene.me), ids)
    recall.note(Viewer(scene.me), ids[:2])
    await recall.flush()
    pairs = {frozenset((row["one"], row["other"])): row["strength"] for row in await raw(PAIRS)}
    assert 10 == len(pairs)
    assert 2 == pairs[frozenset(ids[:2])]
    assert all(ids[5] not in pair for pair in pairs)
    recall.note(Viewer(scene.me), reversed(ids[:2]))
    await recall.flush()
    assert 3 == {frozenset((row["one"], row["other"])): row["strength"] for row in await raw(PAIRS)}[frozenset(ids[:2])]


async def test_recall_moves_nothing_that_an_index_holds(scene, drain, recall, raw) -> None:
    """A recall changes no property of any memory except `COUNTERS`, so no index has to be updated."""
    ids = await remember(scene, "I feed the otters", "I feed the seals", confidence=0.7)
    await drain()
    before = await raw(INDEXED, counters=COUNTERS)
    recall.note(Viewer(scene.me), ids)
    await recall.flush()
    assert before == await raw(INDEXED, counters=COUNTERS)


async def test_what_was_forgotten_meanwhile_is_not_recalled(scene, recall, raw) -> None:
    """A memory that is retired before its note is written is neither counted nor linked."""
    one, other = await remember(scene, "I feed the otters", "I feed the seals")
    recall.note(Viewer(scene.me), [one, other])
    await scene.service.facts.forget(Viewer(scene.me), one)
    await recall.flush()
    assert [0, 1] == [row["count"] for row in await counters(raw, [one, other])]
    assert [] == await raw(PAIRS)


async def test_a_search_follows_what_was_returned_together(scene, drain, recall, raw) -> None:
    """With a weight for `CO_RECALLED`, a search also finds a memory that was often recalled together with a result. A
    memory of another person is not linked, and if it were, it would not be found.
    """
    otters, ladder = await remember(scene, "I feed the otters", "The ladder is in the shed")
    [hidden] = [
        each.memory_id
        for each in await scene.service.facts.remember(Viewer(scene.ben.id), [Fact("The key is under the mat")])
    ]
    await drain()
    for _ in range(3):
        recall.note(Viewer(scene.me), [otters, ladder, hidden])
    await recall.flush()
    assert [{otters, ladder}] == [{row["one"], row["other"]} for row in await raw(PAIRS)]
    await raw(
        "MATCH (a:Memory {id: $a}), (b:Memory {id: $b}) CREATE (a)-[:CO_RECALLED {strength: 9, created_at: $at}]->(b)",
        a=otters,
        b=hidden,
        at=scene.service.clock(),
    )
    embedder, viewer = scene.service.embedder, Viewer(scene.me)
    slot = await answering_slot(scene.service.database, scene.service.clock, embedder.model, embedder.dimensions)

    def search(weight: float) -> Any:
        return make_search(
            scene.service.database,
            scene.service.clock,
            embedder=None,
            slot=slot,
            executor=None,
            fusion="rrf",
            rrf_k=60,
            rrf_weights={},
            link_weights={CO_RECALLED: weight},
        ).search(viewer, "otters")

    assert [otters] == [result.memory.id for result in (await search(0.0)).results]
    page = await search(0.5)  # a full weight would be a tie between the lists
    assert [otters, ladder] == [result.memory.id for result in page.results]
    assert (otters, ladder) == page.results[1].links[CO_RECALLED].path
    assert pytest.approx(0.5 / 61) == page.results[1].parts[CO_RECALLED]


class Away:
    """A database that raises `error`, or works if that is None."""

    def __init__(self, database: Database, error: Exception | None) -> None:
        self.error = error
        self._database = database

    async def count(self, statement: str, /, **params: object) -> int:
        """Returns what the database's `count` does. Raises `error` if it is set."""
        if self.error:
            raise self.error
        return await self._database.count(statement, **params)


async def test_what_the_graph_cannot_take_now_is_written_later(scene, raw) -> None:
    """While the database is unavailable, notes wait and failures are counted; notes that it refuses count as lost."""
    [fact] = await remember(scene, "I feed the otters")
    away = Away(scene.service.database, DatabaseUnavailable("away"))
    recall = Recall(away, scene.service.clock, growth=1.5, most_days=365)  # type: ignore[arg-type]
    recall.note(Viewer(scene.me), [fact])
    await recall.flush()
    counts = recall.counts()
    assert (1, 0, 0, 1) == (counts.waiting, counts.written, counts.lost, counts.failures)
    away.error = None
    await recall.flush()
    assert (0, 1) == (recall.counts().waiting, recall.counts().written)
    assert 1 == (await counters(raw, [fact]))[0]["count"]
    away.error = DatabaseFailed("no")
    recall.note(Viewer(scene.me), [fact])
    await recall.flush()
    assert (0, 1, "DatabaseFailed: no") == (recall.counts().waiting, recall.counts().lost, recall.counts().last_failure)


async def test_notes_are_bounded(service) -> None:
    """Above the maximum of unwritten notes the oldest are dropped and counted as lost."""
    recall = Recall(service.database, service.clock, growth=1.5, most_days=365)
    for _ in range(3):
        recall.note(Viewer(service.local_user.id), [str(number) for number in range(recalling.MOST_NOTED // 2)])
    counts = recall.counts()
    assert (recalling.MOST_NOTED, recalling.MOST_NOTED // 2) == (counts.waiting, counts.lost)


async def test_notes_are_written_by_themselves_while_that_is_asked_for(scene, raw) -> None:
    """The context `writing` writes the notes at its end at the latest."""
    [fact] = await remember(scene, "I feed the otters")
    recall = Recall(scene.service.database, scene.service.clock, growth=1.5, most_days=365)
    async with recall.writing():
        recall.note(Viewer(scene.me), [fact])
    assert 1 == (await counters(raw, [fact]))[0]["count"]


async def test_how_far_recall_is_can_be_asked(ask, recall) -> None:
    """An administrator can query the number of waiting notes and of failures, and the last failure."""
    answer = await ask("{ recall { waiting failures lastFailure } }")
    assert {"waiting": 0, "failures": 0, "lastFailure": None} == answer["data"]["recall"]


async def test_confidence_is_shown_and_filtered_as_it_is_by_now(scene, recall, clock) -> None:
    """The confidence that is shown and filtered by has decayed since the last access. A recall restores it, since the
    stored one does not decay.
    """
    clock.stop()
    viewer, search = Viewer(scene.me), scene.service.search
    [fact] = await remember(scene, "I feed the otters", confidence=0.8)
    clock.advance(timedelta(days=10))
    [result] = (await search.search(viewer, "otters")).results
    assert round(decayed_confidence(0.8, 0.1, 10), 4) == result.memory.confidence
    sure = Filters(least_confidence=0.7)
    assert [] == (await search.search(viewer, "otters", filters=sure)).results
    recall.note(Viewer(scene.me), [fact])
    await recall.flush()
    [again] = (await search.search(viewer, "otters", filters=sure)).results
    assert round(confidence_after_recall(0.8, 1), 4) == again.memory.confidence
