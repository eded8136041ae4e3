"""Stated facts that a later one replaces, although the two share no key (W6)."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from hippograph.graph.knowledge.fact_reading import in_own_name
from hippograph.graph.knowledge.replaced_facts import end_replaced
from hippograph.graph.model import Times
from hippograph.graph.writing.fact import Fact
from tests.integration.conftest import Everything

DUE = "User's deadline for the Corrigan proposal is 14 October"
PUSHED_BACK = "Corrigan proposal deadline was pushed back a week, now due 21 October"
DEPLOYS = "Deploys go out on Tuesdays only"
FACTS = """
MATCH (m:Memory) WHERE m.claim_key IS NOT NULL
RETURN m.content AS content, m.valid_from AS since, m.valid_until AS until, m.live_key IS NOT NULL AS live,
       COLLECT { MATCH (by:Memory)-[:SUPERSEDES]->(m) RETURN by.content } AS by
"""


@pytest.fixture
def pairs(service: Any, raw: Any) -> Any:
    """Embeds all facts, and returns the pairs of the last of them (by time) that a detector would read."""

    async def read() -> list[tuple[str, str, str]]:
        service.enrichment._retractions, detector = None, Everything()
        await service.runner.work_until_idle()
        [last] = await raw(
            "MATCH (m:Memory) WHERE m.claim_key IS NOT NULL RETURN m.id AS id ORDER BY m.created_at DESC LIMIT 1"
        )
        with ThreadPoolExecutor(1) as executor:
            await end_replaced(service.database, service.slot.name, detector, executor, [last["id"]], service.clock())
        return detector.pairs

    found = service.enrichment._retractions
    yield read
    service.enrichment._retractions = found


async def test_a_stated_fact_ends_the_one_that_it_replaces(scene, service, raw) -> None:
    """The earlier fact ends when the later one begins, is superseded by it, and is found by reads of an earlier time.
    Another fact stays.
    """
    viewer = scene.viewer(scene.maya)
    for words in (DUE, DEPLOYS, PUSHED_BACK):
        before = service.clock()
        await service.facts.remember(viewer, [Fact(words)])
        await service.runner.work_until_idle()
    facts = {row["content"]: row for row in await raw(FACTS)}
    assert [False, True, True] == [facts[words]["live"] for words in (DUE, DEPLOYS, PUSHED_BACK)]
    assert facts[DUE]["until"] == facts[PUSHED_BACK]["since"]
    assert ([PUSHED_BACK], []) == (facts[DUE]["by"], facts[DEPLOYS]["by"])
    page = await service.search.search(viewer, "When is the Corrigan proposal due?")
    assert [PUSHED_BACK, DEPLOYS] == [result.memory.content for result in page.results]
    then = await service.search.search(viewer, "When is the Corrigan proposal due?", times=Times(before, before))
    assert DUE == then.results[0].memory.content


async def test_a_fact_is_read_with_the_most_similar_earlier_one(scene, service, pairs) -> None:
    """The pair has the words that name the user, and the most similar of the earlier facts."""
    viewer = scene.viewer(scene.maya)
    await service.facts.remember(viewer, [Fact("User prefers tea over coffee"), Fact(DEPLOYS)])
    await service.facts.remember(viewer, [Fact("drinks coffee, no longer tea")])
    name = "Maya Lindqvist"
    assert [(f"{name} prefers tea over coffee", name, f"{name} drinks coffee, no longer tea")] == await pairs()


@pytest.mark.parametrize("change", ["confirm", "pin"])
async def test_what_somebody_confirmed_or_pinned_stays(scene, service, pairs, change: str) -> None:
    """A confirmed or pinned fact is read with no later one."""
    viewer = scene.viewer(scene.maya)
    [first] = await service.facts.remember(viewer, [Fact("User prefers tea over coffee")])
    await getattr(service.facts, change)(viewer, first.memory_id)
    await service.facts.remember(viewer, [Fact("User prefers coffee over tea")])
    assert [] == await pairs()


async def test_only_facts_of_one_person_about_one_thing_are_read_together(scene, service, pairs) -> None:
    """Facts of somebody else, facts about somebody else, and confided ones are not read with a later fact."""
    maya, ben = scene.viewer(scene.maya), scene.viewer(scene.ben)
    await service.facts.remember(ben, [Fact("User prefers tea over coffee")])
    await service.facts.remember(
        maya,
        [
            Fact("Ben prefers tea over coffee", about=(scene.ben.key,)),
            Fact("I prefer tea over coffee, but don't tell Ben"),
        ],
    )
    await service.facts.remember(maya, [Fact("User prefers coffee over tea")])
    assert [] == await pairs()


@pytest.mark.parametrize(
    ("content", "named"),
    [
        ("The user's deadline is Friday", "Ada's deadline is Friday"),
        ("User works nights", "Ada works nights"),
        ("Lives in Porto since 2019", "Ada lives in Porto since 2019"),
        ("usually drinks tea", "Ada usually drinks tea"),
        ("doesn't eat pork", "Ada doesn't eat pork"),
        ("Username: ada", "Username: ada"),
        ("Is Ben coming?", "Is Ben coming?"),
        ("I live in Porto", "I live in Porto"),
        ("Island hopping is fun", "Island hopping is fun"),
        ("Always reply in Portuguese", "Always reply in Portuguese"),
    ],
)
def test_facts_are_read_in_words_that_name_the_user(content: str, named: str) -> None:
    """The user is named where an assistant says `user` or leaves out the subject before a verb in the third person."""
    assert named == in_own_name(content, "Ada")
