"""Summaries of sessions, of the latest talk and of a person: when they are made, of what, and who sees them (S3–S5)."""

from collections import Counter
from typing import Any

import pytest

from hippograph.api.global_ids import global_id
from hippograph.graph.errors import NotFound
from hippograph.graph.ids import new_id
from hippograph.graph.model import Sensitivity, Times, Viewer
from hippograph.graph.people.summaries import Summary
from hippograph.graph.summaries.composing import MOST_CHARACTERS, Draft
from hippograph.graph.summaries.talk_summaries import TalkSummaries
from hippograph.graph.writing.fact import Fact
from hippograph.graph.writing.recording import Turn
from tests.integration.conftest import asking_as, work_off

TALK = (
    "I started a new job at Deltaroute last week and I love it!",
    "My manager there is called Priya Nair",
    "I'll send Priya the signed contract on Friday.",
    "I still need to book the train to Lisbon",
)


async def talk(scene: Any, words: tuple[str, ...] = TALK, start: float = 0, **more: Any) -> list[Any]:
    """Records words of Maya, one turn a minute, by default in her private chat. Returns the turns."""
    more = {"chat": scene.private, **more}
    return [await scene.say(each, at=scene.minutes(start + minute), **more) for minute, each in enumerate(words)]


async def close(scene: Any, chat: Any = None) -> None:
    """Closes the open session of a chat, by default Maya's private one, and works until the queues are empty."""
    await scene.service.sessions.close(scene.viewer(), (chat or scene.private).id)
    await work_off(scene.service)


async def of_session(scene: Any, turn: Any, viewer: Viewer | None = None, **more: Any) -> Summary:
    """Returns the summary of the session of a turn, by default as Maya sees it; None if there is none."""
    found = await scene.service.summary_reader.of_sessions(viewer or Viewer(scene.maya.id), [turn.session_id], **more)
    return found.get(turn.session_id)


async def test_a_session_that_closes_has_a_summary(scene) -> None:
    """The summary of a closed session has what mattered, commitments, open loops, people and tone. No sentence is
    repeated, and each has sources that Maya may see.
    """
    turns = await talk(scene)
    assert None is await of_session(scene, turns[0])
    await close(scene)
    summary = await of_session(scene, turns[0])
    assert ["Maya Lindqvist: I'll send Priya the signed contract on Friday."] == summary.of("commitments")
    assert ["Maya Lindqvist: I still need to book the train to Lisbon."] == summary.of("open_loops")
    assert 1 == len(summary.of("one_liner"))
    told = Counter(sentence.text for sentence in summary.sentences if sentence.section != "one_liner")
    assert set(summary.of("one_liner")) <= set(told)
    assert {1} == set(told.values())
    assert ("positive", 1) == (summary.tone, summary.version)
    assert ["Maya Lindqvist", "Priya Nair"] == [one.canonical_name for one in summary.people]
    seen = await scene.service.browsing.memories(
        Viewer(scene.maya.id), [one for sentence in summary.sentences for one in sentence.memory_ids]
    )
    assert all(sentence.memory_ids and set(sentence.memory_ids) <= set(seen) for sentence in summary.sentences)


async def test_a_sentence_names_its_sources_in_graphql(scene) -> None:
    """Each sentence of a summary has the memories that it is based on. A stranger is shown no summary."""
    document = """query ($session: ID!) { sessionSummary(sessionId: $session) {
      sentences { text sources { content } }
    } }"""
    turns = await talk(scene)
    await close(scene)
    given = {"session": global_id("Session", turns[0].session_id)}
    async with asking_as(scene.service, scene.maya) as ask:
        sentences = (await ask(document, **given))["data"]["sessionSummary"]["sentences"]
    sources = {each["text"]: [source["content"] for source in each["sources"]] for each in sentences}
    assert [TALK[3]] == sources[f"Maya Lindqvist: {TALK[3]}."]
    assert all(sources.values())
    async with asking_as(scene.service, scene.ben) as ask:
        assert {"sessionSummary": None} == (await ask(document, **given))["data"]


async def test_what_was_not_extracted_is_empty(scene) -> None:
    """The summary of a talk without promises, open loops and feelings has no such sentences and no tone."""
    [turn] = await talk(scene, ("The museum opens at nine on Sundays",))
    await close(scene)
    summary = await of_session(scene, turn)
    assert ([], [], "") == (summary.of("commitments"), summary.of("open_loops"), summary.tone)


async def test_a_question_that_nobody_answered_is_open(scene) -> None:
    """An unanswered question at the end of a session is an open loop in its summary."""
    turns = await talk(scene, ("We talked about the museum today", "When does the museum open on Sundays?"))
    await close(scene)
    assert ["Maya Lindqvist: When does the museum open on Sundays?"] == (
        (await of_session(scene, turns[0])).of("open_loops")
    )


