"""Splits a long text into parts where a reader would pause."""

import re
from collections.abc import Iterator
from typing import Final

_PAUSES: Final = (
    re.compile(r"\n\s*\n"),  # a paragraph
    re.compile(r"\n"),
    re.compile(r"(?<=[.!?…])\s+|(?<=[.!?…][\"'”’)\]])\s+|(?<=[。！？])"),  # a sentence
    re.compile(r"\s+"),
)
"""Patterns of the places where a text may be cut, best first."""


def split_text(text: str, limit: int) -> list[str]:
    """Returns the parts of a text, none longer than `limit` characters; only white space between them is lost.

    A part ends with the last paragraph that fits; if it would then be less than half full, with the last line, else the
    last sentence, else the last word; and within a word only if none of these fills half of it.
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
        # A pause that begins exactly at the limit ends a part too.
        ends = [found.start() for found in pause.finditer(text, limit // 2, limit + 1)]
        if fitting := [end for end in ends if 0 < end <= limit]:
            return fitting[-1]
    return limit
