"""Erasure among people who do not trust each other: names that people gave themselves erase nothing of others (P6)."""

import json

import pytest

from hippograph.api.global_ids import global_id
from hippograph.graph.errors import NotAllowed, NotFound
from hippograph.graph.model import INTERNAL, ChatKind, EntityType, Viewer
from hippograph.graph.people.people import Member
from hippograph.graph.rights import ALL_RIGHTS
from hippograph.graph.writing.fact import Fact
from tests.integration.conftest import LONG_AGO

HARBOUR = "Trieste Harbour"


@pytest.fixture
async def mal(scene):
    """A person with an account and a vouched name, who shares the group with Maya and Ben."""
    mal = await scene.service.people.create_person(INTERNAL, "Malvina Crowe", user_id="mal@example")
    await scene.service.people.join_chat(scene.viewer(), scene.group.id, mal.id, since=LONG_AGO)
    return mal


@pytest.fixture
async def alice(scene):
    """A person who shares no chat with `mal`, and a private chat of theirs."""
    alice = await scene.service.people.create_person(INTERNAL, "Alice Novak", user_id="alice@example")
    chat = await scene.service.people.create_chat(
        INTERNAL, ChatKind.PRIVATE, f"Alice and the {HARBOUR}", [Member(alice.id, LONG_AGO)]
    )
    return alice, chat


async def _words_of_others(raw, *gone: str) -> list[str]:
    """All texts of memories, blocks and states, titles, and names of entities, except those of the given people."""
    rows = await raw(
        """MATCH (n:Memory|Chat|Block|UserState|Todo|Version|Entity)
        WHERE NOT n.id IN $gone AND NOT coalesce(n.scope, n.person_id, '') IN $gone
          AND NOT coalesce(n.speaker_id, '') IN $gone
        RETURN coalesce(n.content, n.title, n.value, n.canonical_name) AS text ORDER BY text""",
        gone=list(gone),
    )
    return [row["text"] for row in rows]


async def _everything(raw) -> str:
    """All properties of nodes and relationships, as one JSON text."""
    found = await raw("MATCH (n) OPTIONAL MATCH (n)-[r]->() RETURN properties(n) AS node, properties(r) AS link")
    return json.dumps(found, default=str, ensure_ascii=False)


async def _fill(scene, alice, chat) -> None:
    viewer = Viewer(alice.id)
    await scene.say(f"My sister moved to {HARBOUR}.", by=alice, chat=chat, at=scene.minutes(1))
    await scene.say(f"{HARBOUR} is lovely in May.", by=alice, chat=chat, at=scene.minutes(2))
    await scene.service.facts.remember(viewer, [Fact(f"Works at the {HARBOUR}")])
    await scene.service.states.set_state(viewer, "home", HARBOUR)
    await scene.service.blocks.write(viewer, "plans", f"Sail from {HARBOUR}")
    await scene.service.people.create_person(viewer, f"{HARBOUR}'s warden")


async def test_who_calls_themselves_something_erases_it_for_nobody(scene, mal, alice, raw, learn):
    """If Mal took the name of a harbour as an alias, her erasure changes none of Alice's memories, states, blocks,
    titles and names that contain it.
    """
    await scene.service.people.add_alias(Viewer(mal.id), mal.id, HARBOUR)
    await _fill(scene, *alice)
    await learn()
    before = await _words_of_others(raw, mal.id)
    assert any(HARBOUR in text for text in before)
    await scene.service.erasures.erase(Viewer(mal.id), mal.id)
    assert before == await _words_of_others(raw, mal.id)
    await learn()
    assert mal.id not in await _everything(raw)
    assert [] == await scene.service.doctor.examine()


async def test_an_alias_of_one_word_takes_nothing_from_a_shared_chat(scene, mal, raw, learn):
    """If the erased person had words or first names as aliases, all turns of others in the shared chat stay unchanged,
    linked to the alias or not.
    """
    viewer = Viewer(mal.id)
    for alias in ("Coffee", "Maya", "Graz", "Will"):
        await scene.service.people.add_alias(viewer, mal.id, alias)
    said = ["Coffee at noon?", "Maya and Ben went to Graz.", "Will you bring coffee?", "I met Will in Graz."]
    for minute, text in enumerate(said):
        await scene.say(text, by=scene.ben, at=scene.minutes(minute))
    await learn()
    before = await _words_of_others(raw, mal.id)
    await scene.service.erasures.erase(viewer, mal.id)
    await learn()
    left = await raw("MATCH (m:Episodic) RETURN m.content AS text ORDER BY m.event_time")
    assert said == [row["text"] for row in left]
    assert set(before) <= set(await _words_of_others(raw, mal.id))


