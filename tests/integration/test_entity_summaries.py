"""Summaries of entities: when they are made, of what, and who sees them (T8, M15)."""

from typing import Any

import pytest

from hippograph.graph.model import Sensitivity, Viewer
from hippograph.graph.summaries.composing import MOST_CHARACTERS, MOST_SENTENCES
from hippograph.graph.summaries.entity_summaries import Wording, chosen
from hippograph.graph.writing.fact import Fact
from tests.integration.conftest import work_off

SAID = ("I live in Ljubljana.", "Ljubljana is cold today.", "The rain in Ljubljana!")
FACT = "Maya lives in Ljubljana."


async def remember(scene: Any, who: Any, content: str, **more: Any) -> str:
    """Stores one fact about Ben as somebody's own; returns the id of its memory."""
    [stored] = await scene.service.facts.remember(Viewer(who.id), [Fact(content, about=(scene.ben.key,), **more)])
    return str(stored.memory_id)


async def work(scene: Any) -> None:
    """Works off all jobs."""
    await work_off(scene.service)


async def ask_for(scene: Any, raw: Any, scope: str, chat: str = "") -> None:
    """Queues Ben for a summary in a scope."""
    await raw(
        "MERGE (p:EntityProfile {id: $ben + '|' + $scope + '|'}) SET p:Pending, p.job = 'summarize', p.attempts = 0, "
        "p.due_at = datetime('2024-01-01T00:00:00Z'), p.entity_id = $ben, p.scope = $scope, p.persona_id = '', "
        "p.chat_id = $chat, p.space_id = ''",
        ben=scene.ben.id,
        scope=scope,
        chat=chat,
    )


async def summary(scene: Any, viewer: Viewer) -> Any:
    """Returns Ben's summary as the viewer sees it; None if they see none."""
    found = (await scene.service.cards.summaries(viewer, [scene.ben.key])).get(scene.ben.key)
    return found and found.memory


@pytest.fixture
async def told(scene, raw) -> list[str]:
    """Stores three facts about Ben as Maya's own, and their summary; returns the ids of the facts."""
    ids = [await remember(scene, scene.maya, f"Ben told Maya {number}") for number in ("one", "two", "three")]
    await ask_for(scene, raw, scene.maya.id)
    await work(scene)
    return ids


async def test_an_entity_that_a_session_names_often_is_summarised(scene, raw) -> None:
    """When a session of a group ends that names an entity three times, the group has a summary of the entity, made of
    the facts that were extracted there.
    """
    for minute, words in enumerate(SAID):
        turn = await scene.say(words, at=scene.minutes(minute))
    await work(scene)  # a session waits while its turns are not read
    await scene.service.consolidation.ask(scene.viewer(), turn.session_id)
    await work(scene)
    rows = await raw(
        "MATCH (e)<-[:SUMMARIZES]-(s:EntitySummary) RETURN e.key AS key, s.chat_id AS chat, s.content AS content"
    )
    assert [{"key": "place:ljubljana", "chat": scene.group.id, "content": FACT}] == rows


async def test_a_summary_is_of_what_is_known_in_its_scope(scene, told) -> None:
    """A summary has the words of the facts of its scope, the latest first, and its explanation names all of them as
    sources.
    """
    found = await summary(scene, Viewer(scene.maya.id))
    assert "Ben told Maya three. Ben told Maya two. Ben told Maya one." == found.content
    steps = (await scene.service.explaining.explain(Viewer(scene.maya.id), found.id)).sources
    assert set(told) == {step.memory_id for step in steps}


async def test_nobody_else_sees_the_summary_of_a_scope(scene, told) -> None:
    """Ben, the subject, does not see the summary of Maya's scope, neither in a chat nor outside any."""
    assert None is await summary(scene, Viewer(scene.ben.id))
    assert None is await summary(scene, Viewer(scene.ben.id, scene.group.id))


async def test_too_few_memories_make_no_summary(scene, raw) -> None:
    """Two memories are below the minimum for a summary, so none is made."""
    for number in range(2):
        await remember(scene, scene.maya, f"Ben told Maya {number}")
    await ask_for(scene, raw, scene.maya.id)
    await work(scene)
    assert None is await summary(scene, Viewer(scene.maya.id))


@pytest.mark.parametrize("how", ["forget", "sensitive", "reword"])
async def test_a_summary_goes_with_its_source(scene, told, how: str) -> None:
    """A summary is hidden as soon as one of its sources is forgotten, marked as sensitive, or reworded."""
    facts, viewer = scene.service.facts, Viewer(scene.maya.id)
    if how == "forget":
        await facts.forget(viewer, told[1])
    elif how == "sensitive":
        await scene.service.labels.set_sensitivity(viewer, told[1], Sensitivity.SENSITIVE)
    else:
        await facts.update(viewer, told[1], "Ben told Maya nothing")
    assert None is await summary(scene, viewer)


