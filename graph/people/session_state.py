"""Session state (S6): what a person and a persona carry over from session to session.

Nothing of it is written with a message: what was said is counted where it is, and jobs leave their own traces.
"""

from dataclasses import dataclass
from datetime import datetime

from hippograph.graph.access.parameters import read_params
from hippograph.graph.clock import Clock
from hippograph.graph.database import Database, Row
from hippograph.graph.model import Viewer
from hippograph.graph.people.people import check_persona


@dataclass(frozen=True, slots=True)
class JobState:
    """When a job last ran, on how many memories, how often it succeeded, and what fails now and why."""

    ran_at: datetime | None
    memories: int
    succeeded: int
    failed: int
    failure: str | None


@dataclass(frozen=True, slots=True)
class SessionState:
    """What there is between a person and a persona. `curator` is the consolidation of their private talk."""

    message_count: int
    last_interaction_at: datetime | None
    last_message_at: datetime | None
    last_message: str | None
    summaries: JobState
    curator: JobState


class SessionStates:
    """Reads the session state of the viewer with the viewer's persona."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def read(self, viewer: Viewer) -> SessionState:
        """The state as it is now. Raises `NotFound` for an unknown persona."""
        await check_persona(self._database, viewer.persona_id)
        [row] = await self._database.run(
            "state/session_state", persona=viewer.persona_id or "", **read_params(viewer, None, self._clock)
        )
        last, said = row["last_interaction"] or {}, row["last_message"] or {}
        return SessionState(
            message_count=row["messages"],
            last_interaction_at=last.get("event_time"),
            last_message_at=said.get("event_time"),
            last_message=said.get("content"),
            summaries=_job(row["summaries"]),
            curator=_job(row["curator"]),
        )


def _job(row: Row) -> JobState:
    return JobState(row["ran_at"], row["memories"], row["succeeded"], row["failed"], row["failure"])
