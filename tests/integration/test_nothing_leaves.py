"""Checks with strace, which sees every address, that a running service connects to no other machine."""

import asyncio
import os
import re
import shutil
import signal
import subprocess
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest

from hippograph.api.settings.sources import as_environment
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
SEARCH = '{ search(query: "Where does Maya live?") { nodes { content } } stats { pending waitingSessions } }'


def _traces() -> bool:
    """Whether strace is installed and allowed to trace."""
    if not shutil.which("strace"):
        return False
    return 0 == subprocess.run([*_STRACE, "-o", os.devnull, "true"], check=False, capture_output=True).returncode


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


@pytest.mark.usefixtures("_own_environment")
@pytest.mark.skipif(not _traces(), reason="NOT CHECKED: strace is not here, or may not trace, so nothing watched dials")
async def test_nothing_but_loopback_is_dialled(tmp_path: Path, root: Path, bge_folder: Path) -> None:
    """A service with workers and a Neo4j that starts, records, enriches, searches, serves metrics and pages, and stops
    connects only to loopback addresses. So it queries no name server either.
    """
    own = own_settings(tmp_path / "data")
    environment = {name: value for name, value in os.environ.items() if name not in _SWITCHES}
    environment |= {**as_environment(own), "PYTHONPATH": str(root), "HOME": str(tmp_path)}
    log = tmp_path / "trace"
    with (tmp_path / "out").open("wb") as output:
        tracer = subprocess.Popen(  # noqa: ASYNC220  # it is waited for in a thread
            [*_STRACE, "-o", str(log), *COMMAND, "serve"],
            env=environment,
            stdout=output,
            stderr=output,
        )
    try:
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{own.port}", timeout=120) as client:
            await _live(client, tracer, tmp_path)
        [service] = psutil.Process(tracer.pid).children()
        service.send_signal(signal.SIGTERM)
        assert 0 == await asyncio.to_thread(tracer.wait), (tmp_path / "out").read_text()
    finally:
        if tracer.poll() is None:
            for process in psutil.Process(tracer.pid).children(recursive=True):
                process.kill()
            tracer.wait()
    found = dialled(log.read_text("utf-8", "replace"))
    assert "127.0.0.1" in found
    assert [] == [each for each in found if not _is_loopback(each)]


async def _live(client: httpx.AsyncClient, tracer: subprocess.Popen[bytes], folder: Path) -> None:
    """Waits until the service is ready, records a turn, waits until none is pending, searches, and gets metrics and
    pages.
    """

    async def ask(query: str, **variables: Any) -> dict[str, Any]:
        answer = (await client.post("/graphql", json={"query": query, "variables": variables})).json()
        assert "errors" not in answer, answer
        found: dict[str, Any] = answer["data"]
        return found

    while True:
        assert tracer.poll() is None, (folder / "out").read_text()
        with suppress(httpx.TransportError):
            if 200 == (await client.get("/readyz")).status_code:
                break
        await asyncio.sleep(0.5)
    chat = (await ask(SETUP))["createChat"]["chat"]["id"]
    await ask(RECORD, input={"chatId": chat, "content": "Maya lives in Oslo and works at Siemens."})
    while (await ask(SEARCH))["stats"]["pending"]:  # noqa: ASYNC110  # there is no event to wait for
        await asyncio.sleep(0.5)
    assert (await ask(SEARCH))["search"]["nodes"]
    assert "hippograph_operations_total" in (await client.get("/metrics")).text
    assert 200 == (await client.get("/graphiql/")).status_code
    assert 200 == (await client.get("/memory?q=Where+does+Maya+live")).status_code


def _is_loopback(address: str) -> bool:
    parsed = ip_address(address)
    mapped = getattr(parsed, "ipv4_mapped", None)
    return (mapped or parsed).is_loopback
