"""Erasure of a person: nothing of them is found afterwards, and what belongs to others stays intact."""

import json
import re
from datetime import timedelta
from pathlib import Path

import pytest

from hippograph.api.global_ids import global_id
from hippograph.graph.errors import NotAllowed, NotFound
from hippograph.graph.model import INTERNAL, ChatKind, Viewer
from hippograph.graph.people.people import Member
from hippograph.graph.rights import ALL_RIGHTS
from hippograph.graph.schema import rebuild_indexes
from hippograph.graph.transfer import erasure
from hippograph.graph.writing.fact import Fact
from tests.integration.conftest import LONG_AGO

FULL = "Wilhelmina Quackenbush"
SECRET_WORD = "zorblatt"


@pytest.fixture
async def world(scene, learn, raw):
    """The scene, Wilhelmina, who is to be erased, and her private chat. She talks with Ben and Maya in the group, has a
    state, facts and an API key, and there are facts of Ben's about her.
    """
    service, people = scene.service, scene.service.people
    her = await people.create_person(INTERNAL, FULL, usernames=["willa"], user_id="willa@example")
    await people.add_alias(scene.viewer(), her.id, "Mina")
    await people.join_chat(scene.viewer(), scene.group.id, her.id, since=LONG_AGO)
    private = await people.create_chat(INTERNAL, ChatKind.PRIVATE, f"{FULL} and Atlas", [Member(her.id, LONG_AGO)])
    await scene.say("Good morning everybody.", by=scene.ben, at=scene.minutes(0))
    await scene.say(f"I live in {SECRET_WORD.title()} and I love rowing.", by=her, at=scene.minutes(1))
    await scene.say(f"{FULL} works at Siemens.", by=scene.ben, at=scene.minutes(2))
    await scene.say("Wilhelmina and Maya went to Lisbon with me.", by=scene.ben, at=scene.minutes(3))
    await scene.say("My name? Ask wilhelmina_quackenbush.", by=scene.maya, at=scene.minutes(4))
    await scene.say("I live in Oslo.", by=scene.maya, at=scene.minutes(5))
    await scene.say(f"My diary says {SECRET_WORD}.", by=her, chat=private, at=scene.minutes(6))
    await learn()
    viewer = Viewer(her.id)
    await service.states.set_state(viewer, "preferred_address", f"Dr {SECRET_WORD}")
    await service.states.set_state(scene.viewer(scene.maya), "friend", f"My friend is {FULL}")
    [stored] = await service.facts.remember(viewer, [Fact(f"Keeps a {SECRET_WORD} at home")])
    await service.facts.update(viewer, stored.memory_id, f"Keeps two {SECRET_WORD}s at home")
    await service.facts.remember(
        scene.viewer(scene.ben), [Fact(f"{FULL} and Maya row together", about=(her.key, scene.maya.key))], for_chat=True
    )
    await service.facts.remember(
        scene.viewer(scene.ben), [Fact("Has a bad knee", about=(her.key,), sensitivity=None)], for_chat=True
    )
    landlord = await people.create_person(scene.viewer(scene.ben), f"{FULL}'s landlord")
    await people.add_alias(scene.viewer(scene.ben), landlord.id, f"The man of {FULL}")
    await service.facts.remember(
        scene.viewer(scene.ben), [Fact("Lives in Graz", about=(landlord.key,), aspect="lives_in")], for_chat=True
    )
    await service.api_keys.create("willa@example", "laptop")
    await learn()
    return scene, her, private


async def _everything(raw) -> str:
    """All labels and properties of nodes and relationships, as one JSON text."""
    nodes = await raw("MATCH (n) WHERE NOT n:__Neo4jMigration RETURN labels(n) AS labels, properties(n) AS all")
    edges = await raw("MATCH ()-[r]->() RETURN type(r) AS type, properties(r) AS all")
    return json.dumps([nodes, edges], default=str, ensure_ascii=False)


def _named(text: str) -> list[str]:
    return re.findall(r"(?i).{0,60}(?:wilhelmina|quackenbush|willa|\bmina\b|zorblatt).{0,60}", text)


