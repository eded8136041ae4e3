import asyncio
import base64
import json
import random
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hippograph.api.graphql.nodes import global_id
from hippograph.api.service import Service
from hippograph.graph.database import Database, Row
from hippograph.graph.errors import HippographError, InvalidInput, NotFound
from hippograph.graph.ids import new_id, token
from hippograph.graph.model import INTERNAL, ChatKind, MemoryType, Sensitivity, Times, Viewer
from hippograph.graph.people.people import Member
from hippograph.graph.retrieval.analysis import Analyst
from hippograph.graph.retrieval.filters import Filters
from hippograph.graph.retrieval.fusion import FULL_TEXT, VECTOR, Fusion, reciprocal_rank_fusion
from hippograph.graph.retrieval.pools import Pools, Profile
from hippograph.graph.retrieval.profiles import make_search
from hippograph.graph.retrieval.ranking import RankingProfile
from hippograph.graph.retrieval.relevance import calibrated
from hippograph.graph.retrieval.retrievers.full_text import FullText
from hippograph.graph.retrieval.retrievers.retriever import RankedList, Request
from hippograph.graph.retrieval.search import Search
from hippograph.graph.writing.memory_properties import DEFAULTS, belonging_tokens
from hippograph.graph.writing.recording import Turn
from hippograph.nlp.embedding.embedder import Embedding
from hippograph.nlp.questions.intent import Intent, words_classifier

LONG_AGO = datetime(2024, 1, 1, tzinfo=UTC)
WHEN = datetime(2024, 5, 1, 12, tzinfo=UTC)
DIMENSIONS = 384
FUSIONS: tuple[Fusion, ...] = ("context", "rrf")


def contents(page: Any) -> list[str]:
    """The texts of the results of a page."""
    return [result.memory.content for result in page.results]


def ids(page: Any) -> list[str]:
    """The ids of a page's results."""
    return [result.memory.id for result in page.results]


def words_only(service: Service, **changes: Any) -> Search:
    """A search over the service's graph without an embedder (R11); `changes` replace arguments of `make_search`."""
    options: dict[str, Any] = {"fusion": "context", "rrf_k": 60, "rrf_weights": {}, "embedder": None, "slot": None}
    options |= {"database": service.database, "executor": None}
    return make_search(clock=service.clock, **{**options, **changes})


def node(content: str, scope: dict[str, str], number: int, vector: list[float] | None = None, **more: Any) -> Any:
    """The properties of a memory node, `number` minutes after `WHEN`; `more` adds or replaces properties."""
    at = more.pop("event_time", WHEN + timedelta(minutes=number))
    properties = {
        **DEFAULTS,
        "id": new_id(),
        "content": content,
        "type": "episodic",
        "persona_id": "",
        "session_id": "",
        "speaker_id": "",
        "speaker_name": "",
        "source": "conversation",
        "source_role": "user",
        "tags": [],
        "event_time": at,
        "event_precision": "minute",
        "event_until": at,
        "event_day": f"{at:%Y%m%d}",
        "created_at": at,
        "learned_at": at,
        "valid_from": at,
        **scope,
        **more,
    }
    fields = ("type", "source", "session_id", "speaker_id", "status", "persona_id", "sensitivity")
    properties["facets"] = [token(name.removesuffix("_id"), properties[name]) for name in fields]
    properties["facets"] += [token("tag", tag) for tag in properties["tags"]]
    properties["facets"] += belonging_tokens(properties["narrative_id"], properties["task_id"])
    properties["embedding_a"] = vector
    return properties


def of_group(chat_id: str) -> dict[str, Any]:
    """The scope properties of a memory that was said in a group."""
    return {"owner_id": "", "chat_id": chat_id, "scope": chat_id, "scopes": [chat_id], "learned_in": chat_id}


def of_person(person_id: str) -> dict[str, Any]:
    """The scope properties of a person's own memory."""
    return {"owner_id": person_id, "chat_id": "", "scope": person_id, "scopes": [person_id], "learned_in": ""}


async def store(raw: Any, rows: list[Any]) -> list[str]:
    """Creates memory nodes, 500 at a time, and returns their ids."""
    for start in range(0, len(rows), 500):
        await raw("UNWIND $rows AS row CREATE (m:Memory:Episodic) SET m = row", rows=rows[start : start + 500])
    return [row["id"] for row in rows]


async def walk(search: Search, viewer: Viewer, query: str, first: int, **more: Any) -> list[Any]:
    """The results of all pages of size `first`, in order; every page but the last must be full."""
    results: list[Any] = []
    while True:
        after = results[-1].cursor if results else None
        page = await search.search(viewer, query, first=first, after=after, **more)
        results += page.results
        if not page.has_next:
            return results
        assert first == len(page.results)


def direction(chance: random.Random) -> list[float]:
    """A random vector."""
    return [chance.gauss(0, 1) for _ in range(DIMENSIONS)]


class Fixed:
    """An embedder that returns the same vector for every query."""

    def __init__(self, vector: list[float]) -> None:
        self.vector = vector

    def embed_query(self, _: str) -> Embedding:
        """The fixed vector, without token vectors."""
        return Embedding(self.vector, tokens=None)


