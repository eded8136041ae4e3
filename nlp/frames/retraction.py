"""Detection of retractions: whether a fact still holds after a later turn of its speaker.

What belongs here: running the trained model on a fact and a later turn. What does not: which facts are paired with a
turn and how they are retracted (`graph.knowledge.retractions`), and the training (`scripts.train_retraction`).
"""

from collections.abc import Sequence
from math import inf
from pathlib import Path
from typing import Final

from hippograph.nlp.extraction.naming import first_name
from hippograph.nlp.models import MODELS
from hippograph.nlp.models.encoder import Tokens, encoded_pair, load, run_pair
from hippograph.nlp.parsing.english import is_english
from hippograph.nlp.questions.coverage import content_words

RETRACTION: Final = "retraction.onnx"
"""File name of the model, which `scripts.train_retraction` writes."""
SURE: Final = 5.5
"""Minimum log-odds for a turn to retract a fact; chosen on turns that the model was not trained with (BENCHMARKS)."""
_LONGEST_TURN: Final = 500
"""Maximum number of characters of a turn that are read."""
_MOST_TOKENS_OF_FACT: Final = 64
_MOST_TOKENS_OF_TURN: Final = 160
_STEM: Final = 4
"""Number of letters in which two words have to begin alike."""


class RetractionDetector:
    """A detector with the model and the lower layers of a folder; onnxruntime raises if a file is missing. Safe to use
    from several threads.
    """

    def __init__(self, folder: Path = MODELS) -> None:
        self._folder = folder
        load(folder, RETRACTION)

    def takes_back(self, pairs: Sequence[tuple[str, str, str]]) -> list[bool]:
        """Returns for each pair whether the later turn retracts the fact. A pair is the text of the fact, the full name
        of the speaker, and the text of the turn. Only English turns that repeat a word of the fact retract it, and each
        only its likeliest fact: a turn that sounds like a change in general is beside several. Takes some milliseconds
        a pair.
        """
        odds = [
            self.log_odds(fact, speaker, text)
            if is_english(text[:_LONGEST_TURN]) and repeats(fact, speaker, text)
            else -inf
            for fact, speaker, text in pairs
        ]
        likeliest = dict[tuple[str, str], float]()
        for (_, speaker, text), found in zip(pairs, odds, strict=True):
            likeliest[speaker, text] = max(found, likeliest.get((speaker, text), SURE))
        return [found == likeliest[speaker, text] for (_, speaker, text), found in zip(pairs, odds, strict=True)]

    def log_odds(self, fact: str, speaker: str, text: str) -> float:
        """The log-odds that a turn retracts a fact."""
        [taken_back] = run_pair(self._folder, RETRACTION, "taken_back", *read(fact, speaker, text))
        return taken_back


def repeats(fact: str, speaker: str, text: str) -> bool:
    """Whether a turn has a word of a fact, in any form: two words count as forms of one if they begin alike (`swim`,
    `swimming`). Function words, single characters and the name of the speaker do not count; true if no word is left.
    """
    wanted, said = ({_beginning(word) for word in content_words(each)} for each in (fact, text[:_LONGEST_TURN]))
    wanted -= {_beginning(word) for word in content_words(speaker)} | {""}
    return not wanted or any(one.startswith(other) or other.startswith(one) for one in wanted for other in said - {""})


def _beginning(word: str) -> str:
    """The first letters of a word, without a final e; empty for a single character."""
    return word.removesuffix("e")[:_STEM] if len(word) > 2 else word if len(word) == 2 else ""


def read(fact: str, speaker: str, text: str) -> tuple[Tokens, int]:
    """Returns the tokens of a fact and a later turn, and how many of them belong to the fact."""
    said = f"{first_name(speaker)}: {text[:_LONGEST_TURN]}"
    return encoded_pair(fact, said, _MOST_TOKENS_OF_FACT, _MOST_TOKENS_OF_TURN)
