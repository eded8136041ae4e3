"""What readers of foreign formats give, and what they share: the check of each turn, and names of people."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from enum import StrEnum
from typing import Final

from hippograph.graph.checks import MAX_NAME
from hippograph.graph.writing.dialogue_file import DialogueFile, FileDialogue, FilePerson, FileTurn
from hippograph.nlp.errors import BadText
from hippograph.nlp.text import check_text, slug

_NO_LIMIT: Final = 2**31
"""Characters; how long a turn may be is for the import, which makes parts of a long one."""


class Format(StrEnum):
    """A format that is recognised."""

    CHATGPT = "chatgpt"
    CLAUDE = "claude"
    CLAUDE_CODE = "claude-code"
    DIALOGUES = "dialogues"
    DOCUMENTS = "documents"
    JSONL = "jsonl"
    LETTA = "letta"
    MARKDOWN = "markdown"
    MEM0 = "mem0"
    SLACK = "slack"
    TELEGRAM = "telegram"
    WHATSAPP = "whatsapp"
    ZEP = "zep"


class DateOrder(StrEnum):
    """How the day, the month and the year stand in a date."""

    DMY = "dmy"
    MDY = "mdy"
    YMD = "ymd"


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """What a file does not say itself: the present moment, after which nothing in it was said; the time zone of times
    without one (None: this machine's); the order of dates, where it shall not be inferred; who in it is whoever imports
    it, where it shall not be read off; and whether what `tools` answered an agent is talk too.
    """

    now: datetime
    zone: tzinfo | None = None
    date_order: DateOrder | None = None
    me: str | None = None
    tools: bool = False

    def utc(self, local: datetime) -> datetime:
        """The moment of a time of the zone."""
        return (local.replace(tzinfo=self.zone) if self.zone else local).astimezone(UTC)


@dataclass(frozen=True, slots=True)
class Skipped:
    """Something that is not imported: where it stands in the file, and why. What is `damaged` was to be imported."""

    place: str
    reason: str
    damaged: bool = False


@dataclass(frozen=True, slots=True)
class Statement:
    """A memory that somebody kept as text: its words, the headings above it, the day it is of, and where it stands; and
    since when and until when it holds, where that is told.
    """

    text: str
    headings: tuple[str, ...]
    day: datetime | None
    place: str
    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """A document under its path in what is imported, and its pieces in their order."""

    name: str
    pieces: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """What a file holds. `name` is what its ids are derived from, the same for a later export of the same chats; `me`
    is the speaker who is whoever exported it, where the file says so; `notes` are what to know before an import.
    `there` are the names of all documents, those too that cannot be read.
    """

    format: Format
    name: str
    content: DialogueFile = field(default_factory=DialogueFile)
    statements: tuple[Statement, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    me: str | None = None
    notes: tuple[str, ...] = ()
    documents: tuple[Document, ...] = ()
    there: tuple[str, ...] = ()


class Collector:
    """Gathers the turns of a file, and what of it is skipped."""

    def __init__(self, options: ReadOptions) -> None:
        self.dialogues: list[FileDialogue] = []
        self.skipped: list[Skipped] = []
        self._now = options.now
        self._turns: list[FileTurn] = []
        self._ids: set[str] = set()

    def skip(self, place: str, reason: str, *, damaged: bool = False) -> None:
        """Notes what is not imported."""
        self.skipped.append(Skipped(place, reason, damaged))

    def turn(self, place: str, turn: FileTurn) -> None:
        """Adds a turn to the dialogue that is read, or skips it when it cannot be stored."""
        if refused := self._refusal(turn):
            self.skip(place, refused)
            return
        self._ids.add(turn.id)
        self._turns.append(turn)

    def _refusal(self, turn: FileTurn) -> str | None:
        if not turn.text.strip() and not turn.attachments:
            return "no text"
        if turn.time > self._now:
            return "its time lies in the future"
        if turn.id in self._ids:
            return "its id was there already"
        try:
            if turn.text.strip():
                check_text(turn.text, limit=_NO_LIMIT)
        except BadText as error:
            return str(error)
        return None

    def take_turns(self) -> list[FileTurn]:
        """The turns since the last call, of one dialogue, in the order of their times."""
        turns, self._turns, self._ids = self._turns, [], set()
        return sorted(turns, key=lambda turn: turn.time)


class Names:
    """Gives each account of a file a name of its own, under which it can be stored: namesakes get their id."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._usernames: dict[str, str | None] = {}
        self._taken: set[str] = set()

    def of(self, account: str, shown: str, username: str | None = None) -> str:
        """The name of an account, by the first name under which it was seen."""
        if account not in self._names:
            name = person_name(shown, account)
            self._names[account] = name if name.casefold() not in self._taken else f"{name[:150]} ({account[:40]})"
            self._usernames[account] = username or None
            self._taken.add(self._names[account].casefold())
        return self._names[account]

    def people(self, spoken: Iterable[str]) -> list[FilePerson]:
        """Those of the accounts whose names speak, as people of a file."""
        speakers = set(spoken)
        found = [(account, name) for account, name in self._names.items() if name in speakers]
        return [FilePerson(name, self._usernames[account], id=account) for account, name in found]


def person_name(shown: str, otherwise: str = "") -> str:
    """The name as it can be stored: on one line, not too long, with a letter or a digit in it."""
    name = one_line(shown).lstrip("@~ ")
    return name if slug(name) else one_line(f"Unnamed {name or otherwise}")


def one_line(text: str) -> str:
    """The text on one line without invisible characters, cut to the length of a name."""
    printable = "".join(character if character.isprintable() else " " for character in text)
    return " ".join(printable.split())[:MAX_NAME].strip()


def speakers_of(dialogues: Iterable[FileDialogue]) -> set[str]:
    """The names of all who speak."""
    return {turn.speaker for dialogue in dialogues for turn in dialogue.turns}