async def test_a_first_name_of_ones_own_takes_nothing_from_what_others_say_alone(scene, mal, raw, learn):
    """If the first name of Mal's own alias is also that of Maya's husband, what Maya says of him in her private chat
    stays.
    """
    await scene.service.people.add_alias(Viewer(mal.id), mal.id, "Robert Crowe")
    said = ["Robert brought me flowers.", "I owe Robert 40 euros."]
    await scene.say("Hello, everybody.")
    await scene.say("Hello, Maya.", by=mal)
    for minute, text in enumerate(said):
        await scene.say(text, chat=scene.private, at=scene.minutes(minute))
    await learn()
    await scene.service.erasures.erase(Viewer(mal.id), mal.id)
    await learn()
    left = await raw("MATCH (m:Episodic {learned_in: $chat}) RETURN m.content AS text", chat=scene.private.id)
    assert set(said) == {row["text"] for row in left}


async def test_a_username_of_ones_own_takes_nothing(scene, mal, alice, raw, learn):
    """A username and a name that a person got by a merge with somebody they created erase nothing of others."""
    viewer = Viewer(mal.id)
    made = await scene.service.people.create_person(viewer, "Old Harbour Master", usernames=["harbour"])
    await scene.service.merging.merge(viewer, mal.id, made.id)
    person, chat = alice
    said = ["Ask @harbour about the boat.", "The harbour is cold.", "Old Harbour Master knows."]
    for minute, text in enumerate(said):
        await scene.say(text, by=person, chat=chat, at=scene.minutes(minute))
    await learn()
    await scene.service.erasures.erase(viewer, mal.id)
    await learn()
    left = await raw("MATCH (m:Episodic) RETURN m.content AS text ORDER BY m.event_time")
    assert said == [row["text"] for row in left]


async def test_the_rest_is_a_plan_that_an_administrator_confirms(scene, mal, alice, raw, learn):
    """The undecided places of an erasure are listed for an administrator by kind and id, with their texts before and
    after. Confirming removes the names there, and the plan.
    """
    erasures, admin = scene.service.erasures, scene.viewer()
    await scene.service.people.add_alias(Viewer(mal.id), mal.id, HARBOUR)
    await _fill(scene, *alice)
    await learn()
    receipt = await erasures.erase(Viewer(mal.id), mal.id)
    assert receipt.undecided is None
    await learn()
    [waiting] = await erasures.undecided(admin)
    assert HARBOUR in waiting.names
    places = [each.item for each in (await erasures.places(admin, waiting.id, first=100)).items]
    assert {"Memory", "Chat", "UserState", "Block", "Entity"} == {place.item.kind for place in places}
    changes = {change for place in places for change in place.words}
    assert (f"My sister moved to {HARBOUR}.", "My sister moved to [name removed].") in changes
    done = await erasures.decide(admin, waiting.id, confirm=True)
    await learn()
    assert {place.item for place in places} <= {*done.rewritten, *done.removed}
    everything = await _everything(raw)
    assert HARBOUR not in everything
    assert "trieste_harbour" not in everything
    assert [] == await erasures.undecided(admin)
    assert [] == await scene.service.doctor.examine()


async def test_a_plan_acts_on_what_stands_when_it_is_confirmed(scene, mal, alice, raw, learn):
    """Confirming rewords only the chosen places, in their current texts."""
    erasures, admin = scene.service.erasures, scene.viewer()
    await scene.service.people.add_alias(Viewer(mal.id), mal.id, HARBOUR)
    person, _ = alice
    facts = scene.service.facts
    one, _ = await facts.remember(Viewer(person.id), [Fact(f"Rows at {HARBOUR}"), Fact(f"Paints {HARBOUR}")])
    await learn()
    await erasures.erase(Viewer(mal.id), mal.id)
    await facts.update(Viewer(person.id), one.memory_id, f"Swims at {HARBOUR}, daily")
    [waiting] = await erasures.undecided(admin)
    await erasures.decide(admin, waiting.id, confirm=True, places=[one.memory_id])
    rows = await raw("MATCH (m:Semantic) RETURN m.content AS text ORDER BY text")
    assert [f"Paints {HARBOUR}", "Swims at [name removed], daily"] == [row["text"] for row in rows]


