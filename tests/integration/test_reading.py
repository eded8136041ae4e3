"""Reading of sessions, entities and their names, relations and cursors, as a viewer may see them (P3, P4, M3, M15)."""

import base64
from datetime import timedelta

import pytest

from hippograph.api.graphql.nodes import global_id
from hippograph.graph.errors import NotFound
from hippograph.graph.model import INTERNAL, Sensitivity, Viewer
from hippograph.graph.writing.fact import Fact
from hippograph.graph.writing.recording import Turn


async def hide(scene, turn_id: str) -> None:
    """Makes a turn of Ben's sensitive: once he has left the group, nobody there sees it."""
    await scene.service.labels.set_sensitivity(scene.viewer(scene.ben), turn_id, Sensitivity.SENSITIVE)


async def test_hidden_turns_leave_no_trace_in_a_session(scene) -> None:
    """A session begins and ends with the turns that the viewer sees; pages and cursors contain no others."""
    for minute, by in enumerate((scene.ben, scene.maya, scene.ben, scene.maya, scene.ben)):
        stored = await scene.say(f"turn {minute}", by=by, at=scene.minutes(minute))
        if by is scene.ben:
            await hide(scene, stored.memory_id)
    await scene.service.people.leave_chat(scene.viewer(scene.ben), scene.group.id, scene.ben.id)
    browsing, me = scene.service.browsing, scene.viewer(scene.maya)
    [listed] = (await browsing.sessions(me, scene.group.id)).items
    assert (scene.minutes(1), scene.minutes(3)) == (listed.item.started_at, listed.item.last_activity_at)
    assert {stored.session_id: listed.item} == await browsing.sessions_by_id(me, [stored.session_id])
    page = await browsing.session_turns(me, stored.session_id, first=1)
    assert (["turn 1"], True) == ([one.item.content for one in page.items], page.has_next)
    name = f'"turns of {stored.session_id}"'
    time, memory = page.items[0].item.event_time.isoformat(), page.items[0].item.id
    assert f'[{name}, "{time}", "{memory}"]' == base64.urlsafe_b64decode(page.items[0].cursor).decode()
    rest = await browsing.session_turns(me, stored.session_id, first=5, after=page.items[0].cursor)
    assert (["turn 3"], False) == ([one.item.content for one in rest.items], rest.has_next)


async def test_turns_of_one_moment_are_paged_in_their_order(scene) -> None:
    """Turns of the same time keep the order in which they were recorded, also across pages."""
    for number in range(4):
        stored = await scene.say(f"turn {number}", at=scene.minutes(0))
    said, after = [], None
    for _ in range(4):
        page = await scene.service.browsing.session_turns(scene.viewer(), stored.session_id, first=1, after=after)
        said += [one.item.content for one in page.items]
        after = page.items[-1].cursor
    assert [f"turn {number}" for number in range(4)] == said


async def test_a_session_of_hidden_turns_is_not_there(scene) -> None:
    """A session without a visible turn is neither listed nor found, and its consolidation cannot be requested."""
    turns = [Turn("nobody sees this", scene.ben.id, scene.minutes(0))]
    [stored] = await scene.service.recorder.record(scene.viewer(), scene.group.id, turns, scene.atlas.id)
    await hide(scene, stored.memory_id)
    browsing, me = scene.service.browsing, scene.viewer(scene.maya)
    assert [stored.session_id] == [one.item.id for one in (await browsing.sessions(me, scene.group.id)).items]
    await scene.service.people.leave_chat(scene.viewer(scene.ben), scene.group.id, scene.ben.id)
    assert [] == (await browsing.sessions(me, scene.group.id)).items
    assert {} == await browsing.sessions_by_id(me, [stored.session_id])
    with pytest.raises(NotFound):
        await scene.service.consolidation.ask(me, stored.session_id)


SESSION = """
query Session($id: ID!, $knownAt: DateTime) {
  node(id: $id, knownAt: $knownAt) { ... on Session { turnCount turns { nodes { content } } } }
}
"""


