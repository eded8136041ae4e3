"""Exports of the graph and the way back, on graphs in which everything happened."""

import asyncio
import gzip
import io
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from hippograph.api.service import Service
from hippograph.api.startup import open_service
from hippograph.graph.database import Database, Row
from hippograph.graph.errors import Conflict, InvalidInput, SchemaMismatch
from hippograph.graph.jobs.wipe import wipe
from hippograph.graph.model import NO_END
from hippograph.graph.people.todos import TodoKind
from hippograph.graph.schema import applied_version, migrate
from hippograph.graph.transfer.exports import graph_import
from hippograph.graph.transfer.exports.graph_export import LINKS_AT_ONCE, NODES_AT_ONCE, GraphExport
from hippograph.graph.transfer.exports.graph_files import new_file
from hippograph.graph.transfer.exports.graph_import import AT_ONCE, GraphImport, refuse_unfinished
from hippograph.graph.transfer.exports.graph_lines import (
    Counts,
    ExportFile,
    Manifest,
    Node,
    end_line,
    manifest_line,
    node_line,
)
from hippograph.graph.transfer.exports.property_values import Moment
from hippograph.graph.writing.fact import Fact
from tests.conftest import MovingClock
from tests.integration.test_schema import FIRST, LAST, clear, declare, next_migration  # noqa: F401
from tests.world import happen, load_sample, tell_more

Empty = Callable[[], Awaitable[None]]


def loader(service: Service, *, model: str | None = None, database: Any = None) -> GraphImport:
    """Loads into the service's graph, as if the settings named a model."""
    assert service.slot is not None
    return GraphImport(
        database or service.database,
        service.clock,
        model=model or service.slot.model,
        analyzer=service.settings.fulltext_analyzer,
        user_id=service.settings.local_user,
    )


async def export(service: Service, path: Path, **options: Any) -> Path:
    """Writes an export of everything."""
    with new_file(path) as out:
        await GraphExport(service.database, service.clock, "1.0").write(out, folder=path.parent, **options)
    return path


@pytest.fixture
async def world(service: Service) -> Service:
    """The service over a graph in which everything happened once."""
    await tell_more(service, await load_sample(service))
    await happen(service)
    return service


@pytest.fixture
async def small(service: Service) -> Service:
    """The service over a graph of a few facts, one of them long, with vectors."""
    me = service.viewer()
    texts = ("I play the oboe", "I live in Graz", "I played in every town along the river. " * 60)
    [one, *_] = await service.facts.remember(me, [Fact(text, tags=("music",)) for text in texts])
    await service.facts.update(me, one.memory_id, "I play the oboe in a quartet")
    await service.states.set_state(me, "nickname", "May")
    await service.todos.add(me, TodoKind.COMMITMENT, "Return the drill", due_at=service.clock())
    await service.runner.work_until_idle()
    return service


@pytest.fixture
async def empty(service: Service, raw) -> AsyncIterator[Empty]:
    """Takes all out of the graph, the local user too; afterwards the local user is there again, alone."""
    [kept] = await raw("MATCH (p:Person {id: $id}) RETURN properties(p) AS p", id=service.local_user.id)

    async def work() -> None:
        await wipe(service.database, "")

    yield work
    await wipe(service.database, service.local_user.id)
    await raw(
        "OPTIONAL MATCH (there:Person {id: $p.id}) WITH there WHERE there IS NULL CREATE (p:Entity:Person) SET p = $p",
        p=kept["p"],
    )


async def test_an_export_loaded_is_the_graph_that_was(world: Service, tmp_path: Path, dump, empty: Empty) -> None:
    """All nodes, labels, properties and relationships come back, with their ids, times and vectors; nothing lacks."""
    before = await dump()
    path = await export(world, tmp_path / "all.jsonl.gz")
    await empty()
    loaded = await loader(world).load(ExportFile(path))
    assert before == await dump()
    assert loaded.vectors
    assert [] == await world.doctor.examine()


async def test_the_parts_of_long_texts_come_back(small: Service, tmp_path: Path, dump, empty: Empty) -> None:
    """With their vectors."""
    before = await dump()
    path = await export(small, tmp_path / "all.jsonl.gz")
    assert '"HAS_PART"' in gzip.decompress(path.read_bytes()).decode()
    await empty()
    await loader(small).load(ExportFile(path))
    assert before == await dump()
    assert [] == await small.doctor.examine()


async def test_without_vectors_all_is_embedded_anew(small: Service, tmp_path: Path, dump, empty: Empty, raw) -> None:
    """Of an export without vectors, and of one with those of another model; nothing of these is kept."""
    lines = {line for line in await dump() if '"Memory"' in line and '"HAS_PART"' not in line}
    parts = "MATCH ()-[part:HAS_PART]->() WHERE part.embedding_a IS NOT NULL RETURN count(*) AS n"
    [whole] = await raw(parts)
    assert 1 < whole["n"]
    for number, options in enumerate(({"vectors": False}, {})):
        path = await export(small, tmp_path / f"{number}.jsonl", **options)
        await empty()
        await raw("MATCH (s:EmbeddingSlot) DELETE s")
        loaded = await loader(small, model="another model").load(ExportFile(path))
        assert not loaded.vectors
        assert [{"n": 0}] == await raw("MATCH (n) WHERE n.embedding_a IS NOT NULL RETURN count(n) AS n")
        await declare(small)
        await small.enrichment.requeue_lost()
        await small.runner.work_until_idle()
        assert {json.loads(line)["properties"]["id"] for line in lines} == {
            row["id"] for row in await raw("MATCH (n) WHERE n.embedding_a IS NOT NULL RETURN n.id AS id")
        }
        assert [whole] == await raw(parts)


