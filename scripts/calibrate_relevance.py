"""Fits the constants of `graph/retrieval/relevance.toml`: `python -m scripts.calibrate_relevance FILE… > …`.

Each file holds dialogues with questions and labelled evidence, as `hippograph bench retrieval` takes it. Each question
is asked in its own dialogue, where its evidence answers it, and in the next dialogue of the file, where nothing does.
Nonsense is asked in each dialogue. A question is paired with the ten nearest turns by cosine and the ten that cover
most of its words. The logistic model is fitted by Newton's method. Its bias is then shifted as if half of the pairs
were answers; hardly any are, so a good result would otherwise have a relevance of a few hundredths. The floor is midway
(in log-odds) between the greatest relevance of nonsense and the 5 % quantile of the best results of real questions.
"""

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np

from hippograph.api.models.query_models import embedder_of
from hippograph.api.settings.settings import Settings
from hippograph.graph.artifacts.embedding_models import MODELS
from hippograph.nlp.embedding.embedder import Embedder
from hippograph.nlp.questions.coverage import content_words, covered, stems

NONSENSE = (
    "zebrafinch",
    "quantum chromodynamics lagrangian",
    "asdf qwer zxcv",
    "Where is the zebrafinch?",
    "xylophone tariff",
)
NEAREST = 10
RIDGE = 1e-3
ONE_IN_TWENTY = 0.05


@dataclass(frozen=True)
class Pairs:
    """A question with the turns it is paired with: a row (1, cosine, coverage) for each turn, and whether each turn
    answers it (1 or 0).
    """

    features: np.ndarray
    answers: np.ndarray
    nonsense: bool = False


def main() -> None:
    """Prints the constants of each model, and how well they separate questions with an answer from those without."""
    files = [json.loads(Path(name).read_text("utf-8")) for name in sys.argv[1:]]
    sys.stdout.write(f"# python -m scripts.calibrate_relevance {' '.join(sys.argv[1:])}\n")
    for model in (*MODELS, None):
        embedder = embedder_of(Settings(embedding_model=model)) if model else None
        found = [pairs for content in files for pairs in asked(content, embedder)]
        report(model or "words", found, [0, 1, 2] if embedder else [0, 2])


def asked(content: dict, embedder: Embedder | None) -> Iterator[Pairs]:
    """Yields the pairs of a file: of each question in its own dialogue and in the next one, and of nonsense in each."""
    dialogues = [each for each in content["dialogues"] if each.get("questions")]
    vectors = [
        embedded(embedder, [f"{turn['speaker']}: {turn['text']}" for turn in each["turns"]]) for each in dialogues
    ]
    for place, dialogue in enumerate(dialogues):
        questions = [q for q in dialogue["questions"] if q["evidence"]]
        other = (place + 1) % len(dialogues)
        for question in questions:
            vector = np.array(embedder.embed_query(question["text"]).vector) if embedder else None
            yield pairs(question["text"], vector, dialogue, vectors[place], frozenset(question["evidence"]))
            if len(dialogues) > 1:
                yield pairs(question["text"], vector, dialogues[other], vectors[other], frozenset())
        for text in NONSENSE:
            vector = np.array(embedder.embed_query(text).vector) if embedder else None
            yield replace(pairs(text, vector, dialogue, vectors[place], frozenset()), nonsense=True)


def embedded(embedder: Embedder | None, texts: Sequence[str]) -> np.ndarray | None:
    """Returns the vectors of texts, of shape (texts, dimensions); None without an embedder."""
    return np.array([each.vector for each in embedder.embed_documents(texts)]) if embedder else None


def pairs(
    question: str, vector: np.ndarray | None, dialogue: dict, vectors: np.ndarray | None, evidence: frozenset[str]
) -> Pairs:
    """Pairs a question with the turns of a dialogue that are nearest to it and those that cover most of its words.
    `evidence` are the ids of the turns that answer it.
    """
    turns = dialogue["turns"]
    wanted = content_words(question)
    words = np.array([covered(wanted, _words(f"{turn['speaker']} {turn['text']}")) for turn in turns])
    cosines = vectors @ vector if vectors is not None and vector is not None else np.zeros(len(turns))
    chosen = sorted({*np.argsort(-cosines, kind="stable")[:NEAREST], *np.argsort(-words, kind="stable")[:NEAREST]})
    features = np.stack([np.ones(len(chosen)), cosines[chosen], words[chosen]], axis=1)
    return Pairs(features, np.array([turns[each]["id"] in evidence for each in chosen], dtype=float))


@cache
def _words(text: str) -> frozenset[str]:
    return stems(content_words(text))


def report(name: str, found: Sequence[Pairs], columns: Sequence[int]) -> None:
    """Fits a model to some `columns` of the features. Prints it as a TOML table to standard output, and its quality to
    standard error.
    """
    features = np.concatenate([each.features for each in found])[:, columns]
    answers = np.concatenate([each.answers for each in found])
    weights = fitted(features, answers)
    weights[0] += np.log((1 - answers).sum() / answers.sum())
    best = np.array([(each.features[:, columns] @ weights).max() for each in found])
    answered = np.array([each.answers.any() for each in found])
    nonsense = np.array([each.nonsense for each in found])
    floor = float(best[nonsense].max() + np.quantile(best[answered], ONE_IN_TWENTY)) / 2
    constants = dict(zip([("bias", "cosine", "coverage")[column] for column in columns], weights, strict=True))
    sys.stdout.write(f"\n['{name}']\n")
    for key, value in {**constants, "floor": 1 / (1 + np.exp(-floor))}.items():
        sys.stdout.write(f"{key} = {value:.3f}\n")
    above, foreign = (float((best[of] > floor).mean()) for of in (answered, ~answered & ~nonsense))
    told = f"{answered.sum()} questions with an answer, {above:.2f} above the floor; of foreign ones {foreign:.2f}"
    sys.stderr.write(f"{name}: {told}\n")


def fitted(features: np.ndarray, answers: np.ndarray) -> np.ndarray:
    """Returns the weights of a logistic regression, fitted by Newton's method with a small ridge penalty."""
    weights = np.zeros(features.shape[1])
    for _ in range(50):
        likely = 1 / (1 + np.exp(-features @ weights))
        gradient = features.T @ (answers - likely) - RIDGE * weights
        curvature = (features * (likely * (1 - likely))[:, None]).T @ features + RIDGE * np.eye(len(weights))
        weights += np.linalg.solve(curvature, gradient)
    return weights


if __name__ == "__main__":
    main()
