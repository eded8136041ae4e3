"""Shared by the readers of exports of assistants: files with lists of conversations, and branches of conversations."""

import re
from collections.abc import Callable, Mapping
from pathlib import PurePosixPath
from typing import Any

from hippograph.graph.transfer.formats.container import Container
from hippograph.graph.transfer.formats.json_values import parsed
from hippograph.graph.transfer.formats.reading import Collector, Format, Reading, ReadOptions
from hippograph.graph.writing.dialogue_file import DialogueFile


def read_conversations(
    kind: Format,
    container: Container,
    options: ReadOptions,
    *,
    files: re.Pattern[str],
    read: Callable[[Collector, str, Any], None],
    me: str,
) -> Reading:
    """All conversations of the files whose names match `files`, or of the only file. `read` adds one conversation to
    the collector, given the collector, the place in the file, and the JSON value. The last one of an id is kept.
    """
    collector = Collector(options)
    for path in container.files:
        if files.fullmatch(PurePosixPath(path).name) or len(container.files) == 1:
            found = parsed(container.read(path), path)
            for number, value in enumerate(found if isinstance(found, list) else [found], start=1):
                read(collector, f"{path}, conversation {number}", value)
    content = DialogueFile(list({one.id: one for one in collector.dialogues}.values()))
    return Reading(kind, kind.value, content, skipped=tuple(collector.skipped), me=me)


def branch(parents: Mapping[str, str | None], leaf: str) -> list[str]:
    """The ids from the root to a leaf. The way up ends at a parent that is missing, or that was passed already."""
    way: dict[str, None] = {}
    node: str | None = leaf
    while node is not None and node in parents and node not in way:
        way[node] = None
        node = parents[node]
    return list(reversed(way))
