"""Reads a ranked list from an index, as deep as a request wants it."""

from collections.abc import Mapping
from typing import Final

from hippograph.graph.clock import Clock
from hippograph.graph.database import Database
from hippograph.graph.retrieval.retrievers.retriever import Ranked, RankedList, Request

_OVERFETCH: Final = 3
"""Number of memories requested from the index for each turn that is wanted: the index answers from quantised vectors,
facts lie between turns, and the rule leaves some out.
"""
_ELSEWHERE: Final = 5
"""Number of turns in a list for each fact from elsewhere."""


async def read_list(
    database: Database, clock: Clock, statement: str, request: Request, *, params: Mapping[str, object]
) -> RankedList:
    """The list that a statement gives: up to `depth` turns, up to as many facts of the viewer's own and of this place,
    and some from elsewhere.

    If the rule or a filter leaves too few turns, the index is asked again for more.
    """
    common = {**request.params(clock), **params, "vector": request.vector, "depth": request.depth}
    limit = _OVERFETCH * request.depth
    while True:
        row = await database.one(statement, limit=limit, elsewhere=request.depth // _ELSEWHERE, **common)
        assert row is not None
        found = [Ranked(**each) for each in row["found"]]
        facts = sum(each.fact for each in found)
        turns = len(found) - facts
        if turns >= request.depth or not row["more"] or (facts >= request.depth and not turns):
            return RankedList(found, more=row["more"] or turns >= request.depth)
        limit *= 8
