"""Measures of a ranking against the evidence that answers a question. Pure functions; the tests check them by ranx."""

from collections.abc import Sequence
from math import log2

RECALL_AT = (2, 5, 10, 25)


def measures(ranking: Sequence[str], evidence: frozenset[str]) -> dict[str, float]:
    """Recall@2/5/10/25, hit@5, MRR and nDCG@10 (binary gains) of one ranking, each from 0 to 1."""
    found = {f"recall@{k}": recall(ranking, evidence, k) for k in RECALL_AT}
    return found | {
        "hit@5": float(any(item in evidence for item in ranking[:5])),
        "mrr": reciprocal_rank(ranking, evidence),
        "ndcg@10": ndcg(ranking, evidence, 10),
    }


def recall(ranking: Sequence[str], evidence: frozenset[str], k: int) -> float:
    """The share of the evidence among the first k."""
    return len(evidence.intersection(ranking[:k])) / len(evidence)


def reciprocal_rank(ranking: Sequence[str], evidence: frozenset[str]) -> float:
    """One over the place of the first evidence; 0 when there is none."""
    return next((1 / place for place, item in enumerate(ranking, start=1) if item in evidence), 0.0)


def ndcg(ranking: Sequence[str], evidence: frozenset[str], k: int) -> float:
    """Discounted cumulative gain of the first k over the best there could be (Järvelin and Kekäläinen, 2002)."""
    gain = sum(1 / log2(place + 1) for place, item in enumerate(ranking[:k], start=1) if item in evidence)
    best = sum(1 / log2(place + 1) for place in range(1, min(k, len(evidence)) + 1))
    return gain / best


def mean(rows: Sequence[dict[str, float]]) -> dict[str, float]:
    """The mean of each measure over questions."""
    return {name: sum(row[name] for row in rows) / len(rows) for name in rows[0]}


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least this share of the values does not exceed (nearest rank)."""
    ordered = sorted(values)
    return ordered[max(0, min(len(ordered) - 1, int(share * len(ordered) + 0.999999) - 1))]
