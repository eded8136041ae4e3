"""What the commands share: where they print, how they show progress, and how an error ends one.

Commands print through `out` and `err` alone. Names and words that people wrote can hold anything: none of it is read
as markup, and what would steer a terminal or begin a line is shown as an escape.
"""

import asyncio
import json
import sys
from collections.abc import Callable, Coroutine, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any, Final, NoReturn, TypeVar

from pydantic import ValidationError
from pydantic_core import ErrorDetails
from pydantic_settings import SettingsError
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from api.printable import escaped_json, printable
from api.settings import USER_FILE, Settings, unknown_variables, variable
from graph.errors import HippographError
from nlp.errors import NlpError

T = TypeVar("T")
Part = str | tuple[str, str]
"""Words to print, or words and their style."""

settings_file: Final[ContextVar[Path]] = ContextVar("settings_file", default=USER_FILE)
"""The file that settings are read from; the option `--env-file` names another."""


class Screen:
    """Prints lines and tables of words, each as it is."""

    def __init__(self, *, stderr: bool = False) -> None:
        self.console = Console(stderr=stderr, highlight=False, markup=False, emoji=False)

    def line(self, *parts: Part) -> None:
        """Prints one line, whatever its words hold."""
        pairs = ((part, "") if isinstance(part, str) else part for part in parts)
        text = Text.assemble(*((printable(words), style) for words, style in pairs))
        self.console.print(text, soft_wrap=True)

    def table(self, title: str, columns: Iterable[tuple[str, bool]], rows: Iterable[Iterable[str]]) -> None:
        """Prints a table; each column has a name, and stands to the right if it holds numbers."""
        table = Table(title=Text(printable(title)), title_justify="left")
        for name, numbers in columns:
            table.add_column(Text(printable(name)), justify="right" if numbers else "left")
        for row in rows:
            table.add_row(*(Text(printable(cell)) for cell in row))
        self.console.print(table)


out: Final = Screen()
"""Results. With `--json` they alone stand on standard output."""

err: Final = Screen(stderr=True)
"""Progress, notes and errors."""


def read_settings(**given: object) -> Settings:
    """The settings, with what the command line gives on top; a wrong one ends the command with its name."""
    values = {name: value for name, value in given.items() if value is not None}
    file = settings_file.get()
    try:
        settings = Settings(_env_file=file, **values)  # type: ignore[arg-type, call-arg]  # the names are those of the fields
        problems = [(name, "no setting has this name") for name in unknown_variables()]
    except ValidationError as error:
        problems = [_explained(problem) for problem in error.errors(include_url=False, include_input=False)]
    except (SettingsError, UnicodeDecodeError) as error:
        problems = [("settings", str(error))]
    except OSError as error:
        problems = [(str(file), f"cannot be read: {error.strerror}")]
    if problems:
        for name, message in problems:
            err.line((name, "red"), f": {message}")
        raise SystemExit(2)
    return settings


def _explained(problem: ErrorDetails) -> tuple[str, str]:
    """The name of a setting, and what is wrong with it. A line of a file that is no setting has its own name."""
    name = "_".join(str(part) for part in problem["loc"])
    if problem["type"] == "extra_forbidden":
        return name.upper(), "no setting has this name"
    return variable(name) if name else "settings", problem["msg"]


def run(work: Coroutine[Any, Any, T]) -> T:
    """Runs a command to its end. An error of ours becomes its message and exit code 1, Ctrl-C code 130."""
    try:
        return asyncio.run(work)
    except (HippographError, NlpError) as error:
        return fail(error)
    except KeyboardInterrupt:
        raise SystemExit(130) from None


def fail(error: Exception) -> NoReturn:
    """Ends the command with the message of an error; what it quotes begins no line."""
    for number, line in enumerate(str(error).split("\n")):
        err.line((f"  {line}" if number else line, "red"))
    raise SystemExit(1) from None


def print_json(value: object) -> None:
    """One JSON document on standard output."""
    sys.stdout.write(escaped_json(json.dumps(value, ensure_ascii=False, indent=2, default=str)) + "\n")


@contextmanager
def progress(title: str) -> Iterator[Callable[[int, int, str], None]]:
    """A progress bar on standard error; it appears with the first report of how many of how many are done."""
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=err.console, transient=not err.console.is_terminal) as bar:
        task = None

        def report(done: int, total: int, what: str = "") -> None:
            nonlocal task
            if task is None:
                task = bar.add_task(title, total=total)
            bar.update(task, completed=done, total=total, description=printable(f"{title} {what}")[:60])

        yield report
