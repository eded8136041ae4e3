"""Counters and timers in Prometheus' format (A5). They are read on request and never sent anywhere.

What does not belong here: who may read them (`monitoring`).
"""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, Metric
from prometheus_client.gc_collector import GCCollector
from prometheus_client.process_collector import ProcessCollector
from prometheus_client.registry import Collector

from hippograph.graph.jobs.model_uses import ModelUse
from hippograph.graph.jobs.queue import Backlog
from hippograph.graph.retention.recall import RecallCounts
from hippograph.nlp.llm.uses import Outcome

if TYPE_CHECKING:
    from functools import _CacheInfo

_SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
_LONG_SECONDS: Final = (0.005, 0.02, 0.1, 0.5, 2.0, 10.0, 60.0)
MOST_NAMES: Final = 200
"""Maximum number of distinct operation names, which clients choose; further ones are counted as `OTHER`."""
OTHER: Final = "other"


class Metrics:
    """The metrics of one process."""

    def __init__(self) -> None:
        self.registry: Final = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        GCCollector(self.registry)
        self._names: set[str] = set()
        self._caches: dict[str, Callable[[], _CacheInfo]] = {}
        self._model_uses: Sequence[ModelUse] = ()
        self._retries: Mapping[str, int] = {}
        for read in (self._read_caches, self._read_model_uses, self._read_retries):
            self.registry.register(_WhenAsked(read))
        self.http = self._counter("http_requests", "HTTP requests.", "method", "path", "status")
        self.http_seconds = self._histogram("http_request", "HTTP requests, but for streams.", _SECONDS, "path")
        self._operations = self._counter("operations", "GraphQL operations and tools of MCP.", "type", "name", "code")
        self._operation_seconds = self._histogram(
            "operation", "GraphQL operations and tools of MCP.", _SECONDS, "type", "name"
        )
        self._statements = self._counter("statements", "Cypher statements, by file.", "statement", "outcome")
        self._statement_seconds = self._histogram("statement", "Cypher statements, by file.", _SECONDS, "statement")
        self._steps = self._counter("job_steps", "Steps of jobs, each a batch.", "job", "outcome")
        self._items = self._counter("job_items", "Items that jobs worked on.", "job")
        self._step_seconds = self._histogram("job_step", "Steps of jobs that had work.", _LONG_SECONDS, "job")
        self._texts = self._counter("model_texts", "Texts that a model read.", "model", "work")
        self._model_seconds = self._histogram("model", "Batches of a model.", _LONG_SECONDS, "model", "work")
        self.rate_limited = self._counter("rate_limited", "Requests above a credential's rate.")
        self.subscriptions = self._gauge("subscriptions", "Subscriptions that are open.")
        self._queued = self._gauge("queue_items", "What waits for a job, and what it gave up.", "job", "state")
        self._age = self._gauge("queue_age_seconds", "How long the first item has been due.", "job")
        self._pool = self._gauge("database_connections", "Connections to Neo4j.", "state")
        self._up = self._gauge("database_up", "Whether Neo4j answered when this was asked.")

    def operation(self, kind: str, name: str | None, code: str, seconds: float | None) -> None:
        """Counts and times an operation. `seconds` is None for a subscription, which lasts as long as it is open."""
        known = self._known(name or "")
        self._operations.labels(kind, known, code).inc()
        if seconds is not None:
            self._operation_seconds.labels(kind, known).observe(seconds)

    @contextmanager
    def statement(self, name: str) -> Iterator[None]:
        """Counts and times the statement run in the context."""
        started, outcome = time.perf_counter(), "failed"
        try:
            yield
            outcome = "ok"
        finally:
            self._statements.labels(name, outcome).inc()
            self._statement_seconds.labels(name).observe(time.perf_counter() - started)

    @contextmanager
    def model(self, model: str, work: str, texts: int) -> Iterator[None]:
        """Counts and times a batch of texts that a model reads in the context; a batch that fails is not counted."""
        started = time.perf_counter()
        yield
        self._texts.labels(model, work).inc(texts)
        self._model_seconds.labels(model, work).observe(time.perf_counter() - started)

    def job_step(self, job: str, items: int | None, seconds: float) -> None:
        """Counts a step of a job and its items: None if the step failed. A step without items is not counted."""
        if items is None:
            self._steps.labels(job, "failed").inc()
        elif items:
            self._steps.labels(job, "ok").inc()
            self._items.labels(job).inc(items)
            self._step_seconds.labels(job).observe(seconds)

    def cache(self, name: str, info: "Callable[[], _CacheInfo]") -> None:
        """Exposes the hits and misses of a cache."""
        self._caches[name] = info

    def retries(self, counted: Mapping[str, int]) -> None:
        """Exposes the number of retries of each transaction; `counted` is read each time and may change."""
        self._retries = counted

    def recall(self, counts: Callable[[], RecallCounts]) -> None:
        """Exposes how many of the memories noted by `Recall` were written, and how many were lost."""

        def read() -> Iterator[Metric]:
            now = counts()
            outcomes = [(["written"], now.written), (["lost"], now.lost)]
            yield _counted("recall_noted", "Memories that reads told.", ["outcome"], outcomes)

        self.registry.register(_WhenAsked(read))

    def queues(self, backlogs: Mapping[str, Backlog], ages: Mapping[str, float]) -> None:
        """Sets the backlog of each job, and for how many seconds its oldest due item has been due."""
        for job, found in backlogs.items():
            self._queued.labels(job, "waiting").set(found.waiting)
            self._queued.labels(job, "trying_again").set(found.trying_again)
            self._queued.labels(job, "failed").set(found.failed)
            self._age.labels(job).set(ages[job])

    def language_model(self, uses: Sequence[ModelUse]) -> None:
        """Sets the counts of LLM calls and their outcomes, over all processes."""
        self._model_uses = uses

    def database(self, answers: bool, connections: Mapping[str, int]) -> None:
        """Sets whether Neo4j answers, and the number of connections that are in use and idle."""
        self._up.set(answers)
        for state, count in connections.items():
            self._pool.labels(state).set(count)
        if not answers:  # the last counts are out of date
            self._queued.clear()
            self._age.clear()

    def text(self) -> bytes:
        """All metrics in Prometheus' text format."""
        return generate_latest(self.registry)

    def _read_caches(self) -> Iterator[Metric]:
        infos = [(name, info()) for name, info in self._caches.items()]
        lookups = [pair for name, each in infos for pair in (([name, "yes"], each.hits), ([name, "no"], each.misses))]
        yield _counted("cache_lookups", "Lookups in caches.", ["cache", "found"], lookups)

    def _read_model_uses(self) -> Iterator[Metric]:
        uses = self._model_uses
        asked = [([use.name], use.asked) for use in uses]
        ended = [([use.name, outcome], getattr(use, outcome)) for use in uses for outcome in Outcome]
        over_budget = [([use.name], use.over_budget) for use in uses]
        yield _counted("llm_asked", "Calls of the language model that ended.", ["use"], asked)
        yield _counted("llm_outcomes", "What became of them.", ["use", "outcome"], ended)
        yield _counted(
            "llm_over_budget", "How often a day's budget did not hold what was to be asked.", ["use"], over_budget
        )

    def _read_retries(self) -> Iterator[Metric]:
        says = "Transactions tried again, mostly after a deadlock."
        retries = [([name], times) for name, times in sorted(self._retries.items())]
        yield _counted("statement_retries", says, ["statement"], retries)

    def _known(self, name: str) -> str:
        if name not in self._names and len(self._names) < MOST_NAMES:
            self._names.add(name)
        return name if name in self._names else OTHER

    def _counter(self, name: str, says: str, *labels: str) -> Counter:
        return Counter(f"hippograph_{name}", says, labels, registry=self.registry)

    def _gauge(self, name: str, says: str, *labels: str) -> Gauge:
        return Gauge(f"hippograph_{name}", says, labels, registry=self.registry)

    def _histogram(self, name: str, says: str, buckets: tuple[float, ...], *labels: str) -> Histogram:
        return Histogram(f"hippograph_{name}_seconds", says, labels, buckets=buckets, registry=self.registry)


class _WhenAsked(Collector):
    """A collector that calls `read` whenever the metrics are requested."""

    def __init__(self, read: Callable[[], Iterator[Metric]]) -> None:
        self._read = read

    def collect(self) -> Iterator[Metric]:
        return self._read()


def _counted(
    name: str, says: str, labels: Sequence[str], counts: Iterable[tuple[Sequence[str], int]]
) -> CounterMetricFamily:
    """A counter metric with values counted elsewhere; `counts` are pairs of label values and a count."""
    found = CounterMetricFamily(f"hippograph_{name}", says, labels=labels)
    for values, count in counts:
        found.add_metric(values, count)
    return found
