"""`bench intent`: accuracy of the classifier of intents. `tests/benchmark/intents/README.md` describes the format."""

import time
from collections import defaultdict
from collections.abc import Sequence
from typing import Literal

from benchmarks.environment import Report, Row
from benchmarks.quality.labelled import Labelled
from benchmarks.quality.metrics import percentile
from hippograph.nlp.embedding.embedder import Embedder
from hippograph.nlp.questions.intent import Intent, IntentClassifier, by_keywords


class LabelledQuestion(Labelled):
    """A question, its intent and its language."""

    text: str
    intent: Intent
    language: Literal["en", "ru"]


def measure(
    embedder: Embedder, classifier: IntentClassifier, questions: Sequence[LabelledQuestion], report: Report
) -> list[Row]:
    """Returns the accuracy by language and by intent, that of keywords alone, and the time after embedding.

    Without questions: the accuracy on the exemplars by language, each left out in turn.
    """
    if not questions:
        return [
            Row(f"exemplars, {language}", {"accuracy, each left out": accuracy})
            for language, accuracy in classifier.accuracy.items()
        ]
    right, took = defaultdict[str, list[tuple[bool, bool]]](list), []
    for number, question in enumerate(questions):
        report(number, len(questions), "classifying")
        vector = embedder.embed_query(question.text).vector
        started = time.perf_counter()
        found = classifier.classify(question.text, vector).intent
        took.append(time.perf_counter() - started)
        pair = found is question.intent, by_keywords(question.text)[0] is question.intent
        for group in ("all", question.language, f"{question.language}, {question.intent}"):
            right[group].append(pair)
    rows = [
        Row(
            group,
            {
                "questions": len(pairs),
                "accuracy": sum(found for found, _ in pairs) / len(pairs),
                "keywords alone": sum(keyword for _, keyword in pairs) / len(pairs),
            },
        )
        for group, pairs in sorted(right.items())
    ]
    return [*rows, Row("ms after embedding", {f"p{share}": percentile(took, share / 100) * 1000 for share in (50, 99)})]
