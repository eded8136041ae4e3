"""Who may see what, as plain Python: the oracle that the fragment `visible` is tested against (P1, P2).

It shares no code with the statements, on purpose. It is the first version of the rule: one's own scope, and the
scope of the chat one takes part in, for the persona that is asked or for none.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from graph.model import Times, Viewer


@dataclass(frozen=True, slots=True)
class Record:
    """What the rule needs to know of a memory. An end that is not known is None."""

    owner_id: str | None
    chat_id: str | None
    persona_id: str | None
    created_at: datetime
    valid_from: datetime
    valid_until: datetime | None = None
    ended_at: datetime | None = None
    retired_at: datetime | None = None
    expires_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of a person's part in a chat."""

    person_id: str
    chat_id: str
    since: datetime
    until: datetime | None = None


def counts(memory: Record, times: Times) -> bool:
    """Whether a memory was known at K and true at V (M14)."""
    if memory.created_at > times.known_at:
        return False
    for gone in (memory.retired_at, memory.expires_at):
        if gone is not None and gone <= times.known_at:
            return False
    if memory.valid_from > times.as_of:
        return False
    end_is_known = memory.ended_at is not None and memory.ended_at <= times.known_at
    return not (end_is_known and memory.valid_until is not None and memory.valid_until <= times.as_of)


def takes_part(parts: Iterable[Part], person_id: str, chat_id: str, now: datetime) -> bool:
    """Whether a person takes part in a chat at a moment."""
    return any(
        part.person_id == person_id
        and part.chat_id == chat_id
        and part.since <= now
        and (part.until is None or part.until > now)
        for part in parts
    )


def visible(memory: Record, viewer: Viewer, parts: Iterable[Part], times: Times, now: datetime) -> bool:
    """Whether the viewer may see a memory. Times of the read move what counts; memberships are today's."""
    if not counts(memory, times):
        return False
    if memory.persona_id is not None and memory.persona_id != viewer.persona_id:
        return False
    if memory.owner_id is not None:
        return memory.owner_id == viewer.person_id
    return (
        memory.chat_id is not None
        and memory.chat_id == viewer.chat_id
        and takes_part(parts, viewer.person_id, memory.chat_id, now)
    )
