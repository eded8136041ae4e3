from typing import Any

import pytest

from hippograph.api.graphql.nodes import global_id
from hippograph.graph.errors import NotAllowed, NotFound
from hippograph.graph.model import Sensitivity, Viewer
from hippograph.graph.retrieval.search import Search
from hippograph.graph.writing.recording import Turn

SECRET = "I was diagnosed with diabetes in March."
SET = """
mutation Set($id: ID!, $to: Sensitivity!) {
  setSensitivity(input: {memoryId: $id, sensitivity: $to}) {
    __typename
    ... on AccessLabelsPayload { memory { sensitivity inferredLabels } }
    ... on Error { message }
  }
}
"""


async def found(scene: Any, viewer: Viewer, words: str) -> list[str]:
    """The texts that a search finds."""
    search: Search = scene.service.search
    return [result.memory.content for result in (await search.search(viewer, words)).results]


async def about(raw: Any, memory_id: str, person_id: str) -> None:
    """Links a memory to the person it is about, as extraction does; the next write puts labels on the link."""
    await raw(
        "MATCH (m:Memory {id: $memory}), (p:Person {id: $person}) CREATE (m)-[:ABOUT {primary: true}]->(p)",
        memory=memory_id,
        person=person_id,
    )


async def labels(raw: Any, memory_id: str) -> dict[str, Any]:
    """The properties of the link to the person a memory is about, which is an index entry."""
    [row] = await raw("MATCH (:Memory {id: $id})-[r:ABOUT]->() RETURN r {.*} AS labels", id=memory_id)
    return dict(row["labels"])


# --- guesses ---


async def test_what_sounds_private_is_kept_private_from_the_first_moment(scene, ask) -> None:
    """A turn that sounds private is guessed to be sensitive when it is recorded. The label is marked as inferred, and
    keeps the turn out of searches in groups.
    """
    stored = await scene.say(SECRET, chat=scene.private)
    memory = (await scene.service.browsing.memories(Viewer(scene.maya.id), [stored.memory_id]))[stored.memory_id]
    assert (Sensitivity.SENSITIVE, ("sensitivity",)) == (memory.sensitivity, memory.inferred_labels)
    assert [SECRET] == await found(scene, Viewer(scene.maya.id), "diabetes")
    assert [] == await found(scene, Viewer(scene.maya.id, scene.group.id), "diabetes")


async def test_a_guess_is_corrected_by_whom_it_concerns(scene, ask) -> None:
    """The speaker can set a lower sensitivity than the guess. The label is then no longer marked as inferred, and the
    turn is found in groups.
    """
    stored = await scene.say("My allergy to long meetings acts up.", chat=scene.private, by=scene.maya)
    await scene.service.labels.set_sensitivity(Viewer(scene.maya.id), stored.memory_id, Sensitivity.PUBLIC)
    memory = (await scene.service.browsing.memories(Viewer(scene.maya.id), [stored.memory_id]))[stored.memory_id]
    assert (Sensitivity.PUBLIC, ()) == (memory.sensitivity, memory.inferred_labels)
    assert ["My allergy to long meetings acts up."] == await found(
        scene, Viewer(scene.maya.id, scene.group.id), "meetings"
    )


async def test_the_assistants_words_in_a_group_are_not_guessed(scene) -> None:
    """The sensitivity of the assistant's turns in a group is not guessed, since they have no owner and a guess would
    hide them from everybody. That of people's turns there is.
    """
    turns = [Turn("Is your diabetes better, Maya?", None), Turn(SECRET, scene.maya.id)]
    both = await scene.service.recorder.record(scene.viewer(), scene.group.id, turns, scene.atlas.id)
    memories = await scene.service.browsing.memories(scene.viewer(), [stored.memory_id for stored in both])
    assert [Sensitivity.PUBLIC, Sensitivity.SENSITIVE] == [memories[s.memory_id].sensitivity for s in both]


# --- who may set them ---


async def test_marks_through_graphql(ask, scene) -> None:
    """`setSensitivity` labels the viewer's own turn and refuses another person's. For a hidden and a missing memory the
    error is the same.
    """
    own = await scene.say("I have a red bicycle.", by=scene.service.local_user)
    answer = (await ask(SET, id=global_id("Memory", own.memory_id), to="PERSONAL"))["data"]["setSensitivity"]
    assert {"sensitivity": "PERSONAL", "inferredLabels": []} == answer["memory"]
    hers = await scene.say("I have a blue bicycle.")
    answer = (await ask(SET, id=global_id("Memory", hers.memory_id), to="PUBLIC"))["data"]["setSensitivity"]
    assert "NotAllowedError" == answer["__typename"]
    hidden = (await scene.say("I have a bicycle at home.", chat=scene.private)).memory_id
    for memory_id in (hidden, hidden[::-1].replace(hidden[-1], "7")[:31] + "7"):
        answer = (await ask(SET, id=global_id("Memory", memory_id), to="PUBLIC"))["data"]["setSensitivity"]
        assert ("NotFoundError", f"there is no memory {memory_id}") == (answer["__typename"], answer["message"])


async def test_a_subject_may_set_labels(scene, raw) -> None:
    """The subject of a memory may set its labels; a person who only took part in the chat may not."""
    stored = await scene.say("Ben has a new job in Graz.")
    await about(raw, stored.memory_id, scene.ben.id)
    set_portable = scene.service.labels.set_portable
    with pytest.raises(NotAllowed):
        await set_portable(Viewer(scene.me, scene.group.id), stored.memory_id, False)
    await set_portable(Viewer(scene.ben.id), stored.memory_id, False)
    assert False is (await labels(raw, stored.memory_id))["portable"]


