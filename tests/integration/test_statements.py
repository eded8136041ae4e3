from collections.abc import AsyncIterator

import pytest
from neo4j import AsyncGraphDatabase

import cypher
from api.service import Service
from graph.schema import VectorSlot, declare_indexes


@pytest.fixture
async def both_slots(service: Service, raw) -> AsyncIterator[None]:
    """The indexes of the second slot too, while the test runs."""
    await declare_indexes(service.database, VectorSlot("b", "other", 384), service.settings.fulltext_analyzer)
    yield
    for name in ("memory", "about", "entity"):
        await raw(f"DROP INDEX {name}_vector_b")


async def test_every_statement_is_planned_and_gives_its_columns(service: Service, both_slots) -> None:
    """Neo4j takes each statement as it is in its file, and what it gives is what the header says."""
    where, wrong = service.connection, {}
    async with (
        AsyncGraphDatabase.driver(where.uri, auth=(where.user, where.password)) as driver,
        driver.session() as session,
    ):
        for name, statement in cypher.load().items():
            result = await session.run("EXPLAIN " + statement.text)  # type: ignore[arg-type]
            columns = tuple(result.keys())
            await result.consume()
            if columns != statement.returns:
                wrong[name] = (statement.returns, columns)
    assert {} == wrong
    assert len(cypher.load()) > 40
