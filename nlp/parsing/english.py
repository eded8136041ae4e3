"""Detection of English by function words.

The parser treats any text as English and finds clauses in it. What belongs here: that one question.
"""

import re
from typing import Final

from hippograph.nlp.parsing.lexicon import lexicon

_WORD: Final = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_LETTER: Final = re.compile(r"[^\W\d_]")
_LATIN: Final = re.compile(r"[A-Za-zÀ-ɏ]")
_LEAST_LATIN: Final = 0.7
_TOO_SHORT: Final = 4
"""A text of fewer words than this needs no English function word."""


def is_english(text: str) -> bool:
    """Whether a text is mostly in Latin letters, and has more function words of English than of other languages."""
    letters = len(_LETTER.findall(text))
    if letters == 0 or len(_LATIN.findall(text)) < _LEAST_LATIN * letters:
        return False
    said = [word.replace("’", "'") for word in _WORD.findall(text.casefold())]
    words = lexicon().words
    english = sum(word in words["english"] for word in said) + sum(word in words["shared"] for word in said) / 2
    foreign = sum(word in words["foreign"] for word in said)
    return english > foreign if foreign else english > 0 or len(said) < _TOO_SHORT
