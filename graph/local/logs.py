"""Reads the logs of Neo4j, for people and for error messages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from hippograph.graph.local.folder import Folder

TAIL_LINES = 25
ERRORS_SHOWN = 5
CAUSES_SHOWN = 3
READ_LIMIT = 4_000_000  # maximum number of bytes that are read, from the end of a log


def tail(folder: Folder, lines: int) -> str:
    """The last `lines` lines of Neo4j's own log, then as many of the output of Java and of the supervisor, if any."""
    parts = (_last_lines(path, lines) for path in (folder.neo4j_log, folder.console, folder.supervisor_log))
    return "\n".join(part for part in parts if part)


def size(folder: Folder) -> int:
    """The present length of the debug log in bytes: the `since` for what is written from now on."""
    return folder.debug_log.stat().st_size if folder.debug_log.exists() else 0


def errors(folder: Folder, since: int) -> list[str]:
    """The errors in the debug log from an offset in bytes on, each with its last causes but without stack traces."""
    if not folder.debug_log.exists():
        return []
    with folder.debug_log.open("rb") as log:
        end = log.seek(0, 2)
        since = since if since <= end else 0  # the log was rotated
        log.seek(max(since, end - READ_LIMIT))
        return list(_errors(log.read().decode("utf-8", "replace")))


def for_message(folder: Folder, since: int) -> str:
    """The part of an error message that quotes the logs: the last errors since an offset, and the end of the log."""
    found = "\n".join(errors(folder, since)[-ERRORS_SHOWN:])
    end = tail(folder, TAIL_LINES)
    parts = (
        f"Neo4j's errors:\n{found}" if found else "",
        f"The end of its log ({folder.logs}):\n{end}" if end else "",
    )
    return "".join(f"\n\n{part}" for part in parts if part)


def _errors(text: str) -> Iterator[str]:
    for line in text.splitlines():
        if '"ERROR"' not in line:
            continue
        try:
            entry = json.loads(line)
        except ValueError:
            continue  # a line that is cut off at the start, or still being written
        if entry.get("level") == "ERROR":
            trace = str(entry.get("stacktrace") or "").splitlines()
            causes = [cause.strip() for cause in trace if cause.startswith("Caused by:")]
            yield "\n  ".join([str(entry.get("message", "")), *causes[-CAUSES_SHOWN:]])


def _last_lines(path: Path, lines: int) -> str:
    if not path.exists():
        return ""
    with path.open("rb") as log:
        log.seek(max(0, log.seek(0, 2) - READ_LIMIT))
        text = log.read().decode("utf-8", "replace")
    return "\n".join(text.rstrip().splitlines()[-lines:])
