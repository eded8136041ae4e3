"""The queue takes turns over owners and groups, so that nobody waits for the backlog of another (P6)."""

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
    """Returns a function that records `MANY` turns of the past in one call, by default Maya's in her private chat, and
    returns the ids of their memories. The clock stands still.
    """
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
    """A turn of Ben's after forty imported turns of Maya's is among the first three items that are claimed."""
    await bulk()
    said = await scene.say("I am in Graz.", by=scene.ben)
    assert said.memory_id in await _claimed(scene, 3)


async def test_imports_take_turns(scene: Any, bulk: Any) -> None:
    """A claim takes about as many items of each of two imports, although one was recorded after the other."""
    hers, theirs = await bulk(), await bulk(chat=scene.group, by=scene.ben)
    claimed = await _claimed(scene, 20)
    counts = Counter("hers" if item in hers else "theirs" for item in claimed if item in {*hers, *theirs})
    assert abs(counts["hers"] - counts["theirs"]) <= 2


async def test_what_is_said_now_comes_before_ones_own_import(scene: Any, bulk: Any) -> None:
    """A live turn is claimed before turns that the same person imported earlier."""
    await bulk()
    said = await scene.say("I am in Graz.", chat=scene.private)
    assert said.memory_id in await _claimed(scene, 3)


async def test_who_says_very_much_now_is_behind(scene: Any, clock: Any) -> None:
    """A person who records many live turns at once does not delay another person's turn."""
    clock.stop()
    flood = [Turn(f"Flood number {number}.", scene.maya.id) for number in range(MANY)]
    await scene.service.recorder.record(Viewer(scene.maya.id), scene.private.id, flood)
    clock.advance(MOMENT)
    said = await scene.say("I am in Graz.", by=scene.ben)
    assert said.memory_id in await _claimed(scene, 3)


async def test_many_facts_hold_up_nobody(scene: Any, clock: Any) -> None:
    """A person who stores many facts does not delay another person's fact."""
    clock.stop()
    for batch in range(3):
        facts = [Fact(f"Fact number {batch} {number}") for number in range(MANY)]
        await scene.service.facts.remember(Viewer(scene.maya.id), facts)
        clock.advance(MOMENT)
    [fact] = await scene.service.facts.remember(Viewer(scene.ben.id), [Fact("I like tea.")])
    assert fact.memory_id in await _claimed(scene, MANY + 1)


async def test_sessions_of_an_import_come_later(scene: Any, bulk: Any, clock: Any) -> None:
    """The session of a live turn is consolidated before the sessions of imports."""
    for _ in range(2):
        await bulk()
    said = await scene.say("I am in Graz.", by=scene.ben)
    clock.advance(timedelta(seconds=1.5))
    assert [said.session_id] == (await scene.service.consolidation.queue.claim(1)).ids


async def test_no_worker_rests_while_there_is_work(scene: Any, bulk: Any, drain: Any) -> None:
    """Postponed items count as waiting, and are worked off at once when nothing else is due."""
    await bulk()
    assert MANY == (await scene.service.enrichment.queue.backlog()).waiting
    assert MANY <= await drain()
    assert 0 == (await scene.service.enrichment.queue.backlog()).waiting


async def test_an_erased_person_has_no_place(scene: Any, bulk: Any, raw: Any) -> None:
    """Erasing a person deletes their places in the queue."""
    await bulk()
    await scene.service.erasures.erase(INTERNAL, scene.maya.id)
    assert [] == await raw("MATCH (l:Lock) WHERE l.name CONTAINS $id RETURN l.name", id=scene.maya.id)


# --- limit of the backlog ---

MOST = 30


@pytest.fixture
def recorder(service: Any) -> Recorder:
    """Returns a recorder that refuses turns while `MOST` memories of their owner or group wait."""
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
    """Returns a writer of facts with the same limit."""
    writer = FactWriter(service.clock, lifetimes={}, decay_rate=0.1, most_waiting=MOST)
    return Facts(service.database, service.clock, writer, reinforce_weight=3, demote_weight=1, max_characters=1000)


async def _everything(raw: Any) -> list[dict[str, Any]]:
    """Returns the number of nodes and relationships of each kind, and the next place of each lock."""
    return [
        *await raw("MATCH (n) RETURN labels(n) AS kind, count(*) AS count ORDER BY kind"),
        *await raw("MATCH ()-[r]->() RETURN type(r) AS kind, count(*) AS count ORDER BY kind"),
        *await raw("MATCH (l:Lock) RETURN l.name AS kind, l.next AS count ORDER BY kind"),
    ]


