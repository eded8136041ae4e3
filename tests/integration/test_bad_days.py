"""Failures: Neo4j stopped, Neo4j killed, the service killed. These tests have their own Neo4j, which they may end."""

import asyncio
import os
import signal
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest

from hippograph.api.graphql.nodes import global_id
from hippograph.api.service import Service
from hippograph.api.settings.settings import Settings
from hippograph.api.settings.sources import as_environment
from hippograph.api.startup import open_service
from hippograph.api.web.health import readiness
from hippograph.api.workers import COMMAND
from hippograph.graph.database import Database
from hippograph.graph.errors import DatabaseUnavailable
from hippograph.graph.local.server import LocalConfig, LocalServer
from hippograph.graph.model import INTERNAL, Chat, ChatKind
from hippograph.graph.people.people import Member
from hippograph.graph.writing.recording import Turn
from tests.conftest import own_settings

WRITERS, EACH = 8, 15
RECORD = """
mutation Record($input: RecordMessageInput!) {
  recordMessage(input: $input) { __typename ... on Error { message retryable } }
}
"""


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory, _own_environment: None) -> Settings:
    """The settings of these tests, with a data folder and a Neo4j of their own, whatever the other tests use."""
    return own_settings(tmp_path_factory.mktemp("bad-days"), ner_model="none", log_format="json")


@pytest.fixture(scope="module")
def server(own: Settings) -> Iterator[Callable[[], LocalServer]]:
    """Returns a function that makes a handle of the running server, which is stopped at the end, whoever holds it."""
    config = LocalConfig(
        own.data_dir,
        own.cache_dir,
        heap_mb=own.neo4j_heap_mb,
        pagecache_mb=own.neo4j_pagecache_mb,
        bolt_port=own.neo4j_bolt_port,
        http_port=own.neo4j_http_port,
        start_timeout_s=own.neo4j_start_timeout_s,
    )
    keeper = LocalServer(config)
    keeper.start()
    yield lambda: LocalServer(config)
    keeper.stop()


@pytest.fixture(scope="module")
async def shaky(own: Settings, server: Callable[[], LocalServer]) -> AsyncIterator[Service]:
    """A service on the Neo4j of these tests."""
    async with open_service(own) as service:
        yield service


async def group(service: Service) -> Chat:
    """Creates a group of the local user alone."""
    return await service.people.create_chat(INTERNAL, ChatKind.GROUP, "Talk", [Member(service.local_user.id)])


async def until(condition: Callable[[], Awaitable[bool]]) -> None:
    """Waits until a condition holds; pytest's timeout limits the wait."""
    while not await condition():  # noqa: ASYNC110  # nothing signals it
        await asyncio.sleep(0.2)


async def ready(service: Service) -> bool:
    """Whether a service reports that it is ready."""
    return not (await readiness(service)).problems


async def contents(database: Database, chat_id: str) -> list[str]:
    """Returns the contents of the turns of a chat."""
    async with database._driver.session() as session:
        result = await session.run("MATCH (m:Memory {learned_in: $id}) RETURN m.content AS content", id=chat_id)
        return [record["content"] async for record in result]


async def fails_for_now(attempt: Awaitable[object]) -> None:
    """Checks that an attempt raises an error after which a retry may help."""
    with pytest.raises(DatabaseUnavailable) as caught:
        await attempt
    assert caught.value.retryable


async def test_a_stopped_neo4j_is_waited_for(shaky: Service, server: Callable[[], LocalServer]) -> None:
    """While Neo4j is stopped, writes and searches raise a retryable error and the service is not ready. When Neo4j is
    back, the same service goes on.
    """
    chat, me = await group(shaky), shaky.local_user.id

    async def say(words: str) -> bool:
        await shaky.recorder.record(shaky.viewer(), chat.id, [Turn(words, me, idempotency_key=words)])
        return True

    await say("before")
    await asyncio.to_thread(server().stop)
    # All three at once, since each waits for Neo4j for some seconds.
    write, search = say("meanwhile"), shaky.search.search(shaky.viewer(chat.id), "before")
    _, _, probe = await asyncio.gather(fails_for_now(write), fails_for_now(search), readiness(shaky))
    assert [] != probe.problems
    again = server()
    connection = await asyncio.to_thread(again.start)
    try:
        assert shaky.connection.uri == connection.uri

        async def works() -> bool:
            with suppress(DatabaseUnavailable):
                return await say("meanwhile")
            return False

        await until(works)
        await until(lambda: ready(shaky))
        assert ["before", "meanwhile"] == sorted(await contents(shaky.database, chat.id))
        assert [] == await shaky.doctor.examine()
    finally:
        again.release()


