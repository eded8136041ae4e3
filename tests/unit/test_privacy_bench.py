from benchmarks import privacy
from hippograph.graph.retrieval.search import DEPTHS


def test_the_lists_beside_a_search_are_as_deep_as_its_own() -> None:
    """`bench privacy` times lists of as many turns as those of the first pool of a search."""
    assert (DEPTHS[0], 3 * DEPTHS[0]) == (privacy.DEPTH, privacy.LIMIT)