def by_meaning(service: Service, vector: list[float]) -> Search:
    """A search in which the vector of every query is `vector`."""
    return make_search(
        service.database,
        service.clock,
        embedder=Fixed(vector),  # type: ignore[arg-type]
        slot=None,
        executor=None,
        fusion="context",
        rrf_k=60,
        rrf_weights={},
    )


# --- what is found, and why ---


async def test_a_pending_memory_is_found_by_its_words(scene) -> None:
    """A memory recorded a moment ago is found by full text, before any model has read it."""
    stored = await scene.say("The croissants are from the Kornblume.")
    page = await scene.service.search.search(scene.viewer(), "croissants")
    assert [stored.memory_id] == ids(page)
    assert {FULL_TEXT} == set(page.results[0].hits)
    assert page.results[0].memory.pending


@pytest.mark.embedding_ranked
async def test_a_pending_memory_comes_first_where_its_words_are_best(scene, drain) -> None:
    """A pending turn whose words match best ranks first, though similar turns have vectors already."""
    for number, town in enumerate(("Graz", "Bovec", "Ljubljana", "Vienna", "Salzburg", "Kobarid")):
        await scene.say(f"Ana's brother Matej found a flat in {town}.", at=scene.minutes(3 * number))
        await scene.say("We had soup, and then it rained.", at=scene.minutes(3 * number + 1))
    await drain()
    await scene.say("My sister Lena moved to Trieste last week.", at=scene.minutes(1_000))
    page = await scene.service.search.search(scene.viewer(), "Who lives in Trieste?")
    assert "My sister Lena moved to Trieste last week." == page.results[0].memory.content
    assert page.results[0].memory.pending


@pytest.mark.embedding_ranked
async def test_a_result_says_who_said_it_when_and_why_it_is_there(scene, drain) -> None:
    """Each result has its speaker and time, its rank in each list, and parts that add up to its score (R9)."""
    await scene.say("My sister keeps bees behind the old mill.", at=scene.minutes(0))
    await scene.say("It rained all day.", by=scene.ben, at=scene.minutes(1))
    await drain()
    page = await scene.service.search.search(scene.viewer(), "Who keeps bees?")
    best = page.results[0]
    assert ("Maya Lindqvist", scene.minutes(0)) == (best.memory.speaker_name, best.memory.event_time)
    assert {FULL_TEXT: 1, VECTOR: 1} == {name: hit.rank for name, hit in best.hits.items()}
    assert {VECTOR} == set(page.results[1].hits)
    for result in page.results:
        assert pytest.approx(result.score) == sum(result.parts.values())


async def test_the_speaker_and_the_day_are_found(scene) -> None:
    """A turn is found by the name of its speaker and by its day, even if its words do not match."""
    maya = await scene.say("Hm.", at=scene.minutes(0))
    ben = await scene.say("Well.", by=scene.ben, at=scene.minutes(24 * 60 * 30))
    everywhere = Viewer(scene.me, scene.group.id)
    for question, expected in (("Okafor April", ben), ("4 March", maya)):
        page = await words_only(scene.service).search(everywhere, question)
        assert [expected.memory_id] == ids(page)


async def test_a_new_retriever_is_one_more_list(scene, drain) -> None:
    """The list of a retriever that is added counts with the weight of its name, and the results show its ranks."""
    for number in range(4):
        await scene.say(f"bread {number}", at=scene.minutes(number))
    await drain()
    database, clock = scene.service.database, scene.service.clock
    words = FullText(database, clock, "a")

    class Backwards:
        """A retriever that returns the full-text list in reverse order."""

        name = "backwards"

        async def retrieve(self, request: Request) -> RankedList:
            return RankedList((await words.retrieve(request)).items[::-1])

    fuse = partial(reciprocal_rank_fusion, k=0, weights={"backwards": 8.0})
    profiles = {(RankingProfile.FUSED, "rrf", Intent.GENERAL): Profile([words, Backwards()], fuse)}
    analyst, relevance = Analyst(None, words_classifier, adaptive=True), calibrated(None)
    pools, usual = Pools(database, clock, None), RankingProfile.FUSED
    search = Search(database, clock, pools, profiles, usual, "rrf", analyst, relevance, executor=None)
    page = await search.search(scene.viewer(), "bread", intent=Intent.GENERAL)
    found = [{name: hit.rank for name, hit in result.hits.items()} for result in page.results]
    assert [{FULL_TEXT: 5 - rank, "backwards": rank} for rank in (1, 2, 3, 4)] == found
    assert {FULL_TEXT: 1 / 4, "backwards": 8.0} == dict(page.results[0].parts)


