"""The composition root: from settings to the running parts, opened in order and closed in the opposite one."""

import asyncio
import atexit
import gc
from collections.abc import AsyncIterator, Mapping
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from typing import Final

from hippograph.api.connections import open_connection, open_database, require_server
from hippograph.api.models import classifier_of, embedder_of
from hippograph.api.observation import Observation, ObservedEncoder
from hippograph.api.rate_limit import DEFAULT_RATE, RateLimit
from hippograph.api.settings import Settings
from hippograph.api.signed_tokens import SignedTokens
from hippograph.api.subscriptions import OpenSubscriptions
from hippograph.api.tracing import tracing_of
from hippograph.api.viewer import Credentials, LocalUser
from hippograph.cypher import Statements
from hippograph.graph.access.credentials import ApiKeys
from hippograph.graph.access.labels import AccessLabels
from hippograph.graph.clock import Clock, system_clock
from hippograph.graph.context.assembly import ContextAssembly
from hippograph.graph.context.cards import Cards
from hippograph.graph.context.composing import CountTokens
from hippograph.graph.context.timeline import Timelines
from hippograph.graph.database import Database
from hippograph.graph.jobs.doctor import Doctor
from hippograph.graph.jobs.model_uses import ModelUses
from hippograph.graph.jobs.progress import Progress
from hippograph.graph.jobs.runner import Periodic, QueueJob, Runner
from hippograph.graph.knowledge.causal_inference import CausalInference, Judge
from hippograph.graph.knowledge.conflicts import Conflicts
from hippograph.graph.knowledge.consolidation import Consolidation
from hippograph.graph.knowledge.enrichment import Enrichment
from hippograph.graph.knowledge.entity_merging import Merging
from hippograph.graph.knowledge.fact_reading import FactReader, FactReading
from hippograph.graph.knowledge.merge_suggestions import MergeSuggestions
from hippograph.graph.local.artifacts import Progress as Report
from hippograph.graph.local.server import Connection
from hippograph.graph.model import INTERNAL, Person, Viewer
from hippograph.graph.people.blocks import Blocks
from hippograph.graph.people.invitations import Invitations
from hippograph.graph.people.people import People
from hippograph.graph.people.session_state import SessionStates
from hippograph.graph.people.sessions import Sessions
from hippograph.graph.people.spaces import Spaces
from hippograph.graph.people.summaries import SummaryReader
from hippograph.graph.people.todos import Todos
from hippograph.graph.people.user_state import States
from hippograph.graph.retention.recall import Recall
from hippograph.graph.retrieval.archive import Archive
from hippograph.graph.retrieval.browsing import Browsing
from hippograph.graph.retrieval.communities import Communities
from hippograph.graph.retrieval.explanation import Explaining
from hippograph.graph.retrieval.feed import Feed
from hippograph.graph.retrieval.fusion import CO_RECALLED
from hippograph.graph.retrieval.memories import Memories
from hippograph.graph.retrieval.profiles import make_search
from hippograph.graph.retrieval.search import Search
from hippograph.graph.retrieval.stats import Stats
from hippograph.graph.retrieval.uses import Uses
from hippograph.graph.retrieval.weak_facts import WeakFacts
from hippograph.graph.schema import VectorSlot, answering_slot, declare_indexes, migrate
from hippograph.graph.summaries.communities import CommunityFinder
from hippograph.graph.summaries.entity_summaries import Describer, EntitySummaries
from hippograph.graph.summaries.llm_summarizer import LlmSummarizer
from hippograph.graph.summaries.talk_summaries import Summarizer, TalkSummaries
from hippograph.graph.transfer.documents import DocumentImporter
from hippograph.graph.transfer.erasure import Erasures
from hippograph.graph.transfer.exports.graph_import import refuse_unfinished
from hippograph.graph.transfer.forgetting import Forgettings
from hippograph.graph.transfer.person_export import PersonExport
from hippograph.graph.transfer.statements import StatementImporter
from hippograph.graph.upkeep.jobs import bounds, make_steps, scheduled_jobs
from hippograph.graph.upkeep.upkeep import GC, Upkeep
from hippograph.graph.writing.fact_writer import FactWriter
from hippograph.graph.writing.facts import Facts
from hippograph.graph.writing.importing import Importer
from hippograph.graph.writing.purged import PurgedKeys
from hippograph.graph.writing.recording import Recorder
from hippograph.nlp.embedding.embedder import Embedder
from hippograph.nlp.embedding.token_count import reckoned_tokens
from hippograph.nlp.extraction.protocol import Extractor
from hippograph.nlp.llm.extractor import LlmExtractor
from hippograph.nlp.llm.fallback import FallbackExtractor
from hippograph.nlp.llm.judgement import LlmJudge
from hippograph.nlp.llm.uses import Ledger, Use
from hippograph.nlp.names.recognition import NameFinder
from hippograph.nlp.privacy.secrets import redact

