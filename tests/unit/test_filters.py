from datetime import UTC, datetime, timedelta

import pytest

from graph.filters import NO_FILTERS, Filters, day, lucene, ranges, title_slug, title_token, titled
from graph.ids import token
from graph.model import NO_END, START, MemoryType, Times, Viewer

NOW = datetime(2024, 5, 1, 12, tzinfo=UTC)
ME = Viewer("aa1", "bb2", "cc3")


def test_no_filter_leaves_everything_out_of_nothing() -> None:
    """Without filters every range is as wide as can be, but for what is active alone."""
    bounds = NO_FILTERS.bounds()
    assert ("active", "active") == (bounds.pop("status_from"), bounds.pop("status_to"))
    assert {("_from", ""), ("_to", "\uffff")} == {(n[n.rindex("_") :], value) for n, value in bounds.items()}


def test_one_value_is_a_range_of_itself() -> None:
    """One value narrows the index; several are alternatives, which it cannot hold."""
    one, two = Filters(kinds=("event",)).bounds(), Filters(kinds=("event", "task")).bounds()
    assert ("event", "event") == (one["kind_from"], one["kind_to"])
    assert ("", "\uffff") == (two["kind_from"], two["kind_to"])


def test_clauses_are_required_and_score_nothing() -> None:
    """Each filter of the full-text index is one required clause with boost 0; each tag is one of its own."""
    filters = Filters(types=(MemoryType.EPISODIC, MemoryType.OPINION), tags=("a", "b"), statuses=())
    expected = [
        f"+facets:({token('type', 'episodic')} {token('type', 'opinion')})^0",
        f"+facets:({token('tag', 'a')})^0",
        f"+facets:({token('tag', 'b')})^0",
    ]
    assert expected == filters.clauses()


def test_days_bound_the_time() -> None:
    """A time range becomes whole days in the full-text index; what is finer is checked behind it."""
    filters = Filters(after=NOW, before=NOW + timedelta(days=1), statuses=())
    assert ["+event_day:[20240501 TO 20240502]^0"] == filters.clauses()
    assert [] == Filters(statuses=()).clauses()


def test_the_question_is_asked_inside_the_scopes() -> None:
    """The words are required, inside one's own scope and the chat's, for the persona and for none."""
    query = lucene(ME, "content:(x)", Filters(statuses=()), own=False)
    personas = f"+facets:({token('persona', '')} {token('persona', 'cc3')})^0"
    assert f"+scopes:(aa1 bb2)^0 {personas} +(content:(x))" == query
    assert "+scopes:(aa1)^0" in lucene(ME, "content:(x)", NO_FILTERS, own=True)


@pytest.mark.parametrize(("present", "ends"), [(True, 1), (False, 2)])
def test_ranges_cover_scopes_personas_and_ends(present: bool, ends: int) -> None:
    """Each scope with each persona is one search in the present, and two at other times."""
    rows = ranges(ME, Times(NOW, NOW), NO_FILTERS, present=present)
    places = {(row["scope"], row["persona_from"]) for row in rows}
    assert {("aa1", ""), ("aa1", "cc3"), ("bb2", ""), ("bb2", "cc3")} == places
    assert 4 * ends == len(rows)
    both = {(row["valid_after"], row["ended_after"]) for row in rows}
    assert {(NOW, START), (START, NOW)} >= both
    assert ends == len(both)


def test_days_sort_as_words() -> None:
    """The day of a moment is eight digits, from the first year to the last."""
    assert ["00010101", "20240501", "99991231"] == [day(moment) for moment in (START, NOW, NO_END)]


@pytest.mark.parametrize(
    ("title", "expected"),
    [("Graz", "graz"), ("Mercury (planet)", "mercury"), ("(What's the Story)", "whats_the_story"), ("Été", "été")],
)
def test_what_stands_behind_a_title_is_no_name(title: str, expected: str) -> None:
    """A title is looked for without what is in parentheses behind it, if something is left."""
    assert expected == title_slug(title)
    assert title_token(title) in titled([expected])
