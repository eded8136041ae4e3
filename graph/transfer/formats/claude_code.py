"""The transcripts that Claude Code keeps: a file of JSON lines for each session, in a folder for each project."""

from pathlib import PurePosixPath
from typing import Any, Final

from hippograph.graph.model import ChatKind
from hippograph.graph.transfer.formats.container import Container
from hippograph.graph.transfer.formats.json_values import list_of, moment_of, object_of, parsed_lines, text_of
from hippograph.graph.transfer.formats.jsonl import is_lines, lines
from hippograph.graph.transfer.formats.reading import Collector, Format, Reading, ReadOptions, one_line
from hippograph.graph.writing.importing import DialogueFile, FileDialogue, FileMember, FileTurn

ME: Final = "User"
PERSONA: Final = "Claude Code"
_SPEAKERS: Final = {"user": ME, "assistant": PERSONA}
_LOOKED_AT: Final = 20
"""Lines of a file, by which it is recognised."""


def is_transcript(container: Container) -> bool:
    """Whether the first lines are those of a session of Claude Code."""
    if not is_lines(container):
        return False
    path = next(iter(container.files))
    first = b"\n".join(container.read(path).splitlines()[:_LOOKED_AT])
    return any("sessionId" in value for _, value in parsed_lines(first, path) if isinstance(value, dict))


def read(container: Container, options: ReadOptions) -> Reading:
    """All sessions, those of a project in one private chat. What tools were asked and answered is left out, as is what
    agents said among themselves.
    """
    collector, projects = Collector(options), dict[str, list[FileTurn]]()
    for place, value in lines(container, collector):
        if text_of(value, "type") in _SPEAKERS and (turn := _turn(collector, place, value)):
            projects.setdefault(text_of(value, "cwd").replace("\\", "/") or PERSONA, []).append(turn)
    for project, turns in projects.items():
        for turn in turns:
            collector.turn(f"{project}, message {turn.id}", turn)
        if said := collector.take_turns():
            members = [FileMember(ME)]
            title = one_line(PurePosixPath(project).name) or PERSONA
            collector.dialogues.append(
                FileDialogue(project, said, title, ChatKind.PRIVATE, PERSONA, participants=members)
            )
    content = DialogueFile(collector.dialogues)
    return Reading(Format.CLAUDE_CODE, Format.CLAUDE_CODE.value, content, skipped=tuple(collector.skipped), me=ME)


def _turn(collector: Collector, place: str, value: Any) -> FileTurn | None:
    if value.get("isMeta") or value.get("isSidechain"):
        collector.skip(place, "not said by you, nor to you")
    elif (moment := moment_of(text_of(value, "timestamp"))) is None:
        collector.skip(place, "it has no time")
    elif not (text := _text(object_of(value, "message"))):
        collector.skip(place, "no text: a call of a tool, or its answer")
    else:
        speaker, session = _SPEAKERS[text_of(value, "type")], text_of(value, "sessionId") or None
        return FileTurn(text_of(value, "uuid") or place, speaker, text, moment, session)
    return None


def _text(message: dict[str, Any]) -> str:
    """The words of a message, without what is of tools, and without what is no more than a command."""
    blocks = [text_of(block, "text") for block in list_of(message, "content") if text_of(block, "type") == "text"]
    text = text_of(message, "content") or "\n\n".join(block.strip() for block in blocks if block.strip())
    return "" if text.lstrip().startswith(("<command-", "<local-command-", "<system-reminder>")) else text.strip()
