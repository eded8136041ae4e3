"""What was said in a session, as an extractor and consolidation take it. Plain values from one row of the graph."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from hippograph.graph.database import Row
from hippograph.graph.model import ChatKind, EntityType, ExtractionMode, Sensitivity, SourceRole
from hippograph.graph.writing.fact import Subject
from hippograph.graph.writing.fact_claims import Home
from hippograph.graph.zones import wall_clock
from hippograph.nlp.attachments import own_words
from hippograph.nlp.extraction.protocol import Dialogue
from hippograph.nlp.extraction.statements import Said


@dataclass(frozen=True, slots=True)
class TranscriptTurn:
    """A turn of a session, the `turn`th; with a `title` it was read out, `confided` is to be kept from somebody."""

    id: str
    turn: int
    content: str
    title: str | None
    speaker_id: str
    event_time: datetime
    created_at: datetime
    time_zone: str
    confided: bool

    @property
    def said(self) -> datetime:
        """When it was said by the clock of who said it."""
        return wall_clock(self.event_time, self.time_zone)


@dataclass(frozen=True, slots=True)
class TranscriptChat:
    """The chat of a session, and which statements are extracted there."""

    id: str
    kind: ChatKind
    owner_id: str
    scope: str
    extraction: ExtractionMode


@dataclass(frozen=True, slots=True)
class Present:
    """Who is there where something is said: in a chat, or outside of chats with the id of whoever tells it."""

    chat: str
    people: Sequence[Subject]

    @property
    def full_names(self) -> list[str]:
        """Their names."""
        return [person.name for person in self.people if person.name]

    def called(self, name: str, speaker_id: str) -> Subject | None:
        """Who is there under this full name, rather the speaker than a namesake; of two others nobody can tell."""
        so_called = [person for person in self.people if person.name == name]
        own = [person for person in so_called if person.id == speaker_id]
        return own[0] if own else so_called[0] if len(so_called) == 1 else None


@dataclass(frozen=True, slots=True)
class Transcript:
    """What was said in a session, or (not `whole`) what is new behind a few turns before it.

    `read` is the number of the last turn that was read before; `statements` and `dropped` are what was found then.
    `by_model` says whether a language model has read all of it.
    """

    chat: TranscriptChat
    participants: Sequence[Subject]
    turns: Sequence[TranscriptTurn]
    whole: bool
    by_model: bool
    read: int
    turn_count: int
    statements: int
    dropped: Counter[str]

    @property
    def dialogue(self) -> Dialogue:
        """As an extractor takes it."""
        names = {person.id: person.name for person in self.participants}
        turns = [
            Said(None if turn.title else names.get(turn.speaker_id), turn.said, turn.content) for turn in self.turns
        ]
        return Dialogue(turns, self.present.full_names, self.whole)

    @property
    def present(self) -> Present:
        """Who takes part."""
        return Present(self.chat.id, self.participants)


def transcript_of(row: Row) -> Transcript:
    """The transcript of a row of `consolidation/transcript`."""
    return Transcript(
        chat=chat_of(row["chat"]),
        participants=[
            Subject(person["id"], person["key"], EntityType.PERSON, person["canonical_name"])
            for person in row["participants"]
        ],
        turns=[turn_of(**turn) for turn in row["turns"]],
        whole=row["whole"],
        by_model=row["by_model"],
        read=row["read"],
        turn_count=row["turn_count"],
        statements=row["statements"],
        dropped=Counter(dict(zip(row["reasons"], row["counts"], strict=True))),
    )


def chat_of(row: Row) -> TranscriptChat:
    """The chat of a row."""
    return TranscriptChat(**{**row, "kind": ChatKind(row["kind"]), "extraction": ExtractionMode(row["extraction"])})


def turn_of(*, content: str, attached: bool, **turn: Any) -> TranscriptTurn:
    """A turn; what was read in files that are `attached` is nobody's statement."""
    return TranscriptTurn(content=own_words(content) if attached else content, **turn)


def home_of(chat: TranscriptChat, speaker: str, private: Sensitivity) -> Home:
    """Where what somebody said in a chat belongs: in private to that person, in a group to the chat (W3). What was said
    in private is at least as `private`.
    """
    group = chat.kind is ChatKind.GROUP
    return Home(
        speaker_id=speaker,
        scope=chat.scope,
        owner_id="" if group else chat.owner_id,
        chat_id=chat.id if group else "",
        learned_in=chat.id,
        persona_id="",
        source_role=SourceRole.USER,
        derived=True,
        least_sensitivity=Sensitivity.PUBLIC if group else private,
    )
