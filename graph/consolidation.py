"""Knowledge out of talk: what a session says, as facts with their evidence, entities, relations and causes (W2–W4).

While a session is open its new turns are read within seconds (the first extraction); when it has ended, or somebody
asks, all of it is read once more and what was found is revised. Doing so again changes nothing. A session waits in the
queue of the slow path, so nothing is lost by a crash, and what fails is tried again, counted and visible.
"""

import asyncio
import logging
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from itertools import chain
from typing import Final

from graph.clock import Clock
from graph.database import Database, Row, Transaction
from graph.errors import DatabaseUnavailable, NotFound
from graph.fact import Fact, Subject, text_key
from graph.ids import new_id
from graph.marks import guess
from graph.memories import read_params
from graph.model import NO_END, ChatKind, EntityType, MemoryType, Sensitivity, Session, SourceRole, Viewer
from graph.people import name_token
from graph.resolution import look_up, mentions
from graph.retries import next_try, reason, work_until
from graph.sessions import session
from graph.telling import Home, Teller
from nlp.causes import Cause, Told, causes
from nlp.emotion import intensity
from nlp.errors import LlmFailed
from nlp.extraction import Extractor
from nlp.llm import LlmExtractor
from nlp.names import Name
from nlp.people import first_name
from nlp.statements import Extracted, Said, Statement
from nlp.statements import Subject as Named
from nlp.text import normalise
from nlp.validation import SENSITIVITIES, checked

log = logging.getLogger(__name__)

LEASE: Final = timedelta(minutes=2)
CAUSAL_CONFIDENCE: Final = 0.7
_LEAST_CAUSAL: Final = 0.5
_CONTEXT: Final = 4
_TURNS_AT_ONCE: Final = 100
_WINDOW: Final = 400
_LEFT_AT_ONCE: Final = 1_000
_SESSIONS_AT_ONCE: Final = 8
# Of what a statement is: the type of its memory, its kind, which says how long it lasts (T3), and its fact type.
_SORTS: Final = {
    "fact": (MemoryType.SEMANTIC, "knowledge", "fact"),
    "preference": (MemoryType.SEMANTIC, "preference", "preference"),
    "relationship": (MemoryType.SEMANTIC, "relationship", "relationship"),
    "friction": (MemoryType.SEMANTIC, "knowledge", "friction"),
    "habit": (MemoryType.SEMANTIC, "knowledge", "habit"),
    "event": (MemoryType.SEMANTIC, "event", "fact"),
    "plan": (MemoryType.SEMANTIC, "task", "fact"),
    "procedure": (MemoryType.PROCEDURAL, "knowledge", "fact"),
    "opinion": (MemoryType.OPINION, "knowledge", "preference"),
}


@dataclass(frozen=True, slots=True)
class Progress:
    """How far consolidation is: how many sessions there are, wait, wait again after a failure, are consolidated and
    were given up, and why; how many statements were found, and how many were dropped for which reason.
    """

    sessions: int
    waiting: int
    trying_again: int
    consolidated: int
    failed: int
    failures: Mapping[str, int]
    statements: int
    dropped: Mapping[str, int]


_Turns = Sequence[tuple[Row, list[Statement]]]
"""Turns with what was found in each."""


