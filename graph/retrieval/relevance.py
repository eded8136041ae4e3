"""How relevant a result is by itself, 0 to 1: comparable between questions, unlike the score of a ranking (R4)."""

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from math import exp
from pathlib import Path
from typing import Final

from hippograph.graph.model import Memory
from hippograph.nlp.names.listed import called
from hippograph.nlp.parsing.lexicon import lexicon
from hippograph.nlp.questions.coverage import content_words, covered, stems

READ: Final = 4_000
"""Maximum number of characters of a memory that are read."""
WORDS: Final = "words"
"""Name of the calibration by words alone: without an embedder, and for a model that was never calibrated."""
_MOST_NAMED: Final = 8
"""Maximum number of people in a question; a text that names more is no question about one of them."""


@dataclass(frozen=True, slots=True)
class Relevance:
    """A logistic model of whether a memory answers a question: `1 / (1 + e^-(bias + cosine · c + coverage · w))`, where
    c is the cosine of question and memory, and w the share of the question's words that the memory holds.

    `floor` is above what nonsense reached, and below what the best results of nearly all real questions reached. At 0.5
    an answer is as likely as no answer. The constants are fitted on development files, one set for each embedding model
    (`relevance.toml`, made by `scripts/calibrate_relevance.py`). `unembedded` is for memories that have no vector yet.
    For a question about strangers the relevance is multiplied by the floor, since nobody can answer it.
    """

    bias: float
    coverage: float
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
        strangers: bool = False,
    ) -> float:
        """The relevance of a memory for a question with the words `wanted` (`content_words`). `cosine` is None without
        a vector; then the words alone decide. `text` is the part of the memory that is read and has this cosine; None
        for its beginning. `strangers` says that the question is about strangers.
        """
        if cosine is None and self.unembedded is not None:
            return self.unembedded.of(wanted, memory, None, text, strangers=strangers)
        read = memory.content[:READ] if text is None else text
        words = covered(wanted, stems(content_words(f"{memory.speaker_name} {read}")))
        logit = self.bias + self.cosine * (cosine or 0.0) + self.coverage * words
        return (self.floor if strangers else 1) / (1 + exp(-logit))


def unknown_people(wanted: frozenset[str], known: Iterable[str]) -> frozenset[str]:
    """The names of the people whom a question with the words `wanted` names, with their long and short forms.

    Empty if one of them is part of a `known` name, or if there are too many. Only given names that are no common words
    count (`lexicon.toml`).
    """
    given = lexicon().words["names"]
    people = wanted & given
    if not 0 < len(people) <= _MOST_NAMED:
        return frozenset()
    names = people.union(*map(called, people), (each for each in given if not people.isdisjoint(called(each))))
    return frozenset() if names & content_words(" ".join(known)) else names


def calibrated(model: str | None) -> Relevance:
    """The calibration for an embedding model; the one by words alone if `model` is None or was never calibrated."""
    constants = tomllib.loads(Path(__file__).with_name("relevance.toml").read_text("utf-8"))
    words = Relevance(**constants[WORDS])
    found = constants.get(model or WORDS)
    return words if found is None or model is None else Relevance(**found, unembedded=words)
