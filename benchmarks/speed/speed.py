"""`bench speed`: time and memory of writes, imports and searches, beside the time of their parts alone.

Each number is reported with the one it is compared with, both from one run, because times from another machine or
another hour are not comparable. The measurements are in `writing`, `importing` and `searching`.
"""

import os

from benchmarks.environment import Report, Row, empty, neo4j_memory, process_memory
from benchmarks.speed import importing, searching, writing
from hippograph.api.service import Service
from hippograph.graph.writing.dialogue_file import DialogueFile


async def measure(service: Service, dialogues: DialogueFile, report: Report) -> list[Row]:
    """Measures everything, in the order of the report; takes ten minutes. The import of `dialogues` is timed."""
    rows = await writing.measure(service, report)
    await empty(service)
    rows += await importing.measure(service, dialogues, report)
    await empty(service)
    rows += await searching.measure(service, report)
    rows.append(process_memory("this process: models, embedding, searching", os.getpid()))
    return rows + neo4j_memory(service, "Neo4j with 100,000 memories")
