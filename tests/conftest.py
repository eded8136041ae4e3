"""What tests against a real Neo4j share: one server and one service for the run, an empty graph for each test.

`--neo4j=managed` (the default) runs the server that hippograph itself would run, in a folder of its own.
`--neo4j=stock` runs the same jars as somebody else would: with the configuration that Neo4j comes with, without GDS.
`--neo4j=docker` runs a container through testcontainers. `--neo4j=bolt://user:password@host:port` uses a server
that is there already, and wipes it.
"""

import asyncio
import json
import os
import random
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, ExitStack, suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import hypothesis
import pytest

from benchmarks.environment import load_statements
from hippograph.api.service import Service
from hippograph.api.settings.file import FILE_VARIABLE
from hippograph.api.settings.settings import Settings
from hippograph.api.startup import open_service
from hippograph.graph.artifacts.embedding_models import fetch_embedder
from hippograph.graph.database import Database
from hippograph.graph.jobs.preflight import missing_features
from hippograph.graph.jobs.progress import Progress
from hippograph.graph.jobs.wipe import wipe as wipe_graph
from hippograph.graph.local.conf import EVERYWHERE
from hippograph.graph.model import Viewer
from tests.command_forks import CommandForks
from tests.embedding_noise import NoisyEncoder
from tests.llm_server import Server
from tests.neo4j_servers import DOCKER_IMAGE, PASSWORD, PLUGINS, container_environment, driver_of, run_neo4j

# How long an example takes is the machine's business; in CI hypothesis leaves its own limit out, elsewhere it does not.
hypothesis.settings.register_profile(
    "steady", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow], print_blob=True
)
hypothesis.settings.load_profile("steady")
# `--hypothesis-profile=thorough`: ten times as much, for property tests that take their number from the profile.
hypothesis.settings.register_profile("thorough", hypothesis.settings.get_profile("steady"), max_examples=1000)
# `--hypothesis-profile=long`: over a million decisions of the rule.
hypothesis.settings.register_profile("long", hypothesis.settings.get_profile("steady"), max_examples=3600)

pytest_plugins = ["tests.browser"]

JAVA_OPTIONS = {
    # A Neo4j loads so many classes that Java would look through the whole heap four times before it is ready.
    "MetaspaceSize": "256m",
    # Compiled well is what runs ten times as often as Java asks by default: a server that lives for minutes plans each
    # statement once, and spent as much time on compiling as on planning.
    "Tier4InvocationThreshold": 50_000,
    "Tier4MinInvocationThreshold": 6_000,
    "Tier4CompileThreshold": 150_000,
    "Tier4BackEdgeThreshold": 400_000,
}
"""What the Java of each server is told."""
MANAGED = "managed"
DOCKER = "docker"
STOCK = "stock"
_FIRST = (
    "test_visibility",
    "test_cli",
    "test_rights",
    "test_mcp_talk",
    "test_purged_bytes",
    "test_stock_neo4j",
    "test_memory_page_driven",
    "test_language_model",
    "test_examples",
    "test_year",
    "test_bad_days",
    "test_local_server",
    "test_notebooks",
    "test_shutdown",
    "test_disk_full",
    "test_dumps",
    "test_nothing_leaves",
    "test_fuzzing",
    "test_hearsay",
    "test_judge",
)
"""The files that take longest, the longest first."""
_LAST = frozenset(("test_erasure", "test_reembedding", "test_schema", "test_tokens"))
"""What creates and drops indexes on the run's server: it forgets all plans then, and makes each anew."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Lets a run choose its Neo4j, and move the vectors of its embedding model."""
    parser.addoption(
        "--neo4j", default=MANAGED, help="managed, stock, docker, or bolt://user:password@host:port (is wiped)"
    )
    parser.addoption(
        "--embedding-noise", type=int, default=1, metavar="SEED", help="by which vectors are moved a little"
    )


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """What asserts a ranking is tested twice: with the model's vectors, and with vectors that are moved a little."""
    if metafunc.definition.get_closest_marker("embedding_ranked"):
        seeds = [None, metafunc.config.getoption("--embedding-noise")]
        metafunc.parametrize("embedding_noise", seeds, indirect=True, ids=["vectors", "moved vectors"])


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files that take longest begin first, so that of several processes none ends long after the others."""

    def place(item: pytest.Item) -> int:
        name = item.path.stem
        return _FIRST.index(name) if name in _FIRST else len(_FIRST) + (name in _LAST)

    items.sort(key=place)


class MovingClock:
    """The machine's time, moved: `advance` takes it forward (or back), `reset` puts it right again.

    After `stop` it stands still, so that how long something really takes has no part in what a lease or a limit does.
    """

    def __init__(self) -> None:
        self._moved = timedelta()
        self._stopped: datetime | None = None

    def __call__(self) -> datetime:
        """The present moment as the test wants it, in UTC."""
        return (self._stopped or datetime.now(UTC)) + self._moved

    def stop(self) -> None:
        """Only `advance` moves the time from here on."""
        self._stopped = datetime.now(UTC)

    def advance(self, by: timedelta) -> None:
        """Moves the time, on top of what it was moved before."""
        self._moved += by

    def reset(self) -> None:
        """Back to the machine's time."""
        self._moved = timedelta()
        self._stopped = None


