"""Analysis of a question: its intent, the entities and the time that it names, its complexity (R2, R3)."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from hippograph.graph.model import Entity
from hippograph.graph.zones import moment_at, wall_clock
from hippograph.nlp.embedding.embedder import Embedder, Embedding
from hippograph.nlp.questions.complexity import COMPLEX, FIXED, SIMPLE, QueryBudget, is_complex
from hippograph.nlp.questions.intent import Classified, Intent, IntentClassifier
from hippograph.nlp.questions.periods import Period, find_period


def moments_of(period: Period, zone: str) -> Period:
    """The period in UTC for a period given in the local time of a zone."""
    return replace(period, start=moment_at(period.start, zone), end=moment_at(period.end, zone))


@dataclass(frozen=True, slots=True)
class Analysis:
    """Result of the analysis of a question. `margin` is the score of the intent less that of the next one. `keyword`
    holds words that indicate the intent, None without any. Both are None if the caller chose the intent. `period` is
    None if the question names no time; its days are those of `time_zone`.
    """

    intent: Intent
    margin: float | None
    keyword: str | None
    entities: tuple[Entity, ...]
    period: Period | None
    budget: QueryBudget
    time_zone: str


class Analyst:
    """Analyses questions. Without an embedder there are no vectors, and the intent is told from words alone (R11).

    `load` returns the classifier for the embedder; it is called at the first question, since it takes a moment. With
    `adaptive` off every question has the same budget.
    """

    def __init__(self, embedder: Embedder | None, load: Callable[[], IntentClassifier], *, adaptive: bool) -> None:
        self._embedder = embedder
        self._load = load
        self._adaptive = adaptive
        self._loading = threading.Lock()
        self._classifier: IntentClassifier | None = None

    def read(self, question: str) -> tuple[Embedding | None, Classified]:
        """The embedding and the intent of a question. Blocks: call it from an executor."""
        embedding = self.embed(question)
        with self._loading:
            self._classifier = self._classifier or self._load()
        return embedding, self._classifier.classify(question, embedding.vector if embedding else ())

    def embed(self, text: str) -> Embedding | None:
        """The embedding of a query, None without an embedder. Blocks: call it from an executor."""
        return self._embedder.embed_query(text) if self._embedder else None

    def analyse(
        self,
        question: str,
        found: Classified,
        entities: Sequence[Entity],
        now: datetime,
        zone: str,
        intent: Intent | None = None,
    ) -> Analysis:
        """The analysis of a question that names `entities`, asked at `now` in `zone`. `intent` overrides `found`."""
        budget = FIXED
        if self._adaptive:
            budget = COMPLEX if is_complex(question, len(entities)) else SIMPLE
        period = find_period(question, wall_clock(now, zone))
        return Analysis(
            intent=intent or found.intent,
            margin=None if intent else found.margin,
            keyword=None if intent else found.keyword,
            entities=tuple(entities),
            period=period and moments_of(period, zone),
            budget=budget,
            time_zone=zone,
        )