class Counting:
    """A database that records the names of the statements that run."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.names: list[str] = []

    async def run(self, statement: str, /, **params: Any) -> list[Row]:
        """Records the name and runs the statement."""
        self.names.append(statement)
        return await self._database.run(statement, **params)

    async def one(self, statement: str, /, **params: Any) -> Row | None:
        """Records the name and runs the statement."""
        self.names.append(statement)
        return await self._database.one(statement, **params)


@pytest.mark.parametrize("question", ["bread", "Does Ben Okafor bake bread?"])
async def test_a_search_reads_five_times(scene, drain, question) -> None:
    """A search by words runs five statements: the scope with the persona and the people named, the list, the relations
    of the candidates, what is outdated, and the memories shown. A traversal would be one more.
    """
    await scene.say("Ben Okafor bakes bread.")
    await drain()
    counting = Counting(scene.service.database)
    search = words_only(scene.service, database=counting)
    page = await search.search(Viewer(scene.me, scene.group.id, scene.atlas.id), question, intent=Intent.GENERAL)
    assert 1 == len(page.results)
    assert [
        "search/query_scope",
        "search/full_text.a",
        "search/relations",
        "search/outdated",
        "memory/load",
    ] == counting.names


async def test_a_search_may_name_its_fusion(scene, drain) -> None:
    """A search that names no fusion uses that of the settings; a cursor is refused by a search with another fusion."""
    for number in range(3):
        await scene.say(f"bread {number}", at=scene.minutes(number))
    await drain()
    search, me = scene.service.search.search, scene.viewer()
    usual = await search(me, "bread", first=1)
    assert usual.results[0].parts == (await search(me, "bread", fusion="context", first=1)).results[0].parts
    [best] = (await search(me, "bread", fusion="rrf", first=1)).results
    assert {name: 1 / (60 + hit.rank) for name, hit in best.hits.items()} == dict(best.parts)
    with pytest.raises(InvalidInput, match="belongs to another search"):
        await search(me, "bread", first=1, after=best.cursor)


async def test_rrf_is_the_sum_over_the_lists(scene, drain) -> None:
    """The fusion `rrf` scores Σ weight / (k + rank), with the `k` and the weights of the settings."""
    for number in range(6):
        await scene.say(f"bread and butter number {number}", at=scene.minutes(number))
    await drain()
    service = scene.service
    weights = {FULL_TEXT: 2.0, VECTOR: 0.5}
    search = words_only(
        service,
        fusion="rrf",
        rrf_k=10,
        rrf_weights=weights,
        embedder=Fixed(service.embedder.embed_query("bread").vector),
    )
    page = await search.search(scene.viewer(), "bread butter", first=10)
    assert 6 == len(page.results)
    for result in page.results:
        expected = sum(weights[name] / (10 + hit.rank) for name, hit in result.hits.items())
        assert pytest.approx(expected) == result.score
    assert sorted((result.score for result in page.results), reverse=True) == [r.score for r in page.results]


async def test_weights_of_lists_count_in_the_default_fusion(scene, drain) -> None:
    """`rrf_weights` multiply the default weights of lists; with 0 the score of a list does not count."""
    await scene.say("bread and butter")
    await scene.say("bread, and jam on it", at=scene.minutes(1))
    await drain()
    viewer = scene.viewer()

    async def parts(weights: dict[str, float]) -> dict[str, dict[str, float]]:
        page = await words_only(scene.service, rrf_weights=weights).search(viewer, "bread butter", first=10)
        return {result.memory.content: dict(result.parts) for result in page.results}

    usual, doubled, without = await parts({}), await parts({FULL_TEXT: 2.0}), await parts({FULL_TEXT: 0.0})
    assert 2 == len(usual)
    for content, part in usual.items():
        assert pytest.approx(2 * part[FULL_TEXT]) == doubled[content][FULL_TEXT]
        assert 0 == without[content][FULL_TEXT] != part[FULL_TEXT]


async def test_stop_words_alone_find_by_meaning_alone(scene, drain) -> None:
    """A query of words that the analyzer drops returns what the vectors find, and nothing without an embedder."""
    await scene.say("The bread is warm.")
    await drain()
    page = await scene.service.search.search(scene.viewer(), "is it the and of")
    assert [{VECTOR}] == [set(result.hits) for result in page.results]
    assert [] == (await words_only(scene.service).search(scene.viewer(), "is it the and of")).results


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("我的女儿对花生过敏", "谁对花生过敏？"),
        ("東京に住んでいます", "東京"),
        ("私はコーヒーが苦手です", "コーヒーは？"),
        ("저는 서울에 살아요", "서울에서 누가 살아요?"),
        ("나는 고양이를 좋아한다", "고양이"),
        ("Моя дочь живёт в Граце", "Кто живёт в Граце?"),
        ("أختي تسكن في فيينا", "من تسكن في فيينا؟"),
    ],
)
async def test_words_of_any_script_are_found(scene, said: str, asked: str) -> None:
    """Without an embedder, a text in any script is found by its words."""
    await scene.say("I like bread.")
    await scene.say(said, at=scene.minutes(1))
    found = await words_only(scene.service).search(scene.viewer(), asked)
    assert [said] == [result.memory.content for result in found.results]


async def test_only_punctuation_finds_nothing_by_words(scene) -> None:
    """A query without a word has no results without an embedder, and is no error."""
    await scene.say("The bread is warm.")
    assert [] == (await words_only(scene.service).search(scene.viewer(), "?! … --")).results


async def test_what_is_hidden_is_absent(scene, drain) -> None:
    """A private memory is found by its owner alone, also in a group; a group's memory by its members, only there. A
    chat in which the viewer takes no part answers like one that does not exist.
    """
    await scene.say("My secret is a tattoo.", chat=scene.private)
    await scene.say("The group's secret is a cake.")
    await drain()
    search = scene.service.search.search
    outsider = await scene.service.people.create_person(INTERNAL, "Eve")
    assert {"My secret is a tattoo."} == set(contents(await search(Viewer(scene.maya.id), "secret")))
    assert 2 == len((await search(Viewer(scene.maya.id, scene.group.id), "secret")).results)
    assert ["The group's secret is a cake."] == contents(await search(Viewer(scene.ben.id, scene.group.id), "secret"))
    assert [] == (await search(Viewer(outsider.id), "secret")).results
    for chat in (scene.group.id, scene.private.id, "nowhere"):
        with pytest.raises(NotFound, match=f"^there is no chat {chat}$"):
            await search(Viewer(outsider.id, chat), "secret")


async def derived(raw: Any, fact: Any, about: str, turns: list[str]) -> None:
    """Creates a fact about a person, extracted from these turns."""
    await raw(
        """
        CREATE (m:Memory:Semantic) SET m = $fact
        WITH m MATCH (p:Person {id: $about})
        CREATE (m)-[r:ABOUT {primary: true}]->(p)
        SET r += $fact, r.memory_id = m.id, r.person_id = p.id
        WITH m UNWIND $turns AS turn MATCH (t:Memory {id: turn}) CREATE (m)-[:DERIVED_FROM]->(t)
        """,
        fact={
            **fact,
            "type": "semantic",
            "facets": [*fact["facets"], token("about", about), token("portable", "true")],
        },
        about=about,
        turns=turns,
    )


async def test_a_fact_from_another_chat_comes_first_where_it_matches_far_better(scene, raw) -> None:
    """A fact from another chat ranks first if it matches far better than the turns said here, and last if it matches
    only a little better. The turn that it was extracted from is hidden here.
    """
    chance = random.Random(6)
    asked = direction(chance)

    def near(by: float) -> list[float]:
        return [by * a + b for a, b in zip(asked, direction(chance), strict=True)]

    private = {**of_person(scene.maya.id), "learned_in": scene.private.id}
    turn = node("I sing in the choir on Mondays.", {**private, "portable": False}, 0, asked)
    noise = [
        node(f"number {n} said {n} Mondays", of_group(scene.group.id), n, near(n / 60), turn=n, session_id=f"s{n}")
        for n in range(12)
    ]
    await store(raw, [turn, *noise])
    fact = node("Maya sings in a choir on Mondays", private, 1, near(1.4), source="extraction")
    await derived(raw, fact, scene.maya.id, [turn["id"]])
    little = node("Maya has rehearsals on Mondays", private, 2, near(0.25), source="extraction")
    await derived(raw, little, scene.maya.id, [turn["id"]])
    search, ben = by_meaning(scene.service, asked), Viewer(scene.ben.id, scene.group.id)
    for fusion in FUSIONS:
        page = await search.search(ben, "Who sings in a choir on Mondays?", fusion=fusion, first=20)
        assert [1, 1] == [hit.rank for hit in next(r for r in page.results if r.memory.id == fact["id"]).hits.values()]
        assert fact["id"] == ids(page)[0]
        assert 14 == len(page.results)
    assert little["id"] in ids(page)
    page = await search.search(ben, "Who sings in a choir on Mondays?", fusion="context", first=20)
    assert little["id"] == ids(page)[-1]


async def test_outside_of_groups_no_fact_is_from_elsewhere(scene, raw) -> None:
    """In no chat and in a private chat, a fact learned in a group ranks by its match, without the part `elsewhere`."""
    chance = random.Random(7)
    asked = direction(chance)

    def near(by: float) -> list[float]:
        return [by * a + b for a, b in zip(asked, direction(chance), strict=True)]

    mine = of_person(scene.maya.id)
    turns = [node(f"number {n} said {n} Mondays", mine, n, near(n / 60), turn=n, session_id="s") for n in range(12)]
    await store(raw, turns)
    fact = node("Maya sings in a choir on Mondays", of_group(scene.group.id), 1, near(1.4), source="extraction")
    await derived(raw, fact, scene.maya.id, [])
    for chat in (None, scene.private.id):
        page = await by_meaning(scene.service, asked).search(
            Viewer(scene.maya.id, chat), "Who sings in a choir on Mondays?", fusion="context"
        )
        assert fact["id"] == ids(page)[0]
        assert "elsewhere" not in page.results[0].parts


async def test_a_hidden_turn_leaves_no_trace_in_scores(scene, raw) -> None:
    """Ranks and scores are the same with and without turns that the viewer may not see, whether these lie between other
    turns, before or after all of them, or are the evidence of a fact.
    """
    viewer, here = Viewer(scene.ben.id, scene.group.id), of_group(scene.group.id)
    marks = {"sensitivity": "personal", "speaker_id": "somebody who left"}
    for seed in range(4):
        chance = random.Random(seed)
        hidden = [chance.random() < 0.4 for _ in range(30)]
        turns = [
            node(
                "word " * chance.randint(1, 60),
                here,
                number // 2,  # pairs have the same time and differ in `turn`
                direction(chance),
                session_id=f"s{seed}",
                turn=number,
                **(marks if hidden[number] else {}),
            )
            for number in range(30)
        ]
        await store(raw, turns)
        unseen = [turn["id"] for turn, is_hidden in zip(turns, hidden, strict=True) if is_hidden]
        shown = [turn["id"] for turn in turns if turn["id"] not in unseen]
        many = await store(raw, [node("more", here, 90, session_id="x", turn=n, **marks) for n in range(25)])
        for evidence in ([], unseen[:2], shown[:1], [unseen[0], shown[1]], [*many, *unseen, shown[2]]):
            await derived(raw, node("fact", here, 40, direction(chance)), scene.maya.id, evidence)
        asked, times = direction(chance), Times(WHEN + timedelta(days=1), WHEN + timedelta(days=1))
        search = by_meaning(scene.service, asked)
        with_them = [await search.search(viewer, "the of", times=times, fusion=each, first=100) for each in FUSIONS]
        await raw("MATCH (m:Memory) WHERE m.id IN $ids DETACH DELETE m", ids=[*unseen, *many])
        renumber = "UNWIND range(1, size($ids)) AS number MATCH (m:Memory {id: $ids[number - 1]}) SET m.turn = number"
        await raw(renumber, ids=shown)
        for fusion, page in zip(FUSIONS, with_them, strict=True):
            without = await search.search(viewer, "the of", times=times, fusion=fusion, first=100)
            assert len(shown) <= len(page.results)
            assert [(r.memory.id, r.hits, r.parts) for r in without.results] == [
                (r.memory.id, r.hits, pytest.approx(r.parts)) for r in page.results
            ]
        await raw("MATCH (m:Memory) DETACH DELETE m")


async def test_every_score_is_the_sum_that_is_shown(scene, ask, drain) -> None:
    """In GraphQL a result's score is the sum of its parts, also on later pages and for facts that replace turns."""
    at = [scene.minutes(n) for n in range(4)]
    await scene.say("I live in Graz.", at=at[0])
    await scene.say("Hm.", by=scene.ben, at=at[1])
    await scene.say("My sister is a baker, and I adore her bread.", at=at[2])
    await scene.say("Bread again.", by=scene.ben, at=at[3])
    await drain()
    await scene.service.runner.work_until_idle(lambda *_: None)
    asked = """
    query ($query: String!, $chat: ID!, $after: String) {
      search(query: $query, chatId: $chat, first: 2, after: $after) {
        pageInfo { hasNextPage endCursor } edges { score parts { name value } }
      }
    }
    """
    names = set()
    for query in ("Where does Maya live?", "who bakes bread", "Maya lives in Graz"):
        after, more = None, True
        while more:
            answer = await ask(asked, query=query, chat=global_id("Chat", scene.group.id), after=after)
            found = answer["data"]["search"]
            for edge in found["edges"]:
                assert edge["score"] == sum(part["value"] for part in edge["parts"])
                names |= {part["name"] for part in edge["parts"]}
            more, after = found["pageInfo"]["hasNextPage"], found["pageInfo"]["endCursor"]
    assert "turn" in names


