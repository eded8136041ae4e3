"""The JSON export of Telegram Desktop: `result.json`, with all chats or one."""

from datetime import datetime
from pathlib import PurePosixPath
from typing import Any, Final

from hippograph.graph.transfer.formats.attachments import attached
from hippograph.graph.transfer.formats.container import Container
from hippograph.graph.transfer.formats.json_values import list_of, moment_of, object_of, parsed, text_of
from hippograph.graph.transfer.formats.reading import (
    Collector,
    Format,
    Names,
    Reading,
    ReadOptions,
    one_line,
    speakers_of,
)
from hippograph.graph.writing.dialogue_file import DialogueFile, FileDialogue, FileTurn
from hippograph.nlp.attachments import Attachment, AttachmentKind

_MEDIA: Final = {
    "sticker": AttachmentKind.PHOTO,
    "animation": AttachmentKind.VIDEO,
    "video_file": AttachmentKind.VIDEO,
    "video_message": AttachmentKind.VIDEO,
    "voice_message": AttachmentKind.AUDIO,
    "audio_file": AttachmentKind.AUDIO,
}
_NOT_EXPORTED: Final = "("
"""Prefix of the sentence in brackets that stands in place of a path if the file was not exported."""


def is_export(value: Any) -> bool:
    """Whether a JSON value is an export of all chats, or of one."""
    chats = object_of(value, "chats")
    return isinstance(chats.get("list"), list) or (
        isinstance(value, dict) and {"type", "id", "messages"} <= value.keys() and isinstance(value["messages"], list)
    )


def read(container: Container, options: ReadOptions) -> Reading:
    """Returns all chats of an export, each as a group. `me` is known only if all chats were exported."""
    path = next((p for p in container.files if PurePosixPath(p).name == "result.json"), next(iter(container.files)))
    export = parsed(container.read(path), path)
    collector, names = Collector(options), Names()
    mine = object_of(export, "personal_information")
    account = f"user{text_of(mine, 'user_id')}" if mine else ""
    me = names.of(account, _full_name(mine), text_of(mine, "username")) if account else None
    whole = [*list_of(object_of(export, "chats"), "list"), *list_of(object_of(export, "left_chats"), "list")]
    for chat in whole or [export]:
        _chat(collector, names, options, chat)
    speaking = speakers_of(collector.dialogues)
    content = DialogueFile(collector.dialogues, people=names.people(speaking))
    found = me if me in speaking else None
    return Reading(Format.TELEGRAM, "telegram", content, skipped=tuple(collector.skipped), me=found)


def _full_name(person: dict[str, Any]) -> str:
    return f"{text_of(person, 'first_name')} {text_of(person, 'last_name')}".strip()


def _chat(collector: Collector, names: Names, options: ReadOptions, chat: Any) -> None:
    title = one_line(text_of(chat, "name")) or text_of(chat, "type").replace("_", " ") or "Telegram"
    for message in list_of(chat, "messages"):
        _message(collector, names, options, f"{title}, message {text_of(message, 'id')}", message)
    if turns := collector.take_turns():
        collector.dialogues.append(FileDialogue(f"{text_of(chat, 'type')} {text_of(chat, 'id')}", turns, title))


def _message(collector: Collector, names: Names, options: ReadOptions, place: str, message: Any) -> None:
    moment = moment_of(text_of(message, "date_unixtime")) or _local(options, text_of(message, "date"))
    if text_of(message, "type") != "message":
        collector.skip(place, "no message: " + (text_of(message, "action") or "a service message").replace("_", " "))
    elif moment is None:
        collector.skip(place, "it has no time")
    elif not (text := _text(message)) and not _attachments(message):
        collector.skip(place, f"no text: {_what(message)}")
    else:
        account = text_of(message, "from_id") or text_of(message, "from") or "nobody"
        speaker = names.of(account, text_of(message, "from") or f"Deleted account {account}")
        said = FileTurn(text_of(message, "id"), speaker, text, moment, session=None, attachments=_attachments(message))
        collector.turn(place, said)


def _local(options: ReadOptions, date: str) -> datetime | None:
    try:
        return options.utc(datetime.fromisoformat(date))
    except (ValueError, OverflowError):
        return None


def _what(message: Any) -> str:
    kinds = ("location_information", "contact_information", "poll")
    return next((kind for kind in kinds if message.get(kind)), "nothing").partition("_")[0]


def _attachments(message: Any) -> list[Attachment]:
    """Returns the photo or the file of a message. The text of the message serves as its caption."""
    path = text_of(message, "photo") or text_of(message, "file")
    if not path:
        return []
    stored = "" if path.startswith(_NOT_EXPORTED) else PurePosixPath(path).name
    kind = AttachmentKind.PHOTO if text_of(message, "photo") else _MEDIA.get(text_of(message, "media_type"))
    return [attached(text_of(message, "file_name") or stored, kind=kind, mime=text_of(message, "mime_type"))]


def _text(message: Any) -> str:
    """Returns the text, given as one string or as styled pieces. A forwarded text is prefixed with its author."""
    text = message.get("text")
    pieces = text if isinstance(text, list) else [text]
    words = "".join(piece if isinstance(piece, str) else text_of(piece, "text") for piece in pieces).strip()
    if words and (origin := text_of(message, "forwarded_from")):
        return f"Forwarded from {one_line(origin)}: {words}"
    return words
