import asyncio
import json
import os
import shutil
import subprocess
from collections.abc import AsyncIterator
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest

from hippograph import cypher
from hippograph.api.connections import open_database
from hippograph.api.service import Service
from hippograph.api.settings.sources import as_environment
from hippograph.api.workers import COMMAND
from hippograph.cypher import Migration, migrations
from hippograph.graph.database import Database
from hippograph.graph.errors import SchemaMismatch
from hippograph.graph.schema import (
    VectorSlot,
    answering_slot,
    check_indexes,
    declare_indexes,
    migrate,
    pending_migrations,
)

UNIQUE = {
    "Block": ["id", "key"],
    "Credential": ["id"],
    "Chat": ["id"],
    "EmbeddingSlot": ["slot"],
    "Entity": ["id", "key"],
    "EntityProfile": ["id"],
    "GraphAnalysis": ["id"],
    "Erasure": ["id"],
    "Forgetting": ["id"],
    "Purged": ["id"],
    "Lock": ["name"],
    "MaintenanceRun": ["id"],
    "MERGED_INTO": ["id"],
    "Memory": ["id", "idempotency_key", "live_key"],
    "Merged": ["id", "key"],
    "PARTICIPATES_IN": ["id"],
    "INVITED_TO": ["id"],
    "ModelUse": ["name"],
    "Person": ["id", "user_id"],
    "Persona": ["id", "name"],
    "RollingSummary": ["id"],
    "ScheduledJob": ["id"],
    "Session": ["id", "open_key", "word_key"],
    "SessionSummary": ["id"],
    "Space": ["id", "name_key"],
    "SummarySpine": ["id"],
    "SummaryRequest": ["id"],
    "Todo": ["id", "key"],
    "Use": ["id"],
    "UserState": ["id", "open_key"],
    "Version": ["id"],
    "__Neo4jMigration": ["version"],
    "__Neo4jMigrationsLock": ["id"],
}
RANGES = {
    "memory_session_time": "Memory(session_id, event_time, turn)",
    "maintenance_run_started": "MaintenanceRun(started_at, id)",
    "archived_scope_time": "Archived(scope, archived_at, id)",
    "memory_scope_time": "Memory(scope, event_time, id)",
    "memory_scope_pinned": "Memory(scope, pinned)",
    "memory_learned_in_time": "Memory(learned_in, event_time, id)",
    "pending_job": "Pending(job, due_at)",
    "use_person": "Use(person_id, at, id)",
    "use_at": "Use(at)",
    "use_credential": "Use(credential)",
    "space_scope": "Space(scope)",
    "chat_space": "Chat(space_id)",
    "chat_moving": "Chat(moving_from)",
    "memory_space": "Memory(space_id, event_time, id)",
    "forgetting_owner": "Forgetting(person_id, requested_at, id)",
    "undecided_erasure": "UndecidedErasure(requested_at, id)",
    "pending_scope": "Pending(scope)",
    "pending_session": "Pending(session_id)",
    "failed_job": "Failed(job, failed_at)",
    "session_chat_started": "Session(chat_id, persona_id, started_at)",
    "session_open_activity": "Session(ended_at, last_activity_at)",
    "session_unconsolidated": "Session(unconsolidated)",
    "session_owes": "Session(owes)",
    "entity_name": "Entity(canonical_name)",
    "person_called": "Person(called)",
    "about_person_time": "ABOUT(person_id, event_time, memory_id)",
    "memory_claim_end": "Memory(claim_key, valid_until)",
    "memory_created": "Memory(created_at, id)",
    "summary_line": "Summary(line, created_at)",
    "session_summary_scope": "SessionSummary(scope, persona_id, until, id)",
    "todo_owner": "Todo(person_id, persona_id, created_at, id)",
    "block_owner": "Block(person_id, persona_id, name)",
    "user_state_line_time": "UserState(line, valid_from, id)",
    "user_state_valid_until": "UserState(person_id, valid_until)",
    "user_state_ended_at": "UserState(person_id, ended_at)",
}
FULLTEXT = {
    "memory_fulltext": "Memory(content, heading, tags, scopes, facets, event_day)",
    "archived_fulltext": "Archived(content, heading, tags, scopes, facets, event_day)",
    "entity_fulltext": "Entity(canonical_name, aliases, names)",
    "sound_fulltext": "Entity(sounds)",
}
VECTORS = {
    "memory_vector_a": "Memory(embedding_a)",
    "about_vector_a": "ABOUT(embedding_a)",
    "part_vector_a": "HAS_PART(embedding_a)",
}
ALL = [migration.source for migration in migrations()]
FIRST, LAST = migrations()[0].version, migrations()[-1].version


