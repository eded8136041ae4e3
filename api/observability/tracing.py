"""Traces: a span for each operation, with a child span for each of its statements, named by the file (A5).

OpenTelemetry's SDK is imported only if the setting `otlp_endpoint` names a collector, to which the spans are sent. They
hold names and durations, and nothing of what people say.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, Final

import structlog

from hippograph.api.settings.settings import Settings
from hippograph.graph.errors import InvalidInput

TOOL: Final = "tool"
"""The kind of operation for calls of MCP tools; the other kinds are the operation types of GraphQL."""


class Tracing:
    """Creates spans. This base class creates none; it is used without a collector."""

    def operation(self, kind: str, name: str | None, headers: Mapping[str, str]) -> AbstractContextManager[None]:  # noqa: ARG002
        """A span for an operation; a child of the caller's span if the headers name one (W3C Trace Context)."""
        return nullcontext()

    def statement(self, name: str) -> AbstractContextManager[None]:  # noqa: ARG002
        """A span for a statement, if a span is current."""
        return nullcontext()

    def close(self) -> None:
        """Sends the remaining spans; takes a few seconds at most."""


class OpenTelemetry(Tracing):
    """Creates spans with a tracer provider of OpenTelemetry; `close` shuts it down."""

    def __init__(self, provider: Any, close: Callable[[], None]) -> None:
        from opentelemetry import trace
        from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

        self._trace = trace
        self._tracer = provider.get_tracer("hippograph")
        self._propagator = TraceContextTextMapPropagator()
        self._close = close

    @contextmanager
    def operation(self, kind: str, name: str | None, headers: Mapping[str, str]) -> Iterator[None]:
        """A span for an operation. Log lines written from then on in this context have its trace and span ids."""
        around = self._propagator.extract(dict(headers))
        attributes = {"gen_ai.tool.name": name} if kind == TOOL else _of_graphql(kind, name)
        title = f"{kind} {name}" if name else kind
        with self._tracer.start_as_current_span(
            title, around, kind=self._trace.SpanKind.SERVER, attributes=attributes, record_exception=False
        ) as span:
            ids = span.get_span_context()
            structlog.contextvars.bind_contextvars(trace_id=f"{ids.trace_id:032x}", span_id=f"{ids.span_id:016x}")
            yield

    @contextmanager
    def statement(self, name: str) -> Iterator[None]:
        """A span for a statement, if a span is current. The text of an error is left out, since it may quote values."""
        if not self._trace.get_current_span().get_span_context().is_valid:
            yield
            return
        attributes = {"db.system.name": "neo4j", "db.operation.name": name}
        with self._tracer.start_as_current_span(
            name,
            kind=self._trace.SpanKind.CLIENT,
            attributes=attributes,
            record_exception=False,
            set_status_on_exception=False,
        ) as span:
            try:
                yield
            except Exception as error:
                span.set_status(self._trace.StatusCode.ERROR, type(error).__name__)
                raise

    def close(self) -> None:
        """Sends the remaining spans; takes a few seconds at most."""
        self._close()


def _of_graphql(kind: str, name: str | None) -> dict[str, str | None]:
    return {"graphql.operation.type": kind, "graphql.operation.name": name or ""}


def tracing_of(settings: Settings) -> Tracing:
    """Tracing to the collector in the settings; no spans without one. Raises `InvalidInput` if OpenTelemetry is not
    installed.
    """
    if settings.otlp_endpoint is None:
        return Tracing()
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError as error:
        raise InvalidInput(
            "HIPPOGRAPH_OTLP_ENDPOINT is set, and OpenTelemetry is not installed: pip install 'hippograph[traces]'"
        ) from error
    provider = TracerProvider(resource=Resource({"service.name": "hippograph"}), shutdown_on_exit=False)
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(settings.otlp_endpoint, timeout=5)))
    return OpenTelemetry(provider, provider.shutdown)
