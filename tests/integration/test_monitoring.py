"""Metrics and traces: what is counted, who may read it, and the ids that join the log with traces."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from unittest.mock import patch

import httpx
import pytest
import structlog
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from prometheus_client.parser import text_string_to_metric_families

from hippograph.api.observability.metrics import MOST_NAMES, Metrics
from hippograph.api.observability.observation import Observation
from hippograph.api.observability.tracing import OpenTelemetry, Tracing, tracing_of
from hippograph.api.service import Service
from hippograph.api.settings.settings import Settings
from hippograph.api.viewer import Credentials
from hippograph.api.web.http import create_app
from hippograph.api.web.rate_limit import RateLimit
from hippograph.graph.errors import DatabaseUnavailable
from hippograph.graph.jobs.runner import Runner
from hippograph.graph.rights import ALL_RIGHTS

WHO = "query Who { viewer { person { key } } }"


@pytest.fixture
def observed(service: Service) -> Iterator[Service]:
    """The service with metrics of its own, which start at 0."""
    observation = Observation()
    with patch.object(service.database, "_watch", observation.statement):
        yield replace(service, observation=observation)


def _client(service: Service, client: tuple[str, int] = ("127.0.0.1", 1)) -> httpx.AsyncClient:
    transport = httpx.ASGITransport(create_app(service), client=client)
    return httpx.AsyncClient(transport=transport, base_url="http://localhost")


def _values(text: str) -> dict[str, float]:
    return {
        f"{sample.name}{sorted(sample.labels.values())}": sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


async def test_what_is_asked_is_counted(scene: Any, observed: Service) -> None:
    """The metrics have requests, operations by name and code, statements by file, queues, and the connection pool."""
    await scene.say("There is something to do.")
    async with _client(observed) as client:
        await client.post("/graphql", json={"query": WHO})
        await client.post("/graphql", json={"query": "{ nothing }"})
        await client.get("/nowhere/at/all")
        found = _values((await client.get("/metrics")).text)
    assert 1 == found["hippograph_operations_total['OK', 'Who', 'query']"]
    assert 1 == found["hippograph_operations_total['', 'GRAPHQL_VALIDATION_FAILED', 'query']"]
    assert 1 == found["hippograph_operation_seconds_count['Who', 'query']"]
    assert 2 == found["hippograph_http_requests_total['/graphql', '200', 'POST']"]
    assert 1 == found["hippograph_http_requests_total['404', 'GET', 'other']"]
    assert found["hippograph_statements_total['browse/entities_by', 'ok']"] >= 1
    assert found["hippograph_queue_items['enrich', 'waiting']"] >= 1
    assert found["hippograph_queue_age_seconds['enrich']"] >= 0
    assert 1 == found["hippograph_database_up[]"]
    assert found["hippograph_database_connections['idle']"] >= 1
    assert found["process_resident_memory_bytes[]"] > 0


async def test_transactions_that_are_tried_again_are_counted(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    """The metrics expose the retries that the database connection counts, by the name of the statement."""
    monkeypatch.setitem(service.database.retries, "monitoring", 2)
    async with _client(service) as client:
        found = _values((await client.get("/metrics")).text)
    assert 2 == found["hippograph_statement_retries_total['monitoring']"]


async def test_jobs_and_models_are_counted(scene: Any, service: Service) -> None:
    """A job reports its steps and items. The metrics have the texts and batches of models, and the hits of the query
    cache.
    """
    await service.search.search(scene.viewer(), "Is anybody here?")  # loads what only the first search loads
    service.embedder._query.cache_clear()
    await scene.say("Maya lives in Oslo.")
    steps: list[tuple[str, int | None]] = []
    runner = Runner([service.enrichment], stepped=lambda job, items, _: steps.append((job, items)))
    model = service.settings.embedding_model
    async with _client(service) as client:
        before = _values((await client.get("/metrics")).text)
        await runner.work_until_idle()
        assert ("enrich", 1) in steps
        await service.search.search(scene.viewer(), "Where does Maya live?")
        await service.search.search(scene.viewer(), "Where does Maya live?")
        found = _values((await client.get("/metrics")).text)
    for name in (
        f"hippograph_model_texts_total{sorted([model, 'documents'])}",
        f"hippograph_model_seconds_count{sorted([model, 'query'])}",
        "hippograph_cache_lookups_total['queries', 'yes']",
    ):
        assert 1 == found[name] - before.get(name, 0), name


async def test_metrics_without_the_database(observed: Service) -> None:
    """While Neo4j does not answer, `database_up` is 0, and the metrics of the queues, now stale, are left out."""
    async with _client(observed) as client:
        await client.get("/metrics")
        with patch.object(observed.progress, "backlogs", side_effect=DatabaseUnavailable("away")):
            found = _values((await client.get("/metrics")).text)
    assert 0 == found["hippograph_database_up[]"]
    assert not [name for name in found if name.startswith("hippograph_queue")]


async def test_metrics_are_for_administrators(observed: Service) -> None:
    """Only an administrator's credential may read the metrics: without one the status is 401 even from this machine,
    with a user's 403.
    """
    guarded = replace(observed, authenticator=Credentials(observed.people, observed.api_keys, None))
    keys = {}
    for account, asked in (("ada", {}), ("bot", {"rights": ALL_RIGHTS})):
        await guarded.people.with_account(account, account)
        keys[account] = (await guarded.api_keys.create(account, "a test", **asked))[1]
    async with _client(guarded) as client:
        answers = [await client.get("/metrics")]
        for key in keys.values():
            answers.append(await client.get("/metrics", headers={"authorization": f"Bearer {key}"}))  # noqa: PERF401
    assert [401, 403, 200] == [answer.status_code for answer in answers]


@pytest.mark.parametrize(
    ("setting", "address", "headers", "status"),
    [
        ("loopback", "127.0.0.1", {}, 200),
        ("loopback", "::1", {}, 200),
        ("loopback", "10.0.0.7", {}, 401),
        ("loopback", "127.0.0.1", {"x-forwarded-for": "10.0.0.7"}, 401),
        ("credential", "127.0.0.1", {}, 401),
        ("off", "127.0.0.1", {}, 404),
    ],
)
async def test_metrics_may_be_open_to_this_machine(
    observed: Service, setting: str, address: str, headers: dict[str, str], status: int
) -> None:
    """With `loopback`, requests from this machine need no credential, unless they come through a proxy. With
    `credential` they need one, and with `off` the status is 404.
    """
    settings = observed.settings.model_copy(update={"metrics": setting})
    authenticator = Credentials(observed.people, observed.api_keys, None)
    guarded = replace(observed, settings=settings, authenticator=authenticator)
    async with _client(guarded, (address, 1)) as client:
        assert status == (await client.get("/metrics", headers=headers)).status_code


async def test_refusals_by_rate_are_counted(observed: Service) -> None:
    """Requests above a credential's rate limit are counted."""
    limited = replace(observed, rate_limit=RateLimit("1/minute"))
    async with _client(limited) as client:
        for _ in range(3):
            await client.post("/graphql", json={"query": WHO})
        found = _values((await client.get("/metrics")).text)
    assert 2 == found["hippograph_rate_limited_total[]"]


