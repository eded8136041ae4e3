"""The machine's clock jumps an hour ahead and back while people talk and workers run."""

import asyncio
from datetime import timedelta
from typing import Any

from hippograph.graph.model import Viewer
from hippograph.graph.writing.fact import Fact
from hippograph.graph.writing.recording import Turn
from tests.conftest import MovingClock

HOUR = timedelta(hours=1)
JUMPS = (HOUR, -HOUR, -HOUR, HOUR)
SPEAKERS, EACH = 4, 6


async def test_talk_goes_on_while_the_clock_jumps(scene: Any, clock: MovingClock, learn: Any) -> None:
    """While the clock jumps, each acknowledged turn is stored once, even if it is sent twice, and can be found. The
    doctor finds nothing, broken chains included, and no work fails.
    """
    service, stop = scene.service, asyncio.Event()
    acknowledged: list[str] = []

    async def talk(speaker: int) -> None:
        for number in range(EACH):
            for _ in range(2):  # the second is the retry of a caller who got no answer
                turn = Turn(f"Speaker {speaker} says {number}.", scene.maya.id, idempotency_key=f"{speaker} {number}")
                [stored] = await service.recorder.record(scene.viewer(), scene.group.id, [turn])
            acknowledged.append(stored.memory_id)

    async with asyncio.TaskGroup() as tasks:
        working = tasks.create_task(service.runner.run(stop))
        for number, jump in enumerate(JUMPS):
            talking = [tasks.create_task(talk(SPEAKERS * number + speaker)) for speaker in range(SPEAKERS)]
            await asyncio.wait(talking, return_when=asyncio.FIRST_COMPLETED)
            clock.advance(jump)
            await asyncio.wait(talking)
        stop.set()
        await working
    clock.advance(HOUR)  # makes due what was queued while the clock was ahead
    await learn()
    kept = (await service.browsing.chat_memories(scene.viewer(), scene.group.id, first=100)).items
    assert len(JUMPS) * SPEAKERS * EACH == len(acknowledged)
    assert sorted(acknowledged) == sorted(listed.item.id for listed in kept)
    assert [] == await service.doctor.examine()
    assert 0 == sum(backlog.failed for backlog in (await service.runner.backlogs()).values())
    page = await service.search.search(scene.viewer(), "Speaker 1 says 3.", first=100)
    assert "Speaker 1 says 3." in {result.memory.content for result in page.results}


async def test_one_fact_holds_while_the_clock_jumps(scene: Any, clock: MovingClock, drain: Any) -> None:
    """Of facts with the same subject and aspect only the one told last is current, before and after each jump of the
    clock.
    """
    me, service = Viewer(scene.me), scene.service

    async def holds_now() -> list[str]:
        page = await service.search.search(me, "In which town do I live?", first=20)
        return [result.memory.content for result in page.results]

    for number, jump in enumerate(JUMPS):
        told = Fact(f"I live in town {number}", aspect="lives_in", value=f"town {number}")
        for by in (timedelta(), jump):
            clock.advance(by)
            await service.facts.remember(me, [told])
            assert [told.content] == await holds_now()
    clock.advance(HOUR)
    await drain()
    assert [] == await service.doctor.examine()