async def test_a_summary_is_a_memory_of_its_scope(scene) -> None:
    """A summary of private talk can be read as a memory by its owner and not by others; `explain` names its sources."""
    turns = await talk(scene)
    await close(scene)
    summary = await of_session(scene, turns[0])
    maya, ben = Viewer(scene.maya.id), Viewer(scene.ben.id)
    assert summary.content == (await scene.service.browsing.memories(maya, [summary.id]))[summary.id].content
    assert {} == await scene.service.browsing.memories(ben, [summary.id])
    sources = {step.memory_id for step in (await scene.service.explaining.explain(maya, summary.id)).sources}
    assert {one for sentence in summary.sentences for one in sentence.memory_ids} == sources


async def test_a_summary_stands_where_its_talk_ended(scene) -> None:
    """The event time of a summary is that of the last turn of its session, whenever the summary was made."""
    turns = await talk(scene)
    await close(scene)
    listed = (await scene.service.browsing.my_memories(Viewer(scene.maya.id), first=100)).items
    times = {each.item.id: each.item.event_time for each in listed}
    assert times[turns[-1].memory_id] == times[(await of_session(scene, turns[0])).id]


@pytest.mark.embedding_ranked
async def test_a_summary_stands_behind_what_it_says_again(scene) -> None:
    """A search ranks the turns that match before the summary that repeats them."""
    turns = await talk(scene)
    await close(scene)
    summary = await of_session(scene, turns[0])
    page = await scene.service.search.search(Viewer(scene.maya.id), "train to Lisbon", first=20)
    found = [result.memory.id for result in page.results]
    assert turns[3].memory_id == found[0]
    assert summary.id not in found[: len(TALK)]


@pytest.mark.parametrize("how", ["forget", "sensitive"])
async def test_a_summary_goes_with_its_source_and_is_made_anew(scene, how: str) -> None:
    """A summary is not shown once a source is forgotten. The next version omits a forgotten source, and still has one
    that became sensitive.
    """
    turns = await talk(scene)
    await close(scene)
    viewer = Viewer(scene.maya.id)
    if how == "forget":
        await scene.service.facts.forget(viewer, turns[3].memory_id)
        assert None is await of_session(scene, turns[0])
    else:
        await scene.service.labels.set_sensitivity(viewer, turns[3].memory_id, Sensitivity.SENSITIVE)
    assert 1 <= await scene.service.talk_summaries.queue_stale()
    await work_off(scene.service)
    summary = await of_session(scene, turns[0])
    assert 2 == summary.version
    assert (how == "sensitive") == ("Lisbon" in summary.content)
    assert 0 == await scene.service.talk_summaries.queue_stale()


@pytest.mark.parametrize("how", ["forgotten", "gone"])
async def test_what_goes_while_it_is_summarised_is_in_no_summary(scene, raw, how: str) -> None:
    """If a source is forgotten or erased while the summary is being made, no summary is written."""
    turns = await talk(scene)

    class Slow:
        """A summarizer during whose work a source is forgotten or erased."""

        async def rewrite(self, draft: Draft, _: Any) -> Draft:
            """Returns the draft unchanged."""
            if how == "forgotten":
                await scene.service.facts.forget(Viewer(scene.maya.id), draft.sources[0])
            else:
                await raw("MATCH (m:Memory {id: $id}) DETACH DELETE m", id=draft.sources[0])
            return draft

    service = scene.service
    summaries = TalkSummaries(service.database, service.clock, slot=None, executor=None, summarizer=Slow())
    await summaries.summarize_session(scene.viewer(scene.maya, scene.private), turns[0].session_id)
    assert [] == await raw("MATCH (s:Summary) RETURN s.content AS content")


async def test_older_versions_are_kept(scene, clock) -> None:
    """A read as known at an earlier time returns the version of the summary of that time."""
    turns = await talk(scene)
    summarize = scene.service.talk_summaries.summarize_session
    await summarize(Viewer(scene.maya.id), turns[0].session_id)
    before = clock()
    await scene.say("I'll call my sister tomorrow", at=scene.minutes(5), chat=scene.private)
    await summarize(Viewer(scene.maya.id), turns[0].session_id)
    new = await of_session(scene, turns[0])
    old = await of_session(scene, turns[0], times=Times(before, before))
    assert (1, 2) == (old.version, new.version)
    assert "sister" in new.content
    assert "sister" not in old.content