async def test_only_an_empty_graph_takes_an_export(small: Service, tmp_path: Path, dump, empty: Empty) -> None:
    """Refused, and nothing is changed. A graph that a service has opened, and nobody used, is empty."""
    path, before = await export(small, tmp_path / "all.jsonl"), await dump()
    with pytest.raises(Conflict, match="not empty"):
        await loader(small).load(ExportFile(path))
    assert before == await dump()
    await wipe(small.database, small.local_user.id)
    await small.upkeep.declare()
    await loader(small).load(ExportFile(path))
    assert before == await dump()


async def test_a_broken_file_stores_nothing(small: Service, tmp_path: Path, dump, empty: Empty) -> None:
    """However far behind the broken line is."""
    path = await export(small, tmp_path / "all.jsonl")
    lines = path.read_text("utf-8").split("\n")
    path.write_text("\n".join([*lines[:-3], "{}", *lines[-3:]]), "utf-8")
    await empty()
    with pytest.raises(InvalidInput, match=f"line {len(lines) - 2} "):
        await loader(small).load(ExportFile(path))
    assert [] == await dump()


@pytest.mark.parametrize("broken_off_in", ["nodes", "relationships"])
async def test_a_load_that_was_broken_off_goes_on(
    small: Service, tmp_path: Path, dump, empty: Empty, monkeypatch: pytest.MonkeyPatch, broken_off_in: str
) -> None:
    """Until it is done no service opens the graph and no other export is loaded; then the graph is whole."""
    monkeypatch.setattr(graph_import, "AT_ONCE", 3)
    before = await dump()
    path, other = await export(small, tmp_path / "all.jsonl"), await export(small, tmp_path / "other.jsonl")
    await empty()

    def break_off(_done: int, _of: int, what: str) -> None:
        if what == broken_off_in:
            running.cancel()

    running = asyncio.ensure_future(loader(small).load(ExportFile(path), break_off))
    with pytest.raises(asyncio.CancelledError):
        await running
    there = await dump()
    assert 0 < len(there) < len(before)
    with pytest.raises(SchemaMismatch, match="not loaded to its end"):
        await refuse_unfinished(small.database)
    with pytest.raises(SchemaMismatch, match="not loaded to its end"):
        async with open_service(small.settings, vectors=False):
            pass
    with pytest.raises(Conflict, match="another export"):
        await loader(small).load(ExportFile(other))
    assert there == await dump()
    await loader(small).load(ExportFile(path))
    assert before == await dump()
    await refuse_unfinished(small.database)


async def test_a_part_that_was_migrated_is_not_loaded_on(service: Service, tmp_path: Path, empty: Empty, raw) -> None:
    """What is still to come is of the older schema: refused. Nothing that waits is claimed meanwhile."""
    node = Node(("Memory", "Semantic"), {"id": "m1", "content": "So it is"})
    manifest, path = Manifest("old", LAST, "0.9", "2026-01-01T00:00:00+00:00", None), tmp_path / "old.jsonl"
    path.write_text(manifest_line(manifest) + node_line(node) + end_line(Counts({"Memory": 1})))
    await empty()
    await raw("CREATE (:Lock {name: 'import', export: 'old', lines: 0})")
    await raw(
        "CREATE (:__Neo4jMigration {version: $newer, checksum: '1', source: 'new'})", newer=f"{int(LAST) + 1:03d}"
    )
    await raw("CREATE (:Memory:Pending {id: 'm0', job: 'embed', due_at: datetime('2024-01-01T00:00Z'), attempts: 0})")
    with pytest.raises(Conflict, match="was migrated"):
        await loader(service).load(ExportFile(path))
    claim = {"job": "embed", "worker": "w", "now": service.clock(), "lease_until": NO_END, "limit": 5}
    assert [] == await service.database.run("queue/claim", **claim)
    await raw("MATCH (l:Lock {name: 'import'}) DELETE l")
    assert [{"id": "m0", "attempts": 1}] == await service.database.run("queue/claim", **claim)
    await raw("MATCH (m:__Neo4jMigration {source: 'new'}) DELETE m")


async def test_what_is_made_meanwhile_is_left_out(small: Service, tmp_path: Path, raw) -> None:
    """So a second bearer of a unique value, whose first had it when it was read, is not in it."""
    await raw("CREATE (:Memory:Semantic {id: 'zz', content: 'late', created_at: $at})", at=NO_END)
    path = await export(small, tmp_path / "all.jsonl")
    assert '"Memory/zz"' not in path.read_text("utf-8")


