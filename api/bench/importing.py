"""The part of `bench speed` that imports: from a file to searchable, beside the two models of the slow path alone."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from api.bench.ground import Report, Row
from api.service import Service
from api.workers import worker_processes
from graph.importing import DialogueFile, FileTurn
from graph.model import ChatKind

IMPORTED: Final = 1_350


async def measure(service: Service, dialogues: DialogueFile, report: Report) -> list[Row]:
    """From a file to searchable with one worker, as `hippograph import` does it, beside its two models alone."""
    size = sum(len(dialogue.turns) for dialogue in dialogues.dialogues)
    content, turns = _copies(dialogues, range(max(1, IMPORTED // size)))
    async with worker_processes(service.settings):
        report(1, 3, "importing: warming up")
        await service.importer.run(service.viewer(), "warm-up", content)
        await service.slow_path.wait_until_done()
        report(2, 3, "importing: to searchable")
        started = time.perf_counter()
        await service.importer.run(service.viewer(), "speed", content)
        await service.slow_path.wait_until_done()
        took = time.perf_counter() - started
    report(3, 3, "importing: models alone")
    bare = await asyncio.to_thread(_models_alone, service, [(turn.speaker, turn.text) for turn in turns])
    return [
        Row("embedder and name finder alone", {"turns/s": len(turns) / bare}),
        Row("import to searchable", {"turns/s": len(turns) / took}),
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


def _models_alone(service: Service, turns: Sequence[tuple[str, str]]) -> float:
    embedder, names = service.embedder, service.name_finder
    assert embedder
    assert names
    size, started = service.settings.worker_batch_size, time.perf_counter()
    for first in range(0, len(turns), size):
        batch = turns[first : first + size]
        embedder.embed_documents([f"{speaker} 7 September 2026: {text}" for speaker, text in batch])
        names.find([text for _, text in batch])
    return time.perf_counter() - started
