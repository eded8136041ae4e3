"""`bench transfer`: import of a WhatsApp chat, export of a graph and its import, and the same search over MCP and in
GraphQL.
"""

import asyncio
import tempfile
import time
from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import cycle, islice
from pathlib import Path
from typing import Final

import httpx2
import psutil
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from benchmarks.environment import Report, Row, empty, family_memory, in_turns, percentiles, process_memory
from benchmarks.quality.metrics import percentile
from benchmarks.speed.importing import models_alone
from benchmarks.speed.searching import fill_scope
from benchmarks.synthetic_data import Maker
from hippograph.api.service import Service
from hippograph.api.web.http import create_app
from hippograph.api.workers import worker_processes
from hippograph.graph.schema import await_indexes
from hippograph.graph.transfer.exports.graph_export import EVERYTHING, GraphExport
from hippograph.graph.transfer.exports.graph_files import new_file
from hippograph.graph.transfer.exports.graph_import import GraphImport
from hippograph.graph.transfer.exports.graph_lines import ExportFile
from hippograph.graph.transfer.formats.detection import read_export
from hippograph.graph.transfer.formats.reading import ReadOptions
from hippograph.graph.writing.dialogue_file import DialogueFile
from hippograph.nlp.language import load_language

CALLS: Final = 200
_RESULTS: Final = 10
_CONVERSATION: Final = 40
"""Number of messages without a pause."""
_PAUSE: Final = timedelta(hours=6)
_BASELINE: Final = 2_000
"""Maximum number of messages for which the two models alone are timed."""
_DOCUMENT: Final = """
query Find($query: String!, $first: Int!) {
  search(query: $query, first: $first) {
    nodes { id content } edges { relevance ranks { list rank } }
  }
}
"""


async def measure(
    service: Service, said: DialogueFile, messages: int, memories: int, folder: Path, report: Report
) -> list[Row]:
    """Returns the rows of all measurements. The chat repeats the turns of `said`; the graph is synthetic."""
    rows = await _import_chat(service, said, messages, folder, report)
    await empty(service)
    await _fill(service, memories, report)
    rows += await _ask_both(service, report)
    return rows + await _export_and_load(service, memories, folder, report)


async def _import_chat(service: Service, said: DialogueFile, messages: int, folder: Path, report: Report) -> list[Row]:
    """Times the import of a chat, until its messages are searchable and all jobs are done, and the models alone. The
    number of workers is that of the settings.
    """
    texts = [(turn.speaker, turn.text) for dialogue in said.dialogues for turn in dialogue.turns]
    file = folder / "WhatsApp Chat with Friday Table.txt"
    await asyncio.to_thread(_write_chat, file, list(islice(cycle(texts), messages)), service.clock())
    reading = read_export(file, ReadOptions(service.clock()))
    assert reading
    started = time.perf_counter()
    async with worker_processes(service.settings), family_memory() as seen:
        await service.importer.run(
            service.viewer(), "chat", reading.content, leave_out=True, progress=lambda *at: report(*at)
        )
        recorded = time.perf_counter() - started
        await service.runner.until_idle(report)
    took = time.perf_counter() - started
    report(0, 0, "the models alone")
    language = await asyncio.to_thread(load_language, service.settings.ner_model)
    some = list(islice(cycle(texts), min(messages, _BASELINE)))
    bare = await asyncio.to_thread(models_alone, service, language, some) / len(some)
    quarter = len(seen) // 4
    return [
        Row("embedder and spaCy alone", {"messages/s": 1 / bare}),
        Row(f"import of {messages} messages of WhatsApp, to recorded", {"messages/s": messages / recorded}),
        Row("  to searchable, and facts of it", {"messages/s": messages / took}),
        Row("  share of the models alone", {"ratio": bare * messages / took}),
        Row(
            "  memory of all its processes",
            {"MiB after a quarter": max(seen[: quarter + 1]), "MiB at most": max(seen), "MiB at the end": seen[-1]},
        ),
    ]


def _write_chat(file: Path, texts: Sequence[tuple[str, str]], now: datetime) -> None:
    """Writes a WhatsApp export that ends about now: a message a minute, with a pause after each conversation."""
    pauses = len(texts) // _CONVERSATION
    begin = now - timedelta(minutes=len(texts) + 1) - pauses * _PAUSE
    with file.open("w", encoding="utf-8") as chat:
        for number, (speaker, text) in enumerate(texts):
            at = begin + timedelta(minutes=number) + number // _CONVERSATION * _PAUSE
            chat.write(f"[{at:%Y-%m-%d, %H:%M:%S}] {speaker}: {text}\n")


async def _fill(service: Service, memories: int, report: Report) -> None:
    """Writes `memories` memories of the local user into the graph."""
    report(0, 0, f"{memories:,} memories")
    await fill_scope(service, _maker(service), service.local_user.id, "", memories)
    await await_indexes(service.database)


def _maker(service: Service) -> Maker:
    assert service.embedder
    return Maker(service.embedder.dimensions)


async def _ask_both(service: Service, report: Report) -> list[Row]:
    """Times the same search by an MCP tool over streamable HTTP and by a GraphQL query, in turns, without a socket."""
    report(0, 0, f"{CALLS} searches")
    app, maker = create_app(service), _maker(service)
    transport = httpx2.ASGITransport(app)
    async with (
        app.router.lifespan_context(app),
        httpx2.AsyncClient(transport=transport, base_url="http://localhost") as http,
        Client(streamable_http_client("http://localhost/mcp", http_client=http)) as agent,
    ):

        async def tool(question: str) -> object:
            return await agent.call_tool("search_memory", {"query": question, "first": _RESULTS})

        async def query(question: str) -> object:
            given = {"query": _DOCUMENT, "variables": {"query": question, "first": _RESULTS}}
            return (await http.post("/graphql", json=given)).raise_for_status()

        questions = [maker.question() for _ in range(CALLS)]
        took = await in_turns(service, questions, {"query": query, "tool": tool})
    ratio = percentile(took["tool"], 0.5) / percentile(took["query"], 0.5)
    return [
        Row("the same search in GraphQL", percentiles(took["query"])),
        Row("  as a tool over MCP", {**percentiles(took["tool"]), "p50 over that of GraphQL": ratio}),
    ]


async def _export_and_load(service: Service, memories: int, folder: Path, report: Report) -> list[Row]:
    """Times the export of the whole graph into a file, and the import of that file into an emptied graph."""
    file = folder / "all.jsonl"
    exporter = GraphExport(service.database, service.clock, "bench")
    started = time.perf_counter()
    with new_file(file) as lines, tempfile.TemporaryDirectory() as keys:
        await exporter.write(lines, EVERYTHING, vectors=True, folder=Path(keys), report=report)
    exported = time.perf_counter() - started
    rows = [
        Row(f"export of {memories:,} memories", {"s": exported, "MB": file.stat().st_size / 10**6}),
        process_memory("the exporter", psutil.Process().pid),
    ]
    await empty(service)
    loading = GraphImport(
        service.database,
        service.clock,
        model=service.settings.embedding_model,
        analyzer=service.settings.fulltext_analyzer,
        user_id=service.settings.local_user,
    )
    started = time.perf_counter()
    await loading.load(ExportFile(file), report)
    rows.append(Row("  loaded into an empty graph", {"s": time.perf_counter() - started}))
    return [*rows, process_memory("the loader", psutil.Process().pid)]
