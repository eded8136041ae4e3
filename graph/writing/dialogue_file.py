"""The contents of a file of dialogues or passages, and the checks on it before it is imported."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from hippograph.graph.errors import InvalidInput
from hippograph.graph.model import ChatKind, ExtractionMode
from hippograph.nlp.attachments import Attachment

_MOST_NAMED: Final = 5
"""Maximum number of names listed in an error message."""

PASSAGES: Final = "passages"
"""Id of the dialogue that the passages of a file become."""


@dataclass(frozen=True, slots=True)
class FileTurn:
    """One turn of a dialogue. `session` names its session within the dialogue; with None the time decides. `narrative`,
    `task`, `source` (`conversation` or `tool_result`), `attributes` and `attachments` are as in `recording.Turn`.
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
    """A period in which somebody takes part in a dialogue. Without `since` it begins with the first turn; without
    `until` it has no end.
    """

    name: str
    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class FileDialogue:
    """A chat with its turns in order and its participants. `persona` names the speaker who is the assistant.
    `extraction` says which statements are extracted from it; with None the setting of the import holds.
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
    """A text with a title and without a speaker."""

    id: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class FilePerson:
    """A person in the file. `username` is the name by which turns mention them (`@username`). `id` is the id of their
    account, where it was exported; by it a later import recognises them under another name.
    """

    name: str
    username: str | None = None
    id: str | None = None


@dataclass(frozen=True, slots=True)
class DialogueFile:
    """The contents of a file: dialogues, passages, or both. The passages become one chat of the viewer."""

    dialogues: list[FileDialogue] = field(default_factory=list)
    passages: list[FilePassage] = field(default_factory=list)
    people: list[FilePerson] = field(default_factory=list)
    questions: list[dict[str, Any]] = field(default_factory=list)


def check(content: DialogueFile, mapping: Mapping[str, str] | None = None) -> None:
    """Raises `InvalidInput` for a file with nothing to import, for a speaker who is not among the participants listed,
    and for several people in a private dialogue, unless `mapping` says that they are the same person.
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
    """The names of those who take part in a dialogue, without duplicates: the participants, or if none are listed the
    speakers, and the persona.
    """
    names = [member.name for member in dialogue.participants] or [turn.speaker for turn in dialogue.turns]
    return list(dict.fromkeys([*names, *([dialogue.persona] if dialogue.persona else [])]))
