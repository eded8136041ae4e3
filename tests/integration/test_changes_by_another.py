"""Changes of another person's facts: a correction is a statement of the person who makes it (P6, W6)."""

from typing import Any

import pytest

from hippograph.api.graphql.nodes import global_id
from hippograph.graph.errors import NotAllowed
from hippograph.graph.ids import token
from hippograph.graph.model import Viewer
from hippograph.graph.writing.fact import Fact

LIVES = {"aspect": "lives_in"}
STORED = """
MATCH (m:Memory {id: $id}) OPTIONAL MATCH (m)-[:STATED_BY]->(speaker)
RETURN m {.*} AS memory, collect(speaker.id) AS stated_by
"""


async def tell(scene: Any, who: Any, content: str, *, about: tuple[str, ...] = (), **more: Any) -> str:
    """Stores a fact of the group that `who` states; returns the id of its memory."""
    [stored] = await scene.service.facts.remember(
        scene.viewer(who), [Fact(content, about=about, **more)], for_chat=True
    )
    return str(stored.memory_id)


async def stored(raw: Any, memory_id: str) -> dict[str, Any]:
    """Returns the properties of a memory, and the ids of those who stated it."""
    [row] = await raw(STORED, id=memory_id)
    return {**row["memory"], "stated_by": row["stated_by"]}


async def seen(scene: Any, who: Any) -> dict[str, str | None]:
    """Returns the facts that somebody sees in the group: the name of the speaker of each, by its content."""
    page = await scene.service.browsing.chat_memories(scene.viewer(who), scene.group.id, first=50)
    return {listed.item.content: listed.item.speaker_name for listed in page.items}


@pytest.mark.parametrize("more", [{}, LIVES])
async def test_what_somebody_said_of_themselves_stays_beside_its_correction(scene, raw, more: dict[str, str]) -> None:
    """A correction of what somebody said of themselves is hearsay of the person who makes it. Both facts stay valid,
    and contradict each other.
    """
    bens = await tell(scene, scene.ben, "Ben lives in Graz", about=(scene.ben.key,), **more)
    key = (await stored(raw, bens))["live_key"]
    mayas = await scene.service.facts.correct(scene.viewer(scene.maya), bens, "Ben lives in Oslo")
    for who in (scene.maya, scene.ben):
        assert {"Ben lives in Graz": "Ben Okafor", "Ben lives in Oslo": "Maya Lindqvist"} == await seen(scene, who)
    made, kept = await stored(raw, mayas), await stored(raw, bens)
    assert [scene.maya.id] == made["stated_by"]
    assert ("self", scene.maya.id, key) == (kept["authority"], made["authority"], kept.get("live_key"))
    told = await scene.service.explaining.explain(scene.viewer(scene.ben), bens)
    assert ["Ben lives in Oslo"] == [step.content for step in told.contradictions]
    assert [] == await scene.service.doctor.examine()


async def test_what_somebody_said_later_of_themselves_ends_such_a_correction(scene) -> None:
    """A later statement of the subject replaces such a correction, like any other hearsay."""
    bens = await tell(scene, scene.ben, "Ben lives in Graz", about=(scene.ben.key,), **LIVES)
    await scene.service.facts.correct(scene.viewer(scene.maya), bens, "Ben lives in Oslo")
    await tell(scene, scene.ben, "Ben lives in Bergen", about=(scene.ben.key,), **LIVES)
    assert {"Ben lives in Bergen": "Ben Okafor"} == await seen(scene, scene.maya)


async def test_hearsay_of_another_is_corrected_in_ones_own_name(scene, raw, drain) -> None:
    """A correction of another's hearsay replaces it and has the person who makes it as speaker. Importance and pin are
    not taken over.
    """
    bens = await tell(scene, scene.ben, "The bakery closes in May", importance=3)
    await scene.service.facts.pin(scene.viewer(scene.ben), bens)
    mayas = await scene.service.facts.correct(scene.viewer(scene.maya), bens, "The bakery closes in June")
    assert {"The bakery closes in June": "Maya Lindqvist"} == await seen(scene, scene.ben)
    made = await stored(raw, mayas)
    assert (1, None, [scene.maya.id]) == (made["importance"], made.get("pinned"), made["stated_by"])
    assert token("speaker", scene.maya.id) in made["facets"]
    assert token("speaker", scene.ben.id) not in made["facets"]
    await drain()
    [step] = [
        step
        for step in (await scene.service.explaining.explain(scene.viewer(scene.ben), mayas)).chain
        if step.retired_at
    ]
    assert ("The bakery closes in May", "corrected") == (step.content, step.retired_by)
    assert [] == await scene.service.doctor.examine()


