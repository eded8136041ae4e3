"""The composition root: from settings to the running parts, opened in order and closed in the opposite one."""

import asyncio
import atexit
import gc
from collections.abc import AsyncIterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Final

import cypher
from api.rate_limit import RateLimit
from api.settings import Settings
from api.signed_tokens import SignedTokens
from api.viewer import Authenticator, Credentials, LocalUser
from graph.access.credentials import ApiKeys
from graph.access.labels import AccessLabels
from graph.clock import Clock, system_clock
from graph.database import Database
from graph.jobs.doctor import Doctor
from graph.jobs.runner import Periodic, Runner
from graph.knowledge.consolidation import Consolidation
from graph.knowledge.enrichment import Enrichment
from graph.knowledge.entity_merging import Merging
from graph.local.artifacts import Progress
from graph.local.models import MODELS, fetch_embedder
from graph.local.server import Connection, LocalConfig, LocalServer
from graph.model import INTERNAL, Person, Viewer
from graph.people.people import People
from graph.people.sessions import Sessions
from graph.people.user_state import States
from graph.retrieval.browsing import Browsing
from graph.retrieval.cards import Cards
from graph.retrieval.explanation import Explaining
from graph.retrieval.memories import Memories
from graph.retrieval.profiles import make_search
from graph.retrieval.search import Search
from graph.retrieval.stats import Stats
from graph.schema import VectorSlot, answering_slot, declare_indexes, migrate
from graph.writing.fact_writer import FactWriter
from graph.writing.facts import Facts
from graph.writing.importing import Importer
from graph.writing.recording import Recorder
from nlp.embedding.embedder import Embedder, load_embedder
from nlp.extraction.extractor import LocalExtractor
from nlp.extraction.protocol import Extractor
from nlp.language import load_language
from nlp.llm.endpoint import Endpoint
from nlp.llm.extractor import LlmExtractor
from nlp.llm.fallback import FallbackExtractor
from nlp.names.matching.matcher import load_lists
from nlp.names.recognition import NameFinder
from nlp.privacy.secrets import redact
from nlp.questions.intent import IntentClassifier, load_classifier

NO_MODEL: Final = "none"
_SWEEP: Final = timedelta(minutes=1)
"""How often idle sessions are looked for."""


@dataclass(frozen=True, slots=True)
class Service:
    """Everything that answers requests, ready to use."""

    settings: Settings
    clock: Clock
    connection: Connection
    database: Database
    people: People
    recorder: Recorder
    sessions: Sessions
    memories: Memories
    browsing: Browsing
    states: States
    stats: Stats
    labels: AccessLabels
    facts: Facts
    explaining: Explaining
    cards: Cards
    merging: Merging
    search: Search
    consolidation: Consolidation
    enrichment: Enrichment
    runner: Runner
    importer: Importer
    doctor: Doctor
    local_user: Person
    api_keys: ApiKeys
    authenticator: Authenticator
    rate_limit: RateLimit | None
    embedder: Embedder | None

    def viewer(self, chat_id: str | None = None, persona_id: str | None = None) -> Viewer:
        """The local user, in a chat and for a persona: on whose behalf commands and benchmarks run."""
        return LocalUser(self.local_user).viewer.at(chat_id, persona_id)


def local_server(settings: Settings, progress: Progress | None = None) -> LocalServer:
    """The Neo4j that hippograph runs by itself, as the settings want it."""
    return LocalServer(
        LocalConfig(
            data_dir=settings.data_dir,
            cache_dir=settings.cache_dir,
            bolt_port=settings.neo4j_bolt_port,
            http_port=settings.neo4j_http_port,
            heap_mb=settings.neo4j_heap_mb,
            pagecache_mb=settings.neo4j_pagecache_mb,
            java=settings.neo4j_java,
            start_timeout_s=settings.neo4j_start_timeout_s,
        ),
        progress,
    )


@asynccontextmanager
async def open_connection(settings: Settings, progress: Progress | None = None) -> AsyncIterator[Connection]:
    """The Neo4j that the settings name; without one our own, started or shared, and released at the end."""
    if settings.neo4j_uri:
        assert settings.neo4j_password is not None
        password = settings.neo4j_password.get_secret_value()
        yield Connection(settings.neo4j_uri, settings.neo4j_user, password, http_url="", pid=0)
        return
    server = local_server(settings, progress)
    try:
        yield await asyncio.to_thread(server.start)
    finally:
        await asyncio.to_thread(server.release)


