"""Retractions: facts that no longer hold after a later turn of their speaker (W6)."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest

from hippograph.graph.knowledge.retractions import Retractions
from hippograph.graph.model import Sensitivity, Viewer
from hippograph.graph.writing.fact_writer import FactWriter
from hippograph.graph.writing.recording import Turn
from tests.integration.conftest import Everything

DOES_KETO = "I've been on a keto diet since January, no bread, no rice."
GAVE_UP = "I gave up the keto diet last week, I eat bread and rice again."
WEATHER = "It rained all day and the bus was late again."
FACTS = """
MATCH (m:Memory) WHERE m.claim_key IS NOT NULL AND m.retired_at.year = 9999
RETURN m.id AS id, m.content AS content, m.valid_until AS until, m.live_key IS NOT NULL AS live,
       COLLECT { MATCH (m)-[:DERIVED_FROM]->(turn) RETURN turn.id ORDER BY turn.event_time } AS said,
       COLLECT { MATCH (by:Memory)-[:SUPERSEDES]->(m) RETURN by.id } AS by,
       COLLECT { MATCH (turn)<-[:DERIVED_FROM]-(:Memory)-[:SUPERSEDES]->(m) RETURN turn.content } AS by_words
ORDER BY content
"""


async def talk(scene: Any, *said: tuple[str, Any], days: int = 0) -> list[str]:
    """Stores turns as a session, `days` after noon of the scene, closes it, and returns their ids."""
    start = scene.minutes(24 * 60 * days)
    stored = [
        await scene.say(text, by=by, at=start + timedelta(minutes=number)) for number, (text, by) in enumerate(said)
    ]
    await scene.service.sessions.close(scene.viewer(), scene.group.id)
    return [each.memory_id for each in stored]


@pytest.fixture
def reading(service: Any, raw: Any) -> Any:
    """Reads all sessions with the detector `Everything`, and returns the pairs that it was given."""

    async def read() -> list[tuple[str, str, str]]:
        detector = Everything()
        retractions = Retractions(
            service.database,
            service.clock,
            FactWriter(service.clock, lifetimes={}, decay_rate=0.1),
            slot=service.slot,
            detector=detector,
            executor=ThreadPoolExecutor(1),
            private_sensitivity=Sensitivity.PERSONAL,
        )
        for row in await raw("MATCH (s:Session) SET s.worker = 'w' RETURN s.id AS id ORDER BY s.started_at"):
            await retractions.find(row["id"], "w")
        await raw("MATCH (s:Session) REMOVE s.worker")
        return detector.pairs

    return read


async def test_what_a_later_turn_takes_back_has_ended(scene, learn, raw, service) -> None:
    """A retracted fact ends at the time of the retracting turn, and is superseded by a fact "No longer so: …" with that
    turn as evidence. `explain` shows both, and search ranks the new fact before the outdated turn.
    """
    [began] = await talk(scene, (DOES_KETO, scene.maya))
    await learn()
    [fact] = await raw(FACTS)
    assert fact["live"]
    _, ended = await talk(scene, (WEATHER, scene.maya), (GAVE_UP, scene.maya), days=40)
    await learn()
    known = await raw(FACTS)
    [no_longer] = [each for each in known if each["content"] == f"No longer so: {fact['content']}"]
    [then] = [each for each in known if each["id"] == fact["id"]]
    assert [ended] == no_longer["said"]
    assert (scene.minutes(24 * 60 * 40 + 1), [no_longer["id"]], False) == (then["until"], then["by"], then["live"])
    told = await service.explaining.explain(scene.viewer(), fact["id"])
    assert [fact["id"], no_longer["id"]] == [step.memory_id for step in told.chain]
    page = await service.search.search(scene.viewer(), "Is Maya on a keto diet?", first=10)
    order = [result.memory.id for result in page.results]
    assert order.index(no_longer["id"]) < order.index(began)
    [old] = [result for result in page.results if result.memory.id == began]
    assert ("ended", no_longer["id"]) == (old.outdated.reason, old.outdated.now.id)
    assert [] == await service.doctor.examine()


async def test_a_session_that_is_read_again_takes_back_nothing_twice(scene, learn, raw, service) -> None:
    """Reading sessions again writes no second retraction and changes no fact."""
    await talk(scene, (DOES_KETO, scene.maya))
    await learn()
    await talk(scene, (GAVE_UP, scene.maya), days=40)
    await learn()
    before = await raw(FACTS)
    for row in await raw("MATCH (s:Session) RETURN s.id AS id"):
        await service.consolidation.ask(scene.viewer(), row["id"])
    await learn()
    assert 1 == len([each for each in before if each["content"].startswith("No longer so: ")])
    assert before == await raw(FACTS)


async def test_what_has_nothing_to_do_with_it_takes_nothing_back(scene, learn, raw) -> None:
    """A later turn that is unrelated to a fact, or only shares words with it, does not retract it."""
    await talk(scene, (DOES_KETO, scene.maya))
    await learn()
    await talk(scene, (WEATHER, scene.maya), ("The keto cookbook is still on the shelf.", scene.maya), days=40)
    await learn()
    assert [] == [each for each in await raw(FACTS) if not each["live"]]


async def test_what_is_said_again_after_it_stays(scene, learn, raw) -> None:
    """A turn that is read late does not retract a fact that its speaker has stated again since."""
    await talk(scene, (DOES_KETO, scene.maya))
    await learn()
    [fact] = await raw(FACTS)
    await talk(scene, (DOES_KETO, scene.maya), days=60)
    await learn()
    await talk(scene, (GAVE_UP, scene.maya), days=40)
    await learn()
    [still] = [each for each in await raw(FACTS) if each["id"] == fact["id"]]
    assert still["live"]


async def test_only_who_told_something_takes_it_back(scene, learn, raw, reading) -> None:
    """A fact is not read with an earlier turn of its speaker, nor with a later turn of somebody else."""
    await talk(scene, ("My diet was over before it began.", scene.maya), days=-10)
    await talk(scene, (DOES_KETO, scene.maya))
    await talk(scene, ("Keto diets are over, I think.", scene.ben), days=40)
    await learn()
    assert [] == [pair for pair in await reading() if "keto" in pair[0]]


async def test_what_the_assistant_says_takes_nothing_back(scene, learn, raw, service) -> None:
    """In a private chat with a persona only the person's own turn retracts their fact."""
    here, maya = scene.viewer(scene.maya, scene.private), scene.maya.id
    for number, (text, by) in enumerate(((DOES_KETO, maya), ("Your diet is over.", None), (GAVE_UP, maya))):
        turn = Turn(text, by, event_time=scene.minutes(number))
        [stored] = await service.recorder.record(here, scene.private.id, [turn], scene.atlas.id)
    await service.consolidation.ask(here, stored.session_id)
    await learn()
    assert [[GAVE_UP]] == [each["by_words"] for each in await raw(FACTS) if not each["live"]]