async def test_nothing_of_an_erased_person_is_left(world, raw, learn):
    """After an erasure no property in the graph holds the person's names, id or words, also once the workers have run
    again, and the doctor finds nothing wrong.
    """
    scene, her, _ = world
    service = scene.service
    assert _named(await _everything(raw))
    receipt = await service.erasures.erase(INTERNAL, her.id)
    assert receipt.finished_at is not None
    left = await _everything(raw)
    assert not _named(left)
    assert her.id not in left
    assert receipt.counts["turns"] >= 2
    assert receipt.counts["states"] == 1
    assert receipt.counts["credentials"] == 1
    assert receipt.counts["chats"] == 1
    assert receipt.counts["versions"] >= 1
    await learn()  # reading the texts again brings nothing back
    assert not _named(await _everything(raw))
    assert await service.doctor.examine() == []


async def test_what_is_others_stays_whole(world, raw, learn):
    """The turns of others keep their numbers, links and words without the name, and facts about others stay."""
    scene, her, _ = world
    await scene.service.erasures.erase(INTERNAL, her.id)
    await learn()
    turns = await raw(
        "MATCH (m:Episodic)-[:LEARNED_IN]->({id: $chat}) RETURN m.content AS content, m.turn AS turn "
        "ORDER BY m.event_time",
        chat=scene.group.id,
    )
    contents = [row["content"] for row in turns]
    assert contents[0] == "Good morning everybody."
    assert "[name removed] and Maya went to Lisbon with me." in contents
    assert contents[-1] == "I live in Oslo."
    assert [row["turn"] for row in turns] == list(range(1, len(turns) + 1))
    chain = await raw(
        "MATCH (a:Episodic)-[r:TEMPORAL]->(b:Episodic) WHERE a.learned_in = $chat RETURN count(r) AS links",
        chat=scene.group.id,
    )
    assert chain[0]["links"] == len(turns) - 1
    lives = await raw("MATCH (m:Semantic) WHERE m.content CONTAINS 'Oslo' RETURN count(m) AS facts")
    assert lives[0]["facts"] == 1


@pytest.mark.parametrize(("name", "written"), [("O’Hara", "O'Hara"), ("O'Hara", "O’Hara")])
async def test_either_apostrophe_is_of_the_name(scene, raw, learn, name: str, written: str) -> None:
    """A name with an apostrophe is removed from titles, states and names of others, whether the apostrophe is straight
    or curly there.
    """
    people, ben = scene.service.people, scene.viewer(scene.ben)
    her = await people.create_person(INTERNAL, f"{name} Quackenbush")
    await people.create_chat(
        INTERNAL, ChatKind.PRIVATE, f"About {written} Quackenbush", [Member(scene.ben.id, LONG_AGO)]
    )
    await people.create_person(ben, f"{written} Quackenbush's landlord")
    await scene.service.states.set_state(ben, "friend", f"My friend is {written} Quackenbush")
    await learn()
    await scene.service.erasures.erase(INTERNAL, her.id, confirm=True)
    left = await _everything(raw)
    assert [] == re.findall("(?i).{0,60}(?:o.?hara|quackenbush).{0,60}", left)
    for text in ("About [name removed]", "[name removed]'s landlord", "My friend is [name removed]"):
        assert text in left


@pytest.mark.parametrize("at_once", [True, False], ids=["at once", "decided later"])
async def test_what_has_the_name_in_its_own_name_stays_apart(scene, raw, at_once: bool) -> None:
    """The person's names are removed from the names and unique keys of others' spaces, blocks and states. Two that then
    have the same name are still two, and their owner can change each of them. The doctor finds nothing wrong.
    """
    service, ben = scene.service, Viewer(scene.ben.id)
    her = await service.people.create_person(INTERNAL, FULL, user_id="willa@example")
    await service.people.add_alias(scene.viewer(), her.id, "Mina Quackenbush")
    for number, name in enumerate((FULL, "Mina Quackenbush")):
        await service.spaces.create(ben, f"Trip with {name}")
        await service.blocks.write(ben, f"About {name}", f"Block {number}")
        for value in ("old", "new"):
            await service.states.set_state(ben, f"Gift for {name}", f"{value} {number}")
    if at_once:
        await service.erasures.erase(INTERNAL, her.id)
    else:
        receipt = await service.erasures.erase(Viewer(her.id), her.id)
        await service.erasures.decide(INTERNAL, receipt.id, confirm=True)
    assert [] == _named(await _everything(raw))
    assert [] == await service.doctor.examine()
    spaces = [listed.item for listed in (await service.spaces.all(ben)).items]
    assert ["Trip with [name removed]"] * 2 == [space.name for space in spaces]
    assert "Rome" == (await service.spaces.rename(ben, spaces[0].id, "Rome")).name
    blocks = await service.blocks.all(ben)
    assert {"Block 0", "Block 1"} == {block.content for block in blocks}
    for block in blocks:
        assert block.name.startswith("about [name removed]")
        assert block.id == (await service.blocks.write(ben, block.name, "Words", version=block.version)).id
    states = await service.states.current(ben)
    assert {"new 0", "new 1"} == {state.value for state in states}
    for state in states:
        assert state.key.startswith("gift for [name removed]")
        history = [listed.item.value for listed in (await service.states.history(ben, state.key)).items]
        assert [state.value, state.value.replace("new", "old")] == history
        await service.states.set_state(ben, state.key, "a book")
    assert ["a book"] * 2 == [state.value for state in await service.states.current(ben)]
    assert [] == await service.doctor.examine()


