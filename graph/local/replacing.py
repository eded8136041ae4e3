"""Replaces a graph: the old one is set aside first, and put back if the replacement is interrupted, even by a kill."""

import shutil
from contextlib import suppress
from typing import Final

from hippograph.graph.local.folder import Folder
from hippograph.graph.local.supervisor import write_private

DATABASE: Final = "neo4j"
REPLACED: Final = "neo4j.replaced"
_NOTHING: Final = "nothing was there"


def begin(folder: Folder) -> None:
    """Sets the graph aside; the server must be down. Until `finish`, `undo` puts it back."""
    there = folder.store(DATABASE)[0].exists()
    write_private(folder.replacing, "a graph was there" if there else _NOTHING)
    for now, then in zip(folder.store(DATABASE), folder.store(REPLACED), strict=True):
        with suppress(FileNotFoundError):
            now.rename(then)


def finish(folder: Folder) -> None:
    """Completes the replacement: removes the old graph."""
    folder.replacing.unlink()
    _remove_replaced(folder)


def undo(folder: Folder) -> None:
    """Restores the state before an unfinished replacement, and removes what a finished one left behind."""
    if folder.replacing.exists():
        nothing = folder.replacing.read_text(encoding="utf-8") == _NOTHING
        for now, then in zip(folder.store(DATABASE), folder.store(REPLACED), strict=True):
            if nothing or then.exists():
                shutil.rmtree(now, ignore_errors=True)
            if then.exists():
                then.rename(now)
        folder.replacing.unlink()
    _remove_replaced(folder)


def _remove_replaced(folder: Folder) -> None:
    for path in folder.store(REPLACED):
        shutil.rmtree(path, ignore_errors=True)
