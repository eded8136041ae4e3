"""Dumps of a graph: made, restored elsewhere and over another graph, and refused where that would lose one."""

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
    """A server with one node, which nobody uses."""
    server = _server(tmp_path / "first")
    _run(server.start(), "CREATE (:Kept {word: 'first'})")
    server.release()
    yield server
    server.stop()


def test_a_dump_is_restored_elsewhere_and_over_another_graph(first: LocalServer, tmp_path: Path) -> None:
    """What was dumped is there again; a graph is replaced only when told so, and stays when the file is no dump."""
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
        replacing.begin(second.folder)  # as far as a restore gets that is killed while it loads
        second.folder.store("neo4j")[0].mkdir()
        assert _words(second) == ["first", "second"]
        restore(second, file, overwrite=True)
        second.folder.store("neo4j.replaced")[0].mkdir()  # a restore that is killed while it removes the old graph
        with pytest.raises(LocalServerError, match="--overwrite"):
            restore(second, file)
        assert _words(second) == ["first"]
    finally:
        second.stop()


def test_a_folder_without_a_graph_has_nothing_to_dump(tmp_path: Path) -> None:
    """It says so, and writes nothing."""
    with pytest.raises(LocalServerError, match="no graph"):
        dump(_server(tmp_path / "empty"), tmp_path / "file.dump")
    assert not (tmp_path / "file.dump").exists()
