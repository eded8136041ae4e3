"""Opens the service: connection, schema and models, in this order. They are closed in reverse."""

import asyncio
import atexit
import gc
from collections.abc import AsyncIterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace

from hippograph.api.composition import Composition, Readers
from hippograph.api.connections import open_connection, open_database, require_server
from hippograph.api.models.query_models import embedder_of
from hippograph.api.observability.observation import Observation, ObservedEncoder
from hippograph.api.observability.tracing import tracing_of
from hippograph.api.service import Service
from hippograph.api.settings.settings import Settings
from hippograph.cypher import Statements
from hippograph.graph.artifacts.fetching import Progress as Report
from hippograph.graph.clock import Clock, system_clock
from hippograph.graph.jobs.model_uses import ModelUses
from hippograph.graph.schema import answering_slot, declare_indexes, migrate
from hippograph.graph.summaries.llm_summarizer import LlmSummarizer
from hippograph.graph.transfer.exports.graph_import import refuse_unfinished
from hippograph.nlp.embedding.embedder import Embedder
from hippograph.nlp.llm.extractor import FallbackExtractor, LlmExtractor
from hippograph.nlp.llm.judgement import LlmJudge
from hippograph.nlp.llm.uses import Ledger, Use
from hippograph.nlp.privacy.secrets import redact


@asynccontextmanager
async def open_service(
    settings: Settings,
    *,
    clock: Clock = system_clock,
    vectors: bool = True,
    names: bool = False,
    facts: bool = False,
    linger: bool = False,
    statements: Statements | None = None,
    progress: Report | None = None,
) -> AsyncIterator[Service]:
    """Opens the connection and the models, migrates the schema and yields the service; closes everything at the end.

    `vectors` loads the embedding model; without it, search uses full-text alone. `names` loads the readers of names and
    facts in talk, which only the jobs need. `facts` loads the reader of facts that somebody states explicitly, which
    requests need. `linger` is passed to `open_connection`, `statements` to `open_database`.
    """
    async with AsyncExitStack() as stack:
        observation = Observation(tracing_of(settings))
        stack.push_async_callback(asyncio.to_thread, observation.tracing.close)
        # Three threads: one batch is embedded while others are searched for names and for facts.
        executor = stack.enter_context(ThreadPoolExecutor(max_workers=3, thread_name_prefix="models"))
        loading = asyncio.get_running_loop().run_in_executor(
            executor, _load_models, settings, vectors, names, facts, executor, progress
        )
        # On an early exit too, the models must have finished loading before the executor is shut down.
        stack.push_async_callback(asyncio.wait, [loading])
        connection = await stack.enter_async_context(open_connection(settings, progress, linger=linger))
        database = await stack.enter_async_context(
            open_database(settings, connection, observation.statement, statements)
        )
        _report(progress, "preparing the graph")
        observation.metrics.retries(database.retries)
        await require_server(settings, database)
        await refuse_unfinished(database)
        await migrate(database, clock)
        _report(progress, "loading models")
        embedder, readers = await loading
        model_uses = ModelUses(database, clock, settings.llm_daily_calls)
        slot = None
        if embedder:
            _observe(embedder, observation)
            slot = await answering_slot(database, clock, embedder.model, embedder.dimensions)
        if names:
            readers = await stack.enter_async_context(_with_llm(settings, model_uses, readers))
        await declare_indexes(database, slot, settings.fulltext_analyzer)
        composition = Composition(
            settings, clock, connection, database, observation, executor, embedder, slot, readers, model_uses
        )
        service = await composition.service()
        stack.push_async_callback(service.recall.flush)
        yield service


def _observe(embedder: Embedder, observation: Observation) -> None:
    """Counts and times the work of the embedding model in the metrics."""
    metrics = observation.metrics
    embedder.wrap_encoder(lambda encoder: ObservedEncoder(encoder, embedder.model, metrics))
    metrics.cache("queries", embedder.cached_queries)


def _report(progress: Report | None, what: str) -> None:
    if progress:
        progress(0, 0, what)


def _load_models(
    settings: Settings, vectors: bool, names: bool, facts: bool, executor: Executor, progress: Report | None
) -> "tuple[Embedder | None, Readers]":
    embedder = None
    if vectors:
        redact("x" * 20)  # loads its rules now, so that no message waits for them
        embedder = embedder_of(settings, progress)
    if not names and not facts:
        return embedder, Readers()
    from hippograph.api.models.job_models import load_fact_reader, load_readers

    name_finder, extractor, retractions = load_readers(settings, executor) if names else (None, None, None)
    return embedder, Readers(name_finder, extractor, retractions, load_fact_reader(settings) if facts else None)


@asynccontextmanager
async def _with_llm(settings: Settings, ledger: Ledger, local: Readers) -> AsyncIterator[Readers]:
    """The local readers, with the LLM added for each use that the settings give it; the LLM is closed at the end."""
    if not settings.llm_uses:
        yield local
        return
    from hippograph.api.models.job_models import open_llm

    async with open_llm(settings, ledger) as llm:
        assert llm is not None
        used, summarizer = settings.llm_uses, LlmSummarizer(llm)
        yield replace(
            local,
            extractor=FallbackExtractor(LlmExtractor(llm), local.extractor) if Use.FACTS in used else local.extractor,
            causes=LlmJudge(llm, Use.CAUSES) if Use.CAUSES in used else None,
            conflicts=LlmJudge(llm, Use.CONFLICTS) if Use.CONFLICTS in used else None,
            summarizer=summarizer if Use.TALK_SUMMARIES in used else None,
            describer=summarizer if Use.ENTITY_SUMMARIES in used else None,
        )


def freeze_gc() -> None:
    """Exempts all present objects from garbage collection, for a process that keeps its models. Traversing their
    hundreds of thousands of objects again and again takes a quarter of the time of all reading.
    """
    gc.collect()
    gc.freeze()
    atexit.register(gc.unfreeze)  # otherwise some of torch's libraries report leaks at exit
