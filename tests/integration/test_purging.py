"""Permanent deletion (M13): nothing of what was purged is left in the graph, and nothing brings it back."""

import json
import re

import pytest

from hippograph.graph.access.labels import LABEL_TERMS
from hippograph.graph.errors import Conflict
from hippograph.graph.model import NO_END, Times, Viewer
from hippograph.graph.transfer.forgetting import ForgettingStatus, Selection
from hippograph.graph.transfer.formats.reading import Statement
from hippograph.graph.writing.dialogue_file import DialogueFile, FileDialogue, FileTurn
from hippograph.graph.writing.fact import Fact
from hippograph.graph.writing.recording import Turn
from tests.agents import within
from tests.integration.conftest import NOON

WORDS = re.compile(r"(?i)zorblatt|quackenbush|plumbus")


async def everything(raw) -> str:
    """Returns all labels, types and properties of nodes and relationships as one JSON text."""
    nodes = await raw("MATCH (n) WHERE NOT n:__Neo4jMigration RETURN labels(n) AS labels, properties(n) AS all")
    edges = await raw("MATCH ()-[r]->() RETURN type(r) AS type, properties(r) AS all")
    return json.dumps([nodes, edges], default=str, ensure_ascii=False)


def named(text: str) -> list[str]:
    """Returns each place where one of the `WORDS` stands in a text, with the characters around it."""
    return [text[max(0, one.start() - 80) : one.end() + 40] for one in WORDS.finditer(text)]


async def purge(service, viewer: Viewer, selection: Selection):
    """Plans a purge, carries it out, and returns the finished act."""
    acts = service.forgettings
    plan = await acts.plan(viewer, selection)
    await acts.purge(viewer, plan.id)
    return await acts.finished(viewer, plan.id)


@pytest.fixture
async def talk(scene, learn, raw):
    """Maya's private chat with turns that hold `WORDS` among others, and with facts, versions, todos and summaries."""
    private, service, maya = scene.private, scene.service, Viewer(scene.maya.id)
    await scene.say("Good morning.", chat=private, at=scene.minutes(0))
    await scene.say("I live in Zorblatt.", chat=private, at=scene.minutes(1))
    await scene.say("I promised to call Hubert Quackenbush on Friday.", chat=private, at=scene.minutes(2))
    await scene.say("Hubert Quackenbush works at Plumbus Works.", chat=private, at=scene.minutes(3))
    await scene.say("I love rowing.", chat=private, at=scene.minutes(4))
    await scene.say("Hubert is my brother.", at=scene.minutes(5))
    await learn()
    [stored] = await service.facts.remember(maya, [Fact("Keeps a plumbus at home")])
    await service.facts.update(maya, stored.memory_id, "Keeps two plumbuses at home")
    await service.facts.correct(maya, stored.memory_id, "Keeps three plumbuses in the cellar")
    while await service.summaries.step() + await service.talk_summaries.step():
        pass
    await learn()
    return scene


async def _ids(raw) -> tuple[str, ...]:
    rows = await raw(
        "MATCH (m:Memory) WHERE NOT m:Summary AND m.retired_at.year = 9999 "
        "AND m.content =~ '(?is).*(zorblatt|quackenbush|plumbus).*' RETURN m.id AS id"
    )
    return tuple(row["id"] for row in rows)


async def test_nothing_of_what_was_purged_is_left(talk, raw, learn):
    """After a purge no property in the graph holds the words, also after later jobs. The remaining turns of the chat
    are numbered without gaps, and the doctor finds no fault.
    """
    service, maya = talk.service, Viewer(talk.maya.id)
    assert named(await everything(raw))
    act = await purge(service, maya, Selection(ids=await _ids(raw)))
    assert act.status is ForgettingStatus.PURGED
    assert [] == named(await everything(raw))
    await learn()
    while await service.summaries.step() + await service.talk_summaries.step():
        pass
    assert [] == named(await everything(raw))
    assert await service.doctor.examine() == []
    turns = await raw(
        "MATCH (m:Episodic)-[:LEARNED_IN]->({id: $chat}) RETURN m.turn AS turn, m.content AS content ORDER BY m.turn",
        chat=talk.private.id,
    )
    assert [(1, "Good morning."), (2, "I love rowing.")] == [(row["turn"], row["content"]) for row in turns]


