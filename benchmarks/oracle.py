"""The access rule in plain Python: the oracle that the fragment `visible` is tested against (P1, P2, P7, M14).

It deliberately shares no code with the statements, and follows the words of the specification rather than speed.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from hippograph.graph.model import ChatKind, Sensitivity, Times, Viewer

OLD_DATA = "migration"
"""The `source` of memories imported from another system, where the chat in which they were learned is unknown."""


@dataclass(frozen=True, slots=True)
class Record:
    """The properties of a memory that the rule depends on. What is absent, and an end that is unknown, is None.

    `about` are the ids of the persons it is about. `learned_at` is when it was told, `created_at` when it was recorded,
    which may be later. `ended_at` is when `valid_until` became known. `confided`: it is to be kept from somebody.
    """

    owner_id: str | None
    chat_id: str | None
    persona_id: str | None
    created_at: datetime
    learned_at: datetime
    valid_from: datetime
    takes_effect_at: datetime | None = None
    valid_until: datetime | None = None
    ended_at: datetime | None = None
    retired_at: datetime | None = None
    expires_at: datetime | None = None
    sensitivity: Sensitivity = Sensitivity.PUBLIC
    portable: bool = True
    learned_in: str | None = None
    speaker_id: str | None = None
    source: str = "conversation"
    archived: bool = False
    summary: bool = False
    about: frozenset[str] = frozenset()
    space_id: str | None = None
    confided: bool = False

    @property
    def subjects(self) -> frozenset[str]:
        """The subjects: the persons it is about, else its owner, else its speaker (P2)."""
        return self.about or frozenset({self.owner_id or self.speaker_id or ""})


@dataclass(frozen=True, slots=True)
class Part:
    """A period in which a person takes part in a chat. `until` is exclusive; None means that it goes on."""

    person_id: str
    chat_id: str
    since: datetime
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Places:
    """The kind of each chat, who takes part when, the service's setting for old data (`legacy_disclosable`), the
    personas of the sessions of each chat, and the space of each chat that has one. Chats are given by their ids.
    """

    kinds: dict[str, ChatKind]
    parts: tuple[Part, ...]
    legacy_disclosable: bool = False
    personas: Mapping[str, frozenset[str]] = field(default_factory=dict)
    spaces: Mapping[str, str] = field(default_factory=dict)

    def takes_part(self, person_id: str | None, chat_id: str | None, moment: datetime) -> bool:
        """Whether a person takes part in a chat at a moment."""
        return any(
            part.person_id == person_id
            and part.chat_id == chat_id
            and part.since <= moment
            and (part.until is None or part.until > moment)
            for part in self.parts
        )

    def enters(self, viewer: Viewer, chat_id: str | None, moment: datetime) -> bool:
        """Whether a viewer takes part in a chat at a moment, and it is not in another space than theirs (P7)."""
        space = self.spaces.get(chat_id or "")
        return self.takes_part(viewer.person_id, chat_id, moment) and (
            viewer.space_id is None or space in (None, viewer.space_id)
        )

    def any_takes_part(self, people: Iterable[str], chat_id: str, moment: datetime) -> bool:
        """Whether at least one of these people takes part in a chat at a moment."""
        return any(self.takes_part(person, chat_id, moment) for person in people)


def counts(memory: Record, times: Times) -> bool:
    """Whether a memory was known at K (`known_at`) and true at V (`as_of`) (M14)."""
    if memory.created_at > times.known_at:
        return False
    for gone in (memory.retired_at, memory.expires_at):
        if gone is not None and gone <= times.known_at:
            return False
    if memory.valid_from > times.as_of:
        return False
    end_is_known = memory.ended_at is not None and memory.ended_at <= times.known_at
    return not (end_is_known and memory.valid_until is not None and memory.valid_until <= times.as_of)


def asked_persona(viewer: Viewer, places: Places) -> str | None:
    """The persona that is asked: the viewer's, else that of the chat if it has exactly one, else None (P1)."""
    if viewer.persona_id is not None or viewer.chat_id is None:
        return viewer.persona_id
    personas = places.personas.get(viewer.chat_id, frozenset())
    return next(iter(personas)) if len(personas) == 1 else None


def of_persona(memory: Record, viewer: Viewer, places: Places) -> bool:
    """Whether a memory belongs to no persona, or to one whose memories the viewer looks at (P1)."""
    return memory.persona_id is None or viewer.every_persona or memory.persona_id == asked_persona(viewer, places)


def of_space(memory: Record, viewer: Viewer, places: Places) -> bool:
    """Whether a memory belongs to no space, or to the one within which the viewer looks (P7). Outside any chat that is
    every space, unless the viewer has a `space_id`.
    """
    of = memory.space_id
    if of is None:
        return True
    asked_for = viewer.space_id in (None, of)
    return (asked_for and viewer.chat_id is None) or of == places.spaces.get(viewer.chat_id or "")


