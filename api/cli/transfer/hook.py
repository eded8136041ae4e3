"""The group `hippograph hook …`: the projects whose talk is recorded. What hooks run is `hippograph-hook`."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from hippograph.api.cli.data import Json
from hippograph.api.cli.groups import Group
from hippograph.api.cli.output import err, out, tell_all

app = typer.Typer(cls=Group, help="Projects whose talk with coding agents is recorded by itself.", no_args_is_help=True)

Folder = Annotated[str, typer.Argument(help="The folder of the project.")]


@app.command()
def enable(
    folder: Folder = ".",
    space: Annotated[str | None, typer.Option(help="Record it within a space, by name or id.")] = None,
    tools: Annotated[bool, typer.Option("--tools", help="Record what tools answered, too.")] = False,
) -> None:
    """Record what is said in a project and below it, from now on; given again, it adds to what is set."""
    from datetime import UTC, datetime

    from hippograph.api.cli.reading import read_settings
    from hippograph.api.hooks import projects

    sessions = os.path.realpath(read_settings().data_dir / projects.FOLDER)
    project = projects.Project(os.path.realpath(folder), sessions, datetime.now(UTC).isoformat(), space, tools)
    projects.enable(project)
    out.line(f"what is said in {project.root} is recorded from now on")


@app.command()
def disable(folder: Folder = ".") -> None:
    """Record nothing more of a project; what was recorded stays."""
    from hippograph.api.hooks.projects import disable

    root = os.path.realpath(folder)
    if not disable(root):
        err.line((f"{root} is not recorded", "red"))
        sys.exit(1)
    out.line(f"nothing more of {root} is recorded")


@app.command("list")
def list_projects(json: Json = False) -> None:
    """List the projects that are recorded."""
    from hippograph.api.hooks.projects import Project, projects

    def show(one: Project) -> None:
        out.line((one.root, "bold"), f"  {one.space or ''}{'  with tools' if one.tools else ''}")

    tell_all(list(projects().values()), show, json=json, none="no project is recorded")
