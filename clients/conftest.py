"""What tests of the clients share: the service as a user starts it, an account for each test, and a talk over weeks.

`--hippograph` is the command of the service, `--neo4j=bolt://user:password@host:port` a Neo4j that is there already; it
is not wiped. Without it `hippograph neo4j start` starts one in a folder of its own.
"""

import json
import os
import re
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.request import urlopen
from uuid import uuid4

import pytest

ROOT = Path(__file__).parents[1]
_START_S = 300
_LINGER_S = 600


def pytest_addoption(parser: pytest.Parser) -> None:
    """Says which service is tested, and over which Neo4j."""
    parser.addoption("--hippograph", default=str(ROOT / ".venv/bin/hippograph"), help="the command of the service")
    parser.addoption("--neo4j", help="bolt://user:password@host:port; without it one is started")


@dataclass
class Served:
    """`hippograph serve`, which asks for credentials, and a key that acts for everybody."""

    command: str
    environment: dict[str, str]
    port: int
    log: Path
    token: str = ""
    _process: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    @property
    def url(self) -> str:
        """Where it answers."""
        return f"http://127.0.0.1:{self.port}"

    def run(self, *words: str) -> str:
        """What another command of the service prints."""
        done = subprocess.run(
            [self.command, *words], env=self.environment, check=True, stdout=subprocess.PIPE, timeout=_START_S
        )
        return done.stdout.decode()

    def token_of(self, account: str, *rights: str) -> str:
        """A new key of an account's."""
        return next(word for word in self.run("token", "create", account, *rights).split() if word.startswith("hippo_"))

    def start(self) -> None:
        """Starts it, and waits until it is ready."""
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [self.command, "serve"], env=self.environment, stdout=log, stderr=subprocess.STDOUT
            )
        deadline = time.monotonic() + _START_S
        while not self._ready():
            assert self._process.poll() is None, self.log.read_text("utf-8")[-4000:]
            assert time.monotonic() < deadline, "the service did not start in time"
            time.sleep(0.2)

    def stop(self) -> None:
        """Ends it as an operator would."""
        assert self._process
        self._process.terminate()
        self._process.wait(60)

    def restart(self) -> None:
        """Ends it and starts it again."""
        self.stop()
        self.start()

    def _ready(self) -> bool:
        try:
            with urlopen(f"{self.url}/readyz", timeout=5) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False


def free_port() -> int:
    """A port that nobody has now."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


@pytest.fixture(scope="session")
def served(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The service of the run."""
    folder, port, where = tmp_path_factory.mktemp("hippograph"), free_port(), pytestconfig.getoption("--neo4j")
    given = {
        "DATA_DIR": str(folder),
        "PORT": str(port),
        "AUTH": "credentials",
        "NEO4J_BOLT_PORT": str(free_port()),
        "NEO4J_HTTP_PORT": str(free_port()),
        "NEO4J_HEAP_MB": "512",
        "NEO4J_LINGER_S": str(_LINGER_S),
        "ENV_FILE": os.devnull,
    }
    if where:
        account, _, address = where.removeprefix("bolt://").rpartition("@")
        user, _, password = account.partition(":")
        given |= {"NEO4J_URI": f"bolt://{address}", "NEO4J_USER": user, "NEO4J_PASSWORD": password}
    kept = {name: value for name, value in os.environ.items() if not name.startswith("HIPPOGRAPH_")}
    cache = {name: value for name, value in os.environ.items() if name == "HIPPOGRAPH_CACHE_DIR"}
    environment = {**kept, **cache, **{f"HIPPOGRAPH_{name}": value for name, value in given.items()}}
    found = Served(pytestconfig.getoption("--hippograph"), environment, port, folder / "serve.log")
    if not where:
        found.run("neo4j", "start")
    found.token = found.token_of("app", "--acts-for", "*", "--records", "*")
    found.start()
    yield found
    found.stop()
    if not where:
        found.run("neo4j", "stop")


@pytest.fixture
def account() -> str:
    """The account of somebody new."""
    return f"user-{uuid4().hex[:8]}"


@pytest.fixture
def place(served: Served, account: str) -> dict[str, str]:
    """What a client is told: where the service is, and on whose behalf it asks."""
    return {"url": served.url, "token": served.token, "user": account}


@pytest.fixture
def documented(served: Served) -> Callable[[str], dict[str, Any]]:
    """Runs the lines of docs/how-to/clients.md that import a module; gives their names."""

    def run(module: str) -> dict[str, Any]:
        page = (ROOT / "docs/how-to/clients.md").read_text("utf-8")
        blocks = re.findall(r"```python\n(.+?)```", page, re.DOTALL)
        lines = next(each for each in blocks if f"from {module} import" in each)
        token = served.token_of(f"user-{uuid4().hex[:8]}", "--records", "*")
        names: dict[str, Any] = {}
        exec(lines.replace("http://127.0.0.1:8000", served.url).replace("hippo_…", token), names)
        return names

    return run


@pytest.fixture(scope="session")
def newcomer() -> dict[str, Any]:
    """Sessions of somebody new over ten weeks, and twenty questions with the words of their answers."""
    told: dict[str, Any] = json.loads((ROOT / "tests/newcomer.json").read_text("utf-8"))
    return told
