"""Verification of extracted facts: whether the turn says what was found in it, and whether it is worth keeping.

What belongs here: running the trained model on a fact and its turn. What does not: the use of its output
(`nlp.frames.extractor`), and the training (`scripts.train_verifier`).
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from hippograph.nlp.extraction.naming import first_name
from hippograph.nlp.extraction.statements import Said, Statement
from hippograph.nlp.models.encoder import Tokens, encoded_pair, load, run_pair

VERIFIER: Final = "verifier.onnx"
"""File name of the model, which `scripts.train_verifier` writes."""
_LONGEST_LINE: Final = 120
"""Maximum number of characters of the turn before that are read."""
_BEFORE, _BEHIND = 150, 250
"""Number of characters of a long turn that are read before and after the beginning of the fact's quotation."""
_FOUND_BY: Final = 30
"""Number of leading characters of the quotation by which it is found in the turn."""
_MOST_TOKENS_OF_FACT: Final = 64
_MOST_TOKENS_OF_TALK: Final = 160


class Verifier:
    """A verifier with the model and the lower layers of a folder; onnxruntime raises if a file is missing. Safe to use
    from several threads.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        load(folder, VERIFIER)

    def verdict(self, turns: Sequence[Said], number: int, statement: Statement) -> float:
        """The log-odds that a fact of a turn is true, about the right person, clear by itself, and worth keeping."""
        kept, _ = run_pair(self._folder, VERIFIER, "verdicts", *read(turns, number, statement))
        return kept


def read(turns: Sequence[Said], number: int, statement: Statement) -> tuple[Tokens, int]:
    """Returns the tokens of a fact and of its turn with the one before, and how many of them belong to the fact."""
    turn = turns[number]
    fact = f"{statement.frame}, about {statement.subject}: {statement.content}"
    before = [_line(each, each.text[:_LONGEST_LINE]) for each in turns[max(0, number - 1) : number]]
    text = turn.text
    if len(text) > _BEFORE + _BEHIND:
        start = max(0, text.find(statement.quotation[:_FOUND_BY]))
        text = text[max(0, start - _BEFORE) : start + _BEHIND]
    talk = "\n".join([*before, _line(turn, text)])
    return encoded_pair(fact, talk, _MOST_TOKENS_OF_FACT, _MOST_TOKENS_OF_TALK)


def _line(said: Said, text: str) -> str:
    return f"{first_name(said.speaker) if said.speaker else 'assistant'}: {text}"
