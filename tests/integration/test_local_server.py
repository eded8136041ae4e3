"""The life of a local server: shared, killed in several ways, dumped, damaged. The tests share one data folder, in
order.
"""

import json
import os
import re
import shutil
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import urlopen

import neo4j
import platformdirs
import psutil
import pytest

from hippograph.graph.errors import JavaUnusable, LocalServerError, PortTaken, StoreUnusable
from hippograph.graph.local import replacing, supervisor
from hippograph.graph.local.dumps import dump, made_dumps, restore
from hippograph.graph.local.server import Connection, LocalConfig, LocalServer

ROOT = Path(__file__).parents[2]
CACHE = Path(platformdirs.user_cache_dir("hippograph"))

OWNER = """
import dataclasses, json, sys
from pathlib import Path
from hippograph.graph.local.server import LocalConfig, LocalServer
server = LocalServer(LocalConfig(Path(sys.argv[1]), Path(sys.argv[2]), heap_mb=512, start_timeout_s=600))
print(json.dumps(dataclasses.asdict(server.start())), flush=True)
sys.stdin.read()
"""


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The data folder that these tests share; a server that still runs at the end is stopped."""
    path = tmp_path_factory.mktemp("local") / 'Jürgen\'s "data" folder'
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LC_ALL", "C")  # in which Java has no ü
        # One generated password in 64 begins with a dash, like an option; here each one does.
        patch.setattr("hippograph.graph.local.folder.secrets.token_urlsafe", lambda _: "-begins-with-a-dash")
        yield path
    LocalServer(config(path)).stop()


@pytest.fixture
def server(data_dir: Path) -> Iterator[LocalServer]:
    """The `LocalServer` of the shared folder, whose server may run or not; its lease is released at the end."""
    server = LocalServer(config(data_dir))
    yield server
    server.release()


@pytest.fixture
def keeper(data_dir: Path) -> Iterator[LocalServer]:
    """Another user of the server, which is kept running from one test to the next."""
    server = LocalServer(config(data_dir))
    server.start(keep=True)
    yield server
    server.release()


@pytest.fixture
def copy(data_dir: Path, tmp_path: Path) -> Path:
    """A copy of the shared folder, whose server is stopped."""
    LocalServer(config(data_dir)).stop()
    path = tmp_path / "copy"
    shutil.copytree(data_dir, path, symlinks=True)
    return path


def config(data_dir: Path, **changes: object) -> LocalConfig:
    """The configuration of these tests."""
    return LocalConfig(data_dir, CACHE, heap_mb=512, start_timeout_s=600, **changes)  # type: ignore[arg-type]


def ask(connection: Connection, query: str) -> list[object]:
    """The values in the first column of a query's result."""
    with neo4j.GraphDatabase.driver(connection.uri, auth=(connection.user, connection.password)) as driver:
        return [record[0] for record in driver.execute_query(query, database_="neo4j").records]  # type: ignore[arg-type]


def words(server: LocalServer) -> list[object]:
    """The words that tests keep in the graph of a server, which is started or shared for this, and then released."""
    try:
        return ask(server.start(), "MATCH (n:Kept) RETURN n.word ORDER BY n.word")
    finally:
        server.release()


def until(condition: Callable[[], object]) -> None:
    """Waits until a condition is true, without a timeout of its own; pytest's timeout ends the test."""
    while not condition():
        time.sleep(0.1)