async def clear(raw) -> None:
    """Drops all constraints and indexes, and the record of applied migrations."""
    for row in await raw("SHOW CONSTRAINTS YIELD name RETURN name"):
        await raw(f"DROP CONSTRAINT {row['name']} IF EXISTS")
    for row in await raw("SHOW INDEXES YIELD name, type WHERE type <> 'LOOKUP' RETURN name"):
        await raw(f"DROP INDEX {row['name']} IF EXISTS")
    await raw("MATCH (n) WHERE n:__Neo4jMigration OR n:__Neo4jMigrationsLock DETACH DELETE n")


async def declare(service: Service) -> None:
    """Creates the schema as a start of the service does."""
    await migrate(service.database, service.clock)
    assert service.embedder is not None
    slot = await answering_slot(service.database, service.clock, service.embedder.model, service.embedder.dimensions)
    await declare_indexes(service.database, slot, service.settings.fulltext_analyzer)


@pytest.fixture
async def unmigrated(service: Service, raw) -> AsyncIterator[Service]:
    """The service with a graph without any schema; the schema is created again after the test."""
    await clear(raw)
    try:
        yield service
    finally:
        await clear(raw)
        await declare(service)


async def indexes(raw, kind: str) -> dict[str, str]:
    """Returns the indexes of a type that belong to no constraint, by name, as `Label(property, …)`."""
    rows = await raw(
        "SHOW INDEXES YIELD name, type, labelsOrTypes, properties, owningConstraint "
        "WHERE type = $kind AND owningConstraint IS NULL RETURN name, labelsOrTypes AS of, properties",
        kind=kind,
    )
    return {row["name"]: f"{row['of'][0]}({', '.join(row['properties'])})" for row in rows}


async def test_migrations_yield_the_declared_schema(unmigrated: Service, raw) -> None:
    """On an empty graph, migrations and declared indexes create exactly the constraints and indexes listed here."""
    await declare(unmigrated)
    rows = await raw(
        "SHOW CONSTRAINTS YIELD labelsOrTypes, properties, type RETURN labelsOrTypes AS of, properties, type"
    )
    unique: dict[str, list[str]] = {}
    for row in rows:
        unique.setdefault(row["of"][0], []).append(",".join(row["properties"]))
    assert {name: sorted(properties) for name, properties in unique.items()} == UNIQUE
    assert all(row["type"].endswith("UNIQUENESS") for row in rows)
    assert await indexes(raw, "RANGE") == RANGES
    assert await indexes(raw, "FULLTEXT") == FULLTEXT
    found = await indexes(raw, "VECTOR")
    assert {name: found[name].split(",")[0].rstrip(")") + ")" for name in found} == VECTORS
    rows = await raw("SHOW INDEXES YIELD name, state WHERE state <> 'ONLINE' RETURN name")
    assert [] == rows
    assert [] == await unmigrated.doctor.examine()


async def test_migrating_again_does_nothing(unmigrated: Service) -> None:
    """Migrations that were applied are not applied again."""
    first = await migrate(unmigrated.database, unmigrated.clock)
    assert (ALL, ()) == ([m.source for m in first], await migrate(unmigrated.database, unmigrated.clock))


NEXT = """// What is found by its colour.
MATCH (m:Memory) WHERE m.hue IS NOT NULL
CALL (m) { SET m.colour = m.hue REMOVE m.hue } IN TRANSACTIONS OF 1000 ROWS;
CREATE INDEX memory_colour IF NOT EXISTS FOR (m:Memory) ON (m.colour);
"""


@pytest.fixture
def next_migration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Migration:
    """A made-up migration after the last one, which renames a property and creates an index."""
    folder, number = tmp_path / "cypher" / "migrations", int(migrations()[-1].version) + 1
    shutil.copytree(Path(cypher.__file__).parent / "migrations", folder)
    (folder / f"V{number:03d}__the_next.cypher").write_text(NEXT, "utf-8")
    for module in ("graph.schema", "graph.transfer.exports.graph_import"):
        monkeypatch.setattr(f"hippograph.{module}.migrations", partial(migrations, folder.parent))
    return migrations(folder.parent)[-1]


