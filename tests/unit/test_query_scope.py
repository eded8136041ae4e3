from dataclasses import replace
from datetime import UTC, datetime

import pytest

from hippograph.graph.ids import token
from hippograph.graph.model import START, ChatKind, Sensitivity, Times, Viewer
from hippograph.graph.retrieval.filters import NO_FILTERS, Filters
from hippograph.graph.retrieval.query_scope import (
    MOST_CHATS,
    IndexSearch,
    QueryScope,
    Shape,
    about_searches,
    lucene,
    memory_searches,
)

NOW = datetime(2024, 5, 1, 12, tzinfo=UTC)
LATER = NOW.replace(hour=13)
PRESENT = Times(NOW, NOW)
ME, IN_GROUP = Viewer("aa1"), Viewer("aa1", "bb2")
ALONE = QueryScope(ChatKind.PRIVATE, chats=("bb2", "bb3"), named=("ee5",))
GROUP = QueryScope(ChatKind.GROUP, participants=("aa1", "dd4"), chats=("bb2",))


def labels(searches: list[IndexSearch], *names: str) -> set[tuple[object, ...]]:
    """Returns the scope and the lower bounds of the named labels of each search."""
    return {tuple(s.scope if name == "scope" else s.bounds[name][0] for name in names) for s in searches}


def test_alone_one_looks_at_all_of_ones_own() -> None:
    """In private the memories are searched once, in the viewer's own scope, whatever their sensitivity and chat."""
    assert {("aa1", "", "")} == labels(
        memory_searches(ME, ALONE, PRESENT, NO_FILTERS, present=True), "scope", "sensitivity", "learned"
    )


def test_in_a_group_what_is_sensitive_must_have_been_said_there() -> None:
    """In a group the viewer's own memories are searched without sensitive ones, except those learned there. The group's
    memories are searched without bounds.
    """
    searches = memory_searches(IN_GROUP, GROUP, PRESENT, NO_FILTERS, present=True)
    assert {
        ("aa1", ("personal", "public"), ("", "\uffff")),
        ("aa1", ("sensitive", "sensitive"), ("bb2", "bb2")),
        ("bb2", ("", "\uffff"), ("", "\uffff")),
    } == {(search.scope, search.bounds["sensitivity"], search.bounds["learned"]) for search in searches}


def test_of_others_in_a_group_one_looks_at_what_is_public_or_was_told_there() -> None:
    """In a group the searches cover what is portable and public about a participant, what is portable and not sensitive
    about the viewer, and all that was told there.
    """
    searches = about_searches(IN_GROUP, GROUP, PRESENT, NO_FILTERS, present=True)
    assert {("aa1", "personal", "", True), ("dd4", "public", "", True), ("", "", "bb2", False)} == labels(
        searches, "person", "sensitivity", "learned", "portable"
    )


def test_of_others_in_private_one_looks_at_what_one_was_told() -> None:
    """In private the searches cover all that is portable about the viewer. About a named person they cover what is
    public and was said by the viewer or learned in one of the viewer's chats.
    """
    searches = about_searches(ME, ALONE, PRESENT, NO_FILTERS, present=True)
    others = [search for search in searches if search.bounds["person"] == ("ee5", "ee5")]
    assert {("aa1", "", "", True)} == labels(
        [search for search in searches if search not in others], "person", "sensitivity", "learned", "portable"
    )
    assert {
        ("public", "aa1", "", ""),
        ("public", "", "bb2", ""),
        ("public", "", "bb3", ""),
    } == labels(others, "sensitivity", "speaker", "learned", "source")


def test_old_data_is_looked_for_when_a_setting_says_so() -> None:
    """Migrated memories that were learned in no chat are candidates only with `legacy_disclosable`."""
    old = replace(ALONE, legacy_disclosable=True)
    searches = about_searches(ME, old, PRESENT, NO_FILTERS, present=True)
    [brought] = [search.bounds for search in searches if search.bounds["source"] == ("migration", "migration")]
    assert (("ee5", "ee5"), ("", "")) == (brought["person"], brought["learned"])
    assert token("source", "migration") in lucene(ME, old, "content:(x)", NO_FILTERS).far
    assert token("source", "migration") not in lucene(ME, ALONE, "content:(x)", NO_FILTERS).far


