"""Purged text in the files of Neo4j, read after the server has stopped, and how to remove the rest of it."""

import asyncio
import json
import os
from pathlib import Path

import pytest

from tests.command_forks import CommandForks
from tests.conftest import plain_output

WORD = "qzkptrvbnmlg"
SETTINGS = {"EMBEDDING_MODEL": "none", "NER_MODEL": "none", "NEO4J_LINGER_S": "600"}
UNTIL_USED_AGAIN = ("databases/neo4j/neostore.", "databases/neo4j/schema/index/range-", "transactions/neo4j/")
"""Prefixes of the files in which Neo4j keeps bytes of deleted records until it reuses them or rotates its logs."""


@pytest.fixture
def at(command_forks: CommandForks, root: Path, tmp_path: Path):
    """Yields a function that runs a command on a Neo4j of its own in a folder; the server is stopped after the test."""
    folders: list[Path] = []

    def environment(folder: Path) -> dict[str, str]:
        given = {**SETTINGS, "DATA_DIR": str(folder)}
        return {**os.environ, **plain_output(root), **{f"HIPPOGRAPH_{name}": value for name, value in given.items()}}

    async def run(folder: Path, *words: str) -> str:
        folders.append(folder)
        ran = await asyncio.to_thread(command_forks.run, words, tmp_path, environment(folder))
        assert ran.returncode == 0, ran.stderr
        return ran.stdout

    yield run
    for folder in set(folders):
        command_forks.run(["neo4j", "stop"], tmp_path, environment(folder))


def _holding(folder: Path) -> list[str]:
    """Returns the files in a data folder that contain the word, in UTF-8 or UTF-16."""
    data = folder / "data"
    words = (WORD.encode(), WORD.encode("utf-16-le"))
    files = [file for file in sorted(data.rglob("*")) if file.is_file()]
    assert files
    return [str(file.relative_to(data)) for file in files if any(word in file.read_bytes() for word in words)]


async def test_indexes_hold_nothing_and_a_new_folder_neither(at, tmp_path: Path) -> None:
    """After a purge no full-text index contains the text, and no file of a new folder made from an export does."""
    old, new, file = tmp_path / "old", tmp_path / "new", tmp_path / "all.jsonl"
    told = await at(old, "remember", f"I keep a {WORD} in the cellar, behind the third shelf")
    await at(old, "remember", "I like rowing")
    await at(old, "neo4j", "stop")
    assert any("fulltext" in name for name in _holding(old))
    purged = json.loads(await at(old, "memory", "purge", told.split()[0], "--yes", "--json"))
    assert purged["status"] == "PURGED"
    await at(old, "export", str(file))
    assert WORD not in file.read_text()
    await at(old, "neo4j", "stop")
    assert [] == [name for name in _holding(old) if not name.startswith(UNTIL_USED_AGAIN)]
    await at(new, "import", str(file), "--no-wait")
    assert "I like rowing" in await at(new, "search", "rowing")
    await at(new, "neo4j", "stop")
    assert [] == _holding(new)