async def test_what_a_graph_holds_is_brought_up_to_date(unmigrated: Service, raw, request) -> None:
    """A new migration changes existing data and is recorded after the last one; migrating again applies nothing."""
    await migrate(unmigrated.database, unmigrated.clock)
    await raw("CREATE (:Memory {id: 'm', hue: 'red'})")
    following: Migration = request.getfixturevalue("next_migration")
    assert (following,) == await pending_migrations(unmigrated.database)
    assert (following,) == await migrate(unmigrated.database, unmigrated.clock)
    assert [{"m": {"id": "m", "colour": "red"}}] == await raw("MATCH (m:Memory {id: 'm'}) RETURN m {.*} AS m")
    assert {**RANGES, "memory_colour": "Memory(colour)"} == await indexes(raw, "RANGE")
    assert () == await migrate(unmigrated.database, unmigrated.clock)
    rows = await raw("MATCH (:__Neo4jMigration {version: $last})-[:MIGRATED_TO]->(m) RETURN m.source AS s", last=LAST)
    assert [{"s": following.source}] == rows
    await raw("MATCH (m:Memory {id: 'm'}) DELETE m")


async def test_a_graph_of_the_schema_that_the_first_migration_replaces_goes_on(unmigrated: Service, raw) -> None:
    """A graph with the last version that the first migration replaces is migrated, and the first migration is recorded
    after that version; a graph of an older version is refused.
    """
    await migrate(unmigrated.database, unmigrated.clock)
    replaced = f"{int(FIRST) - 1:03d}"
    record = "MATCH (m:__Neo4jMigration {version: $first}) SET m.version = $version, m.checksum = 'of its own'"
    await raw(record, first=FIRST, version=replaced)
    assert ALL == [m.source for m in await migrate(unmigrated.database, unmigrated.clock)]
    rows = await raw("MATCH (:__Neo4jMigration {version: $at})-[:MIGRATED_TO]->(m) RETURN m.source AS s", at=replaced)
    assert [{"s": ALL[0]}] == rows
    await raw("MATCH (m:__Neo4jMigration {version: $first}) DETACH DELETE m", first=FIRST)
    await raw("MATCH (m:__Neo4jMigration {version: $at}) SET m.version = '033'", at=replaced)
    with pytest.raises(SchemaMismatch, match=f"the schema 033, and this hippograph begins with {replaced}: open"):
        await migrate(unmigrated.database, unmigrated.clock)


async def test_what_was_applied_is_recorded_as_a_chain(unmigrated: Service, raw) -> None:
    """Applied migrations are recorded in order with version, file, checksum and type, in the format of
    neo4j-migrations, and the lock is deleted.
    """
    await migrate(unmigrated.database, unmigrated.clock)
    rows = await raw(
        "MATCH path = (:__Neo4jMigration {version: 'BASELINE'})-[:MIGRATED_TO*]->(last) "
        "WHERE NOT EXISTS { (last)-[:MIGRATED_TO]->() } "
        "RETURN [m IN tail(nodes(path)) | [m.version, m.source, m.checksum, m.type]] AS chain"
    )
    expected = [[m.version, m.source, m.checksum, "CYPHER"] for m in migrations()]
    assert [{"chain": expected}] == rows
    assert [] == await raw("MATCH (l:__Neo4jMigrationsLock) RETURN l")


async def test_two_servers_at_once_migrate_once(unmigrated: Service, raw) -> None:
    """If three servers migrate at the same time, each migration is applied by one of them, and none stays pending."""
    async with (
        open_database(unmigrated.settings, unmigrated.connection) as one,
        open_database(unmigrated.settings, unmigrated.connection) as two,
        open_database(unmigrated.settings, unmigrated.connection) as three,
    ):
        applied = await asyncio.gather(*(migrate(database, unmigrated.clock) for database in (one, two, three)))
    assert sorted(ALL) == sorted(m.source for found in applied for m in found)
    rows = await raw("MATCH (m:__Neo4jMigration) WHERE m.version <> 'BASELINE' RETURN m.source AS source")
    assert sorted(ALL) == sorted(row["source"] for row in rows)
    assert () == await pending_migrations(unmigrated.database)


async def test_a_lock_left_behind_runs_out(unmigrated: Service, raw, clock) -> None:
    """The lock of a server that died while migrating blocks others only until it expires."""
    until = clock() + timedelta(minutes=5)
    await raw("CREATE (:__Neo4jMigrationsLock {id: 'hippograph', name: 'dead', until: $until})", until=until)
    waiting = asyncio.create_task(migrate(unmigrated.database, unmigrated.clock))
    await asyncio.sleep(1.2)
    assert not waiting.done()
    clock.advance(timedelta(minutes=6))
    assert ALL == [m.source for m in await waiting]