_SWEEP: Final = timedelta(minutes=1)
"""How often idle sessions are looked for."""

_LOOK: Final = timedelta(seconds=5)
"""How often it is looked whether a scheduled job is due."""

_STALE: Final = timedelta(minutes=10)
"""How often summaries are looked through."""

_OWED: Final = timedelta(minutes=10)
"""How often the language model is asked again for what it did not answer."""


@dataclass(frozen=True, slots=True)
class Service:
    """Everything that answers requests, ready to use."""

    settings: Settings
    clock: Clock
    connection: Connection
    database: Database
    people: People
    invitations: Invitations
    recorder: Recorder
    sessions: Sessions
    memories: Memories
    browsing: Browsing
    communities: Communities
    community_finder: CommunityFinder
    feed: Feed
    states: States
    blocks: Blocks
    todos: Todos
    session_states: SessionStates
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
    recall: Recall
    uses: Uses
    consolidation: Consolidation
    causal_inference: CausalInference
    conflicts: Conflicts
    model_uses: ModelUses
    enrichment: Enrichment
    summaries: EntitySummaries
    erasures: Erasures
    forgettings: Forgettings
    spaces: Spaces
    person_export: PersonExport
    talk_summaries: TalkSummaries
    summary_reader: SummaryReader
    upkeep: Upkeep
    runner: Runner
    progress: Progress
    importer: Importer
    statement_importer: StatementImporter
    document_importer: DocumentImporter
    doctor: Doctor
    local_user: Person
    api_keys: ApiKeys
    authenticator: LocalUser | Credentials
    rate_limit: RateLimit | None
    subscriptions: OpenSubscriptions
    observation: Observation
    embedder: Embedder | None
    count_tokens: CountTokens
    """How many tokens a text has, by the embedding model's tokenizer; reckoned without a model. It may block."""
    slot: VectorSlot | None
    stopping: asyncio.Event
    """Set when the process is to end: answers that have no end of their own stop then."""

    def viewer(self, chat_id: str | None = None, persona_id: str | None = None) -> Viewer:
        """The local user, in a chat and for a persona: on whose behalf commands and benchmarks run."""
        return LocalUser(self.local_user).viewer.at(chat_id, persona_id)


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
    """Starts what is needed, brings the schema up to date and gives the parts; everything is closed at the end.

    `vectors` loads the embedding model, without which searches go by words alone; `names` what finds names and facts in
    talk, which only the jobs need; `facts` what reads the facts that somebody says explicitly, which requests need.
    `linger` is that of `open_connection`, `statements` those of `open_database`.
    """
    async with AsyncExitStack() as stack:
        observation = Observation(tracing_of(settings))
        stack.push_async_callback(asyncio.to_thread, observation.tracing.close)
        # While one batch is embedded, others are searched for names and for facts.
        executor = stack.enter_context(ThreadPoolExecutor(max_workers=3, thread_name_prefix="models"))
        loading = asyncio.get_running_loop().run_in_executor(
            executor, _load_models, settings, vectors, names, facts, executor, progress
        )
        # Whoever leaves early must not leave the models loading behind them.
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
        service = await _compose(
            settings, clock, connection, database, observation, executor, embedder, slot, readers, model_uses
        )
        stack.push_async_callback(service.recall.flush)
        yield service


def _observe(embedder: Embedder, observation: Observation) -> None:
    """Has the model's work counted and timed."""
    metrics = observation.metrics
    embedder.wrap_encoder(lambda encoder: ObservedEncoder(encoder, embedder.model, metrics))
    metrics.cache("queries", embedder.cached_queries)


