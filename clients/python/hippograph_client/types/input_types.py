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
    """The group in which the viewer wants to take part."""

    chat_id: str
    "The id of the chat."


class AddAliasInput(BaseModel):
    """A person and what else they are called."""

    person_id: str
    "The id of the person."
    alias: str
    "What else they are called."


class AddTodoInput(BaseModel):
    """Something to do, set by hand."""

    content: str
    "Up to 500 characters."
    kind: TodoKind = TodoKind.COMMITMENT
    "What sort it is."
    due_at: Optional[datetime] = None
    "When; midnight means the day."
    persona_id: Optional[str] = None
    "The persona it belongs to; none without it."


class AppendToBlockInput(BaseModel):
    """A line for the end of a block."""

    name: str
    "Of a block; of one that is not there a new one is made."
    text: str
    "What to add."
    persona_id: Optional[str] = None
    "With whom it is shared; without it with no persona."


class AttachmentInput(BaseModel):
    """Something that was sent along with a message: what is known of it, and not its bytes."""

    kind: AttachmentKind
    "What sort it is."
    name: Optional[str] = None
    "The name of the file, up to 255 characters. Square brackets in it become round."
    caption: Optional[str] = None
    "What its sender wrote below it, in one line: up to 2,000 characters."
    text: Optional[str] = None
    "What was read in it. With the words of the message it may be as long as these may be."
    address: Optional[str] = None
    "Where it is, `http`, `https` or `file`, up to 2,048 characters. Nobody asks for it."


class CloseSessionInput(BaseModel):
    """Which open session is to end: that of a chat, with a persona or with none."""

    chat_id: str
    "The id of the chat."
    persona_id: Optional[str] = None
    "The id of the persona; none without it."


class ConsolidateSessionInput(BaseModel):
    """Which session is to be worked out."""

    session_id: str
    "The id of the session."


class CreateChatInput(BaseModel):
    """A new chat."""

    kind: ChatKind
    "What sort it is."
    title: str
    "The title."
    participants: Optional[list["ParticipantInput"]] = None
    "A private chat has exactly one person, a group one or more; without it the viewer alone."
    extraction: ExtractionMode = ExtractionMode.ALL
    "Which statements are extracted from what is said there."
    once: bool = False
    "Gives the person's private chat of this title as it is, where there is one."


class CreatePersonInput(BaseModel):
    """A new person."""

    name: str
    "The name."
    usernames: list[str] = Field(default_factory=lambda: [])
    "The names by which `@name` is to mention them; nobody else's."


class CreatePersonaInput(BaseModel):
    """A persona that is to be there."""

    name: str
    "The name."


class CreateSpaceInput(BaseModel):
    """A new space."""

    name: str
    "The name."
    chat_id: Optional[str] = None
    "The group whose space it is to be; without it the viewer's own."


class DecideErasureInput(BaseModel):
    """What becomes of the words that an erasure left to be decided."""

    id: str
    "The id by which `node(id:)` finds it, the same in every answer."
    confirm: bool
    "The names go; else all stays as it is, and the plan is forgotten."
    places: Optional[list[str]] = None
    "The ids of the places where the names are taken out when it is confirmed. Without it, all places."


class DeclineInvitationInput(BaseModel):
    """The group in which the viewer does not want to take part."""

    chat_id: str
    "The id of the chat."


class DeleteBlockInput(BaseModel):
    """Which block is to go."""

    name: str
    "The name."
    version: Optional[int] = None
    "The version that was read; another one is a conflict. Any without it."
    persona_id: Optional[str] = None
    "With whom it is shared; without it with no persona."


class DeleteSpaceInput(BaseModel):
    """A space to which nothing belongs."""

    space_id: str
    "The id of the space."


class DismissMergeInput(BaseModel):
    """Two entities that are not the same, by id or key."""

    one: str
    "The one."
    other: str
    "The other."


