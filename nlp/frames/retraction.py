"""What takes a fact back: whether a fact holds no longer after what its speaker says later.

What belongs here: running the taught model on a fact and a later turn. What does not: which facts are read beside a
turn, and what becomes of them (`graph.knowledge.retractions`), and how it is taught (`scripts.train_retraction`).
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from hippograph.nlp.extraction.naming import first_name
from hippograph.nlp.models import MODELS
from hippograph.nlp.models.encoder import Tokens, encoded_pair, load, run_pair
from hippograph.nlp.parsing.english import is_english

RETRACTION: Final = "retraction.onnx"
"""The file of the model in its folder (`scripts.train_retraction` writes it)."""
SURE: Final = 5.0
"""With these log-odds or more a turn takes a fact back; by turns that were not learned from (BENCHMARKS)."""
_LONGEST_TURN: Final = 500
"""Of a turn so many characters are read."""
_MOST_TOKENS_OF_FACT: Final = 64
_MOST_TOKENS_OF_TURN: Final = 160


class RetractionDetector:
    """A detector from a folder with its file and the lower layers; onnxruntime raises where one is missing. Safe to use
    from several threads.
    """

    def __init__(self, folder: Path = MODELS) -> None:
        self._folder = folder
        load(folder, RETRACTION)

    def takes_back(self, pairs: Sequence[tuple[str, str, str]]) -> list[bool]:
        """Whether each fact holds no longer after a later turn: the words of the fact, the full name of who speaks, and
        what they say. English; what is said in other languages takes nothing back. Takes some milliseconds a pair.
        """
        return [
            is_english(text[:_LONGEST_TURN]) and self.log_odds(fact, speaker, text) >= SURE
            for fact, speaker, text in pairs
        ]

    def log_odds(self, fact: str, speaker: str, text: str) -> float:
        """The log-odds that a turn takes a fact back."""
        [taken_back] = run_pair(self._folder, RETRACTION, "taken_back", *read(fact, speaker, text))
        return taken_back


def read(fact: str, speaker: str, text: str) -> tuple[Tokens, int]:
    """A fact and a later turn as tokens, and how many of them are the fact's."""
    said = f"{first_name(speaker)}: {text[:_LONGEST_TURN]}"
    return encoded_pair(fact, said, _MOST_TOKENS_OF_FACT, _MOST_TOKENS_OF_TURN)
