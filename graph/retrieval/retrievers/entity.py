"""The entity retriever: memories about entities that the question names, and about entities related to them."""

from typing import Final

from hippograph.graph.clock import Clock
from hippograph.graph.database import Database
from hippograph.graph.retrieval.fusion import ENTITY
from hippograph.graph.retrieval.retrievers.retriever import EMPTY, Ranked, RankedList, Request

_READS: Final = 2_000
"""Maximum number of memories that are read of each entity, of those that the viewer can reach at all. Of an entity with
more, some are left out, in no particular order.
"""


class EntityMemories:
    """Finds the memories that name or are about the entities of the question, or entities one relation away. `slot` is
    the vector slot for the cosines in the list.
    """

    name: Final = ENTITY

    def __init__(self, database: Database, clock: Clock, slot: str) -> None:
        self._database = database
        self._clock = clock
        self._statement = f"search/entity.{slot}"

    async def retrieve(self, request: Request) -> RankedList:
        """The memories of the named entities, then those of related ones; none if the question names no entity."""
        if not request.scope.entities:
            return EMPTY
        row = await self._database.one(
            self._statement,
            about=[entity.id for entity in request.scope.entities],
            limit=request.depth,
            reads=_READS,
            **request.params(self._clock) | {"vector": request.vector},
        )
        assert row is not None
        return RankedList([Ranked(**each) for each in row["found"]])
