"""Synthetic memories for benchmarks: words by Zipf's law, vectors in clusters, written directly into the graph.

Embedding 100,000 texts would take half an hour and change nothing for the indexes. The generator is seeded, so that all
runs have the same memories. Their labels are those that `benchmarks.oracle` judges.
"""

import random
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from benchmarks.oracle import Record
from hippograph.graph.access.labels import label_tokens
from hippograph.graph.database import Database, Row
from hippograph.graph.ids import derived_id, token
from hippograph.graph.model import EventPrecision, MemoryType, SourceRole
from hippograph.graph.retrieval.filters import day
from hippograph.graph.writing.memory_properties import DEFAULTS

SLOT: Final = "a"
"""Slot of the vectors: the one that an emptied graph searches."""
BATCH: Final = 1_000
"""Number of memories written at a time."""
SEED: Final = 20260101

Vectors = NDArray[np.float32]
"""Float32 array of shape (memories, dimensions). The index stores 32 bits too."""

_CLUSTERS: Final = 500
_ENDINGS: Final = ("n", "l", "r", "st", "nd", "m", "ck", "sh", "p", "gg", "v", "x", "th", "ld", "rn", "mp")


class Maker:
    """Generator of texts and vectors that look to the indexes like those of a chat."""

    def __init__(self, dimensions: int) -> None:
        self._random = random.Random(SEED)  # noqa: S311  # for texts, not for secrets
        self._numbers = np.random.default_rng(SEED)
        self._centres = self._numbers.normal(size=(_CLUSTERS, dimensions))
        self._words = [f"{a}{b}{c}" for a in "bdfgklmnprst" for b in ("a", "e", "io", "u") for c in _ENDINGS]
        self._weights = [1 / place for place in range(1, len(self._words) + 1)]

    def text(self, words: int) -> str:
        """Returns a text of `words` random words."""
        return " ".join(self._random.choices(self._words, self._weights, k=words))

    def question(self, of: str = "") -> str:
        """Returns a question about random words; with the name `of`, about what was said of that person."""
        return f"What was said{of and f' of {of}'} about {self.text(4)}?"

    def vectors(self, count: int) -> Vectors:
        """Returns `count` random vectors of length 1, each near the centre of a random cluster."""
        centres = self._centres[self._numbers.integers(_CLUSTERS, size=count)]
        made = centres + self._numbers.normal(scale=0.7, size=centres.shape)
        unit: Vectors = (made / np.linalg.norm(made, axis=1, keepdims=True)).astype(np.float32)
        return unit

    def rows(self, records: Sequence[tuple[str, Record]], vectors: Vectors, first_turn: int = 0) -> list[Row]:
        """Returns rows for `bench/fill`: memories with these ids, labels and vectors, and random texts. `first_turn` is
        the turn number of the first.
        """
        return [
            {"memory": self._memory(memory_id, record, vector, turn), "about": sorted(record.about)}
            for turn, ((memory_id, record), vector) in enumerate(
                zip(records, vectors.tolist(), strict=True), start=first_turn
            )
        ]

    def _memory(self, memory_id: str, record: Record, vector: list[float], turn: int) -> Row:
        scope, said = record.owner_id or record.chat_id or "", record.valid_from
        learned_in, speaker = record.learned_in or "", record.speaker_id or ""
        return {
            "id": memory_id,
            "content": self.text(15),
            "heading": f"somebody {said:%d %B %Y}",
            "turn": turn,
            "owner_id": record.owner_id or "",
            "chat_id": record.chat_id or "",
            "scope": scope,
            "scopes": [scope],
            "learned_in": learned_in,
            "session_id": derived_id("bench", scope),
            "speaker_id": speaker,
            "source": record.source,
            "sensitivity": record.sensitivity.value,
            "portable": record.portable,
            "event_time": said,
            "event_precision": EventPrecision.MINUTE.value,
            "event_until": said,
            "event_day": day(said),
            "created_at": record.created_at,
            "learned_at": record.learned_at,
            "last_hit_at": record.created_at,
            "valid_from": said,
            "facets": [
                token("status", "active"),
                token("persona", ""),
                token("type", MemoryType.EPISODIC),
                token("source", record.source),
                token("speaker", speaker),
                *label_tokens(record.sensitivity, record.portable, learned_in, sorted(record.about)),
            ],
            f"embedding_{SLOT}": vector,
        }


async def fill(database: Database, rows: Sequence[Row], model: str) -> None:
    """Writes synthetic memories into an emptied graph, marked as embedded by `model`."""
    common = {
        **DEFAULTS,
        "type": MemoryType.EPISODIC.value,
        "source_role": SourceRole.USER.value,
        "speaker_name": "somebody",
        "tags": [],
        "persona_id": "",
        f"embedding_model_{SLOT}": model,
    }
    await database.run("bench/fill", rows=list(rows), common=common)
