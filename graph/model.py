"""The words of the domain as plain values: what a memory, a chat, a person is, and who is looking.

No behaviour beyond conversion lives here, and nothing here knows the database or the wire.
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
"""Stands in the graph for "no end": indexes filter on values, and a null never matches."""

START: Final = datetime(1, 1, 1, tzinfo=UTC)
"""Before everything: the lower bound of a range that leaves nothing out."""

Report: TypeAlias = Callable[[int, int, str], None]
"""Is told how much of something long is done, of how much (0: not known), and what it is."""


class MemoryType(StrEnum):
    """What sort of statement a memory is; in the graph also its label (M1)."""

    EPISODIC = "episodic"
    SEMANTIC = "semantic"
    PROCEDURAL = "procedural"
    OPINION = "opinion"


class EntityType(StrEnum):
    """What sort of thing an entity is; in the graph also its label, and the first part of its key (M3)."""

    PERSON = "person"
    PROJECT = "project"
    ORGANIZATION = "organization"
    PLACE = "place"
    CONCEPT = "concept"
    TOOL = "tool"


class ChatKind(StrEnum):
    """A private chat is one person with the assistant; a group has any number of people (M5)."""

    PRIVATE = "private"
    GROUP = "group"


class ExtractionMode(StrEnum):
    """Which statements are extracted from what is said in a chat: all; what people say of themselves; none."""

    ALL = "all"
    FIRST_PERSON = "first_person"
    OFF = "off"


class Sensitivity(StrEnum):
    """How carefully a memory is to be shown (P1, P2)."""

    PUBLIC = "public"
    PERSONAL = "personal"
    SENSITIVE = "sensitive"


class EventPrecision(StrEnum):
    """How exactly it is known when something happened: the time is the start of that stretch (M2)."""

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
"""The source of what was brought along from elsewhere, where nobody may have noted in which chat it was learned."""


@dataclass(frozen=True, slots=True)
class Viewer:
    """On whose behalf a request is made, in which chat and for which persona (P1, P5).

    It is made from credentials, whose `rights` it has. `every_persona` is of a person who looks at their own memory
    without an assistant: they see what belongs to any persona. Else, with no persona named, it is that of the chat,
    where its sessions have exactly one. In a chat they look within its space; in no chat within `space_id` (`''`:
    what is of none), or within all (None). With one given, the chats of other spaces are not there for them (P7).
    `credential` is the id of the key by which they ask, or says how they came otherwise: for the record of use (W13).
    """

    person_id: str
    chat_id: str | None = None
    persona_id: str | None = None
    rights: Rights = NO_RIGHTS
    every_persona: bool = False
    space_id: str | None = None
    credential: str = field(default="", compare=False)

    def at(self, chat_id: str | None, persona_id: str | None = None) -> "Viewer":
        """The same viewer, in a chat and for a persona; a persona that is named counts alone."""
        every_persona = self.every_persona and persona_id is None
        return replace(self, chat_id=chat_id, persona_id=persona_id, every_persona=every_persona)

    def alone(self) -> "Viewer":
        """The same viewer in no chat and for no persona."""
        return replace(self, chat_id=None, persona_id=None, every_persona=False)

    def within(self, space_id: str | None) -> "Viewer":
        """The same viewer, looking within a space, or within none (None)."""
        return replace(self, space_id=space_id or "")

    def with_every_persona(self) -> "Viewer":
        """The same viewer in the same chat, looking at what belongs to any persona."""
        return replace(self, persona_id=None, every_persona=True)


class Internal(Enum):
    """The service's own work, on nobody's behalf: it skips the checks of P4.

    A request can't name it: who asks is a `Viewer`, made from credentials.
    """

    WORK = auto()


INTERNAL: Final = Internal.WORK
Actor: TypeAlias = Viewer | Internal
"""On whose behalf something is written."""


def rights_of(actor: Actor) -> Rights:
    """What the actor may do for others; the service itself all."""
    return actor.rights if isinstance(actor, Viewer) else ALL_RIGHTS


@dataclass(frozen=True, slots=True)
class Times:
    """The two times of a read (M14): true when (`as_of`), and known when (`known_at`), both UTC."""

    as_of: datetime
    known_at: datetime


@dataclass(frozen=True, slots=True)
class Person:
    """Someone who may talk; one kind of entity."""

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
    """Where people talk (M5), and of which space that is (P7)."""

    id: str
    kind: ChatKind
    title: str
    created_at: datetime
    extraction: ExtractionMode = ExtractionMode.ALL
    space_id: str | None = None
    time_zone: str | None = None


@dataclass(frozen=True, slots=True)
class Membership:
    """One stretch of a person's part in a chat; leaving and coming back make two (M11)."""

    id: str
    person_id: str
    chat_id: str
    since: datetime
    until: datetime | None


@dataclass(frozen=True, slots=True)
class Invitation:
    """A person takes part in a group once they accept it (P6). `invited_by` is None for somebody who was erased."""

    id: str
    person_id: str
    chat_id: str
    title: str
    invited_by: str | None
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Session:
    """One stretch of one chat with one persona (M6)."""

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
    """The words that a fact was taken from: who said them, on which day where they were, and in which turn."""

    speaker: str | None
    day: date
    text: str
    memory_id: str


@dataclass(frozen=True, slots=True)
class Memory:
    """One stored statement with its labels and times (M2). None stands for "no such value" throughout.

    `quotation` is what it was taken from, where the viewer may see that, and `frame` the frame that a fact fills.
    `event_time` is the start of the stretch that `event_precision` names. `importance` is what it counts for the viewer
    (P6); `pinned` says whether anybody pinned it. `origin` is the source, its own or of what it follows from, where
    that is no talk: `tool_result` or `migration`. `time_zone` is that of a turn; None is UTC. The marks of a turn's
    `attachments` stand in its content.
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
        """The quotation, where it says more than the content."""
        return None if self.quotation is None or self.quotes(self.quotation.text) else self.quotation

    def quotes(self, words: str) -> bool:
        """Whether it holds words as they were said, but for what stands around them."""
        return words.strip(_AROUND_WORDS) in self.content
