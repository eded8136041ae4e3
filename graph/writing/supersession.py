"""What becomes of a new fact among those of its key: the rules of W5 and W6, pure, without a database.

A key names what a statement is about (`person|person|ben|fact|lives_in`). Within a scope (an owner or a chat), a
persona and a space, each authority has one chain of values in valid time: the person themselves (a self-fact), or
whoever told it (hearsay). A new value takes its place in the chain by its `valid_from`, whenever it is told, and ends
what came before it. What is told in advance is believed at once. Its place is the day on which it takes effect: until
then what came before it holds (M14). What was known before stays as it was known: an end that somebody knew of already
is not moved, the memory is retired and told anew with its new end (M14).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from hippograph.graph.model import NO_END, Sensitivity

SELF: Final = "self"
"""The authority of what somebody says of themselves; that of hearsay is the id of who told it."""


@dataclass(frozen=True, slots=True)
class Known:
    """A memory of the key that the store believes: where it belongs, who says so, its value, its time and its labels.

    `seen` is whether who writes sees it, `disclosed` whether they may, though another may stand in its place. `worded`
    is whether somebody corrected it, or worded it anew.
    `takes_effect_at` is None for what takes effect when it begins to hold.
    """

    id: str
    scope: str
    persona_id: str
    authority: str
    value: str
    valid_from: datetime
    valid_until: datetime
    ended_at: datetime
    takes_effect_at: datetime | None = None
    space_id: str = ""
    sensitivity: Sensitivity = Sensitivity.PUBLIC
    portable: bool = True
    seen: bool = True
    disclosed: bool = True
    worded: bool = False

    @property
    def begins(self) -> datetime:
        """Its place in its chain: when it takes effect."""
        return self.takes_effect_at or self.valid_from


@dataclass(frozen=True, slots=True)
class New:
    """A fact to be remembered. `valid_until` is `NO_END` when it is still true; labels that nobody gave are None.
    `gist` are the words that tell the value of what was found in talk from others; empty for what was given. `framed`
    says that its value is made of the slots of a frame.
    """

    scope: str
    persona_id: str
    authority: str
    value: str
    valid_from: datetime
    valid_until: datetime = NO_END
    takes_effect_at: datetime | None = None
    space_id: str = ""
    sensitivity: Sensitivity | None = None
    portable: bool | None = None
    gist: frozenset[str] = frozenset()
    framed: bool = False

    @property
    def begins(self) -> datetime:
        """Its place in its chain: when it takes effect."""
        return self.takes_effect_at or self.valid_from


@dataclass(frozen=True, slots=True)
class Ending:
    """A memory that holds no longer than `valid_until`."""

    id: str
    valid_until: datetime


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be done. With `confirms` the fact is there already, and nothing else happens.

    A memory without an end (`valid_until` is `NO_END`) is the live one of its chain. `ends` are to be given an end,
    `splits` have one that somebody knows of: they are retired and told anew. `supersedes` are what the new memory
    replaces; `superseded_by` what replaces it; `outranks` and `outranked_by` stand in the place of the other for
    whoever may see both; `contradicts` are hearsay of others, kept beside it.
    """

    confirms: str | None = None
    valid_until: datetime = NO_END
    ends: tuple[Ending, ...] = ()
    splits: tuple[Ending, ...] = ()
    supersedes: tuple[str, ...] = ()
    superseded_by: tuple[str, ...] = ()
    outranks: tuple[str, ...] = ()
    outranked_by: tuple[str, ...] = ()
    contradicts: tuple[str, ...] = ()


@dataclass(slots=True)
class _Endings:
    open: list[Ending] = field(default_factory=list)
    known: list[Ending] = field(default_factory=list)

    def add(self, memory: Known, until: datetime) -> None:
        if memory.valid_until > until:
            (self.open if memory.ended_at == NO_END else self.known).append(Ending(memory.id, until))


