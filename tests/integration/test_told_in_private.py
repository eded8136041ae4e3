"""What somebody tells in private of others stays with them, unless they say otherwise (P1)."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import pytest

from graph.model import INTERNAL, Chat, ChatKind, Person, Viewer
from graph.people.people import Member
from graph.writing.fact import Fact
from tests.integration.conftest import LONG_AGO, Scene

TOLD = "Ben Okafor was diagnosed with diabetes"
LABELS = "MATCH (m:Memory {id: $id}) RETURN m.portable AS portable, m.inferred_labels AS guessed"


@dataclass(frozen=True, slots=True)
class Found:
    """All that somebody is given on some matter, from where they stand, as one text."""

    text: str

    @classmethod
    async def by(cls, scene: Scene, person: Person, *, chat: Chat | None = None, query: str, key: str) -> "Found":
        """Search, context, card, list, counts and export."""
        service, viewer = scene.service, Viewer(person.id, chat.id if chat else None)
        found = await service.search.search(viewer, query, first=20)
        told = await service.contexts.context(viewer, query)
        cards = await service.cards.cards(viewer, [key])
        about = await service.browsing.memories_about(viewer, query=query + " " + key.partition(":")[2])
        export = await service.person_export.export(Viewer(person.id), person.id)
        parts = [found, told, cards, about, export["memories"]]
        return cls("\n".join(map(repr, parts)))


async def portable(raw: Any, memory_id: str) -> bool:
    """Whether a memory is of use where it was not said."""
    [row] = await raw(LABELS, id=memory_id)
    return bool(row["portable"])


async def remember(scene: Scene, person: Person, fact: Fact, chat: Chat | None = None) -> str:
    """The memory of a fact that somebody remembers."""
    viewer = Viewer(person.id, chat.id if chat else None)
    [stored] = await scene.service.facts.remember(viewer, [fact])
    return stored.memory_id


@pytest.mark.parametrize("in_chat", [True, False], ids=["in the private chat", "outside of chats"])
async def test_what_is_remembered_in_private_of_another_stays(scene: Scene, raw: Any, in_chat: bool) -> None:
    """Ben takes part in chats: what Maya tells her assistant of him is hers alone."""
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
    """So does what is found in a private chat; what is found in a group is of use elsewhere."""
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
    """At once or later; what is said in a group or of oneself is portable as ever."""
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
    """Somebody of whom only Maya speaks, in private; and what she remembers of him."""
    await scene.say("Tom Becker came to dinner.", chat=scene.private)
    await learn()
    [row] = await raw("MATCH (p:Person {key: 'person:tom_becker'}) RETURN p.id AS id")
    fact = await remember(scene, scene.maya, Fact("Tom drinks", about=(row["id"],)), scene.private)
    assert await portable(raw, fact)
    return row["id"], fact


async def test_who_gets_an_account_later_is_told_nothing_either(scene: Scene, raw: Any, tom: tuple[str, str]) -> None:
    """Nor who is taken into a chat."""
    person, fact = tom
    await scene.service.people.create_person(INTERNAL, "Tom Becker", user_id="tom@example", person_id=person)
    assert not await portable(raw, fact)


async def test_who_joins_a_chat_later_is_told_nothing_either(scene: Scene, raw: Any, tom: tuple[str, str]) -> None:
    """Whoever lets them take part."""
    person, fact = tom
    await scene.service.people.join_chat(scene.viewer(), scene.group.id, person)
    assert not await portable(raw, fact)


async def test_who_begins_a_chat_later_is_told_nothing_either(scene: Scene, raw: Any, tom: tuple[str, str]) -> None:
    """As its first member too."""
    person, fact = tom
    await scene.service.people.create_chat(INTERNAL, ChatKind.PRIVATE, "Tom", [Member(person, LONG_AGO)])
    assert not await portable(raw, fact)


async def test_who_turns_out_to_be_somebody_with_an_account_is_told_nothing(
    scene: Scene, raw: Any, tom: tuple[str, str]
) -> None:
    """A merge keeps it from them, and taken back leaves it as it was."""
    person, fact = tom
    real = await scene.service.people.create_person(INTERNAL, "Thomas Becker", user_id="tom@example")
    merged = await scene.service.merging.merge(scene.viewer(scene.maya), real.id, person)
    assert not await portable(raw, fact)
    await scene.service.merging.unmerge(scene.viewer(scene.maya), merged.merge_id)
    [row] = await raw(LABELS, id=fact)
    assert {"portable": True, "guessed": []} == row
    assert [] == [found for found in await scene.service.doctor.examine() if "waited" not in found.what]
