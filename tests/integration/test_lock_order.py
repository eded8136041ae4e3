"""Statements that lock several nodes take the locks in the order of the ids, so that they do not deadlock."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import pytest

from hippograph.api.service import Service
from tests.neo4j_servers import driver_of

IDS = ("1f00000000000000a1", "1f00000000000000b2")
"""Ids of two nodes, in ascending order."""


@dataclass(frozen=True, slots=True)
class Case:
    """A statement that locks two nodes. The Cypher `made` creates them so that the statement, with `params`, meets the
    second one first.
    """

    statement: str
    made: str
    params: dict[str, Any] = field(default_factory=dict)


ENTITIES = (
    "UNWIND $ids AS id "
    "CREATE (n:Entity:Concept {id: id, key: 'concept:' + id, type: 'concept', aliases: [], names: []})"
)
MEMORIES = "UNWIND $ids AS id CREATE (n:Memory:Episodic {id: id, retired_at: $no_end, access_count: 0})"
QUEUED = (
    "SET n:Pending, n.job = 'enrich', n.worker = $worker, n.attempts = 1, "
    "n.due_at = $now - duration({seconds: CASE n.id WHEN $ids[1] THEN 2 ELSE 1 END})"
)
LEASED = f"{QUEUED} SET n.due_at = $now + duration({{hours: 1}})"
ROWS = [{"id": id_, "reason": "x", "due_at": None, "vector": None, "sounds": [], "names": []} for id_ in reversed(IDS)]
ROWS = [{**row, "stability": 1.0, "emotion": 0.0} for row in ROWS]


def named(known: str, place: int) -> dict[str, Any]:
    """Returns the parameters of a mention that refers to a known entity."""
    return {
        "id": f"{known}x", "text": known, "token": known, "type": "concept", "label": "Concept", "key": None,
        "place": place, "known": [known], "learned": False, "likely": [], "follows": False,
        "vote": "concept", "certainty": 1.0, "turn": "turn", "number": place, "told": False,
    }  # fmt: skip


def retyped(known: str) -> dict[str, Any]:
    """Returns the parameters that turn a concept into a place."""
    return {
        "id": known, "old_key": f"concept:{known}", "old_type": "concept", "old_label": "Concept", "type": "place",
        "label": "Place", "keys": [f"place:{known}"], "person": False, "tombstone": f"{known}x",
    }  # fmt: skip


NAMES = [named(known, place) for place, known in enumerate(reversed(IDS))]
TURN = "CREATE (:Memory:Episodic {id: 'turn', retired_at: $no_end, access_count: 0"
CASES = {
    "claiming": Case("queue/claim", f"{ENTITIES} {QUEUED}", {"job": "enrich", "limit": 2}),
    "giving back": Case("queue/release", f"{ENTITIES} {LEASED}", {"job": "enrich", "holder": "worker"}),
    "renewing leases": Case("queue/hold", f"{ENTITIES} {LEASED}", {"ids": list(reversed(IDS))}),
    "failing": Case("queue/fail", f"{ENTITIES} {LEASED}", {"rows": ROWS}),
    "completing entities": Case("enrichment/complete_entities", f"{ENTITIES} {LEASED}", {"rows": ROWS}),
    "completing memories": Case("enrichment/complete_memories.a", f"{MEMORIES} {LEASED}", {"rows": ROWS, "model": "m"}),
    "linking names": Case(
        "enrichment/complete_memories.a",
        f"{ENTITIES} WITH count(*) AS made {TURN}, worker: $worker}})",
        {"rows": [{**ROWS[0], "id": "turn", "names": NAMES}], "model": "m"},
    ),
    "resolving names": Case("consolidation/resolve", f"{ENTITIES} WITH count(*) AS made {TURN}}})", {"names": NAMES}),
    "naming in facts": Case("consolidation/resolve", ENTITIES, {"names": [{**each, "turn": None} for each in NAMES]}),
    "typing entities": Case(
        "enrichment/retype",
        f"{ENTITIES} WITH n CREATE (:Memory:Episodic {{id: 'm' + n.id, scope: 'c'}})-[:MENTIONS]->(n)",
        {"rows": [retyped(id_) for id_ in reversed(IDS)], "most": 200},
    ),
    "reading turns": Case("consolidation/derived", MEMORIES, {"turns": list(reversed(IDS))}),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
async def test_locks_are_taken_in_the_order_of_ids(service: Service, raw: Callable[..., Any], case: Case) -> None:
    """A statement that waits for the lock of the first node does not hold the second. Another transaction, which holds
    the first, gets the second too, and both finish without a retry.
    """
    now, database, where = service.clock(), service.database, service.connection
    given = {"ids": list(IDS), "now": now, "no_end": now + timedelta(days=9_999), "worker": "worker"}
    await raw(case.made, **given)
    params = {**given, "lease_until": now + timedelta(hours=1), **case.params}
    statement = database._statements[case.statement]
    wanted = {name: value for name, value in params.items() if name in statement.params}
    before = database.retries.total()
    async with (
        driver_of(where) as driver,
        driver.session() as session,
        await session.begin_transaction() as holder,
    ):
        await holder.run("MATCH (n:Memory|Entity {id: $id}) SET n.lock = $now", id=IDS[0], now=now)
        running = asyncio.create_task(database.run(case.statement, **wanted))
        while not await raw(
            "SHOW TRANSACTIONS YIELD metaData AS data, status "
            "WHERE data.statement = $name AND status STARTS WITH 'Blocked' RETURN status",
            name=case.statement,
        ):
            assert not running.done(), await running
            await asyncio.sleep(0.05)
        await (await holder.run("MATCH (n:Memory|Entity {id: $id}) SET n.lock = $now", id=IDS[1], now=now)).consume()
        await holder.commit()
    await running
    assert before == database.retries.total()