# --- the index entries ---


async def test_a_mark_moves_with_its_index_entries(scene, raw, drain) -> None:
    """A new label is on all index entries of a memory, the link to its subject included, when the write returns. Once
    the subject has left the group, the sensitive memory is not found there.
    """
    stored = await scene.say("Ben keeps bees on the roof.")
    await about(raw, stored.memory_id, scene.ben.id)
    await drain()
    before = await labels(raw, stored.memory_id)
    assert ("public", True, scene.ben.id) == (before["sensitivity"], before["portable"], before["person_id"])
    assert 384 == len(before["embedding_a"])
    await scene.service.labels.set_sensitivity(Viewer(scene.maya.id), stored.memory_id, Sensitivity.SENSITIVE)
    assert "sensitive" == (await labels(raw, stored.memory_id))["sensitivity"]
    await scene.service.people.leave_chat(scene.viewer(), scene.group.id, scene.ben.id)
    assert [] == await found(scene, scene.viewer(), "bees on the roof")
    assert [] == await scene.service.doctor.examine()


async def test_the_doctor_finds_marks_that_stayed_behind(scene, raw, drain) -> None:
    """The doctor reports a memory whose index entry has other labels than the memory."""
    stored = await scene.say("Ben keeps bees on the roof.")
    await about(raw, stored.memory_id, scene.ben.id)
    await drain()
    await raw("MATCH (m:Memory {id: $id}) SET m.sensitivity = 'personal'", id=stored.memory_id)
    [finding] = await scene.service.doctor.examine()
    assert (1, (stored.memory_id,)) == (finding.count, finding.examples)


# --- what is known about somebody ---


async def test_what_is_known_about_somebody_whoever_told_it(ask, scene, raw, drain) -> None:
    """`memories_about` returns the portable memories of all owners about the people named by id or query, newest first;
    `left_out` leaves out those of one owner.
    """
    mine = await scene.say("Ben likes rye bread.", at=scene.minutes(0))
    hers = await scene.say("Ben bakes on Sundays.", chat=scene.private, at=scene.minutes(1))
    bound = await scene.say("Ben is presenting next.", at=scene.minutes(2))
    for stored in (mine, hers, bound):
        await about(raw, stored.memory_id, scene.ben.id)
    await drain()
    read = scene.service.browsing.memories_about
    maya, ben = Viewer(scene.maya.id), Viewer(scene.ben.id)

    async def told(viewer: Viewer, **more: Any) -> list[str]:
        return [listed.item.content for listed in (await read(viewer, **more)).items]

    assert ["Ben bakes on Sundays.", "Ben likes rye bread."] == await told(ben, query="What does @ben do?")
    assert ["Ben bakes on Sundays.", "Ben likes rye bread."] == await told(maya, person_ids=[scene.ben.id])
    assert ["Ben likes rye bread."] == await told(maya, query="ben okafor?", left_out=scene.maya.id)
    assert [] == await told(maya, query="and what about nobody?")
    with pytest.raises(NotFound):
        await told(Viewer(scene.ben.id, scene.private.id), person_ids=[scene.ben.id])
    document = "query Q($who: [ID!]!) { memoriesAbout(personIds: $who) { nodes { content } } }"
    answer = await ask(document, who=[global_id("Person", scene.ben.id)])
    assert [{"content": "Ben likes rye bread."}] == answer["data"]["memoriesAbout"]["nodes"]


CARD = """
query Card($key: String!, $chat: ID) {
  entityCard(key: $key, chatId: $chat) { mentions text facts { content } entity { key } }
}
"""


async def test_a_card_holds_what_the_viewer_may_see(ask, scene, raw, drain) -> None:
    """A card counts and shows only memories that the viewer may see: pinned ones first, then by importance."""
    said = [
        await scene.say(text)
        for text in ("Ben lives in Graz.", "She moved to Graz.", "They work in Graz.", "He was born in Graz.")
    ]
    await scene.say("I secretly moved away from Graz.", chat=scene.private)
    await drain()
    await raw("MATCH (m:Memory {id: $id}) SET m.importance = 2", id=said[0].memory_id)
    await raw("MATCH (m:Memory {id: $id}) SET m.importance = 3", id=said[1].memory_id)
    pin = "MATCH (m:Memory {id: $id}) SET m.pinned = true, m.pinned_by = [$me]"
    await raw(pin, id=said[2].memory_id, me=scene.me)
    card = (await ask(CARD, key="place:graz", chat=global_id("Chat", scene.group.id)))["data"]["entityCard"]
    facts = ["They work in Graz.", "She moved to Graz.", "Ben lives in Graz."]
    told = "; ".join(f"Maya Lindqvist says: {fact}" for fact in facts)
    assert (4, f"[place:graz]: {told}", facts) == (
        card["mentions"],
        card["text"],
        [fact["content"] for fact in card["facts"]],
    )
    alone = (await ask(CARD, key="place:graz"))["data"]["entityCard"]
    assert (0, [], "") == (alone["mentions"], alone["facts"], alone["text"])
    assert {"data": {"entityCard": None}} == {"data": (await ask(CARD, key="place:nowhere"))["data"]}
