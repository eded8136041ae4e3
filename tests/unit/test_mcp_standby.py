"""Answers to a client of MCP before the server is loaded: they come at once, and equal those of the server."""

import asyncio
import io
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, LATEST_MODERN_VERSION

from hippograph.api.mcp import startup as starting
from hippograph.api.mcp.server import INSTRUCTIONS, Server, make_server
from hippograph.api.mcp.standby import CATALOGUE_FILE, Standby
from hippograph.api.mcp.startup import NotReady, Startup

LISTS = ("tools/list", "resources/list", "resources/templates/list", "prompts/list")
CLIENT = {"name": "test", "version": "1"}
ENVELOPE = {
    "_meta": {
        "io.modelcontextprotocol/protocolVersion": LATEST_MODERN_VERSION,
        "io.modelcontextprotocol/clientInfo": CLIENT,
        "io.modelcontextprotocol/clientCapabilities": {},
    }
}
Message = dict[str, Any]


def handshake(version: str) -> list[Message]:
    """The first requests of a client that begins with a handshake."""
    params = {"protocolVersion": version, "capabilities": {}, "clientInfo": CLIENT}
    asked = [("initialize", params), ("ping", None), *((each, {}) for each in LISTS)]
    return [request(number, method, params) for number, (method, params) in enumerate(asked)]


def modern() -> list[Message]:
    """The first requests of a client of the latest protocol version."""
    return [request(f"r{number}", each, ENVELOPE) for number, each in enumerate(("server/discover", *LISTS))]


def request(identity: int | str, method: str, params: Message | None = None) -> Message:
    """A JSON-RPC request."""
    return {"jsonrpc": "2.0", "id": identity, "method": method, **({} if params is None else {"params": params})}


def server() -> Server:
    """An MCP server whose service is not open."""
    startup = Startup()
    return make_server(startup, lambda _: startup.opened.viewer())


class Client(io.BytesIO):
    """The input from a client: its messages, and the end once `answers` lines were written to `out`."""

    def __init__(self, messages: list[Message], answers: int, out: io.BytesIO) -> None:
        super().__init__("".join(json.dumps(message) + "\n" for message in messages).encode())
        self._answers = answers
        self._out = out

    def __next__(self) -> bytes:
        line = self.readline()
        while not line and self._out.getvalue().count(b"\n") < self._answers:
            time.sleep(0.01)
        if not line:
            raise StopIteration
        return line


def standby_over(messages: list[Message], answers: int = 0) -> tuple[Standby, io.BytesIO]:
    """A standby whose input has these messages and ends after `answers` answers, and its output."""
    out = io.BytesIO()
    catalogue = json.loads(CATALOGUE_FILE.read_text("utf-8"))
    catalogue["server"]["instructions"] = INSTRUCTIONS
    return Standby(Client(messages, answers, out), out, catalogue), out


def sent(out: io.BytesIO) -> dict[int | str, Message]:
    """The answers in an output, by the ids of their requests."""
    messages = [json.loads(line) for line in out.getvalue().splitlines()]
    return {message["id"]: message for message in messages}


async def test_the_catalogue_is_what_the_code_says() -> None:
    """The stored catalogue equals that of the server. `python -m scripts.export_tools` writes it."""
    assert json.loads(CATALOGUE_FILE.read_text("utf-8")) == await server().catalogue()


@pytest.mark.parametrize(
    "messages",
    [*map(handshake, (*HANDSHAKE_PROTOCOL_VERSIONS, "1999-01-01")), modern()],
    ids=lambda each: str(each)[:90],
)
async def test_first_answers_are_those_of_the_server(messages: list[Message]) -> None:
    """In each protocol version a client gets the same answers from the standby as from the server."""
    early, early_out = standby_over(messages)
    early.read()
    late, late_out = standby_over(messages, len(messages))
    late.hand_over()
    await asyncio.gather(asyncio.to_thread(late.read), server().run_on(late))
    assert len(messages) == len(sent(early_out))
    assert sent(late_out) == sent(early_out)


