"""The full-text retriever: memories that hold words of the query, by BM25."""

from typing import Final

from hippograph.graph.clock import Clock
from hippograph.graph.database import Database
from hippograph.graph.retrieval.fusion import FULL_TEXT
from hippograph.graph.retrieval.query_scope import lucene
from hippograph.graph.retrieval.retrievers.index_list import read_list
from hippograph.graph.retrieval.retrievers.retriever import EMPTY, RankedList, Request
from hippograph.nlp.text import full_text_query, full_text_words, without_names

FIELDS: Final = ("content", "heading", "tags")


class FullText:
    """Finds memories by their words. `slot` is the vector slot for the cosines in the list."""

    name: Final = FULL_TEXT

    def __init__(self, database: Database, clock: Clock, slot: str) -> None:
        self._database = database
        self._clock = clock
        self._slot = slot

    async def retrieve(self, request: Request) -> RankedList:
        """The memories with words of the query, best first."""
        # The participants of a chat speak or are mentioned in most of it. Their names say little there, but the index,
        # which counts over all chats, takes them for rare words.
        words = full_text_words(request.query)
        words = without_names(words, request.scope.names) or words
        clause = full_text_query(words, FIELDS)
        return await self.matching(request, clause) if clause else EMPTY

    async def matching(self, request: Request, clause: str) -> RankedList:
        """The memories that match a clause of Lucene's query language, among the candidates of the request."""
        query = lucene(request.viewer, request.scope, clause, request.filters)
        params = {"query": query.near, "far_query": query.far}
        statement = f"search/full_text.{self._slot}"
        return await read_list(self._database, self._clock, statement, request, params=params)
