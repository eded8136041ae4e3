"""`bench speed`: how long writes, imports and searches take beside what their parts cost bare, and how much memory.

Every number stands next to the one it is compared with, in one run, because times on another machine, or on this one
an hour later, mean nothing. How each is measured is in `writing`, `importing` and `searching`.
"""

import os

from benchmarks.environment import Report, Row, empty, neo4j_memory, process_memory
from benchmarks.speed import importing, searching, writing
from hippograph.api.service import Service
from hippograph.graph.writing.dialogue_file import DialogueFile


async def measure(service: Service, dialogues: DialogueFile, report: Report) -> list[Row]:
    """Everything, in the order of the report: ten minutes. `dialogues` are those whose import is timed."""
    rows = await writing.measure(service, report)
    await empty(service)
    rows += await importing.measure(service, dialogues, report)
    await empty(service)
    rows += await searching.measure(service, report)
    rows.append(process_memory("this process: models, embedding, searching", os.getpid()))
    return rows + neo4j_memory(service, "Neo4j with 100,000 memories")
