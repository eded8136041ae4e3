"""The taught tagger of frames and names: the upper layers and the heads, over `nlp.models.encoder`."""

from pathlib import Path
from typing import Final

from hippograph.nlp.models import encoder
from hippograph.nlp.models.encoder import Tokens, Vector

TAGGER: Final = "tagger.onnx"
"""The file of the model in its folder (`scripts.train_frames` writes it)."""
SHAPES: Final = 15
"""So many numbers tell how a token is written, in which lists it is and what spaCy takes it for: the model
itself reads small letters alone."""


def run(folder: Path, outputs: list[str], ids: Tokens, sentences: Vector, shapes: Vector) -> list[Vector]:
    """Some outputs of the tagger of a folder; safe from several threads."""
    return encoder.run(folder, TAGGER, outputs, ids, sentences=sentences, shapes=shapes)
