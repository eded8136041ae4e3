import asyncio
import logging
import socket
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from neo4j import AsyncTransaction

from hippograph import cypher
from hippograph.api.connections import open_database
from hippograph.api.service import Service
from hippograph.cypher import Statement, Statements
from hippograph.graph.database import Database, Transaction, bookmarks
from hippograph.graph.errors import (
    DatabaseFailed,
    DatabaseRefused,
    DatabaseTimedOut,
    DatabaseUnavailable,
    HippographError,
)
from hippograph.graph.jobs.wipe import wipe
from hippograph.graph.model import INTERNAL
from hippograph.graph.schema import await_indexes
from tests.neo4j_servers import driver_of

PROBES = {
    "probe/write_as_read": ("CREATE (p:Probe) RETURN p.id AS id", "read"),
    "probe/write": ("CREATE (p:Probe {id: $given.id}) RETURN p.id AS id", "write"),
    "probe/read": ("MATCH (p:Probe) RETURN p.id AS id ORDER BY id", "read"),
    "probe/wait": ("MATCH (p:Probe {id: $given.id}) SET p.touched = true RETURN p.id AS id", "write"),
    "probe/wait_for_all": (
        "MATCH (p:Probe {id: 'one'}) MATCH (q:Probe {id: 'two'}) SET p.touched = true WITH p, q RETURN q.name, q",
        "write",
    ),
    "probe/types": ("RETURN $given.value AS value", "read"),
    "probe/wrong": ("RETURN 1 / 0 AS value", "read"),
    "probe/nonsense": ("RETRUN 1", "read"),
    "probe/endless": ("UNWIND range(1, 1000000000000) AS n RETURN count(n) AS value", "read"),
    "schema/indexes": ("MATCH (p:Probe) RETURN p.id AS name, p.state AS state, 50.0 AS percent", "read"),
}


def connect(service: Service, **options: float) -> Database:
    """Creates a connection that knows only the statements of `PROBES`."""
    where = service.connection
    table = {
        name: Statement(name, text, "", frozenset({"id", "value"}), frozenset(), (), mode)  # type: ignore[arg-type]
        for name, (text, mode) in PROBES.items()
    }
    return Database.connect(where.uri, where.user, where.password, Statements(table), **options)


@pytest.fixture
async def probe(service: Service) -> AsyncIterator[Database]:
    """A connection with the default timeout."""
    database = connect(service)
    yield database
    await database.close()


@pytest.fixture
async def hasty(service: Service) -> AsyncIterator[Database]:
    """A connection with a statement timeout of 0.1 seconds."""
    database = connect(service, timeout_s=0.1)
    yield database
    await database.close()


@pytest.fixture
async def holder(service: Service, probe: Database) -> AsyncIterator[AsyncTransaction]:
    """An open transaction of another connection that holds the lock on the only probe node."""
    await probe.run("probe/write", id="one")
    async with (
        driver_of(service.connection) as driver,
        driver.session() as session,
        await session.begin_transaction() as transaction,
    ):
        await (await transaction.run("MATCH (p:Probe) SET p.held = true")).consume()
        yield transaction


async def test_reads_are_opened_as_reads(probe: Database) -> None:
    """A statement of mode read cannot write, so it may run on any member of a cluster."""
    with pytest.raises(DatabaseFailed, match=r"(?i)read access mode"):
        await probe.run("probe/write_as_read")
    assert [] == await probe.run("probe/read")


async def test_every_read_of_ours_is_a_read(service: Service) -> None:
    """No statement of mode read has a line that begins with a writing clause."""
    writes = ("CREATE ", "MERGE ", "SET ", "DELETE ", "REMOVE ", "DROP ")
    found = {
        name
        for name, statement in cypher.load().items()
        if statement.mode == "read" and any(line.strip().startswith(writes) for line in statement.text.splitlines())
    }
    assert set() == found


async def test_a_running_statement_shows_its_name(probe: Database, raw, service: Service) -> None:
    """The metadata of a running transaction contain the name of its statement."""
    await probe.run("probe/write", id="one")
    async with (
        driver_of(service.connection) as driver,
        driver.session() as session,
        await session.begin_transaction() as holder,
    ):
        await (await holder.run("MATCH (p:Probe) SET p.held = true")).consume()
        waiting = asyncio.create_task(probe.run("probe/wait", id="one"))
        shown: list[dict[str, object]] = []
        while not shown:
            await asyncio.sleep(0.05)
            rows = await raw("SHOW TRANSACTIONS YIELD metaData RETURN metaData AS data")
            shown = [row["data"] for row in rows if row["data"].get("statement") == "probe/wait"]
        await holder.rollback()
    assert [{"id": "one"}] == await waiting
    assert [{"app": "hippograph", "statement": "probe/wait"}] == shown