@dataclass(frozen=True, slots=True)
class _Talk:
    """What was said in a session, as far as it was read: the row of `consolidation/talk`, its turns as the extractor
    takes them, and the full names of who takes part.
    """

    row: Row
    said: tuple[Said, ...]
    participants: tuple[str, ...]

    @property
    def turns(self) -> list[Row]:
        """The turns in order."""
        return list(self.row["turns"])

    @property
    def whole(self) -> bool:
        """Whether it is the whole session."""
        return bool(self.row["whole"])

    def words(self, told: Told) -> str:
        """The words that are meant."""
        return told.words or self.said[told.turn].text

    def person(self, name: str, speaker_id: str) -> Row | None:
        """Who takes part under this full name, rather the speaker than a namesake."""
        so_called = [each for each in self.row["participants"] if each["canonical_name"] == name]
        return next((each for each in so_called if each["id"] == speaker_id), so_called[0] if so_called else None)


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
    """Works out what sessions say. Without an extractor sessions are only taken off the queue.

    With a language model, whole sessions are read by that; when it fails the extractor serves, and it is counted.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        teller: Teller,
        *,
        extractor: Extractor | None,
        llm: LlmExtractor | None = None,
        executor: Executor,
        threshold: float,
    ) -> None:
        self._database = database
        self._clock = clock
        self._teller = teller
        self._extractor = extractor
        self._llm = llm
        self._executor = executor
        self._threshold = threshold
        self._worker = new_id()

    async def run(self, stop: asyncio.Event, *, pause: float = 0.25) -> None:
        """Works until `stop` is set, looking for work every `pause` seconds when there is none.

        Two lots of sessions are under way at a time, so that the database writes one while the other is read.
        """
        async with asyncio.TaskGroup() as tasks:
            for _ in range(2):
                tasks.create_task(work_until(stop, self.step, pause))

    async def step(self) -> int:
        """Claims some sessions and works them out one after the other; how many."""
        now = self._clock()
        claimed = await self._database.run(
            "consolidation/claim",
            worker=self._worker,
            now=now,
            lease_until=now + LEASE,
            limit=_SESSIONS_AT_ONCE,
            no_end=NO_END,
        )
        for each in claimed:
            try:
                await self._work(each["id"])
            except DatabaseUnavailable:
                raise  # the claim runs out, and another takes over
            except Exception as error:
                log.exception("session %s could not be worked out", each["id"])
                now = self._clock()
                await self._database.run(
                    "consolidation/fail",
                    id=each["id"],
                    worker=self._worker,
                    reason=reason(error),
                    due_at=next_try(each["attempts"], now),
                    now=now,
                )
        return len(claimed)

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

    async def retry_failed(self) -> int:
        """Puts what was given up back on the queue; how many sessions."""
        row = await self._database.one("consolidation/retry", now=self._clock())
        return int(row["retried"]) if row else 0

    async def progress(self) -> Progress:
        """How far it is, and what was dropped."""
        row = await self._database.one("consolidation/counts")
        assert row is not None
        counts = {name: {each["reason"]: each["times"] for each in row[name]} for name in ("failures", "dropped")}
        return Progress(**{**row, **counts})

    async def _work(self, session_id: str) -> None:
        """Works out what a session that this worker holds says, and takes it off the queue."""
        now = self._clock()
        row = await self._database.one(
            "consolidation/talk",
            id=session_id,
            worker=self._worker,
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
            talk = _talk(row)
            async with self._held(session_id):
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
            worker=self._worker,
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

    @asynccontextmanager
    async def _held(self, session_id: str) -> AsyncIterator[None]:
        """Keeps the claim on a session for as long as it takes to read it."""

        async def hold() -> None:
            while True:
                await asyncio.sleep(LEASE.total_seconds() / 3)
                lease_until = self._clock() + LEASE
                await self._database.run(
                    "consolidation/hold", id=session_id, worker=self._worker, lease_until=lease_until
                )

        holding = asyncio.create_task(hold())
        try:
            yield
        finally:
            holding.cancel()
            with suppress(asyncio.CancelledError):
                await holding

    async def _read(self, extractor: Extractor, talk: _Talk) -> _Reading:
        """What a talk says: by the language model, where there is one, if the talk is whole; else by the extractor."""
        failed = Counter[str]()
        if self._llm is not None and talk.whole:
            try:
                return await self._read_by_model(self._llm, talk)
            except LlmFailed as error:
                failed[f"language model: {error.reason}"] += 1
        extracted = await asyncio.get_running_loop().run_in_executor(
            self._executor, lambda: self._checked(talk, extractor.extract(talk.said, talk.participants))
        )
        extracted.dropped += failed
        links = [(cause, CAUSAL_CONFIDENCE) for cause in causes(talk.said)]
        # Instead of the model it only adds: what that found before is not taken back by a bad day of its.
        return _Reading(extracted, links, revises=talk.whole and not failed)

    async def _read_by_model(self, llm: LlmExtractor, talk: _Talk) -> _Reading:
        extracted = self._checked(talk, await llm.extract(talk.said, talk.participants))
        named = causes(talk.said)
        sure = await llm.causes([(talk.words(each.cause), talk.words(each.effect)) for each in named])
        links = [pair for pair in zip(named, sure, strict=True) if pair[1] >= _LEAST_CAUSAL]
        extracted.dropped["no cause"] += len(named) - len(links)
        return _Reading(extracted, links, revises=True, by_model=True)

    def _checked(self, talk: _Talk, extracted: Extracted) -> Extracted:
        return checked(extracted, talk.said, talk.participants, threshold=self._threshold)

    async def _store(self, talk: _Talk, reading: _Reading) -> int:
        """Stores what is new in the talk, some turns at a time; how many statements there are."""
        parts = list(zip(talk.turns, reading.extracted.turns, strict=True))
        if not talk.whole:  # the others were only read for what goes before
            parts = [(turn, statements) for turn, statements in parts if turn["turn"] > talk.row["read"]]
        for start in range(0, len(parts), _TURNS_AT_ONCE):
            turns = parts[start : start + _TURNS_AT_ONCE]
            names = _names(talk, turns)
            await look_up(self._database, names)

            async def store(transaction: Transaction, turns: _Turns = turns, names: Sequence[Row] = names) -> None:
                await self._store_part(transaction, _Part(talk, turns, reading.links), names, reading.revises)

            await self._database.transaction("consolidation/derived", store)
        return sum(len(statements) for _, statements in parts)

    async def _store_part(self, transaction: Transaction, part: "_Part", names: Sequence[Row], revises: bool) -> None:
        now = self._clock()
        turns = [turn["id"] for turn, _ in part.turns]
        for row in await transaction.run("consolidation/derived", turns=turns, now=now, no_end=NO_END):
            part.memories[row["turn"], row["said"]] = row["memory"]
        asked = [{key: value for key, value in name.items() if key != "called"} for name in names]
        resolved = await transaction.run("consolidation/resolve", names=asked, now=now) if asked else []
        meant = {row["number"]: Subject(row["id"], row["key"], EntityType(row["type"])) for row in resolved}
        part.know({called: meant[n["number"]] for n in names if n["number"] in meant for called in n["called"]})
        if revises:
            kept = [
                {"id": turn["id"], "said": [text_key(each.content) for each in found]} for turn, found in part.turns
            ]
            await transaction.run("consolidation/revise", turns=kept, now=now, no_end=NO_END)
        source = "consolidation" if part.talk.whole else "extraction"
        for speaker, facts in part.facts(source).items():
            home = _home(part.talk.row["chat"], speaker)
            viewer = Viewer(speaker, part.talk.row["chat"]["id"])
            told = await self._teller.tell(transaction, viewer, home, [fact for _, fact in facts], part.known)
            part.memories.update({key: one.memory_id for (key, _), one in zip(facts, told, strict=True)})
        if relations := part.relations():
            await transaction.run("consolidation/relate", rows=relations, now=now, no_end=NO_END)
        if caused := part.causes():
            await transaction.run("consolidation/cause", rows=caused, now=now, no_end=NO_END)


class _Part:
    """Some turns of a talk with their statements, on the way into the graph."""

    def __init__(self, talk: _Talk, turns: _Turns, links: Sequence[tuple[Cause, float]]) -> None:
        self.talk = talk
        self.turns = turns
        self.memories: dict[tuple[str, str], str | None] = {}
        """Which memory holds what was found in a turn, by the turn and the words; None when it holds no more."""
        self.known: dict[str, Subject] = {}
        self._links = links
        self._entities: Mapping[Named, Subject] = {}

    def know(self, entities: Mapping[Named, Subject]) -> None:
        """Which entities the names of the statements mean."""
        self._entities = entities
        people = [Subject(row["id"], row["key"], EntityType.PERSON) for row in self.talk.row["participants"]]
        self.known = {subject.id: subject for subject in (*people, *entities.values())}

    def facts(self, source: str) -> dict[str, list[tuple[tuple[str, str], Fact]]]:
        """What is not known yet, by who said it: each with its turn and its words."""
        found: dict[str, list[tuple[tuple[str, str], Fact]]] = defaultdict(list)
        for turn, statement in self._statements():
            key = (turn["id"], text_key(statement.content))
            if key not in self.memories:
                self.memories[key] = None
                found[turn["speaker_id"]].append((key, self._fact(turn, statement, source)))
        return found

    def relations(self) -> list[Row]:
        """What entities are to each other, each with the memory that says so."""
        rows = []
        for turn, statement in self._statements():
            memory = self.memories.get((turn["id"], text_key(statement.content)))
            related = statement.relation
            if related is None or memory is None:
                continue
            source, target = self._entity(turn, related.source), self._entity(turn, related.target)
            if source and target and source != target:
                row = {"source": source, "target": target, "predicate": related.predicate, "memory": memory}
                rows.append({**row, "id": new_id(), "confidence": statement.confidence})
        return rows

    def causes(self) -> list[Row]:
        """Which memories caused which: what was found in a turn, or the turn itself."""
        here = {turn["id"] for turn, _ in self.turns}
        rows = []
        for link, confidence in self._links:
            effect = self.talk.turns[link.effect.turn]
            if effect["id"] in here or self.talk.turns[link.cause.turn]["id"] in here:
                ends = [self._meant(link.cause), self._meant(link.effect)]
                if all(ends) and ends[0] != ends[1]:
                    named = {"predicate": link.connective, "confidence": confidence, "evidence": [effect["id"]]}
                    rows.append({"cause": ends[0], "effect": ends[1], **named})
        return rows

    def _statements(self) -> Iterator[tuple[Row, Statement]]:
        return ((turn, statement) for turn, statements in self.turns for statement in statements)

    def _meant(self, told: Told) -> str | None:
        """The memory that holds these words of a turn best: at least half of its own words are among them."""
        turn = self.talk.turns[told.turn]
        if not told.words:
            return str(turn["id"])
        words = set(normalise(told.words).split())
        best: tuple[float, str | None] = (0.5, None)
        for each, statements in self.turns:
            for statement in statements if each["id"] == turn["id"] else ():
                own = set(normalise(statement.content).split())
                share = len(own & words) / len(own)
                if share >= best[0]:
                    best = (share, self.memories.get((turn["id"], text_key(statement.content))))
        return best[1]

    def _fact(self, turn: Row, statement: Statement, source: str) -> Fact:
        memory_type, kind, fact_type = _SORTS[statement.kind]
        about = [self._entity(turn, subject) for subject in statement.subjects]
        dated = statement.event_time is not None
        related = statement.relation
        return Fact(
            statement.content,
            about=tuple(dict.fromkeys(each for each in about if each)),
            kind="event" if dated and kind == "task" else kind,
            type=memory_type,
            fact_type=fact_type,
            aspect=statement.aspect,
            value=related.target.name if related and statement.aspect else None,
            sensitivity=_sensitivity(turn, statement),
            portable=None if turn["portable"] or "portable" in turn["guessed"] else False,
            importance=statement.importance,
            confidence=statement.confidence,
            event_time=statement.event_time or turn["event_time"],
            valid_from=min(statement.event_time or turn["event_time"], turn["event_time"]),
            evidence=(turn["id"],),
            source=source,
            said_at=turn["event_time"],
            learned_at=turn["created_at"],
            emotion=intensity(turn["content"]),
        )

    def _entity(self, turn: Row, subject: Named) -> str | None:
        """The id of whom or what is meant; None for a thing without a name of its own."""
        person = self.talk.person(subject.name, turn["speaker_id"])
        if person is not None:
            return str(person["id"])
        known = self._entities.get(subject)
        return known.id if known else None


def _names(talk: _Talk, turns: _Turns) -> list[Row]:
    """The names of whom and what the statements are about and that nobody who takes part goes by, each once, as the
    graph looks for them; `called` is what the statements call them.
    """
    rows: dict[tuple[str, str], Row] = {}
    for turn, statements in turns:
        said: dict[Name, set[Named]] = defaultdict(set)
        for subject in chain.from_iterable(map(_named, statements)):
            if not talk.person(subject.name, turn["speaker_id"]):
                said[Name(_in_full(talk, subject.name), subject.type, 0, 0)].add(subject)
        for row in mentions(list(said), talk.row["chat"]["id"]):
            kept = rows.setdefault((row["type"], row["token"]), {**row, "turn": turn["id"], "called": set()})
            kept["called"] |= {
                subject
                for name, subjects in said.items()
                if (name.type.lower(), name_token(name.text)) == (row["type"], row["token"])
                for subject in subjects
            }
    return [{**row, "number": number} for number, row in enumerate(rows.values())]


def _in_full(talk: _Talk, name: str) -> str:
    """A name as one tells it from others: "Ingrid's brother" by the full name of one who takes part."""
    whose, apostrophe, what = name.partition("'s ")
    full = [each for each in talk.participants if first_name(each).casefold() == whose.casefold()]
    return f"{full[0]}'s {what}" if apostrophe and len(full) == 1 else name


def _talk(row: Row) -> _Talk:
    names = {person["id"]: person["canonical_name"] for person in row["participants"]}
    said = tuple(
        # What was read out is nobody's word.
        Said(None if turn["title"] else names.get(turn["speaker_id"]), turn["event_time"], turn["content"])
        for turn in row["turns"]
    )
    return _Talk(row, said, tuple(names.values()))


def _home(chat: Row, speaker: str) -> Home:
    """Where what somebody said in a chat belongs: in private to that person, in a group to the chat (W3)."""
    group = chat["kind"] == ChatKind.GROUP
    return Home(
        speaker_id=speaker,
        scope=chat["scope"],
        owner_id="" if group else chat["owner_id"],
        chat_id=chat["id"] if group else "",
        learned_in=chat["id"],
        persona_id="",
        source_role=SourceRole.USER,
        derived=True,
    )


def _named(statement: Statement) -> Iterator[Named]:
    """Whom and what a statement is about or relates, of things only those that have a name."""
    ends = (statement.relation.source, statement.relation.target) if statement.relation else ()
    return (each for each in (*statement.subjects, *ends) if each.type != "Concept" or any(map(str.isupper, each.name)))


def _sensitivity(turn: Row, statement: Statement) -> Sensitivity | None:
    """The most private of what people said of the turn, what the extractor thinks, and the guess; else None."""
    told = [turn["sensitivity"]] if "sensitivity" not in turn["guessed"] else []
    told += [statement.sensitivity] if statement.sensitivity else []
    if all(each == Sensitivity.PUBLIC for each in told):
        return None
    return Sensitivity(max([*told, guess(statement.content).sensitivity.value], key=SENSITIVITIES.index))
