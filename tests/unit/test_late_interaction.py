import numpy as np
import pytest

from hippograph.nlp.embedding.late_interaction import max_similarities, pack

DIMENSIONS = 100


def tokens(count: int, seed: int) -> np.ndarray:
    """Made token vectors, of shape (count, 100)."""
    return np.random.default_rng(seed).standard_normal((count, DIMENSIONS)).astype(np.float32)


def test_it_is_the_mean_of_the_best_agreement() -> None:
    """For each token of the question the best of the text counts, by the share of signs that agree around the mean."""
    mean = np.full(DIMENSIONS, 0.2, dtype=np.float32)
    question, texts = tokens(5, 0), [tokens(7, 1), tokens(1, 2), tokens(64, 3)]
    expected = []
    for text in texts:
        signs, asked = np.sign(text - mean), np.sign(question - mean)
        expected.append((asked @ signs.T / DIMENSIONS).max(axis=1).mean())
    found = max_similarities(pack(question, mean), [pack(text, mean) for text in texts], DIMENSIONS)
    assert found == pytest.approx(expected, abs=1e-6)


def test_a_text_meets_itself() -> None:
    """The same tokens have similarity 1, their opposites alone -1."""
    mean = np.zeros(DIMENSIONS, dtype=np.float32)
    one = tokens(1, 4)
    assert [1.0, -1.0] == max_similarities(pack(one, mean), [pack(one, mean), pack(-one, mean)], DIMENSIONS)


def test_what_has_no_tokens_is_not_compared() -> None:
    """Neither a text nor a question without tokens has a similarity, and others are not moved by it."""
    mean = np.zeros(DIMENSIONS, dtype=np.float32)
    none, some = pack(tokens(0, 5), mean), pack(tokens(3, 6), mean)
    assert [None, 1.0, None] == max_similarities(some, [none, some, none], DIMENSIONS)
    assert [None] == max_similarities(none, [some], DIMENSIONS)
    assert [] == max_similarities(some, [], DIMENSIONS)
