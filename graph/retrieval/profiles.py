"""The retrievers and the ranking of a search, by its profile and the intent of the question. No other module names them
all.

Why-questions follow causal links. When-questions follow temporal links and search the period that is named. Who- and
what-questions search the entities that are named. General questions take no typed traversal (R2).
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
    Fuse,
    Fusion,
    context_fusion,
    reciprocal_rank_fusion,
)
from hippograph.graph.retrieval.memories import Memories
from hippograph.graph.retrieval.pools import Pools, Profile
from hippograph.graph.retrieval.ranking import (
    RankingProfile,
    Rerank,
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
from hippograph.nlp.questions.intent import Intent, IntentClassifier, words_classifier

_SETTINGS: Final = {
    Intent.WHY: replace(CONTEXT, link_weights={**CONTEXT.link_weights, CAUSAL: 0.5}),
    # Memories before and after are shown with their paths, but gain no score: a memory that tells a time answers.
    Intent.WHEN: replace(
        CONTEXT,
        weights={**CONTEXT.weights, PERIOD: 0.5},
        link_weights={**CONTEXT.link_weights, TEMPORAL: 0.0},
    ),
}
"""Settings of `context_fusion` for intents that need their own; found on a development set (`bench answers`)."""


class _Lists:
    """The retrievers of a service, and which of them an intent uses."""

    def __init__(self, database: Database, clock: Clock, slot: str, *, by_vector: bool) -> None:
        self.full_text, self.vector = FullText(database, clock, slot), Vector(database, clock, slot)
        self.nearest = self.vector if by_vector else self.full_text
        self.title_hop = TitleHop(Memories(database, clock), self.full_text)
        entities, in_period = EntityMemories(database, clock, slot), InPeriod(self.nearest)
        self._starts: Mapping[Intent, Sequence[Retriever]] = {
            Intent.WHEN: (in_period,),
            Intent.WHO: (entities,),
            Intent.WHAT: (entities,),
        }
        self._walks = {
            Intent.WHY: (Walk(CAUSAL, database, clock, slot),),
            Intent.WHEN: (Walk(TEMPORAL, database, clock, slot),),
        }

    def starts(self, intent: Intent) -> Sequence[Retriever]:
        """The retrievers that start from the query."""
        return (self.full_text, self.vector, *self._starts.get(intent, ()))

    def walks(self, intent: Intent) -> Sequence[Retriever]:
        """The retrievers that follow links from what was found."""
        return self._walks.get(intent, ())


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
    """The search of a service; `profile` and `fusion` are the defaults of a search that names none.

    `executor` runs the models; None is the event loop's default. Without an embedder there is no vector list (R11).
    `importance_weight` is that of the profile `STRENGTH`. `link_weights` are the weights of links, by kind: memories
    that were returned together before (`co_recalled`, T6) are left out without one. `rrf_weights` multiply the weights
    of lists, in both methods of fusion. `recall` records what a search returned, if the search asks for it. With
    `adaptive` the complexity of a question decides how much is done for it (R3). `classifier` returns the intent
    classifier and is called at the first question; the default classifies by words alone.
    """
    slot_name = slot.name if slot else "a"
    lists = _Lists(database, clock, slot_name, by_vector=embedder is not None)
    link_weights = link_weights or {}
    followed = [Walk(CO_RECALLED, database, clock, slot_name)] if link_weights.get(CO_RECALLED, 0.0) > 0 else []
    rrf = partial(reciprocal_rank_fusion, k=rrf_k, weights={**rrf_weights, **_multiplied(link_weights, rrf_weights)})
    by_strength = partial(strength_ranking, importance_weight=importance_weight)
    profiles: dict[tuple[RankingProfile, Fusion, Intent], Profile] = {}
    for intent in Intent:
        walks = (*followed, *lists.walks(intent))
        fused: dict[Fusion, Profile] = {
            "context": _by_context(lists, intent, walks, link_weights, rrf_weights),
            "rrf": Profile(lists.starts(intent), rrf, expansions=walks),
        }
        for name, one in fused.items():
            profiles |= {(each, name, intent): ranks for each, ranks in _ranked(lists, one, rrf, by_strength).items()}
    analyst = Analyst(embedder, classifier, adaptive=adaptive)
    relevance = calibrated(slot.model if embedder and slot else None)
    pools = Pools(database, clock, slot if embedder else None)
    return Search(database, clock, pools, profiles, profile, fusion, analyst, relevance, executor, recall)


def _ranked(lists: _Lists, fused: Profile, rrf: Fuse, by_strength: Rerank) -> dict[RankingProfile, Profile]:
    """Each ranking profile for one method of fusion."""
    return {
        RankingProfile.FUSED: fused,
        RankingProfile.STRENGTH: replace(fused, rerank=by_strength),
        RankingProfile.HEBBIAN: Profile((lists.full_text,), rrf, rerank=hebbian_ranking),
        RankingProfile.BLENDED: Profile((lists.nearest,), rrf, rerank=blended_ranking, bounded=True),
    }


def _by_context(
    lists: _Lists,
    intent: Intent,
    walks: Sequence[Retriever],
    link_weights: Mapping[str, float],
    rrf_weights: Mapping[str, float],
) -> Profile:
    """The profile of `context_fusion` for an intent."""
    settings = _SETTINGS.get(intent, CONTEXT)
    settings = replace(
        settings,
        weights=_multiplied(settings.weights, rrf_weights),
        link_weights=_multiplied({**settings.link_weights, **link_weights}, rrf_weights),
    )
    return Profile(
        lists.starts(intent),
        partial(context_fusion, settings=settings),
        expansions=(lists.title_hop, *walks),
        weighs_cues=True,
    )


def _multiplied(weights: Mapping[str, float], factors: Mapping[str, float]) -> dict[str, float]:
    return {name: weight * factors.get(name, 1.0) for name, weight in weights.items()}
