import asyncio
import json
import os
import subprocess
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import pytest

from hippograph import cypher
from hippograph.api.connections import open_database
from hippograph.api.service import Service
from hippograph.api.settings import as_environment
from hippograph.api.workers import COMMAND
from hippograph.cypher import migrations
from hippograph.graph.access.labels import LABEL_TERMS
from hippograph.graph.database import Database
from hippograph.graph.errors import SchemaMismatch
from hippograph.graph.jobs.queue import Backlog
from hippograph.graph.model import NO_END
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


async def clear(raw) -> None:
    """Takes the whole schema away, and what it remembers of itself."""
    for row in await raw("SHOW CONSTRAINTS YIELD name RETURN name"):
        await raw(f"DROP CONSTRAINT {row['name']} IF EXISTS")
    for row in await raw("SHOW INDEXES YIELD name, type WHERE type <> 'LOOKUP' RETURN name"):
        await raw(f"DROP INDEX {row['name']} IF EXISTS")
    await raw("MATCH (n) WHERE n:__Neo4jMigration OR n:__Neo4jMigrationsLock DETACH DELETE n")


async def declare(service: Service) -> None:
    """What a start does about the schema."""
    await migrate(service.database, service.clock)
    assert service.embedder is not None
    slot = await answering_slot(service.database, service.clock, service.embedder.model, service.embedder.dimensions)
    await declare_indexes(service.database, slot, service.settings.fulltext_analyzer)


@pytest.fixture
async def unmigrated(service: Service, raw) -> AsyncIterator[Service]:
    """The service over a graph without any schema; afterwards it has its schema again."""
    await clear(raw)
    try:
        yield service
    finally:
        await clear(raw)
        await declare(service)


async def indexes(raw, kind: str) -> dict[str, str]:
    """Indexes of a kind by name: `Label(property, …)`."""
    rows = await raw(
        "SHOW INDEXES YIELD name, type, labelsOrTypes, properties, owningConstraint "
        "WHERE type = $kind AND owningConstraint IS NULL RETURN name, labelsOrTypes AS of, properties",
        kind=kind,
    )
    return {row["name"]: f"{row['of'][0]}({', '.join(row['properties'])})" for row in rows}


async def test_migrations_yield_the_declared_schema(unmigrated: Service, raw) -> None:
    """From nothing, migrations and the declared indexes make exactly the constraints and indexes written here."""
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
    """What was applied once is not applied again."""
    first = await migrate(unmigrated.database, unmigrated.clock)
    assert (ALL, ()) == ([m.source for m in first], await migrate(unmigrated.database, unmigrated.clock))


async def test_what_older_graphs_hold_is_brought_up_to_date(unmigrated: Service, raw) -> None:
    """A mention knows its one name in the list and votes for the type of its entity; the slow path reads entities anew,
    failed ones when asked to.
    """
    await raw(
        "CREATE (:Memory:Episodic {id: 'm'})-[:MENTIONS {name: 'n:ann'}]->"
        "(:Entity:Person {id: 'a', type: 'person', sounds: ['x']}) "
        "CREATE (:Entity:Person:Failed {id: 'b', sounds: ['x']})"
    )
    await migrate(unmigrated.database, unmigrated.clock)
    [row] = await raw("MATCH (:Memory {id: 'm'})-[r:MENTIONS]->() RETURN properties(r) AS mention")
    mention = row["mention"]
    assert (["n:ann"], None) == (mention["names"], mention.get("name"))
    assert (["person"], [1.0]) == (mention["types"], mention["certainties"])
    assert [{"id": "a", "attempts": 0}] == await raw(
        "MATCH (e:Entity:Pending) WHERE e.id IN ['a', 'b'] AND e.due_at <= datetime() "
        "RETURN e.id AS id, e.attempts AS attempts"
    )
    await raw("MATCH (n:Memory|Entity) WHERE n.id IN ['m', 'a', 'b'] DETACH DELETE n")


