"""Summaries of entities: what is known of an entity in one scope, in the sentences of a few facts (T8, M15).

A scope is an owner or a group, and a persona. Entities wait in the queue of the job `summarize` (`graph.jobs.queue`):
when a session was consolidated that names them, and when what a summary tells is not so any more. A summary is a memory
with the label `EntitySummary`; the rule shows it to whoever may see all that it is made of.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from hippograph.graph.access.parameters import read_params
from hippograph.graph.clock import Clock
from hippograph.graph.database import Database, Row
from hippograph.graph.jobs.queue import Claim, Queue
from hippograph.graph.model import NO_END, Viewer
from hippograph.graph.summaries.summary_memory import as_sentence, most_private, summary_memory
from hippograph.nlp.frames.frame import frame_order

log = logging.getLogger(__name__)

MOST_SENTENCES: Final = 5
MOST_CHARACTERS: Final = 600
_LONGEST: Final = 240
_READ: Final = 20
_AT_ONCE: Final = 16
_STALE_AT_ONCE: Final = 1_000


@dataclass(frozen=True, slots=True)
class Source:
    """A fact of which a summary can be made; `speaker_name` is None for what the owner of the scope said."""

    id: str
    content: str
    sensitivity: str
    speaker_name: str | None

    @property
    def sentence(self) -> str:
        """The words in one line, behind the name of who said it, with a full stop."""
        return as_sentence(self.content, self.speaker_name)


def chosen(sources: Sequence[Source]) -> list[Source]:
    """Those of some sources whose sentences make the summary, in their order: up to 5 of them and 600 characters, none
    of which is overlong or says what another says.
    """
    found: dict[str, Source] = {}
    length = 0
    for source in sources:
        words, size = source.sentence.casefold(), len(source.sentence) + 1
        fits = size <= _LONGEST and length + size <= MOST_CHARACTERS and len(found) < MOST_SENTENCES
        if fits and words not in found:
            found[words] = source
            length += size
    return list(found.values())


class EntitySummaries:
    """The job that summarises entities."""

    name: Final = "summarize"

    def __init__(self, database: Database, clock: Clock, *, least_mentions: int) -> None:
        """An entity has a summary in a scope where so many memories name it or are about it."""
        self.queue: Final = Queue(database, clock, self.name)
        self._database = database
        self._clock = clock
        self._least = least_mentions

    async def step(self) -> int:
        """Claims some entities and summarises them one after the other; how many."""
        claim = await self.queue.claim(_AT_ONCE)
        await self.queue.work_through(claim, claim.ids, self._summarize)
        return len(claim.items)

    async def queue_stale(self) -> int:
        """Puts the entities on the queue whose summaries tell what is not so any more; how many."""
        row = await self._database.one("summary/queue_stale", limit=_STALE_AT_ONCE, now=self._clock(), no_end=NO_END)
        return int(row["queued"]) if row else 0

    async def _summarize(self, profile_id: str, claim: Claim) -> None:
        _, scope, _ = profile_id.split("|")
        row = await self._database.one(
            "summary/sources",
            id=profile_id,
            worker=claim.worker,
            frames=list(frame_order()),
            most=_READ,
            **read_params(Viewer(scope), None, self._clock),
        )
        now = self._clock()
        found = chosen([Source(**each) for each in row["sources"]]) if row and row["mentions"] >= self._least else []
        await self._database.run(
            "summary/write",
            id=profile_id,
            worker=claim.worker,
            memory=_memory(row, found, now) if row and found else None,
            sources=sorted(source.id for source in found),
            now=now,
            no_end=NO_END,
        )


def _memory(row: Row, found: Sequence[Source], now: datetime) -> Row:
    """The properties of a summary of an entity."""
    return summary_memory(
        scope=row["scope"],
        chat_id=row["chat"],
        persona_id=row["persona"],
        content=" ".join(source.sentence for source in found),
        sensitivity=most_private(source.sensitivity for source in found),
        heading=row["key"].partition(":")[2].replace("_", " "),
        now=now,
    )