def test_names_of_clients_are_bounded() -> None:
    """At most `MOST_NAMES` operation names, which clients choose, get their own label; further ones are `other`."""
    metrics = Metrics()
    for number in range(MOST_NAMES + 50):
        metrics.operation("query", f"Q{number}", "OK", 0.01)
    found = _values(metrics.text().decode())
    assert 50 == found["hippograph_operations_total['OK', 'other', 'query']"]
    assert MOST_NAMES + 1 == len([name for name in found if name.startswith("hippograph_operations_total")])


# --- traces ---


@pytest.fixture
def spans(service: Service) -> Iterator[tuple[Service, InMemorySpanExporter]]:
    """The service with tracing, and the exporter that keeps its spans in memory."""
    kept, provider = InMemorySpanExporter(), TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(kept))
    observation = Observation(OpenTelemetry(provider, provider.shutdown))
    with patch.object(service.database, "_watch", observation.statement):
        yield replace(service, observation=observation), kept


def _named(kept: InMemorySpanExporter, name: str) -> ReadableSpan:
    [span] = [span for span in kept.get_finished_spans() if span.name == name]
    return span


async def test_an_operation_is_a_span_over_its_statements(spans: tuple[Service, InMemorySpanExporter]) -> None:
    """An operation is a span, a child of the caller's; its statement is a child span with the name of its file."""
    service, kept = spans
    parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    async with _client(service) as client:
        await client.post("/graphql", json={"query": WHO}, headers={"traceparent": parent})
    operation, statement = _named(kept, "query Who"), _named(kept, "browse/entities_by")
    assert operation.parent is not None
    assert 0xB7AD6B7169203331 == operation.parent.span_id
    assert statement.parent is not None
    assert operation.context.span_id == statement.parent.span_id
    assert {0x0AF7651916CD43DD8448EB211C80319C} == {span.context.trace_id for span in (operation, statement)}
    assert 2 == len(kept.get_finished_spans())


async def test_the_log_joins_with_traces(spans: tuple[Service, InMemorySpanExporter]) -> None:
    """The log line of a request has the request id and the trace and span ids of its operation."""
    service, kept = spans
    with structlog.testing.capture_logs(processors=[structlog.contextvars.merge_contextvars]) as lines:
        async with _client(service) as client:
            await client.post("/graphql", json={"query": WHO}, headers={"x-request-id": "r-9"})
    [line] = [line for line in lines if line["event"] == "request"]
    ids = _named(kept, "query Who").context
    assert ("r-9", f"{ids.trace_id:032x}", f"{ids.span_id:016x}") == tuple(
        line[name] for name in ("request_id", "trace_id", "span_id")
    )


async def test_spans_hold_nothing_of_what_is_said(scene: Any, spans: tuple[Service, InMemorySpanExporter]) -> None:
    """Spans hold neither the query nor the results of a search, nor the text of an error."""
    service, kept = spans
    turn = await scene.say("The treasure lies under the oak.")
    query = 'query S { search(query: "treasure under oak") { nodes { content } } }'
    async with _client(service) as client:
        await client.post("/graphql", json={"query": query})
        with patch.object(type(service.database), "_in_session", side_effect=RuntimeError("the oak")):
            await client.post("/graphql", json={"query": query})
    text = "".join(span.to_json() for span in kept.get_finished_spans())
    assert '"ERROR"' in text
    assert turn.memory_id not in text
    assert not [word for word in ("oak", "treasure") if word in text]


def test_no_trace_without_a_collector(settings: Settings) -> None:
    """Without the setting `otlp_endpoint` no spans are created; with it OpenTelemetry is used."""
    assert type(tracing_of(settings)) is Tracing
    tracing = tracing_of(settings.model_copy(update={"otlp_endpoint": "http://127.0.0.1:9/v1/traces"}))
    assert isinstance(tracing, OpenTelemetry)
    tracing.close()
