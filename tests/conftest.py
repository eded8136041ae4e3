"""Fixtures of tests that need Neo4j: one server and one service for the whole run, and an empty graph for each test.

`--neo4j=managed` (the default) runs the server that hippograph itself would run, in a folder of its own.
`--neo4j=stock` runs the same jars with the stock configuration of Neo4j and without GDS. `--neo4j=docker` runs a
container through testcontainers. `--neo4j=bolt://user:password@host:port` uses a running server, and wipes it.
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

# How long an example takes depends on the machine. By itself, hypothesis drops its deadline only in CI.
hypothesis.settings.register_profile(
    "steady", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow], print_blob=True
)
hypothesis.settings.load_profile("steady")
# `--hypothesis-profile=thorough`: ten times as many examples in tests that take their number from the profile.
hypothesis.settings.register_profile("thorough", hypothesis.settings.get_profile("steady"), max_examples=1000)
# `--hypothesis-profile=long`: over a million decisions of the visibility rule.
hypothesis.settings.register_profile("long", hypothesis.settings.get_profile("steady"), max_examples=3600)

pytest_plugins = ["tests.browser"]

JAVA_OPTIONS = {
    # Neo4j loads so many classes that with the default Java would collect the whole heap four times until it is ready.
    "MetaspaceSize": "256m",
    # Ten times the default thresholds of the optimizing compiler: a server that lives for minutes plans each statement
    # once, and spent as much time on compiling as on planning.
    "Tier4InvocationThreshold": 50_000,
    "Tier4MinInvocationThreshold": 6_000,
    "Tier4CompileThreshold": 150_000,
    "Tier4BackEdgeThreshold": 400_000,
}
"""Options of the Java virtual machine of each Neo4j."""
MANAGED = "managed"
DOCKER = "docker"
STOCK = "stock"
_FIRST = (
    "test_visibility",
    "test_cli",
    "test_rights",
    "test_life_of_a_service",
    "test_local_server",
    "test_mcp_talk",
    "test_purged_bytes",
    "test_stock_neo4j",
    "test_memory_page_driven",
    "test_language_model",
    "test_examples",
    "test_year",
    "test_bad_days",
    "test_sample",
    "test_disk_full",
    "test_fuzzing",
    "test_hearsay",
)
"""The test files that take longest, the longest first."""
_LAST = frozenset(("test_erasure", "test_reembedding", "test_schema", "test_tokens"))
"""The test files that create or drop indexes on the run's server. Neo4j then discards all cached query plans."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds `--neo4j`, the server to use, and `--embedding-noise`, the seed of the noise that is added to vectors."""
    parser.addoption(
        "--neo4j", default=MANAGED, help="managed, stock, docker, or bolt://user:password@host:port (is wiped)"
    )
    parser.addoption(
        "--embedding-noise", type=int, default=1, metavar="SEED", help="by which vectors are moved a little"
    )


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Runs tests marked `embedding_ranked`, which assert a ranking, twice: with the model's vectors and noisy ones."""
    if metafunc.definition.get_closest_marker("embedding_ranked"):
        seeds = [None, metafunc.config.getoption("--embedding-noise")]
        metafunc.parametrize("embedding_noise", seeds, indirect=True, ids=["vectors", "moved vectors"])


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Sorts the files: `_FIRST` first, so that parallel processes end at about the same time, and `_LAST` last."""

    def place(item: pytest.Item) -> int:
        name = item.path.stem
        return _FIRST.index(name) if name in _FIRST else len(_FIRST) + (name in _LAST)

    items.sort(key=place)


class MovingClock:
    """A clock that shows the machine's time with an offset. `advance` changes the offset, `reset` sets it to zero.

    After `stop` only `advance` moves it, so that leases and time limits do not depend on how long the test takes.
    """

    def __init__(self) -> None:
        self._moved = timedelta()
        self._stopped: datetime | None = None

    def __call__(self) -> datetime:
        """Returns the time of this clock, in UTC."""
        return (self._stopped or datetime.now(UTC)) + self._moved

    def stop(self) -> None:
        """Stops the clock; from now on only `advance` moves it."""
        self._stopped = datetime.now(UTC)

    def advance(self, by: timedelta) -> None:
        """Moves the clock by a duration, which may be negative; it adds to earlier moves."""
        self._moved += by

    def reset(self) -> None:
        """Sets the clock to the machine's time and lets it run."""
        self._moved = timedelta()
        self._stopped = None


def own_settings(data_dir: Path, **more: Any) -> Settings:
    """Settings of a service with its own data folder, ports and small Neo4j, apart from what other tests use."""
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
    """Returns a free port, below those that the system assigns, so that nobody gets it while our server is down."""
    for port in random.sample(range(20_000, 30_000), 1_000):
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port
    raise AssertionError("no port is free")