# --- filters ---


FIELDS = {
    "types": ("type", MemoryType.SEMANTIC, MemoryType.OPINION),
    "kinds": ("kind", "preference", "identity"),
    "categories": ("category", "profile", "people"),
    "sources": ("source", "agent", "extraction"),
    "sessions": ("session_id", "s1", "s2"),
    "speakers": ("speaker_id", "p1", "p2"),
    "narratives": ("narrative_id", "n1", "n2"),
    "tasks": ("task_id", "t1", "t2"),
    "sensitivities": ("sensitivity", Sensitivity.PERSONAL, Sensitivity.SENSITIVE),
}


async def test_each_filter_keeps_what_it_names(scene, raw) -> None:
    """Each filter, with one value and with two, by words and by vector, returns exactly the memories that match it."""
    me, chance = of_person(scene.me), random.Random(1)
    rows = [node("plain bread", me, 0, direction(chance))]
    rows += [
        node(f"bread {name} {value}", me, 1, direction(chance), **{prop: value})
        for name, (prop, *values) in FIELDS.items()
        for value in values
    ]
    await store(raw, rows)
    for search in (words_only(scene.service), by_meaning(scene.service, direction(chance))):
        for name, (_, one, two) in FIELDS.items():
            for values in ((one,), (one, two)):
                found = await search.search(Viewer(scene.me), "bread", filters=Filters(**{name: values}))
                assert {f"bread {name} {value}" for value in values} == set(contents(found))


