"""The part of `bench speed` that searches: the same questions while the graph grows.

The memories are made here (vectors in clusters with noise, seeded): embedding 100,000 texts would take half an hour
and change nothing for the index.
"""

import random
import time
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import numpy as np

from api.bench.ground import Report, Row, group_chat, percentiles
from api.bench.metrics import percentile
from api.service import Service
from graph.filters import day
from graph.ids import derived_id, new_id, token
from graph.model import ChatKind, Viewer
from graph.people import Member
from graph.recording import DEFAULTS

SIZES: Final = (1_000, 10_000, 50_000, 100_000)
OWN: Final = 1_000
SMALL: Final = 20
SMALL_AT: Final = 50_000
QUERIES: Final = 200
_BATCH: Final = 1_000
_CLUSTERS: Final = 500
_SEED: Final = 20260101


async def measure(service: Service, report: Report) -> list[Row]:
    """The same questions while the graph grows: of one's own 1,000 memories, and of a chat that holds all others."""
    assert service.embedder
    maker = _Maker(service.embedder.dimensions)
    everyone, guest = await group_chat(service, "all"), await service.people.create_person(service.viewer(), "Guest")
    small = await service.people.create_chat(service.viewer(), ChatKind.GROUP, "small", [Member(guest.id)])
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
                rows.append(Row(what, percentiles(times)))
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
        f"search, a chat of {SMALL} among {SMALL_AT:,}", {**percentiles(times), "recall@10": sum(shares) / len(shares)}
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
