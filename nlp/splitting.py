"""Cutting a long text into parts where a reader would pause."""

import re
from collections.abc import Iterator
from typing import Final

_PAUSES: Final = (
    re.compile(r"\n\s*\n"),  # a paragraph
    re.compile(r"\n"),
    re.compile(r"(?<=[.!?…])\s+|(?<=[.!?…][\"'”’)\]])\s+|(?<=[。！？])"),  # a sentence
    re.compile(r"\s+"),
)
"""Where a text may be cut, the best places first."""


def split_text(text: str, limit: int) -> list[str]:
    """The parts of a text, none longer than `limit` characters; together they are the text but for white space between.

    A part ends with its last paragraph that fits; with its last line, sentence or word where a part would else be less
    than half full; and within a word that is longer than all that.
    """
    return [part for part in _parts(text.strip(), limit) if part]


def _parts(text: str, limit: int) -> Iterator[str]:
    while len(text) > limit:
        end = _end(text, limit)
        yield text[:end].rstrip()
        text = text[end:].lstrip()
    yield text


def _end(text: str, limit: int) -> int:
    for pause in _PAUSES:
        # A pause that begins right behind the limit ends a part as well.
        ends = [found.start() for found in pause.finditer(text, limit // 2, limit + 1)]
        if fitting := [end for end in ends if 0 < end <= limit]:
            return fitting[-1]
    return limit
