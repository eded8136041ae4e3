"""Summaries of talk: of a session when it ends, of the latest talk every few turns, of a person now and then (S3–S5).

They wait in the queue of the job `summarize_talk` (`graph.jobs.queue`), which consolidation fills. A summary belongs to
one scope (an owner or a group), persona and space, and is made only from memories of that scope. A viewer sees it if
they may see all its sources (M15). A new version retires the one before, which stays stored.
"""

import asyncio
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Protocol

from hippograph.graph.access.parameters import read_params
from hippograph.graph.clock import Clock
from hippograph.graph.database import Database, Row
from hippograph.graph.errors import NotFound
from hippograph.graph.jobs.queue import Claim, Queue
from hippograph.graph.model import Viewer
from hippograph.graph.retrieval.filters import day
from hippograph.graph.schema import VectorSlot
from hippograph.graph.summaries.composing import (
    Draft,
    SummaryKind,
    TalkSource,
    rolling_draft,
    session_draft,
    spine_draft,
    talk_source,
)
from hippograph.graph.summaries.summary_memory import most_private, summary_memory
from hippograph.graph.zones import wall_clock
from hippograph.nlp.errors import LlmFailed

_AT_ONCE: Final = 8
_NOT_READY: Final = timedelta(seconds=1)
_STALE_AT_ONCE: Final = 1_000
_MOST_READ: Final = {SummaryKind.SESSION: 200, SummaryKind.ROLLING: 40, SummaryKind.SPINE: 60}
_LABELS: Final = {
    SummaryKind.SESSION: ["SessionSummary"],
    SummaryKind.ROLLING: ["RollingSummary"],
    SummaryKind.SPINE: ["SummarySpine"],
}


class Summarizer(Protocol):
    """Improves drafts, in sentences that rest on the same sources. Raises `LlmFailed`."""

    async def rewrite(self, draft: Draft, sources: Sequence[TalkSource]) -> Draft:
        """Returns the improved draft."""


@dataclass(frozen=True, slots=True)
class _Request:
    """A summary to make. `line` is the id that all its versions share, `until` the time of the last turn covered."""

    line: str
    kind: SummaryKind
    scope: str
    persona_id: str
    chat_id: str
    space_id: str
    session_id: str
    until: datetime

    @classmethod
    def of(cls, row: Row) -> "_Request":
        return cls(**{**row, "kind": SummaryKind(row["kind"])})


