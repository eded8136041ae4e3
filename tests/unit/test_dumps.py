from pathlib import Path

import pytest

from hippograph.graph.errors import LocalServerError
from hippograph.graph.local.dumps import dump, made_dumps
from hippograph.graph.local.server import LocalConfig, LocalServer


def test_a_file_that_appears_while_a_dump_is_made_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that somebody writes at the place of a dump while it is being made stays, the dump is refused, and nothing
    of it is left behind.
    """
    server = LocalServer(LocalConfig(tmp_path / "data", tmp_path / "cache"))
    server.folder.store("system")[0].mkdir(parents=True)
    target = tmp_path / "dumps" / "monday.dump"

    def administer(*arguments: str) -> None:
        made = Path(arguments[-1].removeprefix("--to-path="), "neo4j.dump")
        made.write_text("graph")
        target.write_text("another")

    monkeypatch.setattr(server, "administer", administer)
    with pytest.raises(LocalServerError, match="there already"):
        dump(server, target)
    assert "another" == target.read_text()
    assert [target] == list(target.parent.iterdir())
    assert [] == made_dumps(server.folder)
