"""The period retriever: memories of what happened in the period that the question names."""

from dataclasses import replace
from typing import Final

from hippograph.graph.retrieval.fusion import PERIOD
from hippograph.graph.retrieval.retrievers.retriever import EMPTY, RankedList, Request, Retriever


class InPeriod:
    """Asks another retriever for what happened in the period of the question, within the caller's own filters."""

    name: Final = PERIOD

    def __init__(self, retriever: Retriever) -> None:
        self._retriever = retriever

    async def retrieve(self, request: Request) -> RankedList:
        """The memories of that period; none if the question names no period."""
        if request.period is None:
            return EMPTY
        after, before = request.filters.after, request.filters.before
        narrowed = replace(
            request.filters,
            after=max(after, request.period.start),
            before=min(before, request.period.end),
            zone=request.scope.time_zone,
        )
        return await self._retriever.retrieve(replace(request, filters=narrowed))
