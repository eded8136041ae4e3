"""Share of the words of a question that a text contains."""

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
"""Maximum number of letters of a word that are read."""


def covered(wanted: frozenset[str], held: frozenset[str]) -> float:
    """Returns the share of the words `wanted` that have a stem in `held`, 0 to 1; 0 if there are no words."""
    found = sum(any(stem in held for stem in _stems(word)) for word in wanted)
    return found / len(wanted) if wanted else 0.0


def stems(words: frozenset[str]) -> frozenset[str]:
    """Returns the stems of words. Two words count as forms of one word if they have a stem in common.

    That is so if they are equal or begin alike, with at least four letters and 70 % of the longer word.
    """
    return frozenset(stem for word in words for stem in _stems(word))


def content_words(text: str) -> frozenset[str]:
    """Returns the words of a text but for function words, case folded, without possessives, cut to 40 letters."""
    spelled_out = normalise(text)[: 2 * len(text)]  # one character may expand to eight
    words = (re.sub(r"['’]s?$", "", word) for word in _WORD.findall(spelled_out))
    return frozenset(word[:_LONGEST] for word in words if word and word not in _FUNCTION_WORDS)


def _stems(word: str) -> Iterator[str]:
    """Yields the word, and its beginnings that are long enough to be stems."""
    yield word
    for length in range(max(_LEAST_STEM, ceil(_SAME * len(word))), len(word)):
        yield word[:length]
