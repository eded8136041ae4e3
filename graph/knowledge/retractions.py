"""What later turns take back: facts that hold no longer after what their speaker says (W6).

What shares a key with a later fact is ended when that is written (`graph.writing.supersession`). Most changes make no
such fact ("I've quit the gym"). So a taught model reads each turn beside those facts that its speaker told before and
that are most like it. Where it takes one back, that is a fact of its own, found in that turn: no longer so. It ends the
other as any later fact does.
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
_BESIDE: Final = 3
"""Beside a turn so many facts are read."""
_LEAST_COSINE: Final = 0.4
"""What is less like a turn is not read beside it; of a hundred facts that were taken back six are less like it."""
_CONFIDENCE: Final = 0.9
"""Of retractions in talk that the detector was not taught with about so many are right (BENCHMARKS)."""


class RetractionDetector(Protocol):
    """Reads facts beside later turns; `nlp.frames.retraction` has one."""

    def takes_back(self, pairs: Sequence[tuple[str, str, str]]) -> list[bool]:
        """Whether each fact holds no longer after a later turn: the words of the fact, the full name of who speaks, and
        what they say.
        """


@dataclass(frozen=True, slots=True)
class _Pair:
    """A turn, who says it, and a fact that they told before."""

    chat: TranscriptChat
    turn: TranscriptTurn
    speaker: Subject
    fact: Row

    @property
    def read(self) -> tuple[str, str, str]:
        return self.fact["content"], self.speaker.name or "", self.turn.content

    @property
    def subjects(self) -> list[Subject]:
        """Whom and what the fact is about."""
        return [Subject(**{**each, "type": EntityType(each["type"])}) for each in self.fact["about"]]


class Retractions:
    """Finds what the turns of sessions take back."""

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
        """What is taken back in private is at least of `private_sensitivity`."""
        self._database = database
        self._clock = clock
        self._fact_writer = fact_writer
        self._slot = slot.name
        self._detector = detector
        self._executor = executor
        self._private_sensitivity = private_sensitivity

    async def find(self, session_id: str, worker: str) -> None:
        """Reads a session that a worker holds, and writes what its turns take back. A session that is read again takes
        back nothing twice.
        """
        skip = 0
        while rows := await self._database.run(
            f"conflict/retractable.{self._slot}",
            id=session_id,
            worker=worker,
            skip=skip,
            most=_TURNS_AT_ONCE,
            beside=_BESIDE,
            least=_LEAST_COSINE,
            now=self._clock(),
        ):
            skip += len(rows)
            for pair in await self._taken_back(list(_pairs(rows))):
                await self._write(pair)

    async def _taken_back(self, pairs: Sequence[_Pair]) -> list[_Pair]:
        """Those whose turn takes the fact back; of a fact the first turn."""
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
        """Writes that a fact is no longer so, if the turn and the fact still stand."""
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
    """Each turn that says something beside each of its facts."""
    for row in rows:
        turn: dict[str, Any] = dict(row["said"])
        speaker = Subject(turn["speaker_id"], turn.pop("speaker_key"), EntityType.PERSON, turn.pop("speaker"))
        said = turn_of(**turn)
        if said.content.strip():
            chat = chat_of(row["chat"])
            yield from (_Pair(chat, said, speaker, fact) for fact in row["facts"])


def _retraction(pair: _Pair) -> Fact:
    """That a fact is no longer so, as the turn says that takes it back."""
    turn, fact = pair.turn, pair.fact
    return Fact(
        f"No longer so: {fact['content']}",
        about=tuple(each.id for each in pair.subjects),
        kind="event",
        fact_type=fact["fact_type"],
        aspect=f"no_longer_{fact['id']}",
        value="so",
        takes_back=(fact["claim_key"], fact["value_key"]),
        confidence=_CONFIDENCE,
        event_time=turn.event_time,
        event_precision=EventPrecision.MINUTE,
        evidence=(turn.id,),
        source="consolidation",
        said_at=turn.event_time,
        time_zone=turn.time_zone,
        learned_at=turn.created_at,
    )
