from datetime import UTC, datetime, timedelta

import pytest

from hippograph.graph.errors import InvalidInput
from hippograph.graph.ids import token
from hippograph.graph.model import NO_END, START, MemoryType
from hippograph.graph.retrieval.filters import NO_FILTERS, Filters, day, title_slug, title_token, titled

NOW = datetime(2024, 5, 1, 12, tzinfo=UTC)


def test_no_filter_leaves_everything_out_of_nothing() -> None:
    """Without filters the bounds of every label are the whole range, except the status, which is active."""
    bounds = NO_FILTERS.bounds()
    assert ("active", "active") == bounds.pop("status")
    assert {("", "\uffff")} == set(bounds.values())


def test_one_value_is_a_range_of_itself() -> None:
    """One value of a filter bounds the vector index; several are alternatives, which the index cannot express."""
    one, two = Filters(kinds=("event",)).bounds(), Filters(kinds=("event", "task")).bounds()
    assert ("event", "event") == one["kind"]
    assert ("", "\uffff") == two["kind"]


@pytest.mark.parametrize("name", ["kinds", "categories", "sources", "statuses"])
def test_what_no_memory_can_have_is_refused(name: str) -> None:
    """A value that no memory can have raises an error that names the possible ones, since it would find nothing."""
    with pytest.raises(InvalidInput, match=r"'nonsense' is no .* of a memory; choose among"):
        Filters(**{name: ("nonsense",)})


def test_clauses_are_required_and_score_nothing() -> None:
    """Each filter is one required clause of the full-text query with boost 0; each tag has its own clause."""
    filters = Filters(types=(MemoryType.EPISODIC, MemoryType.OPINION), tags=("a", "b"), statuses=())
    expected = [
        f"+facets:({token('type', 'episodic')} {token('type', 'opinion')})^0",
        f"+facets:({token('tag', 'a')})^0",
        f"+facets:({token('tag', 'b')})^0",
    ]
    assert expected == filters.clauses()


def test_days_bound_the_time() -> None:
    """A time range becomes a range of whole days in the full-text query; exact times are checked on its results."""
    filters = Filters(after=NOW, before=NOW + timedelta(days=1), statuses=())
    assert ["+event_day:[20240501 TO 20240502]^0"] == filters.clauses()
    assert [] == Filters(statuses=()).clauses()


def test_days_sort_as_words() -> None:
    """The day of a moment has eight digits in every year, so that days sort as text."""
    assert ["00010101", "20240501", "99991231"] == [day(moment) for moment in (START, NOW, NO_END)]


@pytest.mark.parametrize(
    ("title", "expected"),
    [("Graz", "graz"), ("Mercury (planet)", "mercury"), ("(What's the Story)", "whats_the_story"), ("Été", "été")],
)
def test_what_stands_behind_a_title_is_no_name(title: str, expected: str) -> None:
    """The slug of a title omits a parenthesis at its end, unless nothing else is left."""
    assert expected == title_slug(title)
    assert title_token(title) in titled([expected])
