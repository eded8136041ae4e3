"""The taught tagger of frames and names: its file, which is opened once, and the tokens that it reads."""

from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from tokenizers import Tokenizer

from hippograph.nlp.models import MODELS
from hippograph.nlp.models.onnx_session import open_model

TAGGER: Final = "tagger.onnx"
"""The file of the model in its folder (`scripts.train_frames` writes it)."""
SHAPES: Final = 15
"""So many numbers tell how a token is written, in which lists it is and what spaCy takes it for: the model
itself reads small letters alone."""
_MOST_TOKENS: Final = 512
_TOKENIZER: Final = MODELS / "tokenizer.json"

Tokens = tuple[int, ...]
"""The numbers of some tokens."""
Vector = npt.NDArray[np.float32]


def encoded(text: str) -> tuple[Tokens, Tokens, Tokens]:
    """The tokens of a text, and where each begins and ends. Of an overlong text its last 512."""
    tokens = _tokenizer().encode(text)
    starts, ends = zip(*tokens.offsets, strict=True)
    return tuple(tokens.ids), starts, ends


def run(folder: Path, outputs: list[str], ids: Tokens, sentences: Vector, shapes: Vector) -> list[Vector]:
    """Some outputs of the tagger of a folder; safe from several threads."""
    given = {"ids": np.array([ids], np.int64), "sentences": sentences, "shapes": shapes}
    found: list[Vector] = opened(folder).run(outputs, given)
    return found


@cache
def opened(folder: Path) -> Any:
    """The tagger of a folder, which all share who read with it."""
    return open_model(folder / TAGGER)


@cache
def _tokenizer() -> Tokenizer:
    tokenizer = Tokenizer.from_file(str(_TOKENIZER))
    tokenizer.no_padding()
    tokenizer.enable_truncation(_MOST_TOKENS, direction="left")
    return tokenizer
