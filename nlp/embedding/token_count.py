"""Estimate of token counts, for when there is no embedding model whose tokenizer could count."""

import re
from typing import Final

_PIECE: Final = re.compile(r"\w+|[^\w\s]")
_LETTERS: Final = 4


def reckoned_tokens(text: str) -> int:
    """Estimates the number of tokens in a text: one for each punctuation mark, and one for every four letters of a
    word, rounded up. For English this is slightly above the count of a word-piece tokenizer.
    """
    return sum(-(-len(piece) // _LETTERS) for piece in _PIECE.findall(text))
