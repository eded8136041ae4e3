"""Metrics and traces of the running service, attached to the hooks that the domain offers."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from hippograph.api.observability.metrics import Metrics
from hippograph.api.observability.tracing import Tracing
from hippograph.nlp.embedding.embedder import Encoded, Encoder


class Observation:
    """The metrics and the traces of one process."""

    def __init__(self, tracing: Tracing | None = None) -> None:
        self.metrics: Final = Metrics()
        self.tracing: Final = tracing or Tracing()

    @contextmanager
    def statement(self, name: str) -> Iterator[None]:
        """Counts, times and traces the statement run in the context."""
        with self.metrics.statement(name), self.tracing.statement(name):
            yield


class ObservedEncoder:
    """An embedding model whose batches are counted and timed."""

    def __init__(self, encoder: Encoder, name: str, metrics: Metrics) -> None:
        self._encoder = encoder
        self._name = name
        self._metrics = metrics
        self.dimensions: Final = encoder.dimensions
        self.has_tokens: Final = encoder.has_tokens
        self.max_tokens: Final = encoder.max_tokens

    def encode_documents(self, texts: Sequence[str]) -> Sequence[Encoded]:
        """Encodes documents, in their order."""
        with self._metrics.model(self._name, "documents", len(texts)):
            return self._encoder.encode_documents(texts)

    def encode_query(self, text: str) -> Encoded:
        """Encodes a query."""
        with self._metrics.model(self._name, "query", 1):
            return self._encoder.encode_query(text)

    def count_tokens(self, text: str) -> int:
        """Number of tokens of a text."""
        return self._encoder.count_tokens(text)