class ErasePersonInput(BaseModel):
    """Who is to be erased, and what becomes of what others said of them."""

    person_id: str
    "The id of the person."
    others_words: bool = True
    "What others said of nobody else goes too; else it stays without the person's names, as what is about others as well always does."
    dry_run: bool = False
    "Count what would go, and change nothing."
    confirm: bool = False
    "What would be left to be decided goes too, as a dry run showed it. For administrators."


class FactInput(BaseModel):
    """A statement that stands for itself, and what is said of it."""

    content: str
    "The words."
    about: list[str] = Field(default_factory=lambda: [])
    "Whom or what it is about, the primary one first: ids, or keys such as `person:ben`. Without any it is about the viewer, or as a group's about the group."
    kind: MemoryKind = MemoryKind.KNOWLEDGE
    "Preferences, identity, relationships and knowledge are kept for good, the others for days."
    type_: MemoryType = Field(alias="type", default=MemoryType.SEMANTIC)
    "What sort of statement it is."
    category: Optional[MemoryCategory] = None
    "Else it is inferred."
    fact_type: FactType = FactType.FACT
    "What it does: states, prefers, relates, complains, or tells a habit."
    aspect: Optional[str] = None
    "The normalised predicate (`lives_in`): the same aspect of the same subject has one value at a time. Without it it is read off the words where they are clear; else only the same words, or words that mean the same, are a repetition."
    value: Optional[str] = None
    "What is compared under the aspect; else the words."
    sensitivity: Optional[Sensitivity] = None
    "Else guessed from the words."
    portable: Optional[bool] = None
    "Else guessed from the words; and false for what is told in private of another person who has an account or takes part in a chat."
    importance: int = 1
    "0 trivial, 1 standard, 2 significant, 3 core identity."
    confidence: float = 1
    "How sure it is, 0 to 1."
    event_time: Optional[datetime] = None
    "When it happened or is to be."
    event_precision: Optional[EventPrecision] = None
    "How exactly that is known; else midnight is a day, and any other time a minute."
    valid_from: Optional[datetime] = None
    "Since when it holds; else now."
    valid_until: Optional[datetime] = None
    "Until when it held; else it does."
    ttl_seconds: Optional[int] = None
    "A lifetime in place of its kind's."
    tags: list[str] = Field(default_factory=lambda: [])
    "Words of the caller's own, by which a search can be narrowed."
    evidence_ids: list[str] = Field(default_factory=lambda: [])
    "Turns from which it follows."
    source: FactSource = FactSource.AGENT
    "Where it came from."
    narrative: Optional[str] = None
    "A word of the caller's own for the narrative that it belongs to."
    task: Optional[str] = None
    "A word of the caller's own for the task that it belongs to."
    attributes: Optional[Any] = None
    "An object of the caller's own, of at most 4,000 characters as JSON."


class ForgetInput(BaseModel):
    """A memory that is to be forgotten."""

    memory_id: str
    "The id of the memory."
    with_sources: bool = False
    "Forget as well the turns in which nothing else was found, as far as the viewer may."


class ForgettingInput(BaseModel):
    """A plan of forgetting, or what became of it."""

    id: str
    "The id of the plan."


class JoinChatInput(BaseModel):
    """Who is to take part in which group, and since when."""

    chat_id: str
    "The id of the chat."
    person_id: str
    "The id of the person."
    since: Optional[datetime] = None
    "Now without it; only an administrator may say another."


class LeaveChatInput(BaseModel):
    """Whose part in which group ends, and when."""

    chat_id: str
    "The id of the chat."
    person_id: str
    "The id of the person."
    until: Optional[datetime] = None
    "Now without it."


class MemoryInput(BaseModel):
    """A memory."""

    memory_id: str
    "The id of the memory."


class MergeEntitiesInput(BaseModel):
    """Two entities that are the same, by id or key."""

    keep: str
    "The one that stays, under its key: an id, or `person:ben`."
    merge: str
    "The one that becomes part of it."
    type_: Optional[EntityType] = Field(alias="type", default=None)
    "Needed when their types differ: which wins, that of the one to keep."


