"""The entity retriever: memories about what the question names, and about what that is related to."""

from typing import Final

from hippograph.graph.clock import Clock
from hippograph.graph.database import Database
from hippograph.graph.retrieval.fusion import ENTITY
from hippograph.graph.retrieval.retrievers.retriever import EMPTY, Ranked, RankedList, Request

_READS: Final = 2_000
"""Memories that are looked at of each entity, of those that the viewer can come to at all; of one that more of them
name, some are not.
"""


class EntityMemories:
    """Finds the memories that name the entities of the question or are about them, or about an entity one relation
    away. `slot` is the vector slot whose cosines the list tells.
    """

    name: Final = ENTITY

    def __init__(self, database: Database, clock: Clock, slot: str) -> None:
        self._database = database
        self._clock = clock
        self._statement = f"search/entity.{slot}"

    async def retrieve(self, request: Request) -> RankedList:
        """These memories, the entity's own before those of its relations; none where the question names no entity."""
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
