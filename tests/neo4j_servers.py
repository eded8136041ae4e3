"""Neo4j servers for tests: the jars of hippograph with the stock configuration, and settings of a container."""

import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from neo4j import AsyncDriver, AsyncGraphDatabase

from hippograph.graph.artifacts.fetching import NEO4J_LOCK, fetch
from hippograph.graph.local import conf, logs, readiness
from hippograph.graph.local.folder import Folder
from hippograph.graph.local.java import choose, environment
from hippograph.graph.local.server import Connection

PASSWORD = "hippograph-tests"
DOCKER_IMAGE = "neo4j:2026.01.4-community"
PLUGINS = '["graph-data-science"]'
_HEAP_MB = 1024
_START_S = 180


def driver_of(connection: Connection) -> AsyncDriver:
    """Returns a driver for direct access to the server. Notifications are off: each repeats the whole statement."""
    auth = (connection.user, connection.password)
    return AsyncGraphDatabase.driver(connection.uri, auth=auth, notifications_min_severity="OFF")


def db_hits(plan: Any) -> int:
    """Returns the database hits of a plan that PROFILE returned, with those of its children."""
    return int(plan["args"].get("DbHits", 0)) + sum(map(db_hits, plan.get("children", [])))


def container_environment(settings: Mapping[str, str]) -> dict[str, str]:
    """Returns settings of Neo4j as environment variables of its Docker image, such as
    `NEO4J_db_query_default__language` for `db.query.default_language`.
    """
    return {f"NEO4J_{key.replace('_', '__').replace('.', '_')}": value for key, value in settings.items()}


@contextmanager
def run_neo4j(root: Path, cache: Path, port: int, settings: Mapping[str, str] | None = None) -> Iterator[str]:
    """Runs a server with the stock configuration and without GDS in the folder `root`, and yields its Bolt address.

    Its configuration file has only folders, addresses, the page cache, no HTTP, no usage reports, no wait at the end,
    and `settings`. The server is terminated at the end.
    """
    folder = Folder(root)
    folder.prepare()
    java = choose(None)
    jars = [jar for jar in fetch(NEO4J_LOCK, cache, None) if conf.PLUGIN_GROUP.parts != jar.parts[-6:-3]]
    given = {**_places(port), **(settings or {})}
    (folder.conf / "neo4j.conf").write_text("".join(f"{key}={value}\n" for key, value in given.items()), "utf-8")
    arguments, admin = folder.run / "java.args", folder.run / "admin.args"
    arguments.write_text(conf.java_arguments(java, jars, _HEAP_MB), "utf-8")
    if not folder.has_store:
        words = ["dbms", "set-initial-password", "--", PASSWORD]
        admin.write_text(conf.admin_arguments(arguments.read_text("utf-8"), *words), "utf-8")
        subprocess.run([java.path, f"@{admin}"], env=conf.admin_environment(folder), check=True, capture_output=True)
    with folder.console.open("wb") as console:
        process = subprocess.Popen(
            conf.server_command(java, folder, arguments, _HEAP_MB, []),
            env=environment(),
            stdout=console,
            stderr=console,
        )
    uri = f"bolt://127.0.0.1:{port}"
    try:
        _wait(process, uri, folder)
        yield uri
    finally:
        process.terminate()
        process.wait()


def _places(port: int) -> dict[str, str]:
    return {
        **conf.DIRECTORIES,
        "server.default_listen_address": "127.0.0.1",
        "server.bolt.listen_address": f"127.0.0.1:{port}",
        "server.bolt.advertised_address": f"127.0.0.1:{port}",
        "server.http.enabled": "false",
        "server.memory.pagecache.size": "128m",
        "dbms.usage_report.enabled": "false",  # tests send no reports
        "internal.dbms.bolt.netty_server_shutdown_quiet_period": "0",  # else ten idle seconds at the end, see conf.py
    }


def _wait(process: subprocess.Popen[bytes], uri: str, folder: Folder) -> None:
    deadline = time.monotonic() + _START_S
    while not readiness.answers(uri, PASSWORD, folder):
        assert process.poll() is None, logs.tail(folder, 50)
        assert time.monotonic() < deadline, logs.tail(folder, 50)
        time.sleep(0.2)
