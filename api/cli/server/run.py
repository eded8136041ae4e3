"""Commands that run the service: serve, worker, demo, mcp."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated, Final

import typer

from hippograph.api.cli.choices import demo_chosen
from hippograph.api.cli.output import run as run_to_end

if TYPE_CHECKING:
    from hippograph.api.settings.settings import Settings

_NICE: Final = 10


def serve(
    host: Annotated[str | None, typer.Option(help="The address to listen on.")] = None,
    port: Annotated[int | None, typer.Option(help="The port to listen on.")] = None,
) -> None:
    """Run the service, with its own Neo4j unless HIPPOGRAPH_NEO4J_URI names one."""
    from hippograph.api.cli.reading import read_settings
    from hippograph.api.cli.server import serving

    run_to_end(serving.serve(_logged(read_settings(host=host, port=port))))


def worker(
    retry_failed: Annotated[
        bool, typer.Option("--retry-failed", help="First put failed items back on the queue.")
    ] = False,
    until_done: Annotated[bool, typer.Option("--until-done", help="End when the queues are empty.")] = False,
    for_parent: Annotated[int | None, typer.Option(hidden=True, help="End with the process that started this.")] = None,
) -> None:
    """Run only the jobs: embed new memories, find names, extract facts from chats. Any number of workers may run."""
    from hippograph.api.cli.reading import read_settings
    from hippograph.api.cli.server import serving

    settings = _logged(read_settings())
    if for_parent is not None:
        os.nice(_NICE)  # requests take precedence over the models of workers
    run_to_end(serving.work(settings, retry_failed=retry_failed, until_done=until_done, for_parent=for_parent))


def demo(
    leave: Annotated[bool, typer.Option("--exit", help="End after the answers.")] = False,
    port: Annotated[int | None, typer.Option(help="The port to listen on.")] = None,
) -> None:
    """Load a sample conversation into a graph of its own, ask it three questions, and serve it."""
    from hippograph.api.cli.reading import read_settings
    from hippograph.api.cli.server import serving

    demo_chosen.set(True)
    settings = read_settings(port=port).model_copy(update={"log_level": "WARNING"})
    run_to_end(serving.demonstrate(_logged(settings), leave=leave))


def mcp(
    space: Annotated[
        str | None,
        typer.Option(
            help="Space, by name or id, to which the agent is limited: it sees no other spaces. "
            "Default: that of the recorded project in whose folder the command is started."
        ),
    ] = None,
) -> None:
    """Serve an agent on standard input and output by the Model Context Protocol, as the local user; logs go to standard
    error. `serve` offers the same over HTTP, at /mcp.
    """
    from hippograph.api.mcp.standby import Standby

    standby = Standby.on_standard_streams()
    from hippograph.api.cli.server.agent import serve_agent  # slow to load; `standby` answers the client meanwhile
    from hippograph.api.hooks.projects import project_of

    project = project_of(os.environ.get("CLAUDE_PROJECT_DIR", "."))
    run_to_end(serve_agent(standby, space or (project.space if project else None)))


def _logged(settings: Settings) -> Settings:
    """Configures logging by the settings, and returns them."""
    from hippograph.api.observability.logs import configure_logging

    configure_logging(settings)
    return settings