async def test_a_plan_that_is_dismissed_changes_nothing_and_is_forgotten(scene, mal, alice, raw, learn):
    """After a plan is dismissed, all texts are unchanged, and the erasure's record has neither names nor places."""
    erasures, admin = scene.service.erasures, scene.viewer()
    await scene.service.people.add_alias(Viewer(mal.id), mal.id, HARBOUR)
    await _fill(scene, *alice)
    await learn()
    before = await _words_of_others(raw, mal.id)
    await erasures.erase(Viewer(mal.id), mal.id)
    [waiting] = await erasures.undecided(admin)
    await erasures.decide(admin, waiting.id, confirm=False)
    assert before == await _words_of_others(raw, mal.id)
    records = json.dumps(await raw("MATCH (e:Erasure) RETURN properties(e), COUNT { (e)--() } AS links"), default=str)
    assert HARBOUR not in records
    assert '"links": 0' in records
    with pytest.raises(NotFound):
        await erasures.decide(admin, waiting.id, confirm=True)


async def test_there_is_no_plan_where_nothing_is_left(scene, mal, learn):
    """An erasure leaves nothing to decide if no text contains the unvouched alias."""
    await scene.service.people.add_alias(Viewer(mal.id), mal.id, HARBOUR)
    await scene.say("I am Malvina Crowe.", by=mal, at=scene.minutes(0))
    await scene.say("Welcome, Malvina Crowe!", by=scene.ben, at=scene.minutes(1))
    await learn()
    await scene.service.erasures.erase(Viewer(mal.id), mal.id)
    assert [] == await scene.service.erasures.undecided(scene.viewer())


async def test_plans_are_for_administrators_alone(scene, mal):
    """Anybody but an administrator who lists, reads, decides or confirms undecided places gets `NotAllowed`."""
    erasures, viewer = scene.service.erasures, Viewer(scene.ben.id)
    with pytest.raises(NotAllowed):
        await erasures.undecided(viewer)
    with pytest.raises(NotAllowed):
        await erasures.places(viewer, "0" * 32)
    with pytest.raises(NotAllowed):
        await erasures.decide(viewer, "0" * 32, confirm=True)
    with pytest.raises(NotAllowed):
        await erasures.erase(Viewer(mal.id), mal.id, confirm=True)


async def test_a_dry_run_shows_an_administrator_the_words_and_nobody_else(scene, mal, alice, learn):
    """A plan of an erasure shows texts and undecided places to an administrator, but not to the person themselves. If
    the administrator confirms at once, all of them are changed.
    """
    erasures = scene.service.erasures
    await scene.service.people.add_alias(Viewer(mal.id), mal.id, HARBOUR)
    await _fill(scene, *alice)
    await scene.say("Malvina and Maya went to Lisbon with me.", by=scene.ben, at=scene.minutes(3))
    await learn()
    own = await erasures.plan(Viewer(mal.id), mal.id)
    assert (None, ()) == (own.undecided, own.places)
    plan = await erasures.plan(scene.viewer(), mal.id)
    assert ("Malvina and Maya went to Lisbon with me.", "[name removed] and Maya went to Lisbon with me.") in {
        words for place in plan.places if not place.undecided for words in place.words
    }
    assert plan.undecided == len({place.item for place in plan.places if place.undecided})
    receipt = await erasures.erase(scene.viewer(), mal.id, confirm=True)
    assert 0 == receipt.undecided
    assert {place.item for place in plan.places} <= {*receipt.rewritten, *receipt.removed}


async def test_a_dry_run_counts_what_is_then_changed(scene, mal, learn):
    """A plan counts the turns of others that the erasure then rewords, linked or not, and lists the memories that it
    then removes.
    """
    erasures = scene.service.erasures
    await scene.say("I am Malvina Crowe.", by=mal, at=scene.minutes(0))
    await scene.say("Malvina and Maya went to Lisbon with me.", by=scene.ben, at=scene.minutes(1))
    await scene.say("see malvina_crowe", by=scene.ben, at=scene.minutes(2))
    await learn()
    plan = await erasures.plan(Viewer(mal.id), mal.id)
    receipt = await erasures.erase(Viewer(mal.id), mal.id)
    assert plan.counts["reworded"] == receipt.counts["reworded"] >= 2
    assert len(receipt.rewritten) == receipt.counts["reworded"]
    assert {item.id for item in plan.removed} == {item.id for item in receipt.removed if item.kind == "Memory"}


