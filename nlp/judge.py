"""What of a talk is worth remembering, as what, and about whom: learned from labelled talk.

Two opinions are added up. The one (`Features`) goes by what can be named of a piece (`nlp.features`): logistic
regressions, which can be looked into word by word. The other (`Encoder` and `Heads`) reads the words in the light of
the lines before: the lower layers of MiniLM, taught further. `scripts/train_extraction.py` teaches both, and writes the
files of `taught/`. They err in different places, so that together they find more than either does, as precisely.
"""

import json
import math
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from nlp.framing import Framed, Tokens
from nlp.minilm import minilm_folder
from nlp.sessions import open_model

TAUGHT: Final = Path(__file__).with_name("taught")
FEATURES: Final = "features.json"
LAYERS: Final = "layers.onnx"
HEADS: Final = "heads.npz"
BIAS: Final = ""
"""The feature that is always there."""
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


@dataclass(frozen=True, slots=True)
class Heads:
    """What is read from the vectors of tokens: layers of weights and what is added to them.

    `worth` is of two layers; `kinds` in the order of their names; `about` of two layers over a piece, whom it may be
    about, and the product of both, each brought to the same length by `piece` and `somebody`.
    """

    worth: Sequence[Vector]
    kinds: Sequence[Vector]
    piece: Sequence[Vector]
    somebody: Sequence[Vector]
    about: Sequence[Vector]

    def of_whom(self, piece: Vector, options: Vector) -> Vector:
        """Log-odds, up to a constant, of a piece being about each of some options: (options,)."""
        one = np.tanh(_layer(piece, *self.piece))
        others = np.tanh(_layer(options, *self.somebody))
        one = np.broadcast_to(one, others.shape)
        return _layers(np.concatenate([one, others, one * others], axis=1), self.about)[:, 0]


class Encoder:
    """Tokens to vectors, in the light of each other; safe to use from several threads."""

    def __init__(self, layers: Path) -> None:
        from safetensors import safe_open

        self._session = open_model(layers)
        with safe_open(minilm_folder() / "model.safetensors", framework="numpy") as model:
            self._words: Vector = model.get_tensor("embeddings.word_embeddings.weight")

    def vectors(self, ids: Tokens) -> Vector:
        """One vector a token: (tokens, 384)."""
        vectors: Vector = self._session.run(None, {"inputs_embeds": self._words[np.array([ids])]})[0][0]
        return vectors


@dataclass(frozen=True, slots=True)
class Seen:
    """What can be seen of a piece, or of whom it may be about: its features; and the tokens of its words, and those of
    its main word; or those of the name.
    """

    features: Set[str]
    tokens: tuple[Tokens, ...]


class Judge:
    """Judges pieces of talk; safe to use from several threads."""

    def __init__(self, features: Features, encoder: Encoder, heads: Heads) -> None:
        self._features = features
        self._encoder = encoder
        self._heads = heads
        self._kinds = sorted(features.kinds)

    def read(self, framed: Framed) -> "Reader":
        """Reads a part of a talk, for what is to be judged of it."""
        return Reader(self._features, self._heads, self._kinds, self._encoder.vectors(framed.ids))


@dataclass(frozen=True, slots=True)
class Reader:
    """Judges what was read; `kinds` are in the order of the heads."""

    features: Features
    heads: Heads
    kinds: Sequence[str]
    vectors: Vector

    def worth_it(self, piece: Seen) -> float:
        """The probability that a piece is worth remembering."""
        read = float(_layers(self._vector(piece), self.heads.worth)[0])
        return _probability((1 - SHARE) * weighed(self.features.worth, piece.features) + SHARE * read)

    def kind(self, piece: Seen) -> str:
        """The likeliest kind."""
        read = _layer(self._vector(piece), *self.heads.kinds)
        read = read - np.logaddexp.reduce(read)
        told = [math.log(_probability(weighed(self.features.kinds[name], piece.features))) for name in self.kinds]
        return self.kinds[int(np.argmax((1 - SHARE) * np.array(told) + SHARE * read))]

    def subject(self, piece: Seen, options: Mapping[str, Seen]) -> tuple[str, float]:
        """Whom or what a piece is about, of some by name, and with what probability."""
        read = self.heads.of_whom(self._vector(piece), np.stack([self._vector(each) for each in options.values()]))
        told = np.array([weighed(self.features.about, each.features) for each in options.values()])
        judged = (1 - SHARE_OF_WHOM) * told + SHARE_OF_WHOM * read
        judged = np.exp(judged - np.logaddexp.reduce(judged))
        best = int(np.argmax(judged))
        return list(options)[best], float(judged[best])

    def _vector(self, seen: Seen) -> Vector:
        """The means of the vectors of each group of tokens, one after the other."""
        return np.concatenate([self.vectors[list(tokens)].mean(axis=0) for tokens in seen.tokens])


def weighed(weights: Mapping[str, float], features: Iterable[str]) -> float:
    """The log-odds that features are worth."""
    return weights[BIAS] + sum(weights.get(each, 0.0) for each in features)


def confidence(worth: float, sure: float) -> float:
    """How sure a statement is, which is worth remembering with one probability and about whom it says with another.

    A doubt about whom it is about counts for more, and 0.7 is where as much is found as is right: of talk that was held
    out, two thirds of what has 0.7 or more is right.
    """
    return math.cbrt(worth) * math.sqrt(sure)


@cache
def judge() -> Judge:
    """The one that was taught; read once."""
    with np.load(TAUGHT / HEADS) as arrays:
        heads = {
            name: [arrays[each].astype(np.float32) for each in sorted(arrays) if each.startswith(f"{name} ")]
            for name in Heads.__slots__
        }
    features = Features(**json.loads((TAUGHT / FEATURES).read_text("utf-8")))
    return Judge(features, Encoder(TAUGHT / LAYERS), Heads(**heads))


def _layer(vector: Vector, weights: Vector, added: Vector) -> Vector:
    return vector @ weights + added


def _layers(vector: Vector, weights: Sequence[Vector]) -> Vector:
    return _layer(np.maximum(_layer(vector, *weights[:2]), 0), *weights[2:])


def _probability(odds: float) -> float:
    return 1 / (1 + math.exp(-odds))
