"""A graph gives way to another: it is put aside first, and put back when that is broken off, even by a kill."""

import shutil
from contextlib import suppress
from typing import Final

from hippograph.graph.local.folder import Folder
from hippograph.graph.local.supervisor import write_private

DATABASE: Final = "neo4j"
REPLACED: Final = "neo4j.replaced"
_NOTHING: Final = "nothing was there"


def begin(folder: Folder) -> None:
    """Puts the graph aside, while the server is down. Until `finish`, `undo` puts it back."""
    there = folder.store(DATABASE)[0].exists()
    write_private(folder.replacing, "a graph was there" if there else _NOTHING)
    for now, then in zip(folder.store(DATABASE), folder.store(REPLACED), strict=True):
        with suppress(FileNotFoundError):
            now.rename(then)


def finish(folder: Folder) -> None:
    """The new graph is whole: the old one goes."""
    folder.replacing.unlink()
    _remove_replaced(folder)


def undo(folder: Folder) -> None:
    """Puts back what was there before a replacing that was not finished, and removes what a finished one left."""
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
