"""Ranking of searches: profiles, relevance, outdated turns, entities, and phrases in questions (R4, R5)."""

from datetime import timedelta
from typing import Any

import pytest

from hippograph.graph.errors import InvalidInput
from hippograph.graph.model import Viewer
from hippograph.graph.retrieval.fusion import ENTITY
from hippograph.graph.retrieval.profiles import make_search
from hippograph.graph.retrieval.ranking import RankingProfile
from hippograph.graph.writing.fact import Fact
from hippograph.nlp.questions.intent import Intent


async def remember(scene: Any, viewer: Viewer, fact: Fact) -> Any:
    """Stores one fact and returns what was stored."""
    [stored] = await scene.service.facts.remember(viewer, [fact])
    return stored


def said(page: Any) -> list[str]:
    """Returns the contents of the results."""
    return [result.memory.content for result in page.results]


# --- profiles ---


@pytest.mark.embedding_ranked
async def test_strength_prefers_what_is_important(scene, drain) -> None:
    """With `STRENGTH`, of two facts that match equally well the pinned one comes first; its part `strength` is 0.3."""
    me = Viewer(scene.me)
    plain = await remember(scene, me, Fact("Bread is baked by Ada on Mondays"))
    pinned = await remember(scene, me, Fact("Bread is baked by Bea on Mondays"))
    await scene.service.facts.pin(me, pinned.memory_id)
    await drain()
    page = await scene.service.search.search(me, "Who bakes bread on Mondays?", profile=RankingProfile.STRENGTH)
    assert [pinned.memory_id, plain.memory_id] == [result.memory.id for result in page.results]
    assert pytest.approx(0.3, rel=0.01) == page.results[0].parts["strength"]


@pytest.mark.embedding_ranked
async def test_hebbian_prefers_what_served_before(scene, drain) -> None:
    """With `HEBBIAN`, a reinforced memory ranks before a better full-text match; all results match by full text."""
    await scene.say("Bread and butter, bread and jam.", at=scene.minutes(0), chat=scene.private)
    served = await scene.say(
        "There was bread left over from the party on the first floor.", at=scene.minutes(60), chat=scene.private
    )
    await drain()
    maya = Viewer(scene.maya.id)
    for _ in range(5):
        await scene.service.facts.reinforce(maya, served.memory_id)
    page = await scene.service.search.search(maya, "bread", profile=RankingProfile.HEBBIAN)
    assert served.memory_id == page.results[0].memory.id
    assert all(set(result.hits) == {"full_text"} for result in page.results)


@pytest.mark.embedding_ranked
async def test_blended_prefers_what_is_recent(scene, drain, clock) -> None:
    """With `BLENDED`, of two turns with the same words the later comes first."""
    now = clock()
    await scene.say("We baked bread.", at=now - timedelta(days=60))
    await scene.say("We baked bread!", at=now - timedelta(days=1))
    await drain()
    page = await scene.service.search.search(scene.viewer(), "baking bread", profile=RankingProfile.BLENDED)
    assert ["We baked bread!", "We baked bread."] == said(page)
    assert not page.has_next


@pytest.mark.parametrize("profile", RankingProfile)
async def test_pages_of_a_profile_follow_each_other(scene, drain, profile: RankingProfile) -> None:
    """With every profile, small pages give the same results in the same order as one large page."""
    for number in range(7):
        await scene.say(f"bread number {number}", at=scene.minutes(number))
    await drain()
    search, viewer = scene.service.search.search, scene.viewer()
    whole = await search(viewer, "bread", profile=profile, first=7)
    found, after = [], None
    for _ in range(4):
        page = await search(viewer, "bread", profile=profile, first=2, after=after)
        found += said(page)
        after = page.results[-1].cursor
    assert said(whole) == found


async def test_without_an_embedder_every_profile_answers(scene, drain, service) -> None:
    """Without an embedder, every profile finds memories by full text."""
    await scene.say("We baked bread.", at=scene.minutes(0))
    await drain()
    search = make_search(
        service.database,
        service.clock,
        embedder=None,
        slot=None,
        executor=None,
        fusion="context",
        rrf_k=60,
        rrf_weights={},
    )
    for profile in RankingProfile:
        assert ["We baked bread."] == said(await search.search(scene.viewer(), "bread", profile=profile))


# --- relevance ---


@pytest.mark.embedding_ranked
async def test_nonsense_finds_nothing_relevant_and_a_question_does(scene, drain) -> None:
    """The answer to a question has a relevance above the floor, and is found with the floor as minimum. Nonsense then
    finds nothing.
    """
    await scene.say("Yesterday we adopted a dog called Biscuit from the shelter.", at=scene.minutes(0))
    await scene.say("The boiler is broken again.", at=scene.minutes(60))
    await drain()
    search, viewer = scene.service.search.search, scene.viewer()
    page = await search(viewer, "What is the dog called that we adopted?")
    floor = page.floor
    assert page.results[0].relevance > floor
    assert ["Yesterday we adopted a dog called Biscuit from the shelter."] == said(
        await search(viewer, "What is the dog called that we adopted?", min_relevance=floor)
    )
    assert [] == said(await search(viewer, "zebrafinch", min_relevance=floor))