def _report(progress: Report | None, what: str) -> None:
    if progress:
        progress(0, 0, what)


def _rate_limit(settings: Settings) -> RateLimit | None:
    if settings.rate_limit:
        return RateLimit(settings.rate_limit)
    return RateLimit(DEFAULT_RATE, spares_services=True) if settings.auth == "credentials" else None


def _load_models(
    settings: Settings, vectors: bool, names: bool, facts: bool, executor: Executor, progress: Report | None
) -> "tuple[Embedder | None, _Readers]":
    embedder = None
    if vectors:
        redact("x" * 20)  # loads its rules, for which no message is to wait
        embedder = embedder_of(settings, progress)
    if not names and not facts:
        return embedder, _Readers()
    from hippograph.api.job_models import load_fact_reader, load_readers

    name_finder, extractor = load_readers(settings, executor) if names else (None, None)
    return embedder, _Readers(name_finder, extractor, load_fact_reader(settings) if facts else None)


@dataclass(frozen=True, slots=True)
class _Readers:
    """What reads talk: what finds names and facts, says what explicit facts claim, judges what may be a cause or a
    contradiction, and words summaries of talk and of entities. The last four are the LLM's.
    """

    name_finder: NameFinder | None = None
    extractor: Extractor | None = None
    fact_reader: FactReader | None = None
    causes: Judge | None = None
    conflicts: Judge | None = None
    summarizer: Summarizer | None = None
    describer: Describer | None = None


@asynccontextmanager
async def _with_llm(settings: Settings, ledger: Ledger, local: _Readers) -> AsyncIterator[_Readers]:
    """The local readers, behind the LLM in what it is used for."""
    if not settings.llm_uses:
        yield local
        return
    from hippograph.api.job_models import open_llm

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
    """Spares Python's garbage collector all there is by now, for a process that keeps its models: to walk through their
    hundreds of thousands of objects again and again takes a quarter of the time of all reading.
    """
    gc.collect()
    gc.freeze()
    atexit.register(gc.unfreeze)  # or some of torch's libraries complain of leaks at the end


