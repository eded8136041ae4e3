"""The initial properties of every new memory, and the tokens by which full-text search filters it."""

from collections.abc import Iterable
from datetime import datetime

from hippograph.graph.access.labels import CONFIDED, NO_GUESS, Guess, label_tokens
from hippograph.graph.database import Row
from hippograph.graph.ids import token
from hippograph.graph.model import NO_END, EventPrecision, MemoryType, Sensitivity
from hippograph.graph.retrieval.filters import day

DEFAULTS = {
    "kind": "",
    "category": "",
    "space_id": "",
    "narrative_id": "",
    "task_id": "",
    "status": "active",
    "sensitivity": Sensitivity.PUBLIC.value,
    "portable": True,
    "valid_until": NO_END,
    "ended_at": NO_END,
    "retired_at": NO_END,
    "expires_at": NO_END,
    "confidence": 1.0,
    "importance": 1,
    "stability": 1.0,
    "decay_rate": 0.0,
    "access_count": 0,
    "score": 0,
    "attributes": "{}",
    "inferred_labels": [],
}
"""Default properties of a memory (M2). No property that an index filters on may be null."""


def facets(kind: MemoryType, source: str, persona_id: str, speaker_id: str, tags: Iterable[str]) -> list[str]:
    """The full-text tokens by which a new memory is filtered, except those for its labels, narrative and task."""
    return [
        token("type", kind),
        token("source", source),
        token("status", "active"),
        token("persona", persona_id),
        token("speaker", speaker_id),
        *(token("tag", tag) for tag in tags),
    ]


def belonging_tokens(narrative_id: str, task_id: str) -> list[str]:
    """The tokens by which full-text search filters by narrative and task."""
    return [token(name, value) for name, value in (("narrative", narrative_id), ("task", task_id)) if value]


def event_times(event_time: datetime, now: datetime) -> Row:
    """The time properties of a turn: said at `event_time`, with the precision of a minute, and known from now on."""
    return {
        "event_time": event_time,
        "event_precision": EventPrecision.MINUTE.value,
        "event_until": event_time,
        "event_day": day(event_time),
        "created_at": now,
        "learned_at": now,
        "last_hit_at": now,
        # A turn is valid from when it was said; a sender's clock that runs ahead must not hide it.
        "valid_from": min(event_time, now),
    }


def labels_by_place(chat_id: str, guessed: Guess, *, by_assistant: bool) -> Row:
    """The labels of a turn in a private chat, in a group, and as an answer to what was told in confidence."""
    labels = _labels(chat_id, guessed)
    return {
        "labels": labels,
        # The assistant's words in a group have no owner, so inferred labels would hide them from everybody.
        "labels_in_group": _labels(chat_id, NO_GUESS) if by_assistant else labels,
        "labels_in_confidence": _labels(chat_id, CONFIDED),
    }


def _labels(chat_id: str, found: Guess) -> Row:
    return {
        "sensitivity": found.sensitivity.value,
        "portable": found.portable,
        "inferred_labels": list(found.inferred_labels),
        "facets": label_tokens(found.sensitivity, found.portable, chat_id),
    }
