"""The words of the domain that are few, as enums of GraphQL."""

from enum import StrEnum

import strawberry


@strawberry.enum(description="What sort of fact a memory holds; it says how long it lasts. Turns have none.")
class MemoryKind(StrEnum):
    """What sort of fact a memory holds."""

    PREFERENCE = "preference"
    IDENTITY = "identity"
    RELATIONSHIP = "relationship"
    KNOWLEDGE = "knowledge"
    CONTEXT = "context"
    EVENT = "event"
    TASK = "task"
    OBSERVATION = "observation"


@strawberry.enum(description="What a fact belongs to.")
class MemoryCategory(StrEnum):
    """What a fact belongs to."""

    PROFILE = "profile"
    PEOPLE = "people"
    PROJECT = "project"


@strawberry.enum(description="Whether a fact states, prefers, relates, complains, or tells a habit.")
class FactType(StrEnum):
    """What a fact does."""

    FACT = "fact"
    PREFERENCE = "preference"
    RELATIONSHIP = "relationship"
    FRICTION = "friction"
    HABIT = "habit"


@strawberry.enum(description="Whether a memory is in use or put aside.")
class MemoryStatus(StrEnum):
    """Whether a memory is in use."""

    ACTIVE = "active"
    ARCHIVED = "archived"


@strawberry.enum(description="Where a memory came from.")
class MemorySource(StrEnum):
    """Where a memory came from."""

    CONVERSATION = "conversation"
    TOOL_RESULT = "tool_result"
    EXTRACTION = "extraction"
    CONSOLIDATION = "consolidation"
    AGENT = "agent"
    NARRATIVE = "narrative"
    MIGRATION = "migration"
    SEEDED_PROFILE = "seeded_profile"
    CURATED_FOLD = "curated_fold"


@strawberry.enum(description="Where a turn came from.")
class TurnSource(StrEnum):
    """Where a turn came from."""

    CONVERSATION = "conversation"
    TOOL_RESULT = "tool_result"


@strawberry.enum(description="Where a fact that is told outright came from.")
class FactSource(StrEnum):
    """Where a fact that is told outright came from."""

    AGENT = "agent"
    TOOL_RESULT = "tool_result"
    NARRATIVE = "narrative"


@strawberry.enum(description="Why a memory was given up.")
class RetirementReason(StrEnum):
    """Why a memory was given up."""

    CORRECTED = "corrected"
    FORGOTTEN = "forgotten"
    EXPIRED = "expired"
    FADED = "faded"
    FOLDED = "folded"