async def test_nothing_is_lost_when_neo4j_is_killed(shaky: Service, server: Callable[[], LocalServer]) -> None:
    """After `kill -9` of Neo4j under the load of eight writers, each acknowledged turn is stored once and searchable.

    The supervisor is paused, so that Neo4j is not started again before a write was refused.
    """
    chat, me, acknowledged = await group(shaky), shaky.local_user.id, []
    loaded, refused = asyncio.Event(), asyncio.Event()
    running = server().status()
    assert running.pid
    assert running.supervisor_pid

    async def write(number: int) -> None:
        for message in range(EACH):
            words = f"writer {number} message {message}"
            while words not in acknowledged:
                try:
                    await shaky.recorder.record(shaky.viewer(), chat.id, [Turn(words, me, idempotency_key=words)])
                    acknowledged.append(words)
                except DatabaseUnavailable:
                    refused.set()
                    await asyncio.sleep(0.3)
                if len(acknowledged) == WRITERS * EACH // 4:
                    loaded.set()

    async def kill() -> None:
        await loaded.wait()
        os.kill(running.supervisor_pid, signal.SIGSTOP)
        os.kill(running.pid, signal.SIGKILL)
        try:
            await refused.wait()
        finally:
            os.kill(running.supervisor_pid, signal.SIGCONT)

    await asyncio.gather(kill(), *(write(number) for number in range(WRITERS)))
    assert WRITERS * EACH == len(acknowledged)
    assert sorted(acknowledged) == sorted(await contents(shaky.database, chat.id))
    while await shaky.enrichment.step():
        pass
    backlog = await shaky.enrichment.queue.backlog()
    assert (0, 0) == (backlog.waiting, backlog.failed)
    assert [] == await shaky.doctor.examine()
    page = await shaky.search.search(shaky.viewer(chat.id), "writer 3 message 7", first=10)
    hits = {result.memory.content: set(result.hits) for result in page.results}
    assert {"full_text", "vector"} == hits["writer 3 message 7"]


@asynccontextmanager
async def serving(own: Settings, root: Path, log: Path) -> AsyncIterator[subprocess.Popen[bytes]]:
    """Runs `hippograph serve` as a process and yields it when it is ready; kills it at the end if it still runs."""
    environment = {**os.environ, **as_environment(own), "PYTHONPATH": str(root)}
    with log.open("ab") as output:
        process = subprocess.Popen(  # noqa: ASYNC220  # it is killed and waited for as a process, not as a task
            [*COMMAND, "serve"], env=environment, stdout=output, stderr=output
        )

    async def answers() -> bool:
        assert process.poll() is None, f"it ended: see {log}"
        with suppress(httpx.TransportError):
            async with httpx.AsyncClient() as client:
                return (await client.get(f"http://127.0.0.1:{own.port}/readyz")).status_code == 200
        return False

    try:
        await until(answers)
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()


def ended(process: psutil.Process) -> bool:
    """Whether a process is gone or a zombie."""
    try:
        return process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


async def test_nothing_is_lost_when_the_service_is_killed(
    own: Settings, shaky: Service, server: Callable[[], LocalServer], root: Path, tmp_path: Path
) -> None:
    """After `kill -9` of the service under load, each acknowledged turn is stored once and gets its vector, and no
    process is left.
    """
    chat, acknowledged = await group(shaky), set()
    loaded, killed = asyncio.Event(), asyncio.Event()

    async def write(number: int) -> None:
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{own.port}", timeout=None) as client:
            for message in range(EACH):
                words = f"writer {number} message {message}"
                given = {"chatId": global_id("Chat", chat.id), "content": words, "idempotencyKey": words}
                with suppress(httpx.TransportError):
                    answer = await client.post("/graphql", json={"query": RECORD, "variables": {"input": given}})
                    told = answer.json()["data"]["recordMessage"]
                    assert "RecordMessagePayload" == told["__typename"], told
                    acknowledged.add(words)
                if len(acknowledged) >= WRITERS * EACH // 3 and not killed.is_set():
                    loaded.set()

    async def load() -> None:
        await asyncio.gather(*(write(number) for number in range(WRITERS)))

    log = tmp_path / "serve.log"
    async with serving(own, root, log) as first:
        everybody = psutil.Process(first.pid).children(recursive=True)
        assert any("worker" in child.cmdline() for child in everybody)

        async def kill() -> None:
            await loaded.wait()
            killed.set()
            first.kill()

        await asyncio.gather(load(), kill())
    before = set(acknowledged)
    assert WRITERS * EACH // 3 <= len(before) < WRITERS * EACH
    stored = await contents(shaky.database, chat.id)
    assert before <= set(stored)
    assert len(stored) == len(set(stored))
    await until(lambda: nobody(everybody))

    async with serving(own, root, log) as second:
        await load()
        everything = sorted(
            f"writer {number} message {message}" for number in range(WRITERS) for message in range(EACH)
        )
        assert (everything, everything) == (
            sorted(acknowledged),
            sorted(await contents(shaky.database, chat.id)),
        )
        await shaky.runner.until_idle()
        everybody = psutil.Process(second.pid).children(recursive=True)
        second.terminate()
        # uvicorn closes what it opened, and then ends with the signal that it was sent.
        assert await asyncio.to_thread(second.wait) in (0, -signal.SIGTERM)
    await until(lambda: nobody(everybody))
    assert await vectors(shaky.database, chat.id)
    assert [] == await shaky.doctor.examine()
    java = psutil.Process((await asyncio.to_thread(server().status)).pid)
    await asyncio.to_thread(server().stop)
    assert ended(java)
    assert [] == [p for p in psutil.process_iter() if own.data_dir.name in " ".join(arguments(p))]


def arguments(process: psutil.Process) -> list[str]:
    """Returns the command line of a process; empty if it cannot be read, as of a process that is gone."""
    try:
        return process.cmdline()
    except psutil.Error:
        return []


async def nobody(processes: list[psutil.Process]) -> bool:
    """Whether all of these processes are gone."""
    return all(ended(process) for process in processes)


async def vectors(database: Database, chat_id: str) -> bool:
    """Whether all turns of a chat have a vector."""
    async with database._driver.session() as session:
        text = "MATCH (m:Memory {learned_in: $id}) RETURN count(m) = count(m.embedding_a) AS complete"
        record: Any = await (await session.run(text, id=chat_id)).single()
        return bool(record["complete"])
