"""Which format an export has, by what is in it."""

from pathlib import Path, PurePosixPath
from typing import Any, Final

from hippograph.graph.errors import InvalidInput
from hippograph.graph.transfer.formats import chatgpt, claude, markdown, slack, telegram, whatsapp
from hippograph.graph.transfer.formats.container import Container, open_container
from hippograph.graph.transfer.formats.json_values import parsed
from hippograph.graph.transfer.formats.reading import Format, Reading, ReadOptions

_READERS: Final = {
    Format.CHATGPT: chatgpt.read,
    Format.CLAUDE: claude.read,
    Format.MARKDOWN: markdown.read,
    Format.SLACK: slack.read,
    Format.TELEGRAM: telegram.read,
    Format.WHATSAPP: whatsapp.read,
}


def read_export(path: Path, options: ReadOptions, given: Format | None = None) -> Reading | None:
    """What an export holds, in the format that is given or recognised; None for our own dialogues.

    Raises `InvalidInput` for what no reader knows, and for a file that cannot be read at all.
    """
    container = open_container(path)
    if not container.files:
        raise InvalidInput(f"{path} holds no file to import: .json, .txt or .md")
    kind = given or recognise(container)
    if kind is Format.DIALOGUES:
        return None
    try:
        return _READERS[kind](container, options)
    except (StopIteration, KeyError, ValueError) as error:
        raise InvalidInput(f"{path} is no export of {kind.value}") from error


def recognise(container: Container) -> Format:
    """The format of an export. Raises `InvalidInput` for what is none."""
    if slack.is_export(container):
        return Format.SLACK
    if container.named("result.json"):
        return _of_json(container, container.named("result.json")[0])
    for path in container.files:
        if chatgpt.FILES.fullmatch(PurePosixPath(path).name):
            return _of_json(container, path)
    if whatsapp.is_chat(container):
        return Format.WHATSAPP
    if markdown.is_memories(container):
        return Format.MARKDOWN
    if len(container.files) == 1 and next(iter(container.files)).lower().endswith(".json"):
        return _of_json(container, next(iter(container.files)))
    raise InvalidInput(_unknown(container.name))


def _of_json(container: Container, path: str) -> Format:
    value = parsed(container.read(path), path)
    if telegram.is_export(value):
        return Format.TELEGRAM
    first: Any = next(iter(value), None) if isinstance(value, list) else value
    if chatgpt.is_conversation(first):
        return Format.CHATGPT
    if claude.is_conversation(first):
        return Format.CLAUDE
    if isinstance(value, dict) and not value.keys().isdisjoint(("dialogues", "passages")):
        return Format.DIALOGUES
    raise InvalidInput(_unknown(path))


def _unknown(name: str) -> str:
    known = "ChatGPT, Claude, WhatsApp, Slack, Telegram (as JSON), Markdown memories, dialogues, our own exports"
    return f"{name} is in none of the formats that are recognised: {known}"