@pytest.fixture(scope="session", autouse=True)
def _own_environment() -> Iterator[None]:
    """Hides the developer's own settings, of variables and of a file, and their data folder from the tests. The cache
    folder is shared.
    """
    foreign = [name for name in os.environ if name.startswith("HIPPOGRAPH_") and name != "HIPPOGRAPH_CACHE_DIR"]
    with pytest.MonkeyPatch.context() as patch:
        for name in foreign:
            patch.delenv(name)
        patch.setenv(FILE_VARIABLE, os.devnull)  # for commands that tests run
        # Below a file no folder can be made: a command fails if it would start a Neo4j and is given no folder.
        patch.setenv("HIPPOGRAPH_DATA_DIR", f"{os.devnull}/none")
        patch.setenv("JDK_JAVA_OPTIONS", " ".join(f"-XX:{name}={value}" for name, value in JAVA_OPTIONS.items()))
        patch.setitem(Settings.model_config, "env_file", None)
        yield


@pytest.fixture(scope="session")
def settings(
    pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory, _own_environment: None
) -> Iterator[Settings]:
    """The settings of the run's service: the defaults, except for the server, its folder, its size and its timeouts."""
    common: dict[str, Any] = {
        "_env_file": None,
        "data_dir": tmp_path_factory.mktemp("hippograph"),
        "neo4j_heap_mb": 1024,  # the plans of all statements fill half of it; with less, it is always collected
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
    except Exception as error:  # the client raises various exceptions if no engine answers
        pytest.exit(
            f"--neo4j=docker: no Docker engine answers ({error}); --neo4j=managed has the same settings", returncode=4
        )
    try:
        yield Settings(**common, neo4j_uri=container.get_connection_url(), neo4j_password=PASSWORD)
    finally:
        container.stop()


@pytest.fixture(scope="session")
def moving_clock() -> MovingClock:
    """The clock of the run's service. Tests use `clock`, which is reset for each of them."""
    return MovingClock()


@pytest.fixture(scope="session")
async def shared_service(settings: Settings, moving_clock: MovingClock) -> AsyncIterator[Service]:
    """The one service of the run, for module-scoped fixtures that fill the graph once. Tests use `service`."""
    opening = open_service(settings, clock=moving_clock, names=True, facts=True, statements=load_statements())
    async with AsyncExitStack() as stack:
        opened = await stack.enter_async_context(opening)
        await opened.enrichment.step()  # stores the phonetic codes of the local user's name once
        yield opened


@pytest.fixture(autouse=True)
def embedding_noise(request: pytest.FixtureRequest) -> Iterator[None]:
    """Adds noise to all vectors if the test's parameter is a seed, before other fixtures fill the graph."""
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
    """The service's clock, which the test can move. It shows the machine's time at the start."""
    moving_clock.reset()
    yield moving_clock
    moving_clock.reset()


@pytest.fixture
async def service(shared_service: Service, clock: MovingClock) -> Service:
    """The service with an empty graph, which has only the schema and the local user."""
    await wipe(shared_service)
    return replace(
        shared_service, progress=Progress(shared_service.database, shared_service.runner)
    )  # without the cached backlogs of another test


@pytest.fixture
def database(service: Service) -> Database:
    """The service's database, with an empty graph."""
    return service.database


@pytest.fixture(scope="session")
async def gds(shared_service: Service) -> None:
    """Skips tests that need Graph Data Science if the run's Neo4j lacks it."""
    if missing := await missing_features(shared_service.database):
        pytest.skip(missing[0].what)


@pytest.fixture
def viewer(service: Service) -> Viewer:
    """The local user, in no chat."""
    return service.viewer()


@pytest.fixture
def drain(service: Service) -> Callable[[], Awaitable[int]]:
    """Returns a function that runs enrichment until nothing is due, and returns the number of memories and entities."""

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
    """Returns a function that lists all nodes and relationships with their properties, except locks, as sorted JSON."""
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
    """Runs commands in forked processes, which need not import anything."""
    forks = CommandForks({**os.environ, **plain_output(root)})
    yield forks
    forks.close()


def plain_output(root: Path) -> dict[str, str]:
    """Environment variables for a process of this repository whose output a test reads."""
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
    """A fake language model server that listens on a free port of this machine."""
    server = Server()
    listening = await asyncio.start_server(server.serve, "127.0.0.1", 0, limit=2**22)
    server.port = listening.sockets[0].getsockname()[1]
    yield server
    listening.close()
