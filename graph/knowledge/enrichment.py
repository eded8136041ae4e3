"""The slow path: pending memories get their vectors and names, pending entities their vectors, within seconds (W2).

What is pending is marked in the graph, so a crash loses nothing: a claim runs out, and another worker takes over.
What fails is tried again with growing pauses, its reason kept; what keeps failing is put aside, counted, and can be
put back with `retry_failed`.
"""

import asyncio
import logging
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from graph.clock import Clock
from graph.database import Database, Row
from graph.errors import DatabaseTimedOut, DatabaseUnavailable
from graph.ids import new_id
from graph.jobs.retries import next_try, reason, work_until
from graph.knowledge.entity_linking import look_up, mentions, sounds
from graph.knowledge.near_duplicates import fold_repetitions
from graph.schema import VectorSlot
from nlp.embedding.embedder import Embedder
from nlp.emotion import intensity
from nlp.names.recognition import Name, NameFinder

log = logging.getLogger(__name__)

LEASE: Final = timedelta(minutes=2)
_REQUEUED_AT_ONCE: Final = 5_000


@dataclass(frozen=True, slots=True)
class Backlog:
    """What waits for the slow path: due or claimed, among them tried before, and put aside with the reasons."""

    pending: int
    trying_again: int
    failed: int
    reasons: tuple[tuple[str, int], ...] = ()


@dataclass(slots=True)
class _Outcome:
    done: list[tuple[Row, Row]] = field(default_factory=list)
    failed: list[tuple[Row, Exception]] = field(default_factory=list)