async def test_a_purge_of_turns_takes_what_rests_on_them(talk, raw, learn):
    """A fact that another turn states too stays when one of its turns is purged, with the other one as its evidence."""
    service, maya = talk.service, Viewer(talk.maya.id)
    await scene_again(talk, learn)
    rows = await raw("MATCH (m:Episodic) WHERE m.content = 'I live in Zorblatt.' RETURN m.id AS id")
    await purge(service, maya, Selection(ids=(rows[0]["id"],)))
    [fact] = await raw("MATCH (m:Semantic) WHERE m.content CONTAINS 'Zorblatt' RETURN m.id AS id")
    sources = await raw("MATCH (:Memory {id: $id})-[:DERIVED_FROM]->(t) RETURN t.content AS content", id=fact["id"])
    assert ["I still live in Zorblatt."] == [row["content"] for row in sources]


async def scene_again(talk, learn) -> None:
    """Records one more turn of Maya's that states where she lives, and consolidates it."""
    await talk.say("I still live in Zorblatt.", chat=talk.private, at=talk.minutes(6))
    await learn()


async def test_what_is_forgotten_is_purged_later(talk, raw):
    """What an act has forgotten is purged by the id of the act. After that the act cannot be undone, and its record
    keeps no criteria.
    """
    service, maya = talk.service, Viewer(talk.maya.id)
    acts = service.forgettings
    plan = await acts.plan(maya, Selection(chats=(talk.private.id,)))
    await acts.carry_out(maya, plan.id)
    await acts.finished(maya, plan.id)
    assert named(await everything(raw))
    await acts.purge(maya, plan.id)
    act = await acts.finished(maya, plan.id)
    assert act.asked == ()
    left = await raw("MATCH (m:Memory) WHERE m.learned_in = $chat RETURN count(m) AS left", chat=talk.private.id)
    assert left == [{"left": 0}]
    with pytest.raises(Conflict):
        await acts.undo(maya, plan.id)


async def test_what_is_believed_no_more_can_be_purged(talk, raw):
    """Memories that were forgotten or corrected one by one are planned only with `given_up`, and are then purged."""
    service, maya = talk.service, Viewer(talk.maya.id)
    for memory_id in await _ids(raw):
        found = await service.memories.held(maya, memory_id)
        if found and found.source != "extraction":
            await service.facts.forget(maya, memory_id)
    acts = service.forgettings
    before = await acts.plan(maya, Selection(chats=(talk.private.id, "")))
    assert before.counts["given_up"] == 0
    act = await purge(service, maya, Selection(chats=(talk.private.id, ""), given_up=True))
    assert act.counts["given_up"] > 0
    assert [] == [each for each in named(await everything(raw)) if "Hubert is" not in each]


async def test_a_purged_file_does_not_come_back(scene, raw, learn):
    """A repeated import skips purged turns and statements, unless it has `bring_back`."""
    service, viewer = scene.service, scene.service.viewer()
    turns = [FileTurn("1", "Ann", "I live in Zorblatt.", NOON), FileTurn("2", "Bo", "I love rowing.", NOON)]
    file = DialogueFile([FileDialogue("d", turns)])
    notes = [
        Statement("The plumbus is red.", (), None, "notes.md:1"),
        Statement("Tea is fine.", (), None, "notes.md:2"),
    ]

    async def bring(*, bring_back: bool = False):
        first = await service.importer.run(viewer, "trip", file, me="Ann", bring_back=bring_back)
        second = await service.statement_importer.run(viewer, notes, name="trip", bring_back=bring_back)
        await learn()
        return first, second

    await bring()
    assert named(await everything(raw))
    plan = await purge(service, viewer, Selection(imported="trip"))
    assert 4 == plan.selected
    assert [] == named(await everything(raw))
    turns_again, notes_again = await bring()
    assert (2, 2) == (turns_again.purged, notes_again.purged)
    assert (0, 0) == (turns_again.recorded, notes_again.recorded)
    assert [] == await raw("MATCH (m:Memory) RETURN m.content AS content")
    turns_again, notes_again = await bring(bring_back=True)
    assert (2, 2) == (turns_again.recorded, notes_again.recorded)
    assert [] == await raw("MATCH (p:Purged) RETURN p")