class TalkSummaries:
    """The job that summarises talk. Without a `summarizer`, summaries consist of sentences of their sources."""

    name: Final = "summarize_talk"

    def __init__(
        self,
        database: Database,
        clock: Clock,
        *,
        slot: VectorSlot | None,
        executor: Executor | None,
        summarizer: Summarizer | None = None,
    ) -> None:
        self.queue: Final = Queue(database, clock, self.name)
        self._database = database
        self._clock = clock
        self._slot = slot.name if slot else "a"
        self._executor = executor
        self._summarizer = summarizer

    async def step(self) -> int:
        """Claims some summaries, makes them one after the other, and returns their number."""
        return await self.queue.work_off(_AT_ONCE, self._work)

    async def queue_stale(self) -> int:
        """Queues summaries of which a source no longer holds for a new version, and returns their number."""
        return await self._database.count("summary/queue_stale_talk", limit=_STALE_AT_ONCE, now=self._clock())

    async def summarize_session(self, viewer: Viewer, session_id: str) -> None:
        """Summarises a session now, whether it has ended or not. Raises `NotFound`."""
        row = await self._database.one(
            "summary/session_request", id=session_id, **read_params(viewer, None, self._clock)
        )
        if row is None:
            raise NotFound(f"there is no session {session_id}")
        await self._summarize(_Request.of(row["request"]), None)

    async def _work(self, line: str, claim: Claim) -> None:
        row = await self._database.one(
            "summary/request", id=line, worker=claim.worker, later=self._clock() + _NOT_READY
        )
        if row is None:
            return
        async with self.queue.held(claim, [line]):
            await self._summarize(_Request.of(row["request"]), claim.worker)

    async def _summarize(self, request: _Request, worker: str | None) -> None:
        """Makes a summary and stores it as a new version if anything changed. Without sentences the last is retired."""
        now = self._clock()  # before the sources are read: a later rewording of one hides the summary
        sources = await self._sources(request)
        draft = await asyncio.get_running_loop().run_in_executor(self._executor, _drafted, request.kind, sources, now)
        if draft.sentences and self._summarizer:
            draft = await self._rewritten(self._summarizer, draft, sources)
        await self._database.run(
            "summary/write_talk",
            line=request.line,
            worker=worker,
            labels=_LABELS[request.kind],
            summary=_properties(request, draft, sources, now) if draft.sentences else None,
            sources=draft.sources,
            session=request.session_id,
            person=request.scope,
            as_memory=request.kind is SummaryKind.SESSION,
            now=now,
        )

    async def _sources(self, request: _Request) -> list[TalkSource]:
        """Returns the memories of the scope from which the summary can be made."""
        asked = {"session": request.session_id} if request.kind is SummaryKind.SESSION else {}
        rows = await self._database.run(
            f"summary/{request.kind}_sources.{self._slot}",
            group=request.chat_id,
            persona=request.persona_id,
            space_id=request.space_id,
            scope=request.scope,
            most=_MOST_READ[request.kind],
            **asked,
            **read_params(Viewer(request.scope), None, self._clock),
        )
        return [talk_source(row["source"]) for row in rows]

    @staticmethod
    async def _rewritten(summarizer: Summarizer, draft: Draft, sources: Sequence[TalkSource]) -> Draft:
        """Returns the draft of the language model, or the local one if that fails."""
        try:
            return await summarizer.rewrite(draft, sources)
        except LlmFailed:
            return draft


def _drafted(kind: SummaryKind, sources: Sequence[TalkSource], now: datetime) -> Draft:
    if kind is SummaryKind.SPINE:
        return spine_draft(sources, now)
    return session_draft(sources) if kind is SummaryKind.SESSION else rolling_draft(sources)


def _properties(request: _Request, draft: Draft, sources: Sequence[TalkSource], now: datetime) -> Row:
    """Returns the properties of a summary; its sentences, their sections and their sources are parallel lists."""
    used = set(draft.sources)
    made_of = [source for source in sources if source.id in used]
    return {
        **summary_memory(
            scope=request.scope,
            chat_id=request.chat_id,
            persona_id=request.persona_id,
            space_id=request.space_id,
            content=draft.in_one_text({source.id: source.speaker_name for source in sources}),
            sensitivity=most_private(source.sensitivity for source in made_of),
            heading=_heading(request, made_of),
            now=now,
        ),
        **(_time_of_talk(sources) if request.kind is SummaryKind.SESSION else {}),
        "line": request.line,
        "summary_kind": request.kind.value,
        "of_session": request.session_id,
        "sections": [sentence.section.value for sentence in draft.sentences],
        "sentences": [sentence.text for sentence in draft.sentences],
        "sentence_sources": [" ".join(sentence.sources) for sentence in draft.sentences],
        "people": list(draft.people),
        "tone": draft.tone,
        "until": request.until,
    }


def _time_of_talk(sources: Sequence[TalkSource]) -> Row:
    """Returns the event time of the summary of a session: that of the last turn among its sources."""
    last = max((source for source in sources if source.turn), key=lambda source: source.event_time)
    said = last.event_time
    return {"event_time": said, "event_until": said, "event_day": day(wall_clock(said, last.time_zone))}


def _heading(request: _Request, made_of: Sequence[TalkSource]) -> str:
    if request.kind is not SummaryKind.SESSION:
        return f"{request.kind} summary"
    first = min(made_of, key=lambda source: source.event_time)
    begun = wall_clock(first.event_time, first.time_zone)
    return f"session of {begun.day} {begun:%B %Y}"