async def test_what_waited_in_older_graphs_waits_in_the_one_queue(unmigrated: Service, raw) -> None:
    """Memories, entities and sessions that waited, that a worker held or that were given up are items of their jobs."""
    now = unmigrated.clock()
    await raw(
        "CREATE (:Memory:Pending {id: 'm1', due_at: $now, attempts: 2, failure: 'x', claim_lock: 'w', worker: 'w'}), "
        "(:Memory:Failed {id: 'm2', failed_at: $now, failure: 'x'}), (:Memory {id: 'm3', claim_lock: 'w'}), "
        "(:Session {id: 's1', due_at: $now, failed_at: $now}), (:Session {id: 's2', failed_at: $now, failure: 'y'}), "
        "(:Session {id: 's3', claim_lock: 'w'}), "
        "(:Merged {id: 'e1'})-[:MERGED_INTO {due_at: $now}]->(:Entity:Pending {id: 'e2', due_at: $now, attempts: 0})",
        now=now,
    )
    await migrate(unmigrated.database, unmigrated.clock)
    assert Backlog(3, 1, 1, {"x": 1}) == await unmigrated.enrichment.queue.backlog()  # the local user is read anew
    assert Backlog(1, 0, 1, {"y": 1}) == await unmigrated.consolidation.queue.backlog()
    assert ["s1"] == (await unmigrated.consolidation.queue.claim(9)).ids
    assert {"e2", "m1", unmigrated.local_user.id} == set((await unmigrated.enrichment.queue.claim(9)).ids)
    assert [{"job": "enrich"}] == await raw("MATCH ()-[merge:MERGED_INTO]->() RETURN merge.job AS job")
    assert [] == await raw("MATCH (n) WHERE n.claim_lock IS NOT NULL RETURN n.id")
    await raw("MATCH (n:Memory|Session|Entity|Merged) WHERE n.user_id IS NULL DETACH DELETE n")
    await raw("MATCH (n:Pending) SET n.due_at = $now REMOVE n.worker", now=now)


async def test_what_older_graphs_derived_obeys_its_evidence(unmigrated: Service, raw) -> None:
    """Of private talk facts are personal, of guessed turns as private as these; a label that somebody set stays."""
    forever, today = NO_END, datetime(2026, 1, 1, tzinfo=UTC)
    memory = {"sensitivity": "public", "portable": True, "guessed": [], "retired_at": forever, "source": "extraction"}
    memory |= {
        "created_at": today,
        "valid_from": today,
        "event_time": today,
        "kind": "",
        "facets": [LABEL_TERMS["public"]],
    }
    await raw(
        "CREATE (:Chat {id: 'p', kind: 'private'}), (:Chat {id: 'g', kind: 'group'}), (ann:Entity:Person {id: 'ann'}) "
        "WITH ann UNWIND [['of private', 'p', [], 'public'], ['of a group', 'g', [], 'public'], "
        "                 ['of a guess', 'g', ['sensitivity'], 'sensitive']] AS row "
        "CREATE (t:Memory:Episodic {id: 'turn ' + row[0], learned_in: row[1]}) SET t += $memory "
        "SET t.guessed = row[2], t.sensitivity = row[3] "
        "CREATE (m:Memory:Semantic {id: row[0]})-[:DERIVED_FROM]->(t) SET m += $memory "
        "CREATE (m)-[:ABOUT {sensitivity: 'public'}]->(ann)",
        memory=memory,
    )
    await raw(
        "CREATE (m:Memory:Semantic {id: 'told'}) SET m += $memory SET m.source = 'agent', m.sensitivity = 'personal'",
        memory=memory,
    )
    await migrate(unmigrated.database, unmigrated.clock)
    rows = await raw(
        "MATCH (m:Semantic) RETURN m.id AS id, m.sensitivity AS sensitivity, m.explicit_labels AS told ORDER BY id"
    )
    assert [
        {"id": "of a group", "sensitivity": "public", "told": None},
        {"id": "of a guess", "sensitivity": "sensitive", "told": None},
        {"id": "of private", "sensitivity": "personal", "told": None},
        {"id": "told", "sensitivity": "personal", "told": ["sensitivity"]},
    ] == rows
    [row] = await raw(
        "MATCH (m {id: 'of private'})-[r:ABOUT]->() RETURN r.sensitivity AS sensitivity, m.facets AS facets"
    )
    assert ("personal", [LABEL_TERMS["personal"]]) == (row["sensitivity"], row["facets"])
    await raw("MATCH (n:Memory|Chat|Entity) WHERE n.user_id IS NULL DETACH DELETE n")