async def test_only_what_is_active_is_found(scene, raw) -> None:
    """Archived memories are not found, with or without the filter; a search that asks for them is refused."""
    me, chance = of_person(scene.me), random.Random(1)
    rows = [node("bread", me, 0, direction(chance)), node("old bread", me, 1, direction(chance), status="archived")]
    await store(raw, rows)
    for search in (words_only(scene.service), by_meaning(scene.service, direction(chance))):
        for statuses in ((), ("active",)):
            filters = Filters(statuses=statuses)
            assert ["bread"] == contents(await search.search(Viewer(scene.me), "bread", filters=filters))
        with pytest.raises(InvalidInput, match="archive"):
            await search.search(Viewer(scene.me), "bread", filters=Filters(statuses=("active", "archived")))


async def test_tags_entities_confidence_and_time(scene, raw) -> None:
    """All tags must match; entities match by key; confidence is a minimum; `after` is inclusive, `before` exclusive."""
    me, chance = of_person(scene.me), random.Random(2)
    rows = [
        node("bread one", me, 0, direction(chance), tags=["food", "old"], confidence=0.9),
        node("bread two", me, 1, direction(chance), tags=["food"], confidence=0.5),
        node("bread three", me, 2, direction(chance), confidence=0.1),
    ]
    one, *_ = await store(raw, rows)
    link = "MATCH (m:Memory {id: $id}), (p:Person {id: $maya}) CREATE (m)-[:MENTIONS]->(p)"
    await raw(link, id=one, maya=scene.maya.id)
    minute = timedelta(minutes=1)
    cases = [
        (Filters(tags=("food",)), {"bread one", "bread two"}),
        (Filters(tags=("food", "old")), {"bread one"}),
        (Filters(tags=("new",)), set()),
        (Filters(entities=(scene.maya.key,)), {"bread one"}),
        (Filters(entities=("person:nobody",)), set()),
        (Filters(least_confidence=0.5), {"bread one", "bread two"}),
        (Filters(after=WHEN + minute), {"bread two", "bread three"}),
        (Filters(before=WHEN + minute), {"bread one"}),
        (Filters(after=WHEN + minute, before=WHEN + 2 * minute), {"bread two"}),
        (Filters(after=WHEN + timedelta(days=1)), set()),
        (
            Filters(tags=("food",), least_confidence=0.8, before=WHEN + minute, entities=(scene.maya.key,)),
            {"bread one"},
        ),
    ]
    for search in (words_only(scene.service), by_meaning(scene.service, direction(chance))):
        for filters, expected in cases:
            assert expected == set(contents(await search.search(Viewer(scene.me), "bread", filters=filters))), filters


