"""Enrichment: within seconds, embeds new memories, links the names in them, ends stated facts that they replace, and
adds sound keys to new entities (W2).

They wait in the queue of the job `enrich` (`graph.jobs.queue`), so nothing is lost in a crash.
"""

import asyncio
import logging
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from hippograph.graph.clock import Clock
from hippograph.graph.database import Database
from hippograph.graph.jobs.queue import Queue, is_away
from hippograph.graph.knowledge.entity_resolution.entity_typing import settle_types
from hippograph.graph.knowledge.entity_resolution.mentions import resolve
from hippograph.graph.knowledge.entity_resolution.name_mention import NameMention, mentions, sounds
from hippograph.graph.knowledge.near_duplicates import fold_repetitions
from hippograph.graph.knowledge.replaced_facts import end_replaced
from hippograph.graph.knowledge.retractions import RetractionDetector
from hippograph.graph.retention.strength import first_stability
from hippograph.graph.schema import VectorSlot
from hippograph.nlp.attachments import own_words
from hippograph.nlp.embedding.embedder import Embedder
from hippograph.nlp.embedding.parts import EmbeddedText, embed_texts, vector_checks
from hippograph.nlp.emotion import intensity
from hippograph.nlp.extraction.quoting import quoted
from hippograph.nlp.names.recognition import Name, NameFinder

log = logging.getLogger(__name__)

