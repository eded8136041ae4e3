from datetime import datetime
from typing import Any, Optional

from pydantic import Field

from .base_model import BaseModel
from .enums import (
    AttachmentKind,
    ChatKind,
    EntityType,
    EventPrecision,
    ExtractionMode,
    FactScope,
    FactSource,
    FactType,
    MemoryCategory,
    MemoryKind,
    MemorySource,
    MemoryStatus,
    MemoryType,
    Sensitivity,
    TodoKind,
    TodoStatus,
    TurnSource,
)


class AcceptInvitationInput(BaseModel):
    """The group that the viewer joins."""

    chat_id: str
    "The id of the chat."


class AddAliasInput(BaseModel):
    """A person and another name of theirs."""

    person_id: str
    "The id of the person."
    alias: str
    "The other name."


class AddTodoInput(BaseModel):
    """A todo to add by hand."""

    content: str
    "What is to be done, up to 500 characters."
    kind: TodoKind = TodoKind.COMMITMENT
    "The kind of the todo."
    due_at: Optional[datetime] = None
    "When it is due (default: no due time); midnight means the whole day."
    persona_id: Optional[str] = None
    "The persona that the todo belongs to; without it, none."


class AppendToBlockInput(BaseModel):
    """A line to append to a block."""

    name: str
    "The name of the block, which is created if it does not exist."
    text: str
    "The line to append."
    persona_id: Optional[str] = None
    "The persona with which the block is shared; without it, none."


class AttachmentInput(BaseModel):
    """A file or medium that was sent along with a message: its description and text, without its bytes."""

    kind: AttachmentKind
    "The kind."
    name: Optional[str] = None
    "The name of the file, up to 255 characters. Square brackets in it are replaced by round ones."
    caption: Optional[str] = None
    "The caption that the sender wrote below it, up to 2,000 characters, stored on one line."
    text: Optional[str] = None
    "The text that was read from it. Together with the content of the message it may have as many characters as a message may (setting `max_message_characters`)."
    address: Optional[str] = None
    "Its address (`http`, `https` or `file`), up to 2,048 characters. The service never fetches it."


class CloseSessionInput(BaseModel):
    """The open session to end: that of a chat with a persona, or with none."""

    chat_id: str
    "The id of the chat."
    persona_id: Optional[str] = None
    "The id of the persona (default: no persona)."


class ConsolidateSessionInput(BaseModel):
    """The session to consolidate."""

    session_id: str
    "The id of the session."


class CreateChatInput(BaseModel):
    """A new chat."""

    kind: ChatKind
    "The kind."
    title: str
    "The title."
    participants: Optional[list["ParticipantInput"]] = None
    "The first participants: exactly one in a private chat, one or more in a group (default: the viewer alone)."
    extraction: ExtractionMode = ExtractionMode.ALL
    "Which statements are extracted from what is said in the chat."
    once: bool = False
    "Returns the person's private chat with this title unchanged, if there is one, instead of creating another."


class CreatePersonInput(BaseModel):
    """A new person."""

    name: str
    "The name."
    usernames: list[str] = Field(default_factory=lambda: [])
    "Usernames, by which `@name` mentions them; nobody else may have them."


class CreatePersonaInput(BaseModel):
    """The persona to create."""

    name: str
    "The name."


class CreateSpaceInput(BaseModel):
    """A new space."""

    name: str
    "The name."
    chat_id: Optional[str] = None
    "The group that the space belongs to; without it, the space is the viewer's own."


class DecideErasureInput(BaseModel):
    """The decision about the words that an erasure left to be decided."""

    id: str
    "The id, the same in every response; `node(id:)` finds objects of type `Node` by it."
    confirm: bool
    "True removes the names; false leaves all texts as they are. Either way the plan is deleted."
    places: Optional[list[str]] = None
    "The ids of the places where the names are removed if `confirm` is true (default: all places)."


class DeclineInvitationInput(BaseModel):
    """The group whose invitation the viewer declines."""

    chat_id: str
    "The id of the chat."


class DeleteBlockInput(BaseModel):
    """The block to delete."""

    name: str
    "The name."
    version: Optional[int] = None
    "The version that was read; if the block has another version, the result is a conflict. Without it, the block is deleted whatever its version."
    persona_id: Optional[str] = None
    "The persona with which the block is shared; without it, none."


class DeleteSpaceInput(BaseModel):
    """The space to delete, which must be empty."""

    space_id: str
    "The id of the space."


