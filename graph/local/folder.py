"""The data folder of a local server: where everything lies, and its password."""

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
        """The ports of the last start, so that bookmarks stay good."""
        return self.root / "ports.json"

    @property
    def conf(self) -> Path:
        """Neo4j's configuration folder, written anew at every start."""
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
        """What a running server and its users tell each other (see supervisor.py)."""
        return self.root / "run"

    @property
    def leases(self) -> Path:
        """One held file for each process that needs the server."""
        return self.run / "leases"

    @property
    def keep(self) -> Path:
        """Present when the server shall stay although nobody needs it."""
        return self.run / "keep"

    @property
    def linger(self) -> Path:
        """Until when the server stays although nobody needs it, in seconds since 1970."""
        return self.run / "linger"

    @property
    def launch(self) -> Path:
        """How the supervisor starts Java, and where the server then answers."""
        return self.run / "launch.json"

    @property
    def state(self) -> Path:
        """What the supervisor is doing."""
        return self.run / "state.json"

    @property
    def console(self) -> Path:
        """What Java prints."""
        return self.logs / "console.log"

    @property
    def neo4j_log(self) -> Path:
        """Neo4j's log for people."""
        return self.logs / "neo4j.log"

    @property
    def debug_log(self) -> Path:
        """Neo4j's log for the rest, one JSON object a line."""
        return self.logs / "debug.log"

    @property
    def supervisor_log(self) -> Path:
        """What the supervisor printed: nothing, unless it failed."""
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
        """Which dumps were made of the graph, and when."""
        return self.root / "dumps.json"

    @property
    def replacing(self) -> Path:
        """There while a graph gives way to another (see replacing.py)."""
        return self.root / "replacing"

    def store(self, name: str) -> tuple[Path, Path]:
        """The files of a database, and its transaction logs."""
        return self.root / "data" / "databases" / name, self.root / "data" / "transactions" / name

    @property
    def has_store(self) -> bool:
        """Whether Neo4j has ever been started here."""
        return (self.root / "data" / "databases" / "system").exists()

    def prepare(self) -> None:
        """Make what is missing; nobody but the owner may look inside."""
        self.root.mkdir(parents=True, exist_ok=True)
        self.root.chmod(0o700)
        for path in (self.conf, self.plugins, self.logs, self.leases, self.root / "import"):
            path.mkdir(parents=True, exist_ok=True)

    def read_password(self) -> str | None:
        """The password, if one has been kept."""
        try:
            return self.password.read_text(encoding="ascii").strip() or None
        except FileNotFoundError:
            return None

    def make_password(self) -> str:
        """Generate a password and keep it where only the owner reads it."""
        password = secrets.token_urlsafe(24)
        write_private(self.password, password)
        return password
