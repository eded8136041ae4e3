"""Moving the graph to another embedding model (M12): its vectors fill the second slot of the indexes while the first
answers, and when none is missing that slot answers in its place.

What was written stays when it is broken off, and the next run goes on from there.
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
    """Fills the second slot with the vectors of a model."""

    def __init__(self, database: Database, clock: Clock, embedder: Embedder, *, analyzer: str) -> None:
        self._database = database
        self._clock = clock
        self._embedder = embedder
        self._analyzer = analyzer

    async def run(self, report: Report | None = None) -> VectorSlot | None:
        """Embeds all that lacks a vector of the model, makes the indexes, and lets the slot answer; the slot, or None
        when it answers already. What comes meanwhile is embedded too.

        Raises `Conflict` when another run began to fill the slot for another model.
        """
        model, dimensions = self._embedder.model, self._embedder.dimensions
        row = await self._database.one("reembedding/open_slot", model=model, dimensions=dimensions, now=self._clock())
        if row is None:
            return None
        slot = VectorSlot(row["slot"], row["model"], row["dimensions"])
        await drop_vector_indexes(self._database, slot)  # to fill an index anew is quicker than to change it
        await self._fill(slot, report)
        await declare_indexes(self._database, slot, self._analyzer)
        await self._fill(slot, None)  # what came while the indexes were made
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
        """Goes once through all memories; how many vectors each batch wrote."""
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
