"""What a person tells in private about others stays with that person, unless they decide otherwise (P1)."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import pytest
from mcp import Client

from hippograph.api.mcp.server import make_server
from hippograph.graph.errors import InvalidInput
from hippograph.graph.model import INTERNAL, Chat, ChatKind, Person, Sensitivity, Viewer
from hippograph.graph.people.people import Member
from hippograph.graph.writing.fact import Fact
from hippograph.graph.writing.recording import Turn
from tests.integration.conftest import LONG_AGO, Scene

TOLD = "Ben Okafor was diagnosed with diabetes"
LABELS = "MATCH (m:Memory {id: $id}) RETURN m.portable AS portable, m.inferred_labels AS guessed"


@dataclass(frozen=True, slots=True)
class Found:
    """All that a person finds about a subject, as one text."""

    text: str

    @classmethod
    async def by(cls, scene: Scene, person: Person, *, chat: Chat | None = None, query: str, key: str) -> "Found":
        """Collects the results of search, context, card, list and export, read in `chat` or outside chats; `key` is
        the entity of the card.
        """
        service, viewer = scene.service, Viewer(person.id, chat.id if chat else None)
        found = await service.search.search(viewer, query, first=20)
        told = await service.contexts.context(viewer, query)
        cards = await service.cards.cards(viewer, [key])
        about = await service.browsing.memories_about(viewer, query=query + " " + key.partition(":")[2])
        export = await service.person_export.export(Viewer(person.id), person.id)
        parts = [found, told, cards, about, export["memories"]]
        return cls("\n".join(map(repr, parts)))


async def portable(raw: Any, memory_id: str) -> bool:
    """Returns whether a memory is portable to chats where it was not said."""
    [row] = await raw(LABELS, id=memory_id)
    return bool(row["portable"])


async def remember(scene: Scene, person: Person, fact: Fact, chat: Chat | None = None) -> str:
    """Stores a fact of a person, and returns the id of its memory."""
    viewer = Viewer(person.id, chat.id if chat else None)
    [stored] = await scene.service.facts.remember(viewer, [fact])
    return stored.memory_id


@pytest.mark.parametrize("in_chat", [True, False], ids=["in the private chat", "outside of chats"])
async def test_what_is_remembered_in_private_of_another_stays(scene: Scene, raw: Any, in_chat: bool) -> None:
    """A fact that Maya stores in private about Ben, a member of chats, is not portable: she finds it, he does not."""
    chat = scene.private if in_chat else None
    made = await remember(scene, scene.maya, Fact(TOLD, about=(scene.ben.key,)), chat)
    assert not await portable(raw, made)
    for place in (None, scene.group):
        found = await Found.by(scene, scene.ben, chat=place, query="diabetes", key=scene.ben.key)
        assert "diabetes" not in found.text
    mine = await Found.by(scene, scene.maya, query="Ben", key=scene.ben.key)
    assert made in mine.text or "diabetes" in mine.text


async def test_what_is_extracted_in_private_of_another_stays(
    scene: Scene, raw: Any, learn: Callable[[], Awaitable[int]]
) -> None:
    """A fact about Ben that is extracted from a private chat is not portable; one from a group is."""
    await scene.say("Hello, Ben!")
    await scene.say("Ben Okafor works at Brightwater.", chat=scene.private)
    await learn()
    facts = await raw("MATCH (m:Semantic)-[:ABOUT]->({id: $ben}) RETURN m.id AS id", ben=scene.ben.id)
    assert facts
    assert not any([await portable(raw, fact["id"]) for fact in facts])
    await scene.say("Ben Okafor lives in Graz.")
    await learn()
    [fact] = await raw("MATCH (m:Semantic {chat_id: $chat})-[:ABOUT]->() RETURN m.id AS id", chat=scene.group.id)
    assert await portable(raw, fact["id"])


async def test_its_owner_says_otherwise(scene: Scene, raw: Any) -> None:
    """The owner may make a private fact about another portable, at once or later. A fact from a group, and one about
    oneself, is portable anyway.
    """
    told = Fact(TOLD, about=(scene.ben.key,), portable=True)
    assert await portable(raw, await remember(scene, scene.maya, told, scene.private))
    later = await remember(scene, scene.maya, Fact("Ben sails", about=(scene.ben.key,)), scene.private)
    await scene.service.labels.set_portable(Viewer(scene.maya.id, scene.private.id), later, True)
    assert await portable(raw, later)
    assert await portable(
        raw, await remember(scene, scene.maya, Fact("Ben cooks", about=(scene.ben.key,)), scene.group)
    )
    assert await portable(raw, await remember(scene, scene.maya, Fact("I sail"), scene.private))


@pytest.fixture
async def tom(scene: Scene, raw: Any, learn: Callable[[], Awaitable[int]]) -> tuple[str, str]:
    """The ids of a person of whom only Maya speaks, in private, and of a fact about him, which is portable."""
    await scene.say("Tom Becker came to dinner.", chat=scene.private)
    await learn()
    [row] = await raw("MATCH (p:Person {key: 'person:tom_becker'}) RETURN p.id AS id")
    fact = await remember(scene, scene.maya, Fact("Tom drinks", about=(row["id"],)), scene.private)
    assert await portable(raw, fact)
    return row["id"], fact


async def test_who_gets_an_account_later_is_told_nothing_either(scene: Scene, raw: Any, tom: tuple[str, str]) -> None:
    """A private fact about a person is no longer portable once that person gets an account."""
    person, fact = tom
    await scene.service.people.create_person(INTERNAL, "Tom Becker", user_id="tom@example", person_id=person)
    assert not await portable(raw, fact)


async def test_who_joins_a_chat_later_is_told_nothing_either(scene: Scene, raw: Any, tom: tuple[str, str]) -> None:
    """A private fact about a person is no longer portable once that person joins a chat."""
    person, fact = tom
    await scene.service.people.join_chat(scene.viewer(), scene.group.id, person)
    assert not await portable(raw, fact)


async def test_who_begins_a_chat_later_is_told_nothing_either(scene: Scene, raw: Any, tom: tuple[str, str]) -> None:
    """A private fact about a person is no longer portable once that person is the first member of a new chat."""
    person, fact = tom
    await scene.service.people.create_chat(INTERNAL, ChatKind.PRIVATE, "Tom", [Member(person, LONG_AGO)])
    assert not await portable(raw, fact)


async def test_who_turns_out_to_be_somebody_with_an_account_is_told_nothing(
    scene: Scene, raw: Any, tom: tuple[str, str]
) -> None:
    """A private fact about a person is no longer portable once they are merged with one who has an account; undoing
    the merge restores its labels.
    """
    person, fact = tom
    real = await scene.service.people.create_person(INTERNAL, "Thomas Becker", user_id="tom@example")
    merged = await scene.service.merging.merge(scene.viewer(scene.maya), real.id, person)
    assert not await portable(raw, fact)
    await scene.service.merging.unmerge(scene.viewer(scene.maya), merged.merge_id)
    [row] = await raw(LABELS, id=fact)
    assert {"portable": True, "guessed": []} == row
    assert [] == [found for found in await scene.service.doctor.examine() if "waited" not in found.what]


SECRET = "Jonas Weber works at Brightwater. Don't tell Maya."
ECHO = "I will keep quiet about it: Jonas Weber works at Brightwater."
KEPT = """
MATCH (m:Memory) WHERE m.content CONTAINS 'Brightwater' AND NOT m:Summary
RETURN m.id AS id, m:Episodic AS turn, m.portable AS portable, m.sensitivity AS sensitivity, m.confided AS confided,
       COLLECT { MATCH (m)-[:ABOUT]->(p:Person) RETURN p.id } AS about
