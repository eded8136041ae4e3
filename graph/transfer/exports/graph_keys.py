"""The keys of the nodes of an export, in a temporary file, because an export may be larger than memory."""

import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Final

_AT_ONCE: Final = 500


class Keys:
    """A set of keys on disk, deleted when the context ends."""

    def __init__(self, folder: Path | None = None) -> None:
        """`folder` is the folder for the file; None: the system's folder for temporary files."""
        self._folder = tempfile.TemporaryDirectory(dir=folder, prefix=".hippograph-")
        self._table = sqlite3.connect(Path(self._folder.name, "keys"), isolation_level=None)
        self._table.execute("PRAGMA journal_mode = OFF")
        self._table.execute("PRAGMA synchronous = OFF")
        self._table.execute("CREATE TABLE keys (key TEXT PRIMARY KEY) WITHOUT ROWID")
        self._table.execute("BEGIN")  # one transaction, since no other connection reads it

    def __enter__(self) -> "Keys":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._table.close()
        self._folder.cleanup()

    def add(self, key: str) -> bool:
        """Adds a key and returns whether it is new."""
        return self._table.execute("INSERT OR IGNORE INTO keys VALUES (?)", (key,)).rowcount == 1

    def __contains__(self, key: str) -> bool:
        return self._table.execute("SELECT 1 FROM keys WHERE key = ?", (key,)).fetchone() is not None

    def batches(self, kind: str) -> Iterator[list[str]]:
        """Yields the ids of the nodes of a kind in ascending order, in batches."""
        after, end = f"{kind}/", f"{kind}0"  # "0" follows "/" in the order of characters
        while found := self._table.execute(
            "SELECT key FROM keys WHERE key > ? AND key < ? ORDER BY key LIMIT ?", (after, end, _AT_ONCE)
        ).fetchall():
            yield [key.partition("/")[2] for (key,) in found]
            after = found[-1][0]
