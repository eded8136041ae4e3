"""Files for Neo4j Browser (A4): a style sheet, and saved queries, one per file, whose first line says what it shows.
The queries are for the operator: they see everything, and no part of the service runs them.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urlencode, urlsplit

_FOLDER: Final = Path(__file__).parent

STYLE: Final = _FOLDER / "style.grass"
"""Style sheet with captions, colours and sizes, to be dropped onto Neo4j Browser."""

WARNING: Final = (
    "Browser, notebooks and drivers see everything: the rule of who may see what is the service's. They are the "
    "operator's. Community Edition has no read-only accounts, so what they write is written."
)


@dataclass(frozen=True, slots=True)
class SavedQuery:
    """A saved query: its name, what it shows, and its text, whose first line says what it shows."""

    name: str
    shows: str
    text: str
    file: Path


def saved_queries() -> list[SavedQuery]:
    """Returns all saved queries in display order."""
    return [_read(file) for file in sorted((_FOLDER / "queries").glob("*.cypher"))]


def address(http_url: str, uri: str, user: str, query: SavedQuery) -> str:
    """Returns the URL of Neo4j Browser that connects to `uri` as `user` and opens the query in its editor."""
    server = urlsplit(uri)
    connection = f"{server.scheme}://{user}@{server.netloc}"
    return f"{http_url}/browser/?{urlencode({'connectURL': connection, 'cmd': 'edit', 'arg': query.text})}"


def _read(file: Path) -> SavedQuery:
    text = file.read_text("utf-8").strip()
    first, _, _ = text.partition("\n")
    return SavedQuery(file.stem.partition("-")[2], first.removeprefix("//").strip(), text, file)
