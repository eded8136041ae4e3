"""A hook of MkDocs that replaces links to files outside docs/, which are not on the site, by their paths."""

import re
from pathlib import PurePosixPath
from posixpath import normpath
from typing import Any, Final

_LINK: Final = re.compile(r"\[([^\]\[]+)\]\((\.\./[^)#\s]*)(?:#[^)\s]*)?\)")


def on_page_markdown(markdown: str, *, page: Any, **_: Any) -> str:
    """Returns the text of a page; a link that leads out of docs/ becomes its text and the path in the repository."""
    folder = PurePosixPath("docs", page.file.src_uri).parent

    def named(link: re.Match[str]) -> str:
        path = normpath(str(folder / link[2]))
        return link[0] if path.startswith("docs/") else link[1] if path in link[1] else f"{link[1]} (`{path}`)"

    return _LINK.sub(named, markdown)