async def test_a_summary_is_made_anew_when_a_source_goes(scene, told) -> None:
    """After a source is forgotten, the next summary has the remaining and the new facts, and the old one is gone."""
    viewer = Viewer(scene.maya.id)
    old = await summary(scene, viewer)
    await remember(scene, scene.maya, "Ben told Maya four")
    await scene.service.facts.forget(viewer, told[0])
    assert 1 == await scene.service.summaries.queue_stale()
    await work(scene)
    new = await summary(scene, viewer)
    assert "Ben told Maya four. Ben told Maya three. Ben told Maya two." == new.content
    assert {} == await scene.service.browsing.memories(viewer, [old.id])


async def test_asking_again_changes_nothing(scene, told, raw) -> None:
    """A summary that would have the same words and sources again keeps its id, and is not stale."""
    before = await summary(scene, Viewer(scene.maya.id))
    await ask_for(scene, raw, scene.maya.id)
    await work(scene)
    assert before.id == (await summary(scene, Viewer(scene.maya.id))).id
    assert 0 == await scene.service.summaries.queue_stale()


async def test_a_summary_is_as_private_as_its_most_private_source(scene, raw) -> None:
    """A summary has the sensitivity of its most sensitive source. In a group in which that source is hidden, the
    summary is hidden too.
    """
    await remember(scene, scene.ben, "Ben likes tea", sensitivity=Sensitivity.PUBLIC)
    await remember(scene, scene.ben, "Ben likes jazz", sensitivity=Sensitivity.PUBLIC)
    await remember(scene, scene.ben, "Ben has diabetes", sensitivity=Sensitivity.SENSITIVE)
    await ask_for(scene, raw, scene.ben.id)
    await work(scene)
    found = await summary(scene, Viewer(scene.ben.id))
    assert Sensitivity.SENSITIVE is found.sensitivity
    assert "diabetes" in found.content
    assert None is await summary(scene, Viewer(scene.ben.id, scene.group.id))


async def test_a_groups_summary_has_what_all_of_them_see(scene, raw, clock) -> None:
    """The members of a group see one summary of its facts, and only in the group. Once those whom a sensitive source is
    about have left, a remaining member sees no summary.
    """
    viewer = Viewer(scene.ben.id, scene.group.id)
    facts = [Fact(f"Ben told the group {number}", about=(scene.ben.key,)) for number in ("one", "two", "three")]
    await scene.service.facts.remember(viewer, facts, for_chat=True)
    hidden = Fact("Maya has asthma like Ben", about=(scene.ben.key, scene.maya.key), sensitivity=Sensitivity.SENSITIVE)
    await scene.service.facts.remember(viewer, [hidden], for_chat=True)
    await ask_for(scene, raw, scene.group.id, scene.group.id)
    await work(scene)
    everybody = [
        await summary(scene, Viewer(person, scene.group.id)) for person in (scene.ben.id, scene.maya.id, scene.me)
    ]
    assert 1 == len({found.content for found in everybody})
    assert hidden.content in everybody[0].content
    assert None is await summary(scene, Viewer(scene.ben.id))
    for person in (scene.ben, scene.maya):
        await scene.service.people.leave_chat(scene.viewer(person), scene.group.id, person.id)
    assert None is await summary(scene, Viewer(scene.me, scene.group.id))


async def test_the_context_tells_the_summary(scene, told) -> None:
    """For a question that names Ben, the context has his summary, or lists it as left out if its words are there
    already.
    """
    found = await scene.service.contexts.context(Viewer(scene.maya.id), "Who is Ben Okafor?", budget=2000)
    known = (await summary(scene, Viewer(scene.maya.id))).id
    assert known in found.text or known in {
        memory_id for omission in found.left_out for memory_id in omission.piece.memory_ids
    }


async def test_the_doctor_finds_nothing_wrong(scene, told, drain) -> None:
    """The doctor finds nothing wrong with a graph that has a summary with its vector."""
    await drain()
    assert [] == await scene.service.doctor.examine()


def wording(content: str) -> Wording:
    """Returns a sentence of a summary with one source, whose id is its text."""
    return Wording(content, (content,))


def test_a_summary_is_short() -> None:
    """Of any number of sentences the first are chosen, at most five and 600 characters, in their order."""
    given = [wording(f"{'word ' * 30}{number}") for number in range(9)]
    found = chosen(given)
    assert 0 < len(found) <= MOST_SENTENCES
    assert sum(len(one.text) + 1 for one in found) <= MOST_CHARACTERS
    assert given[: len(found)] == found


def test_what_is_said_twice_is_told_once() -> None:
    """Sentences that differ only in case are chosen once."""
    assert ["Ben likes tea."] == [one.text for one in chosen([wording("Ben likes tea."), wording("ben likes tea.")])]
