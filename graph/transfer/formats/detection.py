"""Recognises the format of an export by its contents, and reads it."""

from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import Any, Final

from hippograph.graph.errors import InvalidInput
from hippograph.graph.transfer.formats import documents, jsonl
from hippograph.graph.transfer.formats.chats import chatgpt, claude, claude_code, slack, telegram, whatsapp
from hippograph.graph.transfer.formats.container import Container, open_container
from hippograph.graph.transfer.formats.json_values import parsed
from hippograph.graph.transfer.formats.memories import letta, markdown, mem0, zep
from hippograph.graph.transfer.formats.reading import Format, Reading, ReadOptions

_READERS: Final = {
    Format.CHATGPT: chatgpt.read,
    Format.CLAUDE: claude.read,
    Format.CLAUDE_CODE: claude_code.read,
    Format.DOCUMENTS: documents.read,
    Format.JSONL: jsonl.read,
    Format.LETTA: letta.read,
    Format.MARKDOWN: markdown.read,
    Format.MEM0: mem0.read,
    Format.SLACK: slack.read,
    Format.TELEGRAM: telegram.read,
    Format.WHATSAPP: whatsapp.read,
    Format.ZEP: zep.read,
}


def read_export(path: Path, options: ReadOptions, given: Format | None = None) -> Reading | None:
    """Returns the contents of an export, read in the given or recognised format; None for `Format.DIALOGUES`.

    Raises `InvalidInput` for an unknown format, and for a file that cannot be read at all.
    """
    container = open_container(path)
    if not container.files:
        raise InvalidInput(f"{path} holds no file to import: .json, .jsonl, .af, .txt or .md")
    kind = given or recognise(container)
    if kind is Format.DIALOGUES:
        return None
    try:
        return _READERS[kind](container, options)
    except (StopIteration, KeyError, ValueError) as error:
        raise InvalidInput(f"{path} is no export of {kind.value}") from error


def recognise(container: Container) -> Format:
    """Returns the format of an export. Raises `InvalidInput` if none is recognised."""
    if slack.is_export(container):
        return Format.SLACK
    if path := _well_known(container):
        return _of_json(container, path)
    for kind, fits in _OF_FILES:
        if fits(container):
            return kind
    if len(container.files) == 1 and next(iter(container.files)).lower().endswith((".json", ".af")):
        return _of_json(container, next(iter(container.files)))
    raise InvalidInput(_unknown(container.name))


def _well_known(container: Container) -> str | None:
    """Returns the path of the file by which exports of Telegram, ChatGPT and Claude are recognised, if there is one."""
    named = container.named("result.json")
    conversations = [path for path in container.files if chatgpt.FILES.fullmatch(PurePosixPath(path).name)]
    return next(iter([*named, *conversations]), None)


def _of_json(container: Container, path: str) -> Format:
    value = parsed(container.read(path), path)
    for kind, fits in _OF_VALUE:
        if fits(value):
            return kind
    raise InvalidInput(_unknown(path))


def _first(value: Any) -> Any:
    return next(iter(value), None) if isinstance(value, list) else value


def _is_dialogues(value: Any) -> bool:
    return isinstance(value, dict) and not value.keys().isdisjoint(("dialogues", "passages"))


_OF_FILES: Final[tuple[tuple[Format, Callable[[Container], bool]], ...]] = (
    (Format.CLAUDE_CODE, claude_code.is_transcript),
    (Format.JSONL, jsonl.is_lines),
    (Format.WHATSAPP, whatsapp.is_chat),
    (Format.MARKDOWN, markdown.is_memories),
    (Format.DOCUMENTS, documents.are_documents),
)
_OF_VALUE: Final[tuple[tuple[Format, Callable[[Any], object]], ...]] = (
    (Format.TELEGRAM, telegram.is_export),
    (Format.CHATGPT, lambda value: chatgpt.is_conversation(_first(value))),
    (Format.CLAUDE, lambda value: claude.is_conversation(_first(value))),
    (Format.LETTA, letta.is_agent_file),
    (Format.MEM0, mem0.memories),
    (Format.ZEP, zep.edges),
    (Format.DIALOGUES, _is_dialogues),
)
"""Tests for formats, on the container (`_OF_FILES`) and on the JSON of the main file (`_OF_VALUE`). The first that
holds decides.
"""


def _unknown(name: str) -> str:
    known = (
        "ChatGPT, Claude, Claude Code, WhatsApp, Slack, Telegram (as JSON), mem0, Zep, Graphiti, Letta, Markdown "
        "memories, documents (.md, .txt), JSON lines, dialogues, our own exports"
    )
    return f"{name} is in none of the formats that are recognised: {known}"
