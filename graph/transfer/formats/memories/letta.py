"""The agent file of Letta (`.af`): agents with their messages, and memory blocks."""

import json
from pathlib import PurePosixPath
from typing import Any, Final

from hippograph.graph.model import ChatKind
from hippograph.graph.transfer.formats.container import Container
from hippograph.graph.transfer.formats.json_values import list_of, moment_of, object_of, parsed, text_of
from hippograph.graph.transfer.formats.reading import Collector, Format, Reading, ReadOptions, Statement, one_line
from hippograph.graph.writing.dialogue_file import DialogueFile, FileDialogue, FileMember, FileTurn

ME: Final = "User"
_AGENT_OWN: Final = ("persona",)
"""Labels of blocks that describe the agent and not its user."""
_PLAIN: Final = ("user_message", "send_message")
"""Types of the JSON objects in which Letta wraps messages."""


def is_agent_file(value: Any) -> bool:
    """Whether a JSON value is an agent file, of several agents or in the older format for one."""
    several = isinstance(value, dict) and {"agents", "blocks"} <= value.keys()
    return several or (isinstance(value, dict) and {"core_memory", "messages"} <= value.keys())


def read(container: Container, options: ReadOptions) -> Reading:
    """Returns a private chat for each agent, with a persona of its name; and the lines of the blocks as facts."""
    path = next(iter(container.files))
    value = parsed(container.read(path), path)
    collector, statements = Collector(options), []
    for number, agent in enumerate(list_of(value, "agents") or [value], start=1):
        name = one_line(text_of(agent, "name")) or PurePosixPath(path).stem
        for message in list_of(agent, "messages"):
            _message(collector, f"{path}, {name}, message {text_of(message, 'id')}", name, message)
        if turns := collector.take_turns():
            dialogue = FileDialogue(text_of(agent, "id") or f"agent {number}", turns, name, ChatKind.PRIVATE, name)
            dialogue.participants.append(FileMember(ME))
            collector.dialogues.append(dialogue)
    for block in list_of(value, "blocks") or list_of(value, "core_memory"):
        label = one_line(text_of(block, "label"))
        if label in _AGENT_OWN:
            collector.skip(f"{path}, block {label}", "it tells of the agent")
            continue
        for number, line in enumerate(text_of(block, "value").splitlines(), start=1):
            if words := line.strip().lstrip("-*• ").strip():
                statements.append(Statement(words, (label,), None, f"{path}, block {label}, line {number}"))
    content, skipped = DialogueFile(collector.dialogues), tuple(collector.skipped)
    return Reading(Format.LETTA, container.name, content, tuple(statements), skipped, me=ME)


def _message(collector: Collector, place: str, agent: str, message: Any) -> None:
    speakers = {"user": ME, "assistant": agent}
    speaker, moment = speakers.get(text_of(message, "role")), moment_of(text_of(message, "created_at"))
    if speaker is None:
        collector.skip(place, "neither of the user nor of the agent")
    elif moment is None:
        collector.skip(place, "it has no time")
    elif not (text := _text(message)):
        collector.skip(place, "no text: a call of a tool, or an event")
    else:
        collector.turn(place, FileTurn(text_of(message, "id") or place, speaker, text, moment, session=None))


def _text(message: Any) -> str:
    """Returns the text of a message: what the agent sends by a tool, else the content."""
    sent = [_unpacked(text_of(object_of(call, "function"), "arguments")) for call in list_of(message, "tool_calls")]
    if any(sent):
        return "\n\n".join(words for words in sent if words)
    parts = list_of(message, "content")
    if not parts:
        return _unpacked(text_of(message, "content"), otherwise=True)
    texts = [text_of(part, "text") for part in parts if text_of(part, "type") == "text"]
    return "\n\n".join(words for text in texts if (words := _unpacked(text, otherwise=True)))


def _unpacked(text: str, *, otherwise: bool = False) -> str:
    """Returns the message that a JSON object wraps; empty for an object of another type.

    Text that is no JSON object is returned as it is with `otherwise`, else as an empty text.
    """
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text.strip() if otherwise else ""
    if not isinstance(value, dict):
        return text.strip() if otherwise else ""
    return text_of(value, "message").strip() if text_of(value, "type") in ("", *_PLAIN) else ""
