"""Reads the export of Claude: `conversations.json`, a list of conversations with their messages."""

import re
from typing import Any, Final

from hippograph.graph.model import ChatKind
from hippograph.graph.transfer.formats.attachments import attached
from hippograph.graph.transfer.formats.chats.conversations import branch, read_conversations
from hippograph.graph.transfer.formats.container import Container
from hippograph.graph.transfer.formats.json_values import list_of, moment_of, text_of
from hippograph.graph.transfer.formats.reading import Collector, Format, Reading, ReadOptions, one_line
from hippograph.graph.writing.dialogue_file import FileDialogue, FileMember, FileTurn
from hippograph.nlp.attachments import Attachment

ME: Final = "User"
PERSONA: Final = "Claude"
FILES: Final = re.compile(r"conversations\.json")
_SPEAKERS: Final = {"human": ME, "assistant": PERSONA}
_ROOT: Final = "00000000-0000-4000-8000-000000000000"
"""The id that a first message has as its parent."""


def is_conversation(value: Any) -> bool:
    """Whether a JSON value is a conversation of Claude."""
    return isinstance(value, dict) and isinstance(value.get("chat_messages"), list)


def read(container: Container, options: ReadOptions) -> Reading:
    """All conversations of an export, each a private chat with the persona "Claude"."""
    return read_conversations(Format.CLAUDE, container, options, files=FILES, read=_conversation, me=ME)


def _conversation(collector: Collector, place: str, value: Any) -> None:
    if not is_conversation(value):
        collector.skip(place, "no conversation")
        return
    seen = _seen(value["chat_messages"])
    for number, message in enumerate(value["chat_messages"], start=1):
        here = f"{place}, message {number}"
        if seen is not None and text_of(message, "uuid") not in seen:
            collector.skip(here, "on a branch that was left: edited, or answered again")
        else:
            _message(collector, here, message)
    if turns := collector.take_turns():
        conversation = text_of(value, "uuid") or place
        title, members = one_line(text_of(value, "name")) or "Claude", [FileMember(ME)]
        collector.dialogues.append(
            FileDialogue(conversation, turns, title, ChatKind.PRIVATE, PERSONA, participants=members)
        )


def _seen(messages: list[Any]) -> set[str] | None:
    """The ids of the branch of the last message; None if the export has no parents of messages, or lacks some."""
    parents = {text_of(one, "uuid"): text_of(one, "parent_message_uuid") for one in messages}
    linked = [parent for parent in parents.values() if parent and parent != _ROOT]
    if not linked or any(parent not in parents for parent in linked):
        return None
    return set(branch(parents, text_of(messages[-1], "uuid")))


def _message(collector: Collector, place: str, message: Any) -> None:
    speaker, moment = _SPEAKERS.get(text_of(message, "sender")), moment_of(text_of(message, "created_at"))
    if speaker is None:
        collector.skip(place, "neither of the user nor of Claude")
    elif moment is None:
        collector.skip(place, "it has no time")
    elif not (text := _text(message)) and not _attachments(message):
        collector.skip(place, "no text: a call of a tool, or nothing")
    else:
        key = text_of(message, "uuid") or place
        said = FileTurn(key, speaker, text, moment, session=None, attachments=_attachments(message))
        collector.turn(place, said)


def _text(message: Any) -> str:
    """The text of a message. Its text blocks take precedence, as `text` also has a line for each tool call."""
    blocks = [text_of(block, "text") for block in list_of(message, "content") if text_of(block, "type") == "text"]
    if list_of(message, "content"):
        return "\n\n".join(block.strip() for block in blocks if block.strip())
    return text_of(message, "text").strip()


def _attachments(message: Any) -> list[Attachment]:
    """The texts (without a name if pasted) and the files of a message. A file with the name of a text is left out."""
    texts = [
        attached(text_of(one, "file_name"), text=text_of(one, "extracted_content"))
        for one in list_of(message, "attachments")
    ]
    names = {each.name for each in texts}
    files = [attached(name) for file in list_of(message, "files") if (name := text_of(file, "file_name"))]
    return texts + [file for file in files if file.name not in names]
