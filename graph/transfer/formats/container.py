"""The files of an export: a folder, a zip, or a single file. A zip is never unpacked to disk; members are read singly.

The cost of a zip is limited before anything is inflated, by the declared sizes; inflating stops at these sizes.
"""

import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from lzma import LZMAError
from pathlib import Path, PurePosixPath
from stat import S_ISLNK
from typing import Final
from zlib import error as ZlibError

from hippograph.graph.errors import InvalidInput

MAX_FILE: Final = 2**30
"""Maximum size of a file, in bytes."""
MAX_MEMBERS: Final = 100_000
MAX_RATIO: Final = 200
"""Maximum ratio of a file's size to its size in the zip. Chats in JSON reach 10 to 40; a zip bomb reaches 1000."""
_SMALL: Final = 2**20
"""Maximum size for which any ratio is accepted, in bytes."""
_DAMAGED: Final = (
    zipfile.BadZipFile,
    ZlibError,
    LZMAError,
    EOFError,
    RuntimeError,
    UnicodeDecodeError,
    OSError,
)
"""What a damaged or encrypted member of a zip raises, by how it is packed. bzip2 raises OSError, as does an
archive that has gone away.
"""
_READ: Final = (".json", ".jsonl", ".ndjson", ".af", ".txt", ".md")
"""Endings of the files that are read from a folder or a zip. Others, such as pictures, are ignored."""


@dataclass(frozen=True, slots=True)
class Container:
    """The files of an export. `name` is the name of the export without the ending; `files` maps the path of each file
    within the export, with `/` as separator, to where it is; `archive` is the path of a zip, None for others.
    """

    name: str
    files: Mapping[str, Path | zipfile.ZipInfo]
    archive: Path | None = None

    def read(self, path: str) -> bytes:
        """Returns the contents of a file. Raises `InvalidInput` when it is too large or damaged."""
        file = self.files[path]
        if isinstance(file, Path):
            return _read_file(file, path)
        assert self.archive is not None
        try:
            with zipfile.ZipFile(self.archive) as archive, archive.open(file) as stream:
                return stream.read(MAX_FILE)
        except _DAMAGED as error:
            raise InvalidInput(f"{path} of {self.archive.name} cannot be read: {error}") from error

    def named(self, name: str) -> list[str]:
        """Returns the sorted paths of the files of this name, in any folder."""
        return sorted(path for path in self.files if PurePosixPath(path).name == name)


def open_container(path: Path) -> Container:
    """Returns the container for a folder, a zip or a single file.

    Raises `InvalidInput` for a zip that cannot be read, exceeds the limits or is unsafe.
    """
    if path.is_dir():
        found = {file.relative_to(path).as_posix(): file for file in sorted(path.rglob("*")) if _is_read(file)}
        return Container(path.resolve().name, dict(found))
    if zipfile.is_zipfile(path):
        return Container(path.stem, _members(path), path)
    return Container(path.stem, {path.name: path})


def _is_read(file: Path) -> bool:
    return file.suffix.lower() in _READ and not file.is_symlink() and file.is_file()


def _read_file(file: Path, path: str) -> bytes:
    if file.stat().st_size > MAX_FILE:
        raise InvalidInput(f"{path} is larger than {MAX_FILE // 2**20} MiB")
    return file.read_bytes()


def _members(path: Path) -> dict[str, zipfile.ZipInfo]:
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
    except (zipfile.BadZipFile, NotImplementedError, UnicodeDecodeError) as error:
        raise InvalidInput(f"{path.name} is no zip that can be read: {error}") from error
    if len(members) > MAX_MEMBERS:
        raise InvalidInput(f"{path.name} holds {len(members)} files; up to {MAX_MEMBERS} are read")
    wanted = [one for one in members if one.filename.lower().endswith(_READ)]
    for member in wanted:
        _check_member(path.name, member)
    if sum(member.file_size for member in wanted) > 4 * MAX_FILE:
        raise InvalidInput(f"{path.name} holds more than {4 * MAX_FILE // 2**20} MiB of text")
    return {member.filename: member for member in sorted(wanted, key=lambda one: one.filename)}


def _check_member(archive: str, member: zipfile.ZipInfo) -> None:
    """Raises `InvalidInput` for a member that is unsafe, encrypted, too large or possibly a zip bomb."""
    name = PurePosixPath(member.filename.replace("\\", "/"))
    if name.is_absolute() or ".." in name.parts or S_ISLNK(member.external_attr >> 16):
        raise InvalidInput(f"{archive} holds {member.filename!r}, which leads out of it; nothing was imported")
    if member.flag_bits & 1:
        raise InvalidInput(f"{member.filename} of {archive} is encrypted; unpack it and import the folder")
    if member.file_size > MAX_FILE:
        raise InvalidInput(f"{member.filename} of {archive} is larger than {MAX_FILE // 2**20} MiB")
    if member.file_size > _SMALL and member.file_size > MAX_RATIO * max(1, member.compress_size):
        raise InvalidInput(f"{member.filename} of {archive} unpacks to over {MAX_RATIO} times its size: a zip bomb?")
