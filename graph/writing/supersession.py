"""How a new fact changes the facts of its key: the rules of W5 and W6, as pure functions without a database.

A key names what a statement is about (`person|person|ben|fact|lives_in`). Within a scope (an owner or a chat), a
persona and a space, each authority has one chain of values in valid time. The authority is the person themselves (a
self-fact) or whoever told it (hearsay). A new value takes its place in the chain by its `valid_from`, no matter when
it is told, and ends the values before it. A fact told in advance is believed at once; its place is the day on which it
takes effect, and until then the value before it holds (M14). What the store knew in the past stays on record: a memory
whose end was already known is retired and created anew with its new end (M14).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from hippograph.graph.model import NO_END, Sensitivity

SELF: Final = "self"
"""The authority of what people say of themselves; the authority of hearsay is the id of who told it."""


@dataclass(frozen=True, slots=True)
class Known:
    """A memory of the key that the store believes, with its scope, authority, value, times and labels.

    `seen` says whether the writer sees it; `disclosed` whether they would if no other memory outranked it. `worded`
    says whether somebody corrected or reworded it. `ended_at` is when the store learned of its end.
    `takes_effect_at` is None if it takes effect at `valid_from`.
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
        """When it takes effect, which is its place in its chain."""
        return self.takes_effect_at or self.valid_from


@dataclass(frozen=True, slots=True)
class New:
    """A fact to be remembered. `valid_until` is `NO_END` while it is still true; labels that nobody gave are None.
    `gist` holds the words that tell its value from others; it is empty unless the fact was found in talk. `framed`
    says whether its value is made of the slots of a frame.
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
        """When it takes effect, which is its place in its chain."""
        return self.takes_effect_at or self.valid_from


@dataclass(frozen=True, slots=True)
class Ending:
    """A memory, and the time at which it stops holding."""

    id: str
    valid_until: datetime


@dataclass(frozen=True, slots=True)
class Plan:
    """The changes that remembering a fact makes. With `confirms` the fact is already stored, and nothing else changes.

    `valid_until` is the end of the new memory; without one (`NO_END`) it is the live memory of its chain. `ends` are
    memories that get their first end. `splits` are memories whose end was already known: they are retired and created
    anew. `supersedes` are the memories that the new one replaces, `superseded_by` those that replace it. Viewers who
    may see both see the new memory instead of those in `outranks`, and those in `outranked_by` instead of the new
    one. `contradicts` is hearsay of others, which is kept beside it.
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
    """Returns the changes that remembering `new` makes.

    `known` are the believed facts of its key: those of all scopes that hold when it begins or later, and the one of
    its own chain that ended last before. Facts that ended earlier do not matter.
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
    """Returns the changes to facts of another key that a new fact ends (Maya left Deltaroute).

    Facts of the same scope, persona, space and authority that have this value and hold when `new` begins end then.
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
    """Returns the ids of facts outside any space that a fact of a space would end. They stay for viewers who do not see
    the space (P7), and rank behind the new one for those who do.
    """
    of_none = [m for m in elsewhere if new.space_id and _chain(m) == (new.scope, new.persona_id, "", new.authority)]
    return tuple(m.id for m in of_none if m.begins <= new.begins < m.valid_until)


def _repeated(new: New, beside: Iterable[Known]) -> Known | None:
    """Returns a memory that says the same of the same time. A self-fact does not repeat hearsay."""
    same = [m for m in beside if _says(m, new) and m.begins <= new.begins < m.valid_until]
    # Confirming a memory that the writer may not see would reveal it. Repeating somebody else's statement with other
    # labels does not change that statement's labels.
    same = [m for m in same if m.authority == new.authority or (m.seen and _labelled_alike(m, new))]
    if new.authority == SELF or new.valid_until != NO_END:
        same = [m for m in same if m.authority == new.authority and new.valid_until in (NO_END, m.valid_until)]
    return min(same, key=lambda m: (m.authority != SELF, m.authority != new.authority, not m.seen, m.id), default=None)


def _says(memory: Known, new: New) -> bool:
    """Whether a memory has this value (W5). A memory that contains the whole gist has it as well, if somebody corrected
    or reworded the memory or if the new value is made of a frame's slots.
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
