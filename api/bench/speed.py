"""`bench speed`: how long writes and searches take, beside what the parts cost bare, in one run.

Every number stands next to the one it is compared with, because times on another machine, or on this one an hour
later, mean nothing. Vectors of the large graphs are made (clusters with noise, seeded): embedding 100,000 texts
would take half an hour and change nothing for the index.
"""

import asyncio
import os
import random
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import numpy as np
import psutil

from api.bench.ground import empty, settings_for
from api.bench.metrics import percentile
from api.service import Service
from api.settings import as_environment
from api.workers import worker_processes
from graph.filters import day
from graph.ids import derived_id, new_id, token
from graph.importing import DialogueFile, FileTurn
from graph.model import Chat, ChatKind, Viewer
from graph.people import Member
from graph.recording import DEFAULTS, Turn
from graph.slow_path import indexed_text

Report = Callable[[int, int, str], None]

WARM_UP: Final = 300
MESSAGES: Final = 800
SIZES: Final = (1_000, 10_000, 50_000, 100_000)
OWN: Final = 1_000
SMALL: Final = 20
SMALL_AT: Final = 50_000
QUERIES: Final = 200
IMPORTED: Final = 1_350
_BATCH: Final = 1_000
_CLUSTERS: Final = 500
_SEED: Final = 20260101


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the report: what was measured, in numbers by name (times in ms)."""

    what: str
    numbers: dict[str, float]


@dataclass(frozen=True, slots=True)
class _Load:
    """A way of writing: how many clients at a time, on how many chats."""

    clients: int
    chats: int


LOADS: Final = (_Load(1, 1), _Load(16, 1), _Load(16, 16))


async def measure(service: Service, dialogues: DialogueFile, report: Report) -> list[Row]:
    """Everything, in the order of the report: ten minutes. `dialogues` are those whose import is timed."""
    rows = await _writing(service, report)
    await empty(service)
    rows += await _importing(service, dialogues, report)
    await empty(service)
    rows += await _searching(service, report)
    rows.append(_memory("this process: models, embedding, searching", os.getpid()))
    if service.connection.pid:
        rows.append(_memory("Neo4j with 100,000 memories", service.connection.pid))
    return rows


# --- writing ---


async def _writing(service: Service, report: Report) -> list[Row]:
    """recordMessage over HTTP beside the bare statement over Bolt, in turns, so that both meet the same machine."""
    rows: list[Row] = []
    chats = [await _chat(service, f"writing {number}") for number in range(16)]
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
                rows.append(Row(what, {"messages/s": rates[name], **_times(times)}))
            share = rates["recordMessage over HTTP"] / rates["bare statement over Bolt"]
            rows.append(
                Row(f"  share of the bare statement, {load.clients} clients, {load.chats} chats", {"ratio": share})
            )
    return rows


async def _write_all(
    write: Callable[[str, str], Awaitable[None]], chats: Sequence[Chat], clients: int, messages: int
) -> tuple[float, list[float]]:
    """Seconds in all, and of each message, when so many clients write one after the other each."""
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


def _bare(service: Service) -> Callable[[str, str], Awaitable[None]]:
    """The statement of the hot path and nothing else: its parameters, the driver, the commit."""
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


def _http(service: Service, post: Callable[[dict[str, Any]], Awaitable[Any]]) -> Callable[[str, str], Awaitable[None]]:
    async def write(chat: str, text: str) -> None:
        given = {"chatId": chat, "content": text, "speakerId": service.local_user.id}
        answer = await post({"query": _MUTATION, "variables": {"input": given}})
        if not answer.get("data", {}).get("recordMessage", {}).get("memoryId"):
            raise RuntimeError(f"a message was refused: {answer}")

    return write


@asynccontextmanager
async def _served(service: Service, rows: list[Row]) -> AsyncIterator[Callable[[dict[str, Any]], Awaitable[Any]]]:
    """A service process on the same graph, without workers, and a function that posts to it.

    At the end its memory joins the rows.
    """
    import aiohttp  # the extra `bench`

    settings = settings_for(service.settings).model_copy(update={"workers": 0, "port": 8765, "log_level": "WARNING"})
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "api.cli", "serve"),
        env={**os.environ, **as_environment(settings)},
        stdout=asyncio.subprocess.DEVNULL,
    )
    base = f"http://{settings.host}:{settings.port}"
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=16)) as client:

        async def post(body: dict[str, Any]) -> Any:
            async with client.post(f"{base}/graphql", json=body) as response:
                return await response.json()

        try:
            await _until_ready(client, f"{base}/readyz")
            yield post
            rows.append(_memory("the service after writing", process.pid))
        finally:
            process.terminate()
            await process.wait()


async def _until_ready(client: Any, url: str) -> None:
    import aiohttp

    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        try:
            async with client.get(url) as response:
                if response.status == 200:
                    return
        except aiohttp.ClientError:
            pass
        await asyncio.sleep(0.2)
    raise RuntimeError("the service did not get ready within two minutes")


# --- importing ---


async def _importing(service: Service, dialogues: DialogueFile, report: Report) -> list[Row]:
    """From a file to searchable with one worker, as `hippograph import` does it, beside its two models alone."""
    size = sum(len(dialogue.turns) for dialogue in dialogues.dialogues)
    content, turns = _copies(dialogues, range(max(1, IMPORTED // size)))
    async with worker_processes(service.settings):
        report(1, 3, "importing: warming up")
        await service.importer.run(service.viewer(), "warm-up", content)
        await service.slow_path.wait_until_done()
        report(2, 3, "importing: to searchable")
        started = time.perf_counter()
        await service.importer.run(service.viewer(), "speed", content)
        await service.slow_path.wait_until_done()
        took = time.perf_counter() - started
    report(3, 3, "importing: models alone")
    bare = await asyncio.to_thread(_models_alone, service, [(turn.speaker, turn.text) for turn in turns])
    return [
        Row("embedder and name finder alone", {"turns/s": len(turns) / bare}),
        Row("import to searchable", {"turns/s": len(turns) / took}),
        Row("  share of the models alone", {"ratio": bare / took}),
    ]


def _copies(content: DialogueFile, numbers: range) -> tuple[DialogueFile, list[FileTurn]]:
    """Dialogues so many times over, and all their turns."""
    dialogues = [
        replace(dialogue, id=f"{dialogue.id} {number}", kind=ChatKind.GROUP, participants=[])
        for number in numbers
        for dialogue in content.dialogues
    ]
    return DialogueFile(dialogues=dialogues), [turn for dialogue in dialogues for turn in dialogue.turns]


def _models_alone(service: Service, turns: Sequence[tuple[str, str]]) -> float:
    embedder, names = service.embedder, service.name_finder
    assert embedder
    assert names
    size, started = service.settings.worker_batch_size, time.perf_counter()
    for first in range(0, len(turns), size):
        batch = turns[first : first + size]
        embedder.embed_documents([indexed_text(f"{speaker} 7 September 2026", text) for speaker, text in batch])
        names.find([text for _, text in batch])
    return time.perf_counter() - started


# --- searching ---


async def _searching(service: Service, report: Report) -> list[Row]:
    """The same questions while the graph grows: of one's own 1,000 memories, and of a chat that holds all others."""
    assert service.embedder
    maker = _Maker(service.embedder.dimensions)
    everyone, guest = await _chat(service, "all"), await service.people.create_person("Guest")
    small = await service.people.create_chat(ChatKind.GROUP, "small", [Member(guest.id)])
    await _fill(service, maker, service.local_user.id, "", OWN)
    small_vectors = await _fill(service, maker, small.id, small.id, SMALL)
    places = {"own 1,000": service.viewer(), "one scope of all": service.viewer(everyone.id)}
    rows, total = [], OWN + SMALL
    first: dict[tuple[str, bool], float] = {}
    for number, size in enumerate(SIZES, start=1):
        report(number, len(SIZES), f"searching: {size:,} memories")
        if size > total:
            await _fill(service, maker, everyone.id, everyone.id, size - total)
            total = size
        await service.database.run("schema/await_indexes", seconds=300)
        for place, viewer in places.items():
            for embedded in (False, True):
                times = await _ask(service, maker, viewer, embedded=embedded)
                what = f"search, {place} of {size:,}, {'with' if embedded else 'without'} embedding the query"
                rows.append(Row(what, _times(times)))
                first.setdefault((place, embedded), percentile(times, 0.95))
                if place == "own 1,000" and size == SIZES[-1]:
                    ratio = percentile(times, 0.95) / first[place, embedded]
                    rows.append(Row(f"  p95 over that at {SIZES[0]:,}", {"ratio": ratio}))
        if size == SMALL_AT:
            rows.append(await _small_scope(service, maker, Viewer(guest.id, small.id), small_vectors))
    return rows


