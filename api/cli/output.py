"""What the commands share: where they print, how they show progress, and how an error ends one.

Commands print through `out` and `err` alone. Names and words that people wrote can hold anything: none of it is read
as markup, and what would steer a terminal or begin a line is shown as an escape.

It imports no part of the domain: `--help` and a bad argument need none. A command imports its parts when it runs.
"""

import asyncio
import sys
import threading
from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, NoReturn, TextIO, TypeVar

from rich.console import Console
from rich.text import Text

from hippograph.api.printable import escaped_json, printable
from hippograph.graph.errors import HippographError
from hippograph.nlp.errors import NlpError

T = TypeVar("T")
_LONG_STEP_S: Final = 2.0
Part = str | tuple[str, str]
"""Words to print, or words and their style."""
Report = Callable[[int, int, str], None]
"""Called with how many are done, of how many (0 when nobody knows), and what is being done."""


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
        from rich.table import Table

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


def counted(count: int, word: str) -> str:
    """A number with its word, in the plural where that is due: "1 chat", "2 memories"."""
    if count == 1:
        return f"1 {word}"
    return f"{count} {word[:-1]}ies" if word.endswith("y") else f"{count} {word}s"


def run(work: Coroutine[Any, Any, T]) -> T:
    """Runs a command to its end. An error of ours becomes its message and exit code 1, Ctrl-C code 130."""
    with ending():
        return asyncio.run(work)


@contextmanager
def ending() -> Iterator[None]:
    """Ends the command with the message of an error of ours and exit code 1, on Ctrl-C with code 130."""
    try:
        yield
    except (HippographError, NlpError) as error:
        fail(error)
    except KeyboardInterrupt:
        raise SystemExit(130) from None


def fail(error: Exception) -> NoReturn:
    """Ends the command with the message of an error; what it quotes begins no line."""
    for number, line in enumerate(str(error).split("\n")):
        err.line((f"  {line}" if number else line, "red"))
    raise SystemExit(1) from None


def standard_output() -> TextIO:
    """Where a file goes that is written to the output: just as it is."""
    return sys.stdout


def print_json(value: object) -> None:
    """One JSON document on standard output, spelt as in GraphQL: names in camelCase, enums in upper case."""
    import json

    from hippograph.api.json_form import json_form

    sys.stdout.write(escaped_json(json.dumps(json_form(value), ensure_ascii=False, indent=2)) + "\n")


def tell(found: T, show: Callable[[T], object], *, json: bool) -> None:
    """What was found, as JSON or as it is shown."""
    if json:
        print_json(found)
    else:
        show(found)


def tell_all(found: Sequence[T], show: Callable[[T], object], *, json: bool, none: str) -> None:
    """All that was found, as JSON or each as it is shown; `none` is said where there is nothing."""
    if json:
        print_json(found)
        return
    for one in found:
        show(one)
    if not found:
        err.line(none)


@contextmanager
def progress(title: str, *, shown: bool = True, lines: bool = False) -> Iterator[Report]:
    """A progress bar on standard error, from the first report until the context ends; then it is gone.

    It tells the rate and the time left. Where standard error is no terminal there is none, nor without `shown`; with
    `lines` each step that takes longer than two seconds is a line there.
    """
    if shown and lines and not err.console.is_terminal:
        with _step_lines() as report:
            yield report
        return
    # Slow to load, and an agent waits for a command's first words.
    from hippograph.api.cli.progress_bar import progress_bar

    with progress_bar(err.console, title, shown=shown) as report:
        yield report


@contextmanager
def _step_lines() -> Iterator[Report]:
    step, waiting = "", threading.Timer(0, lambda: None)

    def report(_done: int, _total: int, what: str = "") -> None:
        nonlocal step, waiting
        if what and what != step:
            waiting.cancel()
            step, waiting = what, threading.Timer(_LONG_STEP_S, err.line, (f"{what[0].upper()}{what[1:]} …",))
            waiting.daemon = True
            waiting.start()

    try:
        yield report
    finally:
        waiting.cancel()