async def test_an_erasure_goes_through_all_pages(scene, raw, monkeypatch) -> None:
    """With two nodes a page, an erasure deletes seven turns and seven uses of the person, and rewords seven turns of
    others and a state with seven values, which keep one key. It ends, and nothing of the person is left.
    """
    monkeypatch.setattr(erasure, "_AT_ONCE", 2)
    service, ben = scene.service, Viewer(scene.ben.id)
    her = await service.people.create_person(INTERNAL, FULL, user_id="willa@example")
    await service.people.join_chat(scene.viewer(), scene.group.id, her.id, since=LONG_AGO)
    for number in range(7):
        hers = await scene.say(f"{SECRET_WORD} {number}", by=her, at=scene.minutes(2 * number))
        service.recall.note(Viewer(her.id), [hers.memory_id])
        await service.recall.flush()
        await scene.say(f"{FULL} works here, day {number}.", by=scene.ben, at=scene.minutes(2 * number + 1))
        await service.states.set_state(ben, f"Gift for {FULL}", f"Number {number}")
    uses = "MATCH (u:Use {person_id: $id}) RETURN count(u) AS count"
    assert [{"count": 7}] == await raw(uses, id=her.id)
    receipt = await service.erasures.erase(INTERNAL, her.id, others_words=False)
    assert receipt.finished_at is not None
    assert (7, 14) == (receipt.counts["turns"], receipt.counts["reworded"])
    left = await _everything(raw)
    assert [] == _named(left)
    assert her.id not in left
    turns = await raw("MATCH (m:Episodic) RETURN m.content AS content ORDER BY m.turn")
    assert [f"[name removed] works here, day {number}." for number in range(7)] == [row["content"] for row in turns]
    assert [{"count": 0}] == await raw(uses, id=her.id)
    [state] = await service.states.current(ben)
    history = [listed.item.value for listed in (await service.states.history(ben, state.key)).items]
    assert [f"Number {number}" for number in reversed(range(7))] == history
    assert [] == await service.doctor.examine()


async def test_who_was_called_by_the_name_is_called_otherwise(world, raw, learn):
    """A landlord called by the person's name stays without it; a new claim about him supersedes the old one."""
    scene, her, _ = world
    await scene.service.erasures.erase(INTERNAL, her.id)
    await learn()
    [landlord] = await raw(
        "MATCH (e:Entity) WHERE e.canonical_name CONTAINS 'landlord' "
        "RETURN e.id AS id, e.key AS key, e.canonical_name AS name, e.aliases AS aliases"
    )
    assert landlord["key"] == f"person:name_removeds_landlord-{landlord['id']}"
    assert ("[name removed]'s landlord", ["The man of [name removed]"]) == (landlord["name"], landlord["aliases"])
    ben = scene.viewer(scene.ben)
    there = Viewer(ben.person_id, scene.group.id)
    assert {landlord["id"]} == {
        e.id for e in (await scene.service.browsing.entities_by(there, [landlord["key"]])).values()
    }
    told = Fact("Lives in Linz", about=(landlord["key"],), aspect="lives_in")
    [moved] = await scene.service.facts.remember(ben, [told], for_chat=True)
    [before] = await raw(
        "MATCH (:Memory {id: $id})-[:SUPERSEDES]->(old:Memory) RETURN old.content AS content", id=moved.memory_id
    )
    assert "Lives in Graz" == before["content"]


