"""The composition root: creates the parts of the service from the settings and the opened resources."""

import asyncio
from collections.abc import Mapping
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass, fields
from datetime import timedelta
from functools import partial
from typing import Final

from hippograph.api.models.query_models import classifier_of
from hippograph.api.observability.observation import Observation
from hippograph.api.service import Service, call_local_user
from hippograph.api.settings.settings import Settings
from hippograph.api.signed_tokens import SignedTokens
from hippograph.api.viewer import Credentials, LocalUser
from hippograph.api.web.rate_limit import DEFAULT_RATE, RateLimit
from hippograph.api.web.subscriptions import OpenSubscriptions
from hippograph.graph.access.credentials import ApiKeys
from hippograph.graph.access.labels import AccessLabels
from hippograph.graph.clock import Clock
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
from hippograph.graph.knowledge.entity_resolution.entity_merging import Merging
from hippograph.graph.knowledge.entity_resolution.merge_suggestions import MergeSuggestions
from hippograph.graph.knowledge.fact_reading import FactReader, FactReading
from hippograph.graph.knowledge.retractions import RetractionDetector, Retractions
from hippograph.graph.local.server import Connection
from hippograph.graph.model import INTERNAL
from hippograph.graph.people.blocks import Blocks
from hippograph.graph.people.invitations import Invitations
from hippograph.graph.people.people import People
from hippograph.graph.people.session_state import SessionStates
from hippograph.graph.people.sessions import Sessions
from hippograph.graph.people.spaces import Spaces
from hippograph.graph.people.summaries import SummaryReader
from hippograph.graph.people.todos import Todos
from hippograph.graph.people.user_state import States
from hippograph.graph.reading.archive import Archive
from hippograph.graph.reading.browsing import Browsing
from hippograph.graph.reading.communities import Communities
from hippograph.graph.reading.explanation import Explaining
from hippograph.graph.reading.feed import Feed
from hippograph.graph.reading.stats import Stats
from hippograph.graph.reading.uses import Uses
from hippograph.graph.reading.weak_facts import WeakFacts
from hippograph.graph.retention.recall import Recall
from hippograph.graph.retrieval.fusion import CO_RECALLED
from hippograph.graph.retrieval.memories import Memories
from hippograph.graph.retrieval.profiles import make_search
from hippograph.graph.retrieval.search import Search
from hippograph.graph.schema import VectorSlot
from hippograph.graph.summaries.communities import CommunityFinder
from hippograph.graph.summaries.entity_summaries import Describer, EntitySummaries
from hippograph.graph.summaries.talk_summaries import Summarizer, TalkSummaries
from hippograph.graph.transfer.documents import DocumentImporter
from hippograph.graph.transfer.erasure import Erasures
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
from hippograph.nlp.names.recognition import NameFinder

_SWEEP: Final = timedelta(minutes=1)
"""Interval at which idle sessions are closed and ended sessions without consolidation are queued."""

_LOOK: Final = timedelta(seconds=5)
"""Interval at which due scheduled jobs are looked for."""

_STALE: Final = timedelta(minutes=10)
"""Interval at which outdated summaries, and chats whose move to another space is unfinished, are looked for."""

_OWED: Final = timedelta(minutes=10)
"""Interval at which sessions are queued again for which the language model did not answer."""


@dataclass(frozen=True, slots=True)
class Readers:
    """The models that read text, each None if not loaded: they find names, extract facts, detect retractions, read
    explicit facts, judge possible causes and contradictions, and word summaries of talk and of entities. The last four
    use the LLM.
    """

    name_finder: NameFinder | None = None
    extractor: Extractor | None = None
    retractions: RetractionDetector | None = None
    fact_reader: FactReader | None = None
    causes: Judge | None = None
    conflicts: Judge | None = None
    summarizer: Summarizer | None = None
    describer: Describer | None = None


