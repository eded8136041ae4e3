"""The supervisor: a small process that is the parent of Java and runs for as long as any process needs the server.

It is run as a script (`python -I -S supervisor.py DATA_DIR`), so it imports only the standard library and stays
small. server.py starts it and reads its state. The two communicate through files in DATA_DIR/run:

    launch.json     how to start Java, written before the supervisor is started
    state.json      the state of the supervisor, for others to read
    supervisor.lock held by the supervisor while it lives
    java.lock       held by Java while it lives, even as an orphan
    start.lock      held by a process that is about to start or end a server
    leases/         one held file for each process that needs the server
    keep            present if the server is to stay without leases
    linger          until when the server is to stay without leases, in seconds since 1970

A held file is one with an flock. The kernel releases it however its holder ends, and unlike a pid it cannot be mistaken
for another process's.
"""

from __future__ import annotations

import ctypes
import fcntl
import json
import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

POLL_S = 0.2
STOP_TIMEOUT_S = 90.0  # time for the checkpoint of a large page cache on a slow disk
RESTARTS = 3
RESTARTS_WITHIN_S = 300.0
BACKOFF_S = (0.5, 2.0, 8.0)
CONSOLE_LIMIT = 5_000_000  # bytes
PR_SET_PDEATHSIG = 1
BOLT_OPENED = b"Bolt enabled on"  # logged by Neo4j when it listens on its port

STARTING, RUNNING, RESTARTING, STOPPING = "starting", "running", "restarting", "stopping"
STOPPED, FAILED = "stopped", "failed"


def hold(path: Path) -> int | None:
    """Takes the lock of a file without waiting. Returns the descriptor that holds it, or None if it is taken."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        return None
    return descriptor


def is_held(path: Path) -> bool:
    """Whether a living process holds the lock of a file."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)  # shared, so that two checks do not hinder each other
    except OSError:
        return True
    finally:
        os.close(descriptor)
    return False


def hold_within(path: Path, seconds: float) -> int | None:
    """Takes the lock of a file, as `hold` does, waiting at most `seconds` for it."""
    deadline = time.monotonic() + seconds
    while (descriptor := hold(path)) is None and time.monotonic() < deadline:
        time.sleep(POLL_S / 4)
    return descriptor


def write_private(path: Path, text: str) -> None:
    """Writes a file that only its owner can read, atomically and durably: once it returns, no crash loses it."""
    new = path.with_name(f"{path.name}.{os.getpid()}.new")
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Makes the entries of a folder durable, by fsync."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_json(path: Path, value: dict[str, Any]) -> None:
    """Writes an object as JSON with `write_private`."""
    write_private(path, json.dumps(value))


def read_json(path: Path) -> dict[str, Any]:
    """The object that `write_json` wrote; empty if the file is missing or invalid."""
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}


