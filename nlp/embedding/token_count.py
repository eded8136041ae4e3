"""How many tokens a text has when there is no embedding model whose tokenizer could tell."""

import re
from typing import Final

_PIECE: Final = re.compile(r"\w+|[^\w\s]")
_LETTERS: Final = 4


def reckoned_tokens(text: str) -> int:
    """A token for each mark, and for each four letters of a word, begun ones counted: about what a tokenizer of word
    pieces makes of English, and rather more than less.
    """
    return sum(-(-len(piece) // _LETTERS) for piece in _PIECE.findall(text))
