"""The two ports of a local server: the configured, else the last ones, else the usual ones or the next after them."""

from __future__ import annotations

import socket
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

import psutil

from hippograph.graph.errors import PortTaken
from hippograph.graph.local.supervisor import read_json, write_json

HOST = "127.0.0.1"
USUAL = {"bolt": 7687, "http": 7474}
_NEXT = 100  # number of ports that are tried, from the usual one on
SETTINGS = {"bolt": "HIPPOGRAPH_NEO4J_BOLT_PORT", "http": "HIPPOGRAPH_NEO4J_HTTP_PORT"}


@dataclass(frozen=True, slots=True)
class Ports:
    """The ports of Bolt and HTTP on the loopback interface."""

    bolt: int
    http: int


def choose(remembered: Path, bolt: int | None = None, http: int | None = None) -> Ports:
    """Chooses two free ports and stores them in the file `remembered`. Raises `PortTaken` if a configured one is not
    free.
    """
    last = read_json(remembered)
    chosen: dict[str, int] = {}
    # The configured ones first, so that the other connector does not get them.
    for name, configured in sorted({"bolt": bolt, "http": http}.items(), key=lambda item: item[1] is None):
        taken = set(chosen.values())
        chosen[name] = _unconfigured(name, last, taken) if configured is None else _configured(name, configured, taken)
    ports = Ports(**chosen)
    write_json(remembered, asdict(ports))
    return ports


def is_free(port: int) -> bool:
    """Whether a port of the loopback interface can be bound and nobody listens on it."""
    with socket.socket() as probe:
        probe.settimeout(1)
        if probe.connect_ex((HOST, port)) == 0:
            return False
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
    return True


def _configured(name: str, port: int, taken: set[int]) -> int:
    if port not in taken and is_free(port):
        return port
    raise PortTaken(
        f"Port {port}, configured for Neo4j's {name} connector, is taken{_holder(port)}. End that program, or set "
        f"{SETTINGS[name]} to another port; unset, a free one is found."
    )


def _unconfigured(name: str, last: dict[str, object], taken: set[int]) -> int:
    # The next ones first: a port that the system picks may go to an outgoing connection before Neo4j listens on it.
    for port in (last.get(name), *range(USUAL[name], USUAL[name] + _NEXT)):
        if isinstance(port, int) and port not in taken and is_free(port):
            return port
    return _any_free()


def _any_free() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
        return port


def _holder(port: int) -> str:
    """The process that listens on a port, worded for a message; empty if the system does not tell."""
    with suppress(psutil.Error):
        for connection in psutil.net_connections("tcp"):
            if not connection.laddr or connection.status != psutil.CONN_LISTEN or not connection.pid:
                continue
            if connection.laddr.port == port:
                return f" by process {connection.pid} ({psutil.Process(connection.pid).name()})"
    return ""