class Supervisor:
    """Starts Java, restarts it when it dies, and ends it when no process needs it any more."""

    def __init__(self, data_dir: Path) -> None:
        self.run_dir = data_dir / "run"
        self.launch = read_json(self.run_dir / "launch.json")
        self.java: subprocess.Popen[bytes] | None = None
        self.told_to_stop = False
        self.listening = False  # whether the current Java has opened its Bolt port
        self.answered = False  # whether any Java has opened it
        self.restarts: list[float] = []
        self.logged = 0  # size of Neo4j's log when the current Java was started, in bytes

    def main(self) -> None:
        """Runs until there is nothing left to supervise."""
        if hold_within(self.run_dir / "supervisor.lock", 2.0) is None:
            return  # this folder has another supervisor
        signal.signal(signal.SIGTERM, self._on_sigterm)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        self._say(STARTING)
        self._start_java()
        while self._step():
            time.sleep(POLL_S)

    def _on_sigterm(self, _signal: int, _frame: object) -> None:
        self.told_to_stop = True

    def _step(self) -> bool:
        """Checks Java and the leases once. Returns False when the supervisor is to end."""
        if self.told_to_stop:
            return self._end("")
        assert self.java is not None
        if self.java.poll() is not None:
            return self._java_died(self.java.returncode)
        self._notice_answer()
        self._limit_console()
        return self._needed() or not self._end_unless_starting()

    # --- Java ---

    def _start_java(self) -> None:
        lock = os.open(self.run_dir / "java.lock", os.O_RDWR | os.O_CREAT, 0o600)
        console = os.open(self.launch["console"], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        fcntl.flock(lock, fcntl.LOCK_EX)
        self.listening = False
        self.logged = self._log_size()
        self.java = subprocess.Popen(
            self.launch["command"],
            cwd=self.launch["cwd"],
            stdin=subprocess.DEVNULL,
            stdout=console,
            stderr=console,
            pass_fds=[lock],  # Java inherits the lock and holds it until it ends
            preexec_fn=end_with_parent,
        )
        os.close(lock)
        os.close(console)
        self._say(RESTARTING if self.restarts else STARTING)

    def _notice_answer(self) -> None:
        if self.listening:
            return
        with suppress(OSError), socket.create_connection(("127.0.0.1", self.launch["bolt_port"]), timeout=1):
            # It may be another program that took the port meanwhile and listens on it.
            if self._has_opened_bolt():
                self.listening = self.answered = True
                self._say(RUNNING)

    def _has_opened_bolt(self) -> bool:
        with suppress(OSError), Path(self.launch["debug_log"]).open("rb") as log:
            log.seek(self.logged if self.logged <= self._log_size() else 0)  # from the beginning if it was rotated
            return BOLT_OPENED in log.read()
        return False

    def _log_size(self) -> int:
        with suppress(OSError):
            return Path(self.launch["debug_log"]).stat().st_size
        return 0

    def _java_died(self, code: int) -> bool:
        ending = f"signal {-code}" if code < 0 else f"exit code {code}"
        if not self.answered:
            return self._give_up(f"Neo4j ended with {ending} before it answered")
        now = time.monotonic()
        self.restarts = [at for at in self.restarts if now - at < RESTARTS_WITHIN_S]
        if len(self.restarts) >= RESTARTS:
            return self._give_up(
                f"Neo4j ended with {ending}, and had been restarted {RESTARTS} times within "
                f"{RESTARTS_WITHIN_S / 60:.0f} minutes"
            )
        self._say(RESTARTING, reason=f"Neo4j ended with {ending}")
        self._pause(BACKOFF_S[len(self.restarts)])
        self.restarts.append(time.monotonic())
        if not self.told_to_stop:
            self._start_java()
        return True

    def _pause(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while time.monotonic() < until and not self.told_to_stop:
            time.sleep(POLL_S)

    def _give_up(self, reason: str) -> bool:
        self._say(FAILED, reason=reason)
        return False

    def _end(self, reason: str) -> bool:
        self._say(STOPPING)
        self._stop_java()
        for name in ("keep", "linger"):
            (self.run_dir / name).unlink(missing_ok=True)
        self._say(STOPPED, reason=reason)
        return False

    def _stop_java(self) -> None:
        if self.java is None or self.java.poll() is not None:
            return
        self.java.terminate()
        try:
            if self.java.wait(STOP_TIMEOUT_S) == 0:
                self._keep_archive()
        except subprocess.TimeoutExpired:
            self.java.kill()
            self.java.wait()

    def _keep_archive(self) -> None:
        """Moves the class archive that this Java wrote at its end to its final place, if it wrote one (archive.py)."""
        if self.launch.get("archive"):
            written, final = self.launch["archive"]
            with suppress(OSError):
                Path(written).replace(final)

    # --- who needs it ---

    def _needed(self) -> bool:
        # `linger` is read after the leases, because a process writes it before it releases its lease.
        return (self.run_dir / "keep").exists() or self._leased() or self._lingers()

    def _lingers(self) -> bool:
        try:
            return time.time() < float((self.run_dir / "linger").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return False

    def _leased(self) -> bool:
        leased = False
        for lease in (self.run_dir / "leases").iterdir():
            if is_held(lease):
                leased = True
            else:
                lease.unlink(missing_ok=True)
        return leased

    def _end_unless_starting(self) -> bool:
        """Ends the server unless a process is about to take a lease or has one. Returns True if it ended."""
        lock = hold(self.run_dir / "start.lock")
        if lock is None:
            return False
        try:
            if self._needed():
                return False
            self._say(STOPPING)
        finally:
            os.close(lock)
        self._end("nobody needed it any more")
        return True

    # --- what others read ---

    def _say(self, phase: str, reason: str = "") -> None:
        java = self.java.pid if self.java is not None and self.java.poll() is None else None
        state = {
            "phase": phase,
            "reason": reason,
            "supervisor_pid": os.getpid(),
            "java_pid": java,
            "restarts": len(self.restarts),
            "since": time.time(),
        }
        write_json(self.run_dir / "state.json", state)

    def _limit_console(self) -> None:
        console = self.launch["console"]
        with suppress(OSError):  # somebody may have removed it
            if Path(console).stat().st_size > CONSOLE_LIMIT:
                os.truncate(console, 0)  # Java appends, so it continues at the new end


def end_with_parent() -> None:
    """Makes Linux send SIGTERM to this process when its parent ends. Runs between fork and exec."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


if __name__ == "__main__":
    if os.fork():  # so that the starting process need not wait for this one, which leaves no zombie
        os._exit(0)
    Supervisor(Path(sys.argv[1])).main()
