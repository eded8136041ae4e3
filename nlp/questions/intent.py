"""Classifies questions by intent: why, when, who, what or general (R2).

A ridge regression (Hoerl and Kennedy, 1970) over exemplars scores each intent; the highest score wins. Its features are
the vector of the question, its words, pairs of words and parts of words (hashed: Weinberger et al., 2009), and the
intent that keywords indicate. There is one regression for each language, fitted in a fraction of a second for the model
in use. So nothing is calibrated by hand, and an embedder that does not know a language gets little weight in it.
Without an embedder only words and keywords are used.
"""

import hashlib
import json
import re
import tempfile
import tomllib
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from hippograph.nlp.embedding.embedder import Embedder
from hippograph.nlp.questions.reading import read_part

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_FOLDER: Final = Path(__file__).parent
_CYRILLIC: Final = re.compile(r"[\u0400-\u04ff]")
_WORD: Final = re.compile(r"\w+|\?")
_HASHED: Final = 4096
"""Number of columns that hashed words share."""
_PART: Final = 4
"""Length of a part of a word, in letters."""
_RIDGE: Final = 0.6
_KEYWORD: Final = 0.1
"""Value of a column of keywords. It is small, since keywords were written with the exemplars in view, and so seem
better there than they are."""


class Intent(StrEnum):
    """What a question asks for."""

    WHY = "why"
    WHEN = "when"
    WHO = "who"
    WHAT = "what"
    GENERAL = "general"


@dataclass(frozen=True, slots=True)
class Classified:
    """The intent of a question. `margin` is the lead of its score over the next one's, from 0 to about 1; it is 0 if
    keywords alone decided. `keyword` is the keyword that indicates the intent, None if there is none.
    """

    intent: Intent
    margin: float
    keyword: str | None


@dataclass(frozen=True, slots=True)
class Exemplar:
    """A question whose intent is known."""

    text: str
    intent: Intent
    language: str


@cache
def exemplars() -> tuple[Exemplar, ...]:
    """The exemplars of all intents and languages."""
    table = tomllib.loads((_FOLDER / "exemplars.toml").read_text(encoding="utf-8"))
    return tuple(
        Exemplar(text, Intent(intent), language)
        for intent, languages in table.items()
        for language, texts in languages.items()
        for text in texts
    )


def language_of(text: str) -> str:
    """`ru` for a text with Cyrillic letters, else `en`."""
    return "ru" if _CYRILLIC.search(text) else "en"


class IntentClassifier:
    """Classifies questions by intent. Fitted when it is created; safe to use from several threads."""

    def __init__(self, vectors: "npt.ArrayLike | None" = None, *, threshold: float | None = None) -> None:
        """`vectors` are the query vectors of the texts of `exemplars()`, of shape (exemplars, dimensions); None without
        an embedder. If the cosine similarity of a question to every exemplar of its language is below `threshold`,
        keywords alone decide (R2). With None the regression always decides; it is calibrated for the model.
        """
        import numpy as np

        dense = np.asarray(vectors, dtype=np.float64) if vectors is not None else np.zeros((len(exemplars()), 0))
        self._dimensions = dense.shape[1]
        self._threshold = threshold
        self._directions: dict[str, npt.NDArray[np.float64]] = {}
        texts = [each.text for each in exemplars()]
        self.accuracy: dict[str, float] = {}
        """Leave-one-out accuracy on the exemplars, by language."""
        self._weights: dict[str, npt.NDArray[np.float64]] = {}
        for language in sorted({each.language for each in exemplars()}):
            chosen = [at for at, each in enumerate(exemplars()) if each.language == language]
            self._directions[language] = _normalized(dense[chosen])
            self._weights[language], self.accuracy[language] = _fitted(
                np.array([_features(texts[at], dense[at], by_keywords(texts[at])[0]) for at in chosen]),
                np.array([tuple(Intent).index(exemplars()[at].intent) for at in chosen]),
            )

    def classify(self, text: str, vector: Sequence[float] = ()) -> Classified:
        """Returns the intent of a question. `vector` is ignored if the classifier was created without vectors."""
        shown, keyword = by_keywords(text)
        if self._unlike_exemplars(text, vector):
            return Classified(shown, 0.0, keyword)
        scores = _features(text, vector if self._dimensions else (), shown) @ self._weights[language_of(text)]
        second, best = sorted(range(len(Intent)), key=lambda at: float(scores[at]))[-2:]
        intent = tuple(Intent)[best]
        return Classified(intent, float(scores[best] - scores[second]), keyword if shown is intent else None)

    def _unlike_exemplars(self, text: str, vector: Sequence[float]) -> bool:
        """Returns whether the cosine similarity to every exemplar is below the threshold."""
        if self._threshold is None or not self._dimensions:
            return False
        cosines = self._directions[language_of(text)] @ _normalized(vector)
        return float(cosines.max()) < self._threshold


