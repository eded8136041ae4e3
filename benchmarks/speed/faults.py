"""`bench faults`: faults under load. Processes are killed repeatedly, the database hangs, other processes take the CPU.

Afterwards each acknowledged message must be stored exactly once, the turns must form one chain, and the doctor must
find nothing wrong.
"""

import asyncio
import random
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from itertools import cycle, islice
from typing import Final

import httpx

from benchmarks.environment import Report, Row, group_chat
from benchmarks.quality.metrics import percentile
from benchmarks.served import Served
from hippograph.api.global_ids import global_id
from hippograph.api.service import Service

WRITERS: Final = 8
BETWEEN: Final = 40
"""Number of acknowledged writes that the load waits for at its start and end; exclusive maximum of the random number of
acknowledged writes before each kill.
"""
_VICTIMS: Final = (("database",), ("service",), ("worker",), ("database", "service"), ("service", "worker"))
_PAUSE_S: Final = 0.2
_RECORD: Final = """mutation ($input: RecordMessageInput!) { recordMessage(input: $input) { __typename } }"""


@dataclass(frozen=True, slots=True)
class Faults:
    """The faults of a run: the number of kills (`rounds`), for how many seconds the database hangs (0: not at all), and
    the number of processes that each keep a CPU core busy meanwhile (`neighbours`).
    """

    rounds: int
    away_s: float = 0
    neighbours: int = 0


class _Load:
    """Writers that retry each message until it is acknowledged. `acknowledged` holds these messages. Setting `over`
    stops the writers.
    """

    def __init__(self, url: str, chat_id: str) -> None:
        self.acknowledged: list[str] = []
        self.over = False
        self._url = url
        self._chat = global_id("Chat", chat_id)

    async def write(self, writer: int) -> None:
        """Records messages one after the other, retrying each until it is acknowledged."""
        number = 0
        async with httpx.AsyncClient(base_url=self._url, timeout=60) as client:
            while not self.over:
                words = f"writer {writer} message {number}"
                given = {"chatId": self._chat, "content": words, "idempotencyKey": words}
                with suppress(httpx.HTTPError, ValueError, KeyError, TypeError):
                    answer = await client.post("/graphql", json={"query": _RECORD, "variables": {"input": given}})
                    if answer.json()["data"]["recordMessage"]["__typename"] == "RecordMessagePayload":
                        self.acknowledged.append(words)
                        number += 1
                        continue
                await asyncio.sleep(_PAUSE_S)

    async def more(self, count: int) -> None:
        """Waits until `count` more writes are acknowledged."""
        enough = len(self.acknowledged) + count
        while len(self.acknowledged) < enough:  # noqa: ASYNC110  # there is no event to wait for
            await asyncio.sleep(_PAUSE_S)


async def measure(service: Service, faults: Faults, report: Report) -> list[Row]:
    """Causes the faults under load. Then counts lost and duplicate messages, findings of the doctor and failed items of
    the queues.
    """
    chat = await group_chat(service, "talk")
    served = Served(service.settings, service.settings.data_dir / "faults.log")
    load = _Load(served.url, chat.id)
    with _neighbours(faults.neighbours):
        async with _loaded(served, load):
            rows = await _kill(served, load, faults.rounds, report)
            if faults.away_s:
                report(faults.rounds, faults.rounds, f"the database hangs for {faults.away_s:.0f} s")
                rows.append(await _hang(served, load, faults.away_s))
            await load.more(BETWEEN)
        await service.runner.work_until_idle()
    stored = [row["content"] for row in await service.database.run("bench/contents", chat=chat.id)]
    beside = f" beside {faults.neighbours} busy neighbours" if faults.neighbours else ""
    return [
        Row(
            f"{faults.rounds} rounds of kill -9 under {WRITERS} writers{beside}",
            {
                "acknowledged": len(load.acknowledged),
                "lost": len(set(load.acknowledged) - set(stored)),
                "doubled": len(stored) - len(set(stored)),
                "findings": len(await service.doctor.examine()),
                "failed": sum(backlog.failed for backlog in (await service.runner.backlogs()).values()),
            },
        ),
        *rows,
    ]


@asynccontextmanager
async def _loaded(served: Served, load: _Load) -> AsyncIterator[None]:
    """Runs the service with its writers; at the end stops both."""
    await served.revive()
    writing = [asyncio.create_task(load.write(number)) for number in range(WRITERS)]
    await load.more(BETWEEN)
    yield
    load.over = True
    await served.stop()
    await asyncio.gather(*writing)


async def _kill(served: Served, load: _Load, rounds: int, report: Report) -> list[Row]:
    again = []
    for number, victims in enumerate(islice(cycle(_VICTIMS), rounds), start=1):
        report(number, rounds, f"kill -9: {' and '.join(victims)}")
        await load.more(random.Random(number).randrange(1, BETWEEN))  # noqa: S311
        started = time.monotonic()
        served.signal(victims, signal.SIGKILL)
        await _answering_again(served, load)
        again.append(time.monotonic() - started)
    return [_waited(again)] if again else []


async def _hang(served: Served, load: _Load, seconds: float) -> Row:
    """Suspends the database process for some seconds. Returns the number of writes acknowledged meanwhile, and the time
    from the end of the pause until `WRITERS` more are.
    """
    before = len(load.acknowledged)
    served.signal(("database",), signal.SIGSTOP)
    await asyncio.sleep(seconds)
    during, started = len(load.acknowledged) - before, time.monotonic()
    served.signal(("database",), signal.SIGCONT)
    await _answering_again(served, load)
    return Row(
        f"  the database hung for {seconds:.0f} s",
        {"acknowledged meanwhile": during, "s until they are again": time.monotonic() - started},
    )


def _waited(again: list[float]) -> Row:
    return Row("  until writes are acknowledged again", {"p50 s": percentile(again, 0.5), "most s": max(again)})


@contextmanager
def _neighbours(count: int) -> Iterator[None]:
    """Runs `count` processes, each of which keeps a CPU core busy."""
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for process in busy:
            process.kill()
            process.wait()


async def _answering_again(served: Served, load: _Load) -> None:
    reviving = asyncio.create_task(_keep_alive(served))
    try:
        await load.more(WRITERS)
    finally:
        reviving.cancel()
        with suppress(asyncio.CancelledError):
            await reviving


async def _keep_alive(served: Served) -> None:
    while True:
        await served.revive()
        await asyncio.sleep(1)