@pytest.mark.parametrize(
    ("has", "filters"),
    [
        ({"session_id": "s"}, Filters(sessions=("s",))),
        ({"kind": "preference"}, Filters(kinds=("preference", "identity"))),
        ({"tags": ["rare"]}, Filters(tags=("rare",))),
        ({"confidence": 0.95}, Filters(least_confidence=0.9)),
        ({"event_time": WHEN - timedelta(days=9)}, Filters(before=WHEN - timedelta(days=5))),
    ],
    ids=["one value", "two values", "tag", "confidence", "time"],
)
async def test_a_filter_starves_nothing(scene, raw, has, filters) -> None:
    """Twelve memories that pass a filter are found, though a thousand others match better in words and vector."""
    me, chance = of_person(scene.me), random.Random(3)
    nearest = direction(chance)
    others = [
        node("bread bread bread", me, number, [x + chance.gauss(0, 0.1) for x in nearest], confidence=0.5)
        for number in range(1_000)
    ]
    wanted = [node(f"once there was some bread {n}", me, n, direction(chance), **has) for n in range(12)]
    await store(raw, others)
    expected = set(await store(raw, wanted))
    for search in (words_only(scene.service), by_meaning(scene.service, nearest)):
        page = await search.search(Viewer(scene.me), "bread", filters=filters, first=12)
        assert expected == set(ids(page))


async def test_a_small_scope_among_many_is_searched_exactly(scene, raw) -> None:
    """In a scope of 20 memories among 2,000 others, the ten nearest are those of the exact cosine, in its order."""
    chance = random.Random(4)
    others = [node("other", of_person(f"{n % 5:031d}7"), n, direction(chance)) for n in range(2_000)]
    mine = [node(f"mine {n}", of_person(scene.me), n, direction(chance)) for n in range(20)]
    await store(raw, others + mine)
    for _ in range(10):
        wanted = direction(chance)
        expected = await raw(
            "MATCH (m:Memory {scope: $me}) RETURN m.id AS id "
            "ORDER BY vector.similarity.cosine(m.embedding_a, $vector) DESC LIMIT 10",
            me=scene.me,
            vector=wanted,
        )
        page = await by_meaning(scene.service, wanted).search(Viewer(scene.me), "the of", first=10)
        assert [row["id"] for row in expected] == ids(page)


# --- times ---


