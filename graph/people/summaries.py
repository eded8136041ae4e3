"""Summaries of talk as the viewer reads them: of a session, of the latest talk, of themselves (S3–S5).

A viewer sees a summary if they may see every memory that it is made of (M15). `graph.summaries` writes them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from hippograph.graph.access.parameters import read_params, request_params
from hippograph.graph.clock import Clock
from hippograph.graph.database import Database, Row
from hippograph.graph.model import Entity, Times, Viewer
from hippograph.graph.people.entities import known_entities
from hippograph.graph.people.people import check_persona


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a summary, with its section (`what_mattered`, `open_loops` …) and the memories that it rests on."""

    section: str
    text: str
    memory_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Summary:
    """One version of a summary of talk (M7), of the `kind` `session`, `rolling` or `spine`.

    `until` is the time of the last turn that it covers. `people` are those whom its sources name or quote, as the
    viewer knows them. `tone` is empty when the sources show no emotion.
    """

    id: str
    kind: str
    version: int
    content: str
    sentences: tuple[Sentence, ...]
    people: tuple[Entity, ...]
    tone: str
    created_at: datetime
    until: datetime
    persona_id: str | None
    session_id: str | None

    def of(self, section: str) -> list[str]:
        """The sentences of a section."""
        return [sentence.text for sentence in self.sentences if sentence.section == section]


@dataclass(frozen=True, slots=True)
class SummariesHere:
    """The latest summaries in the viewer's current scope: of a session, of the latest talk, and of the viewer. Each is
    None if there is none.
    """

    session: Summary | None = None
    rolling: Summary | None = None
    spine: Summary | None = None


class SummaryReader:
    """Reads summaries of talk."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def here(self, viewer: Viewer, times: Times | None = None) -> SummariesHere:
        """The latest summaries of the viewer's current scope with their persona, and the summary of the viewer, as
        known at the times of the read. Raises `NotFound` for an unknown persona.
        """
        await check_persona(self._database, viewer.persona_id)
        return _latest(await self._summaries(viewer, await self._rows_here(viewer, times)))

    async def texts_here(self, viewer: Viewer, times: Times | None = None) -> SummariesHere:
        """Like `here`, but without the people and without a check of the persona."""
        return _latest([_summary(row, {}) for row in await self._rows_here(viewer, times)])

    async def of_sessions(
        self, viewer: Viewer, session_ids: Sequence[str], times: Times | None = None
    ) -> dict[str, Summary]:
        """The summaries of sessions, by session id, as far as the viewer sees them in the session's chat."""
        rows = await self._database.run(
            "summary/of_sessions", sessions=list(session_ids), **read_params(viewer, times, self._clock)
        )
        found = await self._summaries(viewer, [row["summary"] for row in rows])
        return {row["session"]: summary for row, summary in zip(rows, found, strict=True)}

    async def _rows_here(self, viewer: Viewer, times: Times | None) -> list[Row]:
        rows = await self._database.run("summary/here", **request_params(viewer, times, self._clock))
        return [row["summary"] for row in rows]

    async def _summaries(self, viewer: Viewer, rows: Sequence[Row]) -> list[Summary]:
        ids = {person for row in rows for person in row["people"]}
        people = await known_entities(self._database, self._clock, viewer, ids)
        return [_summary(row, people) for row in rows]


def _latest(found: Sequence[Summary]) -> SummariesHere:
    latest = {summary.kind: summary for summary in reversed(found)}
    return SummariesHere(latest.get("session"), latest.get("rolling"), latest.get("spine"))


def _summary(row: Row, people: Mapping[str, Entity]) -> Summary:
    parts = zip(row["sections"], row["sentences"], row["sentence_sources"], strict=True)
    return Summary(
        id=row["id"],
        kind=row["summary_kind"],
        version=row["version"],
        content=row["content"],
        sentences=tuple(Sentence(section, text, tuple(sources.split())) for section, text, sources in parts),
        people=tuple(people[person] for person in row["people"] if person in people),
        tone=row["tone"],
        created_at=row["created_at"],
        until=row["until"],
        persona_id=row["persona_id"] or None,
        session_id=row["of_session"] or None,
    )
