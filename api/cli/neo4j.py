"""`hippograph neo4j …`: the Neo4j that hippograph runs by itself."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Annotated

import typer

from api.cli.choices import demo_chosen
from api.cli.groups import Group
from api.cli.output import Report, ending, err, out, print_json, progress

if TYPE_CHECKING:
    from graph.local.server import LocalServer

app = typer.Typer(cls=Group, help="The Neo4j that hippograph runs by itself.", no_args_is_help=True)

Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@app.command()
def install() -> None:
    """Fetch Java and Neo4j, so that a start needs no network."""
    with ending(), progress("Setting up") as report:
        java, jars = _server(report).install()
    out.line(f"{len(jars)} jars are there; Java is {java.path}")


@app.command()
def start(json: Json = False) -> None:
    """Start it and let it run until `stop`."""
    with ending(), progress("Setting up") as report:
        server = _server(report)
        connection = server.start(keep=True)
        server.release()
    if json:
        print_json({"uri": connection.uri, "browser": f"{connection.http_url}/browser/", "pid": connection.pid})
    else:
        out.line(f"Neo4j answers at {connection.uri}, Browser at {connection.http_url}/browser/")
        out.line(f"user {connection.user}, password in {server.folder.password}")


@app.command()
def stop() -> None:
    """Stop it, whoever started it."""
    with ending():
        out.line("stopped" if _server().stop() else "it was not running")


@app.command()
def status(json: Json = False) -> None:
    """What it is doing, where it answers and who uses it; and the demo's, when there is one."""
    from api.cli.opening import of_demo, read_settings
    from api.service import local_server

    settings = read_settings()
    states = [local_server(settings).status()]
    demo = local_server(of_demo(settings))
    if not demo_chosen.get() and demo.folder.root.exists():
        states.append(demo.status())
    if json:
        print_json(states)
        return
    for number, state in enumerate(states):
        if number:
            out.line()
            out.line(("The demo's", "bold"), " (`hippograph --demo …`):")
        for each in fields(state):
            value = getattr(state, each.name)
            if value not in (None, ""):
                out.line(f"{each.name.replace('_', ' '):>15}  {value}")


@app.command()
def logs(lines: Annotated[int, typer.Option(help="How many lines from the end.", min=1)] = 50) -> None:
    """The end of its log."""
    text = _server().logs(lines)
    if not text:
        err.line("there is no log yet: it has never been started")
    for line in text.split("\n"):
        out.line(line)


def _server(report: Report | None = None) -> LocalServer:
    from api.cli.opening import read_settings
    from api.service import local_server

    return local_server(read_settings(), report)
