"""The environment of benchmarks: a managed Neo4j in a data folder that one run uses at a time, emptied before each run.

Also what their reports share: the machine, the rows, and the numbers that several of them have.
"""

import asyncio
import os
import platform
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Final

import psutil

from benchmarks.quality.metrics import percentile
from hippograph import cypher
from hippograph.api.service import Service
from hippograph.api.settings.settings import Settings
from hippograph.api.startup import freeze_gc, open_service
from hippograph.graph.artifacts.fetching import Progress
from hippograph.graph.jobs.wipe import wipe
from hippograph.graph.local.supervisor import hold
from hippograph.graph.model import Chat, ChatKind
from hippograph.graph.people.people import Member

_WATCHED_S: Final = 1.0
_CYPHER: Final = Path(__file__).parent / "cypher"

Report = Callable[[int, int, str], None]
"""Progress callback: steps done, total number of steps (0 if unknown), and what is being done."""


@contextmanager
def own_settings(settings: Settings) -> Iterator[Settings]:
    """Yields the settings with a data folder and a Neo4j of their own, never the user's.

    The folder is the first in the cache that is not locked, and is locked until the context closes. Its contents stay
    until the next run empties it.
    """
    parent = settings.cache_dir / "bench"
    parent.mkdir(parents=True, exist_ok=True)
    number, lock = next((each, lock) for each in count(1) if (lock := hold(parent / f"{each}.lock")) is not None)
    own = {"data_dir": parent / str(number), "neo4j_uri": None, "local_user": "bench", "local_user_name": None}
    ports = {"neo4j_bolt_port": None, "neo4j_http_port": None}
    try:
        yield settings.model_copy(update=own | ports)
    finally:
        os.close(lock)


def load_statements(root: Path | None = None) -> cypher.Statements:
    """Loads the statements of the service, or those below `root`, and those that only benchmarks and tests run."""
    return cypher.load(root, more=_CYPHER) if root else cypher.load(more=_CYPHER)


@asynccontextmanager
async def empty_service(settings: Settings, progress: Progress | None = None) -> AsyncIterator[Service]:
    """Yields a service on an empty graph, with the models for queries and those for jobs."""
    with own_settings(settings) as own:
        async with open_service(own, names=True, statements=load_statements(), progress=progress) as service:
            freeze_gc()
            await empty(service)
            yield service


async def empty(service: Service) -> None:
    """Empties the graph of a benchmark; the local user stays."""
    await wipe(service.database, service.local_user.id)


async def group_chat(service: Service, title: str) -> Chat:
    """Creates a group in which the local user is alone."""
    return await service.people.create_chat(service.viewer(), ChatKind.GROUP, title, [Member(service.local_user.id)])


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the report: what was measured, and the numbers by name. Times are in ms, unless the name says `s`."""

    what: str
    numbers: dict[str, float]


async def in_turns(
    service: Service, questions: Iterable[str], ways: Mapping[str, Callable[[str], Awaitable[object]]]
) -> dict[str, list[float]]:
    """Times several ways to ask. Returns the seconds of each way, one for each question.

    All ways are timed for a question before the next one, so that they run under the same conditions. An untimed search
    embeds the question first, so that no way has to.
    """
    took: dict[str, list[float]] = {what: [] for what in ways}
    for question in questions:
        await service.search.search(service.viewer(), question)
        for what, ask in ways.items():
            started = time.perf_counter()
            await ask(question)
            took[what].append(time.perf_counter() - started)
    return took


def percentiles(seconds: Sequence[float]) -> dict[str, float]:
    """Returns p50, p95 and p99 of some times, in ms."""
    return {f"p{share}": percentile(seconds, share / 100) * 1000 for share in (50, 95, 99)}


def process_memory(what: str, pid: int) -> Row:
    """Returns a row with the resident memory of a process, in MiB."""
    return Row(f"memory of {what}", {"MiB": psutil.Process(pid).memory_info().rss / 2**20})


def neo4j_memory(service: Service, what: str) -> list[Row]:
    """Returns a row with the resident memory of Neo4j; none if this service does not manage it."""
    return [process_memory(what, service.connection.pid)] if service.connection.pid else []


def worker_pids() -> list[int]:
    """Returns the process ids of the workers that this process has started."""
    return [each.pid for each in psutil.Process().children(recursive=True) if "worker" in each.cmdline()]


@asynccontextmanager
async def family_memory() -> AsyncIterator[list[float]]:
    """Yields a list to which the resident memory of this process and its workers, in MiB, is appended once a second."""
    seen: list[float] = []

    async def watch() -> None:
        while True:
            family = [os.getpid(), *worker_pids()]
            seen.append(sum(psutil.Process(pid).memory_info().rss for pid in family) / 2**20)
            await asyncio.sleep(_WATCHED_S)

    watching = asyncio.create_task(watch())
    try:
        yield seen
    finally:
        watching.cancel()


@dataclass(frozen=True, slots=True)
class Machine:
    """The machine of a measurement, without which its numbers mean nothing.

    `load_before` is the load average of the last minute before it.
    """

    date: str
    processor: str
    cores: int
    memory_gib: int
    load_before: float


def machine() -> Machine:
    """Describes this machine as it is now."""
    return Machine(
        date=datetime.now(UTC).date().isoformat(),
        processor=platform.machine(),
        cores=psutil.cpu_count() or 0,
        memory_gib=round(psutil.virtual_memory().total / 2**30),
        load_before=round(psutil.getloadavg()[0], 2),
    )
