from unittest.mock import AsyncMock, Mock

from benchmarks import privacy
from hippograph.graph.retrieval.retrievers.index_list import read_list
from hippograph.graph.retrieval.search import DEPTHS


async def test_a_timed_list_asks_the_index_for_as_much_as_a_search() -> None:
    """`bench privacy` times lists that ask the index for as many memories as the first list of a search."""
    database = Mock(one=AsyncMock(return_value={"found": [], "more": False}))
    request = Mock(depth=DEPTHS[0], params=Mock(return_value={}))
    await read_list(database, Mock(), "search/vector.a", request, params={})
    asked = database.one.call_args.kwargs
    assert (privacy.DEPTH, privacy.LIMIT) == (asked["depth"], asked["limit"])
