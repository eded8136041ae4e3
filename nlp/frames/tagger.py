"""The tagger: a trained model that predicts which frames a sentence fills, and which tokens belong to which slot.

What belongs here: running the model. What does not: the use of its output (`nlp.frames.filling`), and the training
(`scripts.train_frames`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from hippograph.nlp.frames.frame import load_frames
from hippograph.nlp.models.encoder import Tokens, Vector, load
from hippograph.nlp.models.tagger import SHAPES, TAGGER, run


@cache
def frame_labels() -> tuple[str, ...]:
    """The names of the frames that the model was trained for, in the order of its outputs."""
    return tuple(name for name, frame in load_frames().items() if frame.taught)


@cache
def slot_labels() -> tuple[tuple[str, str], ...]:
    """Frame and slot of each output for a token, in the order of the outputs."""
    return tuple((name, slot) for name in frame_labels() for slot in load_frames()[name].slots)


@dataclass(frozen=True, slots=True)
class Tags:
    """Probabilities: of each frame in each sentence (sentences, frames), of each slot of each token (tokens, slots)."""

    frames: Vector
    slots: Vector

    @classmethod
    def none(cls, sentences: int, tokens: int) -> "Tags":
        """Tags of sentences that fill no frame; all probabilities are 0."""
        frames, slots = (sentences, len(frame_labels())), (tokens, len(slot_labels()))
        return cls(np.zeros(frames, np.float32), np.zeros(slots, np.float32))


class Tagger:
    """A tagger with the model of a folder; safe to use from several threads."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        load(folder, TAGGER)

    def tag(self, ids: Tokens, sentences: Sequence[Tokens]) -> Tags:
        """Returns the tags of tokens and of sentences. Each of `sentences` has the positions in `ids` of its tokens, at
        least one.
        """
        means = np.zeros((len(sentences), len(ids)), np.float32)
        for row, tokens in enumerate(sentences):
            means[row, list(tokens)] = 1 / len(tokens)
        shapes = np.zeros((len(ids), SHAPES), np.float32)
        return Tags(*run(self._folder, ["frames", "slots"], ids, means, shapes))
