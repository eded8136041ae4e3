import asyncio
from datetime import timedelta

import pytest

from hippograph.graph.errors import NotFound
from hippograph.graph.model import Viewer
from hippograph.graph.writing.recording import Turn


async def test_a_session_ends_where_its_last_message_was(scene) -> None:
    """Closing ends the open session at the time of its last message; the next message opens another session."""
    await scene.say("one", at=scene.minutes(0))
    first = await scene.say("two", at=scene.minutes(5))
    closed = await scene.service.sessions.close(scene.viewer(), scene.group.id)
    assert first.session_id == closed.id
    assert (scene.minutes(0), scene.minutes(5), scene.minutes(5)) == (
        closed.started_at,
        closed.last_activity_at,
        closed.ended_at,
    )
    assert (await scene.say("three", at=scene.minutes(6))).session_id != first.session_id


async def test_without_an_open_session_nothing_closes(scene) -> None:
    """Closing returns None for a chat without an open session, and for one whose session was just closed."""
    close = scene.service.sessions.close
    assert await close(scene.viewer(), scene.group.id) is None
    await scene.say("one")
    assert await close(scene.viewer(), scene.group.id) is not None
    assert await close(scene.viewer(), scene.group.id) is None


async def test_each_persona_has_its_session(scene) -> None:
    """Closing the session with a persona leaves the session without a persona open."""
    turns = [Turn("hello", scene.maya.id, scene.minutes(0))]
    await scene.service.recorder.record(scene.viewer(), scene.group.id, turns, scene.atlas.id)
    plain = await scene.say("hello", at=scene.minutes(0))
    closed = await scene.service.sessions.close(scene.viewer(), scene.group.id, scene.atlas.id)
    assert scene.atlas.id == closed.persona_id
    assert plain.session_id == (await scene.say("again", at=scene.minutes(1))).session_id


async def test_an_outsider_closes_nothing(scene) -> None:
    """Closing raises the same `NotFound` for a chat in which the viewer takes no part as for an unknown one."""
    await scene.say("one", chat=scene.private)
    for chat in (scene.private.id, "nowhere", "a\x00b"):
        with pytest.raises(NotFound):
            await scene.service.sessions.close(Viewer(scene.ben.id), chat)
    assert await scene.service.sessions.close(Viewer(scene.maya.id), scene.private.id) is not None


async def test_idle_sessions_are_closed(scene, clock) -> None:
    """`close_idle` closes each session without a message for the idle time once, and leaves the others open."""
    await scene.say("in the group", at=clock())
    sweep = scene.service.sessions.close_idle
    assert 0 == await sweep()
    clock.advance(timedelta(minutes=20))
    fresh = await scene.say("in private", at=clock(), chat=scene.private)
    clock.advance(timedelta(minutes=11))
    assert (1, 0) == (await sweep(), await sweep())
    assert fresh.session_id == (await scene.say("still here", at=clock(), chat=scene.private)).session_id


async def test_workers_close_idle_sessions(scene, clock, raw) -> None:
    """A running worker closes idle sessions by itself, at the time of their last message."""
    await scene.say("Hello", at=clock())
    clock.advance(timedelta(hours=1))
    stop = asyncio.Event()
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(scene.service.runner.run(stop))
        while await raw("MATCH (s:Session) WHERE s.open_key IS NOT NULL RETURN s.id"):  # noqa: ASYNC110
            await asyncio.sleep(0.05)
        stop.set()
    [row] = await raw("MATCH (s:Session) RETURN s.closed_by AS by, s.ended_at = s.last_activity_at AS there")
    assert {"by": "idle", "there": True} == row


async def test_nothing_is_lost_when_messages_come_meanwhile(scene, clock, raw) -> None:
    """When sessions are closed while several tasks record messages, every turn is in a session, at most one session
    stays open, and the doctor finds nothing damaged.
    """
    stored: list[str] = []

    async def talk(name: str) -> None:
        for number in range(25):
            turn = await scene.say(f"{name} {number}", by=scene.maya, at=clock())
            stored.append(turn.memory_id)

    async def sweep() -> None:
        for _ in range(15):
            clock.advance(timedelta(minutes=31))
            await scene.service.sessions.close_idle()
            await scene.service.sessions.close(scene.viewer(), scene.group.id)

    await asyncio.gather(talk("a"), talk("b"), talk("c"), sweep())
    [row] = await raw("MATCH (m:Episodic)-[:IN_SESSION]->(s) RETURN count(m) AS turns, count(DISTINCT s) AS sessions")
    assert (75, 75) == (len(set(stored)), row["turns"])
    assert row["sessions"] > 1
    [row] = await raw("MATCH (s:Session) WHERE s.open_key IS NOT NULL RETURN count(s) AS open")
    assert row["open"] <= 1
    counts = [finding.what for finding in await scene.service.doctor.examine() if "waited" not in finding.what]
    assert [] == counts