class DismissMergeInput(BaseModel):
    """Two entities that are not the same, by id or key."""

    one: str
    "One of the two entities."
    other: str
    "The other of the two entities."


class ErasePersonInput(BaseModel):
    """The person to erase, and what happens to what others said about them."""

    person_id: str
    "The id of the person."
    others_words: bool = True
    "Whether what others said about nobody else is deleted, too. Otherwise it stays without the person's names, as what is also about other people always does."
    dry_run: bool = False
    "Only counts what would be deleted, and changes nothing."
    confirm: bool = False
    "Also removes the names that would otherwise be left to be decided, as a dry run showed it. For administrators."


class FactInput(BaseModel):
    """A self-contained statement and its properties."""

    content: str
    "The text."
    about: list[str] = Field(default_factory=lambda: [])
    "The people and things that it is about, the primary one first: up to 20 ids, or keys such as `person:ben`. Without any, it is about the viewer or, with the scope `CHAT`, about the group."
    kind: MemoryKind = MemoryKind.KNOWLEDGE
    "The kind, which determines the lifetime: preferences, identity, relationships and knowledge do not expire, the other kinds do after some days."
    type_: MemoryType = Field(alias="type", default=MemoryType.SEMANTIC)
    "The type of statement: `SEMANTIC`, `PROCEDURAL` or `OPINION`."
    category: Optional[MemoryCategory] = None
    "The area that it belongs to (default: inferred)."
    fact_type: FactType = FactType.FACT
    "The type of statement: a plain fact, preference, relationship, complaint or habit."
    aspect: Optional[str] = None
    "The normalised predicate (`lives_in`): the same aspect of the same subject has one value at a time. Default: inferred from the words if they are clear; otherwise only the same words, or words that mean the same, count as a repetition."
    value: Optional[str] = None
    "The value that is compared under the aspect (default: the words)."
    sensitivity: Optional[Sensitivity] = None
    "How carefully it is to be shown (default: guessed from the words)."
    portable: Optional[bool] = None
    "Whether it is of use outside the chat where it was said. Default: guessed from the words; false for what is told in private about another person who has an account or takes part in a chat."
    importance: int = 1
    "The importance: 0 trivial, 1 standard, 2 significant, 3 core identity."
    confidence: float = 1
    "The confidence in the fact, 0 to 1."
    event_time: Optional[datetime] = None
    "When it happened or will happen."
    event_precision: Optional[EventPrecision] = None
    "How exactly `eventTime` is known (default: `DAY` if it is midnight, else `MINUTE`)."
    valid_from: Optional[datetime] = None
    "Since when it holds (default: now, or `eventTime` if that is earlier)."
    valid_until: Optional[datetime] = None
    "Until when it held or will hold (default: no end is known)."
    ttl_seconds: Optional[int] = None
    "The lifetime in seconds, in place of that of its kind."
    tags: list[str] = Field(default_factory=lambda: [])
    "The caller's own tags, up to 200 characters each, by which a search can be filtered."
    evidence_ids: list[str] = Field(default_factory=lambda: [])
    "The ids of the turns that it follows from."
    source: FactSource = FactSource.AGENT
    "The origin."
    narrative: Optional[str] = None
    "The caller's own name for the narrative that it belongs to, up to 200 characters."
    task: Optional[str] = None
    "The caller's own name for the task that it belongs to, up to 200 characters."
    attributes: Optional[Any] = None
    "The caller's own attributes: an object of at most 4,000 characters as JSON."


class ForgetInput(BaseModel):
    """A memory to forget."""

    memory_id: str
    "The id of the memory."
    with_sources: bool = False
    "Also forgets the turns in which nothing else was found, as far as the viewer may forget them."


class ForgettingInput(BaseModel):
    """A plan of forgetting, or the act that it became."""

    id: str
    "The id of the plan."


class JoinChatInput(BaseModel):
    """A group, the person who is to join it, and since when."""

    chat_id: str
    "The id of the chat."
    person_id: str
    "The id of the person."
    since: Optional[datetime] = None
    "The start of the participation (default: now). Only an administrator may set it."


class LeaveChatInput(BaseModel):
    """A group, the person who leaves it, and when."""

    chat_id: str
    "The id of the chat."
    person_id: str
    "The id of the person."
    until: Optional[datetime] = None
    "The end of the participation (default: now). A time in the future is a planned end."


class MemoryInput(BaseModel):
    """A memory."""

    memory_id: str
    "The id of the memory."