async def test_a_key_of_a_purged_turn_is_refused(scene):
    """Recording a purged turn again with its idempotency key raises `Conflict`, which says that it was purged."""
    turn = Turn("I live in Zorblatt.", scene.maya.id, event_time=NOON, idempotency_key="k")
    [stored] = await scene.service.recorder.record(scene.viewer(), scene.private.id, [turn])
    await purge(scene.service, Viewer(scene.maya.id), Selection(ids=(stored.memory_id,)))
    with pytest.raises(Conflict, match="purged"):
        await scene.service.recorder.record(scene.viewer(), scene.private.id, [turn])


async def test_a_name_that_the_purged_alone_gave_is_gone(scene, raw, learn):
    """A name that only purged turns gave is removed from the person, who is then called as the remaining turns do."""
    service, maya = scene.service, Viewer(scene.maya.id)
    await scene.say("Hubert Quackenbush lives in Oslo.", chat=scene.private, at=scene.minutes(0))
    await scene.say("Hubert works at Siemens.", chat=scene.private, at=scene.minutes(1))
    await learn()
    rows = await raw("MATCH (m:Episodic) WHERE m.content CONTAINS 'Quackenbush' RETURN m.id AS id")
    await purge(service, maya, Selection(ids=(rows[0]["id"],)))
    await learn()
    assert [] == named(await everything(raw))
    people = await raw(
        "MATCH (e:Person) WHERE e.user_id IS NULL AND size(e.usernames) = 0 RETURN e.canonical_name AS name"
    )
    assert ["Hubert"] == [row["name"] for row in people]
    assert await service.doctor.examine() == []


async def test_an_alias_that_the_purged_alone_gave_is_gone(scene, raw, learn):
    """An alias that only a purged turn gave is removed from the person, whose name and key stay."""
    await scene.say("Robert Lindholm lives in Oslo.", chat=scene.private, at=scene.minutes(0))
    told = await scene.say("Bob Lindholm works at Siemens.", chat=scene.private, at=scene.minutes(1))
    await learn()
    person = (
        "MATCH (e:Person {key: 'person:robert_lindholm'}) "
        "RETURN e.canonical_name AS name, e.aliases AS aliases, size(e.names) AS tokens"
    )
    assert [{"name": "Robert Lindholm", "aliases": ["Bob Lindholm"], "tokens": 2}] == await raw(person)
    await purge(scene.service, Viewer(scene.maya.id), Selection(ids=(told.memory_id,)))
    await learn()
    assert "Bob" not in await everything(raw)
    assert [{"name": "Robert Lindholm", "aliases": [], "tokens": 1}] == await raw(person)
    assert await scene.service.doctor.examine() == []


