"""Dumps of a graph: making and restoring them, and refusals where a graph would be lost."""

from collections.abc import Iterator
from pathlib import Path

import neo4j
import platformdirs
import pytest

from hippograph.graph.errors import LocalServerError
from hippograph.graph.local import replacing
from hippograph.graph.local.dumps import dump, made_dumps, restore
from hippograph.graph.local.server import Connection, LocalConfig, LocalServer

CACHE = Path(platformdirs.user_cache_dir("hippograph"))


def _server(folder: Path) -> LocalServer:
    return LocalServer(LocalConfig(folder, CACHE, heap_mb=512, start_timeout_s=600))


def _run(connection: Connection, query: str) -> list[object]:
    with neo4j.GraphDatabase.driver(connection.uri, auth=(connection.user, connection.password)) as driver:
        return [record[0] for record in driver.execute_query(query, database_="neo4j").records]  # type: ignore[arg-type]


def _words(server: LocalServer) -> list[object]:
    connection = server.start()
    try:
        return _run(connection, "MATCH (n:Kept) RETURN n.word ORDER BY n.word")
    finally:
        server.release()


@pytest.fixture
def first(tmp_path: Path) -> Iterator[LocalServer]:
    """A server with one node that no process uses."""
    server = _server(tmp_path / "first")
    _run(server.start(), "CREATE (:Kept {word: 'first'})")
    server.release()
    yield server
    server.stop()


def test_a_dump_is_restored_elsewhere_and_over_another_graph(first: LocalServer, tmp_path: Path) -> None:
    """A dump restores its graph into another folder. It replaces a graph only with `overwrite`. If the file is no dump
    or the restore is killed while it loads, the old graph stays.
    """
    file = tmp_path / "dumps" / "monday.dump"
    assert dump(first, file) == file
    assert made_dumps(first.folder) == [str(file)]
    assert [path.name for path in file.parent.iterdir()] == [file.name]
    with pytest.raises(LocalServerError, match="there already"):
        dump(first, file)

    second = _server(tmp_path / "second")
    try:
        restore(second, file)
        assert _words(second) == ["first"]
        connection = second.start()
        _run(connection, "CREATE (:Kept {word: 'second'})")
        with pytest.raises(LocalServerError, match="processes use"):
            restore(second, file, overwrite=True)
        second.release()
        with pytest.raises(LocalServerError, match="--overwrite"):
            restore(second, file)
        (tmp_path / "no.dump").write_bytes(b"no dump")
        with pytest.raises(LocalServerError, match="database load failed"):
            restore(second, tmp_path / "no.dump", overwrite=True)
        assert _words(second) == ["first", "second"]
        replacing.begin(second.folder)  # the state after a restore that is killed while it loads
        second.folder.store("neo4j")[0].mkdir()
        assert _words(second) == ["first", "second"]
        restore(second, file, overwrite=True)
        second.folder.store("neo4j.replaced")[0].mkdir()  # killed while it removes the old graph
        with pytest.raises(LocalServerError, match="--overwrite"):
            restore(second, file)
        assert _words(second) == ["first"]
    finally:
        second.stop()


def test_a_folder_without_a_graph_has_nothing_to_dump(tmp_path: Path) -> None:
    """Dumping a folder without a graph is refused, and no file is written."""
    with pytest.raises(LocalServerError, match="no graph"):
        dump(_server(tmp_path / "empty"), tmp_path / "file.dump")
    assert not (tmp_path / "file.dump").exists()