async def test_what_people_made_theirs_stays(scene, learn, raw, reading, service) -> None:
    """A confirmed fact is not read with later turns and stays unchanged."""
    await talk(scene, (DOES_KETO, scene.maya))
    await learn()
    [fact] = await raw(FACTS)
    await service.facts.confirm(Viewer(scene.maya.id, scene.group.id), fact["id"])
    await talk(scene, (GAVE_UP, scene.maya), days=40)
    await learn()
    assert [] == [pair for pair in await reading() if pair[0] == fact["content"]]
    assert fact in await raw(FACTS)


async def test_a_chat_in_which_nothing_is_found_takes_nothing_back(scene, learn, raw, reading, service) -> None:
    """No turn of a chat with extraction `off` is read; with another mode the same turn is read with the fact."""
    await talk(scene, (DOES_KETO, scene.maya))
    await learn()
    [fact] = await raw(FACTS)
    await raw("MATCH (c:Chat) SET c.extraction = 'off'")
    await talk(scene, (GAVE_UP, scene.maya), days=40)
    await learn()
    assert [] == await reading()
    assert [fact] == await raw(FACTS)
    await raw("MATCH (c:Chat) REMOVE c.extraction")
    assert [(fact["content"], "Maya Lindqvist", GAVE_UP)] == await reading()


async def test_a_turn_that_is_forgotten_meanwhile_takes_nothing_back(scene, learn, raw, service) -> None:
    """The check before a retraction is written, `conflict/standing`, fails once the turn is forgotten."""
    await talk(scene, (DOES_KETO, scene.maya))
    [turn] = await talk(scene, (WEATHER, scene.maya), days=40)
    await learn()
    [fact] = await raw(FACTS)
    params = {"turn": turn, "fact": fact["id"], "now": service.clock()}
    assert [{"id": fact["id"]}] == await service.database.run("conflict/standing", **params)
    await service.facts.forget(Viewer(scene.maya.id, scene.group.id), turn)
    assert [] == await service.database.run("conflict/standing", **params)


async def test_what_was_said_earlier_may_be_read_later(scene, learn, raw, service) -> None:
    """A later turn retracts a fact of an earlier session also if that is read afterwards, as in a late import."""
    _, ended = await talk(scene, (WEATHER, scene.maya), (GAVE_UP, scene.maya), days=40)
    await learn()
    await talk(scene, (DOES_KETO, scene.maya))
    await learn()
    [no_longer] = [each for each in await raw(FACTS) if each["content"].startswith("No longer so: ")]
    assert [ended] == no_longer["said"]
    [fact] = [each for each in await raw(FACTS) if each["by"]]
    assert (scene.minutes(24 * 60 * 40 + 1), [no_longer["id"]]) == (fact["until"], fact["by"])
    assert [] == await service.doctor.examine()
