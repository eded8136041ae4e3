"""Selection of texts that are central to a talk and differ from each other: centrality, maximal marginal relevance.

Pure functions from vectors to indices. If a text has no vector, all are compared by their words.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from hippograph.nlp.text import full_text_words

Matrix = npt.NDArray[np.float64]
DIVERSITY: Final = 0.7
"""λ of maximal marginal relevance, 0 to 1: weight of relevance against similarity to the chosen texts."""


def similarities(texts: Sequence[str], vectors: Sequence[Sequence[float] | None]) -> Matrix:
    """Returns pairwise cosine similarities, 0 to 1, shape (n, n): by vectors if all texts have one, else by words."""
    rows = _by_words(texts) if any(vector is None for vector in vectors) else np.asarray(vectors, dtype=np.float64)
    if not rows.size:
        return np.zeros((len(texts), len(texts)))
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    unit = rows / np.where(lengths > 0, lengths, 1.0)
    return np.clip(unit @ unit.T, 0.0, 1.0)


def centrality(alike: Matrix) -> list[float]:
    """Returns the mean similarity of each text to the others, scaled so that the largest is 1 (degree centrality: Erkan
    and Radev, LexRank, JAIR 2004). A single text has 1; texts that have nothing in common have 0.
    """
    size = len(alike)
    if size < 2:
        return [1.0] * size
    degrees = (alike.sum(axis=1) - alike.diagonal()) / (size - 1)
    most = float(degrees.max())
    return [float(degree) / most if most > 0 else 0.0 for degree in degrees]


def diverse(relevance: Sequence[float], alike: Matrix, most: int) -> list[int]:
    """Returns the indices of up to `most` texts in the order of choice, each by `argmax λ · relevance − (1 − λ) · max
    similarity to chosen texts` (Carbonell and Goldstein, SIGIR 1998).
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
    """Returns the tf-idf vectors of texts, shape (texts, words)."""
    words = [[word.casefold() for word in full_text_words(text)] for text in texts]
    places = {word: place for place, word in enumerate(dict.fromkeys(word for each in words for word in each))}
    counts = np.zeros((len(texts), len(places)))
    for row, each in enumerate(words):
        for word in each:
            counts[row, places[word]] += 1
    found_in = (counts > 0).sum(axis=0)
    idf: Matrix = np.log((1 + len(texts)) / (1 + found_in)) + 1
    return counts * idf
