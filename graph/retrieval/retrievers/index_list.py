"""Reads a ranked list from an index, as deep as a request wants it."""

from collections.abc import Mapping
from typing import Final

from graph.clock import Clock
from graph.database import Database
from graph.retrieval.retrievers.retriever import Ranked, RankedList, Request

_LISTED: Final = 3
"""A list has at most so many times as many memories as turns, so that the facts in it take no turn's place."""


def most_listed(request: Request) -> int:
    """How many memories a list has at most."""
    return _LISTED * request.depth


async def read_list(
    database: Database, clock: Clock, statement: str, request: Request, *, limit: int, params: Mapping[str, object]
) -> RankedList:
    """The list that a statement gives, up to the turn that is number `depth`.

    The index is asked for `limit` entries; when the rule or a filter leaves too few of them, for more.
    """
    most = most_listed(request)
    common = {**request.params(clock), **params, "vector": request.vector, "depth": most}
    while True:
        row = await database.one(statement, limit=limit, **common)
        assert row is not None
        found = [Ranked(**each) for each in row["found"]]
        turns = [place for place, each in enumerate(found, start=1) if not each.fact]
        if len(turns) >= request.depth:
            return RankedList(found[: turns[request.depth - 1]], more=True)
        full = len(found) >= most
        if full or not row["more"]:
            return RankedList(found, more=full)
        limit *= 8