_REQUEUED_AT_ONCE: Final = 5_000
_NO_EMBEDDING: Final[dict[str, object]] = {"vector": None, "tokens": None, "parts": []}


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A memory or an entity to be enriched. Only an entity has `names`; no names are searched in a `summary`.

    `attached` says that the content of a turn may include text from attachments, `without_aspect` that only its words
    and vector tell a fact from others (W5). What was said `by_assistant` links only known entities (W4); in a private
    chat its `speaker` is the person there. In a quotation, `speaker_name` or its first word stands before the words.
    """

    id: str
    type: str
    names: Sequence[str]
    content: str
    attached: bool
    heading: str
    chat: str
    speaker: str
    speaker_name: str
    by_assistant: bool
    persona: str
    without_aspect: bool
    summary: bool


@dataclass(frozen=True, slots=True)
class _Memory:
    id: str
    embedding: EmbeddedText | None
    mentions: Sequence[NameMention]
    emotion: float
    without_aspect: bool


@dataclass(frozen=True, slots=True)
class _Entity:
    id: str
    sounds: list[str]


_Found = _Memory | _Entity


class Enrichment:
    """The job that embeds memories, links the names in them, and computes the sound keys of entities."""

    name: Final = "enrich"

    def __init__(
        self,
        database: Database,
        clock: Clock,
        *,
        embedder: Embedder | None,
        slot: VectorSlot | None,
        name_finder: NameFinder | None,
        executor: Executor,
        batch_size: int,
        retractions: RetractionDetector | None = None,
    ) -> None:
        self.queue: Final = Queue(database, clock, self.name)
        self._database = database
        self._clock = clock
        self._embedder = embedder
        self._slot = slot
        self._slot_name = slot.name if slot else "a"
        self._model = slot.model if slot else None
        self._name_finder = name_finder
        self._retractions = retractions
        self._executor = executor
        self._batch_size = batch_size
        self._claiming, self._writing = asyncio.Lock(), asyncio.Lock()
        self._before = asyncio.Event()
        """Set when the batch of the last claim is written."""
        self._before.set()

    async def step(self) -> int:
        """Claims a batch, runs the models on it, writes the results, and returns the number of items.

        While one batch is written, the next is read. Batches are written in the order of their claims, so that mentions
        of the second find the entities of the first, even if the second was read sooner.
        """
        async with self._claiming:
            claim = await self.queue.claim(self._batch_size)
            if not claim.items:
                return 0
            before, written = self._before, asyncio.Event()
            self._before = written
        try:
            async with self.queue.held(claim, claim.ids):
                rows = await self._database.run("enrichment/load", ids=claim.ids, worker=claim.worker)
                waiting = [_Waiting(**row) for row in rows]
                found, unread = await asyncio.get_running_loop().run_in_executor(self._executor, self._work, waiting)
                await before.wait()
                async with self._writing:
                    unwritten = await self._complete(found, claim.worker)
                await self.queue.fail(claim, unread | unwritten)
        finally:
            written.set()
        return len(claim.items)

    async def requeue_lost(self) -> int:
        """Requeues memories without a vector of the model and entities without sound keys. Returns their number; 0
        without an embedder or a slot.
        """
        if self._slot is None or self._embedder is None:
            return 0
        return await self._database.count_all(
            f"enrichment/requeue.{self._slot.name}",
            model=self._slot.model,
            dimensions=self._slot.dimensions,
            **vector_checks(self._embedder),
            now=self._clock(),
            limit=_REQUEUED_AT_ONCE,
        )

    def _work(self, waiting: Sequence[_Waiting]) -> tuple[list[_Found], dict[str, Exception]]:
        """Returns the results, and the errors of items that could not be read, by id. If the batch fails, its items are
        read one by one, so that one bad text fails alone.
        """
        try:
            return self._read(waiting), {}
        except Exception:
            log.exception("a batch of %d failed; trying them one by one", len(waiting))
        found: list[_Found] = []
        failed: dict[str, Exception] = {}
        for one in waiting:
            try:
                found += self._read([one])
            except Exception as error:
                log.exception("%s could not be read", one.id)
                failed[one.id] = error
        return found, failed

    def _read(self, waiting: Sequence[_Waiting]) -> list[_Found]:
        embeddings = self._embeddings([one for one in waiting if not one.names])
        names: Sequence[Sequence[Name]] = [()] * len(waiting)
        if self._name_finder:
            names = _names(self._name_finder, waiting)
        return [_found(one, embeddings.get(one.id), found) for one, found in zip(waiting, names, strict=True)]

    def _embeddings(self, memories: Sequence[_Waiting]) -> dict[str, EmbeddedText]:
        if self._embedder is None or not memories:
            return {}
        embeddings = embed_texts(self._embedder, [(one.heading, one.content) for one in memories])
        return {one.id: embedding for one, embedding in zip(memories, embeddings, strict=True)}

    async def _complete(self, found: Sequence[_Found], worker: str) -> dict[str, Exception]:
        """Writes the results. If that fails, each half is written by itself, so that one bad name fails alone and a
        batch too large for one transaction is split. Returns the errors of items that could not be written, by id.
        Raises an error that says that the database does not answer.
        """
        now = self._clock()
        try:
            # Entities first, so that mentions in memories of this batch can find them by their sound keys.
            await self._complete_entities([one for one in found if isinstance(one, _Entity)], worker, now)
            await self._complete_memories([one for one in found if isinstance(one, _Memory)], worker, now)
        except Exception as error:
            if is_away(error):
                raise
            log.exception("what was found out about %d could not be written", len(found))
            middle = len(found) // 2
            if not middle:
                return {one.id: error for one in found}
            return await self._complete(found[:middle], worker) | await self._complete(found[middle:], worker)
        return {}

    async def _complete_memories(self, memories: Sequence[_Memory], worker: str, now: datetime) -> None:
        if not memories:
            return
        named = [name for memory in memories for name in memory.mentions]
        links = iter(await resolve(self._database, self._executor, named))
        rows = [
            {
                "id": memory.id,
                **(memory.embedding.row() if memory.embedding else _NO_EMBEDDING),
                "emotion": memory.emotion,
                "stability": first_stability(memory.emotion),
                "names": [next(links).row() for _ in memory.mentions],
            }
            for memory in memories
        ]
        statement = f"enrichment/complete_memories.{self._slot_name}"
        await self._database.run(statement, rows=rows, worker=worker, model=self._model, now=now)
        if self._embedder and (facts := [memory.id for memory in memories if memory.without_aspect]):
            await fold_repetitions(self._database, self._slot_name, facts, now)
        if self._embedder and self._retractions:
            every = [memory.id for memory in memories]
            await end_replaced(self._database, self._slot_name, self._retractions, self._executor, every, now)
        if naming := [memory.id for memory in memories if memory.mentions]:
            await settle_types(self._database, self._clock, naming)

    async def _complete_entities(self, entities: Sequence[_Entity], worker: str, now: datetime) -> None:
        if entities:
            rows = [{"id": one.id, "sounds": one.sounds} for one in entities]
            await self._database.run("enrichment/complete_entities", rows=rows, worker=worker, now=now)


def _names(finder: NameFinder, waiting: Sequence[_Waiting]) -> list[list[Name]]:
    """Returns the names in each memory, none for a summary. In a quotation only the quoted words are searched; the
    speaker, who is no part of their sentence, is added as a name.
    """
    parts = [("", "") if one.names or one.summary else quoted(one.content, one.speaker_name) for one in waiting]
    named = finder.find([words for _, words in parts])
    return [
        [Name(speaker, "Person", 0, len(speaker)), *names] if speaker else names
        for (speaker, _), names in zip(parts, named, strict=True)
    ]


def _found(waiting: _Waiting, embedding: EmbeddedText | None, names: Sequence[Name]) -> _Found:
    if waiting.names:
        return _Entity(waiting.id, sounds(waiting.names, waiting.type))
    others = [name for name in names if name.text.casefold() != waiting.persona.casefold()]
    words = own_words(waiting.content) if waiting.attached else waiting.content
    named = mentions(others, waiting.chat, waiting.speaker, makes=not waiting.by_assistant)
    return _Memory(waiting.id, embedding, named, intensity(words), waiting.without_aspect)
