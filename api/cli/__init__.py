"""The command line: `hippograph …`. Each module holds the commands of one subject."""

from pathlib import Path
from typing import Annotated

import typer

from api.cli.bench import app as bench
from api.cli.data import register as register_data
from api.cli.facts import register as register_facts
from api.cli.neo4j import app as neo4j
from api.cli.output import settings_file
from api.cli.run import register as register_run
from api.cli.token import app as token
from api.cli.upkeep import register as register_upkeep
from api.settings import FILE_VARIABLE, USER_FILE

app = typer.Typer(
    name="hippograph",
    no_args_is_help=True,
    pretty_exceptions_show_locals=False,
    add_completion=False,
)
for register in (register_run, register_data, register_facts, register_upkeep):
    register(app)
app.add_typer(neo4j, name="neo4j")
app.add_typer(bench, name="bench")
app.add_typer(token, name="token")


@app.callback()
def choose_settings(
    env_file: Annotated[
        Path | None,
        typer.Option(
            envvar=FILE_VARIABLE, exists=True, dir_okay=False, help=f"The file of settings, in place of {USER_FILE}."
        ),
    ] = None,
) -> None:
    """A graph-database knowledge service: a long-term memory for AI assistants, in Neo4j."""
    if env_file is not None:
        settings_file.set(env_file)


def main() -> None:
    """The entry point of the `hippograph` command."""
    app()
