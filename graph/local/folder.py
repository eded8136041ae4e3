"""The data folder of a local server: the paths in it, and its password."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from pathlib import Path

from hippograph.graph.local.supervisor import write_private


@dataclass(frozen=True, slots=True)
class Folder:
    """The paths within one data folder."""

    root: Path

    @property
    def password(self) -> Path:
        """The generated password of the user `neo4j`."""
        return self.root / "password"

    @property
    def ports(self) -> Path:
        """The ports of the last start, which are reused so that bookmarks stay valid."""
        return self.root / "ports.json"

    @property
    def conf(self) -> Path:
        """Neo4j's configuration folder, rewritten at every start."""
        return self.root / "conf"

    @property
    def plugins(self) -> Path:
        """Links to the jars whose procedures Neo4j registers."""
        return self.root / "plugins"

    @property
    def logs(self) -> Path:
        """Neo4j's own logs, and what Java prints."""
        return self.root / "logs"

    @property
    def run(self) -> Path:
        """The files by which a running server and its users communicate (see supervisor.py)."""
        return self.root / "run"

    @property
    def leases(self) -> Path:
        """One held file for each process that needs the server."""
        return self.run / "leases"

    @property
    def keep(self) -> Path:
        """Present if the server shall keep running when nobody needs it."""
        return self.run / "keep"

    @property
    def linger(self) -> Path:
        """The time until which the server keeps running when nobody needs it, in seconds since 1970."""
        return self.run / "linger"

    @property
    def launch(self) -> Path:
        """The command with which the supervisor starts Java, and the addresses of the server."""
        return self.run / "launch.json"

    @property
    def state(self) -> Path:
        """The state of the supervisor."""
        return self.run / "state.json"

    @property
    def console(self) -> Path:
        """The output of Java."""
        return self.logs / "console.log"

    @property
    def neo4j_log(self) -> Path:
        """Neo4j's log for people."""
        return self.logs / "neo4j.log"

    @property
    def debug_log(self) -> Path:
        """Neo4j's detailed log, one JSON object a line."""
        return self.logs / "debug.log"

    @property
    def supervisor_log(self) -> Path:
        """The output of the supervisor, empty unless it failed."""
        return self.logs / "supervisor.log"

    @property
    def supervisor_lock(self) -> Path:
        """Held by the supervisor while it lives."""
        return self.run / "supervisor.lock"

    @property
    def java_lock(self) -> Path:
        """Held by Java while it lives."""
        return self.run / "java.lock"

    @property
    def start_lock(self) -> Path:
        """Held by whoever starts a server, or ends one nobody needs."""
        return self.run / "start.lock"

    @property
    def dumps(self) -> Path:
        """The paths of the dumps of the graph, with their times."""
        return self.root / "dumps.json"

    @property
    def replacing(self) -> Path:
        """Present while the graph is being replaced (see replacing.py)."""
        return self.root / "replacing"

    def store(self, name: str) -> tuple[Path, Path]:
        """The folders of the files and of the transaction logs of a database."""
        return self.root / "data" / "databases" / name, self.root / "data" / "transactions" / name

    @property
    def has_store(self) -> bool:
        """Whether Neo4j has ever been started here."""
        return (self.root / "data" / "databases" / "system").exists()

    def prepare(self) -> None:
        """Creates missing folders; only the owner may read the data folder."""
        self.root.mkdir(parents=True, exist_ok=True)
        self.root.chmod(0o700)
        for path in (self.conf, self.plugins, self.logs, self.leases, self.root / "import"):
            path.mkdir(parents=True, exist_ok=True)

    def read_password(self) -> str | None:
        """The stored password; None if there is none."""
        try:
            return self.password.read_text(encoding="ascii").strip() or None
        except FileNotFoundError:
            return None

    def make_password(self) -> str:
        """Generates a password, stores it so that only the owner may read it, and returns it."""
        password = secrets.token_urlsafe(24)
        write_private(self.password, password)
        return password