def gone(pid: int) -> bool:
    """Whether a process has ended."""
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def owner(data_dir: Path) -> subprocess.Popen[str]:
    """Another process, which starts or shares the server and holds a lease on it until its standard input is closed."""
    return subprocess.Popen(
        [sys.executable, "-c", OWNER, str(data_dir), str(CACHE)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def connection_of(process: subprocess.Popen[str]) -> Connection:
    """The connection that a process of `owner` was given."""
    assert process.stdout is not None
    return Connection(**json.loads(process.stdout.readline()))


def test_answers_with_gds_and_browser(keeper: LocalServer, server: LocalServer) -> None:
    """A started server answers queries, has GDS in the expected version, and serves Browser."""
    connection = server.start()

    assert ask(connection, "RETURN gds.version()") == ["2.26.0"]
    with urlopen(f"{connection.http_url}/browser/") as page:
        assert page.status == 200
        assert b"html" in page.read()[:200].lower()


@pytest.mark.parametrize("page", ["browser/", "browser/preview/"])
def test_browser_reaches_this_server_alone(keeper: LocalServer, server: LocalServer, page: str) -> None:
    """The security policy of Browser's pages allows only their own origin, inline data, and this server's Bolt port."""
    connection = server.start()
    bolt = urlsplit(connection.uri).port
    with urlopen(f"{connection.http_url}/{page}") as answer:
        policy = answer.headers["Content-Security-Policy"]
    directives = {name: set(sources) for name, *sources in (each.split() for each in policy.split(";"))}
    here = {f"{scheme}://{host}:{bolt}" for scheme in ("ws", "http") for host in ("127.0.0.1", "localhost")}

    assert {"'self'"} == directives["default-src"]
    assert {"'self'", *here} == directives["connect-src"]
    assert set().union(*directives.values()) <= {"'self'", "'none'", "'unsafe-inline'", "data:", *here}
    assert "'unsafe-inline'" not in directives.get("script-src", set())


def test_speaks_cypher_25_on_loopback_only(keeper: LocalServer, server: LocalServer) -> None:
    """Queries are Cypher 25 by default, and both ports listen on the loopback address only."""
    connection = server.start()
    listening = [c for c in psutil.Process(connection.pid).net_connections() if c.status == psutil.CONN_LISTEN]

    assert ask(connection, "LET x = 2 RETURN x") == [2]
    assert len(listening) == 2
    assert {"127.0.0.1"} == {c.laddr.ip.removeprefix("::ffff:") for c in listening}


def test_secrets_are_the_owners_alone(keeper: LocalServer, server: LocalServer, data_dir: Path) -> None:
    """Only the owner may read the password file and enter the folder; the password is not in the command line."""
    connection = server.start()
    password = data_dir / "password"

    assert stat.S_IMODE(password.stat().st_mode) == 0o600
    assert stat.S_IMODE(data_dir.stat().st_mode) == 0o700
    assert connection.password == password.read_text()
    assert connection.password not in " ".join(psutil.Process(connection.pid).cmdline())


def test_status_and_logs(keeper: LocalServer, server: LocalServer) -> None:
    """The status has the server's address, process and number of users; the logs end with Neo4j's last lines."""
    connection = server.start()
    status = server.status()

    assert ("running", connection.uri, connection.pid, 0) == (status.phase, status.uri, status.pid, status.restarts)
    assert status.users == 2
    assert status.keep
    assert "Started." in server.logs(5)


def test_second_process_shares_the_server(keeper: LocalServer, server: LocalServer, data_dir: Path) -> None:
    """A second process on the same folder gets the same server, which keeps running when that process ends."""
    connection = server.start()
    other = owner(data_dir)

    assert connection == connection_of(other)
    assert server.status().users == 3
    other.communicate()
    until(lambda: server.status().users == 2)
    assert ask(connection, "RETURN 1") == [1]


def test_taken_port_is_named(keeper: LocalServer, data_dir: Path, tmp_path: Path) -> None:
    """A configured port that another program has raises an error with the port, the process and the setting."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(PortTaken, match=rf"{port}.*process {os.getpid()}.*HIPPOGRAPH_NEO4J_BOLT_PORT"):
            LocalServer(config(tmp_path / "other", bolt_port=port)).start()


def test_a_port_that_is_taken_meanwhile_is_left_to_its_taker(keeper: LocalServer, tmp_path: Path) -> None:
    """If another program takes the chosen port before Neo4j opens it, the server starts on another port."""
    server = LocalServer(config(tmp_path / "late"))
    with ThreadPoolExecutor(1) as pool:
        started = pool.submit(server.start)
        until(server.folder.launch.exists)
        port = supervisor.read_json(server.folder.launch)["bolt_port"]
        with socket.create_server(("127.0.0.1", port)):
            connection = started.result()
    try:
        assert urlsplit(connection.uri).port != port
        assert ask(connection, "RETURN 1") == [1]
    finally:
        server.stop()


def test_wrong_java_is_named(tmp_path: Path) -> None:
    """A configured Java that is too old raises an error with its version."""
    java = tmp_path / "java"
    java.write_text("#!/bin/sh\necho 'openjdk version \"11.0.2\"' >&2\n")
    java.chmod(0o755)

    with pytest.raises(JavaUnusable, match="version 11"):
        LocalServer(config(tmp_path / "data", java=java)).start()


def test_killed_java_is_restarted(keeper: LocalServer, server: LocalServer) -> None:
    """If Java is killed, the supervisor restarts it on the same ports, with all committed data."""
    connection = server.start()
    ask(connection, "CREATE (n:Kept {word: 'committed'})")
    os.kill(connection.pid, signal.SIGKILL)
    until(lambda: (server.status().phase, server.status().restarts) == ("running", 1))

    again = server.start()

    assert (connection.uri, connection.http_url) == (again.uri, again.http_url)
    assert connection.pid != again.pid
    assert ask(again, "MATCH (n:Kept) RETURN n.word") == ["committed"]
    assert server.status().restarts == 1


def test_gives_up_after_three_restarts(keeper: LocalServer, server: LocalServer) -> None:
    """If Java keeps dying, the supervisor gives up after three restarts and ends; the status keeps the reason."""
    killed: set[int] = set()

    def kill_java() -> bool:
        pid = server.status().pid
        if pid and pid not in killed:
            os.kill(pid, signal.SIGKILL)
            killed.add(pid)
        return server.status().phase == "failed"

    until(kill_java)

    assert re.search(r"signal 9.*restarted 3 times within 5 minutes", server.status().reason)
    assert all(gone(pid) for pid in killed)
    until(lambda: not server.status().supervisor_pid)  # it writes the reason before it ends


def test_stale_traces_are_recognised(data_dir: Path) -> None:
    """A recorded pid that now belongs to another program does not count as the server, and `stop` leaves it running."""
    bystander = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    server = LocalServer(config(data_dir))
    stale = {"phase": "running", "java_pid": bystander.pid, "supervisor_pid": bystander.pid}
    (data_dir / "run" / "state.json").write_text(json.dumps(stale))
    (data_dir / "run" / "leases" / f"{bystander.pid}-1").touch()
    try:
        assert server.status().phase == "stopped"
        assert not server.stop()
        assert bystander.poll() is None
    finally:
        bystander.kill()
        bystander.wait()


def test_starters_at_once_share_and_leave_no_orphan(data_dir: Path) -> None:
    """Two processes that start at once share one server, which survives when one is killed and ends when both are."""
    first, second = owner(data_dir), owner(data_dir)
    connection = connection_of(first)
    assert connection == connection_of(second)
    assert ask(connection, "MATCH (n:Kept) RETURN n.word") == ["committed"]
    server = LocalServer(config(data_dir))
    supervisor = server.status().supervisor_pid
    assert supervisor

    first.kill()
    first.communicate()
    until(lambda: server.status().users == 1)
    assert ask(connection, "RETURN 1") == [1]
    second.kill()
    second.communicate()

    until(lambda: gone(connection.pid) and gone(supervisor))
    assert server.status().phase == "stopped"


def test_one_that_lingers_serves_the_next_and_ends_with_who_does_not_linger(data_dir: Path) -> None:
    """A server started with `linger_s` outlives its starter, until a later user without `linger_s` releases it."""
    LocalServer(config(data_dir)).stop()
    command, service = LocalServer(config(data_dir, linger_s=3600)), LocalServer(config(data_dir))
    started = command.start().pid
    command.release()
    time.sleep(5 * supervisor.POLL_S)  # time for the supervisor to check the leases
    assert started == service.start().pid
    service.release()
    until(lambda: gone(started))


def test_killed_supervisor_takes_java_along(data_dir: Path) -> None:
    """If the supervisor is killed, Java ends too, and the next start has the committed data."""
    server = LocalServer(config(data_dir))
    connection = server.start()
    supervisor = server.status().supervisor_pid
    assert supervisor
    os.kill(supervisor, signal.SIGKILL)

    until(lambda: gone(connection.pid))
    assert (server.status().phase, server.status().reason) == ("stopped", "its supervisor was killed")

    again = server.start()
    assert ask(again, "MATCH (n:Kept) RETURN n.word") == ["committed"]
    assert server.stop()
    assert gone(again.pid)


def test_a_dump_is_restored_elsewhere_and_over_another_graph(data_dir: Path, tmp_path: Path) -> None:
    """A dump restores its graph into another folder. It replaces a graph only with `overwrite`. If the file is no dump
    or the restore is killed while it loads, the old graph stays.
    """
    first, second = LocalServer(config(data_dir)), LocalServer(config(tmp_path / "second"))
    file = tmp_path / "dümps" / 'the "first".dump'
    assert dump(first, file) == file
    assert made_dumps(first.folder) == [str(file)]
    assert [path.name for path in file.parent.iterdir()] == [file.name]
    with pytest.raises(LocalServerError, match="there already"):
        dump(first, file)

    try:
        restore(second, file)
        assert words(second) == ["committed"]
        ask(second.start(), "CREATE (:Kept {word: 'second'})")
        with pytest.raises(LocalServerError, match="processes use"):
            restore(second, file, overwrite=True)
        second.release()
        with pytest.raises(LocalServerError, match="--overwrite"):
            restore(second, file)
        (tmp_path / "no.dump").write_bytes(b"no dump")
        with pytest.raises(LocalServerError, match="database load failed"):
            restore(second, tmp_path / "no.dump", overwrite=True)
        assert (second.status().phase, second.folder.replacing.exists()) == ("stopped", False)
        replacing.begin(second.folder)  # the state after a restore that is killed while it loads
        second.folder.store("neo4j")[0].mkdir()
        assert words(second) == ["committed", "second"]
        restore(second, file, overwrite=True)
        second.folder.store("neo4j.replaced")[0].mkdir()  # killed while it removes the old graph
        with pytest.raises(LocalServerError, match="--overwrite"):
            restore(second, file)
        assert words(second) == ["committed"]
    finally:
        second.stop()


def test_a_folder_without_a_graph_has_nothing_to_dump(tmp_path: Path) -> None:
    """Dumping a folder without a graph is refused, and no file is written."""
    with pytest.raises(LocalServerError, match="no graph"):
        dump(LocalServer(config(tmp_path / "empty")), tmp_path / "file.dump")
    assert not (tmp_path / "file.dump").exists()


def test_damaged_store_is_named(copy: Path) -> None:
    """A store that cannot be opened raises an error with Neo4j's reason and the folder; no server is left running."""
    for path in (copy / "data" / "databases" / "neo4j").glob("neostore*"):
        path.write_bytes(b"\xff" * 8192)
    server = LocalServer(config(copy))

    with pytest.raises(StoreUnusable, match=r"(?s)Restore the data folder.*Caused by: .*The end of its log") as caught:
        server.start()

    assert str(copy) in str(caught.value)
    assert server.status().phase == "stopped"
    assert not server.stop()


def test_wrong_password_is_named(copy: Path) -> None:
    """A wrong password raises an error with the path of its file; so does a missing one. No server is left running."""
    server = LocalServer(config(copy))

    (copy / "password").write_text("another-password")
    with pytest.raises(StoreUnusable, match=r"refuses the password in .*copy/password"):
        server.start()
    (copy / "password").unlink()
    with pytest.raises(StoreUnusable, match=r"password is missing"):
        server.start()
    assert server.status().phase == "stopped"


def test_servers_of_two_folders_may_start_at_once(data_dir: Path, copy: Path) -> None:
    """Two servers of different folders that start at once have different ports, and both answer. Both had the same
    ports before.
    """
    servers = [LocalServer(config(folder)) for folder in (data_dir, copy)]
    try:
        with ThreadPoolExecutor(2) as pool:
            one, two = pool.map(LocalServer.start, servers)
        assert len({one.uri, two.uri, one.http_url, two.http_url}) == 4
        assert [ask(one, "RETURN 1"), ask(two, "RETURN 2")] == [[1], [2]]
    finally:
        for server in servers:
            server.stop()
