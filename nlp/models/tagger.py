"""The trained tagger of frames and names: the upper layers and the heads, on top of `nlp.models.encoder`."""

from pathlib import Path
from typing import Final

from hippograph.nlp.models import encoder
from hippograph.nlp.models.encoder import Tokens, Vector

TAGGER: Final = "tagger.onnx"
"""File name of the model, which `scripts.train_frames` writes."""
SHAPES: Final = 15
"""Number of features of a token's spelling, the lists that contain it, and its spaCy label; the encoder itself reads
lower case only.
"""


def run(folder: Path, outputs: list[str], ids: Tokens, sentences: Vector, shapes: Vector) -> list[Vector]:
    """Returns some outputs of the tagger of a folder. `sentences` has the weights of the tokens (columns) in each
    sentence (rows), `shapes` the features of each token (tokens, `SHAPES`). Safe to call from several threads.
    """
    return encoder.run(folder, TAGGER, outputs, ids, sentences=sentences, shapes=shapes)
