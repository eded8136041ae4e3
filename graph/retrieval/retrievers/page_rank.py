"""Multi-hop over entities: what is near the best results in the graph of memories and entities.

One statement walks a few steps of personalised PageRank (Page et al., 1999; Haveliwala, 2002; over a knowledge graph
for retrieval: Gutiérrez et al., HippoRAG, NeurIPS 2024). A node that the viewer may not see is no node of that graph.
"""

from dataclasses import replace
from typing import Final

from graph.clock import Clock
from graph.database import Database
from graph.retrieval.fusion import CONTEXT, PAGE_RANK
from graph.retrieval.retrievers.retriever import EMPTY, Ranked, RankedList, Request

DAMPING: Final = 0.85
"""The share of a node's mass that goes on at each step."""
_FAN: Final = 100
"""What is joined to more nodes leads nowhere: it says little of what belongs together."""
_READS: Final = 500
_FRONTIER: Final = 300


class PageRank:
    """Finds memories by personalised PageRank from `Request.found` and the entities of the question."""

    name: Final = PAGE_RANK

    def __init__(self, database: Database, clock: Clock, slot: str) -> None:
        self._database = database
        self._clock = clock
        self._statement = f"search/page_rank.{slot}"

    async def retrieve(self, request: Request) -> RankedList:
        """The memories nearest in the graph, with the best result as the seed of each: the strength is their score as a
        share of the greatest.
        """
        seeds = [item.id for item in request.found[: CONTEXT.seeds]]
        about = [entity.id for entity in request.scope.entities]
        if not seeds:
            return EMPTY
        row = await self._database.one(
            self._statement,
            seeds=seeds,
            about=about,
            damping=DAMPING,
            fan=_FAN,
            reads=_READS,
            frontier=_FRONTIER,
            limit=request.depth,
            **request.params(self._clock) | {"vector": request.vector},
        )
        assert row is not None
        found = [Ranked(**each) for each in row["found"]]
        greatest = max((item.score for item in found), default=1.0)
        return RankedList([replace(item, seeds={seeds[0]: item.score / greatest}) for item in found])
