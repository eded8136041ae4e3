"""The slow path: pending memories get their vectors and names, pending entities their vectors, within seconds (W2).

They wait in the queue of the job `enrich` (`graph.jobs.queue`), so a crash loses nothing.
"""

import asyncio
import logging
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from graph.clock import Clock
from graph.database import Database, Row
from graph.jobs.queue import Claim, Queue, is_away
from graph.knowledge.entity_linking import look_up, mentions, sounds
from graph.knowledge.near_duplicates import fold_repetitions
from graph.schema import VectorSlot
from nlp.embedding.embedder import Embedder
from nlp.emotion import intensity
from nlp.names.recognition import Name, NameFinder

log = logging.getLogger(__name__)

_REQUEUED_AT_ONCE: Final = 5_000


@dataclass(slots=True)
class _Outcome:
    done: list[tuple[Row, Row]] = field(default_factory=list)
    failed: dict[str, Exception] = field(default_factory=dict)


class SlowPath:
    """The job that embeds what waits and links the names in it."""

    name: Final = "enrich"

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
        self.queue: Final = Queue(database, clock, self.name)
        self._database = database
        self._clock = clock
        self._embedder = embedder
        self._slot = slot
        self._slot_name = slot.name if slot else "a"
        self._model = slot.model if slot else None
        self._name_finder = name_finder
        self._executor = executor
        self._batch_size = batch_size

    async def step(self) -> int:
        """Claims one batch, works on it and writes what came of it; how many memories and entities that were."""
        claim = await self.queue.claim(self._batch_size)
        if not claim.items:
            return 0
        rows = await self._database.run("enrichment/load", ids=claim.ids, worker=claim.worker)
        outcome = await asyncio.get_running_loop().run_in_executor(self._executor, self._work, rows)
        await self._write(outcome, claim)
        return len(claim.items)

    async def requeue_lost(self) -> int:
        """Puts on the queue what has no vector of the model and is in no queue; how many."""
        if self._slot is None:
            return 0
        slot, total = self._slot, 0
        while True:
            row = await self._database.one(
                f"enrichment/requeue.{slot.name}",
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
                outcome.failed[row["id"]] = error
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

    async def _write(self, outcome: _Outcome, claim: Claim) -> None:
        """Writes what the models found, and notes what failed."""
        await self.queue.fail(claim, outcome.failed | await self._complete(outcome.done, claim.worker))

    async def _complete(self, done: Sequence[tuple[Row, Row]], worker: str) -> dict[str, Exception]:
        """Writes what was found; in halves what cannot be written together, so that one bad name costs only itself, and
        what is too much for one transaction is not for several. Gives why the rest could not be written, by id.
        """
        now = self._clock()
        try:
            await self._complete_memories([found for row, found in done if not row["entity"]], worker, now)
            await self._complete_entities([found for row, found in done if row["entity"]], worker)
            if self._embedder and (facts := [row["id"] for row, _ in done if row["without_aspect"]]):
                await fold_repetitions(self._database, self._slot_name, facts, now)
        except Exception as error:
            if is_away(error):
                raise
            log.exception("what was found out of %d could not be written", len(done))
            middle = len(done) // 2
            if not middle:
                return {row["id"]: error for row, _ in done}
            return await self._complete(done[:middle], worker) | await self._complete(done[middle:], worker)
        return {}

    async def _complete_memories(self, memories: Sequence[Row], worker: str, now: datetime) -> None:
        if not memories:
            return
        # Looking up writes into the names: what is written again in parts begins from what was found.
        rows = [memory | {"names": [dict(name) for name in memory["names"]]} for memory in memories]
        await look_up(self._database, self._executor, [name for row in rows for name in row["names"]])
        await self._database.run(
            f"enrichment/complete_memories.{self._slot_name}", rows=rows, worker=worker, model=self._model, now=now
        )

    async def _complete_entities(self, entities: Sequence[Row], worker: str) -> None:
        if entities:
            statement = f"enrichment/complete_entities.{self._slot_name}"
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