async def test_bookmarks_carry_what_was_written(service: Service, probe: Database) -> None:
    """A read with another connection's bookmarks takes them over; an invalid bookmark is an error."""
    assert frozenset() == await probe.last_bookmarks()
    await probe.run("probe/write", id="one")
    given = await probe.last_bookmarks()
    assert 1 == len(given)
    async with open_database(service.settings, service.connection) as other:
        token = bookmarks.set(given)
        try:
            row = await other.one("stats/memories", viewer="x", now=service.clock(), as_of=None, known_at=None)
            assert row is None
            assert given <= await other.last_bookmarks()
            bookmarks.set(frozenset({"nonsense"}))
            with pytest.raises(HippographError):
                await other.one("queue/counts", jobs=["enrich"])
        finally:
            bookmarks.reset(token)


async def test_values_come_back_as_they_went(probe: Database, service: Service) -> None:
    """Texts, numbers, lists, maps and times are returned unchanged; times are in UTC, also within lists and maps."""
    now = service.clock()
    for value in (None, True, 7, 0.5, "ß 🎂", [1, 2], [0.5, 0.25], {"a": [now], "b": {"c": now}}, now, [], {}):
        assert [{"value": value}] == await probe.run("probe/types", value=value)


async def test_a_deadlock_is_counted_and_not_reported(probe: Database, caplog) -> None:
    """Of two transactions that lock two nodes in opposite orders one is retried. Both succeed, the retry is counted,
    and the driver logs nothing.
    """
    for name in ("one", "two"):
        await probe.run("probe/write", id=name)
    both_hold_one, holding = asyncio.Event(), set[str]()

    async def cross(first: str, second: str) -> None:
        async def work(transaction: Transaction) -> None:
            await transaction.run("probe/wait", id=first)
            holding.add(first)
            if len(holding) == 2:
                both_hold_one.set()
            await both_hold_one.wait()
            await transaction.run("probe/wait", id=second)

        await probe.transaction("cross", work)

    with caplog.at_level(logging.INFO, "root"):
        await asyncio.gather(cross("one", "two"), cross("two", "one"))
    assert {"cross"} == probe.retries.keys()
    assert [] == [record.message for record in caplog.records if record.name.startswith("neo4j")]


async def test_no_log_shows_what_people_said(probe: Database, caplog) -> None:
    """The driver's debug log contains the statement but not the values of its parameters."""
    with caplog.at_level(logging.DEBUG, "neo4j"):
        await probe.run("probe/types", value=["my secret diary"])
    assert "RETURN $given.value" in caplog.text
    assert "diary" not in caplog.text


async def test_a_mistake_in_a_statement_is_ours(probe: Database) -> None:
    """A statement that Neo4j rejects raises `DatabaseFailed`, which is not retryable."""
    for name in ("probe/wrong", "probe/nonsense"):
        with pytest.raises(DatabaseFailed, match="rejected") as caught:
            await probe.run(name)
        assert not caught.value.retryable


async def test_a_write_that_ran_out_of_time_can_be_tried_again(hasty: Database, holder: AsyncTransaction) -> None:
    """A write that waits for a lock until its timeout raises a retryable `DatabaseTimedOut`."""
    with pytest.raises(DatabaseTimedOut, match="try again") as caught:
        await hasty.run("probe/wait", id="one")
    assert caught.value.retryable


async def test_a_read_that_ran_out_of_time_can_be_tried_again(hasty: Database) -> None:
    """A read that reaches its timeout raises `DatabaseTimedOut`, which says to try again."""
    with pytest.raises(DatabaseTimedOut, match="try again"):
        await hasty.run("probe/endless")


async def test_what_ran_out_of_time_is_tried_once_more(probe: Database, holder: AsyncTransaction) -> None:
    """A transaction that reached its timeout is retried, and the caller gets the result of the second attempt."""
    tries = []

    async def work(transaction: Transaction) -> str:
        tries.append("try")
        if len(tries) == 1:
            await transaction.run("probe/wait", id="one")
        return "done"

    assert "done" == await probe.transaction("probe/wait", work, timeout_s=0.1)
    assert ["try", "try"] == tries


