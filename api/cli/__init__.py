"""The command line: `hippograph …`. Each module holds the commands of one subject."""

import typer

from api.cli import bench, data, neo4j, run, upkeep

app = typer.Typer(
    name="hippograph",
    help="A graph-database knowledge service: a long-term memory for AI assistants, in Neo4j.",
    no_args_is_help=True,
    pretty_exceptions_show_locals=False,
    add_completion=False,
)
for module in (run, data, upkeep):
    module.register(app)
app.add_typer(neo4j.app, name="neo4j")
app.add_typer(bench.app, name="bench")


def main() -> None:
    """The entry point of the `hippograph` command."""
    app()
