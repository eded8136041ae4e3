"""The state of a person (S1): values by key, such as their name and preferred address, each with its valid time.

A person's state is theirs alone: only the viewer's can be set or read here. A value may belong to one persona; a read
with that persona prefers it to the value of no persona. For memories see `graph.retrieval.memories`.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from hippograph.graph.access.parameters import place_params
from hippograph.graph.checks import checked_key, checked_moment, checked_text, refuse_secrets
from hippograph.graph.clock import Clock
from hippograph.graph.database import Database, Row
from hippograph.graph.errors import InvalidInput, NotFound
from hippograph.graph.ids import new_id
from hippograph.graph.model import NO_END, Times, Viewer
from hippograph.graph.paging import Listing, listing, newest_first
from hippograph.graph.people.people import check_persona

MAX_KEY: Final = 100
MAX_VALUE: Final = 2_000


@dataclass(frozen=True, slots=True)
class UserState:
    """One value of one key for one interval of valid time (M8), as known at the time of the read.

    `is_current` says whether it holds at the `as_of` of the read. `for_groups` says whether it appears in the contexts
    of groups, as `name` and `preferred_address` always do (P6). `valid_until` is None if no end is known.
    """

    id: str
    key: str
    value: str
    persona_id: str | None
    for_groups: bool
    valid_from: datetime
    valid_until: datetime | None
    created_at: datetime
    is_current: bool


@dataclass(frozen=True, slots=True)
class SetResult:
    """Result of setting a value: the value with its valid time, and whether anything had to be written."""

    state: UserState
    changed: bool


class States:
    """Sets and reads the state of the viewer for the viewer's persona."""

    def __init__(self, database: Database, clock: Clock, *, refuse_identifiers: bool = False) -> None:
        self._database = database
        self._clock = clock
        self._refuse_identifiers = refuse_identifiers

    async def set_state(
        self,
        viewer: Viewer,
        key: str,
        value: str,
        *,
        for_groups: bool | None = None,
        valid_from: datetime | None = None,
    ) -> SetResult:
        """Sets the value of a key from `valid_from` on (default: now) and ends the previous value there. Without
        `for_groups` a different value is not for groups, and the same value keeps its setting.

        With a `valid_from` in the past the value holds until the next one begins. If another value begins at that very
        moment, it is corrected. If the same value already holds then, nothing is written, so that a write can be
        retried. Raises `InvalidInput`, and `NotFound` for a persona or a viewer that does not exist.
        """
        key, value = checked_key(key, limit=MAX_KEY), checked_text(value, limit=MAX_VALUE)
        refuse_secrets(key, value, identifiers=self._refuse_identifiers)
        since = None if valid_from is None else checked_moment(valid_from)
        if since is not None and since >= NO_END:
            raise InvalidInput(f"the time {since.isoformat()} stands for no end; give one before it", value=since)
        row = await self._database.one(
            "state/set_value",
            viewer=viewer.person_id,
            persona=viewer.persona_id or "",
            space=viewer.space_id or "",
            line=_line(viewer, viewer.persona_id, key, viewer.space_id),
            key=key,
            value=value,
            for_groups=for_groups,
            id=new_id(),
            rest_id=new_id(),
            valid_from=since,
            now=self._clock(),
        )
        if row is None:
            raise NotFound(f"there is no person {viewer.person_id}")
        if not row["persona_known"]:
            raise NotFound(f"there is no persona {viewer.persona_id}")
        return SetResult(_state(row["state"], is_current=row["is_current"]), row["changed"])

    async def current(
        self, viewer: Viewer, times: Times | None = None, *, for_context: bool = False
    ) -> list[UserState]:
        """The value of each key at the two times of the read (M14; both default to now), ordered by key. With
        `for_context` in a group, only the values that appear in contexts of groups.

        Raises `NotFound` for an unknown persona.
        """
        await check_persona(self._database, viewer.persona_id)
        rows = await self._database.run(
            "state/current", for_context=for_context, **place_params(viewer), **self._read(viewer, times)
        )
        return [_state(row["state"], is_current=True) for row in rows]

    async def history(
        self, viewer: Viewer, key: str, times: Times | None = None, *, first: int = 20, after: str | None = None
    ) -> Listing[UserState]:
        """All values of a key, of the viewer's persona and of none, the latest start first.

        The values are as known at `known_at`: those that a later correction removed are included, those that it added
        are not. Values that begin in the future are included; `is_current` refers to `as_of`. Raises `InvalidInput` for
        an invalid key, a page size out of range or a cursor of another list, and `NotFound` for an unknown persona.
        """
        key = checked_key(key, limit=MAX_KEY)
        await check_persona(self._database, viewer.persona_id)
        personas = dict.fromkeys([viewer.persona_id or None, None])
        spaces = dict.fromkeys([viewer.space_id or None, None])
        lines = [_line(viewer, persona, key, space) for persona in personas for space in spaces]
        name = f"history of {lines[0]}"
        rows = await self._database.run(
            "state/history", lines=lines, **newest_first(name, first, after), **self._read(viewer, times)
        )
        found = [_state(row["state"], is_current=row["is_current"]) for row in rows]
        return listing(name, first, found, lambda s: (s.valid_from, s.id))

    def _read(self, viewer: Viewer, times: Times | None) -> dict[str, object]:
        return {
            "viewer": viewer.person_id,
            "space": viewer.space_id,
            "as_of": times and times.as_of,
            "known_at": times and times.known_at,
            "now": self._clock(),
        }


def _line(viewer: Viewer, persona_id: str | None, key: str, space_id: str | None) -> str:
    """The identifier shared by the values that succeed one another; each space has its own (P7)."""
    return "|".join([viewer.person_id, persona_id or "", key, *([space_id] if space_id else [])])


def _state(row: Row, *, is_current: bool) -> UserState:
    return UserState(
        id=row["id"],
        key=row["key"],
        value=row["value"],
        persona_id=row["persona_id"] or None,
        for_groups=row.get("for_groups", False),
        valid_from=row["valid_from"],
        valid_until=None if row["valid_until"] == NO_END else row["valid_until"],
        created_at=row["created_at"],
        is_current=is_current,
    )