def own_settings(data_dir: Path, **more: Any) -> Settings:
    """Settings of a service with a data folder, ports and a small Neo4j of its own, whatever other tests use."""
    given = {"port": free_port(), "neo4j_bolt_port": free_port(), "neo4j_http_port": free_port(), **more}
    return Settings(
        _env_file=None,  # type: ignore[call-arg]
        data_dir=data_dir,
        neo4j_heap_mb=512,
        neo4j_pagecache_mb=64,
        neo4j_start_timeout_s=600,
        local_user="tester",
        **given,
    )


def free_port() -> int:
    """A port that nobody has now, and that no outgoing connection and no other server is given while ours is down."""
    for port in random.sample(range(20_000, 30_000), 1_000):
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port
    raise AssertionError("no port is free")


@pytest.fixture(scope="session", autouse=True)
def _own_environment() -> Iterator[None]:
    """What a developer has set for their own service, or has in a file, is not for tests; where downloads are is."""
    foreign = [name for name in os.environ if name.startswith("HIPPOGRAPH_") and name != "HIPPOGRAPH_CACHE_DIR"]
    with pytest.MonkeyPatch.context() as patch:
        for name in foreign:
            patch.delenv(name)
        patch.setenv(FILE_VARIABLE, os.devnull)  # for commands that tests run
        patch.setenv("JDK_JAVA_OPTIONS", " ".join(f"-XX:{name}={value}" for name, value in JAVA_OPTIONS.items()))
        patch.setitem(Settings.model_config, "env_file", None)
        yield


@pytest.fixture(scope="session")
def settings(
    pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory, _own_environment: None
) -> Iterator[Settings]:
    """The settings of the run's service: everything by default but the server, its folder and its size."""
    common: dict[str, Any] = {
        "_env_file": None,
        "data_dir": tmp_path_factory.mktemp("hippograph"),
        "neo4j_heap_mb": 1024,  # the plans of all statements fill half of it: with less the collector never rests
        "neo4j_pagecache_mb": 128,
        "neo4j_start_timeout_s": 600,
        "neo4j_statement_timeout_s": 300,
        "local_user": "tester",
    }
    choice = pytestconfig.getoption("--neo4j")
    if choice == MANAGED:
        yield Settings(**common)
    elif choice == STOCK:
        root = tmp_path_factory.mktemp("stock")
        with ExitStack() as stack:
            uri = stack.enter_context(run_neo4j(root, Settings(**common).cache_dir, free_port()))
            yield Settings(**common, neo4j_uri=uri, neo4j_password=PASSWORD)
    elif choice == DOCKER:
        yield from _in_docker(common)
    else:
        yield Settings(**common, **_of_address(choice))


def _of_address(address: str) -> dict[str, Any]:
    parts = urlsplit(address)
    if not parts.hostname:
        pytest.exit(f"--neo4j={address}: give managed, stock, docker, or bolt://user:password@host:port", returncode=4)
    return {
        "neo4j_uri": f"{parts.scheme}://{parts.hostname}:{parts.port or 7687}",
        "neo4j_user": unquote(parts.username or "neo4j"),
        "neo4j_password": unquote(parts.password or ""),
    }


def _in_docker(common: dict[str, Any]) -> Iterator[Settings]:
    containers = pytest.importorskip("testcontainers.neo4j", reason="--neo4j=docker needs `pip install testcontainers`")
    try:
        container = containers.Neo4jContainer(DOCKER_IMAGE, password=PASSWORD)
        for name, value in {"NEO4J_PLUGINS": PLUGINS, **container_environment(EVERYWHERE)}.items():
            container.with_env(name, value)
        container.start()
    except Exception as error:  # whatever the client raises when no engine answers
        pytest.exit(
            f"--neo4j=docker: no Docker engine answers ({error}); --neo4j=managed has the same settings", returncode=4
        )
    try:
        yield Settings(**common, neo4j_uri=container.get_connection_url(), neo4j_password=PASSWORD)
    finally:
        container.stop()


@pytest.fixture(scope="session")
def moving_clock() -> MovingClock:
    """The clock of the run's service; tests use `clock`, which is right again for each."""
    return MovingClock()


