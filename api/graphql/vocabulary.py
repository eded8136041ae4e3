"""GraphQL enums for the small vocabularies of the domain."""

from enum import StrEnum

import strawberry


@strawberry.enum(
    description="The kind of fact that a memory holds, which determines its lifetime (setting `ttl_days`). Turns "
    "have none."
)
class MemoryKind(StrEnum):
    """Kind of a fact, which determines its lifetime."""

    PREFERENCE = "preference"
    IDENTITY = "identity"
    RELATIONSHIP = "relationship"
    KNOWLEDGE = "knowledge"
    CONTEXT = "context"
    EVENT = "event"
    TASK = "task"
    OBSERVATION = "observation"


@strawberry.enum(description="The area that a fact belongs to.")
class MemoryCategory(StrEnum):
    """Area that a fact belongs to."""

    PROFILE = "profile"
    PEOPLE = "people"
    PROJECT = "project"


@strawberry.enum(
    description="The type of statement that a fact makes: a plain fact, a preference, a relationship, a complaint, "
    "or a habit."
)
class FactType(StrEnum):
    """Type of statement that a fact makes."""

    FACT = "fact"
    PREFERENCE = "preference"
    RELATIONSHIP = "relationship"
    FRICTION = "friction"
    HABIT = "habit"


@strawberry.enum(description="Whether a memory is in use or archived.")
class MemoryStatus(StrEnum):
    """Whether a memory is in use or archived."""

    ACTIVE = "active"
    ARCHIVED = "archived"


@strawberry.enum(description="The origin of a memory.")
class MemorySource(StrEnum):
    """Origin of a memory."""

    CONVERSATION = "conversation"
    TOOL_RESULT = "tool_result"
    EXTRACTION = "extraction"
    CONSOLIDATION = "consolidation"
    AGENT = "agent"
    NARRATIVE = "narrative"
    MIGRATION = "migration"
    SEEDED_PROFILE = "seeded_profile"
    CURATED_FOLD = "curated_fold"


@strawberry.enum(description="The origin of a turn.")
class TurnSource(StrEnum):
    """Origin of a turn."""

    CONVERSATION = "conversation"
    TOOL_RESULT = "tool_result"


@strawberry.enum(description="The origin of a fact that is stored directly, not extracted.")
class FactSource(StrEnum):
    """Origin of a fact that is stored directly and not extracted."""

    AGENT = "agent"
    TOOL_RESULT = "tool_result"
    NARRATIVE = "narrative"


@strawberry.enum(description="Why a memory was retired, that is, is no longer believed.")
class RetirementReason(StrEnum):
    """Why a memory was retired."""

    CORRECTED = "corrected"
    FORGOTTEN = "forgotten"
    EXPIRED = "expired"
    FADED = "faded"
    FOLDED = "folded"
