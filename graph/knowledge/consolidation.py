"""Consolidation: extracts facts with their evidence, entities, relations and causes from sessions (W2–W4).

While a session is open, its new turns are read within seconds (the first extraction). When it has ended, or on request,
all of it is read again and the results are revised. This is idempotent. Sessions wait in the queue of the job
`consolidate` (`graph.jobs.queue`), so nothing is lost in a crash.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Final

from hippograph.graph.access.parameters import read_params
from hippograph.graph.clock import Clock
from hippograph.graph.database import Database, Transaction
from hippograph.graph.errors import NotFound
from hippograph.graph.ids import new_id
from hippograph.graph.jobs.queue import LEASE, Backlog, Claim, Queue
from hippograph.graph.knowledge.entity_resolution.mentions import resolve
from hippograph.graph.knowledge.entity_resolution.name_mention import MentionLink
from hippograph.graph.knowledge.extraction_batch import ExtractionBatch, Found, Memories, Mentions, Spoken, mentions_in
from hippograph.graph.knowledge.todo_extraction import TodoExtraction
from hippograph.graph.knowledge.transcript import Transcript, home_of, transcript_of
from hippograph.graph.model import ChatKind, EntityType, ExtractionMode, Sensitivity, Session, Viewer
from hippograph.graph.people.sessions import session
from hippograph.graph.writing.fact import Subject, text_key
from hippograph.graph.writing.fact_writer import FactWriter
from hippograph.nlp.extraction.protocol import Extraction, Extractor
from hippograph.nlp.extraction.validation import checked, first_person

log = logging.getLogger(__name__)

_CONTEXT: Final = 4
_TURNS_AT_ONCE: Final = 100
_WINDOW: Final = 400
_LEFT_AT_ONCE: Final = 1_000
_SESSIONS_AT_ONCE: Final = 16


@dataclass(frozen=True, slots=True)
class Progress(Backlog):
    """The progress of consolidation: its backlog, the number of sessions and of consolidated ones, of statements found
    and of statements dropped, by reason. `owed` is the number of sessions in which a language model still has something
    to do.
    """

    sessions: int
    consolidated: int
    statements: int
    dropped: Mapping[str, int]
    owed: int


@dataclass(frozen=True, slots=True)
class _Outcome:
    """The result for a session: the number of statements found and dropped, whether a language model read it, and
    whether one still has to (`owed`).
    """

    statements: int
    dropped: Counter[str]
    by_model: bool
    owed: bool = False


class Consolidation:
    """The job that consolidates sessions. Without an extractor, sessions are only taken off the queue."""

    name: Final = "consolidate"

    def __init__(
        self,
        database: Database,
        clock: Clock,
        fact_writer: FactWriter,
        *,
        extractor: Extractor | None,
        executor: Executor,
        threshold: float,
        private_sensitivity: Sensitivity,
        least_mentions: int,
        rolling_turns: int,
        spine_messages: int,
    ) -> None:
        self.queue: Final = Queue(database, clock, self.name)
        self._database = database
        self._clock = clock
        self._fact_writer = fact_writer
        self._todos = TodoExtraction(database, clock)
        self._extractor = extractor
        self._executor = executor
        self._threshold = threshold
        self._private_sensitivity = private_sensitivity
        self._least_mentions = least_mentions
        self._rolling_turns = rolling_turns
        self._spine_messages = spine_messages

    async def step(self) -> int:
        """Claims some sessions, consolidates those that are ready one after the other, and returns their number."""
        claim = await self.queue.claim(_SESSIONS_AT_ONCE)
        ready = await self.queue.ready(claim, "consolidation/ready")
        await self.queue.work_through(claim, ready, self._work)
        return len(ready)

    async def ask(self, viewer: Viewer, session_id: str) -> Session:
        """Queues a session to be consolidated as it is now. Raises `NotFound` for one that the viewer may not see."""
        params = read_params(viewer, None, self._clock)
        row = await self._database.one("consolidation/request", id=session_id, **params)
        if row is None:
            raise NotFound(f"there is no session {session_id}")
        return session(row["session"])

    async def queue_left(self) -> int:
        """Queues the sessions that have ended, were never consolidated and do not wait, and returns their number."""
        return await self._database.count_all("consolidation/queue_remaining", now=self._clock(), limit=_LEFT_AT_ONCE)

    async def progress(self) -> Progress:
        """Returns the progress of consolidation."""
        [row] = await self._database.run("consolidation/counts")
        dropped = {each["reason"]: each["times"] for each in row["dropped"]}
        return Progress(**asdict(await self.queue.backlog()), **{**row, "dropped": dropped})

    async def _work(self, session_id: str, claim: Claim) -> None:
        """Consolidates a session, if its lease is still held, and takes it off the queue."""
        row = await self._database.one(
            "consolidation/transcript",
            id=session_id,
            worker=claim.worker,
            lease_until=self._clock() + LEASE,
            context=_CONTEXT,
        )
        if row is None:
            return
        transcript = transcript_of(row)
        outcome = await self._consolidate(session_id, claim, transcript)
        if self._extractor is not None and transcript.chat.extraction is not ExtractionMode.OFF:
            await self._todos.extract(session_id, row["persona"], transcript)
        await self._database.run(
            "summary/queue_talk",
            id=session_id,
            rolling_turns=self._rolling_turns,
            spine_messages=self._spine_messages,
            now=self._clock(),
        )
        await self._database.run(
            "consolidation/complete",
            id=session_id,
            worker=claim.worker,
            whole=transcript.whole,
            extracted=self._extractor is not None,
            by_model=outcome.by_model,
            owed=outcome.owed,
            read=max([transcript.read, *(turn.turn for turn in transcript.turns)]),
            turn_count=transcript.turn_count,
            statements=outcome.statements,
            reasons=list(outcome.dropped),
            counts=list(outcome.dropped.values()),
            now=self._clock(),
        )

    async def _consolidate(self, session_id: str, claim: Claim, transcript: Transcript) -> _Outcome:
        """Extracts and stores the knowledge of a transcript. Returns the totals of the session so far."""
        before = _Outcome(transcript.statements, transcript.dropped, transcript.by_model)
        if self._extractor is None or transcript.chat.extraction is ExtractionMode.OFF:
            return before
        if transcript.whole and transcript.by_model and not self._extractor.repeatable:
            return before  # another extraction would word the same facts differently
        async with self.queue.held(claim, [session_id]):
            extraction = await self._extract(self._extractor, transcript)
        statements = await self._store(transcript, extraction)
        dropped, by_model = extraction.extracted.dropped, not extraction.repeatable
        if not transcript.whole:
            return _Outcome(before.statements + statements, before.dropped + dropped, by_model)
        await self._share(session_id, transcript.chat.scope)
        return _Outcome(statements, +dropped, by_model, owed=not extraction.complete)

    async def _share(self, session_id: str, scope: str) -> None:
        """Links memories that share an entity, and queues the summaries of the entities mentioned."""
        now = self._clock()
        await self._database.run(
            "consolidation/link_shared_entities", id=session_id, scope=scope, window=_WINDOW, now=now
        )
        await self._database.run("summary/queue_session", id=session_id, least=self._least_mentions, now=now)

    async def _extract(self, extractor: Extractor, transcript: Transcript) -> Extraction:
        dialogue = transcript.dialogue
        extraction = await extractor.extract(dialogue)
        valid = await asyncio.get_running_loop().run_in_executor(
            self._executor,
            lambda: checked(extraction.extracted, dialogue.turns, dialogue.participants, threshold=self._threshold),
        )
        if transcript.chat.extraction is ExtractionMode.FIRST_PERSON:
            valid = first_person(valid, dialogue.turns)
        return replace(extraction, extracted=valid)

    async def _store(self, transcript: Transcript, extraction: Extraction) -> int:
        """Stores the statements of the new turns of a transcript, in batches of turns, and returns their number. In a
        group, turns that are to be kept from somebody (`confided`) make no facts.
        """
        group = transcript.chat.kind is ChatKind.GROUP
        heard = [
            (replace(turn, confided=turn.confided or number in extraction.extracted.confided), statements)
            for number, (turn, statements) in enumerate(zip(transcript.turns, extraction.extracted.turns, strict=True))
        ]
        found = [
            (turn, [] if group and turn.confided else statements)
            for turn, statements in heard
            if transcript.whole or turn.turn > transcript.read  # the others were only read as context
        ]
        for start in range(0, len(found), _TURNS_AT_ONCE):
            await self._store_batch(transcript, extraction, found[start : start + _TURNS_AT_ONCE])
        return sum(len(statements) for _, statements in found)

    async def _store_batch(self, transcript: Transcript, extraction: Extraction, found: Found) -> None:
        """Stores the statements found in some turns, in one transaction. Mentions are resolved before it begins. If a
        turn was forgotten or erased since it was read, the transaction writes nothing and is repeated without it.
        """
        named = mentions_in(transcript.present, [(turn.id, turn.speaker_id, statements) for turn, statements in found])
        links = await resolve(self._database, self._executor, named.names)

        async def store(transaction: Transaction) -> Found:
            now = self._clock()
            derived, standing = await _derived(transaction, found, now)
            if len(standing) < len(found):
                return [each for each in found if each[0].id in standing]
            entities = await _entities(transaction, named, links, now)
            if transcript.whole and extraction.complete:
                await _take_back(transaction, transcript.chat.id, found, now)
            batch = ExtractionBatch(transcript, found, extraction.causes, entities)
            memories = {**derived, **await self._write(transaction, batch, derived)}
            if relations := batch.relation_rows(memories):
                await transaction.run("consolidation/relate_entities", rows=relations, now=now)
            if causes := batch.cause_rows(memories):
                await transaction.run("consolidation/link_causes", rows=causes, now=now)
            return []

        if still := await self._database.transaction("consolidation/derived", store):
            await self._store_batch(transcript, extraction, still)

    async def _write(self, transaction: Transaction, batch: ExtractionBatch, derived: Memories) -> Memories:
        """Writes the facts that were not found before, and returns the memories that hold them."""
        chat, written = batch.transcript.chat, dict[tuple[str, str], str | None]()
        for speaker, new in batch.facts(derived).items():
            home = home_of(chat, speaker, self._private_sensitivity)
            there, facts = Viewer(speaker, chat.id), list(new.values())
            stored = await self._fact_writer.write(transaction, there, home, facts, batch.subjects)
            written |= {key: one.memory_id for key, one in zip(new, stored, strict=True)}
        return written


async def _derived(transaction: Transaction, found: Found, now: datetime) -> tuple[Memories, set[str]]:
    """Locks the turns. Returns the memories that hold what was found in them before, and the ids of the turns that are
    not retired.
    """
    turns = [turn.id for turn, _ in found]
    rows = await transaction.run("consolidation/derived", turns=turns, now=now)
    derived = {(row["turn"], row["said"]): row["memory"] for row in rows if row["said"] is not None}
    return derived, {row["turn"] for row in rows}


async def _entities(
    transaction: Transaction, named: Mentions, links: Sequence[MentionLink], now: datetime
) -> dict[Spoken, Subject]:
    """Returns the entities of the subjects, found or created."""
    rows = await transaction.run("consolidation/resolve", names=named.rows(links), now=now) if links else []
    meant = {row["number"]: Subject(row["id"], row["key"], EntityType(row["type"]), row["name"]) for row in rows}
    return {subject: meant[number] for subject, number in named.numbers.items() if number in meant}


async def _take_back(transaction: Transaction, chat_id: str, found: Found, now: datetime) -> None:
    """Retires memories that were derived from these turns and are no longer found in them, and restores the validity of
    facts that they had ended.
    """
    kept = [{"id": turn.id, "said": [text_key(each.content) for each in statements]} for turn, statements in found]
    retired = await transaction.run("consolidation/revise", turns=kept, now=now)
    if not retired:
        return
    await transaction.run(
        "fact/lock",
        place="",
        items=0,
        apart=0,
        most_waiting=None,
        locked_chat="" if all(row["about"] for row in retired) else chat_id,
        locked_entities=sorted({subject for row in retired for subject in row["about"]}),
        learned_in=chat_id,
        own_space="",
        now=now,
    )
    ended = await transaction.run("consolidation/restore_validity", retired=[row["id"] for row in retired], now=now)
    if ended:
        rows = [{"id": row["id"], "new_id": new_id(), "valid_until": row["valid_until"]} for row in ended]
        await transaction.run("fact/change_end", rows=rows, now=now)