def plan(new: New, known: Sequence[Known]) -> Plan:
    """What remembering `new` does, given what is believed of its key: of all scopes what holds when it begins or later,
    and of its own chain what ended last before. What ended earlier has no part in it.
    """
    beside = [m for m in known if (m.scope, m.persona_id, m.space_id) == (new.scope, new.persona_id, new.space_id)]
    elsewhere = [m for m in known if m not in beside]
    if repeated := _repeated(new, beside):
        return Plan(confirms=repeated.id)
    own = sorted((m for m in beside if m.authority == new.authority), key=lambda m: (m.begins, m.ended_at, m.id))
    before = [m for m in own if m.begins <= new.begins]
    after = [m for m in own if m.begins > new.begins]
    endings = _Endings()
    for memory in before:
        endings.add(memory, new.begins)
    others = [m for m in beside if m.authority != new.authority]
    hearsay = [m for m in others if m.authority != SELF]
    if new.authority == SELF:
        for memory in hearsay:
            endings.add(memory, max(memory.valid_from, new.begins))
        return Plan(
            valid_until=_until(new, after),
            ends=tuple(endings.open),
            splits=tuple(endings.known),
            supersedes=(*_last(before), *(m.id for m in hearsay)),
            superseded_by=_first(after),
            outranks=(*(m.id for m in elsewhere if m.authority != SELF), *_general(new, elsewhere)),
        )
    return Plan(
        valid_until=_until(new, after),
        ends=tuple(endings.open),
        splits=tuple(endings.known),
        supersedes=_last(before),
        superseded_by=_first(after),
        outranks=_general(new, elsewhere),
        outranked_by=tuple(m.id for m in [*others, *elsewhere] if m.authority == SELF),
        contradicts=tuple(m.id for m in hearsay if m.value != new.value and _overlap(m, new)),
    )


def closing(new: New, value: str, known: Sequence[Known]) -> Plan:
    """What holds no more by a new fact that says so (Maya left Deltaroute): of another key, what has this value, in the
    scope of the new one and on the same authority, ends when the new one begins.
    """
    endings = _Endings()
    own = [m for m in known if _chain(m) == _chain(new)]
    closed = [m for m in own if m.value == value and m.begins <= new.begins < m.valid_until]
    for memory in closed:
        endings.add(memory, new.begins)
    return Plan(ends=tuple(endings.open), splits=tuple(endings.known), supersedes=tuple(m.id for m in closed))


def _chain(of: Known | New) -> tuple[str, str, str, str]:
    return of.scope, of.persona_id, of.space_id, of.authority


def _general(new: New, elsewhere: Iterable[Known]) -> tuple[str, ...]:
    """The facts of no space that a fact of a space would end. They stay for those who do not see the space (P7), and
    rank behind the new one for those who do.
    """
    of_none = [m for m in elsewhere if new.space_id and _chain(m) == (new.scope, new.persona_id, "", new.authority)]
    return tuple(m.id for m in of_none if m.begins <= new.begins < m.valid_until)


def _repeated(new: New, beside: Iterable[Known]) -> Known | None:
    """What says the same of the same time; what somebody says of themselves is no repetition of hearsay."""
    same = [m for m in beside if _says(m, new) and m.begins <= new.begins < m.valid_until]
    # To confirm what one may not see would tell that it is there. Saying somebody else's words again, with other
    # labels, does not change theirs.
    same = [m for m in same if m.authority == new.authority or (m.seen and _labelled_alike(m, new))]
    if new.authority == SELF or new.valid_until != NO_END:
        same = [m for m in same if m.authority == new.authority and new.valid_until in (NO_END, m.valid_until)]
    return min(same, key=lambda m: (m.authority != SELF, m.authority != new.authority, not m.seen, m.id), default=None)


def _says(memory: Known, new: New) -> bool:
    """Whether a memory has this value. What somebody worded with care, and what fills more slots of a frame, says what
    is only part of it (W5).
    """
    part = (memory.worded or new.framed) and new.gist and new.gist <= set(memory.value.split())
    return memory.value == new.value or bool(part)


def _until(new: New, after: Sequence[Known]) -> datetime:
    return min([new.valid_until, *(m.begins for m in after)])


def _last(before: Sequence[Known]) -> tuple[str, ...]:
    return (before[-1].id,) if before else ()


def _first(after: Sequence[Known]) -> tuple[str, ...]:
    return (after[0].id,) if after else ()


def _overlap(memory: Known, new: New) -> bool:
    return memory.begins < new.valid_until and new.begins < memory.valid_until


def _labelled_alike(memory: Known, new: New) -> bool:
    return new.sensitivity in (None, memory.sensitivity) and new.portable in (None, memory.portable)
