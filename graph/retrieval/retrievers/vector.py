"""The vector retriever: memories whose embedding is near to that of the query, by exact cosine."""

from collections.abc import Mapping
from typing import Final

from hippograph.graph.clock import Clock
from hippograph.graph.database import Database
from hippograph.graph.retrieval.fusion import VECTOR
from hippograph.graph.retrieval.query_scope import about_searches, memory_searches
from hippograph.graph.retrieval.retrievers.index_list import read_list
from hippograph.graph.retrieval.retrievers.retriever import EMPTY, RankedList, Request


class Vector:
    """Finds memories by their meaning, in the index of a vector slot."""

    name: Final = VECTOR

    def __init__(self, database: Database, clock: Clock, slot: str) -> None:
        self._database = database
        self._clock = clock
        self._slot = slot

    async def retrieve(self, request: Request) -> RankedList:
        """The memories nearest to the query, best first; none without a vector."""
        if request.vector is None:
            return EMPTY
        where = (request.viewer, request.scope, request.times, request.filters)
        memories = [search.params() for search in memory_searches(*where, present=request.present)]
        about = [search.params() for search in about_searches(*where, present=request.present)]
        if request.filters.narrow:
            return await self._list(request, f"search/vector_narrow.{self._slot}", {"ranges": memories, "about": about})
        return await self._list(request, f"search/vector.{self._slot}", {"rows": [*memories, *about]})

    async def _list(self, request: Request, statement: str, places: Mapping[str, object]) -> RankedList:
        params = {**places, "concerned": request.scope.concerned(request.viewer)}
        return await read_list(self._database, self._clock, statement, request, params=params)
