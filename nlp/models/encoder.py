"""The lower layers of bge-small, which the trained models share, and their tokenizer.

What belongs here: text to tokens, tokens to vectors. What does not: the heads of the trained models
(`nlp.models.tagger`, `nlp.frames.verifier`).
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from tokenizers import Tokenizer

from hippograph.nlp.models import MODELS
from hippograph.nlp.models.onnx_session import open_model
from hippograph.nlp.text import whole_characters

LOWER_LAYERS: Final = "lower_layers.onnx"
"""File name of the lower layers."""
_MOST_TOKENS: Final = 512
_TOKENIZER: Final = MODELS / "tokenizer.json"

Tokens = tuple[int, ...]
"""Token ids, or other numbers that belong to tokens: positions, character offsets."""
Vector = npt.NDArray[np.float32]
"""A float32 array of any shape, which is documented where it is used."""


def encoded(text: str) -> tuple[Tokens, Tokens, Tokens]:
    """Returns the ids of the tokens of a text, and the character offsets where each begins and ends. Of a longer text
    the last 512 tokens, with those that mark its beginning and end.
    """
    tokens = _tokenizer().encode(text)
    starts, ends = zip(*tokens.offsets, strict=True)
    return tuple(tokens.ids), starts, ends


def encoded_pair(first: str, second: str, longest_first: int, longest_second: int) -> tuple[Tokens, int]:
    """Returns the token ids of two texts, joined with BERT's special tokens, and how many belong to the first text. The
    first is cut to its first `longest_first` tokens, the second to its last `longest_second`.
    """
    start, end = _marks()
    one, other = (_tokenizer().encode(whole_characters(each), add_special_tokens=False).ids for each in (first, second))
    one, other = one[:longest_first], other[-longest_second:]
    return (start, *one, end, *other, end), len(one)


def load(folder: Path, file: str) -> None:
    """Opens a model of a folder and its lower layers, so that the first text need not wait. onnxruntime raises if a
    file is missing.
    """
    for each in (LOWER_LAYERS, file):
        _opened(folder, each)


def run(folder: Path, file: str, outputs: Sequence[str], ids: Tokens, **given: Vector) -> list[Vector]:
    """Returns some outputs of a model of a folder for 1 to 512 tokens; `given` are its further inputs. Safe to call
    from several threads.
    """
    [vectors] = _opened(folder, LOWER_LAYERS).run(None, {"ids": np.array([ids], np.int64)})
    found: list[Vector] = _opened(folder, file).run(outputs, {"vectors": vectors, **given})
    return found


def run_pair(folder: Path, file: str, output: str, ids: Tokens, length: int) -> Sequence[float]:
    """Returns the log-odds that a model gives for a fact and a text (`encoded_pair`); `length` is the number of tokens
    of the fact, at least 1.
    """
    fact = np.zeros((1, len(ids)), np.float32)
    fact[0, 1 : 1 + length] = 1 / length
    [[log_odds]] = run(folder, file, [output], ids, fact=fact)
    found: list[float] = log_odds.tolist()
    return found


@cache
def _opened(folder: Path, file: str) -> Any:
    """Returns a model of a folder; one session is shared by all callers."""
    return open_model(folder / file)


@cache
def _tokenizer() -> Tokenizer:
    tokenizer = Tokenizer.from_file(str(_TOKENIZER))
    tokenizer.no_padding()
    tokenizer.enable_truncation(_MOST_TOKENS, direction="left")
    return tokenizer


@cache
def _marks() -> tuple[int, int]:
    start, end = _tokenizer().encode("").ids
    return start, end
