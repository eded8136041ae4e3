"""The export of a WhatsApp chat: a text file, alone or as `_chat.txt` in a zip.

A message begins with a date and a time in the format of the phone's region, and may continue on the following lines.
Messages of WhatsApp itself have no sender, or are recognised by their words (`whatsapp.toml`).
"""

import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from hippograph.graph.errors import InvalidInput
from hippograph.graph.ids import derived_id
from hippograph.graph.transfer.formats.attachments import attached
from hippograph.graph.transfer.formats.chats.whatsapp_dates import Stamp, infer_order, western_digits
from hippograph.graph.transfer.formats.container import Container
from hippograph.graph.transfer.formats.reading import (
    Collector,
    DateOrder,
    Format,
    Reading,
    ReadOptions,
    one_line,
    person_name,
)
from hippograph.graph.writing.dialogue_file import DialogueFile, FileDialogue, FileTurn
from hippograph.nlp.attachments import Attachment, AttachmentKind

_MARKS: Final = dict.fromkeys(map(ord, "\u200e\u200f\u202a\u202b\u202c\u2066\u2067\u2068\u2069\ufeff\u061c"))
"""Marks of text direction, which are removed."""
_SPACES: Final = dict.fromkeys(map(ord, "\u00a0\u202f\u2009\u2007"), " ")
_PLAIN: Final = {**_MARKS, **_SPACES}
_OWN_MARK: Final = "\u200e"
"""Mark that WhatsApp for iOS puts before its own messages."""
_LOOKED_AT: Final = 20
"""Maximum number of first lines that are searched for a message to recognise a chat."""
_COPY: Final = re.compile(r"\s*\(\d+\)$")
_OMITTED: Final = {
    "media": AttachmentKind.FILE,
    "photos": AttachmentKind.PHOTO,
    "videos": AttachmentKind.VIDEO,
    "sounds": AttachmentKind.AUDIO,
}
"""Kinds of media that were not exported, by the list of their placeholders in `whatsapp.toml`."""
_NAMED: Final = re.compile(r"(?P<before>[^<]*)<(?P<word>[^<>:]+): ?(?P<name>[^<>]+)>\s*")
"""An exported file as WhatsApp for iOS writes it; a document's own name and number of pages may stand before it."""


@dataclass(frozen=True, slots=True)
class _Message:
    """A message as written. `line` is its line number; `head` is the date and time before the text; `sender` is None
    for a message of WhatsApp itself.
    """

    line: int
    head: str
    stamp: Stamp
    sender: str | None
    text: str


@cache
def _words() -> dict[str, list[str]]:
    return tomllib.loads(Path(__file__).with_name("whatsapp.toml").read_text("utf-8"))


@cache
def _head() -> re.Pattern[str]:
    """Returns the pattern of the beginning of a message: `31/12/20, 11:59 PM - ` or `[31.12.20, 23:59:01] `."""
    halves = sorted((*_words()["am"], *_words()["pm"]), key=len, reverse=True)
    half = "|".join(re.escape(one) for one in halves)
    date = r"(?P<a>\d{1,4})(?P<separator>[./-]) ?(?P<b>\d{1,2})[./-] ?(?P<c>\d{1,4})\.?"
    time = r"(?P<hour>\d{1,2})[:.](?P<minute>\d{2})(?:[:.](?P<second>\d{2}))?"
    around = rf"(?:(?:kl|klo|um|à|at|às|a las|в)\.? )?(?P<before>{half})? ?{time}(?: ?(?P<after>{half}))?(?: Uhr)?"
    moment = rf"{date}[,،]? {around}"
    return re.compile(rf"(?:\[{moment}\] ?|{_unnamed_twice(moment)}(?: [-–] |: ))", re.IGNORECASE)


def _unnamed_twice(moment: str) -> str:
    """Returns the pattern with renamed groups, since a group name may occur only once in a pattern."""
    return moment.replace("(?P<", "(?P<plain_")


def is_chat(container: Container) -> bool:
    """Whether a message begins in the first lines of some text file."""
    return any(_begins(container.read(path)) for path in _texts(container))


def _texts(container: Container) -> list[str]:
    texts = [path for path in container.files if path.lower().endswith(".txt")]
    return container.named("_chat.txt") or texts


def _begins(data: bytes) -> bool:
    lines = data[:20_000].decode("utf-8-sig", "replace").splitlines()[:_LOOKED_AT]
    return any(_head().match(_plain(line)) for line in lines)


