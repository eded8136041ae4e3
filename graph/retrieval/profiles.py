"""Which retrievers and which fusion make a search, by the intent of the question: the one place that names them all.

Why goes along causes and effects. When goes along time, and to the stretch of time that is named. Who and what go to
the entities that are named. What is general takes no typed traversal (R2).
"""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from functools import partial
from typing import Final

from graph.clock import Clock
from graph.database import Database
from graph.retrieval.analysis import Analyst
from graph.retrieval.fusion import (
    CAUSAL,
    CONTEXT,
    ENTITY,
    PERIOD,
    TEMPORAL,
    Fusion,
    context_fusion,
    reciprocal_rank_fusion,
)
from graph.retrieval.memories import Memories
from graph.retrieval.pools import Profile
from graph.retrieval.retrievers.entity import EntityMemories
from graph.retrieval.retrievers.full_text import FullText
from graph.retrieval.retrievers.in_period import InPeriod
from graph.retrieval.retrievers.retriever import Retriever
from graph.retrieval.retrievers.title_hop import TitleHop
from graph.retrieval.retrievers.vector import Vector
from graph.retrieval.retrievers.walk import Walk
from graph.retrieval.search import Search
from graph.schema import VectorSlot
from nlp.embedding.embedder import Embedder
from nlp.questions.intent import Intent, IntentClassifier, words_classifier

_NAMED: Final = replace(CONTEXT, weights={**CONTEXT.weights, ENTITY: 0.2})
_SETTINGS: Final = {
    # Causes and effects are told within a few turns of each other: what stands beside the very best is worth more.
    Intent.WHY: replace(CONTEXT, link_weights={**CONTEXT.link_weights, CAUSAL: 0.5, TEMPORAL: 0.5}, seeds=3),
    Intent.WHEN: replace(
        CONTEXT,
        weights={**CONTEXT.weights, PERIOD: 0.5},
        link_weights={**CONTEXT.link_weights, TEMPORAL: 0.1},
    ),
    Intent.WHO: _NAMED,
    Intent.WHAT: _NAMED,
}
"""What `context_fusion` weighs for each intent, found on a development set (`bench answers`)."""


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
    adaptive: bool = True,
    classifier: Callable[[], IntentClassifier] = words_classifier,
) -> Search:
    """The search of a service: `fusion` is what a search uses that names none.

    `executor` runs the models, None the event loop's own. Without an embedder the full-text list alone answers (R11).
    `adaptive` lets a question's complexity say how much is done for it (R3). `classifier` gives what tells intents, by
    words alone if none is given; it is called when the first question comes.
    """
    slot_name = slot.name if slot else "a"
    full_text, vector = FullText(database, clock, slot_name), Vector(database, clock, slot_name)
    title_hop = TitleHop(Memories(database, clock), full_text)
    causal, temporal = (Walk(name, database, clock, slot_name) for name in (CAUSAL, TEMPORAL))
    entities = EntityMemories(database, clock, slot_name)
    in_period = InPeriod(vector if embedder else full_text)
    routes: dict[Intent, tuple[Sequence[Retriever], Sequence[Retriever]]] = {
        Intent.WHY: ((), (causal, temporal)),
        Intent.WHEN: ((in_period,), (temporal,)),
        Intent.WHO: ((entities,), ()),
        Intent.WHAT: ((entities,), ()),
        Intent.GENERAL: ((), ()),
    }
    rrf = partial(reciprocal_rank_fusion, k=rrf_k, weights=rrf_weights)
    profiles: dict[tuple[Fusion, Intent], Profile] = {}
    for intent, (lists, walks) in routes.items():
        context = partial(context_fusion, settings=_SETTINGS.get(intent, CONTEXT))
        profiles["context", intent] = Profile((full_text, vector, *lists), context, expansions=(title_hop, *walks))
        profiles["rrf", intent] = Profile((full_text, vector, *lists), rrf, expansions=walks)
    analyst = Analyst(embedder, classifier, adaptive=adaptive)
    return Search(database, clock, profiles, fusion, analyst, executor)
