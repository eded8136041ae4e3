"""Ends sessions. They begin with a message (`graph.writing.recording`)."""

from datetime import timedelta

from hippograph.graph.clock import Clock
from hippograph.graph.database import Database, Row
from hippograph.graph.errors import NotFound
from hippograph.graph.model import NO_END, Session, Viewer
from hippograph.graph.people.people import check_persona

_BATCH = 500


class Sessions:
    """Ends sessions on request, and after `idle` time without a message (S3)."""

    def __init__(self, database: Database, clock: Clock, *, idle: timedelta) -> None:
        self._database = database
        self._clock = clock
        self._idle = idle

    async def close(
        self, viewer: Viewer, chat_id: str, persona_id: str | None = None, *, word: str | None = None
    ) -> Session | None:
        """Ends the open session of a chat and a persona at the time of its last message; None if none is open. With a
        `word`, the caller's id of a session, it is the session recorded under it, open or not.

        Raises `NotFound` if there is no such chat for the viewer, and for an unknown persona.
        """
        await check_persona(self._database, persona_id)
        row = await self._database.one(
            "session/close",
            chat=chat_id,
            persona=persona_id or "",
            word=word,
            viewer=viewer.person_id,
            by_right=viewer.rights.may_record_in(chat_id),
            now=self._clock(),
        )
        if row is None:
            raise NotFound(f"there is no chat {chat_id}")
        return session(row["session"]) if row["session"] else None

    async def close_idle(self) -> int:
        """Ends every session whose last message is longer ago than the idle time. Returns their number."""
        now = self._clock()
        return await self._database.count_all("session/close_idle", before=now - self._idle, limit=_BATCH, now=now)


def session(row: Row) -> Session:
    """A session from the properties of its node."""
    return Session(
        id=row["id"],
        chat_id=row["chat_id"],
        persona_id=row["persona_id"] or None,
        started_at=row["started_at"],
        last_activity_at=row["last_activity_at"],
        ended_at=None if row["ended_at"] == NO_END else row["ended_at"],
        consolidated_at=row.get("consolidated_at"),
    )
