"""Dumps of the graph in one file, written and restored by Neo4j's own tool while the server is down."""

from __future__ import annotations

import tempfile
from datetime import UTC, datetime
from pathlib import Path

from hippograph.graph.errors import LocalServerError
from hippograph.graph.local import replacing
from hippograph.graph.local.folder import Folder
from hippograph.graph.local.replacing import DATABASE
from hippograph.graph.local.server import LocalServer
from hippograph.graph.local.supervisor import read_json, write_json


def dump(server: LocalServer, target: Path) -> Path:
    """Writes the whole graph into a new file, completely or not at all, and records its path. A process that is killed
    just before the file is complete may leave an empty one.

    The server is down meanwhile. Raises `LocalServerError` if a process uses it, if there is no graph, or if the file
    exists already.
    """
    target = target.resolve()
    if target.exists():
        raise _taken(target)
    if not server.folder.has_store:
        raise LocalServerError(f"there is no graph in {server.folder.root} yet.")
    target.parent.mkdir(parents=True, exist_ok=True)
    with server.offline(), tempfile.TemporaryDirectory(dir=target.parent, prefix=".dump-") as folder:
        server.administer("database", "dump", DATABASE, f"--to-path={folder}")
        made = Path(folder, f"{DATABASE}.dump")
        made.chmod(0o600)
        try:
            target.touch(exist_ok=False)  # a file that somebody made since the check above is not replaced
        except FileExistsError:
            raise _taken(target) from None
        made.replace(target)
        _note(server.folder, target)
    return target


def restore(server: LocalServer, source: Path, *, overwrite: bool = False) -> None:
    """Replaces the graph by that of a dump.

    If this fails or is killed, the old graph stays. Raises `LocalServerError` if a process uses the server, if the file
    does not exist or is not a dump, or if there is a graph already and `overwrite` is False.
    """
    source, folder = source.resolve(), server.folder
    if not source.is_file():
        raise LocalServerError(f"there is no file {source}.")
    with server.offline():
        if folder.store(DATABASE)[0].exists() and not overwrite:
            raise LocalServerError(f"there is a graph in {folder.root} already: give --overwrite to replace it.")
        replacing.begin(folder)
        try:
            with tempfile.TemporaryDirectory(prefix="hippograph-") as linked:
                Path(linked, f"{DATABASE}.dump").symlink_to(source)
                server.administer("database", "load", DATABASE, f"--from-path={linked}", "--overwrite-destination=true")
        except BaseException:
            replacing.undo(folder)
            raise
        replacing.finish(folder)


def made_dumps(folder: Folder) -> list[str]:
    """The paths of the recorded dumps of this graph that still exist."""
    return [path for path in read_json(folder.dumps) if Path(path).exists()]


def _taken(target: Path) -> LocalServerError:
    return LocalServerError(f"{target} is there already: give another name, or remove it.")


def _note(folder: Folder, target: Path) -> None:
    known = {path: at for path, at in read_json(folder.dumps).items() if Path(path).exists()}
    write_json(folder.dumps, {**known, str(target): datetime.now(UTC).isoformat()})
