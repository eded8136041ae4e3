"""The composition root: from settings to the running parts, opened in order and closed in the opposite one."""

import asyncio
import atexit
import gc
from collections.abc import AsyncIterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Final

import cypher
from api.local_server import local_server
from api.models import classifier_of, embedder_of
from api.rate_limit import RateLimit
from api.settings import Settings
from api.signed_tokens import SignedTokens
from api.viewer import Authenticator, Credentials, LocalUser
from graph.access.credentials import ApiKeys
from graph.access.labels import AccessLabels
from graph.clock import Clock, system_clock
from graph.context.assembly import ContextAssembly
from graph.context.cards import Cards
from graph.context.timeline import Timelines
from graph.database import Database
from graph.jobs.doctor import Doctor
from graph.jobs.runner import Periodic, Runner
from graph.knowledge.causal_inference import CausalInference, CausalJudge
from graph.knowledge.consolidation import Consolidation
from graph.knowledge.enrichment import Enrichment
from graph.knowledge.entity_merging import Merging
from graph.knowledge.entity_summaries import EntitySummaries
from graph.local.artifacts import Progress
from graph.local.server import Connection
from graph.model import INTERNAL, Person, Viewer
from graph.people.people import People
from graph.people.sessions import Sessions
from graph.people.user_state import States
from graph.retrieval.archive import Archive
from graph.retrieval.browsing import Browsing
from graph.retrieval.explanation import Explaining
from graph.retrieval.memories import Memories
from graph.retrieval.profiles import make_search
from graph.retrieval.search import Search
from graph.retrieval.stats import Stats
from graph.retrieval.weak_facts import WeakFacts
from graph.schema import VectorSlot, answering_slot, declare_indexes, migrate
from graph.writing.fact_writer import FactWriter
from graph.writing.facts import Facts
from graph.writing.importing import Importer
from graph.writing.recording import Recorder
from nlp.embedding.embedder import Embedder
from nlp.embedding.token_count import reckoned_tokens
from nlp.extraction.protocol import Extractor
from nlp.llm.fallback import FallbackExtractor
from nlp.names.recognition import NameFinder
from nlp.privacy.secrets import redact

_SWEEP: Final = timedelta(minutes=1)
"""How often idle sessions are looked for."""

_STALE: Final = timedelta(minutes=10)
"""How often summaries are looked through."""


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
    weak_facts: WeakFacts
    archive: Archive
    cards: Cards
    timelines: Timelines
    contexts: ContextAssembly
    merging: Merging
    search: Search
    consolidation: Consolidation
    causal_inference: CausalInference
    enrichment: Enrichment
    summaries: EntitySummaries
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


@asynccontextmanager
async def open_connection(
    settings: Settings, progress: Progress | None = None, *, linger: bool = False
) -> AsyncIterator[Connection]:
    """The Neo4j that the settings name; without one our own, started or shared, and released at the end.

    With `linger` one that was started for this stays for a while, so that the next need not start it again.
    """
    if settings.neo4j_uri:
        assert settings.neo4j_password is not None
        password = settings.neo4j_password.get_secret_value()
        yield Connection(settings.neo4j_uri, settings.neo4j_user, password, http_url="", pid=0)
        return
    server = local_server(settings, progress, linger=linger)
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
async def open_service(
    settings: Settings,
    *,
    clock: Clock = system_clock,
    vectors: bool = True,
    names: bool = False,
    linger: bool = False,
    progress: Progress | None = None,
) -> AsyncIterator[Service]:
    """Starts what is needed, brings the schema up to date and gives the parts; everything is closed at the end.

    `vectors` loads the embedding model, without which searches go by words alone; `names` what finds names and facts,
    which only the jobs need. `linger` is that of `open_connection`.
    """
    async with AsyncExitStack() as stack:
        # While one batch is embedded, others are searched for names and for facts.
        executor = stack.enter_context(ThreadPoolExecutor(max_workers=3, thread_name_prefix="models"))
        loading = asyncio.get_running_loop().run_in_executor(
            executor, _load_models, settings, vectors, names, executor, progress
        )
        # Whoever leaves early must not leave the models loading behind them.
        stack.push_async_callback(asyncio.wait, [loading])
        connection = await stack.enter_async_context(open_connection(settings, progress, linger=linger))
        database = await stack.enter_async_context(open_database(settings, connection))
        _report(progress, "preparing the graph")
        await migrate(database, clock)
        _report(progress, "loading models")
        embedder, name_finder, extractor = await loading
        judge = None
        if names:
            extractor, judge = await stack.enter_async_context(_with_llm(settings, clock, extractor))
        slot = await _slot(database, clock, embedder)
        await declare_indexes(database, slot, settings.fulltext_analyzer)
        yield await _compose(
            settings, clock, connection, database, executor, embedder, slot, name_finder, extractor, judge
        )


