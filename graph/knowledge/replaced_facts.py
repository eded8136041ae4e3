"""Ends facts that a later fact of the same speaker replaces, although the two share no key (W6).

Facts that share a key supersede each other when they are written (`graph.writing.supersession`). What is stated with
`remember` mostly has no key but its words: "Deploys go out on Tuesdays", "Deploys have moved to Thursdays". So once a
stated fact has its vector, a trained model reads it with the most similar earlier fact about the same subject. Facts
that somebody confirmed or pinned stay.
"""

import asyncio
from collections.abc import Sequence
from concurrent.futures import Executor
from datetime import datetime
from typing import Final

from hippograph.graph.database import Database
from hippograph.graph.knowledge.fact_reading import in_own_name
from hippograph.graph.knowledge.retractions import RetractionDetector

_LEAST_COSINE: Final = 0.4
"""Minimum cosine similarity of two facts for the pair to be read."""


async def end_replaced(
    database: Database,
    slot: str,
    detector: RetractionDetector,
    executor: Executor,
    ids: Sequence[str],
    now: datetime,
) -> int:
    """Ends the earlier fact that each of these stated facts replaces, when the later one begins. Returns how many were
    ended. `slot` is the name of the vector slot.
    """
    found = await database.run(f"enrichment/replaceable.{slot}", ids=list(ids), least=_LEAST_COSINE, now=now)
    pairs = [
        (
            in_own_name(row["earlier_content"], row["speaker"]),
            row["speaker"],
            in_own_name(row["content"], row["speaker"]),
        )
        for row in found
    ]
    if not pairs:
        return 0
    verdicts = await asyncio.get_running_loop().run_in_executor(executor, detector.takes_back, pairs)
    rows = [{"id": row["id"], "earlier": row["earlier"]} for row, yes in zip(found, verdicts, strict=True) if yes]
    return len(await database.run("enrichment/end_replaced", rows=rows, now=now)) if rows else 0
