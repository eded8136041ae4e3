"""What a file of dialogues or passages holds, and what may not stand in one."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from hippograph.graph.errors import InvalidInput
from hippograph.graph.model import ChatKind, ExtractionMode
from hippograph.nlp.attachments import Attachment

_MOST_NAMED: Final = 5
"""So many names stand in an error."""

PASSAGES: Final = "passages"
"""The id of the dialogue that a file's passages become."""


@dataclass(frozen=True, slots=True)
class FileTurn:
    """Something said: by whom, when, in which session of the dialogue; None leaves that to its time. `narrative`,
    `task`, `source` (`conversation` or `tool_result`), `attributes` and `attachments` are those of a turn.
    """

    id: str
    speaker: str
    text: str
    time: datetime
    session: str | int | None = 1
    tags: list[str] = field(default_factory=list)
    narrative: str | None = None
    task: str | None = None
    source: str = "conversation"
    attributes: dict[str, Any] | None = None
    attachments: list[Attachment] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class FileMember:
    """A stretch of somebody's part in a dialogue; without `since` from the first turn on."""

    name: str
    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class FileDialogue:
    """A chat: its turns in order, and who takes part. `persona` names the speaker who is the assistant. `extraction`
    says which statements are extracted from it, if not what the import says of all.
    """

    id: str
    turns: list[FileTurn]
    title: str | None = None
    kind: ChatKind = ChatKind.GROUP
    persona: str | None = None
    extraction: ExtractionMode | None = None
    participants: list[FileMember] = field(default_factory=list)
    questions: list[dict[str, Any]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class FilePassage:
    """A text with a title, said by nobody in particular."""

    id: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class FilePerson:
    """Somebody in the file, with the name by which turns mention them as `@username`, and with the id of their account
    where it was exported, by which they are known again under another name.
    """

    name: str
    username: str | None = None
    id: str | None = None


@dataclass(frozen=True, slots=True)
class DialogueFile:
    """What a file holds: dialogues, passages (which become one chat of the viewer's), or both."""

    dialogues: list[FileDialogue] = field(default_factory=list)
    passages: list[FilePassage] = field(default_factory=list)
    people: list[FilePerson] = field(default_factory=list)
    questions: list[dict[str, Any]] = field(default_factory=list)


def check(content: DialogueFile, mapping: Mapping[str, str] | None = None) -> None:
    """Raises `InvalidInput` for a file with nothing to import, for a speaker who is no participant, and for several
    people in a private dialogue, where `mapping` does not say that they are one.
    """
    if not content.dialogues and not content.passages:
        raise InvalidInput('the file holds nothing to import: neither "dialogues" nor "passages"')
    for dialogue in content.dialogues:
        known = {member.name for member in dialogue.participants} | {dialogue.persona}
        for turn in dialogue.turns if dialogue.participants else ():
            if turn.speaker not in known:
                raise InvalidInput(
                    f"dialogue {dialogue.id!r}: {turn.speaker!r} speaks in turn {turn.id!r} but is no participant; "
                    "list them there, or leave `participants` out"
                )
        if dialogue.kind is ChatKind.PRIVATE:
            people = {(mapping or {}).get(name, name) for name in names_of(dialogue) if name != dialogue.persona}
            if len(people) > 1:
                named = ", ".join(sorted(people)[:_MOST_NAMED])
                raise InvalidInput(
                    f"dialogue {dialogue.id!r}: it is private, which is one person with the assistant, and has "
                    f"{named}: make it a group, or name the assistant as its `persona`"
                )


def names_of(dialogue: FileDialogue) -> list[str]:
    """Who takes part in a dialogue, each name once: the participants, else the speakers, and the persona."""
    names = [member.name for member in dialogue.participants] or [turn.speaker for turn in dialogue.turns]
    return list(dict.fromkeys([*names, *([dialogue.persona] if dialogue.persona else [])]))
