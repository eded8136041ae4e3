"""The import part of `bench speed`: the rate from a file to searchable memories and their facts, beside that of its two
models alone. For passages, which name many people and things, also how long their jobs block the event loop.
"""

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Final

from benchmarks.environment import Report, Row, percentiles
from hippograph.api.service import Service
from hippograph.api.workers import worker_processes
from hippograph.graph.model import ChatKind
from hippograph.graph.writing.dialogue_file import DialogueFile, FilePassage, FileTurn
from hippograph.nlp.language import LanguageModel, load_language

IMPORTED: Final = 1_350
_TICK_S: Final = 0.01


async def measure(service: Service, content: DialogueFile, report: Report) -> list[Row]:
    """Times an import as by `hippograph import`, until the memories are searchable and all jobs are done, and its two
    models alone: each text embedded once, and parsed once by spaCy's whole pipeline.
    """
    rows = await _dialogues(service, content, report) if content.dialogues else []
    return rows + (await _passages(service, content.passages, report) if content.passages else [])


async def _dialogues(service: Service, dialogues: DialogueFile, report: Report) -> list[Row]:
    size = sum(len(dialogue.turns) for dialogue in dialogues.dialogues)
    content, turns = _copies(dialogues, range(max(1, IMPORTED // size)))
    async with worker_processes(service.settings):
        report(1, 3, "importing: warming up")
        await service.importer.run(service.viewer(), "warm-up", content)
        await service.runner.until_idle()
        report(2, 3, "importing: to searchable, and facts of it")
        started = time.perf_counter()
        await service.importer.run(service.viewer(), "speed", content)
        await service.runner.until_idle()
        took = time.perf_counter() - started
    report(3, 3, "importing: models alone")
    language = await asyncio.to_thread(load_language, service.settings.ner_model)
    bare = await asyncio.to_thread(models_alone, service, language, [(turn.speaker, turn.text) for turn in turns])
    return [
        Row("embedder and spaCy alone", {"turns/s": len(turns) / bare}),
        Row("import to searchable, and facts of it", {"turns/s": len(turns) / took}),
        Row("  share of the models alone", {"ratio": bare / took}),
    ]


async def _passages(service: Service, passages: Sequence[FilePassage], report: Report) -> list[Row]:
    """Times the import of passages. The jobs run in this process, whose event loop is watched for delays."""
    report(1, 2, "importing passages: to searchable")
    language = await asyncio.to_thread(load_language, service.settings.ner_model)
    started = time.perf_counter()
    async with _watched() as late:
        await service.importer.run(service.viewer(), "passages", DialogueFile(passages=list(passages)))
        await service.runner.work_until_idle()
    took = time.perf_counter() - started
    backlog = await service.enrichment.queue.backlog()
    report(2, 2, "importing passages: models alone")
    bare = await asyncio.to_thread(models_alone, service, language, [(each.title, each.text) for each in passages])
    return [
        Row("embedder and spaCy alone", {"passages/s": len(passages) / bare}),
        Row("import of passages to searchable", {"passages/s": len(passages) / took, "failed": backlog.failed}),
        Row("  share of the models alone", {"ratio": bare / took}),
        Row("  how late the event loop was", {**percentiles(late), "most": max(late) * 1000}),
    ]


@asynccontextmanager
async def _watched() -> AsyncIterator[list[float]]:
    """Yields a list that gets the delay of the event loop, in seconds, about a hundred times a second."""
    late: list[float] = []

    async def watch() -> None:
        while True:
            due = time.perf_counter() + _TICK_S
            await asyncio.sleep(_TICK_S)
            late.append(time.perf_counter() - due)

    watching = asyncio.create_task(watch())
    try:
        yield late
    finally:
        watching.cancel()


def _copies(content: DialogueFile, numbers: range) -> tuple[DialogueFile, list[FileTurn]]:
    """Returns a copy of the dialogues for each of `numbers`, as groups, and all turns of the copies."""
    dialogues = [
        replace(dialogue, id=f"{dialogue.id} {number}", kind=ChatKind.GROUP, participants=[])
        for number in numbers
        for dialogue in content.dialogues
    ]
    return DialogueFile(dialogues=dialogues), [turn for dialogue in dialogues for turn in dialogue.turns]


def models_alone(service: Service, language: LanguageModel, turns: Sequence[tuple[str, str]]) -> float:
    """Embeds texts once and parses them once with spaCy's whole pipeline; returns the seconds taken. `turns` are pairs
    of a speaker (or title) and a text.
    """
    embedder = service.embedder
    assert embedder
    size, started = service.settings.worker_batch_size, time.perf_counter()
    for first in range(0, len(turns), size):
        batch = turns[first : first + size]
        embedder.embed_documents([f"{speaker} 7 September 2026: {text}" for speaker, text in batch])
        with language.reading([text for _, text in batch]) as docs:
            deque(docs, maxlen=0)
    return time.perf_counter() - started
