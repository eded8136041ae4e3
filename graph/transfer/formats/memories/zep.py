"""What Zep and Graphiti keep: the edges of a graph, each a fact with the time in which it held."""

from typing import Any

from hippograph.graph.transfer.formats.container import Container
from hippograph.graph.transfer.formats.json_values import list_of, moment_of, parsed, text_of
from hippograph.graph.transfer.formats.reading import Format, Reading, ReadOptions, Skipped, Statement


def edges(value: Any) -> list[Any]:
    """The edges of an answer, or of a list of them; none of anything else."""
    found = value if isinstance(value, list) else list_of(value, "edges")
    return found if found and text_of(found[0], "fact") and text_of(found[0], "uuid") else []


def read(container: Container, options: ReadOptions) -> Reading:
    """The facts, since when and until when they held: one that was invalidated is of the past."""
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
