"""Timelines: the memories of an entity, or those learned in a chat, in the order of time."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from hippograph.graph.access.parameters import read_params, request_params
from hippograph.graph.clock import Clock
from hippograph.graph.database import Database, Row
from hippograph.graph.model import NO_END, START, Memory, Times, Viewer
from hippograph.graph.paging import Listing, checked_first, decode_cursor
from hippograph.graph.people.people import check_persona
from hippograph.graph.retrieval.memories import memories_by_time
from hippograph.graph.zones import UTC_ZONE, wall_clock


@dataclass(frozen=True, slots=True)
class Stretch:
    """A period from `since` (inclusive) to `until` (exclusive). A memory belongs to it if its time overlaps it."""

    since: datetime = START
    until: datetime = NO_END
    zone: str = UTC_ZONE

    def params(self) -> dict[str, object]:
        """The parameters of the fragment `in_period`. Days are compared with the local time in `zone`."""
        since = START if self.since == START else wall_clock(self.since, self.zone)
        until = NO_END if self.until == NO_END else wall_clock(self.until, self.zone)
        return {"since": self.since, "until": self.until, "since_day": since, "until_day": until}


ALWAYS: Final = Stretch()


class Timelines:
    """Reads timelines. Memories with the same time are ordered by id, which is the order in which they were stored."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def of_entities(
        self,
        viewer: Viewer,
        places: Mapping[str, str | None],
        *,
        stretch: Stretch = ALWAYS,
        times: Times | None = None,
        first: int = 20,
    ) -> dict[str, Listing[Memory]]:
        """The memories that name some entities or are about them and that the viewer may see from where they are,
        earliest first. `places` maps the key of each entity to its cursor, or None.

        Raises `InvalidInput` for a page size out of range or a cursor of another list, and `NotFound` for an unknown
        persona.
        """
        await check_persona(self._database, viewer.persona_id)
        rows = await self._database.run(
            "timeline/of_entities",
            places=[_place(key, after) for key, after in places.items()],
            limit=checked_first(first) + 1,
            **stretch.params(),
            **request_params(viewer, times, self._clock),
        )
        found: dict[str, list[Row]] = {key: [] for key in places}
        for row in rows:
            found[row["key"]].append(row)
        return {key: memories_by_time(_name(key), first, each) for key, each in found.items()}

    async def of_chat(
        self,
        viewer: Viewer,
        chat_id: str,
        *,
        persona_id: str | None = None,
        stretch: Stretch = ALWAYS,
        times: Times | None = None,
        first: int = 20,
        after: str | None = None,
    ) -> Listing[Memory]:
        """The turns of a chat and the facts learned in it, earliest first: of all personas, or of the given one and of
        none. Empty if the viewer does not take part in the chat. Raises as `of_entities`.
        """
        await check_persona(self._database, persona_id)
        name = _name(chat_id)
        time, last_id = decode_cursor(name, after, (START, ""))
        rows = await self._database.run(
            "timeline/of_chat",
            chat=chat_id,
            persona=persona_id,
            time=time,
            id=last_id,
            limit=checked_first(first) + 1,
            **stretch.params(),
            **read_params(viewer, times, self._clock),
        )
        return memories_by_time(name, first, rows)


def _place(key: str, after: str | None) -> dict[str, object]:
    time, last_id = decode_cursor(_name(key), after, (START, ""))
    return {"key": key, "time": time, "id": last_id}


def _name(what: str) -> str:
    return f"timeline of {what}"