class MergeEntitiesInput(BaseModel):
    """Two entities that are the same, by id or key."""

    keep: str
    "The entity to keep, by id or key (`person:ben`); it retains its key."
    merge: str
    "The entity to merge into it, by id or key."
    type_: Optional[EntityType] = Field(alias="type", default=None)
    "Required if the types of the two differ: the type that wins, which must be that of the entity to keep."


class MessageInput(BaseModel):
    """A message."""

    content: str
    "The text of the message; may be empty if there are attachments."
    speaker_id: Optional[str] = None
    "The person who said it (default: the viewer)."
    as_assistant: Optional[bool] = None
    "Whether the persona said it instead of a person; not to be combined with `speakerId`."
    event_time: Optional[datetime] = None
    "When it was said (default: now); at most a few minutes in the future (setting `clock_skew_minutes`)."
    session_id: Optional[str] = None
    "The session it belongs to: its id, or your own name for it in this chat with this persona; a new name begins a session. Without it, the time of the message decides."
    idempotency_key: Optional[str] = None
    "A key of your own, up to 200 characters. A retry with the same key returns the result of the first request."
    tags: Optional[list[str]] = None
    "The caller's own tags, up to 200 characters each, by which a search can be filtered."
    narrative: Optional[str] = None
    "The caller's own name for the narrative that it belongs to, up to 200 characters."
    task: Optional[str] = None
    "The caller's own name for the task that it belongs to, up to 200 characters."
    source: Optional[TurnSource] = None
    "The origin of the message (default: `CONVERSATION`)."
    attributes: Optional[Any] = None
    "The caller's own attributes: an object of at most 4,000 characters as JSON."
    time_zone: Optional[str] = None
    "The time zone where it was said (`Europe/Vienna`), for the days that it names. Default: that of the speaker, the chat or the service, in this order."
    attachments: Optional[list["AttachmentInput"]] = None
    "The attachments, up to 20. Searches find the message by their text, too."


class MoveMemoryInput(BaseModel):
    """A memory and its new space."""

    memory_id: str
    "The id of the memory."
    space_id: Optional[str] = None
    "The space; null for none."


class ParticipantInput(BaseModel):
    """A participant of a new chat, and when they take part."""

    person_id: str
    "The id of the person."
    since: Optional[datetime] = None
    "The start of the participation (default: now). Only an administrator may set it."
    until: Optional[datetime] = None
    "The end of the participation (default: none)."


class PlanForgettingInput(BaseModel):
    """Which of the viewer's own memories to forget: those that match all given fields. Give at least one field besides `givenUp`. `memoryIds` cannot be combined with chats, an import or a filter."""

    memory_ids: list[str] = Field(default_factory=lambda: [])
    "Only these memories, up to 1000; memories that are no longer believed are allowed."
    chat_ids: list[str] = Field(default_factory=lambda: [])
    "Only memories that were learned in these chats, up to 100."
    import_name: Optional[str] = None
    "Only memories that the viewer imported under this name, whoever said them."
    filter_: Optional["SearchFilter"] = Field(alias="filter", default=None)
    "A filter, as in a search. Without it, archived memories are included."
    given_up: bool = False
    "Also includes memories that are no longer believed (corrected, forgotten, expired); these can only be purged."


class RecordMessageInput(BaseModel):
    """A message of a chat."""

    content: str
    "The text of the message; may be empty if there are attachments."
    speaker_id: Optional[str] = None
    "The person who said it (default: the viewer)."
    as_assistant: Optional[bool] = None
    "Whether the persona said it instead of a person; not to be combined with `speakerId`."
    event_time: Optional[datetime] = None
    "When it was said (default: now); at most a few minutes in the future (setting `clock_skew_minutes`)."
    session_id: Optional[str] = None
    "The session it belongs to: its id, or your own name for it in this chat with this persona; a new name begins a session. Without it, the time of the message decides."
    idempotency_key: Optional[str] = None
    "A key of your own, up to 200 characters. A retry with the same key returns the result of the first request."
    tags: Optional[list[str]] = None
    "The caller's own tags, up to 200 characters each, by which a search can be filtered."
    narrative: Optional[str] = None
    "The caller's own name for the narrative that it belongs to, up to 200 characters."
    task: Optional[str] = None
    "The caller's own name for the task that it belongs to, up to 200 characters."
    source: Optional[TurnSource] = None
    "The origin of the message (default: `CONVERSATION`)."
    attributes: Optional[Any] = None
    "The caller's own attributes: an object of at most 4,000 characters as JSON."
    time_zone: Optional[str] = None
    "The time zone where it was said (`Europe/Vienna`), for the days that it names. Default: that of the speaker, the chat or the service, in this order."
    attachments: Optional[list["AttachmentInput"]] = None
    "The attachments, up to 20. Searches find the message by their text, too."
    chat_id: str
    "The id of the chat."
    persona_id: Optional[str] = None
    "The persona that people talk to; each persona has sessions of its own in a chat."