async def test_what_was_told_in_private_in_older_graphs_stays_there(unmigrated: Service, raw) -> None:
    """Of who has an account or takes part in a chat, unless somebody said otherwise; and who wrote where is known."""
    memory = {"portable": True, "inferred_labels": [], "owner_id": "ann", "kind": "", "facets": [LABEL_TERMS["true"]]}
    memory |= {"created_at": datetime(2026, 1, 1, tzinfo=UTC), "valid_from": datetime(2026, 1, 1, tzinfo=UTC)}
    await raw(
        "CREATE (p:Chat {id: 'p', kind: 'private'}), (g:Chat {id: 'g', kind: 'group'}), "
        "(ann:Entity:Person {id: 'ann'}), (ben:Entity:Person {id: 'ben'}), (tom:Entity:Person {id: 'tom'}), "
        "(ann)-[:PARTICIPATES_IN]->(g), (ben)-[:PARTICIPATES_IN]->(g), (turn:Memory:Episodic {id: 'turn'}) "
        "SET turn.speaker_id = 'ann', turn.source_role = 'user' SET turn += $memory CREATE (turn)-[:LEARNED_IN]->(g) "
        "WITH ben, tom UNWIND [['told', ben, 'p', []], ['outside', ben, '', []], ['of tom', tom, 'p', []], "
        "                      ['said so', ben, 'p', ['portable']], ['in a group', ben, 'g', []]] AS row "
        "CREATE (m:Memory:Semantic {id: row[0]}) SET m += $memory, m.learned_in = row[2], m.explicit_labels = row[3] "
        "WITH m, row[1] AS subject CREATE (m)-[:ABOUT {portable: true}]->(subject)",
        memory=memory,
    )
    await migrate(unmigrated.database, unmigrated.clock)
    rows = await raw(
        "MATCH (m:Semantic)-[r:ABOUT]->() WHERE NOT m.portable OR NOT r.portable "
        "RETURN m.id AS id, m.portable AS portable, r.portable AS indexed, m.facets AS facets ORDER BY id"
    )
    kept = {"portable": False, "indexed": False, "facets": [LABEL_TERMS["false"]]}
    assert [{"id": "outside", **kept}, {"id": "told", **kept}] == rows
    wrote = await raw("MATCH (p)-[part:PARTICIPATES_IN]->() WHERE part.wrote_at IS NOT NULL RETURN p.id AS id")
    assert [{"id": "ann"}] == wrote
    await raw("MATCH (n:Memory|Chat|Entity) WHERE n.user_id IS NULL DETACH DELETE n")


async def test_access_labels_of_older_graphs_have_their_names(unmigrated: Service, raw) -> None:
    """Which labels were inferred and which somebody set stands under today's names, and under no other."""
    forever = NO_END
    await raw(
        "CREATE (:Memory {id: 'old', sensitivity: 'personal', portable: false, guessed: ['portable'], "
        "                 explicit_marks: ['sensitivity'], created_at: $forever, valid_from: $forever, kind: ''})",
        forever=forever,
    )
    await migrate(unmigrated.database, unmigrated.clock)
    [row] = await raw("MATCH (m:Memory {id: 'old'}) RETURN m.inferred_labels AS inferred, m {.*} AS all")
    assert ["portable"] == row["inferred"]
    assert ["sensitivity"] == row["all"]["explicit_labels"]
    assert set() == {"guessed", "explicit_marks"} & row["all"].keys()
    await raw("MATCH (m:Memory {id: 'old'}) DETACH DELETE m")