class SlowPath:
    """Works through the queue. Any number may run, in one process or many: none does what another has claimed."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        *,
        embedder: Embedder | None,
        slot: VectorSlot | None,
        name_finder: NameFinder | None,
        executor: Executor,
        batch_size: int,
    ) -> None:
        self._database = database
        self._clock = clock
        self._embedder = embedder
        self._slot = slot
        self._slot_name = slot.name if slot else "a"
        self._model = slot.model if slot else None
        self._name_finder = name_finder
        self._executor = executor
        self._batch_size = batch_size

    async def run(self, stop: asyncio.Event, *, pause: float = 0.25) -> None:
        """Works until `stop` is set, looking for work every `pause` seconds when there is none.

        Two claims are under way at a time, so that the database writes one while the models read the other.
        """
        async with asyncio.TaskGroup() as tasks:
            for _ in range(2):
                tasks.create_task(work_until(stop, self.step, pause))

    async def step(self) -> int:
        """Claims one batch, works on it and writes what came of it; how many memories and entities that were."""
        now, worker = self._clock(), new_id()
        rows = await self._database.run(
            "queue/claim", worker=worker, now=now, lease_until=now + LEASE, limit=self._batch_size
        )
        if not rows:
            return 0
        outcome = await asyncio.get_running_loop().run_in_executor(self._executor, self._work, rows)
        await self._write(outcome, worker)
        return len(rows)

    async def backlog(self) -> Backlog:
        """What waits, what failed, and why."""
        row = await self._database.one("queue/counts")
        assert row is not None
        reasons = tuple((reason["reason"], reason["times"]) for reason in row["reasons"])
        return Backlog(row["pending"], row["trying_again"], row["failed"], reasons)

    async def retry_failed(self) -> int:
        """Puts what was put aside back on the queue; how many."""
        row = await self._database.one("queue/retry", now=self._clock())
        return int(row["retried"]) if row else 0

    async def requeue_lost(self) -> int:
        """Puts on the queue what has no vector of the model and is in no queue; how many."""
        if self._slot is None:
            return 0
        slot, total = self._slot, 0
        while True:
            row = await self._database.one(
                f"queue/requeue.{slot.name}",
                model=slot.model,
                dimensions=slot.dimensions,
                now=self._clock(),
                limit=_REQUEUED_AT_ONCE,
            )
            requeued = int(row["requeued"]) if row else 0
            total += requeued
            if requeued < _REQUEUED_AT_ONCE:
                return total

    def _work(self, rows: Sequence[Row]) -> _Outcome:
        """Everything at once; and when that fails one by one, so that one bad text costs only itself."""
        try:
            return _Outcome(done=self._read(rows))
        except Exception:
            log.exception("a batch of %d failed; trying them one by one", len(rows))
        outcome = _Outcome()
        for row in rows:
            try:
                outcome.done += self._read([row])
            except Exception as error:
                log.exception("%s could not be worked on", row["id"])
                outcome.failed.append((row, error))
        return outcome

    def _read(self, rows: Sequence[Row]) -> list[tuple[Row, Row]]:
        """Each claimed row with what the models made of it."""
        texts = ["" if row["entity"] else row["content"] for row in rows]
        vectors: Sequence[list[float] | None] = [None] * len(rows)
        if self._embedder:
            vectors = self._embedder.embed_documents([embedded_text(row) for row in rows])
        names: Sequence[Sequence[Name]] = self._name_finder.find(texts) if self._name_finder else [()] * len(rows)
        return [
            (row, {"id": row["id"], "vector": vector} | _told(row, found))
            for row, vector, found in zip(rows, vectors, names, strict=True)
        ]

    async def _write(self, outcome: _Outcome, worker: str) -> None:
        now = self._clock()
        try:
            await self._complete([done for row, done in outcome.done if not row["entity"]], worker, now)
            await self._complete_entities([done for row, done in outcome.done if row["entity"]], worker)
            if self._embedder and (facts := [row["id"] for row, _ in outcome.done if row["without_aspect"]]):
                await fold_repetitions(self._database, self._slot_name, facts, now)
        except Exception as error:
            if isinstance(error, DatabaseUnavailable) and not isinstance(error, DatabaseTimedOut):
                raise  # the claim runs out, and another takes over
            log.exception("what was found out of %d could not be written", len(outcome.done))
            if (middle := len(outcome.done) // 2) > 0:
                # One bad name costs only itself, and what is too much for one transaction is not for several.
                for half in (outcome.done[:middle], outcome.done[middle:]):
                    await self._write(_Outcome(done=half), worker)
            else:
                outcome.failed += [(row, error) for row, _ in outcome.done]
        if outcome.failed:
            now = self._clock()
            rows = [
                {"id": row["id"], "reason": reason(error), "due_at": next_try(row["attempts"], now, error)}
                for row, error in outcome.failed
            ]
            await self._database.run("queue/fail", rows=rows, worker=worker, now=now)

    async def _complete(self, memories: Sequence[Row], worker: str, now: datetime) -> None:
        if not memories:
            return
        # Looking up writes into the names: what is written again in parts begins from what was found.
        rows = [memory | {"names": [dict(name) for name in memory["names"]]} for memory in memories]
        await look_up(self._database, self._executor, [name for row in rows for name in row["names"]])
        await self._database.run(
            f"queue/complete.{self._slot_name}", rows=rows, worker=worker, model=self._model, now=now
        )

    async def _complete_entities(self, entities: Sequence[Row], worker: str) -> None:
        if entities:
            statement = f"queue/complete_entities.{self._slot_name}"
            await self._database.run(statement, rows=entities, worker=worker, model=self._model)


def _told(claimed: Row, found: Sequence[Name]) -> Row:
    """What a memory names and how stirred it is, or how the names of an entity sound."""
    if entity := claimed["entity"]:
        return {"sounds": sounds([entity["canonical_name"], *entity["aliases"]], entity["type"])}
    return {"names": mentions(found, claimed["chat"]), "emotion": intensity(claimed["content"])}


def embedded_text(claimed: Row) -> str:
    """What is embedded: of a memory who spoke and when, then what was said; of an entity its names and type (M3)."""
    entity, heading = claimed["entity"], claimed["heading"]
    if entity:
        return f"{', '.join([entity['canonical_name'], *entity['aliases']])} ({entity['type']})"
    return f"{heading}: {claimed['content']}" if heading else str(claimed["content"])
