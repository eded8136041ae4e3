"""Shutdown: requests finish, streams are closed properly, leases are released, and Neo4j stops."""

import asyncio
import json
import os
import signal
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest
from websockets.asyncio.client import connect

from hippograph.api.graphql.nodes import global_id
from hippograph.api.local_server import local_server
from hippograph.api.service import Service
from hippograph.api.settings.settings import Settings
from hippograph.api.settings.sources import as_environment
from hippograph.api.startup import open_service
from hippograph.api.workers import COMMAND
from hippograph.graph.jobs.queue import Queue
from hippograph.graph.jobs.runner import Runner
from hippograph.graph.model import INTERNAL, ChatKind
from hippograph.graph.people.people import Member
from hippograph.graph.writing.recording import Turn
from tests.conftest import MovingClock, own_settings

ADDED = "subscription { memoryAdded { content } }"
RECORD = """
mutation R($input: RecordMessageInput!) { recordMessage(input: $input) { __typename ... on Error { message } } }
"""
EVENTS = {"accept": "text/event-stream"}


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory, _own_environment: None) -> Settings:
    """Settings with a data folder and a Neo4j of their own, shared by the tests of this module."""
    return own_settings(tmp_path_factory.mktemp("shutdown"), log_format="json")


@asynccontextmanager
async def command(own: Settings, root: Path, *words: str) -> AsyncIterator[subprocess.Popen[bytes]]:
    """Runs a hippograph command as a process, and kills it at the end if it still runs."""
    environment = {**os.environ, **as_environment(own), "PYTHONPATH": str(root)}
    with (own.data_dir / f"{words[0]}.out").open("ab") as output:
        process = subprocess.Popen(  # noqa: ASYNC220  # it is waited for as a process, not as a task
            [*COMMAND, *words], env=environment, stdout=output, stderr=output
        )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()


async def answers(own: Settings, process: subprocess.Popen[bytes]) -> None:
    """Waits until the service is ready; fails if its process ends."""
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{own.port}") as client:
        while True:
            assert process.poll() is None, f"it ended: see {own.data_dir}"
            with suppress(httpx.TransportError):
                if 200 == (await client.get("/readyz")).status_code:
                    return
            await asyncio.sleep(0.2)


async def test_a_service_that_is_told_to_stop(own: Settings, root: Path) -> None:
    """On SIGTERM, running requests are answered, a WebSocket is closed with 1012, and an event stream ends without
    `complete`. The service's workers and its Neo4j stop. Every acknowledged message is stored, and the doctor finds no
    problem.
    """
    async with open_service(own.model_copy(update={"embedding_model": "none"})) as inside:
        member = Member(inside.local_user.id)
        chat = await inside.people.create_chat(INTERNAL, ChatKind.GROUP, "Talk", [member])
    url = f"127.0.0.1:{own.port}"
    async with command(own, root, "serve") as process, httpx.AsyncClient(timeout=60) as client:
        await answers(own, process)
        everybody = psutil.Process(process.pid).children(recursive=True)
        assert [child for child in everybody if "worker" in child.cmdline()]

        async def listen() -> str:
            heard = ""
            async with client.stream("POST", f"http://{url}/graphql", json={"query": ADDED}, headers=EVENTS) as answer:
                with suppress(httpx.RemoteProtocolError):  # on a slow machine the shutdown timeout is too short
                    async for text in answer.aiter_text():
                        heard += text
            return heard

        async def record(number: int) -> str:
            given = {"chatId": global_id("Chat", chat.id), "content": f"Number {number}."}
            async with httpx.AsyncClient(timeout=60) as alone:
                asked = {"query": RECORD, "variables": {"input": given}}
                answer = await alone.post(f"http://{url}/graphql", json=asked)
                return str(answer.json()["data"]["recordMessage"]["__typename"])

        async with connect(f"ws://{url}/graphql", subprotocols=["graphql-transport-ws"]) as follower:  # type: ignore[list-item]
            await follower.send(json.dumps({"type": "connection_init"}))
            await follower.recv()
            await follower.send(json.dumps({"id": "1", "type": "subscribe", "payload": {"query": ADDED}}))
            listening = asyncio.create_task(listen())
            await asyncio.sleep(2)
            assert "RecordMessagePayload" == await record(0)
            assert "Number 0." in str(await follower.recv())
            asking = [asyncio.create_task(record(number)) for number in range(1, 21)]
            await asyncio.wait(asking, return_when=asyncio.FIRST_COMPLETED)
            process.send_signal(signal.SIGTERM)
            told = await asyncio.gather(*asking, return_exceptions=True)
            await follower.wait_closed()
            assert 1012 == follower.close_code
        # Requests that come too late fail to connect; all that were accepted are answered.
        refused = [one for one in told if isinstance(one, BaseException)]
        assert not [one for one in refused if not isinstance(one, httpx.ConnectError)], refused
        stored = {one for one in told if not isinstance(one, BaseException)}
        assert {"RecordMessagePayload"} == stored
        text = await listening
        assert "Number 0." in text
        assert "event: complete" not in text
        assert 0 == await asyncio.to_thread(process.wait)
    gone, alive = await asyncio.to_thread(psutil.wait_procs, everybody, 30)
    assert [] == alive, gone
    server = local_server(own, None, linger=False)
    while "stopped" != (await asyncio.to_thread(server.status)).phase:  # noqa: ASYNC110  # nothing tells of it
        await asyncio.sleep(0.2)
    assert "Stopped." in await asyncio.to_thread(server.logs)
    async with open_service(own.model_copy(update={"embedding_model": "none"})) as inside:
        turns = (await inside.browsing.chat_memories(inside.viewer(), chat.id, first=100)).items
        kept = {listed.item.content for listed in turns}
        assert {f"Number {n}." for n, one in enumerate(told, 1) if one == "RecordMessagePayload"} <= kept
        problems = [problem for problem in await inside.doctor.examine() if "vector" not in str(problem)]
        assert [] == problems


async def test_a_worker_that_is_told_to_stop(own: Settings, root: Path) -> None:
    """On SIGTERM a worker exits with code 0 and holds no leases, so that another one can begin at once."""
    async with open_service(own.model_copy(update={"embedding_model": "none"})) as inside:
        member = Member(inside.local_user.id)
        chat = await inside.people.create_chat(INTERNAL, ChatKind.GROUP, "Long talk", [member])
        said = [Turn(f"Number {n}: Maya moved to Oslo in May.", inside.local_user.id) for n in range(600)]
        for start in range(0, 600, 100):
            await inside.recorder.record(inside.viewer(), chat.id, said[start : start + 100])
        async with command(own, root, "worker") as process:
            while not await _held(inside):
                assert process.poll() is None
                await asyncio.sleep(0.05)
            process.send_signal(signal.SIGTERM)
            assert 0 == await asyncio.to_thread(process.wait)
        assert 0 == await _held(inside)


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