async def test_a_lock_has_an_end_from_its_first_moment(unmigrated: Service, raw, clock) -> None:
    """The lock has an expiry from the statement that takes it, so a server that dies right after blocks nobody for
    longer.
    """
    await unmigrated.database.schema("migration/declare_lock")
    until = clock() + timedelta(minutes=5)
    taken = await unmigrated.database.one("migration/lock", holder="one", now=clock(), until=until)
    assert {"holder": "one"} == taken
    assert [{"until": until}] == await raw("MATCH (l:__Neo4jMigrationsLock) RETURN l.until AS until")
    other = {"holder": "two", "until": clock() + timedelta(minutes=20)}
    assert {"holder": "one"} == await unmigrated.database.one("migration/lock", now=clock(), **other)
    assert {"holder": "two"} == await unmigrated.database.one(
        "migration/lock", now=until + timedelta(seconds=1), **other
    )
    await unmigrated.database.run("migration/unlock", holder="two")


async def test_a_dry_run_changes_nothing(unmigrated: Service, raw) -> None:
    """`migrate --dry-run` prints the pending migrations and applies none."""
    where = unmigrated.connection
    settings = unmigrated.settings.model_copy(update={"neo4j_uri": where.uri, "neo4j_user": where.user})
    environment = {**os.environ, **as_environment(settings), "HIPPOGRAPH_NEO4J_PASSWORD": where.password}
    for dry, expected in ((True, {"applied": [], "pending": ALL}), (False, {"applied": ALL, "pending": []})):
        command = [*COMMAND, "migrate", "--json", *(["--dry-run"] if dry else [])]
        done = await asyncio.to_thread(subprocess.run, command, env=environment, capture_output=True, text=True)
        assert (0, expected) == (done.returncode, json.loads(done.stdout)), done.stderr
        [row] = await raw("SHOW CONSTRAINTS YIELD name RETURN count(*) AS constraints")
        assert dry == (row["constraints"] == 0)


async def test_a_changed_migration_is_refused(unmigrated: Service, raw) -> None:
    """If an applied migration has another checksum than its file, migrating raises an error that names the file and
    both checksums, and the doctor reports it.
    """
    await migrate(unmigrated.database, unmigrated.clock)
    await raw("MATCH (m:__Neo4jMigration {version: $first}) SET m.checksum = '42'", first=FIRST)
    with pytest.raises(SchemaMismatch, match=rf"{ALL[0]}.*42.*{migrations()[0].checksum}.*restore"):
        await migrate(unmigrated.database, unmigrated.clock)
    [finding] = await unmigrated.doctor.examine()
    assert ALL[0] in finding.what


async def test_a_newer_graph_is_refused(unmigrated: Service, raw) -> None:
    """Migrating a graph with a newer migration than this version knows is refused."""
    await migrate(unmigrated.database, unmigrated.clock)
    newer = f"{int(LAST) + 1:03d}"
    await raw("CREATE (:__Neo4jMigration {version: $version, checksum: '1', source: 'new'})", version=newer)
    with pytest.raises(SchemaMismatch, match=f"migration {newer}, newer than"):
        await migrate(unmigrated.database, unmigrated.clock)


async def test_a_missing_migration_is_found_by_doctor(unmigrated: Service) -> None:
    """The doctor reports the migrations that were not applied."""
    findings = await unmigrated.doctor.examine()
    assert (len(ALL), tuple(ALL)) == (findings[0].count, findings[0].examples)


async def test_indexes_with_other_settings_are_reported(database: Database, service: Service) -> None:
    """`check_indexes` reports the indexes created with another analyzer or dimension, and no others."""
    analyzer, slot = service.settings.fulltext_analyzer, service.enrichment._slot
    assert slot is not None
    assert [] == await check_indexes(database, slot, analyzer)
    other = await check_indexes(database, slot, "russian")
    assert sorted(FULLTEXT) == sorted(problem.split()[1] for problem in other)
    other = await check_indexes(database, VectorSlot(slot.name, slot.model, 128), analyzer)
    assert sorted(VECTORS) == sorted(problem.split()[1] for problem in other)
    assert all("384 dimensions, not 128" in problem for problem in other)


async def test_another_models_vectors_are_refused(database: Database, service: Service) -> None:
    """`answering_slot` refuses another embedding model or dimension than that of the graph's vectors."""
    slot = service.enrichment._slot
    assert slot is not None
    assert slot == await answering_slot(database, service.clock, slot.model, slot.dimensions)
    for model, dimensions in (("other", slot.dimensions), (slot.model, 128)):
        with pytest.raises(SchemaMismatch, match=f"HIPPOGRAPH_EMBEDDING_MODEL={slot.model}"):
            await answering_slot(database, service.clock, model, dimensions)


def test_statement_names_of_slots_come_in_pairs() -> None:
    """Every statement for one vector slot also exists for the other."""
    names = set(cypher.load())
    assert {n for n in names if n.endswith(".a")} == {n[:-1] + "a" for n in names if n.endswith(".b")}
