"""Late interaction: how well each word of a question is met by its nearest word of a text (MaxSim, as in ColBERT:
O. Khattab and M. Zaharia, SIGIR 2020).

The words are the token vectors that an embedding model makes on the way to its one vector. Of each dimension one bit is
kept, whether it lies above the model's mean, and they are packed into a text: 64 bytes a token for 384 dimensions. Who
has the model can read them back into words: they are as private as the text.
"""

from base64 import b64decode, b64encode
from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

MOST_TOKENS: Final = 64
"""Tokens that are kept of a text, the rarest."""

Vectors = npt.NDArray[np.float32]
_Words = npt.NDArray[np.uint64]
_WORD_BITS: Final = 64
_BITS_OF_BASE64: Final = 6


def pack(tokens: Vectors, mean: Vectors) -> str:
    """The signs of token vectors of shape (tokens, dimensions) around the model's mean, as base64."""
    bits = np.packbits(tokens > mean, axis=1)
    padded = np.pad(bits, ((0, 0), (0, -bits.shape[1] % (_WORD_BITS // 8))))
    return b64encode(padded.tobytes()).decode("ascii")


def bytes_of_token(dimensions: int) -> float:
    """How many bytes a packed token takes."""
    return -(-dimensions // _WORD_BITS) * _WORD_BITS / _BITS_OF_BASE64


def max_similarities(question: str, texts: Sequence[str], dimensions: int) -> list[float | None]:
    """For each packed text the mean over the question's tokens of the best similarity among the text's tokens, -1 to 1.

    The similarity of two tokens is the share of dimensions whose signs agree, less that of those whose signs differ.
    None where a text or the question has no tokens.
    """
    asked = _unpack(question, dimensions)
    held = [_unpack(text, dimensions) for text in texts]
    lengths = [len(each) for each in held]
    if not len(asked) or not sum(lengths):
        return [None] * len(texts)
    differing = np.bitwise_count(asked[:, None, :] ^ np.concatenate(held)[None, :, :]).sum(axis=2, dtype=np.int64)
    filled = [place for place, length in enumerate(lengths) if length]
    starts = np.cumsum([0, *(lengths[place] for place in filled)])[:-1]
    nearest = np.minimum.reduceat(differing, starts, axis=1)
    means = 1.0 - 2.0 * nearest.mean(axis=0) / dimensions
    found: list[float | None] = [None] * len(texts)
    for place, similarity in zip(filled, means.tolist(), strict=True):
        found[place] = similarity
    return found


def _unpack(packed: str, dimensions: int) -> _Words:
    """The bits of tokens, of shape (tokens, dimensions / 64 rounded up)."""
    return np.frombuffer(b64decode(packed), dtype=np.uint64).reshape(-1, -(-dimensions // _WORD_BITS))
