"""The results of the readers of foreign formats, and what they share: the checks of turns, and names of people."""

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
"""Number of characters that no text reaches. The import limits the length of turns by splitting long ones."""


class Format(StrEnum):
    """A format that can be imported."""

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
    """The order of day, month and year in a date."""

    DMY = "dmy"
    MDY = "mdy"
    YMD = "ymd"


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """What a file does not say itself. `now` is the latest time a turn may have; `zone` is the zone of times without an
    offset (None: that of this machine); `date_order` is inferred if None; `me` is the user in the file who imports it,
    None to take it from the file; with `tools`, the results of an agent's tools are read as turns too.
    """

    now: datetime
    zone: tzinfo | None = None
    date_order: DateOrder | None = None
    me: str | None = None
    tools: bool = False

    def utc(self, local: datetime) -> datetime:
        """Converts a local time of the zone to UTC."""
        return (local.replace(tzinfo=self.zone) if self.zone else local).astimezone(UTC)


@dataclass(frozen=True, slots=True)
class Skipped:
    """An item that is not imported: its place in the file, and the reason. An item is `damaged` if it should have been
    imported but cannot be.
    """

    place: str
    reason: str
    damaged: bool = False


@dataclass(frozen=True, slots=True)
class Statement:
    """A memory kept as text, or a piece of a document. `headings` are those above it; `day` is the day it is of, None
    if unknown; `place` is its place in the file; `since` and `until` bound its validity, None if not given.
    """

    text: str
    headings: tuple[str, ...]
    day: datetime | None
    place: str
    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """A document and its pieces in order. `name` is its path within the import."""

    name: str
    pieces: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """The contents of an export. Ids are derived from `name`, which is the same for a later export of the same chats.
    `me` is the speaker who exported it, None if unknown; `notes` are messages to show before an import; `there` has the
    names of all documents, including those that cannot be read.
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
    """Collects the turns of a file and the items that are skipped."""

    def __init__(self, options: ReadOptions) -> None:
        self.dialogues: list[FileDialogue] = []
        self.skipped: list[Skipped] = []
        self._now = options.now
        self._turns: list[FileTurn] = []
        self._ids: set[str] = set()

    def skip(self, place: str, reason: str, *, damaged: bool = False) -> None:
        """Adds a skipped item."""
        self.skipped.append(Skipped(place, reason, damaged))

    def turn(self, place: str, turn: FileTurn) -> None:
        """Adds a turn to the current dialogue, or skips it if it cannot be stored."""
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
        """Returns the turns added since the last call, sorted by time, and begins a new dialogue."""
        turns, self._turns, self._ids = self._turns, [], set()
        return sorted(turns, key=lambda turn: turn.time)


class Names:
    """Gives each account of a file a unique name that can be stored. If a name is taken, the account id is added."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._usernames: dict[str, str | None] = {}
        self._taken: set[str] = set()

    def of(self, account: str, shown: str, username: str | None = None) -> str:
        """Returns the name of an account, which is made from the first name it is shown with."""
        if account not in self._names:
            name = person_name(shown, account)
            self._names[account] = name if name.casefold() not in self._taken else f"{name[:150]} ({account[:40]})"
            self._usernames[account] = username or None
            self._taken.add(self._names[account].casefold())
        return self._names[account]

    def people(self, spoken: Iterable[str]) -> list[FilePerson]:
        """Returns the accounts whose names are among the speakers, as people of a file."""
        speakers = set(spoken)
        found = [(account, name) for account, name in self._names.items() if name in speakers]
        return [FilePerson(name, self._usernames[account], id=account) for account, name in found]


def person_name(shown: str, otherwise: str = "") -> str:
    """Returns a name that can be stored: on one line, of limited length, with at least one letter or digit."""
    name = one_line(shown).lstrip("@~ ")
    return name if slug(name) else one_line(f"Unnamed {name or otherwise}")


def one_line(text: str) -> str:
    """Returns the text on one line without unprintable characters, cut to `MAX_NAME` characters."""
    printable = "".join(character if character.isprintable() else " " for character in text)
    return " ".join(printable.split())[:MAX_NAME].strip()


def speakers_of(dialogues: Iterable[FileDialogue]) -> set[str]:
    """Returns the names of all speakers."""
    return {turn.speaker for dialogue in dialogues for turn in dialogue.turns}