async def test_what_met_something_that_was_just_deleted_is_tried_again(probe: Database, service: Service) -> None:
    """A transaction that read a node that was deleted meanwhile is retried until it succeeds, here three times."""
    tries = []

    async def work(transaction: Transaction) -> str:
        tries.append("try")
        if len(tries) > 3:
            return "done"
        for name in ("one", "two"):
            await probe.run("probe/write", id=name)
        async with driver_of(service.connection) as driver, driver.session() as session:
            deleting = await session.begin_transaction()
            await (await deleting.run("MATCH (p:Probe {id: 'one'}) SET p.held = true")).consume()
            waiting = asyncio.create_task(transaction.run("probe/wait_for_all"))
            await asyncio.sleep(0.3)
            await (await deleting.run("MATCH (p:Probe {id: 'two'}) DELETE p")).consume()
            await deleting.commit()
            await waiting
        return "not deleted"

    assert "done" == await probe.transaction("probe/wait", work)
    assert 4 == len(tries)


async def test_who_held_a_transaction_too_long_may_try_again(probe: Database) -> None:
    """A transaction that reaches its timeout between two statements raises `DatabaseTimedOut` and is rolled back."""

    async def work(transaction: Transaction) -> None:
        await transaction.run("probe/write", id="two")
        while True:
            await transaction.run("probe/read")

    with pytest.raises(DatabaseTimedOut, match="try again"):
        await probe.transaction("probe/write", work, timeout_s=0.1)
    assert [] == await probe.run("probe/read")


async def test_indexes_are_awaited_in_short_statements(probe: Database, raw) -> None:
    """`await_indexes` polls until the index is online; it raises an error after its maximum wait or if one failed."""
    await raw("CREATE (:Probe {id: 'memory_vector', state: 'POPULATING'})")
    with pytest.raises(DatabaseTimedOut, match=r"memory_vector \(50 %\)"):
        await await_indexes(probe, wait_s=0)
    waiting = asyncio.create_task(await_indexes(probe))
    await asyncio.sleep(0)
    await raw("MATCH (p:Probe) SET p.state = 'ONLINE'")
    await waiting
    await raw("MATCH (p:Probe) SET p.state = 'FAILED'")
    with pytest.raises(DatabaseFailed, match="memory_vector"):
        await await_indexes(probe)


async def test_a_transaction_is_kept_whole_or_not_at_all(service: Service, raw) -> None:
    """An error inside a transaction rolls it back."""
    people = [("Ann", "a1"), ("Bob", "b2")]

    async def work(transaction) -> None:
        for name, new_id in people:
            await transaction.run("people/create_persona", id=new_id, name=name, now=service.clock())
        raise RuntimeError("changed my mind")

    with pytest.raises(RuntimeError, match="changed my mind"):
        await service.database.transaction("people/create_persona", work)
    assert [] == await raw("MATCH (p:Persona) RETURN p")


async def test_a_wrong_password_is_refused(service: Service) -> None:
    """A wrong password raises `DatabaseRefused`, which names the settings to check and is not retryable."""
    settings = service.settings
    async with open_database(settings, replace(service.connection, password="wrong")) as database:
        with pytest.raises(DatabaseRefused, match="HIPPOGRAPH_NEO4J_USER and _PASSWORD") as caught:
            await database.run("queue/counts", jobs=["enrich"])
    assert not caught.value.retryable


async def test_an_address_where_nobody_answers_is_unavailable(service: Service) -> None:
    """A closed port raises a retryable `DatabaseUnavailable`."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    async with open_database(service.settings, replace(service.connection, uri=f"bolt://127.0.0.1:{port}")) as database:
        with pytest.raises(DatabaseUnavailable, match="try again") as caught:
            await database.run("queue/counts", jobs=["enrich"])
    assert caught.value.retryable


@pytest.mark.parametrize("uri", ["http://localhost:7474", "localhost", ""])
async def test_an_address_that_is_none_is_refused(service: Service, uri: str) -> None:
    """An invalid address raises `DatabaseRefused` or `DatabaseUnavailable`, never an error of the driver."""
    with pytest.raises((DatabaseRefused, DatabaseUnavailable)):
        async with open_database(service.settings, replace(service.connection, uri=uri)) as database:
            await database.run("queue/counts", jobs=["enrich"])


async def test_a_wipe_keeps_the_schema_and_one_node(service: Service, raw) -> None:
    """A wipe leaves the migrations and the node with the given id, and nothing else but embedding slots."""
    await service.people.create_person(INTERNAL, "Ann")
    await wipe(service.database, service.local_user.id)
    rows = await raw("MATCH (n) WHERE NOT n:__Neo4jMigration AND NOT n:EmbeddingSlot RETURN n.id AS id")
    assert [{"id": service.local_user.id}] == rows
    assert [] != await raw("MATCH (n:__Neo4jMigration) RETURN n")