@cache
def words_classifier() -> IntentClassifier:
    """Returns the classifier that uses words alone, fitted once in a process."""
    return IntentClassifier()


def load_classifier(embedder: Embedder | None, folder: Path, *, threshold: float | None = None) -> IntentClassifier:
    """Returns the classifier for a model; `threshold` is that of `IntentClassifier`. Embedding the exemplars takes
    seconds, so their vectors are cached in the folder. It blocks: call it from an executor if there is an event loop.
    """
    import numpy as np

    if embedder is None:
        return words_classifier()
    texts = [each.text for each in exemplars()]
    kind = hashlib.sha256(json.dumps([embedder.model, embedder.dimensions, texts]).encode()).hexdigest()
    file = folder / f"{kind[:32]}.npy"
    if not file.exists():
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=folder, suffix=".npy", delete=False) as unfinished:
            np.save(unfinished, np.array([embedder.embed_query(text).vector for text in texts], dtype=np.float32))
        Path(unfinished.name).rename(file)
    return IntentClassifier(np.load(file), threshold=threshold)


def _normalized(vectors: "npt.ArrayLike") -> "npt.NDArray[np.float64]":
    """Returns the vectors scaled to length 1; zero vectors stay zero."""
    import numpy as np

    given = np.asarray(vectors, dtype=np.float64)
    lengths = np.linalg.norm(given, axis=-1, keepdims=True)
    return given / np.where(lengths > 0, lengths, 1.0)


def by_keywords(text: str) -> tuple[Intent, str | None]:
    """Returns the intent that the words of a question indicate, and these words; general and None if none do."""
    question = _main_clause(read_part(text))
    for intent, pattern in _patterns()[language_of(text)]:
        if found := pattern.search(question):
            return intent, found[0].strip()
    return Intent.GENERAL, None


def _main_clause(text: str) -> str:
    """Returns a question without the clause before it: "When I was ill, who called?" asks who."""
    return _aside().sub("", text, count=1)


@cache
def _aside() -> re.Pattern[str]:
    return re.compile("|".join(_keywords()["aside"]), re.IGNORECASE)


@cache
def _patterns() -> dict[str, tuple[tuple[Intent, re.Pattern[str]], ...]]:
    return {
        language: tuple(
            (Intent(rule["intent"]), re.compile("|".join(f"(?:{each})" for each in rule["patterns"]), re.IGNORECASE))
            for rule in rules
        )
        for language, rules in _keywords()["rules"].items()
    }


@cache
def _keywords() -> dict[str, Any]:
    return tomllib.loads((_FOLDER / "keywords.toml").read_text(encoding="utf-8"))


def _features(text: str, vector: "npt.ArrayLike", shown: Intent) -> "npt.NDArray[np.float64]":
    """Returns the features of a question: its vector, its words (scaled to length 1), its keywords' intent, a bias."""
    import numpy as np

    words = np.zeros(_HASHED)
    words[[zlib.crc32(each.encode()) % _HASHED for each in _word_features(text)]] = 1.0
    words /= np.linalg.norm(words)
    keywords = _KEYWORD * np.array([float(intent is shown) for intent in Intent])
    return np.concatenate([np.asarray(vector, dtype=np.float64), words, keywords, [1.0]])


def _word_features(text: str) -> Iterator[str]:
    words = ["^", *_WORD.findall(read_part(text).casefold()), "$"]
    yield from words
    yield from map(" ".join, pairwise(words))
    for word in words:
        bounded = f"#{word}#"
        yield from (bounded[at : at + _PART] for at in range(len(word) - 1))


def _fitted(
    features: "npt.NDArray[np.float64]", intents: "npt.NDArray[np.int64]"
) -> "tuple[npt.NDArray[np.float64], float]":
    """Fits a ridge regression. Returns its weights, of shape (features, intents), and its leave-one-out accuracy, which
    has a closed form (Allen's PRESS, 1974). Solved in the dual, since there are more features than exemplars.
    """
    import numpy as np

    targets = np.eye(len(Intent))[intents]
    gram = features @ features.T
    inverse = np.linalg.inv(gram + _RIDGE * np.eye(len(gram)))
    hat = gram @ inverse
    left_out = targets - (targets - hat @ targets) / (1 - np.diag(hat))[:, None]
    return features.T @ inverse @ targets, float((left_out.argmax(axis=1) == intents).mean())
