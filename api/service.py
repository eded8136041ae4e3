"""The parts of a running service (started by `hippograph.api.startup`), which answer requests."""

import asyncio
from dataclasses import dataclass

from hippograph.api.observability.observation import Observation
from hippograph.api.settings.settings import Settings
from hippograph.api.viewer import Credentials, LocalUser
from hippograph.api.web.rate_limit import RateLimit
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
from hippograph.graph.jobs.runner import Runner
from hippograph.graph.knowledge.causal_inference import CausalInference
from hippograph.graph.knowledge.conflicts import Conflicts
from hippograph.graph.knowledge.consolidation import Consolidation
from hippograph.graph.knowledge.enrichment import Enrichment
from hippograph.graph.knowledge.entity_resolution.entity_merging import Merging
from hippograph.graph.local.server import Connection
from hippograph.graph.model import Person, Viewer
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
from hippograph.graph.retrieval.memories import Memories
from hippograph.graph.retrieval.search import Search
from hippograph.graph.schema import VectorSlot
from hippograph.graph.summaries.communities import CommunityFinder
from hippograph.graph.summaries.entity_summaries import EntitySummaries
from hippograph.graph.summaries.talk_summaries import TalkSummaries
from hippograph.graph.transfer.documents import DocumentImporter
from hippograph.graph.transfer.erasure import Erasures
from hippograph.graph.transfer.forgetting import Forgettings
from hippograph.graph.transfer.person_export import PersonExport
from hippograph.graph.transfer.statements import StatementImporter
from hippograph.graph.upkeep.upkeep import Upkeep
from hippograph.graph.writing.facts import Facts
from hippograph.graph.writing.importing import Importer
from hippograph.graph.writing.recording import Recorder
from hippograph.nlp.embedding.embedder import Embedder


@dataclass(frozen=True, slots=True)
class Service:
    """The parts of one running service, ready to use."""

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
    """Counts tokens with the embedding model's tokenizer; estimates them without a model. It may block."""
    slot: VectorSlot | None
    stopping: asyncio.Event
    """Set when the process is to end; streams that never end by themselves stop then."""

    def viewer(self, chat_id: str | None = None, persona_id: str | None = None) -> Viewer:
        """The local user as viewer, in a chat and for a persona; commands and benchmarks run on their behalf."""
        return LocalUser(self.local_user).viewer.at(chat_id, persona_id)


async def call_local_user(people: People, settings: Settings, user: Person, name: str) -> Person:
    """Renames the local user, unless they have another name than that of their account on this machine. Returns the
    person. Raises `InvalidInput` for a name without letters or with a secret in it.
    """
    if user.canonical_name != settings.local_user or user.canonical_name == name:
        return user
    return await people.rename(LocalUser(user).viewer, user.id, name)
