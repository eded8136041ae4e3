"""Which texts say most of what a talk is about, and differ from each other: centrality and maximal marginal relevance.

Pure: vectors in, places out. Texts without vectors are compared by their words.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from hippograph.nlp.text import full_text_words

Matrix = npt.NDArray[np.float64]
DIVERSITY: Final = 0.7
"""λ of maximal marginal relevance: how much relevance weighs against likeness to what was chosen."""


def similarities(texts: Sequence[str], vectors: Sequence[Sequence[float] | None]) -> Matrix:
    """The cosine of each two texts, 0 to 1, shape (n, n): of their vectors where all have one, else of their words."""
    rows = _by_words(texts) if any(vector is None for vector in vectors) else np.asarray(vectors, dtype=np.float64)
    if not rows.size:
        return np.zeros((len(texts), len(texts)))
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    unit = rows / np.where(lengths > 0, lengths, 1.0)
    return np.clip(unit @ unit.T, 0.0, 1.0)


def centrality(alike: Matrix) -> list[float]:
    """How like a text is to the others on average, scaled so that the most central has 1 (degree centrality: Erkan and
    Radev, LexRank, JAIR 2004). A text that stands alone has 1 too.
    """
    size = len(alike)
    if size < 2:
        return [1.0] * size
    degrees = (alike.sum(axis=1) - alike.diagonal()) / (size - 1)
    most = float(degrees.max())
    return [float(degree) / most if most > 0 else 0.0 for degree in degrees]


def diverse(relevance: Sequence[float], alike: Matrix, most: int) -> list[int]:
    """The places of up to `most` texts, the first chosen first: `argmax λ · relevance − (1 − λ) · max likeness to what
    was chosen` (Carbonell and Goldstein, SIGIR 1998).
    """
    chosen: list[int] = []
    left = list(range(len(relevance)))
    while left and len(chosen) < most:
        best = max(left, key=lambda i: (_margin(i, chosen, relevance, alike), -i))
        chosen.append(best)
        left.remove(best)
    return chosen


def _margin(place: int, chosen: Sequence[int], relevance: Sequence[float], alike: Matrix) -> float:
    likeness = max((float(alike[place, other]) for other in chosen), default=0.0)
    return DIVERSITY * relevance[place] - (1 - DIVERSITY) * likeness


def _by_words(texts: Sequence[str]) -> Matrix:
    """How often each text has each word, words that many texts have counting less (tf · idf)."""
    words = [[word.casefold() for word in full_text_words(text)] for text in texts]
    places = {word: place for place, word in enumerate(dict.fromkeys(word for each in words for word in each))}
    counts = np.zeros((len(texts), len(places)))
    for row, each in enumerate(words):
        for word in each:
            counts[row, places[word]] += 1
    found_in = (counts > 0).sum(axis=0)
    idf: Matrix = np.log((1 + len(texts)) / (1 + found_in)) + 1
    return counts * idf