def test_somebody_of_very_many_chats_is_not_searched_chat_by_chat() -> None:
    """Above `MOST_CHATS` chats there is one search for each named person, and the visibility rule filters the rest."""
    busy = QueryScope(ChatKind.PRIVATE, chats=tuple(f"c{n}" for n in range(MOST_CHATS + 1)), named=("ee5",))
    bounds = [search.bounds for search in about_searches(ME, busy, PRESENT, NO_FILTERS, present=True)]
    assert [("", "\uffff")] == [each["learned"] for each in bounds if each["person"] == ("ee5", "ee5")]
    assert token("learned_in", "c1") not in lucene(ME, busy, "content:(x)", NO_FILTERS).far


@pytest.mark.parametrize(("present", "ends"), [(True, {(NOW, START)}), (False, {(NOW, START), (START, LATER)})])
def test_each_persona_and_each_end_is_a_search(present: bool, ends: set[tuple[datetime, datetime]]) -> None:
    """Each place with each persona is one search in the present, and two at other times (M14)."""
    asked = replace(ALONE, persona="cc3")
    searches = memory_searches(ME, asked, Times(NOW, LATER), NO_FILTERS, present=present)
    assert {("", ""), ("cc3", "cc3")} == {search.bounds["persona"] for search in searches}
    assert 2 * len(ends) == len(searches)
    assert ends == {(search.valid_after, search.ended_after) for search in searches}


def test_with_all_personas_there_is_one_search() -> None:
    """A viewer with every persona searches once, without a bound on personas in vector and full-text search."""
    searches = memory_searches(ME.with_every_persona(), ALONE, PRESENT, NO_FILTERS, present=True)
    assert [("", "\uffff")] == [search.bounds["persona"] for search in searches]
    assert token("persona", "") not in lucene(ME.with_every_persona(), ALONE, "content:(x)", NO_FILTERS).anywhere


def test_a_search_is_a_row_of_bounds() -> None:
    """The row for the statement has both bounds of each label by its name, and the other conditions of the search."""
    search = IndexSearch(Shape.SCOPE, {"learned": ("a", "b")}, NOW, START, "aa1")
    bound = {"shape": "scope", "scope": "aa1", "valid_after": NOW, "ended_after": START}
    assert {**bound, "learned_from": "a", "learned_to": "b"} == search.params()


def test_a_filter_narrows_the_labels_and_leaves_out_what_can_hold_nothing() -> None:
    """A filter narrows the bounds of a search. A search whose bounds have nothing in common with it is left out."""
    personal = Filters(sensitivities=(Sensitivity.PERSONAL,))
    searches = memory_searches(IN_GROUP, GROUP, PRESENT, personal, present=True)
    assert {("aa1", ("personal", "personal")), ("bb2", ("personal", "personal"))} == {
        (search.scope, search.bounds["sensitivity"]) for search in searches
    }
    about = about_searches(IN_GROUP, GROUP, PRESENT, personal, present=True)
    assert {("aa1",), ("",)} == labels(about, "person")


def test_where_a_question_is_asked_scores_nothing() -> None:
    """The clauses for candidates and persona are required with boost 0; the words are required and score. `far`
    excludes the candidates of `near`.
    """
    query = lucene(ME, QueryScope(ChatKind.PRIVATE, "cc3"), "content:(x)", Filters(statuses=()))
    personas = f"+facets:({token('persona', '')} {token('persona', 'cc3')})^0"
    about_me = f"(+facets:{token('about', 'aa1')} +facets:{token('portable', 'true')})"
    rest = f"{personas} +(content:(x))"
    assert f"+(scopes:(aa1))^0 {rest}" == query.near
    assert f"+({about_me})^0 -(scopes:(aa1)) {rest}" == query.far
    assert f"+(scopes:(aa1) {about_me})^0 {rest}" == query.anywhere
