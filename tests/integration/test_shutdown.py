"""Shutdown of a worker: leases are released. How a whole service stops is tested in test_life_of_a_service.py."""

import asyncio
import os
import signal
import subprocess
from datetime import timedelta
from pathlib import Path
from typing import Any

from hippograph.api.service import Service
from hippograph.api.settings.sources import as_environment
from hippograph.api.workers import COMMAND
from hippograph.graph.jobs.queue import Queue
from hippograph.graph.jobs.runner import Runner
from hippograph.graph.model import INTERNAL, ChatKind
from hippograph.graph.people.people import Member
from hippograph.graph.writing.recording import Turn
from tests.conftest import MovingClock


async def test_a_worker_that_is_told_to_stop(service: Service, root: Path, tmp_path: Path) -> None:
    """On SIGTERM a worker exits with code 0 and holds no leases, so that another one can begin at once."""
    chat = await service.people.create_chat(INTERNAL, ChatKind.GROUP, "Long talk", [Member(service.local_user.id)])
    said = [Turn(f"Number {n}: Maya moved to Oslo in May.", service.local_user.id) for n in range(300)]
    for start in range(0, 300, 100):
        await service.recorder.record(service.viewer(), chat.id, said[start : start + 100])
    settings = service.settings.model_copy(update={"ner_model": "none"})
    environment = {**os.environ, **as_environment(settings), "PYTHONPATH": str(root)}
    with (tmp_path / "out").open("wb") as output:
        process = subprocess.Popen(  # noqa: ASYNC220  # it is waited for as a process, not as a task
            [*COMMAND, "worker"], env=environment, stdout=output, stderr=output
        )
    try:
        while not await _held(service):
            assert process.poll() is None, (tmp_path / "out").read_text()
            await asyncio.sleep(0.05)
        process.send_signal(signal.SIGTERM)
        assert 0 == await asyncio.to_thread(process.wait)
    finally:
        process.kill()
        process.wait()
    assert 0 == await _held(service)


async def _held(service: Service) -> int:
    text = "MATCH (m:Pending) WHERE m.worker IS NOT NULL AND m.due_at > datetime() RETURN count(m) AS held"
    async with service.database._driver.session() as session:
        record: Any = await (await session.run(text)).single()
        return int(record["held"])


async def test_what_takes_too_long_is_given_back(scene: Any, service: Service, clock: MovingClock) -> None:
    """A step that does not finish in time is cancelled. Its items are due at once, without counting the attempt, and
    those that another queue has claimed since are not released.
    """
    queue = Queue(service.database, clock, "enrich")
    claimed = asyncio.Event()

    class Endless:
        """A job whose step claims items and never finishes."""

        name = "enrich"

        def __init__(self) -> None:
            self.queue = queue

        async def step(self) -> int:
            """Claims items, then waits forever."""
            if (await queue.claim(10)).items:
                claimed.set()
            await asyncio.Event().wait()
            return 0

    await scene.say("There is something to do.")
    stop = asyncio.Event()
    running = asyncio.create_task(Runner([Endless()]).run(stop, patience_s=0.1))
    await claimed.wait()
    for _ in range(100):  # later claims of the same queue, each as a worker of its own
        assert not (await queue.claim(10)).items
    stop.set()
    await running
    again = await Queue(service.database, clock, "enrich").claim(10)
    assert [1] == [item.attempts for item in again.items]
    clock.advance(timedelta(seconds=1))
    assert 0 == await queue.release()
