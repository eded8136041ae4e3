"""Forged cursors: they are refused, or decode to values that the database can hold."""

import base64
import json
from datetime import UTC, datetime
from math import isfinite

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hippograph.graph.errors import InvalidInput
from hippograph.graph.model import NO_END, START
from hippograph.graph.paging import decode_cursor, encode_cursor

SEARCH = ("", START, START, 0, 0.0, "")
"""Sort key of a search's cursor: the search, the two times, depth, score and id."""
STARTS = [("",), ("", "", ""), (NO_END, ""), (START, 0), (1001, "", ""), SEARCH]
"""Start keys with the types of the sort keys of all lists."""
MOMENTS = ["9999-12-31T23:59:59+23:00", "9999-12-31T23:59:59-23:00", "0001-01-01T00:00:00+05:00", "2024-01-01T00:00:00"]
INNER = (
    st.text(st.characters(exclude_categories=())) | st.datetimes().map(datetime.isoformat) | st.sampled_from(MOMENTS)
)
NUMBERS = st.integers() | st.floats() | st.integers(-(10**40), 10**40)
FIELDS = st.none() | st.booleans() | NUMBERS | INNER | st.lists(NUMBERS | INNER, max_size=2)


def _encoded(what: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(what).encode()).decode()


def _holds(value: object) -> bool:
    """Whether the database can hold the value."""
    if isinstance(value, datetime):
        return value.tzinfo is UTC and value <= NO_END
    if isinstance(value, int):
        return -(2**63) <= value < 2**63
    if isinstance(value, float):
        return isfinite(value)
    assert isinstance(value, str)
    return value.encode("utf-8", "replace").decode() == value


@pytest.mark.parametrize("start", STARTS)
@given(fields=st.lists(FIELDS, max_size=4) | FIELDS | st.tuples(INNER, INNER, INNER, NUMBERS, NUMBERS, INNER).map(list))
@example(fields=["", "9999-12-31T23:59:59+23:00", "2024-01-01T00:00:00+00:00", 10**30, 1e300, ""])
@example(fields=["9999-12-31T23:59:59+23:00", "x"])
@example(fields=["2024-01-01T00:00:00+00:00", 10**30])
@example(fields=[10**30, "a", "b"])
@example(fields=["\ud800"])
def test_tampered_cursor_of_a_list(start: tuple[object, ...], fields: object) -> None:
    """A tampered cursor is refused, or its key has the types of the list's sort key and values that the database can
    hold.
    """
    try:
        key = decode_cursor("list", _encoded(["list", *fields] if isinstance(fields, list) else fields), start)  # type: ignore[arg-type]
    except InvalidInput:
        return
    assert list(map(type, start)) == list(map(type, key))
    assert all(map(_holds, key))


@given(st.text() | st.binary().map(lambda noise: base64.urlsafe_b64encode(noise).decode()))
@example(base64.urlsafe_b64encode(b"[" * 100_000).decode())
@example(_encoded({"list": 1, "x": 2}))
@example(base64.urlsafe_b64encode(b'["list", 1' + b"0" * 5_000 + b"]").decode())
def test_noise_is_no_cursor(noise: str) -> None:
    """Noise in place of a cursor raises `InvalidInput`."""
    for start in STARTS:
        with pytest.raises(InvalidInput):
            decode_cursor("list", noise, start)  # type: ignore[arg-type]


@given(st.datetimes(timezones=st.just(UTC)), st.text(), st.integers(-(2**63), 2**63 - 1))
def test_a_cursor_comes_back(moment: datetime, text: str, number: int) -> None:
    """Decoding an encoded cursor returns the same key."""
    key = (min(moment, NO_END), text, number)
    assert key == decode_cursor("list", encode_cursor("list", key), (START, "", 0))
