"""Measures of a ranking against the evidence that answers a question. Pure functions; the tests check them by ranx."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain
from math import log2

RECALL_AT = (2, 5, 10, 25)


Ranking = Sequence[Collection[str]]
"""What was found, best first: each result with the documents it stands for."""


def measures(ranking: Ranking, evidence: frozenset[str]) -> dict[str, float]:
    """Recall@2/5/10/25, hit@5, all@10 (every piece of evidence found), MRR and nDCG@10 (binary gains) of one ranking,
    each from 0 to 1.
    """
    found = {f"recall@{k}": recall(ranking, evidence, k) for k in RECALL_AT}
    return found | {
        "hit@5": float(not evidence.isdisjoint(_documents(ranking[:5]))),
        "all@10": float(evidence.issubset(_documents(ranking[:10]))),
        "mrr": reciprocal_rank(ranking, evidence),
        "ndcg@10": ndcg(ranking, evidence, 10),
    }


def session_recall(ranking: Ranking, evidence: frozenset[str], sessions: Mapping[str, str], k: int) -> float:
    """The share of the evidence's sessions among the first k sessions, each found with the first of its turns.

    `sessions` are those of all documents.
    """
    found = list(dict.fromkeys(sessions[document] for document in _documents(ranking)))
    wanted = {sessions[document] for document in evidence}
    return len(wanted.intersection(found[:k])) / len(wanted)


def recall(ranking: Ranking, evidence: frozenset[str], k: int) -> float:
    """The share of the evidence among the first k."""
    return len(evidence.intersection(_documents(ranking[:k]))) / len(evidence)


def reciprocal_rank(ranking: Ranking, evidence: frozenset[str]) -> float:
    """One over the place of the first evidence; 0 when there is none."""
    return next((1 / place for place, item in enumerate(ranking, start=1) if evidence.intersection(item)), 0.0)


def ndcg(ranking: Ranking, evidence: frozenset[str], k: int) -> float:
    """Discounted cumulative gain of the first k over the best there could be (Järvelin and Kekäläinen, 2002).

    A result gains once for each document of the evidence that no result before it stood for.
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
    """The mean of each measure over questions."""
    return {name: sum(row[name] for row in rows) / len(rows) for name in rows[0]}


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least this share of the values does not exceed (nearest rank)."""
    ordered = sorted(values)
    return ordered[max(0, min(len(ordered) - 1, int(share * len(ordered) + 0.999999) - 1))]
