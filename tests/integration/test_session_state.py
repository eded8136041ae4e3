"""The session state: what a person and a persona carry over from session to session (S6)."""

import pytest

from hippograph.graph.errors import NotFound
from hippograph.graph.ids import new_id
from hippograph.graph.model import Viewer
from hippograph.graph.writing.recording import Turn
from tests.integration.conftest import work_off


async def test_session_state_survives_sessions(scene) -> None:
    """Session state spans all sessions with a persona: number of messages, last message, and results of the jobs."""
    viewer = Viewer(scene.maya.id, None, scene.atlas.id)
    for number, words in enumerate(["I work at Deltaroute", "I'll call Ana tomorrow", "I live in Lisbon"]):
        turn = Turn(words, scene.maya.id, event_time=scene.minutes(60 * number))
        await scene.service.recorder.record(scene.viewer(), scene.private.id, [turn], scene.atlas.id)
    answer = Turn("Noted, enjoy Lisbon", None, event_time=scene.minutes(121))
    await scene.service.recorder.record(scene.viewer(), scene.private.id, [answer], scene.atlas.id)
    await scene.service.sessions.close(scene.viewer(), scene.private.id, scene.atlas.id)
    await work_off(scene.service)
    state = await scene.service.session_states.read(viewer)
    assert (3, scene.minutes(121)) == (state.message_count, state.last_interaction_at)
    assert ("I live in Lisbon", scene.minutes(120)) == (state.last_message, state.last_message_at)
    assert (3, 4, 0) == (state.curator.succeeded, state.curator.memories, state.curator.failed)
    assert None is not state.curator.ran_at
    assert 3 <= state.summaries.succeeded
    assert (0, None) == (state.summaries.failed, state.summaries.failure)


async def test_session_state_of_a_new_person_is_empty(scene) -> None:
    """Session state is empty for a person who said nothing, and with a persona to which nothing was said. An unknown
    persona raises `NotFound`.
    """
    await scene.say("Hello there", at=scene.minutes(0), chat=scene.private)
    for viewer in (Viewer(scene.ben.id), Viewer(scene.maya.id, None, scene.atlas.id)):
        state = await scene.service.session_states.read(viewer)
        assert (0, None, None) == (state.message_count, state.last_interaction_at, state.last_message)
        assert (None, 0, 0) == (state.summaries.ran_at, state.summaries.succeeded, state.curator.memories)
    with pytest.raises(NotFound):
        await scene.service.session_states.read(Viewer(scene.maya.id, None, new_id()))


async def test_failures_are_told(scene, raw) -> None:
    """Session state counts failed summaries and consolidations, and gives the reason."""
    await scene.say("Hello there", at=scene.minutes(0), chat=scene.private)
    await raw(
        "CREATE (:SummaryRequest:Failed {id: 'x', line: 'x', scope: $maya, persona_id: '', failure: 'too long'}) "
        "WITH 1 AS one MATCH (s:Session) SET s.failure = 'too short'",
        maya=scene.maya.id,
    )
    state = await scene.service.session_states.read(Viewer(scene.maya.id))
    assert (1, "too long") == (state.summaries.failed, state.summaries.failure)
    assert (1, "too short") == (state.curator.failed, state.curator.failure)
