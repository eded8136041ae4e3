"""How relevant a result is by itself, 0 to 1: comparable between questions, unlike the score of a ranking (R4)."""

import tomllib
from dataclasses import dataclass
from math import exp
from pathlib import Path
from typing import Final

from hippograph.graph.model import Memory
from hippograph.nlp.questions.coverage import content_words, covered, stems

READ: Final = 4_000
"""So many characters of a memory are read."""
WORDS: Final = "words"
"""The calibration without an embedder, and for one that was never calibrated."""


@dataclass(frozen=True, slots=True)
class Relevance:
    """A logistic model of whether a memory answers a question: `1 / (1 + e^-(bias + cosine · c + coverage · w))`, where
    c is the cosine of question and memory, and w the share of the question's words that the memory holds.

    `floor` is more than nonsense reached, and less than nearly all real questions did. A half means that answers
    are as likely as others. The constants are fitted on development files, one set for each embedding model
    (`relevance.toml`, made by `scripts/calibrate_relevance.py`). `unembedded` is for what has no vector yet.
    """

    bias: float
    coverage: float
    floor: float
    cosine: float = 0.0
    unembedded: "Relevance | None" = None

    def of(self, wanted: frozenset[str], memory: Memory, cosine: float | None, text: str | None = None) -> float:
        """The relevance of a memory for a question of these words (`content_words`). `cosine` is None without a vector,
        and then the words alone say. `text` is the part of the memory that is read, and whose cosine it is; if not
        given, its beginning.
        """
        if cosine is None and self.unembedded is not None:
            return self.unembedded.of(wanted, memory, None, text)
        read = memory.content[:READ] if text is None else text
        words = covered(wanted, stems(content_words(f"{memory.speaker_name} {read}")))
        logit = self.bias + self.cosine * (cosine or 0.0) + self.coverage * words
        return 1 / (1 + exp(-logit))


def calibrated(model: str | None) -> Relevance:
    """The calibration for an embedding model, None without one."""
    constants = tomllib.loads(Path(__file__).with_name("relevance.toml").read_text("utf-8"))
    words = Relevance(**constants[WORDS])
    found = constants.get(model or WORDS)
    return words if found is None or model is None else Relevance(**found, unembedded=words)
