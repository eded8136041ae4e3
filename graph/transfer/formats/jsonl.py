"""Turns and facts as JSON lines, one object a line: a format into which a short script can convert any other.

A turn has `text` (or `content`) or `attachments`, `time`, and `speaker` or a `role` (`user` or `assistant`). It may
have `chat`, `kind` (`private` or `group`), `id`, `session`, `tags`, `narrative`, `task`, `source` and `attributes`. An
attachment has `kind` (`photo`, `video`, `audio`, `file`; by default inferred from the name), `name`, `caption`, `text`
and `address`. A fact has `fact`. It may have `since`, `until`, `day` and `tags`. Times are ISO 8601, or seconds since
1970.
"""

from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import Any, Final

from hippograph.graph.errors import InvalidInput
from hippograph.graph.model import ChatKind
from hippograph.graph.transfer.formats import attachments
from hippograph.graph.transfer.formats.container import Container
from hippograph.graph.transfer.formats.json_values import list_of, moment_of, object_of, parsed_lines, text_of
from hippograph.graph.transfer.formats.reading import Collector, Format, Reading, ReadOptions, Statement, one_line
from hippograph.graph.writing.dialogue_file import DialogueFile, FileDialogue, FileMember, FileTurn
from hippograph.graph.writing.recording import TURN_SOURCES

ENDINGS: Final = (".jsonl", ".ndjson")
ME: Final = "User"
PERSONA: Final = "Assistant"
_SPEAKERS: Final = {"user": ME, "assistant": PERSONA}


def is_lines(container: Container) -> bool:
    """Whether the container holds files of JSON lines and nothing else."""
    return bool(container.files) and all(path.lower().endswith(ENDINGS) for path in container.files)


def lines(container: Container, collector: Collector) -> Iterator[tuple[str, Any]]:
    """Yields the place and the JSON value of each line of all files. An invalid line is skipped as damaged."""
    for path in container.files:
        if path.lower().endswith(ENDINGS):
            for place, value in parsed_lines(container.read(path), path):
                if isinstance(value, InvalidInput):
                    collector.skip(place, str(value), damaged=True)
                else:
                    yield place, value


def read(container: Container, options: ReadOptions) -> Reading:
    """Returns all chats and facts. A chat of one person with an assistant is private, unless its `kind` is `group`."""
    collector, statements, chats = Collector(options), list[Statement](), dict[str, list[tuple[str, Any]]]()
    for place, value in lines(container, collector):
        if text_of(value, "fact"):
            statements.append(_statement(options, place, value))
        elif text_of(value, "text") or text_of(value, "content") or list_of(value, "attachments"):
            chat = text_of(value, "chat") or PurePosixPath(place.rpartition(", line ")[0]).stem
            chats.setdefault(chat, []).append((place, value))
        else:
            collector.skip(place, "neither a turn (`text`) nor a fact (`fact`)")
    for chat, turns in chats.items():
        _chat(collector, options, chat, turns)
    speakers = {turn.speaker for dialogue in collector.dialogues for turn in dialogue.turns}
    content, skipped = DialogueFile(collector.dialogues), tuple(collector.skipped)
    me = ME if ME in speakers else None
    return Reading(Format.JSONL, container.name, content, tuple(statements), skipped, me=me)


def _statement(options: ReadOptions, place: str, value: Any) -> Statement:
    since, until, day = (_time(options, value, key) for key in ("since", "until", "day"))
    if day is not None:
        with suppress(TypeError, ValueError):  # a number of seconds is a day in UTC
            day = datetime.fromisoformat(value["day"])  # the date as it is written, in whatever zone
        day = datetime(day.year, day.month, day.day, tzinfo=UTC)
    return Statement(text_of(value, "fact"), _tags(value), day, place, since, until)


def _chat(collector: Collector, options: ReadOptions, chat: str, turns: list[tuple[str, Any]]) -> None:
    persona, kinds = None, set()
    for place, value in turns:
        speaker = one_line(text_of(value, "speaker")) or _SPEAKERS.get(text_of(value, "role"), "")
        if text_of(value, "role") == "assistant":
            persona = persona or speaker
        kinds.add(text_of(value, "kind"))
        _turn(collector, options, place, value, speaker)
    said = collector.take_turns()
    people = dict.fromkeys(turn.speaker for turn in said if turn.speaker != persona)
    private = "private" in kinds or (persona is not None and len(people) < 2 and "group" not in kinds)
    if said:
        kind = ChatKind.PRIVATE if private else ChatKind.GROUP
        members = [FileMember(name) for name in people] if private else []
        collector.dialogues.append(FileDialogue(chat, said, chat, kind, persona, participants=members))


def _turn(collector: Collector, options: ReadOptions, place: str, value: Any, speaker: str) -> None:
    moment, source = _time(options, value, "time"), text_of(value, "source") or "conversation"
    if not speaker:
        collector.skip(place, "nobody said it: give `speaker`, or `role` user or assistant")
    elif moment is None:
        collector.skip(place, "it has no `time`: write 2026-05-03T18:00:00Z")
    elif source not in TURN_SOURCES:
        collector.skip(place, f"{source!r} is no `source` of a turn: {', '.join(TURN_SOURCES)}")
    else:
        turn = FileTurn(
            text_of(value, "id") or place,
            speaker,
            text_of(value, "text") or text_of(value, "content"),
            moment,
            text_of(value, "session") or None,
            list(_tags(value)),
            text_of(value, "narrative") or None,
            text_of(value, "task") or None,
            source,
            object_of(value, "attributes") or None,
            attachments.given(value),
        )
        collector.turn(place, turn)


def _tags(value: Any) -> tuple[str, ...]:
    return tuple(one_line(tag) for tag in list_of(value, "tags") if isinstance(tag, str) and one_line(tag))


def _time(options: ReadOptions, value: Any, key: str) -> datetime | None:
    """Returns the time under a key, None if there is none. A time without an offset is in the zone of the import."""
    found = value.get(key)
    if (moment := moment_of(found)) is not None or not isinstance(found, str):
        return moment
    try:
        return options.utc(datetime.fromisoformat(found))
    except (ValueError, OverflowError):
        return None
