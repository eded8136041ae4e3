"""The group `hippograph hook …`: the projects whose sessions are recorded. The hooks run `hippograph-hook`."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from hippograph.api.cli.data import Json
from hippograph.api.cli.groups import Group
from hippograph.api.cli.output import err, out, tell_all

app = typer.Typer(
    cls=Group, help="Projects whose talk with coding agents is recorded automatically.", no_args_is_help=True
)

Folder = Annotated[str, typer.Argument(help="Folder of the project.")]


@app.command()
def enable(
    folder: Folder = ".",
    space: Annotated[str | None, typer.Option(help="Space to record the project in, by name or id.")] = None,
    tools: Annotated[bool, typer.Option("--tools", help="Record the output of tools, too.")] = False,
) -> None:
    """Record what is said in a project and its subfolders from now on; run again, it adds to the options set before."""
    from datetime import UTC, datetime

    from hippograph.api.cli.reading import read_settings
    from hippograph.api.hooks import projects

    sessions = os.path.realpath(read_settings().data_dir / projects.FOLDER)
    project = projects.Project(os.path.realpath(folder), sessions, datetime.now(UTC).isoformat(), space, tools)
    projects.enable(project)
    out.line(f"talk in {project.root} is recorded from now on")


@app.command()
def disable(folder: Folder = ".") -> None:
    """Stop recording a project; what was recorded stays."""
    from hippograph.api.hooks.projects import disable

    root = os.path.realpath(folder)
    if not disable(root):
        err.line((f"{root} is not recorded", "red"))
        sys.exit(1)
    out.line(f"{root} is no longer recorded")


@app.command("list")
def list_projects(json: Json = False) -> None:
    """List the recorded projects."""
    from hippograph.api.hooks.projects import Project, projects

    def show(one: Project) -> None:
        out.line((one.root, "bold"), f"  {one.space or ''}{'  with tools' if one.tools else ''}")

    tell_all(list(projects().values()), show, json=json, none="no project is recorded")
