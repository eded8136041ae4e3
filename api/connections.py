"""Opens the Neo4j named in the settings, or else the local one, which is started if it is not running."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext

from hippograph import cypher
from hippograph.api.local_server import local_server
from hippograph.api.settings.settings import Settings
from hippograph.graph.access.labels import CONSTANTS
from hippograph.graph.artifacts.fetching import Progress
from hippograph.graph.clock import system_clock
from hippograph.graph.database import Database, Watch
from hippograph.graph.jobs.preflight import require_features
from hippograph.graph.local.server import Connection
from hippograph.graph.schema import migrate
from hippograph.graph.transfer.exports.graph_import import refuse_unfinished


@asynccontextmanager
async def open_connection(
    settings: Settings, progress: Progress | None = None, *, linger: bool = False
) -> AsyncIterator[Connection]:
    """Yields how to reach the Neo4j of the settings, or else the local one: started or shared, released at the end.

    With `linger` a server that was started for this keeps running for a while, so that the next command can use it.
    """
    if settings.neo4j_uri:
        assert settings.neo4j_password is not None
        password = settings.neo4j_password.get_secret_value()
        yield Connection(settings.neo4j_uri, settings.neo4j_user, password, http_url="", pid=0)
        return
    server = local_server(settings, progress, linger=linger)
    try:
        yield await asyncio.to_thread(server.start)
    finally:
        await asyncio.to_thread(server.release)


@asynccontextmanager
async def open_database(
    settings: Settings,
    connection: Connection,
    watch: Watch = nullcontext,
    statements: cypher.Statements | None = None,
) -> AsyncIterator[Database]:
    """Opens a driver for Neo4j, closed at the end. `watch` is that of `Database`; `statements` defaults to all of the
    service's.
    """
    name = settings.neo4j_database
    constants = {**CONSTANTS, "legacy_disclosable": settings.legacy_disclosable, "default_zone": settings.time_zone}
    database = Database.connect(
        connection.uri,
        connection.user,
        connection.password,
        statements or cypher.load(),
        name,
        constants,
        timeout_s=settings.neo4j_statement_timeout_s,
        watch=watch,
    )
    try:
        yield database
    finally:
        await database.close()


async def require_server(settings: Settings, database: Database) -> None:
    """Raises `DatabaseRefused` if the Neo4j named in the settings lacks a required feature; the local one has all."""
    if settings.neo4j_uri:
        await require_features(database)


@asynccontextmanager
async def open_graph(settings: Settings, progress: Progress, *, migrates: bool = True) -> AsyncIterator[Database]:
    """Opens the graph for a command that needs no service; `migrates` brings its schema up to date.

    Raises `SchemaMismatch` for a graph with an unfinished import.
    """
    async with (
        open_connection(settings, progress, linger=True) as connection,
        open_database(settings, connection) as database,
    ):
        await require_server(settings, database)
        await refuse_unfinished(database)
        if migrates:
            await migrate(database, system_clock)
        yield database
