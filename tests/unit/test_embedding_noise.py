"""The noise that is added to vectors in tests that assert a ranking by the embedding model."""

from pathlib import Path

import numpy as np
import pytest

from hippograph.nlp.embedding.embedder import BGE_SMALL, Embedder, load_embedder
from tests.embedding_noise import COSINE, NoisyEncoder

TEXTS = ["We moved the weekly meeting to Thursday.", "Ok!"]


def _embedder(folder: Path, seed: int | None = None) -> Embedder:
    made = load_embedder(BGE_SMALL, folder=folder)
    if seed is not None:
        made.wrap_encoder(lambda encoder: NoisyEncoder(encoder, seed))
    return made


def test_vectors_move_by_a_small_angle(bge_folder: Path) -> None:
    """Moved vectors have length 1, and their cosine similarity to the original ones is `COSINE`."""
    embedded = [_embedder(bge_folder, seed).embed_documents(TEXTS) for seed in (None, 1)]
    plain, moved = (np.array([each.vector for each in one]) for one in embedded)
    assert [1.0, 1.0] == pytest.approx(np.linalg.norm(moved, axis=1).tolist(), abs=1e-5)
    assert [COSINE, COSINE] == pytest.approx((plain * moved).sum(axis=1).tolist(), abs=1e-5)


def test_a_seed_moves_a_text_always_alike(bge_folder: Path) -> None:
    """A seed always gives the same vector of a text, so that a failed run can be repeated."""
    first, again = (_embedder(bge_folder, seed=1).embed_query(TEXTS[0]) for _ in range(2))
    assert first == again


def test_another_seed_moves_it_elsewhere(bge_folder: Path) -> None:
    """Two seeds give different vectors of a text."""
    one, other = (_embedder(bge_folder, seed).embed_query(TEXTS[0]) for seed in (1, 2))
    assert one != other
