"""How much of what a question says a text holds, by words alone."""

import re
import tomllib
from pathlib import Path
from typing import Final

from nlp.text import normalise

_WORD: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_FUNCTION_WORDS: Final = frozenset(
    word
    for words in tomllib.loads(Path(__file__).with_name("function_words.toml").read_text("utf-8")).values()
    for word in words.split()
)
_LEAST_STEM: Final = 4
_SAME: Final = 0.7


def coverage(question: str, text: str) -> float:
    """The share of the question's words that occur in a text in some form, 0 to 1; function words count for nothing.

    Two words are forms of one when they share their beginning: at least four letters, and 70 % of the longer one. A
    question of function words alone is covered by nothing.
    """
    return covered(content_words(question), content_words(text))


def covered(wanted: frozenset[str], held: frozenset[str]) -> float:
    """The share of words that others are forms of, 0 to 1."""
    found = sum(any(_same(word, other) for other in held) for word in wanted)
    return found / len(wanted) if wanted else 0.0


def content_words(text: str) -> frozenset[str]:
    """The words of a text that are no function words, case folded and without a possessive."""
    words = (re.sub(r"['’]s?$", "", word) for word in _WORD.findall(normalise(text)))
    return frozenset(word for word in words if word and word not in _FUNCTION_WORDS)


def _same(one: str, other: str) -> bool:
    if one == other:
        return True
    shared = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        shared += 1
    return shared >= max(_LEAST_STEM, _SAME * max(len(one), len(other)))