async def test_who_corrects_what_is_said_of_them_has_the_word(scene, raw) -> None:
    """A correction by the subject is their own word, and replaces everything that others say of the matter."""
    await tell(scene, scene.service.local_user, "Ben lives in Rome", about=(scene.ben.key,), **LIVES)
    mayas = await tell(scene, scene.maya, "Ben lives in Graz", about=(scene.ben.key,), **LIVES)
    bens = await scene.service.facts.correct(scene.viewer(scene.ben), mayas, "Ben lives in Oslo")
    assert {"Ben lives in Oslo": "Ben Okafor"} == await seen(scene, scene.maya)
    made = await stored(raw, bens)
    assert ("self", "profile") == (made["authority"], made["category"])


async def test_a_correction_takes_its_place_in_what_one_said_before(scene, raw) -> None:
    """A correction also replaces an earlier fact of the person who makes it on the same matter, since one value of a
    speaker holds at a time (W5).
    """
    await tell(scene, scene.maya, "Ben lives in Rome", about=(scene.ben.key,), **LIVES)
    mine = await tell(scene, scene.service.local_user, "Ben lives in Graz", about=(scene.ben.key,), **LIVES)
    await scene.service.facts.correct(scene.viewer(scene.maya), mine, "Ben lives in Oslo")
    assert {"Ben lives in Oslo": "Maya Lindqvist"} == await seen(scene, scene.ben)
    assert 0 == await count_stale(raw)


async def count_stale(raw: Any) -> int:
    """Returns the number of `ABOUT` relationships whose copy of the end of their memory is outdated."""
    [row] = await raw("MATCH (m:Memory)-[r:ABOUT]->(:Person) WHERE r.valid_until <> m.valid_until RETURN count(*) AS n")
    return int(row["n"])


async def test_a_persona_and_ones_own_are_corrected_as_before(scene, raw) -> None:
    """A correction of a persona's fact, or of one's own, keeps the speaker of the fact."""
    [told] = await scene.service.facts.remember(Viewer(scene.maya.id), [Fact("I live in Graz")])
    personas = await tell(scene, scene.ben, "Graz is in Austria")
    await raw("MATCH (m:Memory {id: $id}) SET m.speaker_id = $atlas", id=personas, atlas=scene.atlas.id)
    for memory_id, viewer in ((told.memory_id, Viewer(scene.maya.id)), (personas, scene.viewer(scene.maya))):
        made = await stored(raw, await scene.service.facts.correct(viewer, memory_id, "Graz lies in Styria"))
        before = await stored(raw, memory_id)
        assert (before["speaker_id"], "corrected") == (made["speaker_id"], before["retired_by"])


async def test_the_words_of_another_are_not_reworded(scene, ask) -> None:
    """Another person may not reword a fact, and the error refers to `correctFact`. They may change its tags; the
    speaker may reword it.
    """
    bens = await tell(scene, scene.ben, "The bakery closes in May")
    facts, maya = scene.service.facts, scene.viewer(scene.maya)
    with pytest.raises(NotAllowed, match="correctFact"):
        await facts.update(maya, bens, "The bakery closes in June")
    await facts.update(maya, bens, tags=["bread"])
    await facts.update(scene.viewer(scene.ben), bens, "The bakery closes in July")
    assert {"The bakery closes in July": "Ben Okafor"} == await seen(scene, scene.maya)
    answer = await ask(
        'mutation Update($id: ID!) { updateMemory(input: {memoryId: $id, content: "No"}) '
        "{ __typename ... on NotAllowedError { message } } }",
        id=global_id("Memory", bens),
    )
    assert "NotAllowedError" == answer["data"]["updateMemory"]["__typename"]
    assert "correctFact" in answer["data"]["updateMemory"]["message"]


async def test_what_was_found_in_anothers_talk_is_corrected_in_ones_own_name(scene, learn, raw) -> None:
    """A fact that was extracted from Maya's turn stays when Ben corrects it. His correction is his own, with the source
    `agent` and the same turn as evidence.
    """
    await scene.say("I live in Graz.", at=scene.minutes(0))
    await learn()
    [found] = await raw("MATCH (m:Semantic) RETURN m.id AS id, m.speaker_id AS speaker")
    made = await scene.service.facts.correct(scene.viewer(scene.ben), found["id"], "Maya lives in Oslo")
    assert {"Maya lives in Graz": "Maya Lindqvist", "Maya lives in Oslo": "Ben Okafor"} == {
        words: name for words, name in (await seen(scene, scene.maya)).items() if words.startswith("Maya")
    }
    told = await scene.service.explaining.explain(scene.viewer(scene.ben), made)
    assert ["I live in Graz."] == [step.content for step in told.sources]
    assert "agent" == (await stored(raw, made))["source"]


async def test_what_was_imported_can_be_corrected(scene, raw) -> None:
    """An imported fact can be corrected, although its idempotency key is unique: the key stays with the original."""
    [told] = await scene.service.facts.remember(
        Viewer(scene.maya.id), [Fact("I live in Graz", idempotency_key="file 1")]
    )
    made = await scene.service.facts.correct(Viewer(scene.maya.id), told.memory_id, "I live in Oslo")
    assert "I live in Oslo" == (await stored(raw, made))["content"]
