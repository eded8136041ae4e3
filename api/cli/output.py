"""What the commands share: where they print, how they show progress, and how an error ends one."""

import asyncio
import json
import sys
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, Final, NoReturn, TypeVar

from pydantic import ValidationError
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from api.settings import Settings
from graph.errors import HippographError
from nlp.errors import NlpError

T = TypeVar("T")

out: Final = Console(highlight=False)
"""Results. With `--json` they alone stand on standard output."""

err: Final = Console(stderr=True, highlight=False)
"""Progress, notes and errors."""


def read_settings(**given: object) -> Settings:
    """The settings, with what the command line gives on top; a wrong one ends the command with its name."""
    values = {name: value for name, value in given.items() if value is not None}
    try:
        return Settings(**values)  # type: ignore[arg-type]  # the names are those of the fields
    except ValidationError as error:
        for problem in error.errors(include_url=False, include_input=False):
            name = (
                "HIPPOGRAPH_" + "_".join(str(part) for part in problem["loc"]).upper() if problem["loc"] else "settings"
            )
            err.print(f"[red]{name}[/]: {problem['msg']}", soft_wrap=True)
        raise SystemExit(2) from None


def run(work: Coroutine[Any, Any, T]) -> T:
    """Runs a command to its end. An error of ours becomes its message and exit code 1, Ctrl-C code 130."""
    try:
        return asyncio.run(work)
    except (HippographError, NlpError) as error:
        return fail(error)
    except KeyboardInterrupt:
        raise SystemExit(130) from None


def fail(error: Exception) -> NoReturn:
    """Ends the command with the message of an error."""
    err.print(f"[red]{error}[/]", soft_wrap=True)
    raise SystemExit(1) from None


def print_json(value: object) -> None:
    """One JSON document on standard output."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=2, default=str) + "\n")


@contextmanager
def progress(title: str) -> Iterator[Callable[[int, int, str], None]]:
    """A progress bar on standard error; it appears with the first report of how many of how many are done."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=err, transient=not err.is_terminal) as bar:
        task = None

        def report(done: int, total: int, what: str = "") -> None:
            nonlocal task
            if task is None:
                task = bar.add_task(title, total=total)
            bar.update(task, completed=done, total=total, description=f"{title} {what}"[:60])

        yield report
