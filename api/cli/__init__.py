"""The command line: `hippograph …`. Each module holds the commands of one subject."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Final

import typer

from hippograph.api.cli import data
from hippograph.api.cli.choices import demo_chosen, settings_file
from hippograph.api.cli.groups import BenchGroup, Group
from hippograph.api.cli.memory import facts, forgetting, knowledge, talk
from hippograph.api.cli.memory.blocks import app as block
from hippograph.api.cli.output import out
from hippograph.api.cli.people.chat import app as chat
from hippograph.api.cli.people.person import app as person
from hippograph.api.cli.people.space import app as space
from hippograph.api.cli.people.token import app as token
from hippograph.api.cli.server import run, upkeep
from hippograph.api.cli.server.neo4j import app as neo4j
from hippograph.api.cli.transfer import exporting, importing
from hippograph.api.cli.transfer.hook import app as hook
from hippograph.api.settings.file import FILE_VARIABLE, USER_FILE

app = typer.Typer(name="hippograph", cls=Group, no_args_is_help=True, pretty_exceptions_show_locals=False)
COMMANDS: Final[dict[str, Callable[..., None]]] = {
    "serve": run.serve,
    "worker": run.worker,
    "demo": run.demo,
    "mcp": run.mcp,
    "import": importing.import_,
    "export": exporting.export,
    "search": data.search,
    "remember": facts.remember,
    "explain": facts.explain,
    "context": knowledge.context,
    "card": knowledge.card,
    "timeline": knowledge.timeline,
    "communities": knowledge.communities,
    "summary": talk.summary,
    "summarize": talk.summarize,
    "time-zone": talk.time_zone,
    "migrate": upkeep.migrate,
    "doctor": upkeep.doctor,
    "consolidate": upkeep.consolidate,
    "gc": upkeep.gc,
    "settings": upkeep.settings,
    "reembed": upkeep.reembed,
}
for name, command in COMMANDS.items():
    app.command(name)(command)
facts.memories.command("forget")(forgetting.forget)
facts.memories.command("forgotten")(forgetting.list_)
facts.memories.command("undo")(forgetting.undo)
facts.memories.command("purge")(forgetting.purge)
app.add_typer(facts.memories, name="memory")
app.add_typer(knowledge.archived, name="archive")
app.add_typer(talk.todos, name="todo")
app.add_typer(upkeep.maintenance, name="maintenance")
app.add_typer(block, name="block")
app.add_typer(chat, name="chat")
app.add_typer(space, name="space")
app.add_typer(hook, name="hook")
app.add_typer(neo4j, name="neo4j")
app.add_typer(
    typer.Typer(
        cls=BenchGroup, help="Benchmarks, on a Neo4j of their own.", no_args_is_help=True, callback=lambda: None
    ),
    name="bench",
)
app.add_typer(token, name="token")
app.add_typer(person, name="person")


def _tell_version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        out.line(f"hippograph {version('hippograph')}")
        raise typer.Exit


@app.callback()
def choose(
    env_file: Annotated[
        Path | None,
        typer.Option(
            envvar=FILE_VARIABLE, exists=True, dir_okay=False, help=f"Settings file to use instead of {USER_FILE}."
        ),
    ] = None,
    demo: Annotated[bool, typer.Option("--demo", help="Use the demo's graph, as its user.")] = False,
    _version: Annotated[
        bool, typer.Option("--version", callback=_tell_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """A graph-database knowledge service: a long-term memory for AI assistants, in Neo4j."""
    demo_chosen.set(demo)
    if env_file is not None:
        settings_file.set(env_file)


def main() -> None:
    """The entry point of the `hippograph` command."""
    app(prog_name="hippograph")