class RecordMessagesInput(BaseModel):
    """Up to 100 messages of a chat, in order."""

    chat_id: str
    "The id of the chat."
    persona_id: Optional[str] = None
    "The persona that people talk to; each persona has sessions of its own in a chat."
    messages: list["MessageInput"]
    "The messages, in order."


class RememberFactInput(BaseModel):
    """A fact, its scope, and where it was said."""

    fact: "FactInput"
    "The fact."
    scope: FactScope = FactScope.PERSONAL
    "The scope: the viewer's own, or the group's."
    chat_id: Optional[str] = None
    "The chat where it was said; required for the scope `CHAT`."
    persona_id: Optional[str] = None
    "The only persona for which it counts (default: all personas)."


class RememberFactsInput(BaseModel):
    """Facts (1 to 100), their scope, and where they were said."""

    facts: list["FactInput"]
    "The facts (1 to 100), in order."
    scope: FactScope = FactScope.PERSONAL
    "The scope: the viewer's own, or the group's."
    chat_id: Optional[str] = None
    "The chat where they were said; required for the scope `CHAT`."
    persona_id: Optional[str] = None
    "The only persona for which they count (default: all personas)."


class RenameSpaceInput(BaseModel):
    """A space and its new name."""

    space_id: str
    "The id of the space."
    name: str
    "The name."


class ReplaceInBlockInput(BaseModel):
    """Words of a block, and their replacement."""

    name: str
    "The name."
    old: str
    "Words that the block contains exactly once."
    new: str
    "The words that replace them; empty to remove them."
    persona_id: Optional[str] = None
    "The persona with which the block is shared; without it, none."


class RestoreMemoryInput(BaseModel):
    """The archived memory to restore."""

    memory_id: str
    "The id of the memory."


class RunUpkeepInput(BaseModel):
    """Steps of upkeep to run, named as in `upkeepJobs`; without any, the nightly ones."""

    steps: list[str] = Field(default_factory=lambda: [])
    "The names of the steps, in order."


class SearchFilter(BaseModel):
    """Restricts a search. Several values of one field are alternatives; all given fields must match."""

    types: list[MemoryType] = Field(default_factory=lambda: [])
    "Only memories of one of these types."
    kinds: list[MemoryKind] = Field(default_factory=lambda: [])
    "Only facts of one of these kinds."
    categories: list[MemoryCategory] = Field(default_factory=lambda: [])
    "Only facts of one of these categories."
    tags: list[str] = Field(default_factory=lambda: [])
    "Only memories with all of these tags."
    sources: list[MemorySource] = Field(default_factory=lambda: [])
    "Only memories from one of these sources."
    session_ids: list[str] = Field(default_factory=lambda: [])
    "Only turns of one of these sessions."
    speaker_ids: list[str] = Field(default_factory=lambda: [])
    "Only memories of one of these speakers: ids of people, or of personas for the assistant's words."
    narratives: list[str] = Field(default_factory=lambda: [])
    "Only memories of one of these narratives."
    tasks: list[str] = Field(default_factory=lambda: [])
    "Only memories of one of these tasks."
    statuses: list[MemoryStatus] = Field(default_factory=lambda: [MemoryStatus.ACTIVE])
    "Only memories with one of these statuses. `search` takes `ACTIVE` alone; `archiveSearch` finds archived memories."
    sensitivities: list[Sensitivity] = Field(default_factory=lambda: [])
    "Only memories with one of these sensitivities."
    entities: list[str] = Field(default_factory=lambda: [])
    "Only memories that are about or name one of these entities, given by key: `person:john`."
    space_ids: list[str] = Field(default_factory=lambda: [])
    "Only memories that belong to one of these spaces; those that belong to no space are excluded."
    community: Optional[int] = None
    "Only memories that are about or name entities of this community, given by its number in the viewer's current scope. Not to be combined with `entities`."
    after: Optional[str] = None
    "Only memories of events at this time or later. ISO 8601, or a phrase: `last_week`, `yesterday`, `in May 2025`."
    before: Optional[str] = None
    "Only memories of events before this time, or before the period of the phrase begins."
    least_confidence: float = 0
    "The minimum present confidence, 0 to 1."