async def _compose(
    settings: Settings,
    clock: Clock,
    connection: Connection,
    database: Database,
    observation: Observation,
    executor: ThreadPoolExecutor,
    embedder: Embedder | None,
    slot: VectorSlot | None,
    readers: _Readers,
    model_uses: ModelUses,
) -> Service:
    people = People(database, clock, refuse_identifiers=settings.redact_identifiers)
    local_user = await people.create_person(
        INTERNAL, settings.local_user_name or settings.local_user, user_id=settings.local_user
    )
    api_keys = ApiKeys(database, clock)
    spaces = Spaces(database, clock, refuse_identifiers=settings.redact_identifiers)
    recorder = Recorder(
        database,
        clock,
        session_idle=settings.session_idle,
        max_characters=settings.max_message_characters,
        clock_skew=settings.clock_skew,
        redact_identifiers=settings.redact_identifiers,
        most_waiting=settings.max_waiting,
    )
    fact_writer = FactWriter(
        clock,
        lifetimes={kind: timedelta(days=days) for kind, days in settings.ttl_days.items()},
        decay_rate=settings.decay_rate_default,
        most_waiting=settings.max_waiting,
    )
    facts = Facts(
        database,
        clock,
        fact_writer,
        reading=FactReading(database, clock, readers.fact_reader, executor) if readers.fact_reader else None,
        reinforce_weight=settings.reinforce_weight,
        demote_weight=settings.demote_weight,
        max_characters=settings.max_message_characters,
        refuse_identifiers=settings.redact_identifiers,
    )
    enrichment = Enrichment(
        database,
        clock,
        embedder=embedder,
        slot=slot,
        name_finder=readers.name_finder,
        executor=executor,
        batch_size=settings.worker_batch_size,
    )
    consolidation = Consolidation(
        database,
        clock,
        fact_writer,
        extractor=readers.extractor,
        executor=executor,
        threshold=settings.extraction_confidence_threshold,
        private_sensitivity=settings.private_extraction_sensitivity,
        least_mentions=settings.entity_enrichment_min_mentions,
        rolling_turns=settings.rolling_summary_turns,
        spine_messages=settings.summary_spine_messages,
    )
    causal_inference = CausalInference(
        database,
        clock,
        batch_size=settings.causal_inference_batch_size,
        judge=readers.causes,
        finds_conflicts=readers.conflicts is not None,
    )
    conflicts = Conflicts(database, clock, slot=slot, judge=readers.conflicts)
    sessions = Sessions(database, clock, idle=settings.session_idle)
    recall = Recall(
        database,
        clock,
        growth=settings.stability_growth,
        most_days=settings.stability_max_days,
        log_uses=settings.use_log_days > 0,
    )
    observation.metrics.recall(recall.counts)
    search = search_of(settings, database, clock, embedder=embedder, slot=slot, executor=executor, recall=recall)
    summaries = EntitySummaries(
        database, clock, least_mentions=settings.entity_enrichment_min_mentions, describer=readers.describer
    )
    count_tokens: CountTokens = embedder.count_tokens if embedder else reckoned_tokens
    upkeep = _upkeep(settings, database, clock, executor, slot, consolidation)
    erasures = Erasures(database, clock)
    forgettings = Forgettings(database, clock)
    feed = Feed(database, clock)
    database.on_commit(feed.wake)
    talk_summaries = TalkSummaries(database, clock, slot=slot, executor=executor, summarizer=readers.summarizer)
    working: list[QueueJob] = [enrichment, consolidation, causal_inference, conflicts, summaries, talk_summaries]
    jobs = [*working, erasures, forgettings]
    runner = Runner(
        jobs,
        _periodic(settings, sessions, consolidation, summaries, talk_summaries, upkeep, model_uses, spaces),
        stepped=observation.metrics.job_step,
    )
    return Service(
        settings=settings,
        clock=clock,
        connection=connection,
        database=database,
        people=people,
        invitations=Invitations(database, clock),
        recorder=recorder,
        sessions=sessions,
        memories=Memories(database, clock),
        browsing=Browsing(database, clock),
        communities=Communities(database, clock),
        community_finder=CommunityFinder(database, clock),
        feed=feed,
        states=States(database, clock, refuse_identifiers=settings.redact_identifiers),
        session_states=SessionStates(database, clock),
        todos=Todos(database, clock, refuse_identifiers=settings.redact_identifiers),
        blocks=Blocks(
            database,
            clock,
            max_characters=settings.max_block_characters,
            refuse_identifiers=settings.redact_identifiers,
        ),
        stats=Stats(
            database,
            clock,
            most_megabytes=settings.max_size_mb,
            dimensions=slot.dimensions if slot else 0,
        ),
        labels=AccessLabels(database, clock),
        explaining=Explaining(database, clock),
        facts=facts,
        weak_facts=WeakFacts(database, clock, threshold=settings.decay_threshold),
        archive=Archive(database, clock),
        cards=Cards(database, clock, recall),
        timelines=Timelines(database, clock),
        contexts=ContextAssembly(
            database,
            clock,
            search,
            count=count_tokens,
            executor=executor,
            fixed_budget=None if settings.adaptive_complexity else settings.context_token_budget,
            recall=recall,
        ),
        merging=Merging(database, clock),
        search=search,
        recall=recall,
        uses=Uses(database, clock),
        consolidation=consolidation,
        causal_inference=causal_inference,
        conflicts=conflicts,
        model_uses=model_uses,
        enrichment=enrichment,
        summaries=summaries,
        upkeep=upkeep,
        talk_summaries=talk_summaries,
        summary_reader=SummaryReader(database, clock),
        erasures=erasures,
        forgettings=forgettings,
        spaces=spaces,
        person_export=PersonExport(database, clock),
        runner=runner,
        progress=Progress(database, runner),
        importer=Importer(people, spaces, recorder, PurgedKeys(database)),
        statement_importer=StatementImporter(database, clock, facts, recorder),
        document_importer=DocumentImporter(database, people, spaces, recorder),
        doctor=Doctor(
            database,
            clock,
            [*(job.queue for job in jobs), upkeep.queue],
            slot=slot,
            embedder=embedder,
            analyzer=settings.fulltext_analyzer,
            model_uses=model_uses,
        ),
        local_user=local_user,
        api_keys=api_keys,
        authenticator=_authenticator(settings, clock, people, api_keys, local_user),
        rate_limit=_rate_limit(settings),
        subscriptions=OpenSubscriptions(settings.max_subscriptions),
        observation=observation,
        embedder=embedder,
        count_tokens=count_tokens,
        slot=slot,
        stopping=asyncio.Event(),
    )