async def test_the_past_is_found_as_it_was_known(scene, raw) -> None:
    """A fact is found as of a time before its end, after it only if its end was not known at `known_at`, and never as
    known before it was learned.
    """
    me, vector = of_person(scene.me), [1.0] * DIMENSIONS
    day = timedelta(days=1)
    await store(raw, [node("bread job", me, 0, vector, valid_until=WHEN + 10 * day, ended_at=WHEN + 20 * day)])
    for search in (words_only(scene.service), by_meaning(scene.service, vector)):

        async def found(as_of: int, known_at: int, search: Search = search) -> int:
            times = Times(WHEN + as_of * day, WHEN + known_at * day)
            return len((await search.search(Viewer(scene.me), "bread", times=times)).results)

        assert 1 == await found(5, 30)  # it was true then
        assert 0 == await found(15, 30)  # it was over, and that is known
        assert 1 == await found(15, 15)  # it was over, but nobody knew
        assert 0 == await found(5, -1)  # nobody had heard of it
        assert 0 == await found(25, 25)


# --- pages ---


async def test_pages_walk_the_whole_pool(scene, raw) -> None:
    """The pages together return every candidate once, in the order of one long page."""
    rows = [node(f"bread {n}", of_person(scene.me), n, direction(random.Random(n))) for n in range(43)]
    await store(raw, rows)
    search, me = by_meaning(scene.service, rows[0]["embedding_a"]), Viewer(scene.me)
    whole = await search.search(me, "bread", first=100)
    walked, after = [], None
    while True:
        page = await search.search(me, "bread", first=7, after=after)
        walked += ids(page)
        if not page.has_next:
            break
        after = page.results[-1].cursor
    assert 43 == len(whole.results)
    assert not whole.has_next
    assert ids(whole) == walked


async def test_paging_goes_on_to_the_last_match(scene, raw) -> None:
    """All 400 matches are returned once, by falling score, in the same order with pages of 10 and of 100, though as
    many memories that are hidden or excluded by a filter lie between them.
    """
    here, chance = of_group(scene.group.id), random.Random(5)
    wanted = {"tags": ["food"]}
    hidden = {**wanted, "sensitivity": "personal", "speaker_id": "somebody who left"}
    kinds = [wanted, wanted, hidden, {}]
    rows = [node(f"bread and butter {n}", here, n, direction(chance), **kinds[n % 4]) for n in range(800)]
    await store(raw, rows)
    expected = {row["id"] for row in rows if row["tags"] and row["sensitivity"] == "public"}
    viewer, filters = Viewer(scene.ben.id, scene.group.id), Filters(tags=("food",))
    for fusion in FUSIONS:
        walked = await walk(
            by_meaning(scene.service, direction(chance)), viewer, "bread", 100, filters=filters, fusion=fusion
        )
        assert 400 == len(walked)
        assert expected == {result.memory.id for result in walked}
        assert sorted((result.score for result in walked), reverse=True) == [result.score for result in walked]
        for result in walked:
            assert sum(result.parts.values()) == result.score
    by_tens = await walk(words_only(scene.service), viewer, "bread", 10, filters=filters)
    by_hundreds = await walk(words_only(scene.service), viewer, "bread", 100, filters=filters)
    assert expected == {result.memory.id for result in by_tens}
    assert [result.memory.id for result in by_hundreds] == [result.memory.id for result in by_tens]


async def test_pages_end_behind_the_deepest_pool(scene, raw, monkeypatch) -> None:
    """A search returns at most the deepest pool: after its last result there is no next page."""
    monkeypatch.setattr("hippograph.graph.retrieval.search.DEPTHS", (5, 20))
    await store(raw, [node(f"bread {n}", of_person(scene.me), n) for n in range(30)])
    walked = await walk(words_only(scene.service), Viewer(scene.me), "bread", 7)
    assert 20 == len({result.memory.id for result in walked}) == len(walked)


async def test_pages_stay_whole_while_others_write(scene, raw) -> None:
    """Memories that are written, retired or ended between two pages neither repeat nor omit a result."""
    rows = [node(f"bread {n}", of_person(scene.me), n, direction(random.Random(n))) for n in range(40)]
    stored = set(await store(raw, rows))
    search, me = by_meaning(scene.service, rows[0]["embedding_a"]), Viewer(scene.me)
    walked, after = [], None
    for turn in range(20):
        page = await search.search(me, "bread", first=5, after=after)
        walked += ids(page)
        if not page.has_next:
            break
        after = page.results[-1].cursor
        now = scene.service.clock()
        news = [node("bread bread", of_person(scene.me), n, rows[0]["embedding_a"], event_time=now) for n in range(9)]
        await store(raw, news)
        gone = {"retired_at": now} if turn % 2 else {"valid_until": now, "ended_at": now}
        await raw("MATCH (m:Memory {id: $id}) SET m += $gone", id=rows[turn]["id"], gone=gone)
    assert len(walked) == len(set(walked))
    assert stored == set(walked)


