"""The configuration of a local Neo4j."""

from pathlib import Path

import pytest

from hippograph.graph.local.conf import serves_browser, write
from hippograph.graph.local.folder import Folder
from hippograph.graph.local.ports import Ports


@pytest.mark.parametrize("browser", [True, False])
def test_no_path_is_absolute(tmp_path: Path, browser: bool) -> None:
    """The configuration names no absolute path, since Neo4j spoils those with a quote or another letter than ASCII. The
    configuration of the logs is beside it.
    """
    folder = Folder(tmp_path / 'Jürgen\'s "data" folder')
    folder.prepare()

    write(folder, Ports(7687, 7474), 128, browser=browser)

    text = (folder.conf / "neo4j.conf").read_text()
    values = dict(line.split("=", 1) for line in text.splitlines() if not line.startswith("#"))
    assert {"data", "logs", "plugins", "import", "run"} <= set(values.values())
    assert not [value for value in values.values() if value.startswith("/")]
    assert text.isascii()
    assert {"neo4j.conf", "server-logs.xml", "user-logs.xml"} == {path.name for path in folder.conf.iterdir()}
    assert ("server.http_enabled_modules" in values) == (not browser)


def test_browser_is_served_from_ascii_paths_only(tmp_path: Path) -> None:
    """What counts is the path that symbolic links lead to, as Java resolves them."""
    umlaut, plain = tmp_path / "cäche", tmp_path / 'the "cache"'
    plain.mkdir()
    umlaut.symlink_to(plain)
    (tmp_path / "ä").mkdir()
    (tmp_path / "a").symlink_to(tmp_path / "ä")

    assert [True, True] == [serves_browser(plain), serves_browser(umlaut)]
    assert [False, False] == [serves_browser(tmp_path / "ä" / "cache"), serves_browser(tmp_path / "a")]
