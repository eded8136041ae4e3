"""Fits the constants of `graph/retrieval/relevance.toml`: `python -m scripts.calibrate_relevance FILE… > …`.

Each file is one of dialogues with questions and labelled evidence, as `hippograph bench retrieval` takes it. Each
question is asked in its own dialogue, where its evidence is what answers it, and in the next dialogue of the file,
where nothing does; so is nonsense. Pairs are the ten nearest turns by cosine and the ten that cover most words. The
logistic model is fitted by Newton's method, and its bias moved to where answers are as likely as others: of the pairs
hardly any answer, and a good result would have a few hundredths. Its floor lies midway (in log-odds) between the
greatest relevance that nonsense reaches and what the best result of 19 in 20 real questions exceeds.
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
    """What one question finds: a row (cosine, coverage) for each turn, and whether each turn answers it."""

    features: np.ndarray
    answers: np.ndarray
    nonsense: bool = False


def main() -> None:
    """Prints the constants of each model, and how well they part questions with an answer from those without."""
    files = [json.loads(Path(name).read_text("utf-8")) for name in sys.argv[1:]]
    sys.stdout.write(f"# python -m scripts.calibrate_relevance {' '.join(sys.argv[1:])}\n")
    for model in (*MODELS, None):
        embedder = embedder_of(Settings(embedding_model=model)) if model else None
        found = [pairs for content in files for pairs in asked(content, embedder)]
        report(model or "words", found, [0, 1, 2] if embedder else [0, 2])


def asked(content: dict, embedder: Embedder | None) -> Iterator[Pairs]:
    """The questions of a file, each in its own dialogue and in the next one."""
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
    """The vectors of texts, one a row."""
    return np.array([each.vector for each in embedder.embed_documents(texts)]) if embedder else None


def pairs(
    question: str, vector: np.ndarray | None, dialogue: dict, vectors: np.ndarray | None, evidence: frozenset[str]
) -> Pairs:
    """The turns of a dialogue that a question may find."""
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
    """Fits a model and prints it, as a table of TOML, to standard output; how well it does, to standard error."""
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
    """The weights of a logistic regression, by Newton's method with a little ridge."""
    weights = np.zeros(features.shape[1])
    for _ in range(50):
        likely = 1 / (1 + np.exp(-features @ weights))
        gradient = features.T @ (answers - likely) - RIDGE * weights
        curvature = (features * (likely * (1 - likely))[:, None]).T @ features + RIDGE * np.eye(len(weights))
        weights += np.linalg.solve(curvature, gradient)
    return weights


if __name__ == "__main__":
    main()
