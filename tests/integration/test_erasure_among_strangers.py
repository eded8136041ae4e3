"""Erasure among people who do not trust each other: what somebody calls themselves gives them nothing of others (P6)."""

import json

import pytest

from graph.errors import NotAllowed, NotFound
from graph.model import INTERNAL, ChatKind, Viewer
from graph.people.people import Member
from graph.writing.fact import Fact
from tests.integration.conftest import LONG_AGO

HARBOUR = "Trieste Harbour"


@pytest.fixture
async def mal(scene):
    """Somebody with an account, who shares the group with Maya and Ben, and is called by a vouched name there."""
    mal = await scene.service.people.create_person(INTERNAL, "Malvina Crowe", user_id="mal@example")
    await scene.service.people.join_chat(scene.viewer(), scene.group.id, mal.id, since=LONG_AGO)
    return mal


@pytest.fixture
async def alice(scene):
    """Somebody else, who shares no chat with them."""
    alice = await scene.service.people.create_person(INTERNAL, "Alice Novak", user_id="alice@example")
    chat = await scene.service.people.create_chat(
        INTERNAL, ChatKind.PRIVATE, f"Alice and the {HARBOUR}", [Member(alice.id, LONG_AGO)]
    )
    return alice, chat


async def _words_of_others(raw, *gone: str) -> list[str]:
    """All texts of memories, titles, blocks, states and of the names of entities, but for those of these people."""
    rows = await raw(
        """MATCH (n:Memory|Chat|Block|UserState|Todo|Version|Entity)
        WHERE NOT n.id IN $gone AND NOT coalesce(n.scope, n.person_id, '') IN $gone
          AND NOT coalesce(n.speaker_id, '') IN $gone
        RETURN coalesce(n.content, n.title, n.value, n.canonical_name) AS text ORDER BY text""",
        gone=list(gone),
    )
    return [row["text"] for row in rows]


async def _fill(scene, alice, chat) -> None:
    viewer = Viewer(alice.id)
    await scene.say(f"My sister moved to {HARBOUR}.", by=alice, chat=chat, at=scene.minutes(1))
    await scene.say(f"{HARBOUR} is lovely in May.", by=alice, chat=chat, at=scene.minutes(2))
    await scene.service.facts.remember(viewer, [Fact(f"Works at the {HARBOUR}")])
    await scene.service.states.set_state(viewer, "home", HARBOUR)
    await scene.service.blocks.write(viewer, "plans", f"Sail from {HARBOUR}")
    await scene.service.people.create_person(viewer, f"{HARBOUR}'s warden")


async def test_who_calls_themselves_something_erases_it_for_nobody(scene, mal, alice, raw, learn):
    """Alice's words of a harbour stay as they are, in memories, states, blocks, titles and names."""
    await scene.service.people.add_alias(Viewer(mal.id), mal.id, HARBOUR)
    await _fill(scene, *alice)
    await learn()
    before = await _words_of_others(raw, mal.id)
    assert any(HARBOUR in text for text in before)
    await scene.service.erasures.erase(Viewer(mal.id), mal.id)
    assert before == await _words_of_others(raw, mal.id)
    await learn()
    assert mal.id not in json.dumps(await raw("MATCH (n) RETURN properties(n) AS all"), default=str)
    assert [] == await scene.service.doctor.examine()


async def test_an_alias_of_one_word_takes_nothing_from_a_shared_chat(scene, mal, raw, learn):
    """What others said there stays whole, whether it was linked to the alias or not."""
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


async def test_a_username_of_ones_own_takes_nothing(scene, mal, alice, raw, learn):
    """Nor does one that came by a merge with somebody whom they made themselves."""
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
