"""Corrections outlast later talk, and facts can be forgotten together with their sources (W5, W6, W10)."""

from typing import Any

import pytest

from hippograph.graph.model import Sensitivity, Viewer
from hippograph.graph.writing.fact import Fact

BELIEVED = """
MATCH (m:Semantic) WHERE m.retired_at.year = 9999 AND m.valid_until.year = 9999
RETURN m.content AS content, m.id AS id, m.confidence AS confidence,
       COUNT { (m)-[:DERIVED_FROM]->() } AS said ORDER BY content
"""


async def believed(raw: Any) -> dict[str, dict[str, Any]]:
    """Returns the facts that are current and have no end, by content."""
    return {row["content"]: row for row in await raw(BELIEVED)}


@pytest.mark.parametrize(
    ("correction", "in_passing"),
    [
        ("Ben works at Siemens Energy in Graz", "Ben works at Siemens."),
        ("Ben works at Bosch in Graz", "Ben works at Bosch."),
        ("Ben works at Bosch", "Ben works at Bosch."),
    ],
)
async def test_a_correction_is_not_undone_in_passing(scene, learn, raw, correction: str, in_passing: str) -> None:
    """A later turn that states all or part of a correction becomes evidence of it and raises its confidence."""
    await scene.say("Ben works at Siemens.", at=scene.minutes(0))
    await learn()
    [wrong] = (await believed(raw)).values()
    await scene.service.facts.correct(scene.viewer(scene.ben), wrong["id"], correction)
    await scene.say(in_passing, at=scene.minutes(5))
    await learn()
    [(words, now)] = (await believed(raw)).items()
    assert correction == words
    assert 2 == now["said"]
    assert now["confidence"] > wrong["confidence"]


async def test_another_value_still_changes_what_was_corrected(scene, learn, raw) -> None:
    """A later turn with another value ends a corrected fact."""
    await scene.say("Ben works at Siemens.", at=scene.minutes(0))
    await learn()
    [wrong] = (await believed(raw)).values()
    await scene.service.facts.correct(scene.viewer(scene.maya), wrong["id"], "Ben works at Bosch in Graz")
    await scene.say("Ben works at Bayer.", at=scene.minutes(5))
    await learn()
    assert ["Ben works at Bayer"] == list(await believed(raw))


CORRECT = """
mutation Correct($id: ID!) {
  correctFact(input: {memoryId: $id, content: "I work at the Bosch plant", value: "Bosch"}) {
    ... on FactPayload { memory { id content } }
  }
}
"""


async def test_a_correction_says_what_is_compared(ask, scene, raw) -> None:
    """The value of a correction is compared with later facts: the same value in other words confirms it."""
    me = Viewer(scene.me)
    [told] = await scene.service.facts.remember(me, [Fact("I work at Siemens", aspect="works_at", value="Siemens")])
    answer = await ask(CORRECT, id=told.memory_id)
    assert "I work at the Bosch plant" == answer["data"]["correctFact"]["memory"]["content"]
    [again] = await scene.service.facts.remember(me, [Fact("Bosch employs me", aspect="works_at", value="Bosch")])
    assert again.confirmed


async def test_a_habit_and_a_fact_of_one_aspect_are_one_matter(scene, raw) -> None:
    """A new value of an aspect ends the old one, also if the facts differ in `fact_type` (W5)."""
    for fact in (
        Fact("Maya is a vegetarian", aspect="diet", fact_type="preference", kind="preference"),
        Fact("Maya eats fish", aspect="diet", fact_type="habit"),
    ):
        await scene.service.facts.remember(Viewer(scene.maya.id), [fact])
    assert ["Maya eats fish"] == list(await believed(raw))
    keys = await raw("MATCH (m:Semantic) RETURN m.memory_key AS key ORDER BY key")
    assert [f"profile|person|maya_lindqvist|{sort}|diet" for sort in ("habit", "preference")] == [
        row["key"] for row in keys
    ]


