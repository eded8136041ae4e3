"""The part of `bench speed` that imports: from a file to searchable, facts included, beside its two models alone."""

import asyncio
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from api.bench.ground import Report, Row
from api.service import Service, until_idle
from api.workers import worker_processes
from graph.importing import DialogueFile, FileTurn
from graph.model import ChatKind
from nlp.language import LanguageModel, load_language

IMPORTED: Final = 1_350


async def measure(service: Service, dialogues: DialogueFile, report: Report) -> list[Row]:
    """From a file to searchable and worked out with one worker, as `hippograph import` does it, beside its two models
    alone: each text embedded once, and read once by all of spaCy's pipeline.
    """
    size = sum(len(dialogue.turns) for dialogue in dialogues.dialogues)
    content, turns = _copies(dialogues, range(max(1, IMPORTED // size)))
    async with worker_processes(service.settings):
        report(1, 3, "importing: warming up")
        await service.importer.run(service.viewer(), "warm-up", content)
        await until_idle(service)
        report(2, 3, "importing: to searchable, and facts of it")
        started = time.perf_counter()
        await service.importer.run(service.viewer(), "speed", content)
        await until_idle(service)
        took = time.perf_counter() - started
    report(3, 3, "importing: models alone")
    language = await asyncio.to_thread(load_language, service.settings.ner_model)
    bare = await asyncio.to_thread(_models_alone, service, language, [(turn.speaker, turn.text) for turn in turns])
    return [
        Row("embedder and spaCy alone", {"turns/s": len(turns) / bare}),
        Row("import to searchable, and facts of it", {"turns/s": len(turns) / took}),
        Row("  share of the models alone", {"ratio": bare / took}),
    ]


def _copies(content: DialogueFile, numbers: range) -> tuple[DialogueFile, list[FileTurn]]:
    """Dialogues so many times over, and all their turns."""
    dialogues = [
        replace(dialogue, id=f"{dialogue.id} {number}", kind=ChatKind.GROUP, participants=[])
        for number in numbers
        for dialogue in content.dialogues
    ]
    return DialogueFile(dialogues=dialogues), [turn for dialogue in dialogues for turn in dialogue.turns]


def _models_alone(service: Service, language: LanguageModel, turns: Sequence[tuple[str, str]]) -> float:
    embedder = service.embedder
    assert embedder
    size, started = service.settings.worker_batch_size, time.perf_counter()
    for first in range(0, len(turns), size):
        batch = turns[first : first + size]
        embedder.embed_documents([f"{speaker} 7 September 2026: {text}" for speaker, text in batch])
        with language.reading([text for _, text in batch]) as docs:
            deque(docs, maxlen=0)
    return time.perf_counter() - started
