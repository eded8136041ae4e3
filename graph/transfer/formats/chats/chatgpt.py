"""Reads the export of ChatGPT: `conversations.json`, or since 2026 `conversations-000.json` and so on.

Each conversation is a tree of messages; the branch that was shown last is imported. Skipped are system instructions,
calls and results of tools, hidden messages and the model's reasoning.
"""

import re
from datetime import datetime
from typing import Any, Final

from hippograph.graph.model import ChatKind
from hippograph.graph.transfer.formats.attachments import attached
from hippograph.graph.transfer.formats.chats.conversations import branch, read_conversations
from hippograph.graph.transfer.formats.container import Container
from hippograph.graph.transfer.formats.json_values import list_of, moment_of, object_of, text_of
from hippograph.graph.transfer.formats.reading import Collector, Format, Reading, ReadOptions, one_line
from hippograph.graph.writing.dialogue_file import FileDialogue, FileMember, FileTurn
from hippograph.nlp.attachments import Attachment, AttachmentKind

ME: Final = "User"
PERSONA: Final = "ChatGPT"
FILES: Final = re.compile(r"conversations(?:-\d+)?\.json")
_TALK: Final = ("text", "multimodal_text")
_CITATION: Final = re.compile(r"\ue200[^\ue200\ue201]*\ue201|【\d+[^【】†]*†[^【】]*】|[\ue200-\ue2ff]")
"""Citation marks, which ChatGPT shows as links to sources."""


def is_conversation(value: Any) -> bool:
    """Whether a JSON value is a conversation of ChatGPT."""
    return isinstance(value, dict) and isinstance(value.get("mapping"), dict)


def read(container: Container, options: ReadOptions) -> Reading:
    """All conversations of an export, each a private chat with the persona "ChatGPT"."""
    return read_conversations(Format.CHATGPT, container, options, files=FILES, read=_conversation, me=ME)


def _conversation(collector: Collector, place: str, value: Any) -> None:
    if not is_conversation(value):
        collector.skip(place, "no conversation")
        return
    nodes = {key: node for key, node in value["mapping"].items() if isinstance(node, dict)}
    started = moment_of(value.get("create_time"))
    seen = _seen(value, nodes)
    moment = started
    for key in seen:
        moment = _message(collector, f"{place}, message {key}", key, nodes[key], moment)
    for key in sorted(nodes.keys() - set(seen)):
        if _text(message := object_of(nodes[key], "message")) or _attachments(message):
            collector.skip(f"{place}, message {key}", "on a branch that was left: edited, or answered again")
    conversation = text_of(value, "conversation_id") or text_of(value, "id") or place
    if turns := collector.take_turns():
        title = one_line(text_of(value, "title")) or "ChatGPT"
        members = [FileMember(ME)]
        collector.dialogues.append(
            FileDialogue(conversation, turns, title, ChatKind.PRIVATE, PERSONA, participants=members)
        )


def _seen(value: dict[str, Any], nodes: dict[str, Any]) -> list[str]:
    """The keys of the branch that was shown last: that of `current_node`, or without it that of the newest message."""
    parents = {key: text_of(node, "parent") or None for key, node in nodes.items()}
    leaf = text_of(value, "current_node")
    if leaf not in nodes:
        leaf = max(nodes, key=lambda key: _time(object_of(nodes[key], "message")), default="")
    return branch(parents, leaf)


def _time(message: dict[str, Any]) -> float:
    moment = moment_of(message.get("create_time"))
    return moment.timestamp() if moment else 0.0


def _message(
    collector: Collector, place: str, key: str, node: dict[str, Any], before: datetime | None
) -> datetime | None:
    """Adds a message to the turns, or skips it. Without a time of its own it has `before`, that of the message before.

    Returns the later one of its time and `before`.
    """
    message = object_of(node, "message")
    moment = moment_of(message.get("create_time")) or before
    if not message:
        return before
    if reason := _no_talk(message):
        collector.skip(place, reason)
    elif moment is None:
        collector.skip(place, "it has no time, nor has its conversation")
    else:
        speaker = ME if text_of(object_of(message, "author"), "role") == "user" else PERSONA
        said = FileTurn(
            text_of(message, "id") or key,
            speaker,
            _text(message),
            moment,
            session=None,
            attachments=_attachments(message),
        )
        collector.turn(place, said)
    return max(moment, before) if moment and before else moment


def _no_talk(message: dict[str, Any]) -> str | None:
    role, kind = text_of(object_of(message, "author"), "role"), text_of(object_of(message, "content"), "content_type")
    if role not in ("user", "assistant"):
        return f"words of the {role or 'unknown'} role"
    if object_of(message, "metadata").get("is_visually_hidden_from_conversation") is True:
        return "hidden from the conversation"
    if (text_of(message, "recipient") or "all") != "all":
        return "a call of a tool"
    if kind not in _TALK:
        return f"no talk: {kind or 'without a type'}"
    return None if _text(message) or _attachments(message) else "no text"


def _text(message: dict[str, Any]) -> str:
    parts = list_of(object_of(message, "content"), "parts")
    texts = [part if isinstance(part, str) else _spoken(part) for part in parts]
    return _CITATION.sub("", "\n\n".join(text for text in texts if text)).strip()


def _spoken(part: Any) -> str:
    """The transcript of a spoken part; empty for any other part."""
    return text_of(part, "text") if text_of(part, "content_type") == "audio_transcription" else ""


def _attachments(message: dict[str, Any]) -> list[Attachment]:
    """The files of a message, and a photo for each image part whose pointer has the id of none of these files."""
    files = list_of(object_of(message, "metadata"), "attachments")
    mimes = [text_of(file, "mime_type") or text_of(file, "mimeType") for file in files]
    named = [attached(text_of(file, "name"), mime=mime) for file, mime in zip(files, mimes, strict=True)]
    pointers = [
        text_of(part, "asset_pointer")
        for part in list_of(object_of(message, "content"), "parts")
        if text_of(part, "content_type") == "image_asset_pointer"
    ]
    known = [text_of(file, "id") for file in files]
    others = [one for one in pointers if one and not any(key and key in one for key in known)]
    return named + [attached(kind=AttachmentKind.PHOTO) for _ in others]