"""


@pytest.fixture
async def confided(scene: Scene, learn: Callable[[], Awaitable[int]]) -> Chat:
    """A private chat in which Ben told his assistant something in confidence and it answered, after all processing."""
    chat = await scene.service.people.create_chat(
        INTERNAL, ChatKind.PRIVATE, "Ben and Atlas", [Member(scene.ben.id, LONG_AGO)]
    )
    await scene.service.people.create_person(INTERNAL, "Jonas Weber", user_id="jonas@example")
    turns = [
        Turn(SECRET, scene.ben.id, event_time=scene.minutes(0)),
        Turn(ECHO, None, event_time=scene.minutes(1)),
        Turn("I like tea.", scene.ben.id, event_time=scene.minutes(2)),
    ]
    await scene.service.recorder.record(scene.viewer(), chat.id, turns, scene.atlas.id)
    await learn()
    await scene.service.sessions.close(Viewer(scene.ben.id, chat.id), chat.id, scene.atlas.id)
    await learn()
    return chat


async def told(scene: Scene, viewer: Viewer) -> str:
    """All that a viewer finds about Jonas and Brightwater, as one text; outside chats also by export and over MCP."""
    service, query, key = scene.service, "Is Jonas Weber leaving Brightwater?", "person:jonas_weber"
    parts: list[object] = [
        await service.search.search(viewer, query, first=20),
        await service.contexts.context(viewer, query),
        await service.cards.cards(viewer, [key, "organization:brightwater"]),
        await service.browsing.memories_about(viewer, query=query),
    ]
    if viewer.chat_id is not None:
        return "\n".join(map(repr, parts)).replace(query, "")
    parts.append((await service.person_export.export(viewer, viewer.person_id))["memories"])
    async with Client(make_server(service, lambda _: viewer)) as agent:
        for tool, arguments in (
            ("search_memory", {"query": query}),
            ("get_context", {"query": query}),
            ("get_entity_info", {"entity": key}),
        ):
            parts.append((await agent.call_tool(tool, arguments)).content)
    return "\n".join(map(repr, parts)).replace(query, "")


async def test_what_is_told_in_confidence_is_its_owners_alone(scene: Scene, raw: Any, confided: Chat) -> None:
    """A turn told in confidence, its answer and the facts found in them are sensitive and not portable. Maya and
    Jonas do not find them, and nobody does in a group.
    """
    kept = await raw(KEPT)
    assert {True, False} == {each["turn"] for each in kept}
    for each in kept:
        assert (False, "sensitive", True) == (each["portable"], each["sensitivity"], each["confided"])
        assert each["about"] in ([], [scene.ben.id])
    ids = [each["id"] for each in kept]
    jonas = (await scene.service.people.called(scene.viewer(), "Jonas Weber")).id
    for viewer in (
        Viewer(scene.maya.id),
        Viewer(scene.maya.id, scene.private.id),
        Viewer(scene.maya.id, scene.group.id),
        Viewer(scene.ben.id, scene.group.id),
        Viewer(jonas),
    ):
        found = await told(scene, viewer)
        assert not [word for word in ("works at Brightwater", "keep quiet", *ids) if word in found], viewer
        if viewer.person_id != scene.ben.id:
            assert {} == await scene.service.browsing.memories(viewer, ids)
    everything = await scene.service.person_export.export_everything(jonas)
    assert [] == everything["memories"]


async def test_its_owner_finds_what_they_told_in_confidence(scene: Scene, raw: Any, confided: Chat) -> None:
    """The owner finds what they told in confidence, in that chat and outside chats."""
    ids = [each["id"] for each in await raw(KEPT)]
    for chat in (None, confided.id):
        viewer = Viewer(scene.ben.id, chat, scene.atlas.id)
        assert set(ids) == set(await scene.service.browsing.memories(viewer, ids))
        assert "works at Brightwater" in await told(scene, viewer)


async def test_what_is_kept_from_somebody_makes_no_fact_in_a_group(
    scene: Scene, raw: Any, learn: Callable[[], Awaitable[int]]
) -> None:
    """No fact is extracted from a turn in a group that is to be kept from somebody; from another turn one is."""
    await scene.say("I work at Brightwater, but don't tell Maya.", by=scene.ben, at=scene.minutes(0))
    await scene.say("I live in Graz.", by=scene.ben, at=scene.minutes(1))
    await learn()
    await scene.service.sessions.close(scene.viewer(), scene.group.id)
    await learn()
    facts = await raw("MATCH (m:Semantic) WHERE NOT m:Summary RETURN m.content AS content")
    assert ["Ben lives in Graz"] == [row["content"] for row in facts]


async def test_what_is_kept_from_somebody_in_a_group_stays_among_those_who_were_there(scene: Scene, drain) -> None:
    """Whoever joins a group later reads neither a turn that is to be kept from somebody nor the answer to it, but
    other turns. Those who were there read all.
    """
    zoe = await scene.service.people.create_person(INTERNAL, "Zoe")
    secret, answer, rest = "I bought Zoe a kayak, not a word to Zoe!", "A kayak for Zoe, noted.", "It rains in Graz."
    turns = [
        Turn(secret, scene.ben.id, event_time=scene.minutes(0)),
        Turn(answer, None, event_time=scene.minutes(1)),
        Turn(rest, scene.ben.id, event_time=scene.minutes(2)),
    ]
    await scene.service.recorder.record(scene.viewer(), scene.group.id, turns, scene.atlas.id)
    await drain()
    await scene.service.people.join_chat(scene.viewer(), scene.group.id, zoe.id)

    async def read(person_id: str) -> set[str]:
        """Returns the contents that a person lists and finds in the group."""
        viewer = Viewer(person_id, scene.group.id)
        listed = await scene.service.browsing.chat_memories(viewer, scene.group.id)
        found = await scene.service.search.search(viewer, "Who got a kayak?")
        return {each.item.content for each in listed.items} | {each.memory.content for each in found.results}

    assert {secret, answer, rest} == await read(scene.maya.id) == await read(scene.ben.id)
    assert {rest} == await read(zoe.id)


@pytest.mark.parametrize("in_group", [True, False])
async def test_what_is_remembered_and_kept_from_somebody_is_ones_own(scene: Scene, in_group: bool) -> None:
    """A stored fact that is to be kept from somebody is seen by its owner alone, outside groups, whatever its labels
    and the chat where it was told. For a group it is refused.
    """
    chat = scene.group if in_group else None
    labels = {"sensitivity": Sensitivity.PUBLIC, "portable": True}
    fact = Fact("Brightwater lets Maya go; don't tell Maya", about=(scene.maya.key,), aspect="job", **labels)
    made = await remember(scene, scene.ben, fact, chat)
    for viewer in (
        Viewer(scene.maya.id),
        Viewer(scene.maya.id, scene.group.id),
        Viewer(scene.ben.id, scene.group.id),
    ):
        assert "lets Maya go" not in await told(scene, viewer)
        if viewer.person_id != scene.ben.id:
            assert {} == await scene.service.browsing.memories(viewer, [made])
    assert {made} == set(await scene.service.browsing.memories(Viewer(scene.ben.id), [made]))
    with pytest.raises(InvalidInput):
        await scene.service.facts.remember(Viewer(scene.ben.id, scene.group.id), [fact], for_chat=True)


async def test_what_is_kept_from_somebody_ends_nothing_they_know_of(scene: Scene, raw: Any) -> None:
    """A new value of a fact that is told in confidence does not end the previous one, which others know."""
    before = await remember(scene, scene.ben, Fact("Works at Brightwater", aspect="works_at"))
    await remember(scene, scene.ben, Fact("Works at Lindenhof, between us", aspect="works_at"))
    [row] = await raw("MATCH (m:Memory {id: $id}) RETURN m.ended_at.year AS year", id=before)
    assert row["year"] == 9999


async def test_ones_own_word_in_confidence_stands_in_the_place_of_hearsay(
    scene: Scene, raw: Any, learn: Callable[[], Awaitable[int]]
) -> None:
    """What a person says of themselves in confidence replaces hearsay only for them in private. Others and their
    group still get the hearsay.
    """
    await scene.say("Maya likes sushi.", by=scene.ben, at=scene.minutes(0))
    await learn()
    await scene.say("I can't stand sushi, but don't tell Ben.", chat=scene.private, at=scene.minutes(1))
    await learn()
    rows = await raw("MATCH (m:Semantic) WHERE NOT m:Summary RETURN m.content AS content, m.id AS id")
    ids = {row["content"]: row["id"] for row in rows}
    hearsay, own = ids["Ben says that Maya likes sushi"], ids["Maya dislikes sushi"]
    seen = [
        set(await scene.service.browsing.memories(viewer, [hearsay, own]))
        for viewer in (Viewer(scene.maya.id), Viewer(scene.ben.id), Viewer(scene.ben.id, scene.group.id))
    ]
    assert [{own}, {hearsay}, {hearsay}] == seen
    page = await scene.service.search.search(Viewer(scene.maya.id, scene.group.id), "Does Maya like sushi?")
    assert hearsay in {result.memory.id for result in page.results}
    assert own not in {result.memory.id for result in page.results}


async def test_an_end_that_is_told_in_confidence_ends_nothing_they_know_of(
    scene: Scene, raw: Any, learn: Callable[[], Awaitable[int]]
) -> None:
    """A retraction told in confidence does not end the fact, which others still believe."""
    said = ("I work at Brightwater.", "I no longer work at Brightwater, but don't tell Ben.")
    for minute, words in enumerate(said):
        await scene.say(words, chat=scene.private, at=scene.minutes(minute))
        await learn()
    ended = "MATCH (m:Memory {content: 'Maya works at Brightwater'}) RETURN m.ended_at.year AS year"
    assert [{"year": 9999}] == await raw(ended)
