"""What of a talk is worth remembering, as what, and about whom: learned from labelled talk.

Two opinions are added up. The one (`Features`) goes by what can be named of a piece (`nlp.extraction.features`):
logistic regressions, which can be looked into word by word. The other (`Encoder`) reads the words in the light of the
lines before: the lower layers of MiniLM, taught further. `scripts/train_extraction.py` teaches both, and writes the
files of `taught/`. They err in different places, so that together they find more than either does, as precisely.
"""

import json
import math
from collections.abc import Mapping, Set
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, Protocol

import numpy as np
import numpy.typing as npt

from nlp.embedding.minilm import minilm_folder
from nlp.extraction.framing import Framed, Tokens
from nlp.models.logistic_regression import weighed
from nlp.models.onnx_session import open_model

TAUGHT: Final = Path(__file__).parents[1] / "models"
FEATURES: Final = "features.json"
LAYERS: Final = "layers.onnx"
HEADS: Final = "heads.onnx"
SHARE: Final = 0.33
"""What the encoder counts for in what is worth it, and in its kind; found by cross-validation, as is the next."""
SHARE_OF_WHOM: Final = 0.4
"""What it counts for in whom something is about."""

Vector = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Features:
    """The weights of features: of being worth it, of each kind, and of being what a piece is about; all log-odds."""

    worth: Mapping[str, float]
    kinds: Mapping[str, Mapping[str, float]]
    about: Mapping[str, float]


class Encoder(Protocol):
    """Reads tokens, and tells what it thinks of pieces by the vectors of theirs; safe to use from several threads."""

    def vectors(self, ids: Tokens) -> Vector:
        """One vector a token, in the light of all the others: (tokens, 384)."""

    def opinion(self, piece: Vector, options: Vector) -> tuple[float, Vector, Vector]:
        """Of a piece (768) and those it may be about (options, 384), in log-odds: whether it is worth remembering,
        which kind it is (kinds, in the order of their names), and whom it is about (options, up to a constant).
        """


class TaughtEncoder:
    """The one that comes with the package."""

    def __init__(self, folder: Path) -> None:
        from safetensors import safe_open

        # What multiplies matrices here has one thread; numpy's would wait for each other longer than they work.
        self._layers = open_model(folder / LAYERS)
        self._heads = open_model(folder / HEADS)
        with safe_open(minilm_folder() / "model.safetensors", framework="numpy") as model:
            self._words: Vector = model.get_tensor("embeddings.word_embeddings.weight")

    def vectors(self, ids: Tokens) -> Vector:
        """One vector a token."""
        vectors: Vector = self._layers.run(None, {"inputs_embeds": self._words[np.array([ids])]})[0][0]
        return vectors

    def opinion(self, piece: Vector, options: Vector) -> tuple[float, Vector, Vector]:
        """Log-odds of being worth it, of kinds, and of options."""
        worth, kinds, about = self._heads.run(None, {"piece": piece, "options": options})
        return float(worth[0]), kinds, about


@dataclass(frozen=True, slots=True)
class Seen:
    """What can be seen of a piece, or of whom it may be about: its features; and the tokens of its words, and those of
    its main word; or those of the name.
    """

    features: Set[str]
    tokens: tuple[Tokens, ...]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a piece is worth (the probability that it is worth remembering), and whom or what it is about, with what
    probability; `kinds` is what the encoder thinks of its kind.
    """

    worth: float
    subject: str
    sure: float
    kinds: Vector


class Judge:
    """Judges pieces of talk; safe to use from several threads."""

    def __init__(self, features: Features, encoder: Encoder) -> None:
        self._features = features
        self._encoder = encoder
        self._kinds = sorted(features.kinds)

    def read(self, framed: Framed) -> Vector:
        """A part of a talk as the encoder reads it, for `verdict`."""
        return self._encoder.vectors(framed.ids)

    def verdict(self, vectors: Vector, piece: Seen, options: Mapping[str, Seen]) -> Verdict:
        """What to think of a piece of what was read, which is about one of some options by name."""
        tokens = [_mean(vectors, each) for each in options.values()]
        worth, kinds, about = self._encoder.opinion(_mean(vectors, piece), np.stack(tokens))
        worth = (1 - SHARE) * weighed(self._features.worth, piece.features) + SHARE * worth
        told = [weighed(self._features.about, each.features) for each in options.values()]
        about = (1 - SHARE_OF_WHOM) * np.array(told) + SHARE_OF_WHOM * about
        best = int(np.argmax(about))
        sure = float(np.exp(about[best] - np.logaddexp.reduce(about)))
        return Verdict(1 / (1 + math.exp(-worth)), list(options)[best], sure, kinds)

    def kind(self, piece: Seen, verdict: Verdict) -> str:
        """The likeliest kind of a piece."""
        told = [weighed(self._features.kinds[name], piece.features) for name in self._kinds]
        read = verdict.kinds - np.logaddexp.reduce(verdict.kinds)
        return self._kinds[int(np.argmax((SHARE - 1) * np.logaddexp(0, np.negative(told)) + SHARE * read))]


def _mean(vectors: Vector, seen: Seen) -> Vector:
    """The means of the vectors of each group of tokens, one after the other."""
    return np.concatenate([vectors[list(tokens)].mean(axis=0) for tokens in seen.tokens])


def confidence(worth: float, sure: float) -> float:
    """How sure a statement is, which is worth remembering with one probability and about whom it says with another.

    A doubt about whom it is about counts for more, and 0.7 is where as much is found as is right: of talk that was held
    out, two thirds of what has 0.7 or more is right.
    """
    return math.cbrt(worth) * math.sqrt(sure)


@cache
def judge() -> Judge:
    """The one that was taught; read once."""
    return Judge(Features(**json.loads((TAUGHT / FEATURES).read_text("utf-8"))), TaughtEncoder(TAUGHT))
