"""Documents: Markdown and plain text. Each file is a document named by its path; a piece is a paragraph or list item.

Hidden files, and files in hidden folders such as those of an editor or of git, are ignored.
"""

from collections.abc import Iterator
from itertools import groupby
from pathlib import PurePosixPath
from typing import Final

from hippograph.graph.errors import InvalidInput
from hippograph.graph.transfer.formats.container import Container
from hippograph.graph.transfer.formats.memories.markdown import decoded, refusal, statements
from hippograph.graph.transfer.formats.reading import Document, Format, Reading, ReadOptions, Skipped, Statement

MOST_CHARACTERS: Final = 2_000_000
"""Maximum number of characters of a document, which is stored in one commit."""
_ENDINGS: Final = (".md", ".txt")


def are_documents(container: Container) -> bool:
    """Whether there are files that are not hidden, and all of them are Markdown or plain text."""
    seen = [path for path in container.files if not _is_hidden(path)]
    return bool(seen) and all(path.lower().endswith(_ENDINGS) for path in seen)


def read(container: Container, options: ReadOptions) -> Reading:
    """Returns all documents. A file that cannot be read is skipped, but listed in `there`."""
    documents, skipped, there = [], [], []
    for path in container.files:
        if _is_hidden(path) or not path.lower().endswith(_ENDINGS):
            continue
        there.append(path)
        try:
            pieces, refused = _pieces(container.read(path), path, options)
            documents.append(Document(path, pieces))
            skipped += refused
        except InvalidInput as error:
            skipped.append(Skipped(path, str(error), damaged=True))
    return Reading(
        Format.DOCUMENTS, container.name, documents=tuple(documents), skipped=tuple(skipped), there=tuple(there)
    )


def _is_hidden(path: str) -> bool:
    return any(part.startswith(".") for part in PurePosixPath(path).parts)


def _pieces(data: bytes, path: str, options: ReadOptions) -> tuple[tuple[Statement, ...], list[Skipped]]:
    text = decoded(data, path)
    if len(text) > MOST_CHARACTERS:
        raise InvalidInput(f"a document has at most {MOST_CHARACTERS} characters: make several of it")
    found = list(statements(text, path) if path.lower().endswith(".md") else _paragraphs(text, path))
    refused = [Skipped(one.place, reason) for one in found if (reason := refusal(one, options))]
    return tuple(one for one in found if not refusal(one, options)), refused


def _paragraphs(text: str, path: str) -> Iterator[Statement]:
    numbered = enumerate(text.split("\n"), start=1)
    for blank, lines in groupby(numbered, key=lambda line: not line[1].strip()):
        if not blank:
            (number, first), *rest = lines
            words = "\n".join([first, *(line for _, line in rest)])
            yield Statement(words.strip(), (), None, f"{path}, line {number}")
