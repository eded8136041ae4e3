"""The group `hippograph neo4j …`: the Neo4j that hippograph runs by itself."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from hippograph.api.cli.choices import demo_chosen
from hippograph.api.cli.data import Json
from hippograph.api.cli.groups import Group
from hippograph.api.cli.output import Report, ending, err, out, print_json, progress

if TYPE_CHECKING:
    from hippograph.api.browser import SavedQuery
    from hippograph.graph.local.server import LocalServer

app = typer.Typer(cls=Group, help="The Neo4j that hippograph runs by itself.", no_args_is_help=True)


@app.command()
def install() -> None:
    """Download Java and Neo4j, so that a start needs no network."""
    with ending(), progress("Setting up") as report:
        java, jars = _server(report).install()
    out.line(f"{len(jars)} jars are installed; Java is {java.path}")


@app.command()
def start(json: Json = False) -> None:
    """Start it; it runs until `stop`."""
    with ending(), progress("Setting up") as report:
        server = _server(report)
        connection = server.start(keep=True)
        server.release()
    link = f"{connection.http_url}/browser/" if connection.http_url else None
    if json:
        print_json({"uri": connection.uri, "browser": link, "pid": connection.pid})
    else:
        out.line(f"Neo4j answers at {connection.uri}{f', Browser at {link}' if link else ''}")
        out.line(f"user {connection.user}, password in {server.folder.password}")


@app.command()
def stop() -> None:
    """Stop it, whoever started it."""
    with ending():
        out.line("stopped" if _server().stop() else "it was not running")


@app.command()
def status(json: Json = False) -> None:
    """Show its state, its addresses and how many use it; also for the demo's Neo4j, if there is one."""
    from hippograph.api.cli.reading import of_demo, read_settings
    from hippograph.api.local_server import local_server

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
def logs(lines: Annotated[int, typer.Option(help="Number of lines from the end.", min=1)] = 50) -> None:
    """Print the end of its log."""
    text = _server().logs(lines)
    if not text:
        err.line("there is no log yet: Neo4j was never started")
    for line in text.split("\n"):
        out.line(line)


@app.command()
def browser(
    name: Annotated[str | None, typer.Argument(help="Saved query to print, or to open with --open.")] = None,
    open_it: Annotated[
        bool, typer.Option("--open/--print", help="Open Neo4j Browser with the query (default: the first).")
    ] = False,
    json: Json = False,
) -> None:
    """Show the address of Neo4j Browser, the saved queries and the style sheet; or print or open one query."""
    from hippograph.api.browser import STYLE, WARNING, address, saved_queries

    with ending():
        query = _saved_query(name)
        where = _running() if open_it or name is None else None
        link = where and where.http_url and address(where.http_url, where.uri, where.user, query)
    if open_it and link:
        typer.launch(link)
    if json:
        listed = [{"name": each.name, "shows": each.shows, "file": str(each.file)} for each in saved_queries()]
        print_json({"browser": link or None, "style": str(STYLE), "queries": listed})
    elif name and not open_it:
        for line in query.text.split("\n"):
            out.line(line)
    else:
        _tell_browser(link)
        err.line(WARNING)


@app.command()
def connection(
    json: Json = False,
    shell: Annotated[bool, typer.Option("--shell", help='Print export lines for a shell: eval "$(…)".')] = False,
) -> None:
    """Show how drivers and notebooks connect: the address, the user, and where the password is."""
    from hippograph.api.browser import WARNING
    from hippograph.api.cli.reading import read_settings

    with ending():
        where = _running()
    database = read_settings().neo4j_database
    variable, file = "HIPPOGRAPH_NEO4J_PASSWORD", where.password_file
    if json:
        password = {"passwordFile": str(file)} if file else {"passwordVariable": variable}
        print_json({"uri": where.uri, "user": where.user, "database": database, **password})
    elif shell:
        secret = f"$(cat {quote(str(file))})" if file else f"${{{variable}:?}}"
        for key, value in (("URI", where.uri), ("USERNAME", where.user), ("DATABASE", database)):
            out.line(f"export NEO4J_{key}={quote(value)}")
        out.line(f'export NEO4J_PASSWORD="{secret}"')
    else:
        out.line(f"{where.uri} as {where.user}, database {database}")
        out.line(
            f"password in {file}" if file else f"password in {variable}, from the environment or your settings file"
        )
    err.line(WARNING)