@asynccontextmanager
async def open_database(settings: Settings, connection: Connection) -> AsyncIterator[Database]:
    """A connection to Neo4j, closed at the end."""
    name = settings.neo4j_database
    constants = {"legacy_disclosable": settings.legacy_disclosable}
    database = Database.connect(connection.uri, connection.user, connection.password, cypher.load(), name, constants)
    try:
        yield database
    finally:
        await database.close()


@asynccontextmanager
async def open_llm(settings: Settings | None, clock: Clock) -> AsyncIterator[LlmExtractor | None]:
    """The LLM that the settings name; none without. Its connections are closed at the end."""
    if settings is None or settings.llm_model is None:
        yield None
        return
    extractor = LlmExtractor(await asyncio.to_thread(_endpoint, settings, clock))
    try:
        yield extractor
    finally:
        await extractor.close()


def _endpoint(settings: Settings, clock: Clock) -> Endpoint:
    assert settings.llm_base_url is not None
    assert settings.llm_model is not None
    return Endpoint(
        settings.llm_base_url,
        settings.llm_model,
        api_key=settings.llm_api_key.get_secret_value() if settings.llm_api_key else None,
        timeout_s=settings.llm_timeout_s,
        calls_per_hour=settings.llm_hourly_budget,
        clock=clock,
    )


@asynccontextmanager
async def open_service(
    settings: Settings, *, clock: Clock = system_clock, names: bool = False, progress: Progress | None = None
) -> AsyncIterator[Service]:
    """Starts what is needed, brings the schema up to date and gives the parts; everything is closed at the end.

    `names` loads the name finder too, which only the jobs need.
    """
    # While one batch is embedded, others are searched for names and for facts.
    with ThreadPoolExecutor(max_workers=3, thread_name_prefix="models") as executor:
        loading = asyncio.get_running_loop().run_in_executor(
            executor, _load_models, settings, names, executor, progress
        )
        try:
            async with (
                open_connection(settings, progress) as connection,
                open_database(settings, connection) as database,
                open_llm(settings if names else None, clock) as llm,
            ):
                await migrate(database, clock)
                embedder, name_finder, local = await loading
                extractor = FallbackExtractor(llm, local) if llm and local else local
                slot = await _slot(database, clock, embedder)
                await declare_indexes(database, slot, settings.fulltext_analyzer)
                yield await _compose(
                    settings, clock, connection, database, executor, embedder, slot, name_finder, extractor
                )
        finally:
            # Whoever left early must not leave the models loading behind them.
            await asyncio.wait([loading])


def spare_collector() -> None:
    """Spares Python's garbage collector all there is by now, for a process that keeps its models: to walk through their
    hundreds of thousands of objects again and again takes a quarter of the time of all reading.
    """
    gc.collect()
    gc.freeze()
    atexit.register(gc.unfreeze)  # or some of torch's libraries complain of leaks at the end


def _load_models(
    settings: Settings, names: bool, executor: Executor, progress: Progress | None
) -> tuple[Embedder | None, NameFinder | None, LocalExtractor | None]:
    name_finder = extractor = None
    redact("x" * 20)  # loads its rules, for which no message is to wait
    embedder = embedder_of(settings, progress)
    if names and settings.ner_model != NO_MODEL:
        language = load_language(settings.ner_model)
        name_finder = NameFinder(language)
        load_lists()
        # What was learned of talk is English; of other languages there are names and turns.
        reads = language.name == "en" and "parser" in language.pipes
        extractor = LocalExtractor(language, executor) if settings.extraction_enabled and reads else None
    return embedder, name_finder, extractor


def embedder_of(settings: Settings, progress: Progress | None = None) -> Embedder | None:
    """The embedding model of the settings, fetched the first time; none without one."""
    if settings.embedding_model == NO_MODEL:
        return None
    fetched = settings.embedding_model in MODELS
    return load_embedder(
        settings.embedding_model,
        folder=fetch_embedder(settings.embedding_model, settings.cache_dir, progress) if fetched else None,
        dimensions=settings.embedding_dimensions,
        query_prompt=settings.embedding_query_prompt,
        document_prompt=settings.embedding_document_prompt,
        threads=settings.embedding_threads,
    )


def classifier_of(settings: Settings, embedder: Embedder | None) -> IntentClassifier:
    """What tells the intent of questions, for the embedding model of the settings."""
    return load_classifier(embedder, settings.cache_dir / "intents")


