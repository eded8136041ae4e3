"""Searches by the intent of the question: walks along links, entities, periods, and the analysis in the answer."""

from datetime import UTC, datetime
from itertools import pairwise

import pytest

from hippograph.api.composition import search_of
from hippograph.api.graphql.nodes import global_id
from hippograph.graph.model import MemoryType, Times
from hippograph.graph.retrieval.fusion import ASKED, CAUSAL, ENTITY, PERIOD, TEMPORAL
from hippograph.graph.retrieval.search import Page
from hippograph.nlp.questions.intent import Intent, by_keywords

CAUSE = """
MATCH (cause:Memory {id: $cause}), (effect:Memory {id: $effect})
CREATE (cause)-[:CAUSAL {created_at: $at, confidence: 0.7}]->(effect)
"""
AT = datetime(2024, 1, 1, tzinfo=UTC)


def links(page: Page, name: str) -> dict[str, tuple[str, ...]]:
    """Returns the path by which links of one kind led to each result, by the text of the result."""
    return {result.memory.content: tuple(result.links[name].path) for result in page.results if name in result.links}


async def a_storm(scene, drain, raw) -> list[str]:
    """Records three memories, each the effect of the next one, and returns their ids."""
    said = [
        await scene.say("We cancelled the picnic.", at=scene.minutes(0)),
        await scene.say("Rain was forecast.", at=scene.minutes(50)),
        await scene.say("A storm came in from the sea.", at=scene.minutes(100)),
    ]
    await drain()
    ids = [each.memory_id for each in said]
    for effect, cause in pairwise(ids):
        await raw(CAUSE, cause=cause, effect=effect, at=AT)
    return ids


async def test_why_walks_along_causes_and_shows_the_path(scene, drain, raw) -> None:
    """A why question finds the cause of the cause of a memory that its words find, with the strength of the link and
    the path.
    """
    ids = await a_storm(scene, drain, raw)
    page = await scene.service.search.search(scene.viewer(), "Why did we cancel the picnic, and what else came of it?")
    assert Intent.WHY is page.analysis.intent
    [storm] = [result for result in page.results if result.memory.id == ids[2]]
    assert 0.7 * 0.7 * 0.9 == pytest.approx(storm.links[CAUSAL].seeds[ids[0]])
    assert (ids[1], ids[2]) == tuple(storm.links[CAUSAL].path[-2:])


async def test_a_first_name_is_whom_a_question_is_about(scene, drain) -> None:
    """A first name in a question is linked to a person of the viewer's chat, though no memory gives them that name."""
    await scene.say("I live in Graz.", by=scene.ben)
    await drain()
    page = await scene.service.search.search(scene.viewer(), "Where does Ben live?")
    assert ["Ben Okafor"] == [each.canonical_name for each in page.analysis.entities]


async def test_the_memories_of_a_path_come_with_it(scene, drain, raw, ask) -> None:
    """GraphQL returns the memories of each path, in the order of the path."""
    await a_storm(scene, drain, raw)
    document = """
    query Why($chat: ID!) {
      search(query: "Why did we cancel the picnic, and what else came of it?", chatId: $chat) {
        edges { links { name path memories { id } } }
      }
    }
    """
    found = (await ask(document, chat=global_id("Chat", scene.group.id)))["data"]["search"]["edges"]
    ways = [link for edge in found for link in edge["links"] if link["name"] == CAUSAL]
    assert any(len(way["path"]) > 1 for way in ways)
    assert [way["path"] for way in ways] == [[memory["id"] for memory in way["memories"]] for way in ways]


async def test_a_path_through_a_hidden_memory_does_not_exist(scene, drain, raw) -> None:
    """No path leads through a retired memory to the one behind it."""
    ids = await a_storm(scene, drain, raw)
    await raw("MATCH (m:Memory {id: $id}) SET m.retired_at = $at", id=ids[1], at=AT)
    page = await scene.service.search.search(
        scene.viewer(), "Why did we cancel the picnic?", intent=Intent.WHY, first=10
    )
    walked = links(page, CAUSAL)
    assert all(ids[0] not in path for path in walked.values())


async def test_when_walks_along_time_and_looks_into_the_period(scene, drain) -> None:
    """A when question follows temporal links, and finds the memories of the period that it names as a list."""
    await scene.say("The interview went well.", at=scene.minutes(0))
    await scene.say("Then I bought a cake.", at=scene.minutes(1))
    await drain()
    search = scene.service.search.search
    page = await search(scene.viewer(), "What happened right after the interview?", intent=Intent.WHEN)
    assert {"The interview went well.", "Then I bought a cake."} == set(links(page, TEMPORAL))
    page = await search(scene.viewer(), "When did I buy a cake, on 2001-01-01?", intent=Intent.WHEN)
    assert datetime(2001, 1, 1, tzinfo=UTC) == page.analysis.period.start
    assert not any(PERIOD in result.hits for result in page.results)
    day = scene.minutes(0).date().isoformat()
    page = await search(scene.viewer(), f"When did I buy a cake, on {day}?", intent=Intent.WHEN)
    assert all(PERIOD in result.hits for result in page.results)


