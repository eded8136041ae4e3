from dataclasses import replace
from datetime import UTC, datetime

import pytest

from graph.ids import token
from graph.model import START, ChatKind, Sensitivity, Times, Viewer
from graph.retrieval.filters import NO_FILTERS, Filters
from graph.retrieval.query_scope import MOST_CHATS, QueryScope, about_ranges, lucene, memory_ranges

NOW = datetime(2024, 5, 1, 12, tzinfo=UTC)
PRESENT = Times(NOW, NOW)
ME, IN_GROUP = Viewer("aa1"), Viewer("aa1", "bb2")
ALONE = QueryScope(ChatKind.PRIVATE, chats=("bb2", "bb3"), named=("ee5",))
GROUP = QueryScope(ChatKind.GROUP, participants=("aa1", "dd4"), chats=("bb2",))


def marks(rows: list[dict[str, object]], *names: str) -> set[tuple[object, ...]]:
    """The lower bounds of these marks, row by row."""
    return {tuple(row.get(name, row.get(f"{name}_from")) for name in names) for row in rows}


def test_alone_one_looks_at_all_of_ones_own() -> None:
    """In private there is one search of the memories: the viewer's scope, whatever its marks."""
    assert {("aa1", "", "")} == marks(
        memory_ranges(ME, ALONE, PRESENT, NO_FILTERS, present=True), "scope", "sensitivity", "learned"
    )


def test_in_a_group_what_is_sensitive_must_have_been_said_there() -> None:
    """One's own comes without what is sensitive, unless it was said here; what is the group's comes whole."""
    rows = memory_ranges(IN_GROUP, GROUP, PRESENT, NO_FILTERS, present=True)
    assert {("aa1", "personal", ""), ("aa1", "sensitive", "bb2"), ("bb2", "", "")} == marks(
        rows, "scope", "sensitivity", "learned"
    )
    assert {("aa1", "public"), ("aa1", "sensitive"), ("bb2", "\uffff")} == {
        (row["scope"], row["sensitivity_to"]) for row in rows
    }


def test_of_others_in_a_group_one_looks_at_what_is_public_or_was_told_there() -> None:
    """About who takes part what is public and portable, about the viewer what is personal too, what was told here."""
    rows = about_ranges(IN_GROUP, GROUP, PRESENT, NO_FILTERS, present=True)
    assert {("aa1", "personal", "", True), ("dd4", "public", "", True), ("", "", "bb2", False)} == marks(
        rows, "person", "sensitivity", "learned", "portable"
    )


def test_of_others_in_private_one_looks_at_what_one_was_told() -> None:
    """About who is named: what is public and was said by the viewer or in one of their chats."""
    rows = about_ranges(ME, ALONE, PRESENT, NO_FILTERS, present=True)
    others = [row for row in rows if row["person_from"] == "ee5"]
    assert {("aa1", "", "", True)} == marks(
        [row for row in rows if row not in others], "person", "sensitivity", "learned", "portable"
    )
    assert {
        ("public", "aa1", "", ""),
        ("public", "", "bb2", ""),
        ("public", "", "bb3", ""),
    } == marks(others, "sensitivity", "speaker", "learned", "source")


def test_old_data_is_looked_for_when_a_setting_says_so() -> None:
    """What was brought along and learned nowhere is a candidate with `legacy_disclosable` alone."""
    old = replace(ALONE, legacy_disclosable=True)
    [row] = [
        row for row in about_ranges(ME, old, PRESENT, NO_FILTERS, present=True) if row.get("source_from") == "migration"
    ]
    assert ("ee5", "") == (row["person_from"], row["learned_to"])
    assert token("source", "migration") in lucene(ME, old, "content:(x)", NO_FILTERS)
    assert token("source", "migration") not in lucene(ME, ALONE, "content:(x)", NO_FILTERS)


def test_somebody_of_very_many_chats_is_not_searched_chat_by_chat() -> None:
    """Beyond a number of chats there is one search for each named person, and the rule sorts out."""
    busy = QueryScope(ChatKind.PRIVATE, chats=tuple(f"c{n}" for n in range(MOST_CHATS + 1)), named=("ee5",))
    rows = about_ranges(ME, busy, PRESENT, NO_FILTERS, present=True)
    assert [("ee5", "", "\uffff")] == [
        (row["person_from"], row["learned_from"], row["learned_to"]) for row in rows if row["person_from"] == "ee5"
    ]
    assert token("learned_in", "c1") not in lucene(ME, busy, "content:(x)", NO_FILTERS)


@pytest.mark.parametrize(("present", "ends"), [(True, 1), (False, 2)])
def test_each_persona_and_each_end_is_a_search(present: bool, ends: int) -> None:
    """Each place with each persona is one search in the present, and two at other times (M14)."""
    rows = memory_ranges(Viewer("aa1", None, "cc3"), ALONE, PRESENT, NO_FILTERS, present=present)
    assert {"", "cc3"} == {row["persona"] for row in rows}
    assert 2 * ends == len(rows)
    assert {(NOW, START), (START, NOW)} >= {(row["valid_after"], row["ended_after"]) for row in rows}


def test_a_filter_narrows_the_marks_and_leaves_out_what_can_hold_nothing() -> None:
    """Where a filter and a mark have nothing in common, there is no search."""
    personal = Filters(sensitivities=(Sensitivity.PERSONAL,))
    rows = memory_ranges(IN_GROUP, GROUP, PRESENT, personal, present=True)
    assert {("aa1", "personal", "personal"), ("bb2", "personal", "personal")} == {
        (row["scope"], row["sensitivity_from"], row["sensitivity_to"]) for row in rows
    }
    about = about_ranges(IN_GROUP, GROUP, PRESENT, personal, present=True)
    assert {"aa1", ""} == {row["person_from"] for row in about}


def test_where_a_question_is_asked_scores_nothing() -> None:
    """The candidates and the persona are required with boost 0; the words are required and score."""
    query = lucene(Viewer("aa1", None, "cc3"), QueryScope(ChatKind.PRIVATE), "content:(x)", Filters(statuses=()))
    own = f"scopes:aa1 (+facets:{token('about', 'aa1')} +facets:{token('portable', 'true')})"
    personas = f"+facets:({token('persona', '')} {token('persona', 'cc3')})^0"
    assert f"+({own})^0 {personas} +(content:(x))" == query
