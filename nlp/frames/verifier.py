"""The last look at a fact: whether a turn says what was found in it, and whether that is worth keeping.

What belongs here: running the taught model on a fact and its turn. What does not: what is made of its opinion
(`nlp.frames.extractor`), and how it is taught (`scripts.train_verifier`).
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from hippograph.nlp.extraction.naming import first_name
from hippograph.nlp.extraction.statements import Said, Statement
from hippograph.nlp.models.encoder import Tokens, encoded_pair, load, run_pair

VERIFIER: Final = "verifier.onnx"
"""The file of the model in its folder (`scripts.train_verifier` writes it)."""
_LONGEST_LINE: Final = 120
"""Of the line before so many characters are read."""
_BEFORE, _BEHIND = 150, 250
"""Of a longer turn so many characters are read, before and behind where the words begin that the fact is taken from."""
_FOUND_BY: Final = 30
"""These words are looked for by so many characters."""
_MOST_TOKENS_OF_FACT: Final = 64
_MOST_TOKENS_OF_TALK: Final = 160


class Verifier:
    """A verifier from a folder with its file and the lower layers; onnxruntime raises where one is missing. Safe to use
    from several threads.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        load(folder, VERIFIER)

    def verdict(self, turns: Sequence[Said], number: int, statement: Statement) -> float:
        """The log-odds that a fact of a turn is true, about the right person, understood alone, and worth keeping."""
        kept, _ = run_pair(self._folder, VERIFIER, "verdicts", *read(turns, number, statement))
        return kept


def read(turns: Sequence[Said], number: int, statement: Statement) -> tuple[Tokens, int]:
    """A fact and the talk that it was found in as tokens, and how many of them are the fact's."""
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