async def test_a_merge_about_who_was_called_by_the_name_keeps_none_of_it(world, raw, learn):
    """The record of a merge loses the person's name too. After the merge is undone no name is back, and the doctor
    finds the vectors and sounds of the entities complete.
    """
    scene, her, _ = world
    ben, service = scene.viewer(scene.ben), scene.service
    other = await service.people.create_person(ben, f"{FULL}'s house owner")
    [landlord] = await raw("MATCH (e:Entity) WHERE e.canonical_name CONTAINS 'landlord' RETURN e.key AS key")
    merged = await service.merging.merge(ben, landlord["key"], other.id)
    await learn()
    await service.erasures.erase(INTERNAL, her.id)
    await learn()
    assert not _named(await _everything(raw))
    kept = "MATCH ()-[r:MERGED_INTO]->() WHERE r.sounds IS NOT NULL RETURN r.id AS id"
    assert [] == await raw(kept)
    await service.merging.unmerge(ben, merged.merge_id)
    await learn()
    assert not _named(await _everything(raw))
    assert [] == await service.doctor.examine()


async def test_others_keep_names_of_their_own(world, raw):
    """Others with the same or a similar name, and an account whose first name is her username, keep their names."""
    scene, her, _ = world
    people = scene.service.people
    names = [FULL, f"{FULL} Smith", "Wilhelmina Tell", "Willa"]
    others = [await people.create_person(scene.viewer(scene.ben), name) for name in names]
    account = await people.create_person(
        INTERNAL, "Willa Cather", usernames=["willa_c"], user_id="willa.c@corp.example"
    )
    await scene.service.erasures.erase(INTERNAL, her.id)
    rows = await raw(
        "MATCH (e:Person) WHERE e.id IN $ids RETURN e.canonical_name AS name, e.user_id AS account",
        ids=[each.id for each in (*others, account)],
    )
    assert {(name, None) for name in names} | {("Willa Cather", "willa.c@corp.example")} == {
        (row["name"], row["account"]) for row in rows
    }


async def test_what_others_said_is_kept_without_the_name_when_asked(world, raw, learn):
    """With `others_words=False` others' memories about the person stay, without the name."""
    scene, her, _ = world
    await scene.service.erasures.erase(INTERNAL, her.id, others_words=False)
    await learn()
    contents = [row["content"] for row in await raw("MATCH (m:Memory) RETURN m.content AS content")]
    assert "[name removed] works at Siemens." in contents
    assert "Has a bad knee" in contents
    everything = await _everything(raw)
    assert not _named(everything)
    assert her.id not in everything


async def test_who_is_known_from_talk_alone_is_erased(scene, learn, raw):
    """A person without an account, known only from others' talk, is erased with every part of their name."""
    await scene.say("Casimir Dobrowolski works at Siemens.", by=scene.ben, at=scene.minutes(0))
    await learn()
    [row] = await raw("MATCH (p:Person) WHERE p.key STARTS WITH 'person:casimir' RETURN p.id AS id")
    held = await scene.service.person_export.export_everything(row["id"])
    assert "Casimir" in json.dumps(held, default=str)
    await scene.service.erasures.erase(INTERNAL, row["id"])
    await learn()
    assert not re.findall("(?i)casimir|dobrowolski", await _everything(raw))


async def test_a_plan_changes_nothing_and_counts_what_goes(world, raw):
    """A plan changes nothing, and its counts are those of the erasure that follows."""
    scene, her, _ = world
    before = await _everything(raw)
    plan = await scene.service.erasures.plan(INTERNAL, her.id)
    assert await _everything(raw) == before
    receipt = await scene.service.erasures.erase(INTERNAL, her.id)
    planned = {kind: plan.counts[kind] for kind in ("turns", "facts", "states", "credentials", "memberships", "chats")}
    assert planned == {kind: receipt.counts[kind] for kind in planned}


async def test_an_erasure_that_was_killed_midway_goes_on(world, raw, clock, monkeypatch):
    """An interrupted erasure is finished by another worker once its lease has run out; until then another request
    returns an unfinished receipt.
    """
    scene, her, _ = world
    erasures = scene.service.erasures
    run = erasures._database.run

    async def dies(statement, /, **params):
        if statement == "erasure/relink_sessions":
            raise KeyboardInterrupt
        return await run(statement, **params)

    with monkeypatch.context() as patch:
        patch.setattr(type(erasures._database), "run", lambda self, statement, /, **params: dies(statement, **params))
        with pytest.raises(KeyboardInterrupt):
            await erasures.erase(INTERNAL, her.id)
    assert await scene.service.erasures.step() == 0  # its lease still lasts
    assert (await erasures.erase(INTERNAL, her.id)).finished_at is None
    clock.advance(timedelta(minutes=3))
    assert await scene.service.erasures.step() == 1
    everything = await _everything(raw)
    assert not _named(everything)
    assert her.id not in everything


