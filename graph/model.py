"""The domain as plain values: memories, chats, people, viewers.

This module has no behaviour beyond conversion, and knows neither the database nor the APIs.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from enum import Enum, StrEnum, auto
from typing import Final, TypeAlias

from hippograph.graph.rights import ALL_RIGHTS, NO_RIGHTS, Rights
from hippograph.nlp.attachments import Attachment

KINDS: Final = ("preference", "identity", "relationship", "knowledge", "context", "event", "task", "observation")
CATEGORIES: Final = ("profile", "people", "project")
NO_END: Final = datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)
"""Value for "no end" in the graph, because indexes filter on values and a null never matches."""

START: Final = datetime(1, 1, 1, tzinfo=UTC)
"""The earliest time: the lower bound of a range that excludes nothing."""

Report: TypeAlias = Callable[[int, int, str], None]
"""Called with the progress of a long task: the amount done, the total (0 if unknown), and a description."""


class MemoryType(StrEnum):
    """The type of a memory; in the graph also its label (M1)."""

    EPISODIC = "episodic"
    SEMANTIC = "semantic"
    PROCEDURAL = "procedural"
    OPINION = "opinion"


class EntityType(StrEnum):
    """The type of an entity; in the graph also its label, and the first part of its key (M3)."""

    PERSON = "person"
    PROJECT = "project"
    ORGANIZATION = "organization"
    PLACE = "place"
    CONCEPT = "concept"
    TOOL = "tool"


class ChatKind(StrEnum):
    """The kind of a chat: a private one is one person with the assistant, a group has any number of people (M5)."""

    PRIVATE = "private"
    GROUP = "group"


class ExtractionMode(StrEnum):
    """The statements that are extracted from a chat: all, only what people say about themselves, or none."""

    ALL = "all"
    FIRST_PERSON = "first_person"
    OFF = "off"


class Sensitivity(StrEnum):
    """The sensitivity of a memory, which limits where it is shown (P1, P2)."""

    PUBLIC = "public"
    PERSONAL = "personal"
    SENSITIVE = "sensitive"


class EventPrecision(StrEnum):
    """How exactly the time of an event is known. For a day, month or year, the time is its start (M2)."""

    MINUTE = "minute"
    DAY = "day"
    MONTH = "month"
    YEAR = "year"


class SourceRole(StrEnum):
    """Whose words a memory holds."""

    USER = "user"
    ASSISTANT = "assistant"
    MEMORY_AGENT = "memory_agent"


OLD_DATA: Final = "migration"
"""The source of imported data, for which the chat in which it was learned may be unknown."""


@dataclass(frozen=True, slots=True)
class Viewer:
    """The person on whose behalf a request is made, in which chat and for which persona (P1, P5).

    A viewer is made from credentials and has their `rights`. `every_persona` is for a person who looks at their own
    memory without an assistant: they see the memories of all personas. Otherwise, if `persona_id` is None, the persona
    is that of the chat, if its sessions have exactly one. In a chat the viewer looks within its space. Outside any chat
    they look within `space_id` (`''`: what belongs to no space), or within all spaces (None). With a `space_id`, chats
    of other spaces do not exist for them (P7). `credential` is the id of the API key that was used, or names another
    way of access, for the record of use (W13).
    """

    person_id: str
    chat_id: str | None = None
    persona_id: str | None = None
    rights: Rights = NO_RIGHTS
    every_persona: bool = False
    space_id: str | None = None
    credential: str = field(default="", compare=False)

    def at(self, chat_id: str | None, persona_id: str | None = None) -> "Viewer":
        """The same viewer, in a chat and for a persona. If a persona is named, `every_persona` is cleared."""
        every_persona = self.every_persona and persona_id is None
        return replace(self, chat_id=chat_id, persona_id=persona_id, every_persona=every_persona)

    def alone(self) -> "Viewer":
        """The same viewer in no chat and for no persona."""
        return replace(self, chat_id=None, persona_id=None, every_persona=False)

    def within(self, space_id: str | None) -> "Viewer":
        """The same viewer, looking within a space, or (None) at what belongs to no space."""
        return replace(self, space_id=space_id or "")

    def with_every_persona(self) -> "Viewer":
        """The same viewer in the same chat, looking at the memories of all personas."""
        return replace(self, persona_id=None, every_persona=True)


class Internal(Enum):
    """The actor of the service's own work, on nobody's behalf; the checks of P4 are skipped for it.

    A request cannot use it, because the actor of a request is a `Viewer`, made from credentials.
    """

    WORK = auto()


INTERNAL: Final = Internal.WORK
Actor: TypeAlias = Viewer | Internal
"""The person on whose behalf something is written, or the service itself."""


def rights_of(actor: Actor) -> Rights:
    """The rights of an actor; the service itself has all."""
    return actor.rights if isinstance(actor, Viewer) else ALL_RIGHTS


@dataclass(frozen=True, slots=True)
class Times:
    """The two times of a read, in UTC: what was true at `as_of`, as it was known at `known_at` (M14)."""

    as_of: datetime
    known_at: datetime


@dataclass(frozen=True, slots=True)
class Person:
    """A person, who is one type of entity. `user_id` is their account; None if they have none."""

    id: str
    key: str
    canonical_name: str
    aliases: tuple[str, ...] = ()
    usernames: tuple[str, ...] = ()
    user_id: str | None = None


@dataclass(frozen=True, slots=True)
class Entity:
    """A real-world thing under its canonical name; what is known about it is in memories (M3, M15)."""

    id: str
    key: str
    type: EntityType
    canonical_name: str
    aliases: tuple[str, ...] = ()
    usernames: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Persona:
    """One character of the assistant (M4)."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class Chat:
    """A chat (M5), and the space that it belongs to (P7). A `time_zone` of None is unknown."""

    id: str
    kind: ChatKind
    title: str
    created_at: datetime
    extraction: ExtractionMode = ExtractionMode.ALL
    space_id: str | None = None
    time_zone: str | None = None