@pytest.mark.parametrize("least", [-0.1, 1.1, float("nan")])
async def test_a_relevance_is_a_share(scene, least: float) -> None:
    """A minimum relevance that is not between 0 and 1 is refused."""
    with pytest.raises(InvalidInput, match="between 0 and 1"):
        await scene.service.search.search(scene.viewer(), "bread", min_relevance=least)


# --- what holds no longer ---


async def told(scene: Any, drain: Any) -> tuple[str, str]:
    """Stores a turn in which Maya says where she works, and the fact found in it. Returns the ids of both."""
    turn = await scene.say("I work at Deltaroute in Ljubljana.", at=scene.minutes(0), chat=scene.private)
    await scene.service.sessions.close(scene.viewer(scene.maya, scene.private), scene.private.id)
    fact = Fact("Maya works at Deltaroute", aspect="works_at", value="Deltaroute", evidence=(turn.memory_id,))
    stored = await remember(scene, Viewer(scene.maya.id), fact)
    await drain()
    return turn.memory_id, stored.memory_id


@pytest.mark.embedding_ranked
async def test_a_turn_stands_behind_what_holds_now(scene, drain) -> None:
    """A turn whose fact was replaced is marked as ended and ranks right behind the new fact, though it matches best."""
    turn, _ = await told(scene, drain)
    me = Viewer(scene.maya.id)
    new = await remember(scene, me, Fact("Maya works at Brightwater", aspect="works_at", value="Brightwater"))
    await drain()
    page = await scene.service.search.search(me, "I work at Deltaroute in Ljubljana.", first=10)
    order = [result.memory.id for result in page.results]
    assert order.index(new.memory_id) + 1 == order.index(turn)
    [old] = [result for result in page.results if result.memory.id == turn]
    assert ("ended", new.memory_id) == (old.outdated.reason, old.outdated.now.id)


async def test_a_turn_says_that_its_fact_was_forgotten(scene, drain) -> None:
    """A turn whose fact was forgotten is marked as forgotten, and no memory holds in its place."""
    turn, fact = await told(scene, drain)
    me = Viewer(scene.maya.id)
    await scene.service.facts.forget(me, fact)
    page = await scene.service.search.search(me, "Where does Maya work?", first=10)
    [old] = [result for result in page.results if result.memory.id == turn]
    assert ("forgotten", None) == (old.outdated.reason, old.outdated.now)


async def test_a_turn_says_since_when_its_fact_has_ended(scene, drain) -> None:
    """A turn is marked with the time when its fact ended. If a later write makes that end earlier, the fact counts as
    ended, not as corrected.
    """
    turn = await scene.say("I live in Linz.", at=scene.minutes(0), chat=scene.private)
    me = Viewer(scene.maya.id)
    for town, minute, evidence in (("Linz", 0, (turn.memory_id,)), ("Graz", 20, ()), ("Vienna", 10, ())):
        since = scene.minutes(minute)
        fact = Fact(f"Maya lives in {town}", aspect="lives_in", value=town, valid_from=since, evidence=evidence)
        await remember(scene, me, fact)
    await drain()
    page = await scene.service.search.search(me, "I live in Linz.", first=10)
    [old] = [result for result in page.results if result.memory.id == turn.memory_id]
    assert ("ended", scene.minutes(10)) == (old.outdated.reason, old.outdated.since)


@pytest.mark.embedding_ranked
async def test_a_corrected_fact_does_not_give_way_to_the_turn_that_it_corrects(scene, drain) -> None:
    """A corrected fact ranks right before the turn that it corrects, although another fact found in the turn still
    holds. A context marks the turn as corrected and does not quote it as a source.
    """
    turn = await scene.say("I take oat milk and my locker is number 14.", at=scene.minutes(0), chat=scene.private)
    me, evidence = Viewer(scene.maya.id), (turn.memory_id,)
    await remember(scene, me, Fact("Maya takes oat milk", aspect="milk", value="oat", evidence=evidence))
    wrong = await remember(
        scene, me, Fact("Maya's locker is number 14", aspect="locker", value="14", evidence=evidence)
    )
    right = await scene.service.facts.correct(me, wrong.memory_id, "Maya's locker is number 41", value="41")
    await drain()
    page = await scene.service.search.search(me, "What number is Maya's locker?", first=10)
    order = [result.memory.id for result in page.results]
    assert order.index(right) + 1 == order.index(turn.memory_id)
    found = await scene.service.contexts.context(me, "What number is Maya's locker?")
    assert f"Maya's locker is number 41 [id:{right}]" in found.text
    assert "(no longer so: corrected" in found.text
    assert "\n  > " not in found.text  # the turn is not a source of the correction