async def test_what_was_answered_is_not_answered_again() -> None:
    """The server also receives a handshake that was answered already, but only one answer is sent. The server answers
    the requests that only it can, after the earlier ones.
    """
    asked = [
        *handshake("2025-11-25"),
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        request("unknown", "no/such"),
    ]
    standby, out = standby_over(asked, answers=7)
    reading = asyncio.create_task(asyncio.to_thread(standby.read))
    while len(sent(out)) < 6:  # noqa: ASYNC110  # there is no event to wait for
        await asyncio.sleep(0.01)
    await asyncio.gather(reading, server().run_on(standby))
    answers = [json.loads(line)["id"] for line in out.getvalue().splitlines()]
    assert [0, 1, 2, 3, 4, 5, "unknown"] == answers
    assert -32601 == sent(out)["unknown"]["error"]["code"]


@pytest.mark.parametrize(
    "message",
    [
        request(1, "tools/list"),
        request(1, "initialize"),
        request(1, "initialize", {"protocolVersion": "2025-11-25"}),
        request(1, "server/discover"),
        request(1, "server/discover", {"_meta": {"io.modelcontextprotocol/protocolVersion": "2099-01-01"}}),
        {"jsonrpc": "2.0", "method": "tools/list"},
        {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": []},
    ],
    ids=str,
)
def test_what_is_not_known_is_left_to_the_server(message: Message) -> None:
    """A request that is out of order, malformed or of an unknown version is passed to the server unchanged."""
    standby, out = standby_over([message])
    standby.read()
    assert b"" == out.getvalue()
    assert message == json.loads(standby.readline())
    assert "" == standby.readline()


def test_lines_that_are_no_message_are_left_to_the_server() -> None:
    """Lines that are no JSON-RPC message are passed to the server, which refuses them; empty lines are dropped."""
    standby = Standby(io.BytesIO(b"\n{\n[1]\n"), io.BytesIO(), {})
    standby.read()
    assert ["{\n", "[1]\n", ""] == [standby.readline() for _ in range(3)]


def test_nothing_is_loaded_before_the_first_answer(root: Path) -> None:
    """The command and the standby import neither the MCP SDK nor libraries of models nor the database driver."""
    program = (
        "import sys, hippograph.api.cli, hippograph.api.mcp.standby\n"
        "print(*{name.partition('.')[0] for name in sys.modules}, *(m for m in sys.modules if '.' in m))"
    )
    ran = subprocess.run([sys.executable, "-c", program], cwd=root, capture_output=True, text=True, check=True)
    loaded = set(ran.stdout.split())
    assert {"hippograph.api.cli.server.run", "hippograph.api.mcp.standby"} <= loaded
    assert "rich.progress" not in loaded
    assert not loaded & {
        "mcp",
        "mcp_types",
        "pydantic",
        "anyio",
        "starlette",
        "neo4j",
        "numpy",
        "spacy",
        "hippograph.api.service",
    }


async def test_a_call_waits_for_the_service_and_is_told_for_what(monkeypatch: pytest.MonkeyPatch) -> None:
    """A call before the service is open is told repeatedly what is being done, and fails with it after `PATIENCE_S`."""
    monkeypatch.setattr(starting, "PATIENCE_S", 0.3)
    monkeypatch.setattr(starting, "_TOLD_EVERY_S", 0.1)
    startup = Startup()
    startup.tell(1, 4, "downloading Neo4j")
    heard = []

    async def told(_: float, what: str) -> None:
        heard.append(what)

    with pytest.raises(NotReady, match=r"still starting \(downloading Neo4j \(25 %\)"):
        await startup.service(told)
    assert len(heard) >= 3
    assert {"downloading Neo4j (25 %)"} == set(heard)


async def test_a_start_that_failed_is_told_to_each_call() -> None:
    """After a failed start every call raises `NotReady` with the reason."""
    startup = Startup()
    startup.failed("the password is wrong")
    for _ in range(2):
        with pytest.raises(NotReady, match="the password is wrong"):
            await startup.service()


def test_progress_is_printed_once_for_each_step(capsys: pytest.CaptureFixture[str]) -> None:
    """Standard error gets one line for each step, not one for each change of its progress."""
    startup = Startup()
    for done in range(100):
        startup.tell(done, 100, "downloading Neo4j")
    startup.tell(0, 0, "starting Neo4j")
    assert ["hippograph: downloading Neo4j (0 %)", "hippograph: starting Neo4j"] == capsys.readouterr().err.splitlines()
