"""Knowledge out of talk: what a session says, as facts with their evidence, entities, relations and causes (W2–W4).

While a session is open its new turns are read within seconds (the first extraction); when it has ended, or somebody
asks, all of it is read once more and what was found is revised. Doing so again changes nothing. Sessions wait in the
queue of the job `consolidate` (`graph.jobs.queue`), so nothing is lost by a crash.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Final

from graph.access.labels import MARK_WORDS
from graph.access.parameters import read_params
from graph.clock import Clock
from graph.database import Database, Row, Transaction
from graph.errors import NotFound
from graph.ids import new_id
from graph.jobs.queue import LEASE, Backlog, Claim, Queue, is_away
from graph.knowledge.entity_linking import look_up
from graph.knowledge.extraction_batch import (
    ExtractionBatch,
    Names,
    Transcript,
    Turns,
    home_of,
    names_in,
    rows_of,
    transcript_of,
)
from graph.model import NO_END, EntityType, Sensitivity, Session, Viewer
from graph.people.sessions import session
from graph.writing.fact import Subject, text_key
from graph.writing.fact_writer import FactWriter
from nlp.errors import LlmFailed
from nlp.extraction.causes import Cause, causes
from nlp.extraction.extractor import Extractor
from nlp.extraction.statements import Extracted
from nlp.extraction.validation import checked
from nlp.llm.extractor import LlmExtractor

log = logging.getLogger(__name__)

CAUSAL_CONFIDENCE: Final = 0.7
_LEAST_CAUSAL: Final = 0.5
_CONTEXT: Final = 4
_TURNS_AT_ONCE: Final = 100
_WINDOW: Final = 400
_LEFT_AT_ONCE: Final = 1_000
_SESSIONS_AT_ONCE: Final = 8
_LOOKED_AT: Final = 32
_NOT_READY: Final = timedelta(seconds=1)


@dataclass(frozen=True, slots=True)
class Progress(Backlog):
    """How far consolidation is: what waits, how many sessions there are and are consolidated, how many statements were
    found, and how many were dropped for which reason.
    """

    sessions: int
    consolidated: int
    statements: int
    dropped: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class _Reading:
    """What was read out of a talk: statements, causes with how sure they are, whether what it does not hold is taken
    back, and whether a language model read it.
    """

    extracted: Extracted
    links: Sequence[tuple[Cause, float]]
    revises: bool
    by_model: bool = False


class Consolidation:
    """The job that works out what sessions say. Without an extractor sessions are only taken off the queue.

    With a language model, whole sessions are read by that; when it fails the extractor serves, and it is counted.
    """

    name: Final = "consolidate"

    def __init__(
        self,
        database: Database,
        clock: Clock,
        fact_writer: FactWriter,
        *,
        extractor: Extractor | None,
        llm: LlmExtractor | None = None,
        executor: Executor,
        threshold: float,
        private_sensitivity: Sensitivity,
    ) -> None:
        self.queue: Final = Queue(database, clock, self.name)
        self._database = database
        self._clock = clock
        self._fact_writer = fact_writer
        self._extractor = extractor
        self._llm = llm
        self._executor = executor
        self._threshold = threshold
        self._private_sensitivity = private_sensitivity

    async def step(self) -> int:
        """Claims some sessions and works them out one after the other; how many."""
        claim = await self.queue.claim(_LOOKED_AT)
        ready = await self._ready(claim) if claim.items else []
        for session_id in ready:
            try:
                await self._work(session_id, claim)
            except Exception as error:
                if is_away(error):
                    raise
                log.exception("session %s could not be worked out", session_id)
                await self.queue.fail(claim, {session_id: error})
        return len(ready)

    async def _ready(self, claim: Claim) -> list[str]:
        """Which of the claimed sessions to work on; the others go back on the queue."""
        now = self._clock()
        rows = await self._database.run(
            "consolidation/ready",
            ids=claim.ids,
            worker=claim.worker,
            now=now,
            later=now + _NOT_READY,
            limit=_SESSIONS_AT_ONCE,
            no_end=NO_END,
        )
        return [row["id"] for row in rows]

    async def ask(self, viewer: Viewer, session_id: str) -> Session:
        """Puts a session on the queue, to be consolidated as it is now. Raises `NotFound`."""
        params = read_params(viewer, None, self._clock)
        row = await self._database.one("consolidation/ask", id=session_id, **params)
        if row is None:
            raise NotFound(f"there is no session {session_id}")
        return session(row["session"])

    async def queue_left(self) -> int:
        """Puts on the queue what has ended, was never consolidated and does not wait; how many sessions."""
        total = 0
        while True:
            row = await self._database.one(
                "consolidation/queue_left", now=self._clock(), no_end=NO_END, limit=_LEFT_AT_ONCE
            )
            queued = int(row["queued"]) if row else 0
            total += queued
            if queued < _LEFT_AT_ONCE:
                return total

    async def progress(self) -> Progress:
        """How far it is, and what was dropped."""
        row = await self._database.one("consolidation/counts")
        assert row is not None
        dropped = {each["reason"]: each["times"] for each in row["dropped"]}
        return Progress(**asdict(await self.queue.backlog()), **{**row, "dropped": dropped})

    async def _work(self, session_id: str, claim: Claim) -> None:
        """Works out what a session that is still held says, and takes it off the queue."""
        now = self._clock()
        row = await self._database.one(
            "consolidation/transcript",
            id=session_id,
            worker=claim.worker,
            lease_until=now + LEASE,
            context=_CONTEXT,
            no_end=NO_END,
        )
        if row is None:
            return
        statements, dropped = row["statements"], Counter(dict(zip(row["reasons"], row["counts"], strict=True)))
        by_model = bool(row["by_model"])
        # What a language model has read it would read in other words another time.
        if self._extractor is not None and not (self._llm is not None and row["whole"] and by_model):
            talk = transcript_of(row)
            async with self.queue.held(claim, [session_id]):
                reading = await self._read(self._extractor, talk)
            found = await self._store(talk, reading)
            if talk.whole:
                statements, dropped = 0, Counter()
                await self._share(session_id, row["chat"]["scope"])
            statements, dropped = statements + found, dropped + reading.extracted.dropped
            by_model = reading.by_model
        await self._database.run(
            "consolidation/done",
            id=session_id,
            worker=claim.worker,
            whole=row["whole"],
            extracted=self._extractor is not None,
            by_model=by_model,
            read=max([row["read"], *(turn["turn"] for turn in row["turns"])]),
            turn_count=row["turn_count"],
            statements=statements,
            reasons=list(dropped),
            counts=list(dropped.values()),
            now=self._clock(),
            no_end=NO_END,
        )

    async def _share(self, session_id: str, scope: str) -> None:
        """Joins memories that share an entity."""
        now = self._clock()
        await self._database.run(
            "consolidation/share", id=session_id, scope=scope, window=_WINDOW, now=now, no_end=NO_END
        )

    async def _read(self, extractor: Extractor, talk: Transcript) -> _Reading:
        """What a talk says: by the language model, where there is one, if the talk is whole; else by the extractor."""
        failed = Counter[str]()
        if self._llm is not None and talk.whole:
            try:
                return await self._read_by_model(self._llm, talk)
            except LlmFailed as error:
                failed[f"language model: {error.reason}"] += 1
        extracted, named = await asyncio.get_running_loop().run_in_executor(
            self._executor,
            lambda: (self._checked(talk, extractor.extract(talk.said, talk.participants)), causes(talk.said)),
        )
        extracted.dropped += failed
        links = [(cause, CAUSAL_CONFIDENCE) for cause in named]
        # Instead of the model it only adds: what that found before is not taken back by a bad day of its.
        return _Reading(extracted, links, revises=talk.whole and not failed)

    async def _read_by_model(self, llm: LlmExtractor, talk: Transcript) -> _Reading:
        found = await llm.extract(talk.said, talk.participants)
        extracted, named = await asyncio.get_running_loop().run_in_executor(
            self._executor, lambda: (self._checked(talk, found), causes(talk.said))
        )
        sure = await llm.causes([(talk.words(each.cause), talk.words(each.effect)) for each in named])
        links = [pair for pair in zip(named, sure, strict=True) if pair[1] >= _LEAST_CAUSAL]
        extracted.dropped["no cause"] += len(named) - len(links)
        return _Reading(extracted, links, revises=True, by_model=True)

    def _checked(self, talk: Transcript, extracted: Extracted) -> Extracted:
        return checked(extracted, talk.said, talk.participants, threshold=self._threshold)

    async def _store(self, talk: Transcript, reading: _Reading) -> int:
        """Stores what is new in the talk, some turns at a time; how many statements there are."""
        parts = list(zip(talk.turns, reading.extracted.turns, strict=True))
        if not talk.whole:  # the others were only read for what goes before
            parts = [(turn, statements) for turn, statements in parts if turn["turn"] > talk.row["read"]]
        for start in range(0, len(parts), _TURNS_AT_ONCE):
            turns = parts[start : start + _TURNS_AT_ONCE]
            names = names_in(talk, turns)
            await look_up(self._database, self._executor, rows_of(names))

            async def store(transaction: Transaction, turns: Turns = turns, names: Names = names) -> None:
                await self._store_part(transaction, ExtractionBatch(talk, turns, reading.links), names, reading.revises)

            await self._database.transaction("consolidation/derived", store)
        return sum(len(statements) for _, statements in parts)

    async def _store_part(self, transaction: Transaction, part: ExtractionBatch, names: Names, revises: bool) -> None:
        now = self._clock()
        turns = [turn["id"] for turn, _ in part.turns]
        for row in await transaction.run("consolidation/derived", turns=turns, now=now, no_end=NO_END):
            part.memories[row["turn"], row["said"]] = row["memory"]
        resolved = await transaction.run("consolidation/resolve", names=rows_of(names), now=now) if names else []
        meant = {
            row["number"]: Subject(row["id"], row["key"], EntityType(row["type"]), row["name"]) for row in resolved
        }
        part.know({called: meant[name["number"]] for called, name in names.items() if name["number"] in meant})
        if revises:
            kept = [
                {"id": turn["id"], "said": [text_key(each.content) for each in found]} for turn, found in part.turns
            ]
            await self._take_back(transaction, part.talk.row["chat"]["id"], kept, now)
        source = "consolidation" if part.talk.whole else "extraction"
        for speaker, facts in part.facts(source).items():
            home = home_of(part.talk.row["chat"], speaker, self._private_sensitivity)
            viewer = Viewer(speaker, part.talk.row["chat"]["id"])
            told = await self._fact_writer.write(transaction, viewer, home, [fact for _, fact in facts], part.known)
            part.memories.update({key: one.memory_id for (key, _), one in zip(facts, told, strict=True)})
        if relations := part.relations():
            await transaction.run("consolidation/relate", rows=relations, now=now, no_end=NO_END)
        if caused := part.causes():
            await transaction.run("consolidation/cause", rows=caused, now=now, no_end=NO_END)

    @staticmethod
    async def _take_back(transaction: Transaction, chat_id: str, kept: Sequence[Row], now: datetime) -> None:
        """Takes back what turns do not say, and lets hold again what ended because of it."""
        retired = await transaction.run(
            "consolidation/revise", turns=kept, mark_words=MARK_WORDS, now=now, no_end=NO_END
        )
        if not retired:
            return
        await transaction.run(
            "fact/lock",
            locked_chat="" if all(row["about"] for row in retired) else chat_id,
            locked_entities=sorted({subject for row in retired for subject in row["about"]}),
            now=now,
        )
        ended = await transaction.run(
            "consolidation/reopen", retired=[row["id"] for row in retired], now=now, no_end=NO_END
        )
        if ended:
            rows = [{"id": row["id"], "new_id": new_id(), "valid_until": row["valid_until"]} for row in ended]
            await transaction.run("fact/tell_anew", rows=rows, now=now, no_end=NO_END)