@dataclass(frozen=True, slots=True)
class Membership:
    """One period in which a person takes part in a chat; leaving and coming back make two (M11)."""

    id: str
    person_id: str
    chat_id: str
    since: datetime
    until: datetime | None


@dataclass(frozen=True, slots=True)
class Invitation:
    """An invitation to a group, in which the person takes part once they accept it (P6).

    `invited_by` is None if that person was erased.
    """

    id: str
    person_id: str
    chat_id: str
    title: str
    invited_by: str | None
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Session:
    """One stretch of one chat with one persona (M6). `ended_at` is None while it is open."""

    id: str
    chat_id: str
    persona_id: str | None
    started_at: datetime
    last_activity_at: datetime
    ended_at: datetime | None
    consolidated_at: datetime | None


_AROUND_WORDS: Final = " .!?…\"'“”‘’"


@dataclass(frozen=True, slots=True)
class Quotation:
    """The words that a fact was extracted from, their speaker, the day in the time zone of the turn, and its id."""

    speaker: str | None
    day: date
    text: str
    memory_id: str


@dataclass(frozen=True, slots=True)
class Memory:
    """One stored statement with its labels and times (M2). None means "no such value" in every field.

    `quotation` holds the words that it was extracted from, if the viewer may see them; `frame` is the frame that a fact
    fills. `event_time` is the start of the stretch that `event_precision` names. `importance` is the importance for the
    viewer (P6); `pinned` says whether anybody pinned it. `origin` is `tool_result` or `migration` if that is the source
    of the memory or of one that it is derived from, else None. `time_zone` is that of a turn; None is UTC. The content
    of a turn contains the marks of its `attachments`.
    """

    id: str
    type: MemoryType
    content: str
    owner_id: str | None
    chat_id: str | None
    learned_in: str | None
    persona_id: str | None
    session_id: str | None
    speaker_id: str | None
    speaker_name: str | None
    source: str
    source_role: SourceRole
    sensitivity: Sensitivity
    portable: bool
    event_time: datetime
    created_at: datetime
    valid_from: datetime
    valid_until: datetime | None
    kind: str | None = None
    category: str | None = None
    tags: tuple[str, ...] = ()
    status: str = "active"
    confidence: float = 1.0
    importance: int = 1
    fact_type: str | None = None
    pinned: bool = False
    pinned_by_viewer: bool = False
    score: int = 0
    inferred_labels: tuple[str, ...] = ()
    pending: bool = False
    entity_keys: tuple[str, ...] = field(default=())
    event_precision: EventPrecision = EventPrecision.MINUTE
    quotation: Quotation | None = None
    frame: str | None = None
    origin: str | None = None
    narrative: str | None = None
    task: str | None = None
    space_id: str | None = None
    attributes: Mapping[str, object] = field(default_factory=dict)
    time_zone: str | None = None
    attachments: tuple[Attachment, ...] = ()

    @property
    def source_words(self) -> Quotation | None:
        """The quotation, if it says more than the content; else None."""
        return None if self.quotation is None or self.quotes(self.quotation.text) else self.quotation

    def quotes(self, words: str) -> bool:
        """Whether the content holds these words literally, apart from spaces and punctuation around them."""
        return words.strip(_AROUND_WORDS) in self.content