def read(container: Container, options: ReadOptions) -> Reading:
    """Returns the chat of an export, as a group titled after the file.

    Raises `InvalidInput` when the file is not UTF-8.
    """
    path = next(path for path in _texts(container) if _begins(container.read(path)))
    try:
        text = container.read(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidInput(f"{path} is no UTF-8 text: byte {error.start}") from error
    collector, title = Collector(options), _title(container.name)
    messages = list(_messages(text, title, collector))
    order, sure = infer_order([message.stamp for message in messages])
    order = options.date_order or order
    for turn_id, message in _numbered(messages):
        _turn(collector, options, order, turn_id, message)
    turns = collector.take_turns()
    dialogues = [FileDialogue("chat", turns, title)] if turns else []
    notes = () if sure or options.date_order else (_doubt(order),)
    skipped = tuple(sorted(collector.skipped, key=lambda one: int(one.place.split()[-1])))
    return Reading(Format.WHATSAPP, f"whatsapp {title}", DialogueFile(dialogues), skipped=skipped, notes=notes)


def _doubt(order: DateOrder) -> str:
    names = {DateOrder.DMY: "day, month, year", DateOrder.MDY: "month, day, year", DateOrder.YMD: "year, month, day"}
    return f"the dates can be read in several ways; taken as {names[order]}. If that is wrong, give --date-order"


def _title(name: str) -> str:
    """Returns the name of the chat: that of the export without its first words, which are in the phone's language."""
    stem = _COPY.sub("", name)
    begins = next((one for one in _words()["titles"] if stem.casefold().startswith(one)), "")
    return one_line(stem[len(begins) :]) or "WhatsApp"


def _plain(line: str) -> str:
    """Returns the line as `_head` expects it: no direction marks, plain spaces, western digits."""
    return western_digits(line.translate(_PLAIN))


def _messages(text: str, title: str, collector: Collector) -> Iterator[_Message]:
    """Yields the messages, each with all of its lines. Lines before the first message are skipped."""
    found: _Message | None = None
    lines: list[str] = []
    for number, line in enumerate(re.split(r"\r\n|\n", text), start=1):
        if head := _head().match(_plain(line)):
            if found:
                yield _whole(found, lines)
            found, lines = _begun(number, line, head, title), []
        elif found:
            lines.append(line)
        elif line.strip():
            collector.skip(f"line {number}", "before the first message")
    if found:
        yield _whole(found, lines)


def _whole(message: _Message, lines: list[str]) -> _Message:
    text = "\n".join([message.text, *lines]).strip()
    return _Message(message.line, message.head, message.stamp, message.sender, text)


def _begun(number: int, line: str, head: re.Match[str], title: str) -> _Message:
    said = line.translate(_PLAIN)[head.end() :]
    sender, colon, text = said.partition(": ")
    if not colon and said.endswith(":"):
        sender, colon, text = said[:-1], ":", ""
    own = one_line(sender) == title and f": {_OWN_MARK}" in line
    if colon and not own and not _is_event(sender):
        return _Message(number, head[0], _stamp(head), sender.strip(), text)
    return _Message(number, head[0], _stamp(head), None, said)


def _is_event(said: str) -> bool:
    folded = said.casefold()
    return any(words in folded for words in _words()["events"])


def _stamp(head: re.Match[str]) -> Stamp:
    given = {key.removeprefix("plain_"): value for key, value in head.groupdict().items() if value is not None}
    written = given.get("before") or given.get("after") or ""
    half = written.casefold()
    hour = int(given["hour"])
    if half:
        hour = hour % 12 + (12 if half in _words()["pm"] else 0)
    numbers = (int(given["a"]), int(given["b"]), int(given["c"]))
    time = hour, int(given["minute"]), int(given.get("second", 0))
    return Stamp(numbers, len(given["a"]), given["separator"], *time, written in ("AM", "PM"))


def _numbered(messages: list[_Message]) -> Iterator[tuple[str, _Message]]:
    """Yields each message with an id that is the same in later exports of the chat: a hash of time, sender and text.

    Equal messages are numbered.
    """
    seen: Counter[str] = Counter()
    for message in messages:
        made = derived_id("whatsapp", message.head, message.sender or "", message.text)
        seen[made] += 1
        yield (made if seen[made] == 1 else f"{made}-{seen[made]}"), message


def _turn(collector: Collector, options: ReadOptions, order: DateOrder, turn_id: str, message: _Message) -> None:
    place, local = f"line {message.line}", message.stamp.read(order)
    if reason := _no_talk(message):
        collector.skip(place, reason)
    elif local is None:
        collector.skip(place, f"there is no such day: {message.head.strip(' -[]')}")
    else:
        text, attachments = _said(message.text)
        speaker, moment = person_name(message.sender or ""), options.utc(local)
        collector.turn(place, FileTurn(turn_id, speaker, text, moment, session=None, attachments=attachments))


def _no_talk(message: _Message) -> str | None:
    said = " ".join(message.text.casefold().split()).strip()
    if message.sender is None or any(said.startswith(words) for words in _words()["system"]):
        return "words of WhatsApp itself"
    if said.rstrip(".") in _words()["deleted"]:
        return "deleted by its sender"
    return None if any(_said(message.text)) else "no text"


def _said(text: str) -> tuple[str, list[Attachment]]:
    """Returns the text of a message without the mark of an edit, and its attachments."""
    if text.casefold() in _words()["nothing"]:
        return "", [attached()]
    lines, attachments = list[str](), list[Attachment]()
    for line in text.split("\n"):
        found = _attachment(line)
        if found:
            attachments.append(found)
        else:
            lines.append(line)
    words = "\n".join(lines).strip()
    for mark in _words()["edited"]:
        if words.casefold().endswith(mark):
            words = words[: -len(mark)].rstrip()
    return words, attachments


def _attachment(line: str) -> Attachment | None:
    """Returns the attachment that a line stands for, if any."""
    line = line.translate(_PLAIN)
    folded = " ".join(line.casefold().split())
    for words, kind in _OMITTED.items():
        if folded in _words()[words]:
            return attached(kind=kind)
    if (named := _NAMED.fullmatch(line)) and named["word"].strip().casefold() in _words()["attached_as"]:
        return attached(named["name"]) if _is_of(named["before"], named["name"]) else None
    ending = next((words for words in _words()["attached"] if folded.endswith(words)), None)
    name = line.strip()[: -len(ending)].strip() if ending else ""
    return attached(name) if name else None


def _is_of(before: str, name: str) -> bool:
    """Whether the text before a file is empty, or the file's own name with its number of pages."""
    return name.endswith(before.partition("•")[0].strip())