@pytest.fixture(scope="session")
async def shared_service(settings: Settings, moving_clock: MovingClock) -> AsyncIterator[Service]:
    """The one service of the run. For fixtures of a whole module that fill the graph once; tests use `service`."""
    opening = open_service(settings, clock=moving_clock, names=True, facts=True, statements=load_statements())
    async with AsyncExitStack() as stack:
        opened = await stack.enter_async_context(opening)
        await opened.enrichment.step()  # the sounds of the local user's name are there once and for all
        yield opened


@pytest.fixture(autouse=True)
def embedding_noise(request: pytest.FixtureRequest) -> Iterator[None]:
    """Moves each vector a little for a test whose parameter is a seed, before others fill the graph for it."""
    seed: int | None = getattr(request, "param", None)
    if seed is None:
        yield
        return
    embedder = request.getfixturevalue("shared_service").embedder
    plain = embedder._encoder
    embedder.wrap_encoder(lambda encoder: NoisyEncoder(encoder, seed))
    embedder._query.cache_clear()
    yield
    embedder.wrap_encoder(lambda _: plain)
    embedder._query.cache_clear()


@pytest.fixture
def clock(moving_clock: MovingClock) -> Iterator[MovingClock]:
    """The service's clock, to be moved: the machine's time when the test begins."""
    moving_clock.reset()
    yield moving_clock
    moving_clock.reset()


@pytest.fixture
async def service(shared_service: Service, clock: MovingClock) -> Service:
    """The service over an empty graph: the schema and the local user are all there is."""
    await wipe(shared_service)
    return replace(
        shared_service, progress=Progress(shared_service.database, shared_service.runner)
    )  # another test's backlogs are not told


@pytest.fixture
def database(service: Service) -> Database:
    """The service's connection, over an empty graph."""
    return service.database


@pytest.fixture(scope="session")
async def gds(shared_service: Service) -> None:
    """Skips what needs Graph Data Science where the run's Neo4j has none."""
    if missing := await missing_features(shared_service.database):
        pytest.skip(missing[0].what)


@pytest.fixture
def viewer(service: Service) -> Viewer:
    """The local user, in no chat."""
    return service.viewer()


@pytest.fixture
def drain(service: Service) -> Callable[[], Awaitable[int]]:
    """Does the slow path's work until nothing is due; how many memories and entities that were."""

    async def work() -> int:
        total = 0
        while done := await service.enrichment.step():
            total += done
        return total

    return work


_NODES = """
MATCH (n) WHERE NOT n:__Neo4jMigration AND NOT n:__Neo4jMigrationsLock AND NOT n:EmbeddingSlot AND NOT n:Lock
RETURN {labels: labels(n), properties: properties(n)} AS line
"""
_LINKS = """
MATCH (a)-[r]->(b) WHERE NOT a:__Neo4jMigration AND NOT a:__Neo4jMigrationsLock
RETURN {type: type(r), from: coalesce(a.id, a.name), to: coalesce(b.id, b.name), properties: properties(r)} AS line
"""


@pytest.fixture
async def dump(shared_service: Service) -> AsyncIterator[Callable[[], Awaitable[list[str]]]]:
    """Writes down the whole graph, sorted: all nodes and relationships with all they have, but for locks."""
    async with driver_of(shared_service.connection) as driver:

        async def write_down() -> list[str]:
            lines = []
            for text in (_NODES, _LINKS):
                records, _, _ = await driver.execute_query(text)
                for record in records:
                    line = record["line"]
                    line["properties"].pop("lock", None)
                    line.get("labels", []).sort()
                    lines.append(json.dumps(line, sort_keys=True, default=str))
            return sorted(lines)

        yield write_down


@pytest.fixture(scope="session")
def command_forks(root: Path, _own_environment: None) -> Iterator[CommandForks]:
    """Runs commands in processes that need not import anything."""
    forks = CommandForks({**os.environ, **plain_output(root)})
    yield forks
    forks.close()


def plain_output(root: Path) -> dict[str, str]:
    """Variables of a process of this repository whose output is for a test to read."""
    return {"PYTHONPATH": str(root), "COLUMNS": "120", "NO_COLOR": "1"}


@pytest.fixture(scope="session")
def bge_folder() -> Path:
    """The folder of the default embedding model, fetched once and kept in the user's cache."""
    return fetch_embedder("bge-small-en-v1.5", Settings(_env_file=None).cache_dir)


@pytest.fixture(scope="session")
def root() -> Path:
    """The folder of the repository."""
    return Path(__file__).parent.parent


async def wipe(service: Service) -> None:
    """Empties the graph in batches; the schema, the embedding slots and the local user stay."""
    await wipe_graph(service.database, service.local_user.id)
    await service.people.set_time_zone(service.viewer(), None)


@pytest.fixture
async def llm_server() -> AsyncIterator[Server]:
    """Listens on a free port of this machine."""
    server = Server()
    listening = await asyncio.start_server(server.serve, "127.0.0.1", 0, limit=2**22)
    server.port = listening.sockets[0].getsockname()[1]
    yield server
    listening.close()