def _report(progress: Progress | None, what: str) -> None:
    if progress:
        progress(0, 0, what)


def _load_models(
    settings: Settings, vectors: bool, names: bool, executor: Executor, progress: Progress | None
) -> tuple[Embedder | None, NameFinder | None, Extractor | None]:
    embedder = None
    if vectors:
        redact("x" * 20)  # loads its rules, for which no message is to wait
        embedder = embedder_of(settings, progress)
    if not names:
        return embedder, None, None
    from api.job_models import load_readers

    return embedder, *load_readers(settings, executor)


@asynccontextmanager
async def _with_llm(
    settings: Settings, clock: Clock, local: Extractor | None
) -> AsyncIterator[tuple[Extractor | None, CausalJudge | None]]:
    """The local extractor, behind the LLM if there is one; and that as the judge of causes."""
    from api.job_models import open_llm

    async with open_llm(settings, clock) as llm:
        yield (FallbackExtractor(llm, local) if llm and local else local), llm


def spare_collector() -> None:
    """Spares Python's garbage collector all there is by now, for a process that keeps its models: to walk through their
    hundreds of thousands of objects again and again takes a quarter of the time of all reading.
    """
    gc.collect()
    gc.freeze()
    atexit.register(gc.unfreeze)  # or some of torch's libraries complain of leaks at the end


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
    judge: CausalJudge | None,
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
        least_mentions=settings.entity_enrichment_min_mentions,
    )
    causal_inference = CausalInference(database, clock, batch_size=settings.causal_inference_batch_size, judge=judge)
    sessions = Sessions(database, clock, idle=settings.session_idle)
    search = make_search(
        database,
        clock,
        embedder=embedder,
        slot=slot,
        executor=executor,
        fusion=settings.fusion,
        rrf_k=settings.rrf_k,
        rrf_weights=settings.rrf_weights,
        importance_weight=settings.importance_weight,
        page_rank_weight=settings.page_rank_weight,
        adaptive=settings.adaptive_complexity,
        classifier=partial(classifier_of, settings, embedder),
    )
    summaries = EntitySummaries(database, clock, least_mentions=settings.entity_enrichment_min_mentions)
    queues = [enrichment.queue, consolidation.queue, causal_inference.queue, summaries.queue]
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
        stats=Stats(database, clock, dimensions=slot.dimensions if slot else 0),
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
        weak_facts=WeakFacts(database, clock, threshold=settings.decay_threshold),
        archive=Archive(database, clock),
        cards=Cards(database, clock),
        timelines=Timelines(database, clock),
        contexts=ContextAssembly(
            database,
            clock,
            search,
            count=embedder.count_tokens if embedder else reckoned_tokens,
            executor=executor,
            fixed_budget=None if settings.adaptive_complexity else settings.context_token_budget,
        ),
        merging=Merging(database, clock),
        search=search,
        consolidation=consolidation,
        causal_inference=causal_inference,
        enrichment=enrichment,
        summaries=summaries,
        runner=Runner(
            [enrichment, consolidation, causal_inference, summaries],
            _periodic(settings, sessions, consolidation, summaries),
        ),
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


def _periodic(
    settings: Settings, sessions: Sessions, consolidation: Consolidation, summaries: EntitySummaries
) -> list[Periodic]:
    """What each worker does every so often."""
    jobs = [
        Periodic("close idle sessions", sessions.close_idle, _SWEEP),
        Periodic("queue summaries that are not so any more", summaries.queue_stale, _STALE),
    ]
    if settings.extraction_enabled:
        jobs.append(Periodic("queue sessions that were left out", consolidation.queue_left, _SWEEP))
    return jobs
