"""A name that people give themselves does not give them what others tell of somebody with that name (P6, W7)."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from hippograph.graph.errors import Conflict, NotAllowed, NotFound
from hippograph.graph.model import INTERNAL, Chat, ChatKind, EntityType, Person, Viewer
from hippograph.graph.people.people import Member
from hippograph.graph.rights import ALL_RIGHTS
from hippograph.graph.writing.dialogue_file import DialogueFile, FileDialogue, FilePerson, FileTurn
from hippograph.graph.writing.fact import Fact
from tests.integration.conftest import LONG_AGO, Scene

Learn = Callable[[], Awaitable[int]]
LINKED = """
MATCH (p:Person {id: $id})<-[:ABOUT|MENTIONS]-(m:Memory)
RETURN DISTINCT m.content AS content ORDER BY content
"""
LIKELY = "MATCH (a)-[:MAY_BE]->(b) RETURN a.canonical_name AS name, b.id AS id"
TOLD = ["Bob Smith was diagnosed with diabetes.", "Bob Smith earns 90,000 a year."]


@pytest.fixture
async def mallory(scene: Scene) -> Person:
    """A person with an account who gave herself another's name and made a group with Maya, who never wrote there."""
    people = scene.service.people
    person = await people.create_person(INTERNAL, "Bob Smith", user_id="mallory@example", self_given=True)
    await together(scene, person)
    return person


async def together(scene: Scene, person: Person) -> Chat:
    """Creates a group of a person and Maya, on behalf of that person."""
    members = [Member(person.id), Member(scene.maya.id)]
    return await scene.service.people.create_chat(Viewer(person.id), ChatKind.GROUP, "Us", members)


async def tell(scene: Scene, learn: Learn, *told: str) -> None:
    """Maya tells her assistant these texts (default: `TOLD`) in private; after each one, all that waits is learned."""
    for minute, text in enumerate(told or TOLD):
        await scene.say(text, chat=scene.private, at=scene.minutes(minute))
        await learn()


async def linked(raw: Any, person: Person) -> list[str]:
    """Returns the contents of the memories that are about a person or mention them."""
    return [row["content"] for row in await raw(LINKED, id=person.id)]


async def test_a_name_of_ones_own_draws_nothing(scene: Scene, mallory: Person, learn: Learn, raw: Any) -> None:
    """A self-given name is linked to neither turns nor facts of others, and a search finds her none of them. A merge is
    suggested for review.
    """
    await tell(scene, learn)
    await scene.service.facts.remember(Viewer(scene.maya.id), [Fact("Bob Smith drinks")])
    await learn()
    assert [] == await linked(raw, mallory)
    assert {"Bob Smith": mallory.id}.items() <= {row["name"]: row["id"] for row in await raw(LIKELY)}.items()
    found = await scene.service.search.search(Viewer(mallory.id), "What about Bob Smith?", first=20)
    assert [] == [result.memory.content for result in found.results]


async def test_an_alias_of_ones_own_draws_nothing(scene: Scene, learn: Learn, raw: Any) -> None:
    """A self-given alias is not linked, even if the person was mentioned by their other name before."""
    people = scene.service.people
    mal = await people.create_person(INTERNAL, "Malvina Crowe", user_id="mal@example")
    await people.add_alias(Viewer(mal.id), mal.id, "Bob Smith")
    await tell(scene, learn, "Malvina Crowe sings.", *TOLD)
    assert not [text for text in await linked(raw, mal) if "Bob" in text]


async def test_a_free_username_draws_nothing(scene: Scene, mallory: Person, learn: Learn, raw: Any) -> None:
    """A username that Mallory gives to a person whom she created is linked neither to that person nor, after the merge,
    to her. A speaker in an imported file who has it is not taken for her.
    """
    service, viewer = scene.service, Viewer(mallory.id)
    made = await service.people.create_person(viewer, "Robert", usernames=["bob"])
    await tell(scene, learn, "Ask @bob about the diagnosis.")
    assert [] == await linked(raw, made)
    await service.merging.merge(viewer, mallory.id, made.id)
    await tell(scene, learn, "Ask @bob about the boat.")
    assert [] == await linked(raw, mallory)
    turns = [FileTurn("1", "Bob", "I was diagnosed with diabetes.", scene.minutes(0))]
    file = DialogueFile([FileDialogue("1", turns)], people=[FilePerson("Bob", username="bob")])
    await service.importer.run(scene.viewer(), "old", file)
    assert [] == await raw("MATCH (:Person {id: $id})<-[:STATED_BY]-(m) RETURN m.content", id=mallory.id)


