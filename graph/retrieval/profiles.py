"""Which retrievers and which ranking make a search, by its profile and the intent of the question: the one place that
names them all.

Why goes along causes and effects. When goes along time, and to the stretch of time that is named. Who and what go to
the entities that are named. What is general takes no typed traversal (R2).
"""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from functools import partial
from typing import Final

from hippograph.graph.clock import Clock
from hippograph.graph.database import Database
from hippograph.graph.retention.recall import Recall
from hippograph.graph.retrieval.analysis import Analyst
from hippograph.graph.retrieval.fusion import (
    CAUSAL,
    CO_RECALLED,
    CONTEXT,
    PERIOD,
    TEMPORAL,
    Fusion,
    context_fusion,
    reciprocal_rank_fusion,
)
from hippograph.graph.retrieval.memories import Memories
from hippograph.graph.retrieval.pools import Pools, Profile
from hippograph.graph.retrieval.ranking import (
    RankingProfile,
    blended_ranking,
    hebbian_ranking,
    strength_ranking,
)
from hippograph.graph.retrieval.relevance import calibrated
from hippograph.graph.retrieval.retrievers.entity import EntityMemories
from hippograph.graph.retrieval.retrievers.full_text import FullText
from hippograph.graph.retrieval.retrievers.in_period import InPeriod
from hippograph.graph.retrieval.retrievers.retriever import Retriever
from hippograph.graph.retrieval.retrievers.title_hop import TitleHop
from hippograph.graph.retrieval.retrievers.vector import Vector
from hippograph.graph.retrieval.retrievers.walk import Walk
from hippograph.graph.retrieval.search import Search
from hippograph.graph.schema import VectorSlot
from hippograph.nlp.embedding.embedder import Embedder
from hippograph.nlp.questions.answer_cues import answer_cues
from hippograph.nlp.questions.intent import Intent, IntentClassifier, words_classifier

_SETTINGS: Final = {
    Intent.WHY: replace(CONTEXT, link_weights={**CONTEXT.link_weights, CAUSAL: 0.5}, cue_bonus=1.0),
    # What was before and after is shown with its path; what tells a time is what answers.
    Intent.WHEN: replace(
        CONTEXT,
        weights={**CONTEXT.weights, PERIOD: 0.5},
        link_weights={**CONTEXT.link_weights, TEMPORAL: 0.0},
        cue_bonus=1.0,
    ),
}
"""What `context_fusion` weighs for intents of their own, found on a development set (`bench answers`)."""


def make_search(
    database: Database,
    clock: Clock,
    *,
    embedder: Embedder | None,
    slot: VectorSlot | None,
    executor: Executor | None,
    fusion: Fusion,
    rrf_k: int,
    rrf_weights: Mapping[str, float],
    profile: RankingProfile = RankingProfile.FUSED,
    importance_weight: float = 0.3,
    link_weights: Mapping[str, float] | None = None,
    recall: Recall | None = None,
    adaptive: bool = True,
    classifier: Callable[[], IntentClassifier] = words_classifier,
) -> Search:
    """The search of a service: `profile` and `fusion` are what a search uses that names none.

    `executor` runs the models, None the event loop's own. Without an embedder the full-text list alone answers (R11).
    `importance_weight` is that of the profile `STRENGTH`. `link_weights` are those of ways of following links, by name:
    what was returned together before (`co_recalled`, T6) is left out without one. `rrf_weights` multiply the weights of
    lists, in both methods of fusion. `recall` notes what is returned, where that is asked for. `adaptive` lets a
    question's complexity say how much is done for it (R3). `classifier` gives what tells intents, by words alone if
    none is given; it is called when the first question comes.
    """
    slot_name = slot.name if slot else "a"
    full_text, vector = FullText(database, clock, slot_name), Vector(database, clock, slot_name)
    title_hop = TitleHop(Memories(database, clock), full_text)
    causal, temporal = (Walk(name, database, clock, slot_name) for name in (CAUSAL, TEMPORAL))
    entities = EntityMemories(database, clock, slot_name)
    link_weights, followed = link_weights or {}, list[Retriever]()
    if link_weights.get(CO_RECALLED, 0.0) > 0:
        followed.append(Walk(CO_RECALLED, database, clock, slot_name))
    in_period = InPeriod(vector if embedder else full_text)
    routes: dict[Intent, tuple[Sequence[Retriever], Sequence[Retriever]]] = {
        Intent.WHY: ((), (causal,)),
        Intent.WHEN: ((in_period,), (temporal,)),
        Intent.WHO: ((entities,), ()),
        Intent.WHAT: ((entities,), ()),
        Intent.GENERAL: ((), ()),
    }
    rrf = partial(reciprocal_rank_fusion, k=rrf_k, weights={**rrf_weights, **_multiplied(link_weights, rrf_weights)})
    by_strength = partial(strength_ranking, importance_weight=importance_weight)
    nearest = vector if embedder else full_text
    profiles: dict[tuple[RankingProfile, Fusion, Intent], Profile] = {}
    for intent, (lists, walks) in routes.items():
        weights = _SETTINGS.get(intent, CONTEXT)
        weights = replace(
            weights,
            weights=_multiplied(weights.weights, rrf_weights),
            link_weights=_multiplied({**weights.link_weights, **link_weights}, rrf_weights),
        )
        context = partial(context_fusion, settings=weights)
        fused: dict[Fusion, Profile] = {
            "context": Profile(
                (full_text, vector, *lists),
                context,
                expansions=(title_hop, *followed, *walks),
                cues=answer_cues(intent) if weights.cue_bonus else None,
            ),
            "rrf": Profile((full_text, vector, *lists), rrf, expansions=(*followed, *walks)),
        }
        for name, ranked in fused.items():
            profiles[RankingProfile.FUSED, name, intent] = ranked
            profiles[RankingProfile.STRENGTH, name, intent] = replace(ranked, rerank=by_strength)
            profiles[RankingProfile.HEBBIAN, name, intent] = Profile((full_text,), rrf, rerank=hebbian_ranking)
            profiles[RankingProfile.BLENDED, name, intent] = Profile(
                (nearest,), rrf, rerank=blended_ranking, bounded=True
            )
    analyst = Analyst(embedder, classifier, adaptive=adaptive)
    relevance = calibrated(slot.model if embedder and slot else None)
    pools = Pools(database, clock, slot if embedder else None)
    return Search(database, clock, pools, profiles, profile, fusion, analyst, relevance, executor, recall)


def _multiplied(weights: Mapping[str, float], factors: Mapping[str, float]) -> dict[str, float]:
    return {name: weight * factors.get(name, 1.0) for name, weight in weights.items()}
