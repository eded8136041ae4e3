"""Reads transcripts of Claude Code: a file of JSON lines for each session, in a folder for each project."""

from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath
from typing import Any, Final

from hippograph.graph.model import ChatKind
from hippograph.graph.transfer.formats.container import Container
from hippograph.graph.transfer.formats.json_values import list_of, moment_of, object_of, parsed_lines, text_of
from hippograph.graph.transfer.formats.jsonl import is_lines, lines
from hippograph.graph.transfer.formats.reading import Collector, Format, Reading, ReadOptions, one_line
from hippograph.graph.writing.dialogue_file import DialogueFile, FileDialogue, FileMember, FileTurn
from hippograph.nlp.privacy.secrets import redact

ME: Final = "User"
PERSONA: Final = "Claude Code"
_LOOKED_AT: Final = 20
"""Number of lines of a file that are examined to recognise it."""
_MOST_OF_A_TOOL: Final = 4_000
"""Maximum length of each tool result, in characters; the rest is cut off."""
_NOT_SAID: Final = ("isMeta", "isSidechain", "isCompactSummary", "isApiErrorMessage")
"""Flags of lines that are not messages between the user and the agent."""
_NO_WORDS: Final = ("<command-", "<local-command-", "<bash-", "<ide_", "<system-reminder>", "<task-", "[Request inter")
"""Prefixes of texts that the program wrote."""


def is_transcript(container: Container) -> bool:
    """Whether the first lines of the first file are those of a session of Claude Code."""
    if not is_lines(container):
        return False
    path = next(iter(container.files))
    first = b"\n".join(container.read(path).splitlines()[:_LOOKED_AT])
    return any("sessionId" in value for _, value in parsed_lines(first, path) if isinstance(value, dict))


def read(container: Container, options: ReadOptions) -> Reading:
    """All sessions, with those of one project in one private chat. Talk between agents and summaries of compacted
    sessions are left out, and tool results unless `options.tools` is set.
    """
    collector, files = Collector(options), dict[str, list[tuple[str, Any]]]()
    for place, value in lines(container, collector):
        files.setdefault(place.rpartition(", line ")[0], []).append((place, value))
    projects = dict[str, list[tuple[str, Any]]]()
    for found in files.values():
        projects.setdefault(project_of(value for _, value in found), []).extend(found)
    return reading(collector, projects, Format.CLAUDE_CODE.value, PERSONA, tools=options.tools)


def project_of(values: Iterable[Any], otherwise: str = PERSONA) -> str:
    """The folder in which a session began, from the lines of its transcript; `otherwise` if no line has one."""
    return next((cwd.replace("\\", "/") for value in values if (cwd := text_of(value, "cwd"))), otherwise)


def reading(
    collector: Collector, projects: Mapping[str, Iterable[tuple[str, Any]]], name: str, persona: str, *, tools: bool
) -> Reading:
    """The turns of each project, as a private chat with `persona`. `projects` maps the folder of each project to the
    places and values of the lines of its transcripts; `name` is that of the reading.
    """
    for project, found in projects.items():
        for place, value in found:
            if turn := _turn(collector, place, value, persona, tools=tools):
                collector.turn(f"{project}, message {turn.id}", turn)
        if said := collector.take_turns():
            members = [FileMember(ME)]
            title = one_line(PurePosixPath(project).name) or persona
            collector.dialogues.append(
                FileDialogue(project, said, title, ChatKind.PRIVATE, persona, participants=members)
            )
    content = DialogueFile(collector.dialogues)
    return Reading(Format.CLAUDE_CODE, name, content, skipped=tuple(collector.skipped), me=ME)


def _turn(collector: Collector, place: str, value: Any, persona: str, *, tools: bool) -> FileTurn | None:
    speaker = {"user": ME, "assistant": persona}.get(text_of(value, "type"))
    if speaker is None:
        return None
    message, source = object_of(value, "message"), "conversation"
    text = _text(message)
    if not text and tools and (text := _answered(message)):
        speaker, source = persona, "tool_result"
    if any(value.get(mark) for mark in _NOT_SAID):
        collector.skip(place, "not said by you, nor to you")
    elif (moment := moment_of(text_of(value, "timestamp"))) is None:
        collector.skip(place, "it has no time")
    elif not text:
        collector.skip(place, "no text: a call of a tool, or its answer")
    elif not (key := text_of(value, "uuid")):
        collector.skip(place, "it has no id")
    else:
        return FileTurn(key, speaker, text, moment, text_of(value, "sessionId") or None, source=source)
    return None


def _text(message: dict[str, Any]) -> str:
    """The text of a message, without tool calls and results, reasoning, and texts that the program wrote."""
    blocks = [text_of(block, "text") for block in list_of(message, "content") if text_of(block, "type") == "text"]
    said = [each.strip() for each in [text_of(message, "content"), *blocks]]
    return "\n\n".join(each for each in said if each and not each.startswith(_NO_WORDS))


def _answered(message: dict[str, Any]) -> str:
    """The text of the tool results in a message, each cut to the limit."""
    answers = [block for block in list_of(message, "content") if text_of(block, "type") == "tool_result"]
    return "\n\n".join(filter(None, (_cut(_text(answer)) for answer in answers)))


def _cut(text: str) -> str:
    """The text, cut to the limit. Secrets are removed first: one that is cut through is not recognised any more."""
    if len(text) <= _MOST_OF_A_TOOL:
        return text
    return redact(text[: 2 * _MOST_OF_A_TOOL], identifiers=True)[0][:_MOST_OF_A_TOOL]
