"""Ranking of outdated turns and of the memories that hold instead."""

from datetime import UTC, datetime

from hippograph.graph.retrieval.fusion import Candidate, Fused
from hippograph.graph.retrieval.outdated import Outdated, holding_first

SINCE = datetime(2026, 5, 1, tzinfo=UTC)


def ranking(**scores: float) -> list[Fused]:
    """Returns a ranking of memories with these scores, best first."""
    items = [Fused.of(Candidate(name), {"own": score}) for name, score in scores.items()]
    return sorted(items, key=lambda item: -item.score)


def order(items: list[Fused]) -> list[str]:
    """Returns the ids in the order of the ranking."""
    return [item.id for item in items]


def test_what_holds_now_stands_right_before_the_turn() -> None:
    """The memory that holds now is raised to right before the outdated turn; the others keep their order."""
    found = holding_first(ranking(old=3, other=2, new=1), {"old": Outdated("ended", SINCE, "new")}, {})
    assert ["new", "old", "other"] == order(found)


def test_what_stands_before_it_already_stays() -> None:
    """A memory that precedes the outdated turn already keeps its score, as do the others."""
    found = holding_first(ranking(new=3, other=2, old=1), {"old": Outdated("ended", SINCE, "new")}, {})
    assert [("new", 3), ("other", 2), ("old", 1)] == [(item.id, item.score) for item in found]


def test_a_turn_stands_for_the_fact_that_was_found_in_it() -> None:
    """If the fact that holds now is not in the ranking, the turn it was found in is raised."""
    outdated = {"old": Outdated("corrected", SINCE, "fact")}
    assert ["turn", "old"] == order(holding_first(ranking(old=3, turn=1), outdated, {"fact": ["turn"]}))
    two = {"fact": ["late", "turn"]}
    assert ["turn", "old", "late"] == order(holding_first(ranking(turn=3, old=2, late=1), outdated, two))


def test_what_was_not_found_is_not_put_in() -> None:
    """A memory that holds now but was not found is not added to the ranking."""
    items = ranking(old=3, other=2)
    assert items == holding_first(items, {"old": Outdated("corrected", SINCE, "new")}, {})


def test_without_anything_in_its_place_a_turn_stays() -> None:
    """An outdated turn with nothing that holds in its place leaves the ranking unchanged."""
    items = ranking(old=3, other=2)
    assert items == holding_first(items, {"old": Outdated("forgotten", SINCE, None)}, {})
