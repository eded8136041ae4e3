"""Which retrievers and which fusion make a search: the one place that names them all."""

from collections.abc import Mapping
from concurrent.futures import Executor
from functools import partial

from graph.clock import Clock
from graph.database import Database
from graph.retrieval.fusion import Fusion, context_fusion, reciprocal_rank_fusion
from graph.retrieval.memories import Memories
from graph.retrieval.pools import Profile
from graph.retrieval.retrievers.full_text import FullText
from graph.retrieval.retrievers.title_hop import TitleHop
from graph.retrieval.retrievers.vector import Vector
from graph.retrieval.search import Search
from graph.schema import VectorSlot
from nlp.embedding.embedder import Embedder


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
) -> Search:
    """The search of a service: `fusion` is what a search uses that names none.

    `executor` runs the embedder, None the event loop's own. Without an embedder the full-text list alone answers (R11).
    """
    slot_name = slot.name if slot else "a"
    full_text, vector = FullText(database, clock, slot_name), Vector(database, clock, slot_name)
    title_hop = TitleHop(Memories(database, clock), full_text)
    rrf = partial(reciprocal_rank_fusion, k=rrf_k, weights=rrf_weights)
    profiles: dict[Fusion, Profile] = {
        "context": Profile((full_text, vector), context_fusion, expansions=(title_hop,)),
        "rrf": Profile((full_text, vector), rrf),
    }
    return Search(database, clock, profiles, fusion, embedder=embedder, executor=executor)
