"""One life of `hippograph serve`, from its first start to SIGTERM, and what it must have done and left alone.

Where strace is installed and may trace, the service runs under it. It sees every address that the service, its workers
and its Neo4j connect to.
"""

import asyncio
import json
import os
import re
import shutil
import signal
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest
from websockets.asyncio.client import connect

from hippograph.api.arguments import inner_id
from hippograph.api.local_server import local_server
from hippograph.api.settings.settings import Settings
from hippograph.api.settings.sources import as_environment
from hippograph.api.startup import open_service
from hippograph.api.workers import COMMAND
from tests.conftest import own_settings

_TRACED = "connect,sendto,sendmsg,sendmmsg"
_STRACE = ("strace", "-f", "--seccomp-bpf", "-qq", "-s", "0", "-e", f"trace={_TRACED}")
_ADDRESS = re.compile(r'inet_addr\("([^"]+)"\)|inet_pton\(AF_INET6, "([^"]+)"')
_SWITCHES = {"CI", "DO_NOT_TRACK", "ORT_DISABLE_TELEMETRY", "HF_HUB_DISABLE_TELEMETRY", "HF_HUB_OFFLINE"}
"""Environment variables that turn off network access of libraries. Users do not set them, so the test removes them."""

SETUP = """
mutation {
  createChat(input: {kind: PRIVATE, title: "Mine"}) {
    ... on CreateChatPayload { chat { id } }
    ... on Error { message }
  }
}
"""
RECORD = """
mutation R($input: RecordMessageInput!) { recordMessage(input: $input) { __typename ... on Error { message } } }
"""
RECORDED = "RecordMessagePayload"
ADDED = "subscription { memoryAdded { content } }"
EVENTS = {"accept": "text/event-stream"}
PENDING = "{ stats { pending } }"
SEARCH = '{ search(query: "Where does Maya live?") { nodes { content } } }'
SAID = "Maya lives in Oslo and works at Siemens."


def _traces() -> bool:
    """Whether strace is installed and allowed to trace."""
    if not shutil.which("strace"):
        return False
    return 0 == subprocess.run([*_STRACE, "-o", os.devnull, "true"], check=False, capture_output=True).returncode


TRACES = _traces()


@dataclass(frozen=True, slots=True)
class Life:
    """What was seen of a service that has ended.

    `folder` holds what it printed (`out`) and its `trace`. `children` are its processes, `streamed` is what an event
    stream sent, `close_code` that of a WebSocket. `answers` are those to the requests that ran when it was told to
    stop: for each the type of its payload, or the error.
    """

    own: Settings
    folder: Path
    chat: str
    children: list[psutil.Process]
    streamed: str
    close_code: int | None
    answers: list[str | BaseException]
    exit_code: int


async def ask(client: httpx.AsyncClient, query: str, **variables: Any) -> dict[str, Any]:
    """Returns the data of an answer, which must have no errors."""
    answer = (await client.post("/graphql", json={"query": query, "variables": variables})).json()
    assert "errors" not in answer, answer
    found: dict[str, Any] = answer["data"]
    return found


async def record(url: str, chat: str, content: str) -> str:
    """Records a turn by a connection of its own, and returns the type of the payload."""
    async with httpx.AsyncClient(base_url=url, timeout=60) as alone:
        told = await ask(alone, RECORD, input={"chatId": chat, "content": content})
        return str(told["recordMessage"]["__typename"])


async def listen(client: httpx.AsyncClient, begun: asyncio.Event) -> str:
    """Follows new memories by an event stream until it ends, and returns all that it sent. Sets `begun` when the
    headers of the response have arrived.
    """
    heard = ""
    async with client.stream("POST", "/graphql", json={"query": ADDED}, headers=EVENTS, timeout=None) as answer:
        begun.set()
        with suppress(httpx.RemoteProtocolError):  # on a slow machine the shutdown timeout is too short
            async for text in answer.aiter_text():
                heard += text
    return heard


@pytest.fixture(scope="module")
async def life(tmp_path_factory: pytest.TempPathFactory, root: Path, bge_folder: Path, _own_environment: None) -> Life:
    """The life of a service with workers and a Neo4j of its own, from an empty folder. It records, enriches, searches,
    and serves metrics, pages and streams. It gets SIGTERM while it answers requests and two clients follow it.
    """
    folder = tmp_path_factory.mktemp("life")
    own = own_settings(folder / "data")
    url = f"http://127.0.0.1:{own.port}"
    async with serving(own, folder, root) as process, httpx.AsyncClient(base_url=url, timeout=120) as client:
        await _ready(client, process, folder)
        started = psutil.Process(process.pid)
        [service] = started.children() if TRACES else [started]
        children = service.children(recursive=True)
        assert [child for child in children if "worker" in child.cmdline()]
        chat = (await ask(client, SETUP))["createChat"]["chat"]["id"]
        # Without a limit, messages that are not read here do not keep the close code from being read.
        async with connect(
            f"ws://127.0.0.1:{own.port}/graphql",
            subprotocols=["graphql-transport-ws"],  # type: ignore[list-item]
            max_queue=None,
        ) as follower:
            await follower.send(json.dumps({"type": "connection_init"}))
            await follower.recv()
            await follower.send(json.dumps({"id": "1", "type": "subscribe", "payload": {"query": ADDED}}))
            begun = asyncio.Event()
            listening = asyncio.create_task(listen(client, begun))
            await begun.wait()
            await asyncio.sleep(0.5)  # the headers may come, and the WebSocket may be read, before one is subscribed
            assert RECORDED == await record(url, chat, SAID)
            assert SAID in str(await follower.recv())
            await _use(client)
            asking = [asyncio.create_task(record(url, chat, f"Number {number}.")) for number in range(20)]
            await asyncio.wait(asking, return_when=asyncio.FIRST_COMPLETED)
            service.send_signal(signal.SIGTERM)
            answers = await asyncio.gather(*asking, return_exceptions=True)
            await follower.wait_closed()
        streamed = await listening
        exit_code = await asyncio.to_thread(process.wait)  # strace ends last, with the code of the service
    return Life(own, folder, chat, children, streamed, follower.close_code, answers, exit_code)


