"""The service on a Neo4j server of stock configuration, without Graph Data Science (GDS), and on servers that lack
required features.
"""

import asyncio
import json
import os
import re
import subprocess
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import SecretStr

from hippograph import cypher
from hippograph.api.browser import saved_queries
from hippograph.api.connections import open_database
from hippograph.api.service import Service
from hippograph.api.settings.settings import Settings
from hippograph.api.startup import open_service
from hippograph.cypher import Statement, Statements
from hippograph.graph.errors import DatabaseRefused
from hippograph.graph.jobs.preflight import missing_features, require_features
from hippograph.graph.local.folder import Folder
from hippograph.graph.local.server import Connection
from hippograph.graph.model import ChatKind
from hippograph.graph.people.people import Member
from hippograph.graph.schema import VectorSlot, declare_indexes
from hippograph.graph.transfer.exports.graph_export import GraphExport
from hippograph.graph.transfer.exports.graph_files import new_file
from hippograph.graph.writing.recording import Turn
from tests.command_forks import CommandForks
from tests.conftest import free_port, plain_output
from tests.neo4j_servers import PASSWORD, driver_of, run_neo4j

WITH_GDS = {name: each for name, each in cypher.load().items() if "gds." in each.text}
WITHOUT_GDS = {name: each for name, each in cypher.load().items() if name not in WITH_GDS}
SECOND_SLOT = {name: each for name, each in WITHOUT_GDS.items() if name.endswith(".b")}
# Comments and strings; they are removed before calls are searched for.
NO_CODE = re.compile(r"//[^\n]*|'(?:[^'\\]|\\.)*'")
CALL = re.compile(r"(?<![\w.$])([a-z]\w*(?:\.[a-z]\w*)+)\(")
CALLED = {name for each in WITHOUT_GDS.values() for name in CALL.findall(NO_CODE.sub("", each.text))}
"""Names of the functions and procedures with a namespace that statements call."""
READ_ONLY = {"server.databases.read_only": "neo4j"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns the folder of the stock server."""
    return tmp_path_factory.mktemp("stock")


@pytest.fixture(scope="module")
def stock(request: pytest.FixtureRequest, folder: Path, settings: Settings) -> Iterator[Settings]:
    """Starts a server of stock configuration and yields settings that name it. For a test whose parameter has more
    settings of Neo4j, the server is started again with them, on the same database; its first start is without them.
    """
    more = getattr(request, "param", None)
    if more and not Folder(folder).has_store:
        with run_neo4j(folder, settings.cache_dir, free_port()):
            pass
    with run_neo4j(folder, settings.cache_dir, free_port(), more) as uri:
        yield settings.model_copy(update={"neo4j_uri": uri, "neo4j_password": SecretStr(PASSWORD)})


@pytest.fixture(scope="module")
async def visitor(stock: Settings) -> AsyncIterator[Service]:
    """Yields the service on the stock server, started on an empty database."""
    async with open_service(stock, names=True) as service:
        yield service


async def wrong_columns(connection: Connection, statements: Iterable[Statement]) -> dict[str, tuple[object, object]]:
    """Returns the statements whose columns differ from their headers: by name, the declared and the actual columns."""
    wrong = {}
    async with driver_of(connection) as driver, driver.session() as session:
        for statement in statements:
            given = {"given": {}, **dict.fromkeys(statement.bare, 1)}  # so that the plan can be reused in other tests
            result = await session.run("EXPLAIN " + statement.text, given)  # type: ignore[arg-type]
            columns = tuple(result.keys())
            await result.consume()
            if columns != statement.returns:
                wrong[statement.name] = (statement.returns, columns)
    return wrong


@pytest.fixture
def doctor(
    stock: Settings, command_forks: CommandForks, root: Path, tmp_path: Path
) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Returns a function that runs `hippograph doctor` on the stock server, without models."""
    assert stock.neo4j_uri
    given = {
        "NEO4J_URI": stock.neo4j_uri,
        "NEO4J_PASSWORD": PASSWORD,
        "LOCAL_USER": stock.local_user,
        "EMBEDDING_MODEL": "none",
    }
    environment = {**os.environ, **plain_output(root), **{f"HIPPOGRAPH_{name}": value for name, value in given.items()}}
    return lambda *words: command_forks.run(["doctor", *words], tmp_path, environment)


async def test_a_stock_server_speaks_older_cypher(visitor: Service) -> None:
    """The stock server has Neo4j's default language, Cypher 5, which has no vector search."""
    async with driver_of(visitor.connection) as driver:
        [row], _, _ = await driver.execute_query("SHOW DATABASES YIELD name, defaultLanguage WHERE name = 'neo4j'")
    assert "CYPHER 5" == row["defaultLanguage"]


async def test_every_statement_gives_its_columns(service: Service) -> None:
    """Each statement that needs neither GDS nor the second vector slot is planned, with the columns that its header
    declares. With `--neo4j=stock` a stock server plans them.
    """
    asked = {name: each for name, each in WITHOUT_GDS.items() if name not in SECOND_SLOT}
    assert {} == await wrong_columns(service.connection, asked.values())
    assert len(asked) > 300


async def test_a_stock_server_has_what_statements_call(visitor: Service) -> None:
    """A stock server has every function and procedure that statements call, and plans those of the second slot, some of
    which use vector SEARCH.
    """
    await declare_indexes(visitor.database, VectorSlot("b", "other", 384), visitor.settings.fulltext_analyzer)
    async with driver_of(visitor.connection) as driver:
        functions, _, _ = await driver.execute_query("SHOW FUNCTIONS YIELD name")
        procedures, _, _ = await driver.execute_query("SHOW PROCEDURES YIELD name")
    assert {"vector.similarity.cosine", "db.index.fulltext.queryNodes"} <= CALLED
    assert set() == CALLED - {row["name"] for row in functions + procedures}
    assert {} == await wrong_columns(visitor.connection, SECOND_SLOT.values())
    assert any("SEARCH" in each.text for each in SECOND_SLOT.values())


async def test_saved_queries_run_in_a_stock_browser(visitor: Service) -> None:
    """Each saved query for Neo4j Browser is planned in the server's default language."""
    async with driver_of(visitor.connection) as driver:
        for query in saved_queries():
            await driver.execute_query("EXPLAIN " + query.text)  # type: ignore[arg-type]


async def test_every_statement_of_graph_data_science_is_planned(service: Service, gds: None) -> None:
    """A server with GDS plans every statement that needs it, and the columns are those of the headers."""
    assert {} == await wrong_columns(service.connection, WITH_GDS.values())
    assert {"community/estimate", "community/project", "community/find", "community/drop"} == WITH_GDS.keys()


async def test_what_is_recorded_is_found_known_and_exported(visitor: Service, tmp_path: Path) -> None:
    """A recorded turn is found by vector search, becomes a fact on a card, and is exported."""
    me = visitor.viewer()
    chat = await visitor.people.create_chat(me, ChatKind.PRIVATE, "Stock", [Member(visitor.local_user.id)])
    turns = [Turn("My brother Lars Holm works at Siemens.", visitor.local_user.id)]
    [said] = await visitor.recorder.record(me, chat.id, turns)
    await visitor.runner.work_until_idle()

    page = await visitor.search.search(visitor.viewer(chat.id), "Where does Lars work?")
    found = {result.memory.id for result in page.results}
    cards = await visitor.cards.cards(visitor.viewer(chat.id), ["person:lars_holm"])
    with new_file(tmp_path / "all.jsonl") as out:
        counts = await GraphExport(visitor.database, visitor.clock, "1.0").write(out, folder=tmp_path)

    assert {"vector"} <= {name for result in page.results for name in result.hits}
    assert found
    assert any("Siemens" in fact.content for fact in cards["person:lars_holm"].facts)
    assert 0 < counts.lines
    assert said.memory_id in (tmp_path / "all.jsonl").read_text("utf-8")


async def test_graph_data_science_is_missed_and_not_needed(visitor: Service) -> None:
    """A stock server has all required features; GDS is reported as missing but not required."""
    await require_features(visitor.database)
    [missing] = await missing_features(visitor.database)
    assert not missing.needed
    assert "hippograph communities" in missing.what


async def test_the_doctor_says_what_does_not_work_and_finds_nothing_wrong(
    visitor: Service, doctor: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    """Without GDS the doctor reports that the graph is well, and warns on standard error of what is missing."""
    told = await asyncio.to_thread(doctor)
    assert (0, "the graph is well") == (told.returncode, told.stdout.strip())
    assert "without Graph Data Science `hippograph communities`" in told.stderr


async def test_communities_without_graph_data_science_say_what_to_install(visitor: Service) -> None:
    """A statement that needs GDS is refused with an error that names it."""
    with pytest.raises(DatabaseRefused, match="Graph Data Science"):
        await visitor.database.run("community/estimate", sources=["any"])


@pytest.mark.parametrize("said", ["CYPHER 26 RETURN 1 AS score", "CYPHER 5 MATCH (n) SEARCH n RETURN 1 AS score"])
async def test_a_server_without_the_language_is_refused_in_one_line(
    stock: Settings, visitor: Service, said: str
) -> None:
    """A server that fails on vector search as an older one does is refused with the version that is needed."""
    table = dict(cypher.load())
    table["server/vector_search"] = replace(table["server/vector_search"], text=said)
    async with open_database(stock, visitor.connection) as database:
        database._statements = Statements(table)
        with pytest.raises(DatabaseRefused, match=r"^this Neo4j has no vector SEARCH of Cypher 25: use Neo4j 2026.01"):
            await require_features(database)


async def test_asking_leaves_nothing_behind(visitor: Service) -> None:
    """The check for missing features leaves no node and no index."""
    await missing_features(visitor.database)
    async with driver_of(visitor.connection) as driver:
        nodes, _, _ = await driver.execute_query("MATCH (n {id: 'preflight'}) RETURN n")
        indexes, _, _ = await driver.execute_query("SHOW INDEXES YIELD name WHERE name = 'preflight'")
    assert ([], []) == (nodes, indexes)


@pytest.mark.parametrize("stock", [READ_ONLY], ids=["read-only"], indirect=True)
async def test_a_database_that_takes_no_writes_is_refused_with_all_that_is_missing(
    stock: Settings, doctor: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    """A read-only database is refused with all missing rights and the remedy; the doctor reports the same rights."""
    assert stock.neo4j_uri
    async with open_database(stock, Connection(stock.neo4j_uri, "neo4j", PASSWORD, "", 0)) as database:
        with pytest.raises(DatabaseRefused, match=r"(?s)may not write.*may not create indexes.*NEO4J_USER"):
            await require_features(database)
    told = await asyncio.to_thread(doctor, "--json")
    found = [finding["what"] for finding in json.loads(told.stdout)]
    assert (1, 2) == (told.returncode, len(found))
    assert "may not write" in found[0]
    assert "may not create indexes" in found[1]
