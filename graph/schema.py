"""The schema of the graph: versioned migrations, and the indexes that depend on settings.

Migrations are recorded in the graph in the format of neo4j-migrations, so that its tools can read them: a chain of
`__Neo4jMigration` nodes with a CRC-32 checksum each. An applied file never changes. The vector and full-text
indexes depend on the embedding model's dimension and on the analyzer, so they are declared here and compared at
each start; `cypher/schema/README.md` says why each of their properties is there.
"""

import asyncio
import time
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from hippograph.cypher import Migration, migrations
from hippograph.graph.background import in_background
from hippograph.graph.clock import Clock
from hippograph.graph.database import Database
from hippograph.graph.errors import DatabaseFailed, DatabaseTimedOut, DatabaseUnavailable, SchemaMismatch
from hippograph.graph.ids import new_id

_FULLTEXT: Final = ("memory", "archived", "entity", "sound")
_VECTOR: Final = ("memory", "about", "part")
_LOCK_FOR: Final = timedelta(minutes=5)
_WAIT_S: Final = 3600.0
"""Maximum wait for indexes, or for the lock, in seconds: the indexes of a large graph take a while."""
_LOOK_S: Final = 0.2


@dataclass(frozen=True, slots=True)
class VectorSlot:
    """A slot of the vector indexes, and the model whose vectors fill it."""

    name: str
    model: str
    dimensions: int


async def pending_migrations(database: Database) -> tuple[Migration, ...]:
    """The migrations that this graph has not seen.

    Raises `SchemaMismatch` if an applied one has changed since, and if the graph is newer than the last one or older
    than what the first one replaces.
    """
    applied = {row["version"]: row["checksum"] for row in await database.run("migration/applied")}
    files = migrations()
    for file in files:
        if (checksum := applied.get(file.version, file.checksum)) != file.checksum:
            raise SchemaMismatch(
                f"{file.source} was applied to this graph with checksum {checksum} and is now {file.checksum}. "
                "An applied migration never changes: restore the file, and put the change into a new one."
            )
    last, replaced = max(map(int, applied), default=None), replaced_version()
    if last is not None and last < replaced:
        raise SchemaMismatch(
            f"this graph has the schema {last:03d}, and this hippograph begins with {replaced:03d}: open the graph "
            f"once with the last hippograph that has the migration {replaced:03d}, which brings it there."
        )
    if last is not None and last > int(files[-1].version):
        raise SchemaMismatch(
            f"this graph has migration {last:03d}, newer than this hippograph knows ({files[-1].version}): start a "
            "newer version of hippograph."
        )
    return tuple(file for file in files if file.version not in applied)


def replaced_version() -> int:
    """The last version that the first migration replaces. A graph of that version has all that it creates."""
    return int(migrations()[0].version) - 1


async def applied_version(database: Database) -> str:
    """The version of the last migration that this graph has seen; "0" if there is none."""
    applied = await database.run("migration/applied")
    return str(applied[-1]["version"]) if applied else "0"


async def migrate(database: Database, clock: Clock, *, last: str | None = None) -> tuple[Migration, ...]:
    """Applies missing migrations, up to the version `last` if given, under a lock; returns those that it applied."""
    if not _up_to(last, await pending_migrations(database)):
        return ()
    await database.schema("migration/declare_lock")
    await database.schema("migration/declare_versions")
    holder = new_id()
    await _take_lock(database, clock, holder)
    try:
        async with in_background(_keep_lock(database, clock, holder)):
            missing = _up_to(last, await pending_migrations(database))
            for migration in missing:
                await _apply(database, clock, migration)
            await await_indexes(database)
            return missing
    finally:
        await database.run("migration/unlock", holder=holder)


def _up_to(last: str | None, pending: tuple[Migration, ...]) -> tuple[Migration, ...]:
    return tuple(each for each in pending if last is None or int(each.version) <= int(last))


async def declare_indexes(database: Database, slot: VectorSlot | None, analyzer: str) -> None:
    """Creates missing indexes that depend on settings, and waits until they are online.

    Without a slot (no embedder) only the full-text indexes are created. An index that exists with other settings is
    not touched: `check_indexes` reports it.
    """
    fulltext = {"indexConfig": {"fulltext.analyzer": analyzer}}
    for name in _FULLTEXT:
        await database.schema(f"schema/create_{name}_fulltext", options=fulltext)
    if slot is not None:
        for name in _VECTOR:
            options = _vector_options(slot.dimensions)
            await database.schema(f"schema/create_{name}_vector.{slot.name}", options=options)
    await await_indexes(database)


async def rebuild_indexes(database: Database, slot: VectorSlot | None, analyzer: str) -> None:
    """Rebuilds the indexes that depend on settings, so that no segment holds deleted data any more. The full-text
    indexes come first, one by one. Searches fail while an index that they need is missing.
    """
    for name in _FULLTEXT:
        await database.schema(f"schema/drop_index.{name}_fulltext")
        await declare_indexes(database, None, analyzer)
    if slot is not None:
        await drop_vector_indexes(database, slot)
        await declare_indexes(database, slot, analyzer)


