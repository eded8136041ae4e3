"""Summaries of entities: what is known of an entity in one scope, in the sentences of a few facts, or in those of a
language model where one is set (T8, M15).

A scope is an owner or a group, a persona, and a space. Entities wait in the queue of the job `summarize`
(`graph.jobs.queue`): when a session was consolidated that names them, and when what a summary tells is not so any
more. A summary is a memory with the label `EntitySummary`; the rule shows it to whoever may see all that it is made of.
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
    """A sentence of a summary, and the ids of the facts that say so."""

    text: str
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Source:
    """A fact of which a summary can be made; `speaker_name` is None for what the owner of the scope said, `since` is
    when it began to hold.
    """

    id: str
    content: str
    sensitivity: str
    speaker_name: str | None
    since: datetime

    @property
    def sentence(self) -> str:
        """The words in one line, behind the name of who said it, with a full stop."""
        return as_sentence(self.content, self.speaker_name)


class Describer(Protocol):
    """Says what is known of something in sentences that rest on facts. Raises `LlmFailed`."""

    async def describe(self, name: str, sources: Sequence[Source]) -> list[Wording]:
        """The sentences; none where nothing can be said."""


def chosen(sentences: Sequence[Wording]) -> list[Wording]:
    """The up to 5 sentences, of 600 characters together, that make the summary: none is overlong or said twice."""
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
        """An entity has a summary in a scope where so many memories name it or are about it. Without a `describer`, or
        when it fails, the sentences are those of the facts.
        """
        self.queue: Final = Queue(database, clock, self.name)
        self._database = database
        self._clock = clock
        self._least = least_mentions
        self._describer = describer

    async def step(self) -> int:
        """Claims some entities and summarises them one after the other; how many."""
        return await self.queue.work_off(_AT_ONCE, self._summarize)

    async def queue_stale(self) -> int:
        """Puts the entities on the queue whose summaries tell what is not so any more; how many."""
        return await self._database.count("summary/queue_stale", limit=_STALE_AT_ONCE, now=self._clock())

    async def _summarize(self, profile_id: str, claim: Claim) -> None:
        _, scope, *_ = profile_id.split("|")
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
        now = self._clock()
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
        """What a summary says: in the describer's words, or in those of the facts."""
        if self._describer is not None:
            with suppress(LlmFailed):
                if found := chosen(await self._describer.describe(name, sources)):
                    return found
        return chosen([Wording(source.sentence, (source.id,)) for source in sources])


def _memory(row: Row, found: Sequence[Wording], made_of: Sequence[Source], now: datetime) -> Row:
    """The properties of a summary of an entity."""
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
