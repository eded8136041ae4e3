"""The lower layers of bge-small, which the taught models share, and the tokens that they read.

What belongs here: text to tokens, tokens to vectors. What does not: what a taught model makes of the vectors
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
"""The file of the layers in their folder."""
_MOST_TOKENS: Final = 512
_TOKENIZER: Final = MODELS / "tokenizer.json"

Tokens = tuple[int, ...]
"""The numbers of some tokens."""
Vector = npt.NDArray[np.float32]
"""Numbers of any shape, of which each place says what it is."""


def encoded(text: str) -> tuple[Tokens, Tokens, Tokens]:
    """The tokens of a text, and where each begins and ends. Of an overlong text its last 512."""
    tokens = _tokenizer().encode(text)
    starts, ends = zip(*tokens.offsets, strict=True)
    return tuple(tokens.ids), starts, ends


def encoded_pair(first: str, second: str, longest_first: int, longest_second: int) -> tuple[Tokens, int]:
    """The tokens of two texts, one behind the other with the marks of BERT between them, and how many of the first
    there are. Of the first the tokens up to `longest_first`, of the second the last `longest_second`.
    """
    start, end = _marks()
    one, other = (_tokenizer().encode(whole_characters(each), add_special_tokens=False).ids for each in (first, second))
    one, other = one[:longest_first], other[-longest_second:]
    return (start, *one, end, *other, end), len(one)


def load(folder: Path, file: str) -> None:
    """Opens a taught model of a folder, and the layers below it, before the first text. onnxruntime raises where a file
    is missing.
    """
    for each in (LOWER_LAYERS, file):
        _opened(folder, each)


def run(folder: Path, file: str, outputs: Sequence[str], ids: Tokens, **given: Vector) -> list[Vector]:
    """Some outputs of a taught model of a folder on 1 to 512 tokens, and what else it is `given`. Safe from several
    threads.
    """
    [vectors] = _opened(folder, LOWER_LAYERS).run(None, {"ids": np.array([ids], np.int64)})
    found: list[Vector] = _opened(folder, file).run(outputs, {"vectors": vectors, **given})
    return found


def run_pair(folder: Path, file: str, output: str, ids: Tokens, length: int) -> Sequence[float]:
    """The log-odds that a model gives of a fact beside a text (`encoded_pair`); `length` tokens are the fact's."""
    fact = np.zeros((1, len(ids)), np.float32)
    fact[0, 1 : 1 + length] = 1 / length
    [[log_odds]] = run(folder, file, [output], ids, fact=fact)
    found: list[float] = log_odds.tolist()
    return found


@cache
def _opened(folder: Path, file: str) -> Any:
    """A model of a folder, which all share who read with it."""
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