class SeedProfileInput(BaseModel):
    """Facts about the viewer that are known from elsewhere."""

    facts: list["FactInput"]
    "The facts (1 to 100), in order."


class SetChatSpaceInput(BaseModel):
    """A chat and its new space."""

    chat_id: str
    "The id of the chat."
    space_id: Optional[str] = None
    "The space; null for none."


class SetExtractionInput(BaseModel):
    """A chat, and which statements are extracted from what is said there from now on."""

    chat_id: str
    "The id of the chat."
    extraction: ExtractionMode
    "Which statements are extracted from now on."


class SetPortableInput(BaseModel):
    """Whether a memory is of use outside the chat where it was said."""

    memory_id: str
    "The id of the memory."
    portable: bool
    "Whether it is of use outside the chat where it was said."


class SetSensitivityInput(BaseModel):
    """A memory and its new sensitivity."""

    memory_id: str
    "The id of the memory."
    sensitivity: Sensitivity
    "The sensitivity, which limits where and to whom the memory is shown."


class SetTimeZoneInput(BaseModel):
    """A time zone, for the viewer's account or for a chat."""

    time_zone: Optional[str] = None
    "A name from the IANA database, such as `Europe/Vienna`; null if unknown."
    chat_id: Optional[str] = None
    "The chat that gets this time zone; without it, the viewer's account does."


class SetTodoStatusInput(BaseModel):
    """A todo and its new status."""

    todo_id: str
    "The id of the todo."
    status: TodoStatus
    "The new status."


class ShareMemoryInput(BaseModel):
    """A memory of the viewer's own, and the group that gets a copy of it."""

    memory_id: str
    "The id of the memory."
    chat_id: str
    "The id of the chat."


class SummarizeSessionInput(BaseModel):
    """The session to summarise."""

    session_id: str
    "The id of the session."


class UnmergeEntitiesInput(BaseModel):
    """The merge to take back."""

    merge_id: str
    "The id of the merge to undo."


class UnshareMemoryInput(BaseModel):
    """A memory of the viewer's own, and the group from which its copy is taken back."""

    memory_id: str
    "The id of the memory."
    chat_id: Optional[str] = None
    "The group (default: all groups)."


class UpdatePersonInput(BaseModel):
    """A person and their new name."""

    person_id: str
    "The id of the person."
    name: str
    "The new name. The former name becomes an alias; the key stays."


class UpdateUserStateInput(BaseModel):
    """A value for a key of the viewer's state, from a moment on."""

    key: str
    "The key: any text of up to 100 characters; case makes no difference."
    value: str
    "The value, up to 2,000 characters."
    persona_id: Optional[str] = None
    "The persona that the value is for; without it, the value is for all."
    for_groups: Optional[bool] = None
    "Whether it also appears in the contexts of groups, where an assistant answers to all members; `name` and `preferred_address` always do. Default: false for a new value; an unchanged value keeps its setting."
    valid_from: Optional[datetime] = None
    "Since when the value holds (default: now). If that is in the past, it holds until the next value begins, and it replaces a value that begins at the same time."


class WordsInput(BaseModel):
    """A memory, and new words or tags for it."""

    memory_id: str
    "The id of the memory."
    content: Optional[str] = None
    "The new words; `updateMemory` may omit them if it is given tags."
    value: Optional[str] = None
    "The value that is compared under its aspect (`Brightwater`), if it has one (default: the words)."
    tags: Optional[list[str]] = None
    "For `updateMemory`: the tags that replace its present ones; without them, it keeps those."


class WriteBlockInput(BaseModel):
    """The new content of a block."""

    name: str
    "The name, up to 100 characters; case makes no difference."
    content: str
    "The text."
    description: Optional[str] = None
    "A description of what belongs in the block, up to 500 characters. Without it, the description stays as it was."
    for_groups: Optional[bool] = None
    "Whether the block also appears in the contexts of groups, where an assistant answers to all members. Without it, the setting stays as it was; it is false for a new block."
    version: Optional[int] = None
    "The version to overwrite. Without it, the block must not exist yet."
    persona_id: Optional[str] = None
    "The persona with which the block is shared; without it, none."


CreateChatInput.model_rebuild()
MessageInput.model_rebuild()
PlanForgettingInput.model_rebuild()
RecordMessageInput.model_rebuild()
RecordMessagesInput.model_rebuild()
RememberFactInput.model_rebuild()
RememberFactsInput.model_rebuild()
SeedProfileInput.model_rebuild()
