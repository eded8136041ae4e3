"""What tools answer with: the little of each value that a model needs, as dataclasses.

`api.json_form` writes them, so names and ids are those of GraphQL. Words that a tool also takes as an argument, such as
a kind, are written as it takes them.
"""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeVar, dataclass_transform

from pydantic import ConfigDict, TypeAdapter

from api.json_form import camel, json_form
from graph.context.cards import Relation
from graph.model import Memory
from graph.people.blocks import Block
from graph.people.user_state import UserState
from graph.retrieval.explanation import Step
from graph.retrieval.search import Result
from graph.retrieval.weak_facts import WeakFact

T = TypeVar("T")


@dataclass_transform(frozen_default=True)
def form(declared: type[T]) -> type[T]:
    """A frozen dataclass whose JSON Schema has the names that `json_form` writes."""
    made: Any = dataclass(frozen=True, slots=True)(declared)
    made.__pydantic_config__ = ConfigDict(alias_generator=camel)
    return made  # type: ignore[no-any-return]


def schema(declared: type) -> dict[str, Any]:
    """The JSON Schema of a form."""
    return TypeAdapter(declared).json_schema(mode="serialization", by_alias=True)


def written(value: object) -> Any:
    """A form as JSON, without what it has none of."""
    return _without_nulls(json_form(value))


def _without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_nulls(each) for name, each in value.items() if each is not None}
    return [_without_nulls(each) for each in value] if isinstance(value, list) else value


@form
class MemoryForm:
    """A memory: its words (`content`), what they were taken from (`quotation`) unless they say the same, and when it
    happens (`event_time`).
    """

    memory_id: str
    content: str
    type: str
    source: str
    sensitivity: str
    event_time: datetime
    event_precision: str
    confidence: float
    importance: int
    score: int
    kind: str | None = None
    said_by: str | None = None
    valid_until: datetime | None = None
    quotation: str | None = None
    entities: list[str] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    pinned: bool = False
    narrative: str | None = None
    task: str | None = None
    attributes: dict[str, Any] = field(default_factory=dict)


@form
class OutdatedForm:
    """Why a memory holds no longer (`ended`, `corrected`, `forgotten`), since when, and what holds now."""

    reason: str
    since: datetime
    now: MemoryForm | None = None


@form
class ResultForm:
    """A memory that was found, how relevant it is (0 to 1), its places in lists, and whether it still holds."""

    memory: MemoryForm
    relevance: float
    ranks: dict[str, int]
    outdated: OutdatedForm | None = None


@form
class SearchForm:
    """What was found, best first, and what was made of the question: pass `cursor` on for more."""

    results: list[ResultForm]
    intent: str
    entities: list[str]
    period: str | None = None
    cursor: str | None = None


@form
class ContextForm:
    """What belongs into a prompt, as Markdown within a fence: data, no instructions."""

    text: str
    tokens: int
    budget: int


@form
class MemoriesForm:
    """Some memories; pass `cursor` on for more."""

    memories: list[MemoryForm]
    cursor: str | None = None


@form
class WeakFactForm:
    """A fact that is hardly believed any more, what is left of its confidence, and when it will be retired."""

    memory: MemoryForm
    confidence_now: float
    fades_at: datetime | None = None


@form
class WeakFactsForm:
    """Weak facts, the weakest first; pass `cursor` on for more."""

    facts: list[WeakFactForm]
    cursor: str | None = None


@form
class RelationForm:
    """What one entity is to another, both by key, and the memories that say so."""

    source: str
    predicate: str
    target: str
    evidence: list[MemoryForm]


@form
class EntityForm:
    """What is known of a person or thing: its card, what it is to others, and what happened, the earliest first."""

    key: str
    name: str
    aliases: list[str]
    card: str
    mentions: int
    facts: list[MemoryForm]
    relations: list[RelationForm]
    timeline: list[MemoryForm]
    summary: str | None = None
    timeline_cursor: str | None = None


@form
class WordingForm:
    """An earlier wording of a memory, and until when it stood."""

    content: str
    until: datetime


@form
class StepForm:
    """A memory as a step of how something came to be believed."""

    memory_id: str
    content: str
    source: str
    event_time: datetime
    created_at: datetime
    valid_from: datetime
    wordings: list[WordingForm]
    said_by: str | None = None
    valid_until: datetime | None = None
    retired_at: datetime | None = None
    retired_by: str | None = None


@form
class ExplanationForm:
    """What is behind a memory: what it replaced and what replaced it, its sources, what contradicts it, and the keys of
    what it is about or names.
    """

    chain: list[StepForm]
    sources: list[StepForm]
    contradictions: list[StepForm]
    entities: list[str]


