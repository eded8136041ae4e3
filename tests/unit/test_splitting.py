import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippograph.nlp.splitting import split_text


@given(st.text(alphabet="ab .!\n\u3002\u200b'", max_size=300), st.integers(1, 40))
def test_parts_are_the_text(text: str, limit: int) -> None:
    """No part is longer than the limit, none is empty, and together they are the text but for white space."""
    parts = split_text(text, limit)
    assert all(0 < len(part) <= limit for part in parts)
    assert "".join(text.split()) == "".join("".join(parts).split())


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("short", ["short"]),
        ("", []),
        ("One is here.\n\nTwo. Three", ["One is here.", "Two. Three"]),
        ("One, two\nthree. Four five", ["One, two", "three. Four five"]),
        ('He said "one." Then more words', ['He said "one."', "Then more words"]),
        ("one two three four five", ["one two three", "four five"]),
        ("onetwothreefourfivesix", ["onetwothreefourf", "ivesix"]),
        ("今天的天气非常好。我们去公园散步吧好吗", ["今天的天气非常好。", "我们去公园散步吧好吗"]),
    ],
)
def test_a_text_is_cut_where_a_reader_would_pause(text: str, parts: list[str]) -> None:
    """A text is cut after a paragraph, else after a line, a sentence or a word, and only if need be within a word."""
    assert parts == split_text(text, 16)