async def test_a_session_is_there_as_it_was_known(scene, ask, clock) -> None:
    """A session whose only turn was forgotten is found as known when the turn was recorded, and not as known now."""
    turn = await scene.say("We sail at noon", by=scene.service.local_user)
    memory = await scene.service.memories.load(scene.viewer(), [turn.memory_id])
    clock.advance(timedelta(hours=1))
    await scene.service.facts.forget(scene.viewer(), turn.memory_id)
    known_at = memory[turn.memory_id].created_at.isoformat()
    session = global_id("Session", turn.session_id)
    assert {"node": None} == (await ask(SESSION, id=session))["data"]
    found = (await ask(SESSION, id=session, knownAt=known_at))["data"]["node"]
    assert {"turnCount": 1, "turns": {"nodes": [{"content": "We sail at noon"}]}} == found


async def test_the_session_of_a_turn_is_that_of_the_same_time(scene, ask, clock) -> None:
    """A turn read as known before it was forgotten has its session with its turns, and a chat read so lists both."""
    turn = await scene.say("We sail at noon", by=scene.service.local_user)
    memory = await scene.service.memories.load(scene.viewer(), [turn.memory_id])
    clock.advance(timedelta(hours=1))
    await scene.service.facts.forget(scene.viewer(), turn.memory_id)
    document = """
    query At($turn: ID!, $chat: ID!, $knownAt: DateTime) {
      turn: node(id: $turn, knownAt: $knownAt) { ... on Memory { session { turns { nodes { id } } } } }
      chat: node(id: $chat) { ... on Chat { sessions(knownAt: $knownAt) { nodes { turns { nodes { id } } } } } }
    }
    """
    given = {"turn": global_id("Memory", turn.memory_id), "chat": global_id("Chat", scene.group.id)}
    answer = await ask(document, **given, knownAt=memory[turn.memory_id].created_at.isoformat())
    turns = {"turns": {"nodes": [{"id": given["turn"]}]}}
    assert {"turn": {"session": turns}, "chat": {"sessions": {"nodes": [turns]}}} == answer["data"]


async def test_a_session_counts_the_turns_that_its_viewer_sees(scene, ask) -> None:
    """The `turnCount` of a session leaves out turns that the viewer may not see."""
    for minute, by in enumerate((scene.ben, scene.maya, scene.maya)):
        stored = await scene.say(f"turn {minute}", by=by, at=scene.minutes(minute))
        if by is scene.ben:
            await hide(scene, stored.memory_id)
    session = global_id("Session", stored.session_id)
    assert 3 == (await ask(SESSION, id=session))["data"]["node"]["turnCount"]
    await scene.service.people.leave_chat(scene.viewer(scene.ben), scene.group.id, scene.ben.id)
    assert 2 == (await ask(SESSION, id=session))["data"]["node"]["turnCount"]


async def test_hidden_evidence_takes_no_place_of_what_is_seen(scene) -> None:
    """A viewer who sees one memory that states a relation sees the relation, though 60 others are hidden."""
    stored = await scene.say("Maya is Ben's neighbour")
    rows = [
        {
            "id": "relation",
            "source": scene.maya.id,
            "target": scene.ben.id,
            "predicate": "neighbour_of",
            "confidence": 1.0,
            "memory": memory,
        }
        for memory in (stored.memory_id, *(f"hidden {number}" for number in range(60)))
    ]
    now, no_end = scene.minutes(0), scene.minutes(600)
    await scene.service.database.run("consolidation/relate_entities", rows=rows, now=now, no_end=no_end)
    key = scene.maya.key
    [related] = (await scene.service.cards.relations(scene.viewer(), {key: None}))[key].items
    assert [stored.memory_id] == [memory.id for memory in related.item.evidence]


async def test_a_cursor_of_what_is_known_about_people_names_nobody(scene) -> None:
    """A cursor does not hold the id of a person named in the query, since the page does not show that id."""
    for number in range(2):
        await scene.service.facts.remember(scene.viewer(), [Fact(f"Ben has {number} cats", about=(scene.ben.key,))])
    page = await scene.service.browsing.memories_about(scene.viewer(), query="What of Ben Okafor?", first=1)
    assert 1 == len(page.items)
    assert scene.ben.id not in base64.urlsafe_b64decode(page.items[0].cursor).decode()


