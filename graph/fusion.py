"""Several rankings into one. Pure functions: no database, no model."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

RRF_K: Final = 60


@dataclass(frozen=True, slots=True)
class Hit:
    """A memory in one list: its place from 1 on, and the list's own score (only comparable inside that list)."""

    rank: int
    score: float


@dataclass(frozen=True, slots=True)
class Fused:
    """A memory in the fused ranking: its score, and where each list had it."""

    id: str
    score: float
    hits: Mapping[str, Hit]


def ranked(found: Sequence[tuple[str, float]]) -> dict[str, Hit]:
    """A list that is ordered best first, by id."""
    return {memory_id: Hit(rank, score) for rank, (memory_id, score) in enumerate(found, start=1)}


def reciprocal_rank_fusion(
    lists: Mapping[str, Mapping[str, Hit]], *, k: int = RRF_K, weights: Mapping[str, float] | None = None
) -> list[Fused]:
    """Best first: `score = Σ weight / (k + rank)` over the lists that hold a memory (Cormack et al., SIGIR 2009).

    A list without a weight counts 1. Equal scores are ordered by id, so the same lists give the same order.
    """
    ids = {memory_id for hits in lists.values() for memory_id in hits}
    fused = []
    for memory_id in ids:
        hits = {name: found[memory_id] for name, found in lists.items() if memory_id in found}
        score = sum((weights or {}).get(name, 1.0) / (k + hit.rank) for name, hit in hits.items())
        fused.append(Fused(memory_id, score, hits))
    return sorted(fused, key=lambda item: (-item.score, item.id))
