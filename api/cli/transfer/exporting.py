"""The command `export`: writes the graph to a file or folder."""

from __future__ import annotations

import tempfile
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from hippograph.api.cli.data import Json
from hippograph.api.cli.output import err, print_json, progress, run, standard_output

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hippograph.graph.transfer.exports.graph_lines import Counts


class ExportFormat(StrEnum):
    """The format in which the graph is written."""

    JSONL = "jsonl"
    MARKDOWN = "markdown"
    GRAPHML = "graphml"
    CSV = "csv"


def export(
    file: Annotated[
        Path,
        typer.Argument(
            help="New file (compressed if it ends in .gz), or folder for markdown and csv; -: standard output."
        ),
    ],
    as_person: Annotated[
        str | None,
        typer.Option("--as", help="Only what this person may see, for reading: a (first) name or @username."),
    ] = None,
    space: Annotated[
        str | None, typer.Option(help="With --as: only what belongs to this space of theirs, by name or id.")
    ] = None,
    format_: Annotated[
        ExportFormat,
        typer.Option("--format", help="jsonl is complete; the others are for reading, Gephi, networkx and pandas."),
    ] = ExportFormat.JSONL,
    vectors: Annotated[bool, typer.Option(help="Include vectors; without them an import embeds anew.")] = True,
    json: Json = False,
) -> None:
    """Export EVERYTHING about everybody, or with --as only what one person may see.

    `hippograph import` restores the same graph from the jsonl of everything, into an empty graph. It contains people's
    words and the hashes of API keys, so only you can read the file.
    """
    counts = run(_export(file, as_person, space, format_, vectors=vectors and format_ is ExportFormat.JSONL))
    if json and str(file) != "-":
        print_json({"file": str(file), "nodes": counts.nodes, "relationships": counts.relationships})
    else:
        nodes, links = sum(counts.nodes.values()), sum(counts.relationships.values())
        err.line(f"{nodes} nodes and {links} relationships, {f'as {as_person} may see them' if as_person else 'all'}")


async def _export(
    file: Path, as_person: str | None, space: str | None, format_: ExportFormat, *, vectors: bool
) -> Counts:
    from importlib.metadata import version

    from hippograph.api.cli.opening import opened
    from hippograph.api.cli.reading import read_settings
    from hippograph.api.viewer import space_named
    from hippograph.graph.model import Viewer
    from hippograph.graph.transfer.exports.graph_export import EVERYTHING, GraphExport
    from hippograph.graph.transfer.exports.graph_files import check_new
    from hippograph.graph.transfer.exports.graph_seen import seen_by

    if space and not as_person:
        raise typer.BadParameter("a space is somebody's: say whose with --as")
    if str(file) != "-":
        check_new(file)
    elif format_ is not ExportFormat.JSONL:
        raise typer.BadParameter(f"{format_.value} is not written to the output: give a name")
    async with opened(read_settings()) as service:
        scope = EVERYTHING
        if as_person:
            person = await service.people.called(service.viewer(), as_person)
            of = await space_named(service, Viewer(person.id), space) if space else None
            scope = seen_by(person, service.clock, of.id if of else None)
        exporter = GraphExport(service.database, service.clock, version("hippograph"))
        with progress("Exporting") as report, _lines_for(file, format_) as (lines, folder):
            return await exporter.write(lines, scope, vectors=vectors, folder=folder, report=report)


@contextmanager
def _lines_for(file: Path, format_: ExportFormat) -> Iterator[tuple[TextIO, Path | None]]:
    """Yields the stream for the lines of an export, and a folder for temporary files (None: the default folder). At the
    end the lines are converted, if the format is not jsonl.
    """
    from hippograph.graph.transfer.exports.graph_files import new_file

    if format_ is ExportFormat.JSONL:
        if str(file) == "-":
            yield standard_output(), None
            return
        with new_file(file) as lines:
            yield lines, file.parent
        return
    with tempfile.TemporaryDirectory(prefix="hippograph-") as folder:
        made = Path(folder, "export.jsonl")
        with new_file(made) as lines:
            yield lines, Path(folder)
        _convert(made, file, format_)


def _convert(made: Path, file: Path, format_: ExportFormat) -> None:
    from hippograph.graph.transfer.exports.graph_files import new_file, new_folder
    from hippograph.graph.transfer.exports.graph_lines import ExportFile
    from hippograph.graph.transfer.exports.graph_pages import write_pages
    from hippograph.graph.transfer.exports.graph_tables import write_csv, write_graphml

    export_file = ExportFile(made)
    match format_:
        case ExportFormat.GRAPHML:
            with new_file(file) as text:
                write_graphml(export_file, text)
        case ExportFormat.CSV:
            with new_folder(file) as folder:
                write_csv(export_file, folder)
        case _:
            with new_folder(file) as folder:
                write_pages(export_file, folder)
