from enum import Enum


class AccessLabel(str, Enum):
    SENSITIVITY = "SENSITIVITY"
    PORTABLE = "PORTABLE"


class AttachmentKind(str, Enum):
    PHOTO = "PHOTO"
    VIDEO = "VIDEO"
    AUDIO = "AUDIO"
    FILE = "FILE"


class ChatKind(str, Enum):
    PRIVATE = "PRIVATE"
    GROUP = "GROUP"


class ContextLeftOut(str, Enum):
    BUDGET = "BUDGET"
    REPEATED = "REPEATED"
    IRRELEVANT = "IRRELEVANT"


class ContextReason(str, Enum):
    BLOCK = "BLOCK"
    STATE = "STATE"
    PINNED = "PINNED"
    SPINE = "SPINE"
    SUMMARY = "SUMMARY"
    TODO = "TODO"
    CARD = "CARD"
    FOUND = "FOUND"
    PROFILE = "PROFILE"
    SOURCE = "SOURCE"


class ContextSection(str, Enum):
    BLOCKS = "BLOCKS"
    STATE = "STATE"
    PINNED = "PINNED"
    SPINE = "SPINE"
    SUMMARIES = "SUMMARIES"
    TODOS = "TODOS"
    FACTS = "FACTS"
    PROFILES = "PROFILES"
    TEMPORAL = "TEMPORAL"
    EVIDENCE = "EVIDENCE"


class EntityType(str, Enum):
    PERSON = "PERSON"
    PROJECT = "PROJECT"
    ORGANIZATION = "ORGANIZATION"
    PLACE = "PLACE"
    CONCEPT = "CONCEPT"
    TOOL = "TOOL"


class EventPrecision(str, Enum):
    MINUTE = "MINUTE"
    DAY = "DAY"
    MONTH = "MONTH"
    YEAR = "YEAR"


class ExtractionMode(str, Enum):
    ALL = "ALL"
    FIRST_PERSON = "FIRST_PERSON"
    OFF = "OFF"


class FactScope(str, Enum):
    PERSONAL = "PERSONAL"
    CHAT = "CHAT"


class FactSource(str, Enum):
    AGENT = "AGENT"
    TOOL_RESULT = "TOOL_RESULT"
    NARRATIVE = "NARRATIVE"


class FactType(str, Enum):
    FACT = "FACT"
    PREFERENCE = "PREFERENCE"
    RELATIONSHIP = "RELATIONSHIP"
    FRICTION = "FRICTION"
    HABIT = "HABIT"


class ForgettingStatus(str, Enum):
    PLANNED = "PLANNED"
    FORGETTING = "FORGETTING"
    FORGOTTEN = "FORGOTTEN"
    UNDOING = "UNDOING"
    UNDONE = "UNDONE"
    PURGING = "PURGING"
    PURGED = "PURGED"


class Intent(str, Enum):
    WHY = "WHY"
    WHEN = "WHEN"
    WHO = "WHO"
    WHAT = "WHAT"
    GENERAL = "GENERAL"


class MemoryCategory(str, Enum):
    PROFILE = "PROFILE"
    PEOPLE = "PEOPLE"
    PROJECT = "PROJECT"


class MemoryKind(str, Enum):
    PREFERENCE = "PREFERENCE"
    IDENTITY = "IDENTITY"
    RELATIONSHIP = "RELATIONSHIP"
    KNOWLEDGE = "KNOWLEDGE"
    CONTEXT = "CONTEXT"
    EVENT = "EVENT"
    TASK = "TASK"
    OBSERVATION = "OBSERVATION"


class MemorySource(str, Enum):
    CONVERSATION = "CONVERSATION"
    TOOL_RESULT = "TOOL_RESULT"
    EXTRACTION = "EXTRACTION"
    CONSOLIDATION = "CONSOLIDATION"
    AGENT = "AGENT"
    NARRATIVE = "NARRATIVE"
    MIGRATION = "MIGRATION"
    SEEDED_PROFILE = "SEEDED_PROFILE"
    CURATED_FOLD = "CURATED_FOLD"


class MemoryStatus(str, Enum):
    ACTIVE = "ACTIVE"
    ARCHIVED = "ARCHIVED"


class MemoryType(str, Enum):
    EPISODIC = "EPISODIC"
    SEMANTIC = "SEMANTIC"
    PROCEDURAL = "PROCEDURAL"
    OPINION = "OPINION"


class RankingProfile(str, Enum):
    FUSED = "FUSED"
    STRENGTH = "STRENGTH"
    HEBBIAN = "HEBBIAN"
    BLENDED = "BLENDED"


class ReadKind(str, Enum):
    SEARCH = "SEARCH"
    CONTEXT = "CONTEXT"
    CARD = "CARD"


class RetirementReason(str, Enum):
    CORRECTED = "CORRECTED"
    FORGOTTEN = "FORGOTTEN"
    EXPIRED = "EXPIRED"
    FADED = "FADED"
    FOLDED = "FOLDED"


class SearchList(str, Enum):
    FULL_TEXT = "FULL_TEXT"
    VECTOR = "VECTOR"
    ENTITY = "ENTITY"
    PERIOD = "PERIOD"


class Sensitivity(str, Enum):
    PUBLIC = "PUBLIC"
    PERSONAL = "PERSONAL"
    SENSITIVE = "SENSITIVE"


class SourceRole(str, Enum):
    USER = "USER"
    ASSISTANT = "ASSISTANT"
    MEMORY_AGENT = "MEMORY_AGENT"


class TodoKind(str, Enum):
    COMMITMENT = "COMMITMENT"
    HABIT = "HABIT"
    THREAD = "THREAD"
    FRICTION = "FRICTION"


class TodoStanding(str, Enum):
    UPCOMING = "UPCOMING"
    DUE = "DUE"
    OVERDUE = "OVERDUE"


class TodoStatus(str, Enum):
    OPEN = "OPEN"
    DONE = "DONE"
    DROPPED = "DROPPED"


class TurnSource(str, Enum):
    CONVERSATION = "CONVERSATION"
    TOOL_RESULT = "TOOL_RESULT"
