"""Moves the graph to another embedding model (M12). The vectors of the new model fill the second slot of the indexes
while the first serves queries; when none is missing, the second slot takes its place.

An interrupted run keeps what it wrote, and the next run continues from there.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Final

from hippograph.graph.clock import Clock
from hippograph.graph.database import Database, Row
from hippograph.graph.errors import Conflict
from hippograph.graph.model import Report
from hippograph.graph.schema import VectorSlot, declare_indexes, drop_vector_indexes
from hippograph.nlp.embedding.embedder import Embedder
from hippograph.nlp.embedding.parts import EmbeddedText, embed_texts

_AT_ONCE: Final = 256


class Reembedding:
    """Fills the second slot with the vectors of a model, and activates it."""

    def __init__(self, database: Database, clock: Clock, embedder: Embedder, *, analyzer: str) -> None:
        self._database = database
        self._clock = clock
        self._embedder = embedder
        self._analyzer = analyzer

    async def run(self, report: Report | None = None) -> VectorSlot | None:
        """Embeds all memories that lack a vector of the model, builds the indexes, and activates the slot. Returns the
        slot, or None if the active one is of this model already. Memories recorded meanwhile are embedded too.

        Raises `Conflict` if another run has begun to fill the slot for another model.
        """
        model, dimensions = self._embedder.model, self._embedder.dimensions
        row = await self._database.one("reembedding/open_slot", model=model, dimensions=dimensions, now=self._clock())
        if row is None:
            return None
        slot = VectorSlot(row["slot"], row["model"], row["dimensions"])
        await drop_vector_indexes(self._database, slot)  # building an index anew is faster than updating it
        await self._fill(slot, report)
        await declare_indexes(self._database, slot, self._analyzer)
        await self._fill(slot, None)  # memories recorded while the indexes were built
        if not await self._database.run("reembedding/switch_slot", slot=slot.name, model=model, now=self._clock()):
            raise Conflict("another run fills the slot for another model by now")
        return slot

    async def _fill(self, slot: VectorSlot, report: Report | None) -> None:
        params = {"model": slot.model, "dimensions": slot.dimensions}
        [row] = await self._database.run(f"reembedding/remaining.{slot.name}", **params)
        done, total = row["total"] - row["remaining"], row["total"]
        while True:
            before = done
            async for written in self._pass(slot):
                done += written
                if report:
                    report(min(done, total), total, "vectors")
            if done == before:
                return

    async def _pass(self, slot: VectorSlot) -> AsyncIterator[int]:
        """Goes once through the memories without a vector; yields the number of vectors that each batch wrote."""
        after = ""
        while rows := await self._database.run(
            f"reembedding/waiting.{slot.name}",
            model=slot.model,
            dimensions=slot.dimensions,
            after=after,
            limit=_AT_ONCE,
        ):
            after = rows[-1]["id"]
            embeddings = await asyncio.to_thread(self._embed, rows)
            done = [{**row, **embedding.row()} for row, embedding in zip(rows, embeddings, strict=True)]
            found = await self._database.one(f"reembedding/write.{slot.name}", rows=done, model=slot.model)
            yield int(found["written"]) if found else 0

    def _embed(self, rows: Sequence[Row]) -> list[EmbeddedText]:
        return embed_texts(self._embedder, [(row["heading"], row["content"]) for row in rows])
