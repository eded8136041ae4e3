"""The write part of `bench speed`: messages over HTTP beside the bare statement of the hot path over Bolt, and facts
that supersede others beside messages.
"""

import asyncio
import itertools
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final

from benchmarks.environment import Report, Row, group_chat, percentiles, process_memory
from benchmarks.quality.metrics import percentile
from benchmarks.served import Served
from hippograph.api.service import Service
from hippograph.graph.model import Chat
from hippograph.graph.writing.recording import Turn

WARM_UP: Final = 300
MESSAGES: Final = 800
ASPECTS: Final = 20
"""Number of aspects that the facts use in rotation; each new value supersedes the previous one of its aspect."""


@dataclass(frozen=True, slots=True)
class _Load:
    """A write load: the number of concurrent clients, and of the chats that they write to."""

    clients: int
    chats: int


LOADS: Final = (_Load(1, 1), _Load(16, 1), _Load(16, 16))


async def measure(service: Service, report: Report) -> list[Row]:
    """Times recordMessage over HTTP and the bare statement over Bolt, in turns, so that both see the same load of the
    machine; then facts beside messages.
    """
    rows: list[Row] = []
    chats = [await group_chat(service, f"writing {number}") for number in range(16)]
    async with _served(service, rows) as post:
        bare, http = _bare(service), _http(service, post)
        for load in LOADS:
            for write in (bare, http):
                await _write_all(write, chats[: load.chats], load.clients, WARM_UP)
        for number, load in enumerate(LOADS, start=1):
            report(number, len(LOADS), f"writing: {load.clients} clients, {load.chats} chats")
            named = {"bare statement over Bolt": bare, "recordMessage over HTTP": http}
            rates = {}
            for name, write in named.items():
                took, times = await _write_all(write, chats[: load.chats], load.clients, MESSAGES)
                rates[name] = len(times) / took
                what = f"{name}, {load.clients} clients, {load.chats} chats"
                rows.append(Row(what, {"messages/s": rates[name], **percentiles(times)}))
            share = rates["recordMessage over HTTP"] / rates["bare statement over Bolt"]
            rows.append(
                Row(f"  share of the bare statement, {load.clients} clients, {load.chats} chats", {"ratio": share})
            )
        report(len(LOADS), len(LOADS), "writing: facts beside messages")
        rows += await _facts_beside_messages(http, _fact(post), chats[0].id)
    return rows


async def _facts_beside_messages(message: "_Write", fact: "_Write", chat: str) -> list[Row]:
    """Times one client that writes a message and a fact in turns."""
    took: dict[str, list[float]] = {"recordMessage": [], "rememberFact that supersedes": []}
    for number in range(WARM_UP + MESSAGES):
        for (what, seconds), write in zip(took.items(), (message, fact), strict=True):
            started = time.perf_counter()
            await write(chat, f"{what} {number}: we meet at the station at nine")
            if number >= WARM_UP:
                seconds.append(time.perf_counter() - started)
    ratio = percentile(took["rememberFact that supersedes"], 0.99) / percentile(took["recordMessage"], 0.99)
    return [
        *(Row(f"{what}, in turns with the other", percentiles(seconds)) for what, seconds in took.items()),
        Row("  p99 of rememberFact over that of recordMessage", {"ratio": ratio}),
    ]


_Write = Callable[[str, str], Awaitable[None]]
_Post = Callable[[dict[str, Any]], Awaitable[Any]]


async def _write_all(write: _Write, chats: Sequence[Chat], clients: int, messages: int) -> tuple[float, list[float]]:
    """Writes messages with concurrent clients, each of which writes one at a time. Returns the total seconds, and the
    seconds of each message.
    """
    times: list[float] = []
    left = iter(range(messages))

    async def client(number: int) -> None:
        chat = chats[number % len(chats)]
        for message in left:
            started = time.perf_counter()
            await write(chat.id, f"Message {message} of client {number}: shall we meet at the station at nine?")
            times.append(time.perf_counter() - started)

    started = time.perf_counter()
    await asyncio.gather(*(client(number) for number in range(clients)))
    return time.perf_counter() - started, times


def _bare(service: Service) -> _Write:
    """Returns a writer that runs only the statement of the hot path: its parameters, the driver, the commit."""
    viewer = service.viewer()

    async def write(chat: str, text: str) -> None:
        params = service.recorder.parameters(viewer, chat, [Turn(text, viewer.person_id)])
        await service.database.run("memory/record_turns", **params)

    return write


_MUTATION: Final = """
mutation Record($input: RecordMessageInput!) {
  recordMessage(input: $input) { ... on RecordMessagePayload { memoryId } ... on Error { message } }
}
"""


def _http(service: Service, post: _Post) -> _Write:
    async def write(chat: str, text: str) -> None:
        given = {"chatId": chat, "content": text, "speakerId": service.local_user.id}
        answer = await post({"query": _MUTATION, "variables": {"input": given}})
        if not answer.get("data", {}).get("recordMessage", {}).get("memoryId"):
            raise RuntimeError(f"a message was refused: {answer}")

    return write


_REMEMBER: Final = """
mutation Remember($input: RememberFactInput!) {
  rememberFact(input: $input) { ... on RememberFactPayload { memoryId confirmed } ... on Error { message } }
}
"""


def _fact(post: _Post) -> _Write:
    """Returns a writer of the user's own facts, each with the next of `ASPECTS` aspects in rotation. It raises
    RuntimeError if a fact is refused or only confirms one, so each text must be new.
    """
    number = itertools.count()

    async def write(chat: str, text: str) -> None:
        fact = {"content": text, "aspect": f"matter_{next(number) % ASPECTS}"}
        answer = await post({"query": _REMEMBER, "variables": {"input": {"fact": fact, "chatId": chat}}})
        if answer.get("data", {}).get("rememberFact", {}).get("confirmed") is not False:
            raise RuntimeError(f"a fact did not take the place of another: {answer}")

    return write


@asynccontextmanager
async def _served(service: Service, rows: list[Row]) -> AsyncIterator[_Post]:
    """Runs a service process on the same graph, without workers, and yields a function that posts to it.

    At the end, adds the memory of the process to `rows`.
    """
    import aiohttp  # the extra `bench`

    log = service.settings.data_dir / "writing.log"
    served = Served(service.settings, log, workers=0, log_level="WARNING")
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=16)) as client:

        async def post(body: dict[str, Any]) -> Any:
            async with client.post(f"{served.url}/graphql", json=body) as response:
                return await response.json()

        try:
            await served.revive()
            await served.ready()
            yield post
            rows.append(process_memory("the service after writing", served.pids()["service"]))
        finally:
            await served.stop()
