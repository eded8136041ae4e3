"""How relevant a result is by itself, 0 to 1: comparable between questions, unlike the score of a ranking (R4)."""

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from math import exp
from pathlib import Path
from typing import Final

from hippograph.graph.model import Memory
from hippograph.nlp.parsing.lexicon import lexicon
from hippograph.nlp.questions.coverage import content_words, covered, stems

READ: Final = 4_000
"""So many characters of a memory are read."""
WORDS: Final = "words"
"""The calibration without an embedder, and for one that was never calibrated."""


@dataclass(frozen=True, slots=True)
class Relevance:
    """A logistic model of whether a memory answers a question: `1 / (1 + e^-(bias + cosine · c + coverage · w +
    stranger · s))`, where c is the cosine of question and memory, w the share of the question's words that the memory
    holds, and s is 1 where the question is about strangers: it names people of whom nothing that is found tells.

    `floor` is more than nonsense reached, and less than nearly all real questions did. A half means that answers
    are as likely as others. The constants are fitted on development files, one set for each embedding model
    (`relevance.toml`, made by `scripts/calibrate_relevance.py`). `unembedded` is for what has no vector yet.
    """

    bias: float
    coverage: float
    stranger: float
    floor: float
    cosine: float = 0.0
    unembedded: "Relevance | None" = None

    def of(
        self,
        wanted: frozenset[str],
        memory: Memory,
        cosine: float | None,
        text: str | None = None,
        *,
        unknown: bool = False,
    ) -> float:
        """The relevance of a memory for a question of these words (`content_words`). `cosine` is None without a vector,
        and then the words alone say. `text` is the part of the memory that is read, and whose cosine it is; if not
        given, its beginning. `unknown` says that the question is about strangers.
        """
        if cosine is None and self.unembedded is not None:
            return self.unembedded.of(wanted, memory, None, text, unknown=unknown)
        words = covered(wanted, _held(memory, text))
        logit = self.bias + self.cosine * (cosine or 0.0) + self.coverage * words + self.stranger * unknown
        return 1 / (1 + exp(-logit))


def strangers(wanted: frozenset[str], known: Iterable[str]) -> frozenset[str]:
    """The people whom a question of these words names, where none of them has a name that is `known`. Only given names
    that are no common words tell (`lexicon.toml`).
    """
    people = wanted & lexicon().words["names"]
    return frozenset() if covered(people, stems(content_words(" ".join(known)))) else people


def tells_of(memory: Memory, people: frozenset[str]) -> bool:
    """Whether a memory holds the name of one of these people, or one of them says it."""
    return covered(people, _held(memory)) > 0


def _held(memory: Memory, text: str | None = None) -> frozenset[str]:
    """The stems of what a memory says, or of a part of it, and of who says it."""
    read = memory.content[:READ] if text is None else text
    return stems(content_words(f"{memory.speaker_name} {read}"))


def calibrated(model: str | None) -> Relevance:
    """The calibration for an embedding model, None without one."""
    constants = tomllib.loads(Path(__file__).with_name("relevance.toml").read_text("utf-8"))
    words = Relevance(**constants[WORDS])
    found = constants.get(model or WORDS)
    return words if found is None or model is None else Relevance(**found, unembedded=words)
