"""`hippograph neo4j …`: the Neo4j that hippograph runs by itself."""

from dataclasses import asdict
from typing import Annotated

import typer

from api.cli.output import err, fail, out, print_json, progress, read_settings
from api.service import local_server
from graph.errors import HippographError
from graph.local.server import LocalServer

app = typer.Typer(help="The Neo4j that hippograph runs by itself.", no_args_is_help=True)

Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@app.command()
def install() -> None:
    """Fetch Java and Neo4j, so that a start needs no network."""
    with progress("Fetching Neo4j") as report:
        server = local_server(read_settings(), report)
        try:
            java, jars = server.install()
        except HippographError as error:
            fail(error)
    out.line(f"{len(jars)} jars are there; Java is {java.path}")


@app.command()
def start(json: Json = False) -> None:
    """Start it and let it run until `stop`."""
    with progress("Fetching Neo4j") as report:
        server = local_server(read_settings(), report)
        try:
            connection = server.start(keep=True)
        except HippographError as error:
            fail(error)
        server.release()
    if json:
        print_json({"uri": connection.uri, "browser": f"{connection.http_url}/browser/", "pid": connection.pid})
    else:
        out.line(f"Neo4j answers at {connection.uri}, Browser at {connection.http_url}/browser/")
        out.line(f"user {connection.user}, password in {server.folder.password}")


@app.command()
def stop() -> None:
    """Stop it, whoever started it."""
    out.line("stopped" if _server().stop() else "it was not running")


@app.command()
def status(json: Json = False) -> None:
    """What it is doing, where it answers and who uses it."""
    state = asdict(_server().status())
    if json:
        print_json(state)
        return
    for name, value in state.items():
        if value not in (None, ""):
            out.line(f"{name:>15}  {value}")


@app.command()
def logs(lines: Annotated[int, typer.Option(help="How many lines from the end.", min=1)] = 50) -> None:
    """The end of its log."""
    text = _server().logs(lines)
    if not text:
        err.line("there is no log yet: it has never been started")
    for line in text.split("\n"):
        out.line(line)


def _server() -> LocalServer:
    return local_server(read_settings())
