"""Summaries of entities: what is known of an entity in one scope, in the sentences of a few facts, or in those of a
language model if one is set (T8, M15).

A scope is an owner or a group, a persona, and a space. Entities are put on the queue of the job `summarize`
(`graph.jobs.queue`) when a session that names them was consolidated, and when a source of a summary no longer holds.
A summary is a memory with the label `EntitySummary`. A viewer sees it if they may see all its sources.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Protocol

from hippograph.graph.access.parameters import read_params
from hippograph.graph.clock import Clock
from hippograph.graph.database import Database, Row
from hippograph.graph.jobs.queue import Claim, Queue
from hippograph.graph.model import Viewer
from hippograph.graph.summaries.composing import LONGEST_SENTENCE, MOST_CHARACTERS, MOST_SENTENCES
from hippograph.graph.summaries.summary_memory import as_sentence, most_private, summary_memory
from hippograph.nlp.errors import LlmFailed
from hippograph.nlp.frames.frame import frame_order

_READ: Final = 20
_AT_ONCE: Final = 16
_STALE_AT_ONCE: Final = 1_000


@dataclass(frozen=True, slots=True)
class Wording:
    """A sentence of a summary, and the ids of the facts that it rests on."""

    text: str
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Source:
    """A fact from which a summary can be made. `speaker_name` is None if the owner of the scope said it or it was
    found in talk; `since` is the start of its valid time.
    """

    id: str
    content: str
    sensitivity: str
    speaker_name: str | None
    since: datetime

    @property
    def sentence(self) -> str:
        """The content in one line with a full stop, after the name of its speaker."""
        return as_sentence(self.content, self.speaker_name)


class Describer(Protocol):
    """Writes sentences about something from facts. Raises `LlmFailed`."""

    async def describe(self, name: str, sources: Sequence[Source]) -> list[Wording]:
        """Returns the sentences about what is called `name`; empty if nothing can be said."""


def chosen(sentences: Sequence[Wording]) -> list[Wording]:
    """Returns the sentences for a summary: up to 5, of 600 characters together, none of them overlong or repeated."""
    found: dict[str, Wording] = {}
    length = 0
    for each in sentences:
        words, size = each.text.casefold(), len(each.text) + 1
        fits = size <= LONGEST_SENTENCE and length + size <= MOST_CHARACTERS and len(found) < MOST_SENTENCES
        if fits and words not in found:
            found[words] = each
            length += size
    return list(found.values())


class EntitySummaries:
    """The job that summarises entities."""

    name: Final = "summarize"

    def __init__(
        self, database: Database, clock: Clock, *, least_mentions: int, describer: Describer | None = None
    ) -> None:
        """`least_mentions` is the minimum number of memories of a scope that name an entity or are about it, for a
        summary there. Without a `describer`, or if it fails, the sentences are those of the facts.
        """
        self.queue: Final = Queue(database, clock, self.name)
        self._database = database
        self._clock = clock
        self._least = least_mentions
        self._describer = describer

    async def step(self) -> int:
        """Claims some entities, summarises them one after the other, and returns their number."""
        return await self.queue.work_off(_AT_ONCE, self._summarize)

    async def queue_stale(self) -> int:
        """Queues entities with summaries of which a source no longer holds, and returns their number."""
        return await self._database.count("summary/queue_stale", limit=_STALE_AT_ONCE, now=self._clock())

    async def _summarize(self, profile_id: str, claim: Claim) -> None:
        _, scope, *_ = profile_id.split("|")
        now = self._clock()  # before the sources are read: a later rewording of one hides the summary
        row = await self._database.one(
            "summary/sources",
            id=profile_id,
            worker=claim.worker,
            frames=list(frame_order()),
            most=_READ,
            **read_params(Viewer(scope), None, self._clock),
        )
        sources = [Source(**each) for each in row["sources"]] if row and row["mentions"] >= self._least else []
        async with self.queue.held(claim, [profile_id]):
            found = await self._described(_heading(row), sources) if row and sources else []
        used = {source for each in found for source in each.sources}
        made_of = [source for source in sources if source.id in used]
        await self._database.run(
            "summary/write",
            id=profile_id,
            worker=claim.worker,
            memory=_memory(row, found, made_of, now) if row and found else None,
            sources=sorted(used),
            now=now,
        )

    async def _described(self, name: str, sources: Sequence[Source]) -> list[Wording]:
        """Returns the sentences of a summary: the describer's, or those of the facts."""
        if self._describer is not None:
            with suppress(LlmFailed):
                if found := chosen(await self._describer.describe(name, sources)):
                    return found
        return chosen([Wording(source.sentence, (source.id,)) for source in sources])


def _memory(row: Row, found: Sequence[Wording], made_of: Sequence[Source], now: datetime) -> Row:
    """Returns the properties of a summary of an entity."""
    return summary_memory(
        scope=row["scope"],
        chat_id=row["chat"],
        persona_id=row["persona"],
        space_id=row["space"],
        content=" ".join(each.text for each in found),
        sensitivity=most_private(source.sensitivity for source in made_of),
        heading=_heading(row),
        now=now,
    )


def _heading(row: Row) -> str:
    return str(row["key"]).partition(":")[2].replace("_", " ")