async def test_who_wrote_in_a_chat_with_them_means_them(scene: Scene, mallory: Person, learn: Learn, raw: Any) -> None:
    """A self-given name is linked to its bearer for a speaker who wrote in a chat with them, and not for one who only
    takes part.
    """
    chat = await together(scene, mallory)
    await tell(scene, learn, TOLD[0])
    assert [] == await linked(raw, mallory)
    await scene.say("Hello!", chat=chat, at=scene.minutes(10))
    await scene.say("Bob Smith brought a cake.", chat=chat, at=scene.minutes(11))
    await learn()
    assert [] != await linked(raw, mallory)


async def test_who_joins_after_somebody_wrote_is_not_known_to_them(scene: Scene, learn: Learn, raw: Any) -> None:
    """A self-given name is not linked for a speaker who wrote in a group only before its bearer was invited there."""
    people = scene.service.people
    late = await people.create_person(INTERNAL, "Bob Smith", user_id="late@example", self_given=True)
    await scene.say("Hello!", at=scene.minutes(0))
    await people.join_chat(Viewer(scene.ben.id), scene.group.id, late.id)
    await tell(scene, learn)
    assert [] == await linked(raw, late)


@pytest.mark.parametrize("wrote", [True, False])
async def test_a_vouched_name_needs_company_that_the_speaker_keeps(
    scene: Scene, learn: Learn, raw: Any, wrote: bool
) -> None:
    """A vouched name is linked if the speaker wrote in a group with its bearer. A group in which they wrote nothing
    does not count, since many people have the same name.
    """
    bob = await scene.service.people.create_person(INTERNAL, "Bob Smith", user_id="bob@example")
    chat = await together(scene, bob)
    if wrote:
        await scene.say("Hello!", chat=chat, at=scene.minutes(0))
    await tell(scene, learn)
    assert wrote is bool(await linked(raw, bob))


async def test_two_who_are_called_so_are_for_review(scene: Scene, learn: Learn, raw: Any) -> None:
    """A name that two participants share is linked to neither, in their group and in private; the shorter key decides
    nothing. Merges with both are suggested.
    """
    people = scene.service.people
    both = [await people.create_person(INTERNAL, "Bob Smith", user_id=f"{n}@example") for n in "ab"]
    for one in both:
        await people.join_chat(scene.viewer(), scene.group.id, one.id, since=LONG_AGO)
    await scene.say("Bob Smith was diagnosed with diabetes.", at=scene.minutes(0))
    await scene.say("Bob Smith works at Brightwater.", at=scene.minutes(1))
    await learn()
    await tell(scene, learn)
    assert [[], []] == [await linked(raw, one) for one in both]
    assert {one.id for one in both} <= {row["id"] for row in await raw(LIKELY)}


async def test_a_merge_carries_nothing_of_others_along(scene: Scene, mallory: Person, raw: Any) -> None:
    """Only an administrator may merge a person of whom Maya told into Mallory, even if Mallory created that person."""
    service, viewer = scene.service, Viewer(mallory.id)
    made = await service.people.create_person(viewer, "Robert Hale", usernames=["rob"])
    await service.facts.remember(Viewer(scene.maya.id), [Fact("Rob drinks", about=(made.key,))])
    with pytest.raises(NotAllowed):
        await service.merging.merge(viewer, mallory.id, made.id)
    assert [] == await linked(raw, mallory)
    await service.merging.merge(Viewer(mallory.id, rights=ALL_RIGHTS), mallory.id, made.id)
    assert ["Rob drinks"] == await linked(raw, mallory)


async def test_a_thing_becomes_nobody_with_an_account(scene: Scene, mallory: Person, learn: Learn, raw: Any) -> None:
    """A person with an account may not merge a thing into themselves: what others told of it would be about them."""
    group = await together(scene, mallory)
    await scene.say("We went to Graz by train.", chat=group, at=scene.minutes(0))
    await learn()
    with pytest.raises(NotAllowed):
        await scene.service.merging.merge(
            Viewer(mallory.id, group.id), mallory.id, "place:graz", kind=EntityType.PERSON
        )


async def test_nobody_takes_the_key_of_a_name(scene: Scene, mallory: Person) -> None:
    """The key of a self-given name has a random ending, so the guessed key `person:bob_smith` does not refer to her. A
    vouched person of that name gets this key.
    """
    assert mallory.key.startswith("person:bob_smith-")
    with pytest.raises(NotFound):
        await scene.service.facts.remember(Viewer(scene.maya.id), [Fact("Bob is ill", about=("person:bob_smith",))])
    vouched = await scene.service.people.create_person(INTERNAL, "Bob Smith")
    assert vouched.key == "person:bob_smith"
    assert vouched.id == (await scene.service.people.called(scene.viewer(), "Bob Smith")).id


async def test_a_taken_username_is_refused_as_before(scene: Scene, mallory: Person) -> None:
    """A username that somebody has is refused for another person, even if nobody vouches for the first."""
    await scene.service.people.create_person(Viewer(mallory.id), "Robert", usernames=["bob"])
    with pytest.raises(Conflict):
        await scene.service.people.create_person(INTERNAL, "Bob", usernames=["bob"])