async def test_the_same_summary_is_not_written_again(scene, raw) -> None:
    """If a summary would say the same of the same sources, no new version is written, and no request is left."""
    turns = await talk(scene)
    await close(scene)
    before = await of_session(scene, turns[0])
    await scene.service.talk_summaries.summarize_session(Viewer(scene.maya.id), turns[0].session_id)
    assert before == await of_session(scene, turns[0])
    assert [{"waiting": 0}] == await raw("MATCH (r:SummaryRequest) RETURN count(r) AS waiting")


async def test_a_session_is_summarised_on_demand(scene) -> None:
    """A participant can have an open session summarised at once. For others, and for an unknown session, `NotFound` is
    raised.
    """
    turns = await talk(scene)
    with pytest.raises(NotFound):
        await scene.service.talk_summaries.summarize_session(Viewer(scene.ben.id), turns[0].session_id)
    with pytest.raises(NotFound):
        await scene.service.talk_summaries.summarize_session(Viewer(scene.maya.id), new_id())
    await scene.service.talk_summaries.summarize_session(Viewer(scene.maya.id), turns[0].session_id)
    assert 1 == len((await of_session(scene, turns[0])).of("commitments"))


async def test_a_groups_summary_is_of_what_all_see_there(scene) -> None:
    """All members of a group see the summary of its session, even if one of its turns is sensitive. `here` returns it
    in the group only.
    """
    turns = await talk(scene, chat=scene.group)
    await scene.service.labels.set_sensitivity(Viewer(scene.maya.id), turns[3].memory_id, Sensitivity.SENSITIVE)
    await close(scene, scene.group)
    for person in (scene.maya, scene.ben):
        summary = await of_session(scene, turns[0], Viewer(person.id))
        assert "contract" in summary.content
    here = await scene.service.summary_reader.here(Viewer(scene.ben.id, scene.group.id))
    alone = await scene.service.summary_reader.here(Viewer(scene.ben.id))
    assert (True, None) == (here.session is not None, alone.session)


async def test_the_latest_talk_is_summarised_every_four_turns(scene) -> None:
    """The latest talk has no summary after three turns, one after four, and the next version, of limited length, after
    four more.
    """
    viewer, reader = Viewer(scene.maya.id), scene.service.summary_reader
    await talk(scene, TALK[:3])
    await work_off(scene.service)
    assert None is (await reader.here(viewer)).rolling
    await talk(scene, TALK[3:], start=3)
    await work_off(scene.service)
    first = (await reader.here(viewer)).rolling
    assert 1 == first.version
    long = tuple(f"Number {number}: the trip to Porto was {'very ' * 30}long" for number in range(4))
    await talk(scene, long, start=4)
    await work_off(scene.service)
    second = (await reader.here(viewer)).rolling
    assert 2 == second.version
    assert "Number 3" in second.content
    assert len(second.content) <= MOST_CHARACTERS


async def test_summaries_belong_to_a_persona(scene) -> None:
    """The summary of talk with a persona is read with that persona, and not without one."""
    turns = [Turn(each, scene.maya.id, event_time=scene.minutes(0)) for each in TALK]
    await scene.service.recorder.record(scene.viewer(), scene.private.id, turns, scene.atlas.id)
    await work_off(scene.service)
    reader = scene.service.summary_reader
    assert None is (await reader.here(Viewer(scene.maya.id))).rolling
    assert None is not (await reader.here(Viewer(scene.maya.id, None, scene.atlas.id))).rolling


async def test_a_person_is_summarised_every_twenty_messages(scene) -> None:
    """After twenty messages a person has a summary of their own facts in sections. Facts learned with a persona are
    left out, and others have no summary of their own.
    """
    viewer, reader = Viewer(scene.maya.id), scene.service.summary_reader
    remember = scene.service.facts.remember
    await remember(viewer, [Fact("Maya works at Deltaroute", category="profile", importance=2)])
    await remember(viewer, [Fact("The Atlas release is in May", category="project")])
    await remember(viewer, [Fact("Ben plays chess", about=(scene.ben.key,))])
    await remember(viewer, [Fact("Maya will renew her passport", kind="task")])
    await remember(viewer.at(None, scene.atlas.id), [Fact("Maya and Atlas have a secret handshake")])
    await talk(scene, tuple(f"The weather of day {number} is fine" for number in range(19)))
    await work_off(scene.service)
    assert None is (await reader.here(viewer)).spine
    await talk(scene, ("The weather is fine",), start=19)
    await work_off(scene.service)
    spine = (await reader.here(viewer)).spine
    assert ["Maya works at Deltaroute."] == [text for text in spine.of("profile") if "weather" not in text]
    assert "The Atlas release is in May." in spine.of("projects")
    assert ["Ben plays chess."] == spine.of("people")
    assert ["Maya will renew her passport."] == spine.of("open_loops")
    assert "handshake" not in spine.content
    assert None is (await reader.here(Viewer(scene.ben.id))).spine
