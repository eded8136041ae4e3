"""Exports of the graph, and loading them. `test_sample` exports a graph in which everything happened."""

import asyncio
import gzip
import io
import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from hippograph.api.service import Service
from hippograph.api.startup import open_service
from hippograph.graph.database import Database, Row
from hippograph.graph.errors import Conflict, InvalidInput, SchemaMismatch
from hippograph.graph.jobs.wipe import wipe
from hippograph.graph.model import NO_END, Person, Viewer
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
from hippograph.graph.transfer.exports.graph_seen import seen_by
from hippograph.graph.transfer.exports.property_values import Moment
from hippograph.graph.writing.fact import Fact
from tests.conftest import MovingClock
from tests.integration.conftest import Empty
from tests.integration.test_schema import FIRST, LAST, clear, declare, next_migration  # noqa: F401


def loader(service: Service, *, model: str | None = None, database: Any = None) -> GraphImport:
    """Returns a loader into the service's graph, by default with the embedding model of the service."""
    assert service.slot is not None
    return GraphImport(
        database or service.database,
        service.clock,
        model=model or service.slot.model,
        analyzer=service.settings.fulltext_analyzer,
        user_id=service.settings.local_user,
    )


async def export(service: Service, path: Path, **options: Any) -> Path:
    """Writes an export of everything, and returns its path."""
    with new_file(path) as out:
        await GraphExport(service.database, service.clock, "1.0").write(out, folder=path.parent, **options)
    return path


@pytest.fixture
async def small(service: Service) -> Service:
    """The service over a graph of a few facts with vectors, one of them long, a state and a todo."""
    me = service.viewer()
    texts = ("I play the oboe", "I live in Graz", "I played in every town along the river. " * 60)
    [one, *_] = await service.facts.remember(me, [Fact(text, tags=("music",)) for text in texts])
    await service.facts.update(me, one.memory_id, "I play the oboe in a quartet")
    await service.states.set_state(me, "nickname", "May")
    await service.todos.add(me, TodoKind.COMMITMENT, "Return the drill", due_at=service.clock())
    await service.runner.work_until_idle()
    return service


async def test_the_parts_of_long_texts_come_back(small: Service, tmp_path: Path, dump, empty: Empty) -> None:
    """The parts of long texts are exported and loaded with their vectors."""
    before = await dump()
    path = await export(small, tmp_path / "all.jsonl.gz")
    assert '"HAS_PART"' in gzip.decompress(path.read_bytes()).decode()
    await empty()
    await loader(small).load(ExportFile(path))
    assert before == await dump()
    assert [] == await small.doctor.examine()


async def test_without_vectors_all_is_embedded_anew(small: Service, tmp_path: Path, dump, empty: Empty, raw) -> None:
    """All is embedded anew after loading an export without vectors, or one with those of another model, none of which
    are stored.
    """
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
    """Loading into a graph that is not empty is refused, and changes nothing. A graph that a service has opened, but
    nobody has used, counts as empty.
    """
    path, before = await export(small, tmp_path / "all.jsonl"), await dump()
    with pytest.raises(Conflict, match="not empty"):
        await loader(small).load(ExportFile(path))
    assert before == await dump()
    await wipe(small.database, small.local_user.id)
    await small.upkeep.declare()
    await loader(small).load(ExportFile(path))
    assert before == await dump()


async def test_a_broken_file_stores_nothing(small: Service, tmp_path: Path, dump, empty: Empty) -> None:
    """A file with a broken line near its end is refused with the number of the line, and nothing is stored."""
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
    """Until an interrupted load is complete, no service opens the graph, and no other export is loaded. Loading the
    same file again completes it.
    """
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
    """A load is not resumed if the graph was migrated in between, since the rest of the export has the older schema.
    While a load is incomplete, no work is claimed from the queue.
    """
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
    """A node that is created after the export began is left out. It may hold a unique value that an exported node held
    before.
    """
    await raw("CREATE (:Memory:Semantic {id: 'zz', content: 'late', created_at: $at})", at=NO_END)
    path = await export(small, tmp_path / "all.jsonl")
    assert '"Memory/zz"' not in path.read_text("utf-8")


