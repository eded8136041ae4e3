"""The command line: `hippograph …`. Each module holds the commands of one subject."""

import typer

from api.cli.bench import app as bench
from api.cli.data import register as register_data
from api.cli.facts import register as register_facts
from api.cli.neo4j import app as neo4j
from api.cli.run import register as register_run
from api.cli.upkeep import register as register_upkeep

app = typer.Typer(
    name="hippograph",
    help="A graph-database knowledge service: a long-term memory for AI assistants, in Neo4j.",
    no_args_is_help=True,
    pretty_exceptions_show_locals=False,
    add_completion=False,
)
for register in (register_run, register_data, register_facts, register_upkeep):
    register(app)
app.add_typer(neo4j, name="neo4j")
app.add_typer(bench, name="bench")


def main() -> None:
    """The entry point of the `hippograph` command."""
    app()
