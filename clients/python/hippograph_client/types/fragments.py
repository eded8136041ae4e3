from datetime import datetime
from typing import Any, Literal, Optional

from pydantic import Field

from .base_model import BaseModel
from .enums import (
    AttachmentKind,
    ContextLeftOut,
    ContextReason,
    ContextSection,
    EntityType,
    MemoryKind,
    MemoryType,
    Sensitivity,
    TodoKind,
    TodoStanding,
    TodoStatus,
)


class Block(BaseModel):
    name: str
    content: str
    description: Optional[str]
    for_groups: bool
    version: int
    created_at: datetime
    updated_at: datetime


class Entity(BaseModel):
    typename__: str = Field(alias="__typename")
    id: str
    key: str
    type_: EntityType = Field(alias="type")
    canonical_name: str
    aliases: list[str]


class Memory(BaseModel):
    id: str
    type_: MemoryType = Field(alias="type")
    content: str
    kind: Optional[MemoryKind]
    speaker_name: Optional[str]
    event_time: datetime
    created_at: datetime
    valid_from: datetime
    valid_until: Optional[datetime]
    confidence: float
    importance: int
    pinned: bool
    score: int
    pending: bool
    tags: list[str]
    narrative: Optional[str]
    task: Optional[str]
    attributes: Any
    attachments: list["MemoryAttachments"]
    sensitivity: Sensitivity


class MemoryAttachments(BaseModel):
    kind: AttachmentKind
    name: Optional[str]
    caption: Optional[str]
    text: Optional[str]
    address: Optional[str]


class Card(BaseModel):
    entity: "CardEntity"
    text: str
    mentions: int
    facts: list["CardFacts"]
    summary: Optional["CardSummary"]


class CardEntity(Entity):
    typename__: Literal[
        "Concept", "Entity", "Organization", "Person", "Place", "Project", "Tool"
    ] = Field(alias="__typename")


class CardFacts(Memory):
    pass


class CardSummary(Memory):
    pass


class Entry(BaseModel):
    section: ContextSection
    reason: ContextReason
    detail: str
    text: str
    tokens: int
    memories: list["EntryMemories"]


class EntryMemories(BaseModel):
    id: str


class Found(BaseModel):
    relevance: float
    memory: "FoundMemory"


class FoundMemory(Memory):
    pass


class LeftOut(BaseModel):
    section: ContextSection
    reason: ContextReason
    left_out: ContextLeftOut
    memories: list["LeftOutMemories"]


class LeftOutMemories(BaseModel):
    id: str


class Page(BaseModel):
    has_next_page: bool
    end_cursor: Optional[str]


class PromptContext(BaseModel):
    text: str
    always: str
    tokens: int
    budget: int
    entries: list["PromptContextEntries"]
    left_out: list["PromptContextLeftOut"]


class PromptContextEntries(Entry):
    pass


class PromptContextLeftOut(LeftOut):
    pass


class Recorded(BaseModel):
    memory_id: str
    session_id: str
    repeated: bool
    secrets_removed: int


class Remembered(BaseModel):
    memory_id: str
    confirmed: bool


class Session(BaseModel):
    id: str
    started_at: datetime
    last_activity_at: datetime
    ended_at: Optional[datetime]
    turn_count: int


class State(BaseModel):
    key: str
    value: str
    valid_from: datetime
    valid_until: Optional[datetime]


class Statistics(BaseModel):
    memories: int
    entities: int
    links: int
    pending: int
    failed: int
    waiting_sessions: int
    secrets_removed: int


class Summary(BaseModel):
    content: str
    one_liner: Optional[str]
    what_mattered: list[str]
    open_loops: list[str]
    commitments: list[str]
    created_at: datetime


class Todo(BaseModel):
    id: str
    kind: TodoKind
    content: str
    status: TodoStatus
    due_at: Optional[datetime]
    standing: Optional[TodoStanding]
    created_at: datetime
    closed_at: Optional[datetime]


Block.model_rebuild()
Entity.model_rebuild()
Memory.model_rebuild()
Card.model_rebuild()
Entry.model_rebuild()
Found.model_rebuild()
LeftOut.model_rebuild()
Page.model_rebuild()
PromptContext.model_rebuild()
Recorded.model_rebuild()
Remembered.model_rebuild()
Session.model_rebuild()
State.model_rebuild()
Statistics.model_rebuild()
Summary.model_rebuild()
Todo.model_rebuild()