async def _ask(service: Service, maker: "_Maker", viewer: Viewer, *, embedded: bool) -> list[float]:
    """Seconds of each search; without `embedded` the query's vector is there from an earlier search."""
    repeated = [maker.question() for _ in range(20)]
    for question in repeated:
        await service.search.search(viewer, question)
    times = []
    for number in range(QUERIES):
        question = maker.question() if embedded else repeated[number % len(repeated)]
        started = time.perf_counter()
        await service.search.search(viewer, question)
        times.append(time.perf_counter() - started)
    return times


async def _small_scope(service: Service, maker: "_Maker", viewer: Viewer, vectors: "_Vectors") -> Row:
    """A chat of 20 among 50,000: its time, and the share of the exact ten nearest that the vector list has."""
    assert service.embedder
    times, shares = [], []
    ids, matrix = vectors
    for _ in range(50):
        question = maker.question()
        query = np.array(service.embedder.embed_query(question))
        exact = {ids[place] for place in np.argsort(-(matrix @ query))[:10]}
        started = time.perf_counter()
        page = await service.search.search(viewer, question, first=SMALL)
        times.append(time.perf_counter() - started)
        nearest = [result for result in page.results if "vector" in result.hits and result.hits["vector"].rank <= 10]
        shares.append(len(exact.intersection(result.memory.id for result in nearest)) / 10)
    return Row(
        f"search, a chat of {SMALL} among {SMALL_AT:,}", {**_times(times), "recall@10": sum(shares) / len(shares)}
    )