async def test_what_a_clock_that_is_ahead_dated_is_in_it(small: Service, tmp_path: Path, clock: MovingClock) -> None:
    """A fact dated after the start of the export by a clock that was ahead is exported. The clock may be another
    machine's, or this one's before it was corrected.
    """
    clock.advance(timedelta(hours=1))
    await small.facts.remember(small.viewer(), [Fact("I keep bees")])
    clock.advance(timedelta(hours=-1))
    path = await export(small, tmp_path / "all.jsonl")
    assert "I keep bees" in path.read_text("utf-8")


def older(path: Path, schema: str) -> ExportFile:
    """Writes an export of a schema, with one memory that has a hue, and returns it."""
    told = Moment("2026-01-01T00:00:00Z")
    times = {"created_at": told, "event_time": told, "valid_from": told, "valid_until": told}
    node = Node(("Memory", "Semantic"), {"id": "m1", "content": "So it is", "hue": "red", **times})
    manifest = Manifest("old", schema, "0.9", "2026-01-01T00:00:00+00:00", None)
    path.write_text(manifest_line(manifest) + node_line(node) + end_line(Counts({"Memory": 1})))
    return ExportFile(path)


async def test_an_export_of_an_older_version_is_migrated(
    service: Service, tmp_path: Path, empty: Empty, raw, request
) -> None:
    """Loading an older export creates the schema of then, stores the export, and applies the later migrations. A graph
    with a newer schema is refused.
    """
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
    """An export of the schema that the first migration replaces is loaded into a graph of the current schema, which is
    the same. An older export is refused.
    """
    await empty()
    with pytest.raises(SchemaMismatch, match="begins with"):
        await loader(service).load(older(tmp_path / "older.jsonl", f"{int(FIRST) - 2:03d}"))
    await loader(service).load(older(tmp_path / "old.jsonl", f"{int(FIRST) - 1:03d}"))
    assert [{"id": "m1"}] == await raw("MATCH (m:Memory) RETURN m.id AS id")


async def related(service: Service, person: Person) -> list[tuple[str, str, str, list[str]]]:
    """Returns the relations in the export of a person: both ends, the predicate, and the ids of the evidence."""
    out = io.StringIO()
    await GraphExport(service.database, service.clock, "1.0").write(out, seen_by(person, service.clock))
    lines = [json.loads(line) for line in out.getvalue().splitlines()]
    ids = {line["key"]: line["properties"]["id"] for line in lines if "key" in line}
    return [
        (ids[line["from"]], line["properties"]["predicate"], ids[line["to"]], line["properties"]["evidence"])
        for line in lines
        if line.get("type") == "RELATED_TO"
    ]


async def test_a_relation_is_exported_with_evidence_that_its_reader_may_see(scene: Any, drain: Any) -> None:
    """A person's export has no relation that another member of their group stated in private. Once it is stated in the
    group too, the relation is exported with that statement as its only evidence. The export of the other has both.
    """
    service, maya = scene.service, Viewer(scene.maya.id)
    words = Fact("Ben Okafor is my brother")
    await scene.say("Hello, Ben!")  # whom Maya means by the name in private too
    await drain()
    [private] = await service.facts.remember(maya.at(scene.private.id), [words])
    ends = (scene.ben.id, "brother_of", scene.maya.id)
    assert [(*ends, [private.memory_id])] == await related(service, scene.maya)
    assert [] == await related(service, scene.ben)
    [said] = await service.facts.remember(maya.at(scene.group.id), [words], for_chat=True)
    assert [(*ends, [said.memory_id])] == await related(service, scene.ben)
    [(*_, evidence)] = await related(service, scene.maya)
    assert {private.memory_id, said.memory_id} == set(evidence)


class Weighing:
    """A database that notes the maximum number of rows in a call, by statement, and of rows read but not written."""

    def __init__(self, database: Database, out: io.StringIO) -> None:
        self._database = database
        self._out = out
        self.most_rows: dict[str, int] = {}
        self.most_unwritten = 0
        self._read = 0

    async def run(self, statement: str, /, **params: Any) -> list[Row]:
        """Runs a statement in the database, and notes its rows."""
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
        """Runs a statement, and returns its first row; None without one."""
        return next(iter(await self.run(statement, **params)), None)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._database, name)


async def test_memory_does_not_grow_with_the_graph(service: Service, tmp_path: Path, dump, empty: Empty, raw) -> None:
    """Export and loading hold one batch at a time, however many memories there are. An export writes each batch before
    it reads the next.
    """
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