async def test_what_goes_to_the_entity_that_is_named(scene, drain) -> None:
    """A question that names an entity finds its memories as a list, and the analysis tells the entity."""
    await scene.say("Priya Raman works at Lindenhof.", at=scene.minutes(0))
    await scene.say("Bread is on the table.", at=scene.minutes(60))
    await drain()
    page = await scene.service.search.search(scene.viewer(), "What do you know about Priya Raman?", first=10)
    assert Intent.WHAT is page.analysis.intent
    assert ["Priya Raman"] == [each.canonical_name for each in page.analysis.entities]
    listed = {result.memory.content for result in page.results if ENTITY in result.hits}
    assert "Priya Raman works at Lindenhof." in listed
    assert "Bread is on the table." not in listed


@pytest.mark.parametrize(
    ("question", "answer", "other"),
    [
        ("Where does Ana stay?", "Ana stays in Zürich with her aunt.", "Ana stays with her aunt in May."),
        ("Where does Ana stay?", "Graz is where Ana stays, with her aunt.", "Ana stays with her aunt these days."),
        ("Где живёт Аня?", "Аня живёт в Москве.", "Аня живёт просто, место хорошее."),
        ("How many dogs does Ana keep?", "Ana keeps three dogs in the yard.", "Ana keeps her dogs in the yard."),
    ],
)
async def test_what_an_answer_holds_adds_to_its_score(scene, drain, question: str, answer: str, other: str) -> None:
    """A memory that holds a place for "where", or a number for "how many", gets a bonus, in Latin and
    Cyrillic script.
    """
    for words in (answer, other):
        await scene.say(words)
    await drain()
    page = await scene.service.search.search(scene.viewer(), question)
    assert {answer: True, other: False} == {each.memory.content: "cue" in each.parts for each in page.results}


async def test_a_fact_of_the_kind_that_is_asked_for_comes_first(scene, learn) -> None:
    """To "Where does Maya live?" the fact of her home comes first, before a turn that is nearer in words. Ben's home
    gets no bonus.
    """
    await scene.say("I moved to Oslo in May.")
    await scene.say("I live in Graz.", by=scene.ben)
    await scene.say("Does Maya know where Maya will live it up tonight?", by=scene.ben)
    await learn()
    page = await scene.service.search.search(scene.viewer(), "Where does Maya live?")
    assert ("home", True) == (page.results[0].memory.frame, ASKED in page.results[0].parts)
    assert not any(ASKED in result.parts for result in page.results[1:])


async def test_a_fact_of_another_kind_gives_way_to_its_turn(scene, learn) -> None:
    """A question for a home returns the turn in place of the allergy fact found in it; a question for the allergy
    returns the fact.
    """
    await scene.say("I'm allergic to peanuts.", by=scene.ben)
    await learn()
    found = [
        [(each.memory.frame, each.memory.type) for each in page.results]
        for question in ("Where does Ben live?", "Is Ben allergic to peanuts?")
        for page in [await scene.service.search.search(scene.viewer(), question)]
    ]
    assert [[(None, MemoryType.EPISODIC)], [("allergy", MemoryType.SEMANTIC)]] == found


async def test_a_complex_question_gets_more(scene, drain) -> None:
    """Without `first` a simple question gets 5 results and 2 hops, a complex one 20 results and 4 hops."""
    for number in range(25):
        await scene.say(f"bread number {number}", at=scene.minutes(number))
    await drain()
    search, viewer = scene.service.search.search, scene.viewer()
    simple = await search(viewer, "bread")
    assert (5, 2) == (len(simple.results), simple.analysis.budget.hops)
    several = await search(viewer, "Which bread is better, and why did we buy all of it?")
    assert (20, 4) == (len(several.results), several.analysis.budget.hops)


async def test_turns_are_linked_from_the_moment_they_are_known(scene, drain) -> None:
    """A search at the time when the last turn was recorded already follows the temporal link to it."""
    await scene.say("The interview went well.", at=scene.minutes(0))
    last = await scene.say("Then I bought a cake.", at=scene.minutes(1))
    await drain()
    known = (await scene.service.memories.load(scene.viewer(), [last.memory_id]))[last.memory_id].created_at
    search, times = scene.service.search.search, Times(as_of=known, known_at=known)
    page = await search(scene.viewer(), "What happened right after the interview?", times=times, intent=Intent.WHEN)
    assert "Then I bought a cake." in links(page, TEMPORAL)


async def test_the_threshold_of_intents_is_a_setting(service, settings) -> None:
    """With a threshold that no question reaches, keywords alone decide the intent of a search."""
    strict = settings.model_copy(update={"intent_similarity_threshold": 1.0})
    embedder, slot = service.embedder, service.slot
    search = search_of(strict, service.database, service.clock, embedder=embedder, slot=slot, executor=None)
    question = "remind me of the reason we moved"
    given = await service.search.search(service.viewer(), question)
    page = await search.search(service.viewer(), question)
    assert (by_keywords(question)[0], 0.0) == (page.analysis.intent, page.analysis.margin)
    assert given.analysis.margin > 0
