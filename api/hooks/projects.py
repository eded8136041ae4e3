"""The projects whose talk is recorded: a file of the user's own, so that no cloned repository turns it on."""

import json
import os
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final

from hippograph.api.settings.file import USER_FILE
from hippograph.graph.local.supervisor import write_json

PROJECTS_FILE: Final = USER_FILE.with_name("projects.json")
FOLDER: Final = "sessions"
"""The folder of notes in a data folder."""


@dataclass(frozen=True, slots=True)
class Project:
    """A folder whose talk is recorded: in which `sessions` folder hooks keep their notes; `since` when (ISO 8601);
    within which space, by name or id; and whether what tools answered is recorded too.
    """

    root: str
    sessions: str
    since: str
    space: str | None = None
    tools: bool = False


def projects() -> dict[str, Project]:
    """All of them, by their folders. A file that cannot be read is an error, and not a file of none."""
    try:
        written = PROJECTS_FILE.read_text(encoding="utf-8")
    except FileNotFoundError:
        return {}
    return {root: Project(**given) for root, given in json.loads(written).items()}


def project_of(folder: str) -> Project | None:
    """The project that a folder is of: its own, else that of the nearest folder above."""
    known, path = projects(), Path(os.path.realpath(folder))
    return next((known[str(each)] for each in (path, *path.parents) if str(each) in known), None)


def enable(project: Project) -> None:
    """Has the talk of a project recorded from now on. One that is recorded already keeps its `since`, and what is not
    given anew.
    """
    known = projects()
    if was := known.get(project.root):
        project = replace(project, since=was.since, space=project.space or was.space, tools=project.tools or was.tools)
    _write({**known, project.root: project})


def disable(root: str) -> bool:
    """Records nothing more of a project; whether it was recorded."""
    known = projects()
    was = known.pop(root, None)
    _write(known)
    return was is not None


def _write(known: dict[str, Project]) -> None:
    PROJECTS_FILE.parent.mkdir(parents=True, exist_ok=True)
    write_json(PROJECTS_FILE, {root: asdict(project) for root, project in known.items()})
