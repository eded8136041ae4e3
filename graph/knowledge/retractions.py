"""Retractions: facts that no longer hold after a later turn of their speaker (W6).

A fact that shares a key with a later one ends when that is written (`graph.writing.supersession`). Most changes produce
no such fact ("I've quit the gym"). So a trained model reads each turn with the most similar facts that its speaker
stated before. If the turn retracts one, this is written as a fact of its own ("No longer so: …") with the turn as its
evidence. It ends the other as any later fact does.
"""

import asyncio
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any, Final, Protocol

from hippograph.graph.clock import Clock
from hippograph.graph.database import Database, Row, Transaction
from hippograph.graph.knowledge.transcript import TranscriptChat, TranscriptTurn, chat_of, home_of, turn_of
from hippograph.graph.model import EntityType, EventPrecision, Sensitivity, Viewer
from hippograph.graph.schema import VectorSlot
from hippograph.graph.writing.fact import Fact, Subject
from hippograph.graph.writing.fact_writer import FactWriter

_TURNS_AT_ONCE: Final = 50
_MOST_FACTS: Final = 40
"""Maximum number of facts of a session for which later turns are read again, the most important first."""
_LATER_TURNS: Final = 5
"""Maximum number of later turns, read before, that are read again with each fact of a session."""
_BESIDE: Final = 3
"""Maximum number of facts that are read with a turn."""
_LEAST_COSINE: Final = 0.4
"""Minimum cosine similarity between a turn and a fact for the pair to be read; 6 of 100 known retractions lie below."""
_CONFIDENCE: Final = 0.9
"""Confidence of a retraction: about the precision of the detector on talk it was not trained with (BENCHMARKS)."""


class RetractionDetector(Protocol):
    """Detects retractions; `nlp.frames.retraction` has an implementation."""

    def takes_back(self, pairs: Sequence[tuple[str, str, str]]) -> list[bool]:
        """Returns for each pair whether the later turn retracts the fact. A pair is the text of the fact, the full name
        of the speaker, and the text of the turn.
        """


@dataclass(frozen=True, slots=True)
class _Pair:
    """A turn, its speaker, and a fact that they stated before."""

    chat: TranscriptChat
    turn: TranscriptTurn
    speaker: Subject
    fact: Row

    @property
    def read(self) -> tuple[str, str, str]:
        return self.fact["content"], self.speaker.name or "", self.turn.content

    @property
    def subjects(self) -> list[Subject]:
        """The entities that the fact is about, the primary one first."""
        return [Subject(**{**each, "type": EntityType(each["type"])}) for each in self.fact["about"]]


class Retractions:
    """Finds and writes the retractions in the turns of sessions."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        fact_writer: FactWriter,
        *,
        slot: VectorSlot,
        detector: RetractionDetector,
        executor: Executor,
        private_sensitivity: Sensitivity,
    ) -> None:
        """A retraction in a private chat is at least of `private_sensitivity`."""
        self._database = database
        self._clock = clock
        self._fact_writer = fact_writer
        self._slot = slot.name
        self._detector = detector
        self._executor = executor
        self._private_sensitivity = private_sensitivity

    async def find(self, session_id: str, worker: str) -> None:
        """Reads a session that a worker holds, and writes the retractions in its turns, and those of its facts in later
        turns that were read before. Reading a session again writes no retraction twice.
        """
        rows = await self._database.run(
            f"conflict/turns_to_read.{self._slot}",
            id=session_id,
            worker=worker,
            facts=_MOST_FACTS,
            most=_LATER_TURNS,
            least=_LEAST_COSINE,
            now=self._clock(),
        )
        turns = [row["id"] for row in rows]
        for start in range(0, len(turns), _TURNS_AT_ONCE):
            rows = await self._database.run(
                f"conflict/retractable.{self._slot}",
                id=session_id,
                worker=worker,
                turns=turns[start : start + _TURNS_AT_ONCE],
                beside=_BESIDE,
                least=_LEAST_COSINE,
                now=self._clock(),
            )
            for pair in await self._taken_back(list(_pairs(rows))):
                await self._write(pair)

    async def _taken_back(self, pairs: Sequence[_Pair]) -> list[_Pair]:
        """The pairs whose turn retracts the fact; for each fact only the first turn."""
        if not pairs:
            return []
        read = [pair.read for pair in pairs]
        verdicts = await asyncio.get_running_loop().run_in_executor(self._executor, self._detector.takes_back, read)
        found = dict[str, _Pair]()
        for pair, is_taken_back in zip(pairs, verdicts, strict=True):
            if is_taken_back:
                found.setdefault(pair.fact["id"], pair)
        return list(found.values())

    async def _write(self, pair: _Pair) -> None:
        """Writes a retraction, unless the turn or the fact was retired meanwhile."""
        turn, about = pair.turn, pair.subjects
        home = home_of(pair.chat, turn.speaker_id, self._private_sensitivity)
        known = {each.id: each for each in (*about, pair.speaker)}

        async def store(transaction: Transaction) -> None:
            standing = await transaction.run("conflict/standing", turn=turn.id, fact=pair.fact["id"], now=self._clock())
            if standing:
                await self._fact_writer.write(
                    transaction, Viewer(turn.speaker_id, pair.chat.id), home, [_retraction(pair)], known
                )

        await self._database.transaction("conflict/standing", store)


def _pairs(rows: Sequence[Row]) -> Iterator[_Pair]:
    """Each turn with each of its facts; turns without text are left out."""
    for row in rows:
        turn: dict[str, Any] = dict(row["said"])
        speaker = Subject(turn["speaker_id"], turn.pop("speaker_key"), EntityType.PERSON, turn.pop("speaker"))
        said = turn_of(**turn)
        if said.content.strip():
            chat = chat_of(row["chat"])
            yield from (_Pair(chat, said, speaker, fact) for fact in row["facts"])


def _retraction(pair: _Pair) -> Fact:
    """The fact which says that another one no longer holds, with the turn that retracts it as evidence. It repeats the
    words of the other, so it is at least as private.
    """
    turn, fact = pair.turn, pair.fact
    return Fact(
        f"No longer so: {fact['content']}",
        about=tuple(each.id for each in pair.subjects),
        kind="event",
        fact_type=fact["fact_type"],
        aspect=f"no_longer_{fact['id']}",
        value="so",
        takes_back=(fact["claim_key"], fact["value_key"]),
        sensitivity=Sensitivity(fact["sensitivity"]),
        portable=None if fact["portable"] else False,
        confidence=_CONFIDENCE,
        event_time=turn.event_time,
        event_precision=EventPrecision.MINUTE,
        evidence=(turn.id,),
        source="consolidation",
        said_at=turn.event_time,
        time_zone=turn.time_zone,
        learned_at=turn.created_at,
    )
