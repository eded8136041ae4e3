import re
import time

from hippograph.graph.ids import derived_id, new_id, token

SHAPE = re.compile(r"[0-9a-f]{31}[0-9]")


def test_ids_are_hexadecimal_and_end_in_a_digit() -> None:
    """Ids and tokens are 32 lower-case hexadecimal characters with a digit at the end, which no stemmer touches."""
    made = [new_id() for _ in range(1000)]
    made += [derived_id("a", str(n)) for n in range(1000)] + [token("speaker", str(n)) for n in range(1000)]
    assert [] == [one for one in made if not SHAPE.fullmatch(one)]


def test_new_ids_are_new() -> None:
    """No two new ids are equal."""
    assert 20_000 == len({new_id() for _ in range(20_000)})


def test_new_ids_sort_by_age() -> None:
    """An id made in a later millisecond is greater."""
    first = new_id()
    time.sleep(0.003)
    assert first < new_id()


def test_derived_ids_follow_from_their_parts() -> None:
    """The same parts give the same id. Other parts, another order or another division gives another id."""
    assert derived_id("ab", "c") == derived_id("ab", "c")
    others = [("a", "bc"), ("abc",), ("c", "ab"), ("ab", "c", ""), ("ab", "C"), ("2:ab", "c"), ()]
    assert 1 + len(others) == len({derived_id("ab", "c"), *(derived_id(*parts) for parts in others)})


def test_derived_ids_take_any_text() -> None:
    """Text with an unpaired surrogate gets an id too; the database refuses the text itself."""
    assert SHAPE.fullmatch(derived_id("a\ud83d"))
    assert derived_id("a\ud83d") != derived_id("a\ud83e")


def test_a_token_is_for_one_field() -> None:
    """The same value in two fields has two tokens."""
    assert token("speaker", "x") != token("session", "x")