async def test_a_vouched_name_that_is_a_word_goes_as_it_is_written_where_it_is_meant(scene, raw, learn):
    """A vouched name that is also a common word, Will, is removed where it means the person; the verb stays."""
    will = await scene.service.people.create_person(INTERNAL, "Will Tanaka", user_id="will@example")
    await scene.service.people.join_chat(scene.viewer(), scene.group.id, will.id, since=LONG_AGO)
    await scene.say("Will Tanaka and Maya will row.", by=scene.ben, at=scene.minutes(0))
    await scene.say("Will you come, too?", by=scene.ben, at=scene.minutes(1))
    await learn()
    await scene.service.erasures.erase(Viewer(will.id), will.id)
    rows = await raw("MATCH (m:Episodic) RETURN m.content AS text ORDER BY m.event_time")
    assert ["[name removed] and Maya will row.", "Will you come, too?"] == [row["text"] for row in rows]


async def test_a_name_is_vouched_for_by_the_claim_that_the_operator_named(service):
    """An account's name that it gave itself is not vouched for; it is once it comes from the operator's claim."""
    people = service.people
    mia = await people.with_account("mia", "Mia Tan", self_given=True)
    [row] = await service.database.run("people/account", user_id="mia")
    assert [] == row["vouched"]
    assert mia == await people.with_account("mia", "Mia Tan")
    [row] = await service.database.run("people/account", user_id="mia")
    assert 2 == len(row["vouched"])


async def test_a_plan_over_graphql(scene, mal, alice, ask, learn):
    """Over GraphQL, an administrator can list undecided erasures, page through their places, and confirm one place; a
    dry run shows the texts. A second decision is a NotFoundError.
    """
    await scene.service.people.add_alias(Viewer(mal.id), mal.id, HARBOUR)
    await _fill(scene, *alice)
    await learn()
    dry = """mutation ($id: ID!) { erasePerson(input: {personId: $id, dryRun: true}) { ... on ErasePersonPayload {
      receipt { undecided places { kind id undecided words { before after } } } } } }"""
    planned = (await ask(dry, id=global_id("Person", mal.id)))["data"]["erasePerson"]["receipt"]
    assert planned["undecided"] == len({place["id"] for place in planned["places"] if place["undecided"]}) > 0
    await scene.service.erasures.erase(Viewer(mal.id), mal.id)
    [waiting] = (await ask("{ undecidedErasures { id names placeCount byAdmin requestedAt } }"))["data"][
        "undecidedErasures"
    ]
    assert (False, True) == (waiting["byAdmin"], HARBOUR in waiting["names"])
    read = """query ($id: ID!, $after: String) { erasurePlan(id: $id) { id places(first: 2, after: $after) {
      nodes { kind id words { before after } } pageInfo { hasNextPage endCursor } } } }"""
    found, more = [], {"hasNextPage": True, "endCursor": None}
    while more["hasNextPage"]:
        page = (await ask(read, id=waiting["id"], after=more["endCursor"]))["data"]["erasurePlan"]["places"]
        found, more = found + page["nodes"], page["pageInfo"]
    assert waiting["placeCount"] == len({place["id"] for place in found})
    decide = """mutation ($id: ID!, $places: [ID!]) { decideErasure(input: {id: $id, confirm: true, places: $places}) {
      __typename ... on DecideErasurePayload { receipt { undecided reworded { kind id } } } } }"""
    one = next(place for place in found if place["kind"] == "Chat")
    done = (await ask(decide, id=waiting["id"], places=[one["id"]]))["data"]["decideErasure"]["receipt"]
    assert [{"kind": "Chat", "id": one["id"]}] == done["reworded"]
    again = (await ask(decide, id=waiting["id"], places=None))["data"]["decideErasure"]
    assert "NotFoundError" == again["__typename"]


async def test_a_place_that_somebody_merged_into_themselves_keeps_its_name(scene, mal, raw, learn):
    """If a person merged a place into themselves, their erasure leaves the name of the place in the turns of others."""
    said = ["I live in Oslo.", "Ben went to Oslo by train."]
    for minute, text in enumerate(said):
        await scene.say(text, by=scene.ben, at=scene.minutes(minute))
    await learn()
    viewer = Viewer(mal.id, scene.group.id, rights=ALL_RIGHTS)
    await scene.service.merging.merge(viewer, mal.key, "place:oslo", kind=EntityType.PERSON)
    await scene.service.erasures.erase(Viewer(mal.id), mal.id)
    await learn()
    left = await raw("MATCH (m:Episodic) RETURN m.content AS text ORDER BY m.event_time")
    assert said == [row["text"] for row in left]
    assert [] == await scene.service.doctor.examine()
