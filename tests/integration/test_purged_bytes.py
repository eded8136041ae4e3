"""Purged text in the files of Neo4j, read after the server has stopped, and how to remove the rest of it."""

import asyncio
import json
import os
from pathlib import Path

import pytest

from hippograph.api.connections import open_connection, open_database
from hippograph.api.local_server import local_server
from hippograph.api.settings.settings import Settings
from hippograph.api.settings.sources import as_environment
from hippograph.graph.schema import rebuild_indexes
from tests.command_forks import CommandForks
from tests.conftest import plain_output

WORD = "qzkptrvbnmlg"
UNTIL_USED_AGAIN = ("databases/neo4j/neostore.", "databases/neo4j/schema/index/range-", "transactions/neo4j/")
"""Prefixes of the files in which Neo4j keeps bytes of deleted records until it reuses them or rotates its logs."""


def _settings(folder: Path) -> Settings:
    return Settings(_env_file=None, data_dir=folder, embedding_model="none", ner_model="none", neo4j_linger_s=600)


@pytest.fixture
def at(command_forks: CommandForks, root: Path, tmp_path: Path):
    """Yields a function that runs a command on a Neo4j of its own in a folder; the server is stopped after the test."""
    folders: set[Path] = set()

    async def run(folder: Path, *words: str) -> str:
        folders.add(folder)
        environment = {**os.environ, **plain_output(root), **as_environment(_settings(folder))}
        ran = await asyncio.to_thread(command_forks.run, words, tmp_path, environment)
        assert ran.returncode == 0, ran.stderr
        return ran.stdout

    yield run
    for folder in folders:
        local_server(_settings(folder)).stop()


async def _write_indexes(folder: Path) -> None:
    """Makes the full-text indexes anew, which writes them to files. What is added to an index stays in memory until a
    checkpoint, which Neo4j Community makes only now and then, and when it stops.
    """
    settings = _settings(folder)
    async with open_connection(settings, linger=True) as connection, open_database(settings, connection) as database:
        await rebuild_indexes(database, None, settings.fulltext_analyzer)


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
    await _write_indexes(old)
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
