"""Memories of mem0 as its `get_all` returns them: a list of memories, each of a user."""

from typing import Any

from hippograph.graph.errors import InvalidInput
from hippograph.graph.transfer.formats.container import Container
from hippograph.graph.transfer.formats.json_values import list_of, moment_of, parsed, text_of
from hippograph.graph.transfer.formats.reading import Format, Reading, ReadOptions, Skipped, Statement, one_line


def memories(value: Any) -> list[Any]:
    """Returns the memories of a response or a list; empty for any other value."""
    found = value if isinstance(value, list) else list_of(value, "results") or list_of(value, "memories")
    return found if found and text_of(found[0], "memory") and text_of(found[0], "id") else []


def read(container: Container, options: ReadOptions) -> Reading:
    """Returns the memories of a user as facts that are valid from their creation. Raises `InvalidInput` for memories of
    several users if `options.me` is none of them.
    """
    path = next(iter(container.files))
    found = memories(parsed(container.read(path), path))
    users = sorted({text_of(each, "user_id") for each in found} - {""})
    if len(users) > 1 and options.me not in users:
        raise InvalidInput(
            f"{path} holds memories of {len(users)} users; say with --me which you are: {', '.join(users)}"
        )
    statements, skipped = [], []
    for number, each in enumerate(found, start=1):
        place, text = f"{path}, memory {number}", text_of(each, "memory").strip()
        if len(users) > 1 and text_of(each, "user_id") != options.me:
            skipped.append(Skipped(place, "of another user"))
        elif not text:
            skipped.append(Skipped(place, "no text"))
        else:
            tags = tuple(one_line(tag) for tag in list_of(each, "categories") if isinstance(tag, str) and one_line(tag))
            statements.append(Statement(text, tags, None, place, moment_of(text_of(each, "created_at"))))
    return Reading(Format.MEM0, container.name, statements=tuple(statements), skipped=tuple(skipped), me=options.me)
