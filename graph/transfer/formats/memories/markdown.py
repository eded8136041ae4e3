"""Memories kept as Markdown: `MEMORY.md`, and `memory/*.md`. Each list item or paragraph is a memory.

Headings become tags. A text that introduces a list and ends with a colon is put before each of its items. A date in
the file name is the day of its memories. Front matter, comments, rules and headings are not memories themselves.
"""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token

from hippograph.graph.errors import InvalidInput
from hippograph.graph.transfer.formats.container import Container
from hippograph.graph.transfer.formats.reading import Format, Reading, ReadOptions, Skipped, Statement, one_line
from hippograph.nlp.errors import BadText
from hippograph.nlp.text import check_text

_FRONT_MATTER: Final = re.compile(r"\A---\n.*?\n---[ \t]*(?:\n|\Z)", re.DOTALL)
_DAY: Final = re.compile(r"(?<!\d)(\d{4}-\d{2}-\d{2})(?!\d)")
_CHECKBOX: Final = re.compile(r"\A\[[ xX]\]\s+")
_OPENS: Final = ("bullet_list_open", "ordered_list_open")
_CLOSES: Final = ("bullet_list_close", "ordered_list_close")
_BLOCKS: Final = ("fence", "code_block")
_NO_LIMIT: Final = 2**31


def is_memories(container: Container) -> bool:
    """Whether there is a `MEMORY.md` or a folder `memory` with Markdown, and no `.json` file."""
    return bool(_kept(container)) and not any(path.lower().endswith(".json") for path in container.files)


def _kept(container: Container) -> list[str]:
    """Returns the paths of each `MEMORY.md`, and of the Markdown files in folders called `memory`."""
    return [
        path
        for path, file in container.files.items()
        if path.lower().endswith(".md")
        and (
            PurePosixPath(path).name == "MEMORY.md"
            or "memory" in PurePosixPath(path).parts[:-1]
            or (isinstance(file, Path) and file.resolve().parent.name == "memory")
        )
    ]


def read(container: Container, options: ReadOptions) -> Reading:
    """Returns all memories of the files, in order."""
    found: list[Statement] = []
    skipped: list[Skipped] = []
    # If the user gives the format, any Markdown file is read.
    for path in _kept(container) or [path for path in container.files if path.lower().endswith(".md")]:
        for statement in statements(decoded(container.read(path), path), path):
            if reason := refusal(statement, options):
                skipped.append(Skipped(statement.place, reason))
            else:
                found.append(statement)
    return Reading(Format.MARKDOWN, container.name, statements=tuple(found), skipped=tuple(skipped))


def refusal(statement: Statement, options: ReadOptions) -> str | None:
    """Returns why a statement cannot be stored; None if it can."""
    if not statement.text.strip():
        return "no text"
    if statement.day is not None and statement.day > options.now:
        return "its day lies in the future"
    try:
        check_text(statement.text, limit=_NO_LIMIT)
    except BadText as error:
        return str(error)
    return None


def decoded(data: bytes, path: str) -> str:
    """Returns the text of a file with Unix line ends. Raises `InvalidInput` when it is not UTF-8."""
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise InvalidInput(f"{path} is no UTF-8 text: byte {error.start}") from error


def statements(text: str, path: str) -> Iterator[Statement]:
    """Yields each list item and paragraph of Markdown, with the headings above it."""
    # The front matter is replaced by blank lines, which keeps the line numbers.
    body = _FRONT_MATTER.sub(lambda found: "\n" * found[0].count("\n"), text)
    day = _day(path)
    # Inline markup is kept as written.
    for words, headings, line in _Outline().read(MarkdownIt("commonmark").disable("inline").parse(body)):
        yield Statement(words, headings, day, f"{path}, line {line}")


def _day(path: str) -> datetime | None:
    found = _DAY.search(PurePosixPath(path).stem)
    try:
        return datetime.fromisoformat(found[1]).replace(tzinfo=UTC) if found else None
    except ValueError:
        return None


class _Outline:
    """Walks through a document and tracks the headings and the introductions of lists above each paragraph."""

    def __init__(self) -> None:
        self._headings: dict[int, str] = {}
        self._lists: list[str] = []
        self._introduction = ""

    def read(self, tokens: list[Token]) -> Iterator[tuple[str, tuple[str, ...], int]]:
        """Yields the text of each memory, its headings and its line number."""
        for number, token in enumerate(tokens):
            if token.type in _OPENS:
                self._lists.append(self._introduction)
                self._introduction = ""
            elif token.type in _CLOSES:
                self._lists.pop()
                self._introduction = ""
            elif token.type in _BLOCKS or token.type == "inline":
                yield from self._block(tokens, number)

    def _block(self, tokens: list[Token], number: int) -> Iterator[tuple[str, tuple[str, ...], int]]:
        token, before = tokens[number], tokens[number - 1]
        words = _CHECKBOX.sub("", token.content.strip())
        if token.type == "inline" and before.type == "heading_open":
            level = int(before.tag[1:])
            self._headings = {key: text for key, text in self._headings.items() if key < level} | {
                level: one_line(words)
            }
            self._introduction = ""
        elif words.endswith(":") and any(after.type in _OPENS for after in tokens[number + 1 : number + 3]):
            self._introduction = words
        else:
            self._introduction = ""
            before_it = " ".join(text for text in self._lists if text)
            line = (token.map or before.map or [0])[0] + 1
            yield f"{before_it} {words}".strip(), tuple(text for text in self._headings.values() if text), line
