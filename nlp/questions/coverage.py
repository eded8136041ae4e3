"""How much of what a question says a text holds, by words alone."""

import re
import tomllib
from collections.abc import Iterator
from math import ceil
from pathlib import Path
from typing import Final

from hippograph.nlp.text import normalise

_WORD: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_FUNCTION_WORDS: Final = frozenset(
    word
    for words in tomllib.loads(Path(__file__).with_name("function_words.toml").read_text("utf-8")).values()
    for word in words.split()
)
_LEAST_STEM: Final = 4
_SAME: Final = 0.7
_LONGEST: Final = 40
"""So many letters of a word are read."""


def covered(wanted: frozenset[str], held: frozenset[str]) -> float:
    """The share of words of which a form has one of the `held` stems, 0 to 1; of no words none are covered."""
    found = sum(any(stem in held for stem in _stems(word)) for word in wanted)
    return found / len(wanted) if wanted else 0.0


def stems(words: frozenset[str]) -> frozenset[str]:
    """The stems of words: two words are forms of one when a stem is the same.

    They are when they share their beginning: at least four letters, and 70 % of the longer one.
    """
    return frozenset(stem for word in words for stem in _stems(word))


def content_words(text: str) -> frozenset[str]:
    """The words of a text that are no function words, case folded, without a possessive, each its first 40 letters."""
    spelled_out = normalise(text)[: 2 * len(text)]  # one character may stand for eighteen
    words = (re.sub(r"['’]s?$", "", word) for word in _WORD.findall(spelled_out))
    return frozenset(word[:_LONGEST] for word in words if word and word not in _FUNCTION_WORDS)


def _stems(word: str) -> Iterator[str]:
    """The word and its beginnings that are long enough to be shared."""
    yield word
    for length in range(max(_LEAST_STEM, ceil(_SAME * len(word))), len(word)):
        yield word[:length]