async def test_a_retired_reading_goes_with_its_turn(talk, raw):
    """A fact that was extracted from a turn, and retired by a later reading of it, is purged with the turn."""
    service = talk.service
    [fact] = await raw("MATCH (m:Semantic) WHERE m.content CONTAINS 'Zorblatt' RETURN m.id AS id")
    turns = await raw("MATCH (:Memory {id: $id})-[:DERIVED_FROM]->(t) RETURN t.id AS id", id=fact["id"])
    given = {"label_terms": LABEL_TERMS, "now": service.clock(), "no_end": NO_END}
    taken = await service.database.run("consolidation/revise", turns=[{"id": turns[0]["id"], "said": []}], **given)
    assert fact["id"] in {row["id"] for row in taken}
    await purge(service, Viewer(talk.maya.id), Selection(ids=(turns[0]["id"],)))
    assert [] == await raw("MATCH (m:Memory {id: $id}) RETURN m.id", id=fact["id"])


async def test_no_read_finds_it(talk, raw, learn, ask):
    """No search (now or in the past), archive, context, list, export, todo or explanation shows what was purged."""
    service, maya = talk.service, Viewer(talk.maya.id)
    ids, before = await _ids(raw), service.clock()
    await purge(service, maya, Selection(ids=ids))
    await service.consolidation.queue_left()
    await learn()
    told: list[object] = []
    for words in (
        "Where does Maya live?",
        "Zorblatt",
        "Where is my home?",
        "What is kept in the cellar?",
        "Quackenbush",
    ):
        for viewer in (maya, Viewer(talk.maya.id, talk.private.id), Viewer(talk.maya.id, every_persona=True)):
            page = await service.search.search(viewer, words)
            told += [hit.memory.content for hit in page.results]
            past = await service.search.search(viewer, words, times=Times(before, before))
            told += [hit.memory.content for hit in past.results]
            told += [str(await service.contexts.context(viewer, words))]
        told += [str(await service.archive.search(maya, words))]
    told += [str(await service.browsing.my_memories(maya)), str(await service.memories.load(maya, ids))]
    told += [str(await service.person_export.export_everything(talk.maya.id))]
    told += [str(await service.todos.all(maya)), str(await service.stats.counts(maya))]
    assert [] == named(json.dumps(told, default=str))
    for memory_id in ids:
        with pytest.raises(Exception, match="there is no memory"):
            await service.explaining.explain(maya, memory_id)


async def test_an_agent_purges_what_its_user_agreed_to(scene) -> None:
    """An agent purges in two calls: the first returns a plan with the texts, the second purges what was planned. A
    plan of somebody else is unknown to it.
    """
    service, maya = scene.service, Viewer(scene.maya.id)
    kept, gone = [each.memory_id for each in await service.facts.remember(maya, [Fact("Rows"), Fact("Owns a plumbus")])]
    async with within(service, maya) as agent, within(service, Viewer(scene.ben.id)) as stranger:
        planned = await agent.call("purge", memory_ids=[gone[:18]])
        assert ["Owns a plumbus"] == planned["texts"]
        assert 1 == sum(planned["counts"].values())
        assert gone in await service.memories.load(maya, [gone])
        for wrong in ({}, {"memory_ids": [kept], "plan": planned["plan"]}):
            assert "give either" in await agent.refused("purge", **wrong)
        unknown = await agent.refused("purge", plan="0" * 32)
        assert unknown == (await stranger.refused("purge", plan=planned["plan"])).replace(planned["plan"], "0" * 32)
        assert {"status": "purged"} == await agent.call("purge", plan=planned["plan"])
    assert {kept} == (await service.memories.load(maya, [kept, gone])).keys()


async def test_an_agents_user_reads_all_that_would_be_purged(scene) -> None:
    """A plan has the texts of all its memories, also of retired ones. More memories than it can show are refused."""
    service, maya = scene.service, Viewer(scene.maya.id)
    facts = [Fact(f"Owns {number} plumbuses") for number in range(11)]
    ids = [each.memory_id for each in await service.facts.remember(maya, facts)]
    await service.facts.forget(maya, ids[0])
    async with within(service, maya) as agent:
        assert "up to 10 memories" in await agent.refused("purge", memory_ids=ids)
        planned = await agent.call("purge", memory_ids=ids[:10])
    assert {fact.content for fact in facts[:10]} == set(planned["texts"])