async def test_a_person_is_erased_by_themselves_or_an_administrator_alone(world):
    """Anybody else is refused, in the same way whether or not the person exists."""
    scene, her, _ = world
    erasures = scene.service.erasures
    with pytest.raises(NotAllowed):
        await erasures.erase(Viewer(scene.ben.id), her.id)
    with pytest.raises(NotAllowed):  # the same for an unknown person
        await erasures.erase(Viewer(scene.ben.id), "0" * 32)
    with pytest.raises(NotFound):
        await erasures.erase(INTERNAL, "0" * 32)
    receipt = await erasures.erase(Viewer(her.id), her.id)
    assert receipt.finished_at is not None
    with pytest.raises(NotFound):
        await erasures.erase(INTERNAL, her.id)


async def test_logs_hold_nothing_of_what_was_erased(world, settings):
    """No log file of the service or of Neo4j holds the names or words of an erased person."""
    scene, her, _ = world
    await scene.service.erasures.erase(INTERNAL, her.id)
    assert _logs_that_name_them(Path(settings.data_dir)) == []


async def test_the_viewer_exports_what_is_theirs_and_what_they_may_see(world):
    """A person's export holds their own memories, usernames and states, not others' turns, and is refused to others.
    The operator's export holds at least the same memories, and no hashes of keys.
    """
    scene, her, _ = world
    export = await scene.service.person_export.export(Viewer(her.id), her.id)
    contents = {memory["content"] for memory in export["memories"]}
    assert f"My diary says {SECRET_WORD}." in contents
    assert f"Keeps two {SECRET_WORD}s at home" in contents
    assert export["usernames"] == ["willa"]
    assert {state["key"] for state in export["state"]} == {"preferred_address"}
    assert "I live in Oslo." not in contents
    with pytest.raises(NotAllowed):
        await scene.service.person_export.export(Viewer(scene.ben.id, rights=ALL_RIGHTS), her.id)
    everything = await scene.service.person_export.export_everything(her.id)
    assert contents <= {memory["content"] for memory in everything["memories"]}
    assert "hash" not in json.dumps(everything["credentials"])


async def test_over_graphql(world, ask):
    """`erasePerson` plans and erases, and refuses a person who is gone and the one for whom the service runs;
    `exportPerson` exports the viewer.
    """
    scene, her, _ = world
    document = """mutation ($id: ID!, $dry: Boolean!) { erasePerson(input: {personId: $id, dryRun: $dry}) {
      __typename ... on ErasePersonPayload { receipt { id finishedAt counts { kind count } } } } }"""
    person = global_id("Person", her.id)
    planned = (await ask(document, id=person, dry=True))["data"]["erasePerson"]["receipt"]
    assert planned["id"] is None
    done = (await ask(document, id=person, dry=False))["data"]["erasePerson"]["receipt"]
    assert done["finishedAt"]
    again = (await ask(document, id=person, dry=False))["data"]["erasePerson"]
    assert again["__typename"] == "NotFoundError"
    mine = global_id("Person", scene.me)
    assert (await ask(document, id=mine, dry=False))["data"]["erasePerson"]["__typename"] == "ConflictError"
    answer = await ask("query ($id: ID!) { exportPerson(id: $id) }", id=mine)
    assert answer["data"]["exportPerson"]["id"]


async def test_searches_find_nothing_after_the_indexes_are_made_anew(world, settings):
    """After an erasure, rebuilt indexes find nothing of the person and still find what others said. This test is the
    last of the file, since Neo4j then drops all its query plans.
    """
    scene, her, _ = world
    service = scene.service
    await service.erasures.erase(INTERNAL, her.id)
    await rebuild_indexes(service.database, service.slot, settings.fulltext_analyzer)
    for words in (SECRET_WORD, FULL, "rowing", "knee"):
        page = await service.search.search(scene.viewer(scene.ben), words)
        assert not [hit for hit in page.results if _named(hit.memory.content)]
    page = await service.search.search(scene.viewer(scene.maya), "Who lives in Oslo?")
    assert any("Oslo" in hit.memory.content for hit in page.results)


def _logs_that_name_them(folder: Path) -> list[str]:
    return [path.name for path in folder.rglob("*.log") if _named(path.read_text(errors="replace"))]
