from datetime import UTC, datetime, timedelta, timezone

import pytest

from hippograph.api.arguments import (
    entity_reference,
    inner_id,
    limited,
    moment,
    optional_id,
    parse_start,
    session_reference,
    speaker_id,
    times,
    words,
)
from hippograph.api.graphql.nodes import global_id
from hippograph.graph.errors import InvalidInput
from hippograph.graph.ids import new_id
from hippograph.graph.model import Times

NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)
ODD = ["", "x", "nonsense", "Q2hhdDo=", "ÿ", "person:john"]


def test_an_id_is_taken_as_every_interface_shows_it() -> None:
    """The global id of GraphQL and the inner id of the command line give the same inner id."""
    inner = new_id()
    assert inner == inner_id("Memory", inner)
    assert inner == inner_id("Memory", global_id("Memory", inner))
    assert optional_id("Memory", None) is None


@pytest.mark.parametrize("given", ODD)
def test_what_is_no_id_is_refused(given: str) -> None:
    """A text that is neither a global id nor an inner id is refused."""
    with pytest.raises(InvalidInput, match="is no id"):
        inner_id("Memory", given)


def test_the_id_of_something_else_is_refused() -> None:
    """An id of another type is refused; the message names both types."""
    chat = global_id("Chat", new_id())
    with pytest.raises(InvalidInput, match="the id of a Chat; here belongs that of a Memory"):
        inner_id("Memory", chat)
    with pytest.raises(InvalidInput, match="the id of a Chat; here belongs that of a person or thing"):
        entity_reference(chat)


def test_a_speaker_is_a_person_or_a_persona() -> None:
    """The ids of a person and of a persona are accepted as a speaker, and no others."""
    inner = new_id()
    assert [inner] * 2 == [speaker_id(global_id(kind, inner)) for kind in ("Person", "Persona")]
    with pytest.raises(InvalidInput, match="here belongs that of a Person"):
        speaker_id(global_id("Chat", inner))


def test_an_entity_is_named_by_id_or_key() -> None:
    """The global id of an entity gives its inner id; a key is returned unchanged."""
    assert "ab1" == entity_reference(global_id("Place", "ab1"))
    assert "place:graz" == entity_reference("place:graz")


def test_a_session_is_named_by_id_or_word() -> None:
    """The global id of a session gives its inner id; a caller's own name for it is returned unchanged."""
    assert "ab1" == session_reference(global_id("Session", "ab1"))
    assert "my-session" == session_reference("my-session")
    assert session_reference(None) is None


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("2026-03-01", datetime(2026, 3, 1, tzinfo=UTC)),
        ("2026-03-01T12:00+01:00", datetime(2026, 3, 1, 11, tzinfo=UTC)),
        (datetime(2026, 3, 1, 12, tzinfo=timezone(timedelta(hours=1))), datetime(2026, 3, 1, 11, tzinfo=UTC)),
    ],
)
def test_a_time_is_in_utc(given: datetime | str, expected: datetime) -> None:
    """A day without an offset is read in UTC, and a time with one is converted to UTC."""
    assert (expected, UTC) == (moment(given), moment(given).tzinfo)


@pytest.mark.parametrize("given", ["", "soon", "2026-13-01", NOW.replace(tzinfo=None)])
def test_what_is_no_time_is_refused(given: datetime | str) -> None:
    """A text that is no time, and a `datetime` without an offset, are refused; the message says what to write."""
    with pytest.raises(InvalidInput, match="write 2026"):
        moment(given)


def test_the_times_of_a_read_are_now_where_none_is_given() -> None:
    """Without both times the result is None; with one of them the other is now."""
    assert times(lambda: NOW, None, None) is None
    then = datetime(2026, 3, 1, tzinfo=UTC)
    assert Times(then, NOW) == times(lambda: NOW, "2026-03-01", None)
    assert Times(NOW, then) == times(lambda: NOW, None, then)


def test_values_are_few_and_words_are_checked() -> None:
    """An argument takes up to 100 values; each word is stripped, and an empty one is refused."""
    assert ("a", "b") == words([" a", "b "])
    assert 100 == len(limited(["a"] * 100))
    with pytest.raises(InvalidInput, match="up to 100 values at a time; 101 were given"):
        limited(["a"] * 101)
    with pytest.raises(InvalidInput):
        words([" "])


@pytest.mark.parametrize(
    ("given", "first_day"),
    [
        ("last_week", (2026, 11, 9)),
        ("last_month", (2026, 10, 1)),
        ("yesterday", (2026, 11, 21)),
        ("May 2025", (2025, 5, 1)),
        ("2024", (2024, 1, 1)),
        ("2026-03-01", (2026, 3, 1)),
        ("на прошлой неделе", (2026, 11, 9)),
    ],
)
def test_a_filter_takes_times_and_phrases(given: str, first_day: tuple[int, int, int]) -> None:
    """A time in a filter is ISO 8601, or a phrase, which stands for the start of its period."""
    assert datetime(*first_day, tzinfo=UTC) == parse_start(given, NOW)


@pytest.mark.parametrize("given", ["", "soon", "2026-13-01", "the cat"])
def test_a_filter_refuses_what_is_no_time(given: str) -> None:
    """A text that is no time in a filter is refused; the message says what to write."""
    with pytest.raises(InvalidInput, match="is no time; write"):
        parse_start(given, NOW)
