"""`bench soak`: mixed load at a steady rate for a long time, to see whether memory and latency stay constant."""

import asyncio
import random
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import httpx
import psutil

from benchmarks.environment import Report, Row, group_chat
from benchmarks.quality.metrics import percentile
from benchmarks.served import Served
from hippograph.api.global_ids import global_id
from hippograph.api.service import Service

SLICES: Final = 12
_TIMEOUT_S: Final = 60
_MANY_WRITES: Final = 3
"""Number of writes for each search and each context."""
_THINGS: Final = ("otters", "seals", "the ladder", "the boiler", "the garden", "the piano", "the ferry", "the bakery")
_VERBS: Final = ("fed", "painted", "sold", "lost", "visited", "mended", "drew", "counted")
_RECORD: Final = """
mutation ($input: RecordMessageInput!) { recordMessage(input: $input) { __typename ... on Error { message } } }
"""
_SEARCH: Final = "query ($query: String!) { search(query: $query, first: 10) { nodes { id content } } }"
_CONTEXT: Final = "query ($query: String!) { context(query: $query) { text } }"

Request = tuple[str, dict[str, Any]]


@dataclass(slots=True)
class _Slice:
    """Measurements of one part of the run: seconds by kind of request, and the number of failed requests."""

    seconds: dict[str, list[float]]
    failures: int = 0


class _Client:
    """A client that cycles through the kinds of requests. `current` is the slice that new requests count for."""

    def __init__(self, url: str, chat_id: str) -> None:
        self.current = _Slice(defaultdict(list))
        self._client = httpx.AsyncClient(base_url=url, timeout=_TIMEOUT_S)
        self._chat = global_id("Chat", chat_id)
        self._number = 0
        self._random = random.Random(1)  # noqa: S311
        self._kinds: list[tuple[str, Callable[[str], Request]]] = [
            *[("write", self._record)] * _MANY_WRITES,
            ("search", lambda thing: (_SEARCH, {"query": f"What happened to {thing}?"})),
            ("context", lambda thing: (_CONTEXT, {"query": f"What did I do with {thing}?"})),
        ]

    async def ask(self) -> None:
        """Sends the next request, and notes its duration and whether it failed."""
        self._number += 1
        kind, make = self._kinds[self._number % len(self._kinds)]
        document, variables = make(self._random.choice(_THINGS))
        slice_, started = self.current, time.monotonic()
        try:
            answer = await self._client.post("/graphql", json={"query": document, "variables": variables})
            slice_.failures += "errors" in answer.json() or '"message"' in answer.text
        except (httpx.HTTPError, ValueError):
            slice_.failures += 1
        slice_.seconds[kind].append(time.monotonic() - started)

    def _record(self, thing: str) -> Request:
        words = f"On day {self._number} I {self._random.choice(_VERBS)} {thing}."
        return _RECORD, {"input": {"chatId": self._chat, "content": words}}


async def measure(service: Service, minutes: float, rate: float, report: Report) -> list[Row]:
    """Returns a row for each of the 12 slices of the run: latencies in ms, failures, memory of the processes in MiB.

    Requests are sent at a steady `rate` (per second), however long the answers take.
    """
    chat = await group_chat(service, "talk")
    served = Served(service.settings, service.settings.data_dir / "soak.log")
    client, rows = _Client(served.url, chat.id), []
    await served.revive()
    await served.ready()
    for number in range(1, SLICES + 1):
        report(number, SLICES, f"minute {number * minutes / SLICES:.0f} of {minutes:.0f}")
        client.current = _Slice(defaultdict(list))
        await _steadily(client, minutes * 60 / SLICES, rate)
        rows.append(Row(f"until minute {number * minutes / SLICES:.0f}", _numbers(client.current, served)))
    await served.stop()
    return rows


async def _steadily(client: _Client, seconds: float, rate: float) -> None:
    """Sends requests at a steady rate for some seconds, then waits for all answers."""
    started = time.monotonic()
    async with asyncio.TaskGroup() as group:
        for number in range(round(seconds * rate)):
            await asyncio.sleep(max(0.0, started + number / rate - time.monotonic()))
            group.create_task(client.ask())


def _numbers(seen: _Slice, served: Served) -> dict[str, float]:
    memory = {f"{what} MiB": psutil.Process(pid).memory_info().rss / 2**20 for what, pid in served.pids().items()}
    times = {
        f"{kind} p{share}": percentile(seconds, share / 100) * 1000
        for kind, seconds in sorted(seen.seconds.items())
        for share in (50, 99)
    }
    return {**times, "failures": seen.failures, **memory}
