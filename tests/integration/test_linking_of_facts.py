"""Entity linking of facts outside of chats, and of a person named in several ways: one entity or a suggestion (W7)."""

from typing import Any

import pytest

from hippograph.graph.model import ChatKind, Viewer
from hippograph.graph.people.people import Member
from hippograph.graph.writing.fact import Fact

TOLD = [
    "Hawthorne Labs is in Leeds",
    "I had lunch at Hawthorne Labs with Peter Novak",
    "Peter Novak works at Hawthorne Labs",
]
ENTITIES = """
MATCH (e:Entity)<-[:MENTIONS|ABOUT]-(m:Memory) WHERE e.user_id IS NULL AND size(e.usernames) = 0
RETURN DISTINCT e.key AS key ORDER BY key
"""
LIKELY = "MATCH (a)-[:MAY_BE]->(b) RETURN a.key AS a, b.key AS b"


async def keys(raw: Any) -> list[str]:
    """Returns the keys of the entities that memories mention or are about, except the people of the scene."""
    return [row["key"] for row in await raw(ENTITIES)]


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 0, 2)])
@pytest.mark.parametrize("at_once", [True, False], ids=["in one batch", "one after the other"])
async def test_what_is_told_outside_of_chats_links(scene, drain, raw, order, at_once: bool) -> None:
    """Facts outside of chats link to one company and one person, in any order, whatever types the recognizer gives."""
    for number in order:
        await scene.service.facts.remember(Viewer(scene.maya.id), [Fact(TOLD[number])])
        if not at_once:
            await drain()
    await drain()
    found = await keys(raw)
    assert 1 == sum("hawthorne" in key for key in found), found
    assert ["person:peter_novak"] == [key for key in found if "novak" in key or "peter" in key]


async def test_a_full_name_makes_nobody_of_the_first_name(scene, drain, raw) -> None:
    """A full name does not create a second entity for the first name."""
    for words in ("Bob Schmidt plays chess", "Bob Schmidt's birthday is on 3 March", "I met Bob Schmidt in Leeds"):
        await scene.service.facts.remember(Viewer(scene.maya.id), [Fact(words)])
    await drain()
    assert ["person:bob_schmidt"] == [key for key in await keys(raw) if "bob" in key or "schmidt" in key]


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
async def test_with_and_without_family_name_in_one_batch_is_one(scene, learn, raw, order) -> None:
    """A full name and its first name in one batch of a chat are one entity, though neither was known before."""
    said = ["Peter Novak came to dinner.", "Peter brought a cake."]
    for minute, number in enumerate(order):
        await scene.say(said[number], at=scene.minutes(minute))
    await learn()
    assert 1 == sum("peter" in key for key in await keys(raw))


async def test_in_two_chats_of_one_person_it_is_a_suggestion(scene, learn, raw) -> None:
    """A full name in one chat and its first name in another of the same person are suggested as a merge."""
    other = await scene.service.people.create_chat(
        scene.viewer(), ChatKind.PRIVATE, "Maya and Nova", [Member(scene.maya.id)]
    )
    await scene.say("Peter Novak came to dinner.", chat=scene.private, at=scene.minutes(0))
    await learn()
    await scene.say("Peter brought a cake.", chat=other, at=scene.minutes(60))
    await learn()
    assert ["person:peter_novak"] == [row["b"] for row in await raw(LIKELY)]