async def test_a_context_says_what_was_forgotten(scene, drain) -> None:
    """A context contains the turn of a forgotten fact, marked as no longer so."""
    _, fact = await told(scene, drain)
    me = Viewer(scene.maya.id)
    await scene.service.facts.forget(me, fact)
    found = await scene.service.contexts.context(me, "Where does Maya work?")
    [line] = [line for line in found.text.splitlines() if "I work at Deltaroute" in line]
    assert "(no longer so: forgotten" in line


# --- over entities ---


async def test_others_words_crowd_nothing_out_of_an_entity(scene, drain, monkeypatch) -> None:
    """The limit on memories read of an entity counts only those that the viewer can reach, not those of others."""
    monkeypatch.setattr("hippograph.graph.retrieval.retrievers.entity._READS", 1)
    mine = Viewer(scene.me)
    stored = await remember(scene, mine, Fact("The ferry to Lisbon leaves at noon"))
    for number in range(3):
        await scene.say(f"Lisbon has {number} bridges.", chat=scene.private)
    await drain()
    page = await scene.service.search.search(mine, "What do I know of Lisbon?", intent=Intent.WHAT)
    assert [stored.memory_id] == [result.memory.id for result in page.results if ENTITY in result.hits]


# --- phrases ---


async def test_kin_is_found_by_what_they_are_to_who_asks(scene, drain, raw) -> None:
    """Maya's question about her sister's company refers to the sister and her employer. The same question of Ben refers
    to no entity while he has no known sister, or where he does not see the turn that says who she is.
    """
    await scene.say("My sister Lina works at Northwind.", at=scene.minutes(0))
    await drain()
    await raw(
        """
        MATCH (maya:Person {id: $maya}), (m:Memory {content: 'My sister Lina works at Northwind.'})
        MERGE (lina:Entity:Person {key: 'person:lina'})
        ON CREATE SET lina.id = 'lina1', lina.type = 'person', lina.canonical_name = 'Lina', lina.aliases = [],
                      lina.usernames = [], lina.names = []
        MERGE (north:Entity:Organization {key: 'organization:northwind'})
        ON CREATE SET north.id = 'north1', north.type = 'organization', north.canonical_name = 'Northwind',
                      north.aliases = [], north.usernames = [], north.names = []
        MERGE (m)-[:MENTIONS {texts: ['Lina'], names: ['lina']}]->(lina)
        MERGE (m)-[:MENTIONS {texts: ['Northwind'], names: ['northwind']}]->(north)
        CREATE (lina)-[:RELATED_TO {predicate: 'sister_of', evidence: [m.id]}]->(maya)
        CREATE (lina)-[:RELATED_TO {predicate: 'works_at', evidence: [m.id]}]->(north)
        """,
        maya=scene.maya.id,
    )
    search = scene.service.search.search
    page = await search(scene.viewer(scene.maya), "What is my sister's company?", intent=Intent.WHAT)
    assert {"person:lina", "organization:northwind"} == {each.key for each in page.analysis.entities}
    other = await search(scene.viewer(scene.ben), "What is my sister's company?", intent=Intent.WHAT)
    assert () == other.analysis.entities
    await raw(
        """
        MATCH (ben:Person {id: $ben}), (lina:Person)-[sister:RELATED_TO {predicate: 'sister_of'}]->()
        CREATE (lina)-[:RELATED_TO {predicate: 'sister_of', evidence: sister.evidence}]->(ben)
        """,
        ben=scene.ben.id,
    )
    # He knows of Lina outside the group too, but not that she is his sister.
    await remember(scene, Viewer(scene.ben.id), Fact("Lina likes tea", about=("person:lina",)))
    here = await search(scene.viewer(scene.ben), "What is my sister's company?", intent=Intent.WHAT)
    assert {"person:lina", "organization:northwind"} == {each.key for each in here.analysis.entities}
    alone = await search(Viewer(scene.ben.id), "What is my sister's company?", intent=Intent.WHAT)
    assert () == alone.analysis.entities


async def test_an_event_says_which_time_is_meant(scene, drain) -> None:
    """The period before an event ends on the day of the memory that tells best of the event."""
    await scene.say("We moved to Berlin today, all boxes are in.", at=scene.minutes(0))
    await drain()
    page = await scene.service.search.search(
        scene.viewer(), "When did we have a dog, before the move to Berlin?", intent=Intent.WHEN
    )
    assert scene.minutes(0).date() == page.analysis.period.end.date()
    assert "before the move to Berlin" == page.analysis.period.words
