import numpy as np
import pytest

from hippograph.nlp.embedding.late_interaction import max_similarities, pack

DIMENSIONS = 100


def tokens(count: int, seed: int) -> np.ndarray:
    """Returns random token vectors, of shape (count, 100)."""
    return np.random.default_rng(seed).standard_normal((count, DIMENSIONS)).astype(np.float32)


def test_it_is_the_mean_of_the_best_agreement() -> None:
    """The similarity is the mean over the question's tokens of the best token of the text. That of two tokens is the
    share of dimensions on the same side of the mean, minus the share of the others.
    """
    mean = np.full(DIMENSIONS, 0.2, dtype=np.float32)
    question, texts = tokens(5, 0), [tokens(7, 1), tokens(1, 2), tokens(64, 3)]
    expected = []
    for text in texts:
        signs, asked = np.sign(text - mean), np.sign(question - mean)
        expected.append((asked @ signs.T / DIMENSIONS).max(axis=1).mean())
    found = max_similarities(pack(question, mean), [pack(text, mean) for text in texts], DIMENSIONS)
    assert found == pytest.approx(expected, abs=1e-6)


def test_a_text_meets_itself() -> None:
    """A text with the same tokens as the question has similarity 1, one with the opposite tokens -1."""
    mean = np.zeros(DIMENSIONS, dtype=np.float32)
    one = tokens(1, 4)
    assert [1.0, -1.0] == max_similarities(pack(one, mean), [pack(one, mean), pack(-one, mean)], DIMENSIONS)


def test_what_has_no_tokens_is_not_compared() -> None:
    """A text or question without tokens has the similarity None, which does not affect other texts."""
    mean = np.zeros(DIMENSIONS, dtype=np.float32)
    none, some = pack(tokens(0, 5), mean), pack(tokens(3, 6), mean)
    assert [None, 1.0, None] == max_similarities(some, [none, some, none], DIMENSIONS)
    assert [None] == max_similarities(none, [some], DIMENSIONS)
    assert [] == max_similarities(some, [], DIMENSIONS)