@asynccontextmanager
async def serving(own: Settings, folder: Path, root: Path) -> AsyncIterator[subprocess.Popen[bytes]]:
    """Runs `hippograph serve`, under strace where it traces, and kills it at the end if it still runs."""
    environment = {name: value for name, value in os.environ.items() if name not in _SWITCHES}
    environment |= {**as_environment(own), "PYTHONPATH": str(root), "HOME": str(folder)}
    tracer = [*_STRACE, "-o", str(folder / "trace")] if TRACES else []
    with (folder / "out").open("wb") as output:
        process = subprocess.Popen(  # noqa: ASYNC220  # it is waited for in a thread
            [*tracer, *COMMAND, "serve"], env=environment, stdout=output, stderr=output
        )
    try:
        yield process
    finally:
        if process.poll() is None:
            for child in psutil.Process(process.pid).children(recursive=True):
                child.kill()
            if not TRACES:  # strace ends by itself
                process.kill()
            process.wait()


async def _ready(client: httpx.AsyncClient, process: subprocess.Popen[bytes], folder: Path) -> None:
    """Waits until the service is ready; fails if its process ends."""
    while True:
        assert process.poll() is None, (folder / "out").read_text()
        with suppress(httpx.TransportError):
            if 200 == (await client.get("/readyz")).status_code:
                return
        await asyncio.sleep(0.2)


async def _use(client: httpx.AsyncClient) -> None:
    """Waits until no memory is pending, searches, and gets metrics and pages."""
    while (await ask(client, PENDING))["stats"]["pending"]:  # noqa: ASYNC110  # there is no event to wait for
        await asyncio.sleep(0.5)
    assert (await ask(client, SEARCH))["search"]["nodes"]
    assert "hippograph_operations_total" in (await client.get("/metrics")).text
    assert 200 == (await client.get("/graphiql/")).status_code
    assert 200 == (await client.get("/memory?q=Where+does+Maya+live")).status_code


async def test_a_service_that_is_told_to_stop(life: Life) -> None:
    """On SIGTERM, running requests are answered, a WebSocket is closed with 1012, and an event stream ends without
    `complete`. The service's workers and its Neo4j stop. Every acknowledged message is stored, and the doctor finds no
    problem.
    """
    assert 0 == life.exit_code, (life.folder / "out").read_text()
    assert 1012 == life.close_code
    assert SAID in life.streamed
    assert "event: complete" not in life.streamed
    # Requests that come too late fail to connect; all that were accepted are answered.
    refused = [one for one in life.answers if isinstance(one, BaseException)]
    assert not [one for one in refused if not isinstance(one, httpx.ConnectError)], refused
    assert {RECORDED} == {one for one in life.answers if not isinstance(one, BaseException)}
    gone, alive = await asyncio.to_thread(psutil.wait_procs, life.children, 30)
    assert [] == alive, gone
    server = local_server(life.own, None, linger=False)
    while "stopped" != (await asyncio.to_thread(server.status)).phase:  # noqa: ASYNC110  # nothing tells of it
        await asyncio.sleep(0.2)
    assert "Stopped." in await asyncio.to_thread(server.logs)
    async with open_service(life.own.model_copy(update={"embedding_model": "none"})) as inside:
        chat = inner_id("Chat", life.chat)
        turns = (await inside.browsing.chat_memories(inside.viewer(), chat, first=100)).items
        acknowledged = {SAID, *(f"Number {n}." for n, one in enumerate(life.answers) if one == RECORDED)}
        assert acknowledged <= {listed.item.content for listed in turns}
        problems = [problem for problem in await inside.doctor.examine() if "vector" not in str(problem)]
        assert [] == problems


def dialled(trace: str) -> set[str]:
    """The IPv4 and IPv6 addresses in a trace."""
    return {one or other for one, other in _ADDRESS.findall(trace)}


def test_the_trace_shows_who_dials_out() -> None:
    """The addresses of a connection and a datagram are found in a trace, whether the call is finished or not."""
    trace = """
1 connect(3, {sa_family=AF_INET, sin_port=htons(53), sin_addr=inet_addr("192.0.2.1")}, 16 <unfinished ...>
1 sendto(3, ""..., 30, 0, {sa_family=AF_INET6, inet_pton(AF_INET6, "2001:db8::1", &sin6_addr)}, 28) = 30
1 connect(3, {sa_family=AF_UNIX, sun_path="/run/nscd"}, 110) = -1 ENOENT
"""
    assert {"192.0.2.1", "2001:db8::1"} == dialled(trace)


@pytest.mark.skipif(not TRACES, reason="NOT CHECKED: strace is not here, or may not trace, so nothing watched dials")
async def test_nothing_but_loopback_is_dialled(life: Life) -> None:
    """A service with workers and a Neo4j that starts, records, enriches, searches, serves metrics and pages, and stops
    connects only to loopback addresses. So it queries no name server either.
    """
    found = dialled((life.folder / "trace").read_text("utf-8", "replace"))
    assert "127.0.0.1" in found
    assert [] == [each for each in found if not _is_loopback(each)]


def _is_loopback(address: str) -> bool:
    parsed = ip_address(address)
    mapped = getattr(parsed, "ipv4_mapped", None)
    return (mapped or parsed).is_loopback
