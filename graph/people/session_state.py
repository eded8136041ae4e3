"""Session state (S6): what a person and a persona carry over from session to session.

Recording a message writes none of it. It is computed when it is read, from the turns and from what jobs have stored.
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
    """When a job last ran, how often it succeeded, how many of its items fail now, and the error of one of them.

    `memories` is the number of sources of the latest summary, or for the curator of turns in all sessions.
    """

    ran_at: datetime | None
    memories: int
    succeeded: int
    failed: int
    failure: str | None


@dataclass(frozen=True, slots=True)
class SessionState:
    """The state between a person and a persona. The last interaction is the last turn of anybody, the last message the
    last one of the person. `curator` is the consolidation of their private chats.
    """

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
        """The present state. Raises `NotFound` for an unknown persona."""
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