async def _slot(database: Database, clock: Clock, embedder: Embedder | None) -> VectorSlot | None:
    if embedder is None:
        return None
    return await answering_slot(database, clock, embedder.model, embedder.dimensions)


async def _compose(
    settings: Settings,
    clock: Clock,
    connection: Connection,
    database: Database,
    executor: ThreadPoolExecutor,
    embedder: Embedder | None,
    slot: VectorSlot | None,
    name_finder: NameFinder | None,
    extractor: Extractor | None,
) -> Service:
    people = People(database, clock, refuse_identifiers=settings.redact_identifiers)
    local_user = await people.create_person(
        INTERNAL, settings.local_user_name or settings.local_user, user_id=settings.local_user
    )
    api_keys = ApiKeys(database, clock)
    recorder = Recorder(
        database,
        clock,
        session_idle=settings.session_idle,
        max_characters=settings.max_message_characters,
        clock_skew=settings.clock_skew,
        redact_identifiers=settings.redact_identifiers,
    )
    fact_writer = FactWriter(
        clock,
        lifetimes={kind: timedelta(days=days) for kind, days in settings.ttl_days.items()},
        decay_rate=settings.decay_rate_default,
    )
    enrichment = Enrichment(
        database,
        clock,
        embedder=embedder,
        slot=slot,
        name_finder=name_finder,
        executor=executor,
        batch_size=settings.worker_batch_size,
    )
    consolidation = Consolidation(
        database,
        clock,
        fact_writer,
        extractor=extractor,
        executor=executor,
        threshold=settings.extraction_confidence_threshold,
        private_sensitivity=settings.private_extraction_sensitivity,
    )
    sessions = Sessions(database, clock, idle=settings.session_idle)
    queues = [enrichment.queue, consolidation.queue]
    return Service(
        settings=settings,
        clock=clock,
        connection=connection,
        database=database,
        people=people,
        recorder=recorder,
        sessions=sessions,
        memories=Memories(database, clock),
        browsing=Browsing(database, clock),
        states=States(database, clock, refuse_identifiers=settings.redact_identifiers),
        stats=Stats(database, clock),
        labels=AccessLabels(database, clock),
        explaining=Explaining(database, clock),
        facts=Facts(
            database,
            clock,
            fact_writer,
            reinforce_weight=settings.reinforce_weight,
            demote_weight=settings.demote_weight,
            max_characters=settings.max_message_characters,
            refuse_identifiers=settings.redact_identifiers,
        ),
        cards=Cards(database, clock),
        merging=Merging(database, clock),
        search=make_search(
            database,
            clock,
            embedder=embedder,
            slot=slot,
            executor=executor,
            fusion=settings.fusion,
            rrf_k=settings.rrf_k,
            rrf_weights=settings.rrf_weights,
            adaptive=settings.adaptive_complexity,
            classifier=partial(classifier_of, settings, embedder),
        ),
        consolidation=consolidation,
        enrichment=enrichment,
        runner=Runner([enrichment, consolidation], _periodic(settings, sessions, consolidation)),
        importer=Importer(people, recorder),
        doctor=Doctor(database, clock, queues, slot=slot, analyzer=settings.fulltext_analyzer),
        local_user=local_user,
        api_keys=api_keys,
        authenticator=_authenticator(settings, people, api_keys, local_user),
        rate_limit=RateLimit(settings.rate_limit) if settings.rate_limit else None,
        embedder=embedder,
    )


def _authenticator(settings: Settings, people: People, api_keys: ApiKeys, local_user: Person) -> Authenticator:
    if settings.auth == "local":
        return LocalUser(local_user)
    tokens = None
    if settings.jwt_keys:
        tokens = SignedTokens(
            settings.jwt_keys,
            algorithms=list(settings.jwt_algorithms),
            audience=settings.jwt_audience or "",
            issuer=settings.jwt_issuer,
        )
    return Credentials(people, api_keys, tokens)


def _periodic(settings: Settings, sessions: Sessions, consolidation: Consolidation) -> list[Periodic]:
    """What each worker does every minute."""
    jobs = [Periodic("close idle sessions", sessions.close_idle, _SWEEP)]
    if settings.extraction_enabled:
        jobs.append(Periodic("queue sessions that were left out", consolidation.queue_left, _SWEEP))
    return jobs
