"""Metrics of a ranking against the evidence that answers a question. Pure functions; tests compare them with ranx."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain
from math import log2

RECALL_AT = (2, 5, 10, 25)


Ranking = Sequence[Collection[str]]
"""The results, best first; each is the documents that it stands for."""


def measures(ranking: Ranking, evidence: frozenset[str]) -> dict[str, float]:
    """Returns recall@2/5/10/25, hit@5, all@10 (all evidence found), MRR and nDCG@10 (binary gains) of one ranking, each
    from 0 to 1.
    """
    found = {f"recall@{k}": recall(ranking, evidence, k) for k in RECALL_AT}
    return found | {
        "hit@5": float(not evidence.isdisjoint(_documents(ranking[:5]))),
        "all@10": float(evidence.issubset(_documents(ranking[:10]))),
        "mrr": reciprocal_rank(ranking, evidence),
        "ndcg@10": ndcg(ranking, evidence, 10),
    }


def session_recall(ranking: Ranking, evidence: frozenset[str], sessions: Mapping[str, str], k: int) -> float:
    """Returns the share of the evidence's sessions among the first k sessions, ranked by the first of their turns.

    `sessions` maps each document to its session.
    """
    found = list(dict.fromkeys(sessions[document] for document in _documents(ranking)))
    wanted = {sessions[document] for document in evidence}
    return len(wanted.intersection(found[:k])) / len(wanted)


def recall(ranking: Ranking, evidence: frozenset[str], k: int) -> float:
    """Returns the share of the evidence among the first k results."""
    return len(evidence.intersection(_documents(ranking[:k]))) / len(evidence)


def reciprocal_rank(ranking: Ranking, evidence: frozenset[str]) -> float:
    """Returns 1 over the rank of the first result with evidence; 0 if there is none."""
    return next((1 / place for place, item in enumerate(ranking, start=1) if evidence.intersection(item)), 0.0)


def ndcg(ranking: Ranking, evidence: frozenset[str], k: int) -> float:
    """Returns the discounted cumulative gain of the first k over the best possible (Järvelin and Kekäläinen, 2002).

    The gain of a result is the number of its documents that are evidence and that no earlier result stood for.
    """
    gain, left = 0.0, set(evidence)
    for place, item in enumerate(ranking[:k], start=1):
        gain += len(left.intersection(item)) / log2(place + 1)
        left.difference_update(item)
    best = sum(1 / log2(place + 1) for place in range(1, min(k, len(evidence)) + 1))
    return gain / best


def _documents(ranking: Ranking) -> Iterator[str]:
    return chain.from_iterable(ranking)


def mean(rows: Sequence[dict[str, float]]) -> dict[str, float]:
    """Returns the mean of each metric over questions. There must be at least one."""
    return {name: sum(row[name] for row in rows) / len(rows) for name in rows[0]}


def percentile(values: Sequence[float], share: float) -> float:
    """Returns the smallest value that is at least as large as this share of the values (nearest rank)."""
    ordered = sorted(values)
    return ordered[max(0, min(len(ordered) - 1, int(share * len(ordered) + 0.999999) - 1))]
