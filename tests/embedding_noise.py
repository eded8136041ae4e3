"""Embedding vectors that are moved a little, to show which tests depend on the order of two close scores.

The int8 kernels of processors differ in their last bits, and other builds of a model differ by more. A test whose
outcome depends on the rounding of a model says nothing about the service.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
import numpy.typing as npt

from hippograph.nlp.embedding.embedder import Encoded, Encoder

COSINE: Final = 0.99
"""Cosine similarity between a vector and the moved vector."""

Vectors = npt.NDArray[np.float32]


class NoisyEncoder:
    """An encoder whose vectors are turned by a small angle, in a direction that depends on the text and the seed."""

    def __init__(self, encoder: Encoder, seed: int) -> None:
        self._encoder = encoder
        self._seed = seed
        self.dimensions: Final = encoder.dimensions
        self.has_tokens: Final = encoder.has_tokens
        self.max_tokens: Final = encoder.max_tokens

    def encode_documents(self, texts: Sequence[str]) -> list[Encoded]:
        """Returns the encoded documents, with moved vectors."""
        encoded = self._encoder.encode_documents(texts)
        return [self._moved(text, one) for text, one in zip(texts, encoded, strict=True)]

    def encode_query(self, text: str) -> Encoded:
        """Returns the encoded query, with a moved vector."""
        return self._moved(text, self._encoder.encode_query(text))

    def count_tokens(self, text: str) -> int:
        """Returns the number of tokens of a text."""
        return self._encoder.count_tokens(text)

    def _moved(self, text: str, encoded: Encoded) -> Encoded:
        vector = encoded.vector
        digest = hashlib.sha256(f"{self._seed} {text}".encode()).digest()
        direction = np.random.default_rng(list(digest)).standard_normal(len(vector))
        direction -= vector * (direction @ vector)
        direction /= np.linalg.norm(direction)
        moved: Vectors = (COSINE * vector + np.sqrt(1 - COSINE**2) * direction).astype(np.float32)
        return replace(encoded, vector=moved)