class MessageInput(BaseModel):
    """What somebody said."""

    content: str
    "The words; empty for a message that is its attachments."
    speaker_id: Optional[str] = None
    "The person who said it; the viewer when nobody is named."
    as_assistant: Optional[bool] = None
    "The persona said it."
    event_time: Optional[datetime] = None
    "When it was said, with an offset; now without it."
    session_id: Optional[str] = None
    "The session it belongs to: its id, or a word of your own that names it in this chat with this persona; a new word begins one. Without it the message's time tells."
    idempotency_key: Optional[str] = None
    "A word of your own. A second try with it gives what the first gave."
    tags: Optional[list[str]] = None
    "Words of the caller's own, by which a search can be narrowed."
    narrative: Optional[str] = None
    "A word of the caller's own for the narrative that it belongs to."
    task: Optional[str] = None
    "A word of the caller's own for the task that it belongs to."
    source: Optional[TurnSource] = None
    "A conversation, without it."
    attributes: Optional[Any] = None
    "An object of the caller's own, of at most 4,000 characters as JSON."
    time_zone: Optional[str] = None
    "Where it was said (Europe/Vienna), for the days that it names; without it the speaker's, the chat's or the service's."
    attachments: Optional[list["AttachmentInput"]] = None
    "What was sent along: up to 20. It is found by its words, like the message."


class MoveMemoryInput(BaseModel):
    """A memory, and the space to which it is to belong."""

    memory_id: str
    "The id of the memory."
    space_id: Optional[str] = None
    "The space; null for none."


class ParticipantInput(BaseModel):
    """A person's part in a chat that is to be made."""

    person_id: str
    "The id of the person."
    since: Optional[datetime] = None
    "Now without it; only an administrator may say another."
    until: Optional[datetime] = None
    "For good without it."


class PlanForgettingInput(BaseModel):
    """What is to be forgotten of the viewer's own; fields add up. Give something of it, or ids alone."""

    memory_ids: list[str] = Field(default_factory=lambda: [])
    "These alone, up to 1000; also such as are believed no more."
    chat_ids: list[str] = Field(default_factory=lambda: [])
    "What was learned there."
    import_name: Optional[str] = None
    "What the viewer imported under this name, by whomever it was said."
    filter_: Optional["SearchFilter"] = Field(alias="filter", default=None)
    "As of a search. Without one what was archived goes too."
    given_up: bool = False
    "Also what is believed no more: corrected, forgotten, run out. It can only be purged."


class RecordMessageInput(BaseModel):
    """What somebody said in a chat."""

    content: str
    "The words; empty for a message that is its attachments."
    speaker_id: Optional[str] = None
    "The person who said it; the viewer when nobody is named."
    as_assistant: Optional[bool] = None
    "The persona said it."
    event_time: Optional[datetime] = None
    "When it was said, with an offset; now without it."
    session_id: Optional[str] = None
    "The session it belongs to: its id, or a word of your own that names it in this chat with this persona; a new word begins one. Without it the message's time tells."
    idempotency_key: Optional[str] = None
    "A word of your own. A second try with it gives what the first gave."
    tags: Optional[list[str]] = None
    "Words of the caller's own, by which a search can be narrowed."
    narrative: Optional[str] = None
    "A word of the caller's own for the narrative that it belongs to."
    task: Optional[str] = None
    "A word of the caller's own for the task that it belongs to."
    source: Optional[TurnSource] = None
    "A conversation, without it."
    attributes: Optional[Any] = None
    "An object of the caller's own, of at most 4,000 characters as JSON."
    time_zone: Optional[str] = None
    "Where it was said (Europe/Vienna), for the days that it names; without it the speaker's, the chat's or the service's."
    attachments: Optional[list["AttachmentInput"]] = None
    "What was sent along: up to 20. It is found by its words, like the message."
    chat_id: str
    "The id of the chat."
    persona_id: Optional[str] = None
    "The persona that people talk to here; sessions are kept apart by it."


