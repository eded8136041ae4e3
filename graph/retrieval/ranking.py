"""Ranking profiles: what decides, besides the question, which memory comes first (R5). Pure functions.

`FUSED` is fusion (`graph.retrieval.fusion`) and, among what matches alike, use. The others also use traits of each
candidate: its importance, how long ago it was used and happened, how it was reinforced, and which entities it names.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from math import exp, tanh
from typing import Final

from hippograph.graph.retention.strength import strength
from hippograph.graph.retrieval.fusion import FULL_TEXT, VECTOR, Candidate, Fused, in_order

MOST_BLENDED: Final = 50
"""Maximum number of candidates that the profile `BLENDED` ranks."""
HALF_LIFE_DAYS: Final = 14.0
USE_SHARE: Final = 0.03
"""The most that use adds or takes in the profile `FUSED`, as a share of the spread of the fused scores."""
_SERVED: Final = 3
"""The score at which use has three quarters of its maximum effect."""
_MOST_SCORE: Final = 100
"""Maximum score that counts in the profile `HEBBIAN`."""
_NO_SPREAD: Final = 1e-9
_GREATEST_IMPORTANCE: Final = 3.0
_SIMILARITY, _RECENCY, _FREQUENCY = 0.4, 0.3, 0.3


class RankingProfile(StrEnum):
    """How a search ranks what it finds."""

    FUSED = "fused"
    STRENGTH = "strength"
    HEBBIAN = "hebbian"
    BLENDED = "blended"


@dataclass(frozen=True, slots=True)
class Traits:
    """What profiles know of a memory: its importance (0 to 3), its stability in days, its reinforcement score, and the
    keys of the entities it names. In days: `idle` since it was last used, `since_hit` since it was last reinforced, or
    else created, and `age` since it happened. If it is not the viewer's own, `stability`, `score`, `idle` and
    `since_hit` are those of a memory never used (T5).
    """

    importance: float
    stability: float
    score: int
    idle: float
    since_hit: float
    age: float
    entities: frozenset[str] = frozenset()


Rerank = Callable[[Sequence[Fused], Mapping[str, Candidate], Mapping[str, Traits]], list[Fused]]
"""A profile: from a fused ranking, its candidates by id and their traits by id to a ranking, best first."""


def use_ranking(ranking: Sequence[Fused], scores: Mapping[str, int]) -> list[Fused]:
    """`FUSED`: a reinforced memory ranks before its equal, a demoted one behind it (T5), by the part `use`,
    `0.03 · spread · tanh(score / 3)`. The spread is that of the fused scores, 1 if all are equal.

    `scores` are those of the viewer's own memories. Two memories that are further apart than 0.06 of the spread keep
    their order. A memory without a score keeps its fused score.
    """
    if not any(scores.get(item.id) for item in ranking):
        return list(ranking)
    fused = [item.score for item in ranking]
    spread = max(fused) - min(fused)
    most = USE_SHARE * (spread if spread > _NO_SPREAD else 1.0)

    def used(item: Fused) -> Fused:
        score = scores.get(item.id, 0)
        return item.plus("use", most * tanh(score / _SERVED)) if score else item

    return in_order(used(item) for item in ranking)


def strength_ranking(
    ranking: Sequence[Fused],
    _candidates: Mapping[str, Candidate],
    traits: Mapping[str, Traits],
    *,
    importance_weight: float,
) -> list[Fused]:
    """`STRENGTH`: `relevance + importance_weight · strength / 3` (R5; for strength see `graph.retention.strength`).

    The relevance is the fused score, scaled so that the best of the ranking has 1 and the last 0.
    """
    scores = [item.score for item in ranking]
    low, spread = min(scores, default=0.0), max(scores, default=0.0) - min(scores, default=0.0)

    def ranked(item: Fused) -> Fused:
        known = traits[item.id]
        scaled = (item.score - low) / spread if spread > 0 else 1.0
        lasting = strength(known.importance, known.idle, known.stability) / _GREATEST_IMPORTANCE
        return _scored(item, {"relevance": scaled, "strength": importance_weight * lasting})

    return in_order(ranked(item) for item in ranking if item.id in traits)


def hebbian_ranking(
    ranking: Sequence[Fused], candidates: Mapping[str, Candidate], traits: Mapping[str, Traits]
) -> list[Fused]:
    """`HEBBIAN`: `bm25 · e^(0.2 · score) / (1 + 0.01 · days)` over the full-text list, days since the last
    reinforcement (R5), after D. Hebb, The Organization of Behavior (1949).

    BM25 is taken as a share of the best score of the list: its value depends on texts that the viewer may not see (P3).
    """
    matches = {item.id: candidates[item.id].hits[FULL_TEXT].score for item in ranking if FULL_TEXT in item.hits}
    best = max(matches.values(), default=0.0) or 1.0
    return in_order(
        _scored(item, {"hebbian": hebbian_score(matches[item.id] / best, traits[item.id])})
        for item in ranking
        if item.id in matches and item.id in traits
    )


def hebbian_score(match: float, known: Traits) -> float:
    """`match · e^(0.2 · score) / (1 + 0.01 · days)`, with a score of at most 100, so that the power cannot overflow.
    What is archived first is decided by the same formula without the match and the limit (T7).
    """
    return match * exp(0.2 * min(known.score, _MOST_SCORE)) / (1 + 0.01 * max(0.0, known.since_hit))


def blended_ranking(
    ranking: Sequence[Fused], candidates: Mapping[str, Candidate], traits: Mapping[str, Traits]
) -> list[Fused]:
    """`BLENDED`: `0.4 · similarity + 0.3 · recency + 0.3 · frequency` over the 50 nearest (R5; after J. Park et al.,
    Generative Agents, UIST 2023, with the frequency of entities in place of importance).

    The similarity is the cosine, at least 0; without vectors, the match by words as a share of the best. The recency is
    `0.5^(days / 14)`, counted from when it happened. The frequency of a memory is the number of candidates that name
    its most frequent entity, as a share of the largest such number.
    """
    matches = {item.id: _similarity(candidates[item.id]) for item in ranking if item.id in traits}
    best = max(matches.values(), default=0.0) if all(candidates[each].cosine is None for each in matches) else 1.0
    nearest = sorted(matches, key=lambda memory_id: (-matches[memory_id], memory_id))[:MOST_BLENDED]
    named = Counter(key for memory_id in nearest for key in traits[memory_id].entities)
    most = max(named.values(), default=1)
    chosen = frozenset(nearest)
    return in_order(
        _scored(
            item,
            {
                "similarity": _SIMILARITY * matches[item.id] / (best or 1.0),
                "recency": _RECENCY * recency(traits[item.id].age),
                "frequency": _FREQUENCY * max((named[key] for key in traits[item.id].entities), default=0) / most,
            },
        )
        for item in ranking
        if item.id in chosen
    )


def recency(days: float) -> float:
    """The recency, 0 to 1: it halves every 14 days, and is 1 for what is yet to come."""
    return float(0.5 ** (max(0.0, days) / HALF_LIFE_DAYS))


def _similarity(candidate: Candidate) -> float:
    if candidate.cosine is not None:
        return max(0.0, candidate.cosine)
    return max((hit.score for name, hit in candidate.hits.items() if name in (FULL_TEXT, VECTOR)), default=0.0)


def _scored(item: Fused, parts: Mapping[str, float]) -> Fused:
    return replace(item, score=sum(parts.values()), parts=parts)
