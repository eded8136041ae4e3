"""Late interaction: compares each token of a question with its most similar token in a text (MaxSim, as in ColBERT:
O. Khattab and M. Zaharia, SIGIR 2020).

The token vectors are those of the embedding model's last layer. One bit of each dimension is kept, which says whether
it is above the model's mean. The bits are packed as base64: 64 bytes a token for 384 dimensions. With the model they
can be turned back into words, so they are as private as the text.
"""

from base64 import b64decode, b64encode
from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

MOST_TOKENS: Final = 64
"""Maximum number of tokens kept of a text; the rarest are kept."""

Vectors = npt.NDArray[np.float32]
_Words = npt.NDArray[np.uint64]
_WORD_BITS: Final = 64
_BITS_OF_BASE64: Final = 6


def pack(tokens: Vectors, mean: Vectors) -> str:
    """Packs token vectors, of shape (tokens, dimensions), as base64: a bit is set where a value is above the `mean`."""
    bits = np.packbits(tokens > mean, axis=1)
    padded = np.pad(bits, ((0, 0), (0, -bits.shape[1] % (_WORD_BITS // 8))))
    return b64encode(padded.tobytes()).decode("ascii")


def bytes_of_token(dimensions: int) -> float:
    """Size of a packed token, in bytes."""
    return -(-dimensions // _WORD_BITS) * _WORD_BITS / _BITS_OF_BASE64


def max_similarities(question: str, texts: Sequence[str], dimensions: int) -> list[float | None]:
    """For each packed text, the mean over the question's tokens of the best similarity to a token of the text, -1 to 1.

    The similarity of two tokens is the share of dimensions whose bits agree minus the share of those that differ. The
    result is None where the text or the question has no tokens.
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
    """The bits of packed tokens as 64-bit words, of shape (tokens, dimensions / 64 rounded up)."""
    return np.frombuffer(b64decode(packed), dtype=np.uint64).reshape(-1, -(-dimensions // _WORD_BITS))