async def test_what_a_clock_that_is_ahead_dated_is_in_it(small: Service, tmp_path: Path, clock: MovingClock) -> None:
    """Another machine's clock, or this one's before it was put right, made it after the export begins."""
    clock.advance(timedelta(hours=1))
    await small.facts.remember(small.viewer(), [Fact("I keep bees")])
    clock.advance(timedelta(hours=-1))
    path = await export(small, tmp_path / "all.jsonl")
    assert "I keep bees" in path.read_text("utf-8")


def older(path: Path, schema: str) -> ExportFile:
    """An export of that schema: one memory, which has a hue."""
    told = Moment("2026-01-01T00:00:00Z")
    times = {"created_at": told, "event_time": told, "valid_from": told, "valid_until": told}
    node = Node(("Memory", "Semantic"), {"id": "m1", "content": "So it is", "hue": "red", **times})
    manifest = Manifest("old", schema, "0.9", "2026-01-01T00:00:00+00:00", None)
    path.write_text(manifest_line(manifest) + node_line(node) + end_line(Counts({"Memory": 1})))
    return ExportFile(path)


async def test_an_export_of_an_older_version_is_migrated(
    service: Service, tmp_path: Path, empty: Empty, raw, request
) -> None:
    """The graph gets the schema of then, what was exported, and the changes since; a graph that is newer is refused."""
    following = request.getfixturevalue("next_migration")
    await empty()
    await clear(raw)
    try:
        await migrate(service.database, service.clock)
        with pytest.raises(Conflict, match="has the schema"):
            await loader(service).load(older(tmp_path / "old.jsonl", LAST))
        await clear(raw)
        await loader(service).load(older(tmp_path / "old.jsonl", LAST))
        colours = await raw("MATCH (m:Memory) RETURN m.colour AS colour, m.hue AS hue")
        assert [{"colour": "red", "hue": None}] == colours
        assert following.version == await applied_version(service.database)
    finally:
        await clear(raw)
        request.getfixturevalue("monkeypatch").undo()
        await declare(service)


async def test_an_export_of_the_schema_that_the_first_migration_replaces_is_loaded(
    service: Service, tmp_path: Path, empty: Empty, raw
) -> None:
    """Into a graph that has the schema of today, which is the same; an older one is refused."""
    await empty()
    with pytest.raises(SchemaMismatch, match="begins with"):
        await loader(service).load(older(tmp_path / "older.jsonl", f"{int(FIRST) - 2:03d}"))
    await loader(service).load(older(tmp_path / "old.jsonl", f"{int(FIRST) - 1:03d}"))
    assert [{"id": "m1"}] == await raw("MATCH (m:Memory) RETURN m.id AS id")


class Weighing:
    """A database that notes how many rows go through it at once, and how many were read and not yet written."""

    def __init__(self, database: Database, out: io.StringIO) -> None:
        self._database = database
        self._out = out
        self.most_rows: dict[str, int] = {}
        self.most_unwritten = 0
        self._read = 0

    async def run(self, statement: str, /, **params: Any) -> list[Row]:
        """As the database does it."""
        reads = statement.startswith(("export/nodes", "export/relationships"))
        if reads:
            self.most_unwritten = max(self.most_unwritten, self._read - self._out.getvalue().count("\n"))
        rows = await self._database.run(statement, **params)
        self._read += len(rows) if reads else 0
        kind = statement.partition(".")[0]
        held = max(len(rows), len(params.get("rows", ()) or params.get("ids", ())))
        self.most_rows[kind] = max(held, self.most_rows.get(kind, 0))
        return rows

    async def one(self, statement: str, /, **params: Any) -> Row | None:
        """As the database does it."""
        return next(iter(await self.run(statement, **params)), None)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._database, name)


async def test_memory_does_not_grow_with_the_graph(service: Service, tmp_path: Path, dump, empty: Empty, raw) -> None:
    """However many memories there are, a batch is read, written and forgotten before the next, both ways."""
    many = 6 * NODES_AT_ONCE
    await raw(
        "UNWIND range(1, $many) AS n CREATE (m:Memory:Semantic {id: 'many' + n, content: 'words'})"
        "-[:HAS_VERSION]->(:Version {id: 'many' + n, content: 'word'})",
        many=many,
    )
    before, out = await dump(), io.StringIO()
    reading = Weighing(service.database, out)
    await GraphExport(reading, service.clock, "1.0").write(out)  # type: ignore[arg-type]
    assert NODES_AT_ONCE == reading.most_rows["export/nodes"]
    assert LINKS_AT_ONCE == reading.most_rows["export/relationships"]
    assert reading.most_unwritten <= 0  # the manifest is a line too
    path = tmp_path / "all.jsonl"
    path.write_text(out.getvalue())
    await empty()
    writing = Weighing(service.database, out)
    await loader(service, database=writing).load(ExportFile(path))
    assert {AT_ONCE} == {writing.most_rows[f"export/load_{what}"] for what in ("nodes", "relationships")}
    assert before == await dump()