async def test_a_relation_ends_with_what_says_so(scene, learn, raw) -> None:
    """A relation ends when the only fact that states it is replaced or forgotten (M11)."""
    await scene.say("Ben works at Siemens.", at=scene.minutes(0))
    await scene.say("Ben works at Bosch.", at=scene.minutes(5))
    await learn()
    ends = "MATCH ()-[r:RELATED_TO]->(e) RETURN e.key AS key, r.valid_until AS until ORDER BY key"
    bosch, siemens = await raw(ends)
    assert (9999, scene.minutes(5)) == (bosch["until"].year, siemens["until"])
    [now] = (await believed(raw)).values()
    await scene.service.facts.forget(scene.viewer(scene.ben), now["id"])
    bosch, _ = await raw(ends)
    assert bosch["until"] <= scene.service.clock()


# --- forgetting with sources ---

STANDING = "MATCH (m:Episodic) WHERE m.retired_at.year = 9999 RETURN m.content AS content ORDER BY content"


async def test_with_a_fact_goes_the_turn_it_alone_was_found_in(scene, learn, raw) -> None:
    """Forgetting a fact with its sources forgets the turns in which nothing else was found. A turn in which another
    fact was found stays.
    """
    await scene.say("Ben works at Bosch. Ben lives in Graz.", at=scene.minutes(0))
    await scene.say("Lars lives in Oslo.", at=scene.minutes(1))
    await learn()
    facts = await believed(raw)
    for words in ("Ben works at Bosch", "Lars lives in Oslo"):
        await scene.service.facts.forget(scene.viewer(scene.ben), facts[words]["id"], with_sources=True)
    assert ["Ben works at Bosch. Ben lives in Graz."] == [row["content"] for row in await raw(STANDING)]
    assert ["Ben lives in Graz"] == list(await believed(raw))
    assert [] == await scene.service.doctor.examine()


async def test_without_being_asked_turns_stay(scene, learn, raw) -> None:
    """Forgetting a fact without its sources keeps the turn in which it was found."""
    await scene.say("Ben works at Siemens.", at=scene.minutes(1))
    await learn()
    [fact] = (await believed(raw)).values()
    await scene.service.facts.forget(scene.viewer(scene.ben), fact["id"])
    assert ["Ben works at Siemens."] == [row["content"] for row in await raw(STANDING)]


async def test_what_one_may_not_forget_stays(scene, raw) -> None:
    """A turn of a group that the viewer has left is not forgotten with the viewer's fact, of which it is evidence."""
    said = await scene.say("Ben works at Siemens.")
    [told] = await scene.service.facts.remember(
        scene.viewer(scene.ben), [Fact("I keep bees", evidence=(said.memory_id,))]
    )
    await scene.service.people.leave_chat(Viewer(scene.ben.id), scene.group.id, scene.ben.id)
    await scene.service.facts.forget(Viewer(scene.ben.id), told.memory_id, with_sources=True)
    assert {} == await believed(raw)
    assert ["Ben works at Siemens."] == [row["content"] for row in await raw(STANDING)]


async def test_a_turn_that_one_may_no_longer_see_stays(scene, raw) -> None:
    """A sensitive turn of a member who has left the group is not forgotten with a fact of another member, who may no
    longer see it.
    """
    said = await scene.say("I take antidepressants.")
    await scene.service.labels.set_sensitivity(scene.viewer(scene.maya), said.memory_id, Sensitivity.SENSITIVE)
    [told] = await scene.service.facts.remember(
        scene.viewer(scene.ben), [Fact("I worry about Maya", evidence=(said.memory_id,))]
    )
    await scene.service.people.leave_chat(Viewer(scene.maya.id), scene.group.id, scene.maya.id)
    await scene.service.facts.forget(Viewer(scene.ben.id), told.memory_id, with_sources=True)
    assert {} == await believed(raw)
    assert ["I take antidepressants."] == [row["content"] for row in await raw(STANDING)]