_Vectors = tuple[list[str], "np.typing.NDArray[np.float64]"]


class _Maker:
    """Makes memories that look like a chat's to the indexes: words by Zipf's law, vectors in clusters."""

    def __init__(self, dimensions: int) -> None:
        self._random = random.Random(_SEED)  # noqa: S311  # for texts, not for secrets
        self._numbers = np.random.default_rng(_SEED)
        self._centres = self._numbers.normal(size=(_CLUSTERS, dimensions))
        self._words = [f"{a}{b}{c}" for a in "bdfgklmnprst" for b in ("a", "e", "io", "u") for c in _ENDINGS]
        self._weights = [1 / place for place in range(1, len(self._words) + 1)]

    def text(self, words: int) -> str:
        return " ".join(self._random.choices(self._words, self._weights, k=words))

    def question(self) -> str:
        return f"What was said about {self.text(4)}?"

    def vectors(self, count: int) -> "np.typing.NDArray[np.float64]":
        centres = self._centres[self._numbers.integers(_CLUSTERS, size=count)]
        made = centres + self._numbers.normal(scale=0.7, size=centres.shape)
        unit: np.typing.NDArray[np.float64] = made / np.linalg.norm(made, axis=1, keepdims=True)
        return unit


_ENDINGS: Final = ("n", "l", "r", "st", "nd", "m", "ck", "sh", "p", "gg", "v", "x", "th", "ld", "rn", "mp")


async def _fill(service: Service, maker: _Maker, scope: str, chat: str, count: int) -> _Vectors:
    """Writes memories of one scope straight into the graph: a person's own, or a chat's when one is named."""
    now = datetime.now(UTC)
    common = {
        **DEFAULTS,
        "type": "episodic",
        "source": "conversation",
        "source_role": "user",
        "tags": [],
        "created_at": now,
        "last_hit_at": now,
        "owner_id": "" if chat else scope,
        "chat_id": chat,
        "scope": scope,
        "scopes": [scope],
        "learned_in": chat or scope,
        "persona_id": "",
        "session_id": derived_id("bench", scope),
        "speaker_id": service.local_user.id,
        "speaker_name": service.local_user.canonical_name,
        "facets": [token("status", "active"), token("persona", ""), token("type", "episodic")],
        "embedding_model_a": service.settings.embedding_model,
    }
    ids, parts = [], []
    for first in range(0, count, _BATCH):
        vectors = maker.vectors(min(_BATCH, count - first))
        rows = [_memory_row(maker, vector.tolist(), first + at, now) for at, vector in enumerate(vectors)]
        await service.database.run("bench/fill", rows=rows, common=common)
        ids += [row["id"] for row in rows]
        parts.append(vectors)
    return ids, np.concatenate(parts)


def _memory_row(maker: _Maker, vector: list[float], turn: int, now: datetime) -> dict[str, Any]:
    said = now - timedelta(minutes=turn)
    return {
        "id": new_id(),
        "content": maker.text(15),
        "heading": f"somebody {said:%d %B %Y}",
        "turn": turn,
        "event_time": said,
        "event_day": day(said),
        "valid_from": said,
        "embedding_a": vector,
    }


# --- shared ---


async def _chat(service: Service, title: str) -> Chat:
    return await service.people.create_chat(ChatKind.GROUP, title, [Member(service.local_user.id)])


def _times(seconds: Sequence[float]) -> dict[str, float]:
    return {f"p{share}": percentile(seconds, share / 100) * 1000 for share in (50, 95, 99)}


def _memory(what: str, pid: int) -> Row:
    return Row(f"memory of {what}", {"MiB": psutil.Process(pid).memory_info().rss / 2**20})