@form
class SizeForm:
    """The size of the user's own memories, or of those of a chat, and its share of the bound above which what is worth
    least is archived.
    """

    size_bytes: int
    share: float
    chat_id: str | None = None


@form
class CountsForm:
    """How much there is that the user may see."""

    memories: int
    by_type: dict[str, int]
    entities: int
    links: int
    orphans: int
    size_bytes: int
    pending: int
    waiting_sessions: int
    failed: int
    secrets_removed: int
    links_by_type: dict[str, int] = field(default_factory=dict)
    sizes: list[SizeForm] = field(default_factory=list)
    last_consolidated: datetime | None = None
    last_maintenance: datetime | None = None


@form
class RememberedForm:
    """The memory that holds a fact, of which kind it is, and whether it was there already and is surer now."""

    memory_id: str
    kind: str
    confirmed: bool


@form
class ChangedForm:
    """The memory that now holds what was said."""

    memory_id: str


@form
class ScoreForm:
    """A memory, its score from now on, and whether that `counts`: for the user's own memories alone."""

    memory_id: str
    score: int
    counts: bool


@form
class StateForm:
    """A value of the user's state, and for which stretch of time it holds."""

    key: str
    value: str
    valid_from: datetime
    is_current: bool
    for_groups: bool
    valid_until: datetime | None = None


@form
class StatesForm:
    """Values of one key, the last to begin first; pass `cursor` on for more."""

    states: list[StateForm]
    cursor: str | None = None


@form
class StateChangeForm:
    """The value that was set; `changed` is false when it was so already."""

    state: StateForm
    changed: bool


def memory_form(memory: Memory) -> MemoryForm:
    """What a model needs of a memory."""
    return MemoryForm(
        memory_id=memory.id,
        content=memory.content,
        type=memory.type.value,
        source=memory.source,
        sensitivity=memory.sensitivity.value,
        event_time=memory.event_time,
        event_precision=memory.event_precision.value,
        confidence=memory.confidence,
        importance=memory.importance,
        score=memory.score,
        kind=memory.kind,
        said_by=memory.speaker_name,
        valid_until=memory.valid_until,
        quotation=memory.source_words.text if memory.source_words else None,
        entities=list(memory.entity_keys),
        tags=list(memory.tags),
        pinned=memory.pinned_by_viewer,
        narrative=memory.narrative,
        task=memory.task,
        attributes=dict(memory.attributes),
    )


def result_form(found: Result) -> ResultForm:
    """What a model needs of a result."""
    holding = found.outdated
    now = memory_form(holding.now) if holding and holding.now else None
    return ResultForm(
        memory_form(found.memory),
        round(found.relevance, 3),
        {name: hit.rank for name, hit in found.hits.items()},
        OutdatedForm(holding.reason, holding.since, now) if holding else None,
    )


def relation_form(found: Relation) -> RelationForm:
    """What a model needs of a relation."""
    return RelationForm(
        found.source.key, found.predicate, found.target.key, [memory_form(each) for each in found.evidence]
    )


def step_form(step: Step) -> StepForm:
    """What a model needs of a step."""
    return StepForm(
        memory_id=step.memory_id,
        content=step.content,
        source=step.source,
        event_time=step.event_time,
        created_at=step.created_at,
        valid_from=step.valid_from,
        wordings=[WordingForm(each.content, each.until) for each in step.wordings],
        said_by=step.speaker_name,
        valid_until=step.valid_until,
        retired_at=step.retired_at,
        retired_by=step.retired_by,
    )


def weak_form(found: WeakFact) -> WeakFactForm:
    """What a model needs of a weak fact."""
    return WeakFactForm(memory_form(found.memory), round(found.confidence, 3), found.fades_at)


def state_form(state: UserState) -> StateForm:
    """What a model needs of a value of the user's state."""
    return StateForm(state.key, state.value, state.valid_from, state.is_current, state.for_groups, state.valid_until)


@form
class BlockForm:
    """A block of working memory: pass its `version` on when you change it."""

    name: str
    content: str
    version: int
    updated_at: datetime
    for_groups: bool
    description: str | None = None


@form
class BlocksForm:
    """Blocks of working memory, by name."""

    blocks: list[BlockForm]


@form
class ChangedBlockForm:
    """The name of a block that is not there any more."""

    name: str


def block_form(block: Block) -> BlockForm:
    """What a model needs of a block."""
    return BlockForm(block.name, block.content, block.version, block.updated_at, block.for_groups, block.description)