async def test_whom_one_does_not_know_one_cannot_refer_to(scene) -> None:
    """The key or id of an entity that only others know is refused like one that does not exist; anybody may refer to a
    person with a username.
    """
    zoe = await scene.service.people.create_person(Viewer(scene.ben.id), "Zoe Quill")
    facts, maya = scene.service.facts, Viewer(scene.maya.id)
    for key in (zoe.key, zoe.id, "person:nobody"):
        with pytest.raises(NotFound, match=f"^there is no person or thing {key}$"):
            await facts.remember(maya, [Fact("likes tea", about=(key,))])
    assert await scene.service.browsing.entity(maya, zoe.key) is None
    await facts.remember(Viewer(scene.ben.id), [Fact("likes tea", about=(zoe.key,))])
    hal = await scene.service.people.create_person(INTERNAL, "Hal Brand", usernames=["hal"])
    await facts.remember(maya, [Fact("likes tea", about=(hal.key,))])


async def test_names_are_those_of_memories_one_sees(scene, raw, drain) -> None:
    """A viewer sees an entity under the names in memories that they may see; names said in private stay private."""
    said = {
        text: (await scene.say(f"We were in {text}", chat=chat)).memory_id
        for text, chat in (("Lisbon", scene.group), ("Lisboa", scene.private))
    }
    await drain()
    await raw("MATCH (:Memory)-[named:MENTIONS]->() DELETE named")
    await raw("MERGE (e:Entity {key: 'place:lisbon'}) SET e.canonical_name = 'Olisipo'")
    for text, memory in said.items():
        await raw(
            "MATCH (e:Entity {key: 'place:lisbon'}), (m:Memory {id: $id}) "
            "CREATE (m)-[:MENTIONS {names: [], texts: [$word]}]->(e)",
            id=memory,
            word=text,
        )
    seen = [
        await scene.service.browsing.entity(Viewer(person), "place:lisbon") for person in (scene.maya.id, scene.ben.id)
    ]
    assert [("Lisboa", ("Lisbon",)), ("Lisbon", ())] == [(one.canonical_name, one.aliases) for one in seen]


async def test_names_that_were_given_are_shown_to_whoever_may_know_of_a_person(scene, raw) -> None:
    """Names given explicitly are shown to anybody who may know of the person; aliases from elsewhere are not."""
    more = "SET p.given_names = p.given_names + 'Benny', p.aliases = ['Bunny']"
    await raw(f"MATCH (p:Person {{id: $id}}) {more}", id=scene.ben.id)
    ben = await scene.service.browsing.entity(Viewer(scene.maya.id), scene.ben.key)
    assert ("Ben Okafor", ("Benny",)) == (ben.canonical_name, ben.aliases)


async def test_a_mention_keeps_the_words_of_its_text(scene, raw, drain) -> None:
    """A mention that the slow path links stores the words by which the text names the entity."""
    await scene.say("We flew to Lisbon with Maria Silva")
    await drain()
    found = await raw("MATCH ()-[named:MENTIONS]->(e) RETURN e.key AS key, named.texts AS texts ORDER BY key")
    assert {"key": "place:lisbon", "texts": ["Lisbon"]} in found


async def test_a_seeded_profile_is_not_told_to_strangers(scene) -> None:
    """A seeded fact is loaded by its owner, and outside chats by nobody else, even if it is public."""
    [seeded] = await scene.service.facts.seed_profile(Viewer(scene.maya.id), [Fact("Maya plays the tuba")])
    await scene.service.labels.set_sensitivity(Viewer(scene.maya.id), seeded.memory_id, Sensitivity.PUBLIC)
    load = scene.service.memories.load
    assert [1, 0] == [len(await load(Viewer(who.id), [seeded.memory_id])) for who in (scene.maya, scene.ben)]


async def test_what_a_memory_names_is_known_wherever_it_is_shown(scene, drain) -> None:
    """A memory told elsewhere and shown in a group has only entity keys that can be looked up there."""
    fact = Fact("Ben visited Kyoto", about=(scene.ben.key,), sensitivity=Sensitivity.PUBLIC, portable=True)
    [stored] = await scene.service.facts.remember(Viewer(scene.maya.id), [fact])
    await drain()
    shown = (await scene.service.memories.load(scene.viewer(), [stored.memory_id]))[stored.memory_id]
    assert "place:kyoto" in shown.entity_keys
    known = await scene.service.browsing.entities_by(scene.viewer(), shown.entity_keys)
    assert set(shown.entity_keys) == set(known)