async def test_pins_of_older_graphs_are_their_owners_or_nobodys(unmigrated: Service, raw) -> None:
    """What is somebody's own was pinned by them, as far as anybody knows; of a group's it is not known by whom."""
    rows = [{"id": "own", "owner_id": "ann", "pinned": True}, {"id": "group", "owner_id": "", "pinned": True}]
    rows += [{"id": "plain", "owner_id": "ann", "pinned": False}]
    times = {"created_at": NO_END, "valid_from": NO_END, "kind": ""}
    await raw("UNWIND $rows AS row CREATE (m:Memory) SET m = row, m += $times", rows=rows, times=times)
    await migrate(unmigrated.database, unmigrated.clock)
    pins = "MATCH (m:Memory) RETURN m.id AS id, m.pinned AS pinned, m.pinned_by AS by ORDER BY id"
    assert [
        {"id": "group", "pinned": True, "by": []},
        {"id": "own", "pinned": True, "by": ["ann"]},
        {"id": "plain", "pinned": False, "by": None},
    ] == await raw(pins)
    await raw("MATCH (m:Memory) DETACH DELETE m")


async def test_keys_of_older_graphs_act_and_record_and_administer_nothing(unmigrated: Service, raw) -> None:
    """A key that might act for others may record what anybody said too, as it could; a person's own may do neither."""
    keys = [{"id": "few", "acts_for": ["ada"]}, {"id": "all", "acts_for": ["*"]}, {"id": "own", "acts_for": []}]
    await raw("UNWIND $keys AS key CREATE (c:Credential) SET c = key", keys=keys)
    await migrate(unmigrated.database, unmigrated.clock)
    rights = "MATCH (c:Credential) RETURN c.acts_for AS acts_for, c.records AS records, c.admin AS admin ORDER BY c.id"
    assert [
        {"acts_for": ["*"], "records": ["*"], "admin": False},
        {"acts_for": ["ada"], "records": ["*"], "admin": False},
        {"acts_for": [], "records": [], "admin": False},
    ] == await raw(rights)
    await raw("MATCH (c:Credential) DELETE c")


async def test_what_older_graphs_were_told_of_the_future_is_believed_from_the_telling(unmigrated: Service, raw) -> None:
    """An event of the future begins to be believed when it was recorded; a fact that begins later does so still."""
    told, day = datetime(2026, 1, 1, tzinfo=UTC), datetime(2090, 1, 1, tzinfo=UTC)
    await raw(
        "UNWIND [['event', 'a|=b'], ['task', 'works_at'], ['knowledge', 'a|=c']] AS row "
        "CREATE (:Memory {id: row[0], kind: row[0], claim_key: row[1], event_time: $day, valid_from: $day, "
        "                 created_at: $told, sensitivity: 'public', portable: true, guessed: []})"
        "-[:ABOUT {valid_from: $day}]->(:Person {id: 'about ' + row[0]})",
        told=told,
        day=day,
    )
    await migrate(unmigrated.database, unmigrated.clock)
    rows = await raw(
        "MATCH (m:Memory)-[r:ABOUT]->() RETURN m.id AS id, m.valid_from AS start, r.valid_from AS entry, "
        "m.takes_effect_at AS effect ORDER BY id"
    )
    assert [
        {"id": "event", "start": told, "entry": told, "effect": None},
        {"id": "knowledge", "start": day, "entry": day, "effect": None},
        {"id": "task", "start": told, "entry": told, "effect": day},
    ] == rows
    await raw("MATCH (n:Memory|Person) WHERE n.user_id IS NULL DETACH DELETE n")


async def test_what_was_applied_is_recorded_as_a_chain(unmigrated: Service, raw) -> None:
    """The graph remembers version, file and checksum of each migration in order, as neo4j-migrations does."""
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
    """Of servers that start together each migration is applied by one, and all find the schema complete."""
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
    """The lock of a server that died while migrating holds others up for some minutes, and no longer."""
    until = clock() + timedelta(minutes=5)
    await raw("CREATE (:__Neo4jMigrationsLock {id: 'hippograph', name: 'dead', until: $until})", until=until)
    waiting = asyncio.create_task(migrate(unmigrated.database, unmigrated.clock))
    await asyncio.sleep(1.2)
    assert not waiting.done()
    clock.advance(timedelta(minutes=6))
    assert ALL == [m.source for m in await waiting]