@dataclass
class Composition:
    """Creates the parts of the service. Each `_make_…` method uses what the earlier ones created."""

    settings: Settings
    clock: Clock
    connection: Connection
    database: Database
    observation: Observation
    executor: ThreadPoolExecutor
    embedder: Embedder | None
    slot: VectorSlot | None
    readers: Readers
    model_uses: ModelUses

    async def service(self) -> Service:
        """Creates all parts, and the local user if missing, and returns the service."""
        self._make_people()
        settings = self.settings
        account, name = settings.local_user, settings.local_user_name or settings.local_user
        user = await self.people.create_person(INTERNAL, name, user_id=account)
        self.local_user = await call_local_user(self.people, settings, user, name)
        self._make_search()
        self._make_reading()
        self._make_writing()
        self._make_jobs()
        self._make_upkeep()
        self._make_runner()
        self._make_limits()
        return Service(**{each.name: getattr(self, each.name) for each in fields(Service)})

    def _make_people(self) -> None:
        """Creates the parts that manage people, credentials, spaces, sessions and personal state."""
        settings, database, clock = self.settings, self.database, self.clock
        refuses = settings.redact_identifiers
        self.people = People(database, clock, refuse_identifiers=refuses)
        self.api_keys = ApiKeys(database, clock)
        self.invitations = Invitations(database, clock)
        self.spaces = Spaces(database, clock, refuse_identifiers=refuses)
        self.sessions = Sessions(database, clock, idle=settings.session_idle)
        self.session_states = SessionStates(database, clock)
        self.states = States(database, clock, refuse_identifiers=refuses)
        self.todos = Todos(database, clock, refuse_identifiers=refuses)
        self.blocks = Blocks(database, clock, max_characters=settings.max_block_characters, refuse_identifiers=refuses)
        self.summary_reader = SummaryReader(database, clock)

    def _make_search(self) -> None:
        """Creates search, context assembly, and the recording of recalls."""
        settings, database, clock = self.settings, self.database, self.clock
        self.recall = Recall(
            database,
            clock,
            growth=settings.stability_growth,
            most_days=settings.stability_max_days,
            log_uses=settings.use_log_days > 0,
        )
        self.observation.metrics.recall(self.recall.counts)
        self.search = search_of(
            settings,
            database,
            clock,
            embedder=self.embedder,
            slot=self.slot,
            executor=self.executor,
            recall=self.recall,
        )
        self.count_tokens: CountTokens = self.embedder.count_tokens if self.embedder else reckoned_tokens
        self.contexts = ContextAssembly(
            database,
            clock,
            self.search,
            count=self.count_tokens,
            executor=self.executor,
            fixed_budget=None if settings.adaptive_complexity else settings.context_token_budget,
            recall=self.recall,
        )

    def _make_reading(self) -> None:
        """Creates the parts that show and explain what is stored."""
        settings, database, clock = self.settings, self.database, self.clock
        self.cards = Cards(database, clock, self.recall)
        self.memories = Memories(database, clock)
        self.browsing = Browsing(database, clock)
        self.timelines = Timelines(database, clock)
        self.communities = Communities(database, clock)
        self.explaining = Explaining(database, clock)
        self.weak_facts = WeakFacts(database, clock, threshold=settings.decay_threshold)
        self.archive = Archive(database, clock)
        self.uses = Uses(database, clock)
        self.stats = Stats(database, clock, most_megabytes=settings.max_size_mb, dimensions=self._dimensions)
        self.feed = Feed(database, clock)
        database.on_commit(self.feed.wake)

    def _make_writing(self) -> None:
        """Creates the parts that record, remember, import, merge, forget and export."""
        settings, database, clock = self.settings, self.database, self.clock
        self.recorder = Recorder(
            database,
            clock,
            session_idle=settings.session_idle,
            max_characters=settings.max_message_characters,
            clock_skew=settings.clock_skew,
            redact_identifiers=settings.redact_identifiers,
            most_waiting=settings.max_waiting,
        )
        self.fact_writer = FactWriter(
            clock,
            lifetimes={kind: timedelta(days=days) for kind, days in settings.ttl_days.items()},
            decay_rate=settings.decay_rate_default,
            most_waiting=settings.max_waiting,
        )
        reader = self.readers.fact_reader
        self.facts = Facts(
            database,
            clock,
            self.fact_writer,
            reading=FactReading(database, clock, reader, self.executor) if reader else None,
            reinforce_weight=settings.reinforce_weight,
            demote_weight=settings.demote_weight,
            max_characters=settings.max_message_characters,
            refuse_identifiers=settings.redact_identifiers,
        )
        self.labels = AccessLabels(database, clock)
        self.importer = Importer(self.people, self.spaces, self.recorder, PurgedKeys(database))
        self.statement_importer = StatementImporter(database, clock, self.facts, self.recorder)
        self.document_importer = DocumentImporter(database, self.people, self.spaces, self.recorder)
        self.merging = Merging(database, clock)
        self.erasures = Erasures(database, clock)
        self.forgettings = Forgettings(database, clock)
        self.person_export = PersonExport(database, clock)

    def _make_jobs(self) -> None:
        """Creates the jobs that derive data from what was written."""
        settings, database, clock, readers = self.settings, self.database, self.clock, self.readers
        least_mentions = settings.entity_enrichment_min_mentions
        self.enrichment = Enrichment(
            database,
            clock,
            embedder=self.embedder,
            slot=self.slot,
            name_finder=readers.name_finder,
            executor=self.executor,
            batch_size=settings.worker_batch_size,
            retractions=readers.retractions,
        )
        self.consolidation = Consolidation(
            database,
            clock,
            self.fact_writer,
            extractor=readers.extractor,
            executor=self.executor,
            threshold=settings.extraction_confidence_threshold,
            private_sensitivity=settings.private_extraction_sensitivity,
            least_mentions=least_mentions,
            rolling_turns=settings.rolling_summary_turns,
            spine_messages=settings.summary_spine_messages,
        )
        self.causal_inference = CausalInference(
            database,
            clock,
            batch_size=settings.causal_inference_batch_size,
            judge=readers.causes,
            finds_conflicts=readers.conflicts is not None or readers.retractions is not None,
        )
        self.conflicts = Conflicts(
            database, clock, slot=self.slot, judge=readers.conflicts, retractions=self._retractions()
        )
        self.summaries = EntitySummaries(database, clock, least_mentions=least_mentions, describer=readers.describer)
        self.talk_summaries = TalkSummaries(
            database, clock, slot=self.slot, executor=self.executor, summarizer=readers.summarizer
        )
        self.community_finder = CommunityFinder(database, clock)

    def _retractions(self) -> Retractions | None:
        """Returns the search for retracted facts; None without vectors, or without a detector for the language."""
        if self.slot is None or self.readers.retractions is None:
            return None
        return Retractions(
            self.database,
            self.clock,
            self.fact_writer,
            slot=self.slot,
            detector=self.readers.retractions,
            executor=self.executor,
            private_sensitivity=self.settings.private_extraction_sensitivity,
        )

    def _make_upkeep(self) -> None:
        """Creates the scheduled upkeep."""
        settings, database, clock = self.settings, self.database, self.clock
        limits = bounds(
            threshold=settings.decay_threshold,
            most_entries=settings.max_entries,
            most_megabytes=settings.max_size_mb,
            percent=settings.prune_percent,
            dimensions=self._dimensions,
        )
        steps = make_steps(
            database,
            clock,
            limits,
            slot=self.slot,
            consolidation=self.consolidation if settings.extraction_enabled else None,
            suggestions=MergeSuggestions(database, clock, self.executor),
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
        load = settings.maintenance_load
        self.upkeep = Upkeep(database, clock, jobs, steps, plan=limits, at_start=at_start, load=load)

    def _make_runner(self) -> None:
        """Creates the runner of the jobs, their progress, and the doctor."""
        working = (self.enrichment, self.consolidation, self.causal_inference, self.conflicts)
        jobs: list[QueueJob] = [*working, self.summaries, self.talk_summaries, self.erasures, self.forgettings]
        self.runner = Runner(jobs, self._periodic(), stepped=self.observation.metrics.job_step)
        self.progress = Progress(self.database, self.runner)
        self.doctor = Doctor(
            self.database,
            self.clock,
            [*(job.queue for job in jobs), self.upkeep.queue],
            slot=self.slot,
            embedder=self.embedder,
            analyzer=self.settings.fulltext_analyzer,
            model_uses=self.model_uses,
        )

    def _periodic(self) -> list[Periodic]:
        """Returns the periodic jobs of each worker."""
        stale_talk = self.talk_summaries.queue_stale
        jobs = [
            Periodic("close idle sessions", self.sessions.close_idle, _SWEEP),
            Periodic("queue summaries that are not so any more", self.summaries.queue_stale, _STALE),
            Periodic("queue summaries of talk that are not so any more", stale_talk, _STALE),
            Periodic("move on what was said in chats that moved", self.spaces.finish_moves, _STALE),
            Periodic("scheduled upkeep", self.upkeep.step, _LOOK, self.upkeep.queue),
        ]
        if self.settings.llm_uses:
            jobs.append(Periodic("queue what the language model has still to do", self.model_uses.step, _OWED))
        if self.settings.extraction_enabled:
            jobs.append(Periodic("queue sessions that were left out", self.consolidation.queue_left, _SWEEP))
        return jobs

    def _make_limits(self) -> None:
        """Creates authentication, the limits of requests and subscriptions, and the stop event."""
        self.authenticator = self._authenticator()
        self.rate_limit = _rate_limit(self.settings)
        self.subscriptions = OpenSubscriptions(self.settings.max_subscriptions)
        self.stopping = asyncio.Event()

    def _authenticator(self) -> LocalUser | Credentials:
        settings = self.settings
        if settings.auth == "local":
            return LocalUser(self.local_user)
        tokens = None
        if settings.jwt_keys:
            tokens = SignedTokens(
                settings.jwt_keys,
                algorithms=list(settings.jwt_algorithms),
                audience=settings.jwt_audience or "",
                issuer=settings.jwt_issuer,
                vouched_name=settings.jwt_vouched_name,
                clock=self.clock,
            )
        return Credentials(self.people, self.api_keys, tokens)

    @property
    def _dimensions(self) -> int:
        """Dimensions of the vectors; 0 without an embedding model."""
        return self.slot.dimensions if self.slot else 0


def _rate_limit(settings: Settings) -> RateLimit | None:
    if settings.rate_limit:
        return RateLimit(settings.rate_limit)
    return RateLimit(DEFAULT_RATE, spares_services=True) if settings.auth == "credentials" else None


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
    """Returns the search that the settings describe; `link_weights` override theirs, by kind of link."""
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
