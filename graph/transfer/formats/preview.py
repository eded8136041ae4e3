"""Preview of an import: chats, people, the period, and what would be skipped and why."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from hippograph.graph.transfer.formats.reading import Reading, Skipped, speakers_of

_PLACES: Final = 5
"""Maximum number of places listed for one reason."""


@dataclass(frozen=True, slots=True)
class ChatPreview:
    """A chat as it would be imported. `since` and `until` are the times of its first and last turn."""

    title: str
    people: tuple[str, ...]
    turns: int
    since: datetime
    until: datetime


@dataclass(frozen=True, slots=True)
class SkippedKind:
    """The items skipped for one reason: their number, and the places of the first of them."""

    reason: str
    count: int
    places: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Preview:
    """What an import would store. `turns`, `passages`, `statements` (which become facts) and `documents` are counts.
    `since` and `until` span all turns and the days of statements; None if there are none.
    """

    format: str
    name: str
    me: str | None
    chats: tuple[ChatPreview, ...]
    people: tuple[str, ...]
    turns: int
    passages: int
    statements: int
    documents: int
    since: datetime | None
    until: datetime | None
    skipped: tuple[SkippedKind, ...]
    notes: tuple[str, ...]


def preview(reading: Reading) -> Preview:
    """Returns the preview of an import."""
    spoken = [dialogue for dialogue in reading.content.dialogues if dialogue.turns]
    chats = tuple(
        ChatPreview(
            dialogue.title or dialogue.id,
            tuple(dict.fromkeys(turn.speaker for turn in dialogue.turns)),
            len(dialogue.turns),
            min(turn.time for turn in dialogue.turns),
            max(turn.time for turn in dialogue.turns),
        )
        for dialogue in spoken
    )
    days = [statement.day for statement in reading.statements if statement.day]
    return Preview(
        format=reading.format.value,
        name=reading.name,
        me=reading.me,
        chats=chats,
        people=tuple(sorted(speakers_of(spoken))),
        turns=sum(chat.turns for chat in chats),
        passages=len(reading.content.passages),
        statements=len(reading.statements),
        documents=len(reading.documents),
        since=min((*(chat.since for chat in chats), *days), default=None),
        until=max((*(chat.until for chat in chats), *days), default=None),
        skipped=by_reason(reading.skipped),
        notes=reading.notes,
    )


def by_reason(skipped: Sequence[Skipped]) -> tuple[SkippedKind, ...]:
    """Groups skipped items by reason, the most frequent first."""
    places: dict[str, list[str]] = {}
    for each in skipped:
        places.setdefault(each.reason, []).append(each.place)
    ordered = sorted(places.items(), key=lambda item: -len(item[1]))
    return tuple(SkippedKind(reason, len(found), tuple(found[:_PLACES])) for reason, found in ordered)