@app.command()
def dump(file: Annotated[Path, typer.Argument(help="File to write; it must not exist yet.")]) -> None:
    """Write the whole graph into a file. The service must not run meanwhile."""
    from hippograph.graph.local import dumps

    with ending(), progress("Dumping") as report:
        path = dumps.dump(_managed(report), file)
    out.line(f"{path} holds the graph ({path.stat().st_size / 1_000_000:.1f} MB)")


@app.command()
def restore(
    file: Annotated[Path, typer.Argument(help="A file that `dump` wrote.")],
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the present graph.")] = False,
) -> None:
    """Load the graph of a dump in place of the present one. The service must not run meanwhile."""
    from hippograph.graph.local import dumps

    with ending(), progress("Restoring") as report:
        dumps.restore(_managed(report), file, overwrite=overwrite)
    out.line(f"the graph of {file} is restored")


class _Where(NamedTuple):
    """How to connect to a Neo4j. `http_url` and `password_file` are None for a Neo4j that hippograph does not run.
    `http_url` is empty if Neo4j Browser is off.
    """

    uri: str
    user: str
    http_url: str | None
    password_file: Path | None


def _running() -> _Where:
    """Returns the Neo4j that the settings name, else the local one. Raises `LocalServerError` if the latter is down."""
    from hippograph.api.cli.reading import read_settings
    from hippograph.graph.errors import LocalServerError
    from hippograph.graph.local.readiness import USER

    settings = read_settings()
    if settings.neo4j_uri:
        return _Where(settings.neo4j_uri, settings.neo4j_user, None, None)
    server = _server()
    status = server.status()
    if not status.uri:
        raise LocalServerError("Neo4j is not running: start it with `hippograph neo4j start`, or `hippograph serve`")
    return _Where(status.uri, USER, status.http_url, server.folder.password)


def _saved_query(name: str | None) -> SavedQuery:
    """Returns the saved query of a name, or the first one without a name. Raises `NotFound`."""
    from hippograph.api.browser import saved_queries
    from hippograph.graph.errors import NotFound

    queries = saved_queries()
    found = next((query for query in queries if name in (None, query.name)), None)
    if found is None:
        raise NotFound(f"there is no saved query {name!r}; there are {', '.join(query.name for query in queries)}")
    return found


def _tell_browser(link: str | None) -> None:
    """Prints where Neo4j Browser, the style and the queries are. `link` is None for a Neo4j that hippograph does not
    run, and empty if Neo4j Browser is off.
    """
    from hippograph.api.browser import STYLE, saved_queries

    if link is None:
        link = "the address at which your own Neo4j serves it, as http://host:7474/browser/"
    if link:
        out.line(f"Browser  {link}")
    out.line(f"Style    {STYLE} (drop the file onto Browser)")
    out.line(f"Queries  {STYLE.parent / 'queries'} (drop one onto Browser, or `hippograph neo4j browser NAME --open`)")
    for query in saved_queries():
        out.line(f"  {query.name:<24} {query.shows}")


def _managed(report: Report) -> LocalServer:
    from hippograph.api.cli.reading import read_settings
    from hippograph.graph.errors import InvalidInput

    if read_settings().neo4j_uri:
        raise InvalidInput(
            "HIPPOGRAPH_NEO4J_URI names a Neo4j that hippograph does not run: use neo4j-admin where it runs"
        )
    return _server(report)


def _server(report: Report | None = None) -> LocalServer:
    from hippograph.api.cli.reading import read_settings
    from hippograph.api.local_server import local_server

    return local_server(read_settings(), report)
