"""Runs a local Neo4j: installs and starts it, shares it between processes, and stops it when no process needs it."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

from hippograph.graph.artifacts.fetching import NEO4J_LOCK, Progress, fetch
from hippograph.graph.errors import LocalServerError, PortTaken, ServerDidNotStart, StoreUnusable
from hippograph.graph.local import conf, logs, ports, readiness, replacing, supervisor
from hippograph.graph.local.archive import archive
from hippograph.graph.local.folder import Folder
from hippograph.graph.local.java import Java, choose, environment
from hippograph.graph.local.leases import Lease, count
from hippograph.graph.local.supervisor import is_held, read_json, write_json, write_private

log = logging.getLogger(__name__)

Installed = tuple[Java, list[Path]]

POLL_S = 0.1
SUPERVISOR_APPEARS_S = 10.0
ORPHAN_STOP_TIMEOUT_S = 60.0
PORTS_TRIED = 3  # maximum number of starts, each with new ports, if another program takes a port before Neo4j does


@dataclass(frozen=True, slots=True)
class LocalConfig:
    """The configuration of a local server. A port of None is chosen; a Java of None is found.

    `linger_s` is how long a server that was started with it stays after the last lease is released, in seconds.
    """

    data_dir: Path
    cache_dir: Path
    bolt_port: int | None = None
    http_port: int | None = None
    heap_mb: int = 512
    pagecache_mb: int = 128
    java: Path | None = None
    start_timeout_s: float = 120.0
    linger_s: float = 0


@dataclass(frozen=True, slots=True)
class Connection:
    """The addresses of a running server, the credentials for it, and the process id of its Java. `http_url` is empty if
    the server has no Neo4j Browser.
    """

    uri: str
    user: str
    password: str
    http_url: str
    pid: int


@dataclass(frozen=True, slots=True)
class Status:
    """The status of a local server.

    `phase` is one of the supervisor's: stopped, starting, running, restarting, stopping, failed. `reason` says why it
    stopped, failed or is restarting. `users` is the number of leases, `keep` whether it stays without any.
    """

    phase: str
    reason: str
    uri: str | None
    http_url: str | None
    pid: int | None
    supervisor_pid: int | None
    restarts: int
    users: int
    keep: bool
    data_dir: Path


class LocalServer:
    """One process's access to the server of one data folder, with at most one lease. Not thread-safe."""

    def __init__(self, config: LocalConfig, progress: Progress | None = None) -> None:
        self.config = config
        self.folder = Folder(config.data_dir.resolve())
        self._progress = progress
        self._lease: Lease | None = None
        self._launched = False

    def install(self) -> Installed:
        """Finds a Java and downloads the jars that are missing. Returns the Java and the paths of all verified jars."""
        return choose(self.config.java), fetch(NEO4J_LOCK, self.config.cache_dir, self._progress)

    def start(self, *, keep: bool = False) -> Connection:
        """Starts the server, or shares the one that runs, and holds a lease on it until `release`.

        With `keep` it stays without leases until `stop`. A server that already runs keeps its ports and memory,
        whatever this configuration says. Raises subclasses of LocalServerError, whose messages say what to do.
        """
        self.folder.prepare()
        # An installation may take long, so it is done before the lock makes other processes wait.
        installed = None if self._supervised() else self.install()
        with self._sole_starter():
            lease = Lease.take(self.folder.leases)
            try:
                connection = self._join_or_launch(keep, installed)
            except BaseException:
                lease.release()
                raise
        self.release()
        self._lease = lease
        if not self.config.linger_s:
            self.folder.linger.unlink(missing_ok=True)  # a server that this process uses does not linger
        return connection

    def release(self) -> None:
        """Releases the lease of this process. The server ends with the last lease, unless it was started with `keep`.

        A server that lingers ends `linger_s` after the last release by a process with that setting.
        """
        if self._lease is not None:
            if self.config.linger_s and (self._launched or self.folder.linger.exists()):
                write_private(self.folder.linger, str(time.time() + self.config.linger_s))
            self._lease.release()
            self._lease = None

    def stop(self) -> bool:
        """Ends the server, whoever started or uses it. Returns False if none was running."""
        self.folder.keep.unlink(missing_ok=True)
        self.folder.linger.unlink(missing_ok=True)
        was_there = self._supervised()
        if was_there:
            self._end_supervisor()
        was_there = self._end_orphan() or was_there
        self.release()
        return was_there

    def status(self) -> Status:
        """The current status of the server, or why the last one ended."""
        state = read_json(self.folder.state)
        alive = self._supervised()
        phase = state.get("phase", supervisor.STOPPED)
        if not alive and phase not in (supervisor.STOPPED, supervisor.FAILED):
            phase, state["reason"] = supervisor.STOPPED, "its supervisor was killed"
        launch = read_json(self.folder.launch) if alive else {}
        return Status(
            phase=phase,
            reason=state.get("reason", ""),
            uri=launch.get("uri"),
            http_url=launch.get("http_url"),
            pid=state.get("java_pid") if alive else None,
            supervisor_pid=state.get("supervisor_pid") if alive else None,
            restarts=state.get("restarts", 0),
            users=count(self.folder.leases),
            keep=self.folder.keep.exists(),
            data_dir=self.folder.root,
        )

    def logs(self, lines: int = 50) -> str:
        """The last lines of Neo4j's log, and of what Java and the supervisor printed; at most `lines` of each."""
        return logs.tail(self.folder, lines)

    @contextmanager
    def offline(self) -> Iterator[None]:
        """Ends the server and keeps all processes from starting it while the context is open. A server that was to be
        kept is started again afterwards, also after an error in the body of the context.

        Raises `LocalServerError` if a process needs the server.
        """
        self.folder.prepare()
        kept = False
        try:
            with self._sole_starter():
                kept = self._unused().keep
                self.stop()
                replacing.undo(self.folder)
                yield
        except BaseException:
            if kept:
                with suppress(LocalServerError):  # the first error is the one to tell
                    self._start_kept()
            raise
        if kept:
            self._start_kept()

    def _unused(self) -> Status:
        """The state of the server. Raises `LocalServerError` if a process needs it."""
        status = self.status()
        if status.users:
            raise LocalServerError(
                f"{status.users} processes use the Neo4j in {self.folder.root}: stop `hippograph serve` and "
                "`hippograph worker` first, then try again."
            )
        return status

    def _start_kept(self) -> None:
        self.start(keep=True)
        self.release()

    def administer(self, *words: str) -> None:
        """Runs Neo4j's administration tool on this folder. Raises `LocalServerError` with its output if it fails."""
        java, jars = self.install()
        self.folder.prepare()
        conf.write(
            self.folder,
            ports.choose(self.folder.ports, self.config.bolt_port, self.config.http_port),
            self.config.pagecache_mb,
        )
        result = self._run_admin(java, conf.java_arguments(java, jars, self.config.heap_mb), *words)
        if result.returncode != 0:
            raise LocalServerError(f"neo4j-admin {' '.join(words[:2])} failed:\n{result.stdout}{result.stderr}")

    # --- starting ---

    @contextmanager
    def _sole_starter(self) -> Iterator[None]:
        lock = supervisor.hold_within(self.folder.start_lock, self.config.start_timeout_s)
        if lock is None:
            raise ServerDidNotStart(
                f"Another process has been starting the Neo4j in {self.folder.root} for more than "
                f"{self.config.start_timeout_s:.0f} s. See `hippograph neo4j status`, then try again."
            )
        try:
            yield
        finally:
            os.close(lock)

    def _join_or_launch(self, keep: bool, installed: Installed | None) -> Connection:
        self._await_end_of_stopping()
        if self._supervised():
            if keep:
                self.folder.keep.touch()
            return self._wait_until_ready()
        with self._only_one_starting():
            if self._progress:
                self._progress(0, 0, "starting Neo4j")
            java, jars = installed or self.install()
            for _ in range(PORTS_TRIED - 1):
                try:
                    return self._launch_and_wait(keep, java, jars)
                except PortTaken as error:
                    log.info("Neo4j is started on another port: %s", str(error).partition("\n")[0])
            return self._launch_and_wait(keep, java, jars)

    def _launch_and_wait(self, keep: bool, java: Java, jars: list[Path]) -> Connection:
        self._launch(keep, java, jars)
        self._launched = True
        try:
            return self._wait_until_ready()
        except BaseException:
            self.stop()  # a server that does not become ready is not left running
            raise

    @contextmanager
    def _only_one_starting(self) -> Iterator[None]:
        """Makes servers of other folders start after this one; concurrent starts would find the same ports free.

        After the start timeout it goes ahead without the lock.
        """
        lock = supervisor.hold_within(self.config.cache_dir / "starting.lock", self.config.start_timeout_s)
        try:
            yield
        finally:
            if lock is not None:
                os.close(lock)

    def _await_end_of_stopping(self) -> None:
        deadline = time.monotonic() + supervisor.STOP_TIMEOUT_S
        leaving = (supervisor.STOPPING, supervisor.STOPPED, supervisor.FAILED)
        while self._supervised() and read_json(self.folder.state).get("phase") in leaving:
            if time.monotonic() > deadline:
                raise ServerDidNotStart(
                    "The earlier Neo4j is still stopping. Wait, or run `hippograph neo4j stop`, then try again."
                )
            time.sleep(POLL_S)

    def _launch(self, keep: bool, java: Java, jars: list[Path]) -> None:
        self._end_orphan()
        replacing.undo(self.folder)
        chosen = ports.choose(self.folder.ports, self.config.bolt_port, self.config.http_port)
        arguments = self.folder.run / "java.args"
        arguments_text = conf.java_arguments(java, jars, self.config.heap_mb)
        arguments.write_text(arguments_text, encoding="utf-8")
        browser = conf.serves_browser(self.config.cache_dir)
        if not browser:
            log.warning(
                "Neo4j Browser is off: Neo4j cannot serve it out of %s. To have it, set HIPPOGRAPH_CACHE_DIR to a path "
                "in ASCII.",
                self.config.cache_dir.resolve(),
            )
        conf.write(self.folder, chosen, self.config.pagecache_mb, browser=browser)
        conf.link_plugins(self.folder, jars)
        self._have_password(java, arguments_text)
        self.folder.keep.touch() if keep else self.folder.keep.unlink(missing_ok=True)
        classes = archive(java, arguments_text, self.config.cache_dir)
        launch = {
            "command": conf.server_command(java, self.folder, arguments, self.config.heap_mb, classes.arguments),
            "archive": [str(classes.written), str(classes.final)] if classes.written else None,
            "cwd": str(self.folder.root),
            "console": str(self.folder.console),
            "bolt_port": chosen.bolt,
            "debug_log": str(self.folder.debug_log),
            "debug_log_size": logs.size(self.folder),
            "uri": f"bolt://{ports.HOST}:{chosen.bolt}",
            "http_url": f"http://{ports.HOST}:{chosen.http}" if browser else "",
        }
        write_json(self.folder.launch, launch)
        self._spawn_supervisor()

    def _have_password(self, java: Java, java_arguments: str) -> None:
        password = self.folder.read_password()
        if self.folder.has_store:
            if password is None:
                raise StoreUnusable(
                    f"{self.folder.password} is missing, but there is a store beside it. Put the file back, or, if the "
                    f"data may go, remove {self.folder.root}."
                )
            return
        # "--" ends the options, since a password may begin with a dash.
        words = ["dbms", "set-initial-password", "--", password or self.folder.make_password()]
        result = self._run_admin(java, java_arguments, *words)
        if result.returncode != 0:
            raise ServerDidNotStart(f"Neo4j's initial password could not be set:\n{result.stdout}{result.stderr}")

    def _run_admin(self, java: Java, java_arguments: str, *words: str) -> subprocess.CompletedProcess[str]:
        # The arguments are passed in a private file, because all users of the machine can see command lines.
        private = self.folder.run / "admin.args"
        write_private(private, conf.admin_arguments(java_arguments, *words))
        try:
            return subprocess.run(
                [java.path, f"@{private}"],
                env=conf.admin_environment(self.folder),
                capture_output=True,
                text=True,
                check=False,
            )
        finally:
            private.unlink()

    def _spawn_supervisor(self) -> None:
        self.folder.state.unlink(missing_ok=True)
        self.folder.console.write_bytes(b"")
        with self.folder.supervisor_log.open("wb") as log:
            # In its own session, so that a Ctrl-C in the terminal reaches only the service, which may need the database
            # to finish its work.
            subprocess.run(
                [sys.executable, "-I", "-S", supervisor.__file__, str(self.folder.root)],
                env=environment(),  # which Java inherits
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                check=True,
            )
        deadline = time.monotonic() + SUPERVISOR_APPEARS_S
        while not self.folder.state.exists():
            if time.monotonic() > deadline:
                raise readiness.explain(self.folder, 0, "The supervisor of Neo4j did not start")
            time.sleep(POLL_S / 4)

    def _wait_until_ready(self) -> Connection:
        launch = read_json(self.folder.launch)
        password = self.folder.read_password()
        if password is None:
            raise StoreUnusable(f"{self.folder.password} is missing. Put it back.")
        since = launch.get("debug_log_size", logs.size(self.folder))
        deadline = time.monotonic() + self.config.start_timeout_s
        while time.monotonic() < deadline:
            state = read_json(self.folder.state)
            if state.get("phase") == supervisor.FAILED or not self._supervised():
                reason = state.get("reason") or "Neo4j was stopped while it was starting"
                raise readiness.explain(self.folder, since, reason)
            readiness.check(self.folder, since)
            if state.get("phase") == supervisor.RUNNING and readiness.answers(launch["uri"], password, self.folder):
                return Connection(launch["uri"], readiness.USER, password, launch["http_url"], state["java_pid"])
            time.sleep(POLL_S)
        waited = f"Neo4j did not answer within {self.config.start_timeout_s:.0f} s"
        raise readiness.explain(self.folder, since, f"{waited} (HIPPOGRAPH_NEO4J_START_TIMEOUT_S)")

    # --- ending ---

    def _supervised(self) -> bool:
        return is_held(self.folder.supervisor_lock)

    def _end_supervisor(self) -> None:
        deadline = time.monotonic() + supervisor.STOP_TIMEOUT_S + 10
        told = False
        while self._supervised():
            pid = read_json(self.folder.state).get("supervisor_pid")
            if pid and not told:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGTERM)
                told = True
            if time.monotonic() > deadline:
                raise LocalServerError(f"Neo4j's supervisor (pid {pid}) does not end. End it with `kill -9 {pid}`.")
            time.sleep(POLL_S / 2)

    def _end_orphan(self) -> bool:
        """Ends a Java whose supervisor was killed. Returns False if there is none."""
        if not is_held(self.folder.java_lock):
            return False
        orphans = [process for process in psutil.process_iter() if self._is_ours(process)]
        for process in orphans:
            process.terminate()
        _, left = psutil.wait_procs(orphans, ORPHAN_STOP_TIMEOUT_S)
        for process in left:
            process.kill()
        descriptor = supervisor.hold_within(self.folder.java_lock, 5)
        if descriptor is None:
            raise LocalServerError(
                f"A Neo4j nobody supervises has {self.folder.root} open and could not be found. End the java process "
                f"with --home-dir={self.folder.root}, then try again."
            )
        os.close(descriptor)  # the supervisor of the next server takes it
        return True

    def _is_ours(self, process: psutil.Process) -> bool:
        try:
            command = process.cmdline()
        except psutil.Error:
            return False
        return f"--home-dir={self.folder.root}" in command and conf.SERVER in command