def search_of(
    settings: Settings,
    database: Database,
    clock: Clock,
    *,
    embedder: Embedder | None,
    slot: VectorSlot | None,
    executor: Executor | None,
    recall: Recall | None = None,
    link_weights: Mapping[str, float] | None = None,
) -> Search:
    """The search that the settings describe; `link_weights` take the place of theirs."""
    return make_search(
        database,
        clock,
        embedder=embedder,
        slot=slot,
        executor=executor,
        profile=settings.ranking_profile,
        fusion=settings.fusion,
        rrf_k=settings.rrf_k,
        rrf_weights=settings.rrf_weights,
        importance_weight=settings.importance_weight,
        link_weights={CO_RECALLED: settings.co_recall_weight, **(link_weights or {})},
        recall=recall,
        adaptive=settings.adaptive_complexity,
        classifier=partial(classifier_of, settings, embedder),
    )


def _upkeep(
    settings: Settings,
    database: Database,
    clock: Clock,
    executor: Executor,
    slot: VectorSlot | None,
    consolidation: Consolidation,
) -> Upkeep:
    limits = bounds(
        threshold=settings.decay_threshold,
        most_entries=settings.max_entries,
        most_megabytes=settings.max_size_mb,
        percent=settings.prune_percent,
        dimensions=slot.dimensions if slot else 0,
    )
    steps = make_steps(
        database,
        clock,
        limits,
        slot=slot,
        consolidation=consolidation if settings.extraction_enabled else None,
        suggestions=MergeSuggestions(database, clock, executor),
        least_mentions=settings.entity_enrichment_min_mentions,
        use_log_days=settings.use_log_days,
    )
    jobs = scheduled_jobs(
        steps,
        nightly=settings.maintenance_schedule,
        pruning=settings.prune_schedule,
        strength_hours=settings.strength_interval_hours,
    )
    at_start = GC if settings.auto_gc else ()
    return Upkeep(database, clock, jobs, steps, plan=limits, at_start=at_start, load=settings.maintenance_load)


def _authenticator(
    settings: Settings, clock: Clock, people: People, api_keys: ApiKeys, local_user: Person
) -> LocalUser | Credentials:
    if settings.auth == "local":
        return LocalUser(local_user)
    tokens = None
    if settings.jwt_keys:
        tokens = SignedTokens(
            settings.jwt_keys,
            algorithms=list(settings.jwt_algorithms),
            audience=settings.jwt_audience or "",
            issuer=settings.jwt_issuer,
            vouched_name=settings.jwt_vouched_name,
            clock=clock,
        )
    return Credentials(people, api_keys, tokens)


def _periodic(
    settings: Settings,
    sessions: Sessions,
    consolidation: Consolidation,
    summaries: EntitySummaries,
    talk_summaries: TalkSummaries,
    upkeep: Upkeep,
    model_uses: ModelUses,
    spaces: Spaces,
) -> list[Periodic]:
    """What each worker does every so often."""
    jobs = [
        Periodic("close idle sessions", sessions.close_idle, _SWEEP),
        Periodic("queue summaries that are not so any more", summaries.queue_stale, _STALE),
        Periodic("queue summaries of talk that are not so any more", talk_summaries.queue_stale, _STALE),
        Periodic("move on what was said in chats that moved", spaces.finish_moves, _STALE),
        Periodic("scheduled upkeep", upkeep.step, _LOOK, upkeep.queue),
    ]
    if settings.llm_uses:
        jobs.append(Periodic("queue what the language model has still to do", model_uses.queue_owed, _OWED))
    if settings.extraction_enabled:
        jobs.append(Periodic("queue sessions that were left out", consolidation.queue_left, _SWEEP))
    return jobs
