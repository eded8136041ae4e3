"""The transcript of a session, for extraction and consolidation: plain values from one row of the graph."""

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
    """A turn of a session. `turn` is its number there. `title` is None unless the text was not said in talk, such as a
    document. A `confided` turn is to be kept from somebody.
    """

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
        """The speaker's local time when it was said, written as if it were UTC."""
        return wall_clock(self.event_time, self.time_zone)


@dataclass(frozen=True, slots=True)
class TranscriptChat:
    """The chat of a session; `extraction` says which statements are extracted there."""

    id: str
    kind: ChatKind
    owner_id: str
    scope: str
    extraction: ExtractionMode


@dataclass(frozen=True, slots=True)
class Present:
    """The people present where something is said. `chat` is the id of the chat, outside chats that of the speaker."""

    chat: str
    people: Sequence[Subject]

    @property
    def full_names(self) -> list[str]:
        """The full names of those who have one."""
        return [person.name for person in self.people if person.name]

    def called(self, name: str, speaker_id: str) -> Subject | None:
        """The person with this full name: the speaker before a namesake; None if nobody or several others have it."""
        so_called = [person for person in self.people if person.name == name]
        own = [person for person in so_called if person.id == speaker_id]
        return own[0] if own else so_called[0] if len(so_called) == 1 else None


@dataclass(frozen=True, slots=True)
class Transcript:
    """The turns of a session: all of them if `whole`, else the new ones after a few earlier ones for context.

    `read` is the number of the last turn that was read before. `statements` is the number of statements found so far,
    `dropped` the number of dropped ones by reason. `by_model` says whether a language model has read all turns.
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
        """The input of an extractor."""
        names = {person.id: person.name for person in self.participants}
        turns = [
            Said(None if turn.title else names.get(turn.speaker_id), turn.said, turn.content) for turn in self.turns
        ]
        return Dialogue(turns, self.present.full_names, self.whole)

    @property
    def present(self) -> Present:
        """The participants."""
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
    """A turn. If files are `attached`, the text read in them is left out, since it is nobody's statement."""
    return TranscriptTurn(content=own_words(content) if attached else content, **turn)


def home_of(chat: TranscriptChat, speaker: str, private: Sensitivity) -> Home:
    """The home of facts from what somebody said in a chat: they belong to the chat's owner in private, and to the chat
    in a group (W3). Facts from a private chat are at least of sensitivity `private`.
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