def stands(memory: Record, viewer: Viewer, places: Places, now: datetime) -> list[Viewer]:
    """The places from which a viewer looks at a memory: that of the request, and at most one group.

    The group is added if the viewer looks at their own memory outside any chat (`every_persona`). It is the group that
    the memory belongs to, if they take part there, else the first by id that fits the memory's space.
    """
    if viewer.chat_id is not None or not viewer.every_persona:
        return [viewer]
    groups = sorted(
        chat
        for chat, kind in places.kinds.items()
        if kind is ChatKind.GROUP
        and places.enters(viewer, chat, now)
        and memory.space_id in (None, places.spaces.get(chat))
    )
    home = memory.chat_id or memory.learned_in
    return [viewer, *(viewer.at(chat) for chat in ([home] if home in groups else groups[:1]))]


def reachable(memory: Record, person_id: str, chat_id: str | None) -> bool:
    """Whether a person can reach a memory at all, from a chat in which they take part or from none (P1)."""
    if memory.owner_id == person_id:
        return True
    if chat_id is not None and memory.chat_id == chat_id:
        return True
    learned_here = chat_id is not None and memory.learned_in == chat_id
    return bool(memory.about) and (memory.portable or learned_here)


def disclosable(memory: Record, person_id: str, places: Places) -> bool:
    """Whether a memory may be disclosed to a person in private (P2)."""
    return (
        person_id in memory.about
        or memory.speaker_id == person_id
        or places.takes_part(person_id, memory.learned_in, memory.learned_at)
        or not memory.about
        or (places.legacy_disclosable and memory.source == OLD_DATA and memory.learned_in is None)
    )


def shown_in_group(memory: Record, person_id: str, chat_id: str, places: Places, now: datetime) -> bool:
    """Whether a memory is shown in a group, by that column of P2's table.

    A confided memory is shown only to its owner, its speaker and those who were there when it was said (P1).
    """
    was_there = places.takes_part(person_id, memory.learned_in, memory.valid_from)
    if memory.confided and not was_there and person_id not in (memory.owner_id, memory.speaker_id):
        return False
    here = chat_id in (memory.learned_in, memory.chat_id)
    subjects = {person_id} if memory.summary else memory.subjects
    subject_is_there = places.any_takes_part(subjects, chat_id, now)
    match memory.sensitivity:
        case Sensitivity.PUBLIC:
            return True
        case Sensitivity.PERSONAL:
            return person_id in subjects or (here and subject_is_there)
        case Sensitivity.SENSITIVE:
            return here and subject_is_there


def shown_in_private(memory: Record, person_id: str, places: Places) -> bool:
    """Whether a memory is shown in a private chat or outside any, by that column of P2's table."""
    subjects = {person_id} if memory.summary else memory.subjects
    match memory.sensitivity:
        case Sensitivity.PUBLIC:
            return disclosable(memory, person_id, places)
        case Sensitivity.PERSONAL:
            concerned = person_id in subjects or memory.owner_id == person_id
            return concerned and disclosable(memory, person_id, places)
        case Sensitivity.SENSITIVE:
            return person_id in subjects


def visible(
    memory: Record,
    viewer: Viewer,
    places: Places,
    times: Times,
    now: datetime,
    outranking: Iterable[Record] = (),
    sources: Iterable[tuple[Record, Iterable[Record]]] = (),
) -> bool:
    """Whether the viewer may see a memory.

    `outranking` are what its subjects say themselves: one that is in effect and visible hides the memory (W6). A
    summary is visible only if all `sources` are, each given with what outranks it (M15). `times` decide which memories
    count; who takes part in the chat of the request is judged at `now`.
    """
    standing = stands(memory, viewer, places, now)

    def seen(record: Record) -> bool:
        return any(allowed(record, each, places, times, now) for each in standing)

    return all(
        seen(shown)
        and not any(seen(own) for own in over if own.takes_effect_at is None or own.takes_effect_at <= times.as_of)
        for shown, over in [(memory, outranking), *sources]
    )


def allowed(memory: Record, viewer: Viewer, places: Places, times: Times, now: datetime) -> bool:
    """Whether the viewer may see a memory, regardless of what outranks it (P1, P2, P7, M14)."""
    if memory.archived or not counts(memory, times):
        return False
    if not of_persona(memory, viewer, places) or not of_space(memory, viewer, places):
        return False
    me, chat = viewer.person_id, viewer.chat_id
    if chat is not None and not places.enters(viewer, chat, now):
        return False
    if not reachable(memory, me, chat):
        return False
    if chat is not None and places.kinds[chat] is ChatKind.GROUP:
        return shown_in_group(memory, me, chat, places, now)
    return shown_in_private(memory, me, places)


def candidate(memory: Record, viewer: Viewer, places: Places, named: Iterable[str], now: datetime) -> bool:
    """Whether a memory is a candidate of a search: the viewer's, the chat's, or about a person concerned (P1).

    Concerned are the viewer, the persons `named` (ids) and those who take part in the chat.
    """
    chat = viewer.chat_id
    present = {part.person_id for part in places.parts if places.takes_part(part.person_id, chat, now)}
    concerned = {viewer.person_id, *named, *present}
    here = {each.chat_id for each in stands(memory, viewer, places, now)} - {None}
    own = memory.owner_id == viewer.person_id or memory.chat_id in here
    return own or bool(memory.about & concerned)