async def test_a_cursor_that_is_none_is_refused(scene) -> None:
    """A malformed or forged cursor raises `InvalidInput`; a forged depth is limited to the range of the pools."""
    for _ in range(3):
        await scene.say("bread")
    search, me = scene.service.search.search, scene.viewer()
    cursor = (await search(me, "bread", first=1)).results[0].cursor
    fields = json.loads(base64.urlsafe_b64decode(cursor))

    def forged(place: int, value: Any) -> str:
        return base64.urlsafe_b64encode(json.dumps([*fields[:place], value, *fields[place + 1 :]]).encode()).decode()

    garbled = ["", "x", "////", "ÿ", cursor[:-9], base64.urlsafe_b64encode(b"[]").decode(), "bnVsbA==", "W3t9XQ=="]
    forgeries = [forged(2, "yesterday"), forged(2, "2024-01-01T00:00:00"), forged(4, "many")]
    forgeries += [forged(4, None), forged(5, "NaN?"), forged(1, "0" * 24)]
    for bad in garbled + forgeries:
        with pytest.raises(InvalidInput, match=r"cursor|no offset"):
            await search(me, "bread", first=1, after=bad)
    for depth in (-5, 10**12):  # a depth that costs too much is limited
        assert len((await search(me, "bread", first=1, after=forged(4, depth))).results) <= 1


async def test_a_cursor_is_for_one_question_of_one_viewer(scene) -> None:
    """A cursor of another query, viewer, chat, persona or filter is refused."""
    for _ in range(3):
        await scene.say("bread")
    search, me = scene.service.search.search, scene.viewer()
    cursor = (await search(me, "bread", first=1)).results[0].cursor
    assert 1 == len((await search(me, "bread", first=1, after=cursor)).results)
    others = [
        (me, "butter", Filters()),
        (me, "bread", Filters(tags=("food",))),
        (Viewer(scene.maya.id, scene.group.id), "bread", Filters()),
        (Viewer(scene.me, scene.private.id), "bread", Filters()),
        (Viewer(scene.me, scene.group.id, scene.atlas.id), "bread", Filters()),
    ]
    for viewer, query, filters in others:
        with pytest.raises(InvalidInput, match="cursor"):
            await search(viewer, query, filters=filters, first=1, after=cursor)


# --- bad input ---


async def test_a_bad_query_is_a_typed_error(scene) -> None:
    """A query that is empty, too long or no valid text is refused."""
    for query in ("", "  ", "a" * 10_001, "a\x00b", "a\ud83db"):
        with pytest.raises(InvalidInput):
            await scene.service.search.search(scene.viewer(), query)


@pytest.mark.parametrize("first", [0, -1, 101])
async def test_a_page_has_a_size(scene, first) -> None:
    """A page size below 1 or above 100 is refused."""
    with pytest.raises(InvalidInput, match="1 to 100"):
        await scene.service.search.search(scene.viewer(), "bread", first=first)


HOSTILE = [
    'content:"secret" OR scopes:*', "*", "?*", "a*b?", "+scopes:(x)", "-bread", "NOT bread", "bread AND", "(((", ")))",
    '"', '\\"', "\\", "/regex/", "bread^1000", "bread~", "[a TO z]", "{* TO *}", "&& ||", "scopes:[* TO *]", "!!!",
    "bread)", "a:b:c", "'; MATCH (n) DETACH DELETE n //", "$query", "𝔟𝔯𝔢𝔞𝔡", "\u202ebread", "🎂" * 40, "ﷺ", "ß ſ ﬁ",
]  # fmt: skip


async def test_lucenes_syntax_is_only_words(scene) -> None:
    """Operators, fields and wildcards in a query neither raise an error nor reach hidden memories."""
    await scene.say("My secret is private.", chat=scene.private)
    shown = await scene.say("bread")
    ben = Viewer(scene.ben.id, scene.group.id)
    for query in HOSTILE:
        page = await words_only(scene.service).search(ben, query)
        assert {shown.memory_id} >= set(ids(page)), query


pieces = st.one_of(
    st.text(max_size=20),
    st.sampled_from(HOSTILE),
    st.text(alphabet='+-&|!(){}[]^"~*?:\\/ abAND', max_size=30),
    st.characters(exclude_categories=["Cs", "Cc"]).map(lambda c: c * 3),
)


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(query=st.lists(pieces, min_size=1, max_size=8).map(" ".join))
async def test_no_text_breaks_a_search(shared_service: Service, query) -> None:
    """Any query is answered or refused as invalid input."""
    try:
        page = await words_only(shared_service).search(shared_service.viewer(), query)
    except InvalidInput:
        return
    except HippographError as error:
        pytest.fail(f"{query!r}: {error!r}")
    assert isinstance(page.results, list)


async def test_many_searches_at_once(service: Service, drain) -> None:
    """Concurrent searches and writes in four chats each find all messages of their own chat, and no others."""
    chats = []
    for number in range(4):
        chat = await service.people.create_chat(
            INTERNAL, ChatKind.GROUP, f"Chat {number}", [Member(service.local_user.id, LONG_AGO)]
        )
        chats.append(chat.id)

    async def talk(number: int) -> None:
        for message in range(5):
            turns = [Turn(f"bread of chat {number} message {message}", service.local_user.id)]
            await service.recorder.record(service.viewer(), chats[number], turns)
            page = await service.search.search(service.viewer(chats[number]), "bread")
            assert {f"bread of chat {number} message {m}" for m in range(message + 1)} == set(contents(page))

    await asyncio.gather(*(talk(number) for number in range(4)))
