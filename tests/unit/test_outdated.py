"""Where turns stand that say what holds no longer."""

from datetime import UTC, datetime

from hippograph.graph.retrieval.fusion import Candidate, Fused
from hippograph.graph.retrieval.outdated import Outdated, holding_first

SINCE = datetime(2026, 5, 1, tzinfo=UTC)


def ranking(**scores: float) -> list[Fused]:
    """A ranking of these memories by these scores."""
    items = [Fused.of(Candidate(name), {"own": score}) for name, score in scores.items()]
    return sorted(items, key=lambda item: -item.score)


def order(items: list[Fused]) -> list[str]:
    """The ids, best first."""
    return [item.id for item in items]


def test_what_holds_now_stands_right_before_the_turn() -> None:
    """It is raised, and the rest stays as it is."""
    found = holding_first(ranking(old=3, other=2, new=1), {"old": Outdated("ended", SINCE, "new")}, {})
    assert ["new", "old", "other"] == order(found)


def test_what_stands_before_it_already_stays() -> None:
    """Its score is its own."""
    found = holding_first(ranking(new=3, other=2, old=1), {"old": Outdated("ended", SINCE, "new")}, {})
    assert [("new", 3), ("other", 2), ("old", 1)] == [(item.id, item.score) for item in found]


def test_a_turn_stands_for_the_fact_that_was_found_in_it() -> None:
    """Where a fact gave way to its turn, that is what is raised."""
    outdated = {"old": Outdated("corrected", SINCE, "fact")}
    assert ["turn", "old"] == order(holding_first(ranking(old=3, turn=1), outdated, {"fact": ["turn"]}))


def test_what_was_not_found_is_not_put_in() -> None:
    """A search has its own candidates."""
    items = ranking(old=3, other=2)
    assert items == holding_first(items, {"old": Outdated("corrected", SINCE, "new")}, {})


def test_without_anything_in_its_place_a_turn_stays() -> None:
    """What was forgotten has nothing behind which to stand."""
    items = ranking(old=3, other=2)
    assert items == holding_first(items, {"old": Outdated("forgotten", SINCE, None)}, {})