async def drop_vector_indexes(database: Database, slot: VectorSlot) -> None:
    """Drops the vector indexes of a slot; the vectors stay."""
    for name in _VECTOR:
        await database.schema(f"schema/drop_index.{name}_vector_{slot.name}")


async def await_indexes(database: Database, *, wait_s: float = _WAIT_S) -> None:
    """Waits until every index is online. It polls, so that no statement runs for long.

    Raises `DatabaseFailed` if an index has failed, `DatabaseTimedOut` if it takes longer than `wait_s` seconds.
    """
    deadline = time.monotonic() + wait_s
    while True:
        rows = await database.run("schema/indexes")
        if failed := [row["name"] for row in rows if row["state"] == "FAILED"]:
            raise DatabaseFailed(f"Neo4j could not fill the index {', '.join(failed)}; its debug.log says why")
        waiting = [f"{row['name']} ({row['percent']:.0f} %)" for row in rows if row["state"] != "ONLINE"]
        if not waiting:
            return
        if time.monotonic() > deadline:
            raise DatabaseTimedOut(f"Neo4j is still filling {', '.join(waiting)}; start again when it is done")
        await asyncio.sleep(_LOOK_S)


async def answering_slot(database: Database, clock: Clock, model: str, dimensions: int) -> VectorSlot:
    """The active slot, claimed for this model if the graph has none yet.

    Raises `SchemaMismatch` if the graph's vectors are of another model: vectors of two models cannot be compared.
    """
    [row] = await database.run("schema/claim_slot", model=model, dimensions=dimensions, now=clock())
    slot = VectorSlot(row["slot"], row["model"], row["dimensions"])
    if (slot.model, slot.dimensions) != (model, dimensions):
        raise SchemaMismatch(
            f"the vectors in this graph are of {slot.model} ({slot.dimensions} dimensions), but the settings name "
            f"{model} ({dimensions}). Set HIPPOGRAPH_EMBEDDING_MODEL={slot.model}, or move the graph with "
            "`hippograph reembed`."
        )
    return slot


async def check_indexes(database: Database, slot: VectorSlot | None, analyzer: str) -> list[str]:
    """The problems of the indexes: missing, not online, or created with settings other than the present ones."""
    rows = await database.run("schema/indexes")
    wanted = {f"{name}_fulltext" for name in _FULLTEXT} | (
        {f"{name}_vector_{slot.name}" for name in _VECTOR} if slot else set()
    )
    found = [f"index {name} is missing" for name in sorted(wanted - {row["name"] for row in rows})]
    for row in rows:
        config = (row["options"] or {}).get("indexConfig", {})
        dimensions = config.get("vector.dimensions")
        if row["state"] != "ONLINE":
            found.append(f"index {row['name']} is {row['state']} ({row['percent']} %)")
        if row["type"] == "FULLTEXT" and config.get("fulltext.analyzer") != analyzer:
            found.append(
                f"index {row['name']} was made with the analyzer {config.get('fulltext.analyzer')}, not {analyzer}"
            )
        if slot and row["name"].endswith(f"_vector_{slot.name}") and dimensions != slot.dimensions:
            found.append(f"index {row['name']} has {dimensions} dimensions, not {slot.dimensions}")
    return found


async def _take_lock(database: Database, clock: Clock, holder: str) -> None:
    deadline = time.monotonic() + _WAIT_S
    while True:
        row = await database.one("migration/lock", holder=holder, now=clock(), until=clock() + _LOCK_FOR)
        if row and row["holder"] == holder:
            return
        if time.monotonic() > deadline:
            raise SchemaMismatch("another server has been migrating this graph for an hour; look at its log")
        await asyncio.sleep(0.5)


async def _keep_lock(database: Database, clock: Clock, holder: str) -> None:
    """Renews the lock until it is cancelled, however long the migrations take."""
    while True:
        await asyncio.sleep(_LOCK_FOR.total_seconds() / 3)
        with suppress(DatabaseUnavailable):  # the next renewal is early enough
            await database.run("migration/lock", holder=holder, now=clock(), until=clock() + _LOCK_FOR)


async def _apply(database: Database, clock: Clock, migration: Migration) -> None:
    """Runs a migration and records it."""
    before = await applied_version(database)
    started = time.monotonic()
    for statement in migration.statements:
        await database.apply(statement)
    await database.run(
        "migration/record",
        version=migration.version,
        description=migration.description,
        source=migration.source,
        checksum=migration.checksum,
        before="BASELINE" if before == "0" else before,
        at=clock(),
        took_ms=int((time.monotonic() - started) * 1000),
        by="hippograph",
    )


def _vector_options(dimensions: int) -> dict[str, object]:
    # Set explicitly: from 2026.08 the default of the server is binary quantisation.
    return {
        "indexConfig": {
            "vector.dimensions": dimensions,
            "vector.similarity_function": "cosine",
            "vector.quantization.enabled": True,
        }
    }