async def test_a_lock_has_an_end_from_its_first_moment(unmigrated: Service, raw, clock) -> None:
    """Who dies right after taking the lock holds nobody up for longer than who dies later."""
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
    """`migrate --dry-run` tells what would be applied and applies nothing."""
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
    """When an applied file is not what it was, nothing starts, and the message names file and both checksums."""
    await migrate(unmigrated.database, unmigrated.clock)
    await raw("MATCH (m:__Neo4jMigration {version: '001'}) SET m.checksum = '42'")
    with pytest.raises(SchemaMismatch, match=rf"{ALL[0]}.*42.*{migrations()[0].checksum}.*restore"):
        await migrate(unmigrated.database, unmigrated.clock)
    [finding] = await unmigrated.doctor.examine()
    assert ALL[0] in finding.what


async def test_a_newer_graph_is_refused(unmigrated: Service, raw) -> None:
    """A graph with a migration that this version does not know is left alone."""
    await migrate(unmigrated.database, unmigrated.clock)
    newer = f"{len(ALL) + 1:03d}"
    await raw("CREATE (:__Neo4jMigration {version: $version, checksum: '1', source: 'new'})", version=newer)
    with pytest.raises(SchemaMismatch, match=f"migration {newer}, newer than"):
        await migrate(unmigrated.database, unmigrated.clock)


async def test_a_missing_migration_is_found_by_doctor(unmigrated: Service) -> None:
    """Doctor names the migrations that were not applied."""
    findings = await unmigrated.doctor.examine()
    assert (len(ALL), tuple(ALL)) == (findings[0].count, findings[0].examples)


async def test_indexes_with_other_settings_are_reported(database: Database, service: Service) -> None:
    """Indexes made with another analyzer or dimension are named; those that fit are not."""
    analyzer, slot = service.settings.fulltext_analyzer, service.enrichment._slot
    assert slot is not None
    assert [] == await check_indexes(database, slot, analyzer)
    other = await check_indexes(database, slot, "russian")
    assert sorted(FULLTEXT) == sorted(problem.split()[1] for problem in other)
    other = await check_indexes(database, VectorSlot(slot.name, slot.model, 128), analyzer)
    assert sorted(VECTORS) == sorted(problem.split()[1] for problem in other)
    assert all("384 dimensions, not 128" in problem for problem in other)


async def test_another_models_vectors_are_refused(database: Database, service: Service) -> None:
    """A graph filled by one model does not start with another, of the same dimension or not."""
    slot = service.enrichment._slot
    assert slot is not None
    assert slot == await answering_slot(database, service.clock, slot.model, slot.dimensions)
    for model, dimensions in (("other", slot.dimensions), (slot.model, 128)):
        with pytest.raises(SchemaMismatch, match=f"HIPPOGRAPH_EMBEDDING_MODEL={slot.model}"):
            await answering_slot(database, service.clock, model, dimensions)


def test_statement_names_of_slots_come_in_pairs() -> None:
    """Whatever exists for one slot exists for the other."""
    names = set(cypher.load())
    assert {n for n in names if n.endswith(".a")} == {n[:-1] + "a" for n in names if n.endswith(".b")}


async def test_a_graph_of_before_loses_the_vectors_of_entities(unmigrated: Service, raw) -> None:
    """Vectors, their index and the unused property of the full-text index are gone; merges that were keep none."""
    await migrate(unmigrated.database, unmigrated.clock, last="027")
    await raw("CREATE FULLTEXT INDEX entity_fulltext FOR (e:Entity) ON EACH [e.canonical_name, e.summary]")
    options = "{indexConfig: {`vector.dimensions`: 2, `vector.similarity_function`: 'cosine'}}"
    await raw(f"CREATE VECTOR INDEX entity_vector_a FOR (e:Entity) ON e.embedding_a OPTIONS {options}")
    vector = "{id: randomUUID(), embedding_a: [1.0, 0.0], embedding_model_a: 'm'}"
    await raw(f"CREATE (:Merged {vector})-[:MERGED_INTO {vector}]->(:Entity {vector})")
    await declare(unmigrated)
    left = "MATCH (n)-[r:MERGED_INTO]->(e) RETURN n.embedding_a AS n, r.embedding_model_a AS r, e.embedding_a AS e"
    assert [{"n": None, "r": None, "e": None}] == await raw(left)
    assert FULLTEXT == await indexes(raw, "FULLTEXT")
    assert set(VECTORS) == set(await indexes(raw, "VECTOR"))