async def test_who_has_too_much_waiting_writes_no_more(
    scene: Any, bulk: Any, recorder: Recorder, facts: Facts, raw: Any
) -> None:
    """Turns and facts over the limit are refused as a whole, with a retryable error, and nothing is written. Other
    people can still write.
    """
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
    """The backlog of a group limits what is recorded in the group, but not in a private chat of a member."""
    await bulk(chat=scene.group, by=scene.ben)
    with pytest.raises(QueueFull):
        await recorder.record(Viewer(scene.maya.id), scene.group.id, [Turn("I am in Rome.", scene.maya.id)])
    await recorder.record(Viewer(scene.maya.id), scene.private.id, [Turn("I am in Rome.", scene.maya.id)])


@pytest.mark.parametrize("rights", [ALL_RIGHTS, Rights(acts_for=("*",)), Rights(records=("*",))])
async def test_a_service_for_everybody_has_no_bound(
    scene: Any, bulk: Any, recorder: Recorder, facts: Facts, rights: Rights
) -> None:
    """Callers who may act or record for everybody have no limit, nor has the one user of a machine, with all rights."""
    await bulk()
    maya = Viewer(scene.maya.id, rights=rights)
    await recorder.record(maya, scene.private.id, [Turn("I am in Graz.", scene.maya.id)])
    await facts.remember(maya, [Fact("I like tea.")])


async def test_what_was_stored_already_is_acknowledged(scene: Any, bulk: Any, recorder: Recorder) -> None:
    """A retried turn that is stored already is acknowledged with the id of the first, even over the limit."""
    maya, turn = Viewer(scene.maya.id), Turn("I am in Graz.", scene.maya.id, idempotency_key="graz")
    [first] = await recorder.record(maya, scene.private.id, [turn])
    await bulk()
    [again] = await recorder.record(maya, scene.private.id, [turn])
    assert (first.memory_id, True) == (again.memory_id, again.repeated)


async def test_when_it_is_worked_off_more_is_taken(
    scene: Any, bulk: Any, drain: Any, recorder: Recorder, facts: Facts
) -> None:
    """After the backlog is worked off, turns and facts are accepted again: the limit counts waiting items, and not how
    far ahead the place in the queue is.
    """
    await bulk()
    await drain()
    maya = Viewer(scene.maya.id)
    await recorder.record(maya, scene.private.id, [Turn("I am in Graz.", scene.maya.id)])
    await facts.remember(maya, [Fact("I like tea.")])


async def test_statements_of_a_file_are_refused_too(
    scene: Any, bulk: Any, facts: Facts, recorder: Recorder, raw: Any
) -> None:
    """An import of facts over the limit ends with `QueueFull`, instead of skipping facts as refused; none is stored."""
    await bulk()
    importer = StatementImporter(scene.service.database, scene.service.clock, facts, recorder)
    with pytest.raises(QueueFull):
        await importer.run(Viewer(scene.maya.id), [Statement("I like tea.", (), None, "notes.md:1")], name="notes")
    assert [] == await raw("MATCH (m:Memory {content: 'I like tea.'}) RETURN m.id")


async def test_graphql_answers_with_an_error_to_try_again(
    scene: Any, bulk: Any, recorder: Recorder, facts: Facts
) -> None:
    """GraphQL mutations over the limit return `UnavailableError` with the code QUEUE_FULL, as retryable."""
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


# --- place in the queue ---


async def test_ones_own_place_is_told_and_others_in_hundreds(scene: Any, bulk: Any) -> None:
    """A viewer is told how many of their own memories wait, and how many items come before the last of these, where
    those of others are rounded up to hundreds.
    """
    own = scene.service.progress.own
    assert OwnPlace(0, 0) == await own(Viewer(scene.maya.id))
    await bulk()
    await bulk(chat=scene.group, by=scene.ben)
    place = await own(Viewer(scene.maya.id))
    assert MANY == place.waiting
    assert 0 == (place.before - (MANY - 1)) % 100 < place.before
    assert OwnPlace(0, 0) == await own(Viewer(scene.ben.id))  # the backlog of a group is nobody's own
