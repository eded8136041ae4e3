"""The projects whose talk is recorded: a file of the user, so that no cloned repository turns recording on."""

import json
import os
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final

from hippograph.api.settings.file import USER_FILE
from hippograph.graph.local.supervisor import write_json

PROJECTS_FILE: Final = USER_FILE.with_name("projects.json")
FOLDER: Final = "sessions"
"""Name of the folder of notes in a data folder."""


@dataclass(frozen=True, slots=True)
class Project:
    """A folder (`root`) whose talk is recorded. `sessions` is the folder in which hooks keep their notes, `since` the
    start of recording (ISO 8601), `space` the name or id of the space of its chats (None: none), and `tools` whether
    the answers of tools are recorded too.
    """

    root: str
    sessions: str
    since: str
    space: str | None = None
    tools: bool = False


def projects() -> dict[str, Project]:
    """Returns all projects by folder; none if there is no file. Raises an error if the file cannot be read."""
    try:
        written = PROJECTS_FILE.read_text(encoding="utf-8")
    except FileNotFoundError:
        return {}
    return {root: Project(**given) for root, given in json.loads(written).items()}


def project_of(folder: str) -> Project | None:
    """Returns the project of a folder: its own, else that of the nearest parent; None if there is none."""
    known, path = projects(), Path(os.path.realpath(folder))
    return next((known[str(each)] for each in (path, *path.parents) if str(each) in known), None)


def enable(project: Project) -> None:
    """Starts recording a project. A project that is recorded already keeps its `since`, and its `space` and `tools`
    unless they are given.
    """
    known = projects()
    if was := known.get(project.root):
        project = replace(project, since=was.since, space=project.space or was.space, tools=project.tools or was.tools)
    _write({**known, project.root: project})


def disable(root: str) -> bool:
    """Stops recording a project. Returns whether it was recorded."""
    known = projects()
    was = known.pop(root, None)
    _write(known)
    return was is not None


def _write(known: dict[str, Project]) -> None:
    PROJECTS_FILE.parent.mkdir(parents=True, exist_ok=True)
    write_json(PROJECTS_FILE, {root: asdict(project) for root, project in known.items()})