class RecordMessagesInput(BaseModel):
    """What was said in a chat, in its order: up to 100 messages."""

    chat_id: str
    "The id of the chat."
    persona_id: Optional[str] = None
    "The persona that people talk to here; sessions are kept apart by it."
    messages: list["MessageInput"]
    "In their order."


class RememberFactInput(BaseModel):
    """A fact, whose it is, and where it was said."""

    fact: "FactInput"
    "The fact."
    scope: FactScope = FactScope.PERSONAL
    "Whose it is."
    chat_id: Optional[str] = None
    "Where it was said."
    persona_id: Optional[str] = None
    "For one persona only."


class RememberFactsInput(BaseModel):
    """Facts, up to 100, whose they are, and where they were said."""

    facts: list["FactInput"]
    "The facts, in their order."
    scope: FactScope = FactScope.PERSONAL
    "Whose it is."
    chat_id: Optional[str] = None
    "Where they were said."
    persona_id: Optional[str] = None
    "For one persona only."


class RenameSpaceInput(BaseModel):
    """A space, and how it is to be called."""

    space_id: str
    "The id of the space."
    name: str
    "The name."


class ReplaceInBlockInput(BaseModel):
    """Words of a block, and what is to stand in their place."""

    name: str
    "The name."
    old: str
    "What the block holds exactly once."
    new: str
    "Empty to take the words out."
    persona_id: Optional[str] = None
    "With whom it is shared; without it with no persona."


class RestoreMemoryInput(BaseModel):
    """A memory in the archive."""

    memory_id: str
    "The id of the memory."


class RunUpkeepInput(BaseModel):
    """Steps of upkeep, as `upkeepJobs` names them; without any, those of the night."""

    steps: list[str] = Field(default_factory=lambda: [])
    "Their names, in order."


class SearchFilter(BaseModel):
    """What a search is narrowed to. Several values of one field are alternatives; fields add up."""

    types: list[MemoryType] = Field(default_factory=lambda: [])
    "Of one of these sorts."
    kinds: list[MemoryKind] = Field(default_factory=lambda: [])
    "Facts of one of these kinds."
    categories: list[MemoryCategory] = Field(default_factory=lambda: [])
    "Of one of these categories."
    tags: list[str] = Field(default_factory=lambda: [])
    "All of them must be there."
    sources: list[MemorySource] = Field(default_factory=lambda: [])
    "From one of these."
    session_ids: list[str] = Field(default_factory=lambda: [])
    "Turns of one of these sessions."
    speaker_ids: list[str] = Field(default_factory=lambda: [])
    "People, and personas for the assistant's words."
    narratives: list[str] = Field(default_factory=lambda: [])
    "Of one of these narratives."
    tasks: list[str] = Field(default_factory=lambda: [])
    "Of one of these tasks."
    statuses: list[MemoryStatus] = Field(default_factory=lambda: [MemoryStatus.ACTIVE])
    "`ACTIVE`; what was archived is found by `archiveSearch` alone."
    sensitivities: list[Sensitivity] = Field(default_factory=lambda: [])
    "To be shown as carefully as one of these."
    entities: list[str] = Field(default_factory=lambda: [])
    "Keys of what it is about or names: `person:john`."
    space_ids: list[str] = Field(default_factory=lambda: [])
    "What belongs to these spaces; nothing of none."
    community: Optional[int] = None
    "The number of a community where the viewer stands: what is about its entities or names them. Instead of `entities`."
    after: Optional[str] = None
    "When it happened: then or later. ISO 8601, or a phrase: `last_week`, `yesterday`, `in May 2025`."
    before: Optional[str] = None
    "When it happened: earlier than that, or before the phrase's stretch begins."
    least_confidence: float = 0
    "At least so sure, 0 to 1."


class SeedProfileInput(BaseModel):
    """What is known of the viewer from elsewhere."""

    facts: list["FactInput"]
    "The facts, in their order."


class SetChatSpaceInput(BaseModel):
    """A chat, and the space to which it is to belong."""

    chat_id: str
    "The id of the chat."
    space_id: Optional[str] = None
    "The space; null for none."


