"""What people write is worked on in turns over owners and groups: nobody's backlog is another's (P6)."""

from collections import Counter
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from hippograph.api.graphql import schema
from hippograph.api.graphql.context import Context
from hippograph.api.graphql.nodes import global_id
from hippograph.api.viewer import Caller
from hippograph.graph.errors import QueueFull
from hippograph.graph.jobs.progress import OwnPlace
from hippograph.graph.model import INTERNAL, Viewer
from hippograph.graph.rights import ALL_RIGHTS, Rights
from hippograph.graph.transfer.formats.reading import Statement
from hippograph.graph.transfer.statements import StatementImporter
from hippograph.graph.writing.fact import Fact
from hippograph.graph.writing.fact_writer import FactWriter
from hippograph.graph.writing.facts import Facts
from hippograph.graph.writing.recording import Recorder, Turn
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


# --- how much may wait ---

MOST = 30


@pytest.fixture
def recorder(service: Any) -> Recorder:
    """Takes no more where thirty memories of an owner or a group wait."""
    settings = service.settings
    return Recorder(
        service.database,
        service.clock,
        session_idle=settings.session_idle,
        max_characters=settings.max_message_characters,
        clock_skew=settings.clock_skew,
        most_waiting=MOST,
    )


@pytest.fixture
def facts(service: Any) -> Facts:
    """The same for facts."""
    writer = FactWriter(service.clock, lifetimes={}, decay_rate=0.1, most_waiting=MOST)
    return Facts(service.database, service.clock, writer, reinforce_weight=3, demote_weight=1, max_characters=1000)


async def _everything(raw: Any) -> list[dict[str, Any]]:
    """What is in the graph: kinds of nodes and links, and how many."""
    return [
        *await raw("MATCH (n) RETURN labels(n) AS kind, count(*) AS count ORDER BY kind"),
        *await raw("MATCH ()-[r]->() RETURN type(r) AS kind, count(*) AS count ORDER BY kind"),
        *await raw("MATCH (l:Lock) RETURN l.name AS kind, l.next AS count ORDER BY kind"),
    ]


async def test_who_has_too_much_waiting_writes_no_more(
    scene: Any, bulk: Any, recorder: Recorder, facts: Facts, raw: Any
) -> None:
    """Turns and facts are refused as a whole, with an error that says to try again; others are not concerned."""
    await bulk()
    maya, before = Viewer(scene.maya.id), await _everything(raw)
    one = [Turn("I am in Graz.", scene.maya.id)]
    two = [*one, Turn("I am in Linz.", scene.maya.id)]
    for refused in (
        recorder.record(maya, scene.private.id, one),
        recorder.record(maya, scene.private.id, two),
        facts.remember(maya, [Fact("I like tea."), Fact("I like rye bread.")]),
    ):
        with pytest.raises(QueueFull, match=f"{MOST} memories") as caught:
            await refused
        assert caught.value.retryable
    assert before == await _everything(raw)
    await recorder.record(Viewer(scene.ben.id), scene.group.id, [Turn("I am in Rome.", scene.ben.id)])
    await facts.remember(Viewer(scene.ben.id), [Fact("I like coffee.")])


async def test_a_group_has_a_bound_of_its_own(scene: Any, bulk: Any, recorder: Recorder) -> None:
    """What waits of a group is no member's own."""
    await bulk(chat=scene.group, by=scene.ben)
    with pytest.raises(QueueFull):
        await recorder.record(Viewer(scene.maya.id), scene.group.id, [Turn("I am in Rome.", scene.maya.id)])
    await recorder.record(Viewer(scene.maya.id), scene.private.id, [Turn("I am in Rome.", scene.maya.id)])


@pytest.mark.parametrize("rights", [ALL_RIGHTS, Rights(acts_for=("*",)), Rights(records=("*",))])
async def test_a_service_for_everybody_has_no_bound(
    scene: Any, bulk: Any, recorder: Recorder, facts: Facts, rights: Rights
) -> None:
    """And neither has the one user of a machine, who has all rights."""
    await bulk()
    maya = Viewer(scene.maya.id, rights=rights)
    await recorder.record(maya, scene.private.id, [Turn("I am in Graz.", scene.maya.id)])
    await facts.remember(maya, [Fact("I like tea.")])


async def test_what_was_stored_already_is_acknowledged(scene: Any, bulk: Any, recorder: Recorder) -> None:
    """A second try of a turn that was stored is answered as the first, however much waits."""
    maya, turn = Viewer(scene.maya.id), Turn("I am in Graz.", scene.maya.id, idempotency_key="graz")
    [first] = await recorder.record(maya, scene.private.id, [turn])
    await bulk()
    [again] = await recorder.record(maya, scene.private.id, [turn])
    assert (first.memory_id, True) == (again.memory_id, again.repeated)


async def test_when_it_is_worked_off_more_is_taken(
    scene: Any, bulk: Any, drain: Any, recorder: Recorder, facts: Facts
) -> None:
    """What is bounded is what waits, and not how far ahead a place is."""
    await bulk()
    await drain()
    maya = Viewer(scene.maya.id)
    await recorder.record(maya, scene.private.id, [Turn("I am in Graz.", scene.maya.id)])
    await facts.remember(maya, [Fact("I like tea.")])


async def test_statements_of_a_file_are_refused_too(
    scene: Any, bulk: Any, facts: Facts, recorder: Recorder, raw: Any
) -> None:
    """An import of facts ends with the error, and none of them is given up for good."""
    await bulk()
    importer = StatementImporter(scene.service.database, scene.service.clock, facts, recorder)
    with pytest.raises(QueueFull):
        await importer.run(Viewer(scene.maya.id), [Statement("I like tea.", (), None, "notes.md:1")], name="notes")
    assert [] == await raw("MATCH (m:Memory {content: 'I like tea.'}) RETURN m.id")


async def test_graphql_answers_with_an_error_to_try_again(
    scene: Any, bulk: Any, recorder: Recorder, facts: Facts
) -> None:
    """As a member of the mutations' unions."""
    await bulk()
    service = replace(scene.service, recorder=recorder, facts=facts)
    documents = {
        "recordMessage": f'chatId: "{global_id("Chat", scene.private.id)}", content: "Hi", '
        f'speakerId: "{global_id("Person", scene.maya.id)}"',
        "rememberFact": 'fact: {content: "I like tea"}',
    }
    caller = Caller(Viewer(scene.maya.id), "credential")

    async def authenticate() -> Caller:
        return caller

    context = Context(service, caller, authenticate)
    for name, given in documents.items():
        found = await schema.execute(
            f"mutation {{ {name}(input: {{{given}}}) {{ ... on UnavailableError {{ code retryable }} }} }}",
            context_value=context,
        )
        assert not found.errors
        assert {name: {"code": "QUEUE_FULL", "retryable": True}} == found.data


# --- one's own place ---


async def test_ones_own_place_is_told_and_others_in_hundreds(scene: Any, bulk: Any) -> None:
    """How many of one's own wait, and how many come before the last of them at most."""
    own = scene.service.progress.own
    assert OwnPlace(0, 0) == await own(Viewer(scene.maya.id))
    await bulk()
    await bulk(chat=scene.group, by=scene.ben)
    place = await own(Viewer(scene.maya.id))
    assert MANY == place.waiting
    assert 0 == (place.before - (MANY - 1)) % 100 < place.before
    assert OwnPlace(0, 0) == await own(Viewer(scene.ben.id))  # what waits of a group is nobody's own
