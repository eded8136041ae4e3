"""What people write is worked on in turns over owners and groups: nobody's backlog is another's (P6)."""

from collections import Counter
from datetime import timedelta
from typing import Any

import pytest

from graph.model import INTERNAL, Viewer
from graph.rights import ALL_RIGHTS
from graph.writing.fact import Fact
from graph.writing.recording import Turn
from tests.integration.conftest import LONG_AGO

MANY = 40
MOMENT = timedelta(milliseconds=10)


@pytest.fixture
def bulk(scene: Any, clock: Any) -> Any:
    """Records many turns of long ago at once, by Maya in her private chat if nothing else is said."""
    clock.stop()

    async def record(chat: Any = None, by: Any = None) -> list[str]:
        speaker = (by or scene.maya).id
        turns = [
            Turn(f"Old news number {number}.", speaker, LONG_AGO + timedelta(minutes=number)) for number in range(MANY)
        ]
        viewer = Viewer(speaker, rights=ALL_RIGHTS)
        stored = await scene.service.recorder.record(viewer, (chat or scene.private).id, turns)
        clock.advance(MOMENT)
        return [each.memory_id for each in stored]

    return record


async def _claimed(scene: Any, limit: int) -> list[str]:
    return (await scene.service.enrichment.queue.claim(limit)).ids


async def test_an_import_holds_up_nobody(scene: Any, bulk: Any) -> None:
    """Behind forty turns of Maya's comes one of Ben's: it is claimed before all but the first of hers."""
    await bulk()
    said = await scene.say("I am in Graz.", by=scene.ben)
    assert said.memory_id in await _claimed(scene, 3)


async def test_imports_take_turns(scene: Any, bulk: Any) -> None:
    """Of two imports one after the other a claim takes as many of each."""
    hers, theirs = await bulk(), await bulk(chat=scene.group, by=scene.ben)
    claimed = await _claimed(scene, 20)
    counts = Counter("hers" if item in hers else "theirs" for item in claimed if item in {*hers, *theirs})
    assert abs(counts["hers"] - counts["theirs"]) <= 2


async def test_what_is_said_now_comes_before_ones_own_import(scene: Any, bulk: Any) -> None:
    """The newest turns of an open session are not behind what the same person imports."""
    await bulk()
    said = await scene.say("I am in Graz.", chat=scene.private)
    assert said.memory_id in await _claimed(scene, 3)


async def test_who_says_very_much_now_is_behind(scene: Any, clock: Any) -> None:
    """A client that sends turn after turn as said now waits for itself alone."""
    clock.stop()
    flood = [Turn(f"Flood number {number}.", scene.maya.id) for number in range(MANY)]
    await scene.service.recorder.record(Viewer(scene.maya.id), scene.private.id, flood)
    clock.advance(MOMENT)
    said = await scene.say("I am in Graz.", by=scene.ben)
    assert said.memory_id in await _claimed(scene, 3)


async def test_many_facts_hold_up_nobody(scene: Any, clock: Any) -> None:
    """Who remembers facts by the hundred waits for themselves alone."""
    clock.stop()
    for batch in range(3):
        facts = [Fact(f"Fact number {batch} {number}") for number in range(MANY)]
        await scene.service.facts.remember(Viewer(scene.maya.id), facts)
        clock.advance(MOMENT)
    [fact] = await scene.service.facts.remember(Viewer(scene.ben.id), [Fact("I like tea.")])
    assert fact.memory_id in await _claimed(scene, MANY + 1)


async def test_sessions_of_an_import_come_later(scene: Any, bulk: Any, clock: Any) -> None:
    """Sessions are consolidated in the turns of what was said in them."""
    for _ in range(2):
        await bulk()
    said = await scene.say("I am in Graz.", by=scene.ben)
    clock.advance(timedelta(seconds=1.5))
    assert [said.session_id] == (await scene.service.consolidation.queue.claim(1)).ids


async def test_no_worker_rests_while_there_is_work(scene: Any, bulk: Any, drain: Any) -> None:
    """What comes later is done at once when nothing else waits, and is counted as waiting until then."""
    await bulk()
    assert MANY == (await scene.service.enrichment.queue.backlog()).waiting
    assert MANY <= await drain()
    assert 0 == (await scene.service.enrichment.queue.backlog()).waiting


async def test_an_erased_person_has_no_place(scene: Any, bulk: Any, raw: Any) -> None:
    """The places of their queue are gone with them."""
    await bulk()
    await scene.service.erasures.erase(INTERNAL, scene.maya.id)
    assert [] == await raw("MATCH (l:Lock) WHERE l.name CONTAINS $id RETURN l.name", id=scene.maya.id)
