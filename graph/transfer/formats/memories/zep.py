"""Memories of Zep and Graphiti: the edges of a graph, each a fact with the period in which it was valid."""

from typing import Any

from hippograph.graph.transfer.formats.container import Container
from hippograph.graph.transfer.formats.json_values import list_of, moment_of, parsed, text_of
from hippograph.graph.transfer.formats.reading import Format, Reading, ReadOptions, Skipped, Statement


def edges(value: Any) -> list[Any]:
    """Returns the edges of a response or a list; empty for any other value."""
    found = value if isinstance(value, list) else list_of(value, "edges")
    return found if found and text_of(found[0], "fact") and text_of(found[0], "uuid") else []


def read(container: Container, options: ReadOptions) -> Reading:
    """Returns the facts with their validity; an invalidated or expired fact has an end."""
    path = next(iter(container.files))
    statements, skipped = [], []
    for number, edge in enumerate(edges(parsed(container.read(path), path)), start=1):
        place, text = f"{path}, edge {number}", text_of(edge, "fact").strip()
        since, ended, expired = (moment_of(text_of(edge, key)) for key in ("valid_at", "invalid_at", "expired_at"))
        until = ended or expired
        if not text:
            skipped.append(Skipped(place, "no text"))
        elif since is not None and until is not None and until <= since:
            skipped.append(Skipped(place, "it ended before it began"))
        else:
            statements.append(Statement(text, (), None, place, since, until))
    return Reading(Format.ZEP, container.name, statements=tuple(statements), skipped=tuple(skipped), me=options.me)
