"""Loads an export of the graph (`graph_lines`) into an empty graph, which then equals the exported graph.

The whole file is checked before anything is stored, so a broken file changes nothing. Then the empty graph gets the
schema of the export, its nodes and its relationships, and last the current schema: the data of an older version is
migrated like a graph of that version. The transaction of each batch also stores how many lines are loaded, so an
interrupted load resumes where it stopped. Until it is complete no service opens the graph.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from hippograph.cypher import migrations
from hippograph.graph.clock import Clock
from hippograph.graph.database import Database, Row
from hippograph.graph.errors import Conflict, InvalidInput, SchemaMismatch
from hippograph.graph.model import Report
from hippograph.graph.schema import (
    VectorSlot,
    answering_slot,
    applied_version,
    declare_indexes,
    migrate,
    replaced_version,
)
from hippograph.graph.transfer.exports.graph_keys import Keys
from hippograph.graph.transfer.exports.graph_lines import (
    EMBEDDED,
    HAS_PART,
    Counts,
    ExportFile,
    Manifest,
    Node,
    Relationship,
    unique_values,
)
from hippograph.graph.transfer.exports.property_values import Moment, Properties

AT_ONCE: Final = 500
_TOLD: Final = 1000


@dataclass(frozen=True, slots=True)
class Loaded:
    """What was loaded. `vectors` says whether embeddings were; if not, workers compute them when they start."""

    counts: Counts
    vectors: bool


async def refuse_unfinished(database: Database) -> None:
    """Raises `SchemaMismatch` if an export has not been loaded completely into this graph."""
    if await database.one("export/unfinished"):
        raise SchemaMismatch(
            "an export was not loaded to its end into this graph: run `hippograph import FILE` with the same file again"
        )


def check(file: ExportFile, report: Report | None = None) -> Counts:
    """Reads a whole export and returns its counts.

    Raises `InvalidInput` for the export of one person, which cannot be loaded, and if lines are missing; with the line
    number, for a line that an export cannot have, a duplicate node or unique value, and a relationship to a missing
    node. Raises `SchemaMismatch` if the schema is newer than this hippograph, or too old to be migrated.
    """
    _check_manifest(file)
    counts, end = Counts(), None
    with Keys() as keys:
        for number, line in file.lines():
            if end is not None:
                raise InvalidInput(f"line {number} of {file.path.name} is broken: it stands behind the end")
            if isinstance(line, Counts):
                end = line
                continue
            if wrong := _problem(line, keys, counts):
                raise InvalidInput(f"line {number} of {file.path.name} is broken: {wrong}")
            counts.add(line)
            if report and number % _TOLD == 0:
                report(number, 0, "checking")
    if end != counts:
        raise InvalidInput(f"{file.path.name} is not whole: {'lines are missing' if end else 'it has no end'}")
    return counts


def _check_manifest(file: ExportFile) -> None:
    manifest, newest, oldest = file.manifest, int(migrations()[-1].version), replaced_version()
    if manifest.of is not None:
        raise InvalidInput(
            f"{file.path.name} is what {manifest.of} may see, for reading and taking along: only an export of "
            "everything, made without --as, can be loaded"
        )
    if int(manifest.schema) > newest:
        raise SchemaMismatch(
            f"{file.path.name} has the schema {manifest.schema} (hippograph {manifest.hippograph}), newer than this "
            f"hippograph knows ({newest:03d}): use a newer hippograph"
        )
    if int(manifest.schema) < oldest:
        raise SchemaMismatch(
            f"{file.path.name} has the schema {manifest.schema}, and this hippograph begins with {oldest:03d}: load it "
            f"with the last hippograph that has the migration {oldest:03d}, and export it from there"
        )


def _problem(line: Node | Relationship, keys: Keys, counts: Counts) -> str | None:
    if isinstance(line, Relationship):
        missing = [key for key in (line.source, line.target) if key not in keys]
        if missing:
            return f"there is no node {missing[0]}"
    elif counts.relationships:
        return "a node stands behind a relationship"
    elif not keys.add(line.key):
        return f"the node {line.key} is there twice"
    return next((f"{value} is there twice" for value in unique_values(line) if not keys.add(value)), None)


class GraphImport:
    """Loads exports."""

    def __init__(self, database: Database, clock: Clock, *, model: str | None, analyzer: str, user_id: str) -> None:
        """`model` is the embedding model of the settings, None for none. `user_id` is the account of the local user,
        whose person even an empty graph may hold.
        """
        self._database = database
        self._clock = clock
        self._model = model
        self._analyzer = analyzer
        self._user_id = user_id

    async def load(self, file: ExportFile, report: Report | None = None) -> Loaded:
        """Loads an export, or the rest of it if a load was interrupted.

        Raises `InvalidInput` and `SchemaMismatch` as `check` does, before anything is stored. Raises `Conflict` if the
        graph is not empty, has a newer schema than the export, holds a part of another export, or was migrated after a
        part of this one was loaded, and if another process loads at the same time.
        """
        counts, manifest = check(file, report), file.manifest
        done = await self._begin(manifest, counts.lines)
        slot = await self._slot(manifest)
        for first, last, batch in _batches(file, done):
            await self._store(manifest, slot, batch, first, last)
            if report:
                report(last, counts.lines, "nodes" if isinstance(batch[0], Node) else "relationships")
        await migrate(self._database, self._clock)
        await declare_indexes(self._database, slot, self._analyzer)
        await self._database.run("export/load_end", export=manifest.id)
        return Loaded(counts, vectors=slot is not None)

    async def _begin(self, manifest: Manifest, lines: int) -> int:
        """Gives the empty graph the schema of the export. Returns how many lines of the export are already loaded."""
        state = await self._state()
        if state["export"] not in (None, manifest.id):
            raise Conflict("this graph holds a part of another export: load that one to its end, or begin a new graph")
        version = await applied_version(self._database)
        # The first migration also creates the schema of the last version that it replaces.
        schema = max(manifest.schema, migrations()[0].version, key=int)
        if state["export"]:
            if state["lines"] < lines and int(version) != int(schema):
                raise Conflict(
                    f"this graph holds a part of this export, of the schema {manifest.schema}, and was migrated to "
                    f"{version} meanwhile: load the export into a new graph"
                )
            return int(state["lines"])
        if state["label"]:
            raise Conflict(
                f"this graph is not empty, it has a {state['label']}: an export is loaded into an empty graph. Name "
                "another by HIPPOGRAPH_DATA_DIR, or by HIPPOGRAPH_NEO4J_URI"
            )
        if int(version) > int(schema):
            raise Conflict(
                f"this graph has the schema {version} already, and the export has {manifest.schema}: load it into one "
                "that no hippograph has opened yet. Name it by HIPPOGRAPH_DATA_DIR, or by HIPPOGRAPH_NEO4J_URI"
            )
        await migrate(self._database, self._clock, last=schema)
        begun = await self._database.run("export/load_begin", export=manifest.id, user=self._user_id, now=self._clock())
        if not begun:
            raise Conflict("another process loads an export into this graph")
        return 0

    async def _state(self) -> Row:
        [row] = await self._database.run("export/load_state", user=self._user_id)
        return row

    async def _slot(self, manifest: Manifest) -> VectorSlot | None:
        """The slot for the vectors of the export; None without any, or if their model or dimensions are not in use."""
        held, there = manifest.vectors, await self._database.one("export/answering_slot")
        model = there["model"] if there else self._model
        if not held or held["model"] != model or (there and there["dimensions"] != held["dimensions"]):
            return None
        return await answering_slot(self._database, self._clock, held["model"], held["dimensions"])

    async def _store(
        self, manifest: Manifest, slot: VectorSlot | None, batch: list[Node | Relationship], before: int, after: int
    ) -> None:
        what = "nodes" if isinstance(batch[0], Node) else "relationships"
        row = await self._database.one(
            f"export/load_{what}",
            export=manifest.id,
            rows=[_row(line, slot) for line in batch],
            before=before,
            after=after,
            now=self._clock(),
        )
        if row is None or row["stored"] != len(batch):
            raise Conflict("another process loads an export into this graph")


def _batches(file: ExportFile, done: int) -> Iterator[tuple[int, int, list[Any]]]:
    """Yields the lines after the first `done` in batches of one type, with the line counts before and after each."""
    batch: list[Any] = []
    for place, (_, line) in enumerate(file.lines()):
        if batch and (len(batch) == AT_ONCE or type(line) is not type(batch[0])):
            yield place - len(batch), place, batch
            batch = []
        if place >= done and not isinstance(line, Counts):
            batch.append(line)


def _row(line: Node | Relationship, slot: VectorSlot | None) -> dict[str, object]:
    # Older exports also have vectors of entities, which are not used.
    has_vector = "Memory" in line.labels if isinstance(line, Node) else line.type == HAS_PART
    properties = _stored(line.properties, slot if has_vector else None)
    times = {name: _texts(value) for name, value in properties.items() if isinstance(value, Moment)}
    values = {name: value for name, value in properties.items() if name not in times}
    if isinstance(line, Node):
        return {"labels": list(line.labels), "times": times, "values": values}
    (source_kind, _, source), (target_kind, _, target) = line.source.partition("/"), line.target.partition("/")
    ends = {"source_kind": source_kind, "source": source, "target_kind": target_kind, "target": target}
    return {"type": line.type, **ends, "times": times, "values": values}


def _texts(moment: Moment) -> str | list[str]:
    return moment.text if isinstance(moment.text, str) else list(moment.text)


def _stored(properties: Properties, slot: VectorSlot | None) -> Properties:
    """The properties, with those of vectors renamed for their slot, or left out without a slot."""
    names = {name: f"{name}_{slot.name}" if slot else None for name in EMBEDDED}
    return {stored: value for name, value in properties.items() if (stored := names.get(name, name))}
