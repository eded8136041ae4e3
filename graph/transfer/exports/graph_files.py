"""Atomic writing of files and folders: under a temporary name beside the target, renamed when complete."""

import gzip
import io
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, TextIO

from hippograph.graph.errors import InvalidInput

_PARTIAL: Final = ".partial"


@contextmanager
def new_file(path: Path) -> Iterator[TextIO]:
    """Opens a new text file that only its owner can read, compressed if its name ends in `.gz`. After a failure no file
    is left.

    Raises `InvalidInput` if the path already exists, or the file cannot be created.
    """
    check_new(path)
    try:
        made, name = tempfile.mkstemp(dir=path.parent, prefix=f"{path.name}{_PARTIAL}-")
    except OSError as error:
        raise InvalidInput(f"{path} cannot be written: {error.strerror}") from error
    partial = Path(name)
    try:
        with os.fdopen(made, "wb") as raw:
            with _text(raw, packed=path.suffix == ".gz") as text:
                yield text
            raw.flush()
            os.fsync(raw.fileno())
        check_new(path)
        partial.replace(path)
    finally:
        with suppress(FileNotFoundError):
            partial.unlink()


@contextmanager
def _text(raw: io.BufferedWriter, *, packed: bool) -> Iterator[TextIO]:
    if packed:
        with gzip.open(raw, "wt", encoding="utf-8", newline="\n") as text:
            yield text
        return
    text = io.TextIOWrapper(raw, encoding="utf-8", newline="\n")
    yield text
    text.detach()


@contextmanager
def new_folder(path: Path) -> Iterator[Path]:
    """Creates a new folder that only its owner can read, for the caller to fill. After a failure no folder is left.

    Raises `InvalidInput` if the path already exists, or the folder cannot be created.
    """
    check_new(path)
    try:
        partial = Path(tempfile.mkdtemp(dir=path.parent, prefix=f"{path.name}{_PARTIAL}-"))
    except OSError as error:
        raise InvalidInput(f"{path} cannot be written: {error.strerror}") from error
    try:
        yield partial
        check_new(path)
        partial.rename(path)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def check_new(path: Path) -> None:
    """Raises `InvalidInput` if a file or folder of this path already exists."""
    if path.exists():
        raise InvalidInput(f"{path} is there already: give another name, or remove it")