class SetExtractionInput(BaseModel):
    """A chat, and which statements are to be extracted from what is said there from now on."""

    chat_id: str
    "The id of the chat."
    extraction: ExtractionMode
    "Which statements are extracted from what is said."


class SetPortableInput(BaseModel):
    """Whether a memory is of use outside the chat where it was said."""

    memory_id: str
    "The id of the memory."
    portable: bool
    "Whether it is of use outside the chat where it was said."


class SetSensitivityInput(BaseModel):
    """How carefully a memory is to be shown from now on."""

    memory_id: str
    "The id of the memory."
    sensitivity: Sensitivity
    "How carefully it is to be shown."


class SetTimeZoneInput(BaseModel):
    """A time zone, and whose it is."""

    time_zone: Optional[str] = None
    "Europe/Vienna; null when nobody knows."
    chat_id: Optional[str] = None
    "The chat where people talk there; without it the viewer's account."


class SetTodoStatusInput(BaseModel):
    """Which todo is open, done or dropped from now on."""

    todo_id: str
    "The id of the todo."
    status: TodoStatus
    "What it is now."


class ShareMemoryInput(BaseModel):
    """A memory of the viewer's own, and the group that is to have a copy of it."""

    memory_id: str
    "The id of the memory."
    chat_id: str
    "The id of the chat."


class SummarizeSessionInput(BaseModel):
    """Which session is to be summarised."""

    session_id: str
    "The id of the session."


class UnmergeEntitiesInput(BaseModel):
    """A merge."""

    merge_id: str
    "The id of the merge, by which `unmergeEntities` takes it back."


class UnshareMemoryInput(BaseModel):
    """A memory of the viewer's own, and the group from which its copy is taken back."""

    memory_id: str
    "The id of the memory."
    chat_id: Optional[str] = None
    "The group; without it all groups."


class UpdatePersonInput(BaseModel):
    """A person and their new name."""

    person_id: str
    "The id of the person."
    name: str
    "The name before becomes an alias; the key stays."


class UpdateUserStateInput(BaseModel):
    """What a key of the viewer's state is from a moment on."""

    key: str
    "Any text of up to 100 characters; case makes no difference."
    value: str
    "Up to 2,000 characters."
    persona_id: Optional[str] = None
    "The persona it is for; for all without it."
    for_groups: Optional[bool] = None
    "Whether it stands in the contexts of groups too, from which an assistant answers to all of them; `name` and `preferred_address` do anyway. Without it another value is not."
    valid_from: Optional[datetime] = None
    "Since when it is so; from now on without it. In the past it holds until the next value begins; where another begins, it takes that one's place."


class WordsInput(BaseModel):
    """A memory and other words for it, or other tags."""

    memory_id: str
    "The id of the memory."
    content: Optional[str] = None
    "The words; `updateMemory` may leave them out where it is given tags."
    value: Optional[str] = None
    "What is compared under its aspect (`Brightwater`), if it has one; else the words."
    tags: Optional[list[str]] = None
    "For `updateMemory`: its tags from now on; without them it keeps those that it has."


class WriteBlockInput(BaseModel):
    """What a block is to hold."""

    name: str
    "Up to 100 characters; case makes no difference."
    content: str
    "The words."
    description: Optional[str] = None
    "What belongs in the block. Without it, the description stays as it was."
    for_groups: Optional[bool] = None
    "Whether it stands in the contexts of groups too, from which an assistant answers to all of them. As it was without; of a new one false."
    version: Optional[int] = None
    "The version that is to be written over; without it there must be no such block."
    persona_id: Optional[str] = None
    "With whom it is shared; without it with no persona."


CreateChatInput.model_rebuild()
MessageInput.model_rebuild()
PlanForgettingInput.model_rebuild()
RecordMessageInput.model_rebuild()
RecordMessagesInput.model_rebuild()
RememberFactInput.model_rebuild()
RememberFactsInput.model_rebuild()
SeedProfileInput.model_rebuild()
