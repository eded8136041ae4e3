"""Output of the commands: printing, progress, and ending with an error.

Commands print only through `out` and `err`. Text that people wrote can hold anything: it is never read as markup, and
control characters and line breaks are shown as escapes.

Of the domain this imports only the errors: `--help` and a bad argument need no more. A command imports its parts when
it runs.
"""

import asyncio
import sys
import threading
from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, Literal, NoReturn, TextIO, TypeVar

from rich.console import Console
from rich.text import Text

from hippograph.api.printable import escaped_json, printable
from hippograph.graph.errors import HippographError
from hippograph.nlp.errors import NlpError

T = TypeVar("T")
_LONG_STEP_S: Final = 2.0
Part = str | tuple[str, str]
"""Text to print, or text and its style."""
Report = Callable[[int, int, str], None]
"""Progress callback: items done, total number of items (0 if unknown), and what is being done."""


class Screen:
    """Prints lines and tables of text, without markup."""

    def __init__(self, *, stderr: bool = False) -> None:
        self.console = Console(stderr=stderr, highlight=False, markup=False, emoji=False)

    def line(self, *parts: Part) -> None:
        """Prints the parts on one line, whatever they contain."""
        pairs = ((part, "") if isinstance(part, str) else part for part in parts)
        text = Text.assemble(*((printable(words), style) for words, style in pairs))
        self.console.print(text, soft_wrap=True)

    def table(self, title: str, columns: Iterable[tuple[str, bool]], rows: Iterable[Iterable[str]]) -> None:
        """Prints a table. Each column is its name and whether it holds numbers, which are right-aligned. Ids are never
        broken; other cells are, where the screen is too narrow.
        """
        from rich.table import Table

        table = Table(title=Text(printable(title)), title_justify="left")
        for name, numbers in columns:
            justify: Literal["left", "right"] = "right" if numbers else "left"
            table.add_column(Text(printable(name)), justify=justify, overflow="fold", no_wrap=name == "id")
        for row in rows:
            table.add_row(*(Text(printable(cell)) for cell in row))
        self.console.print(table)


out: Final = Screen()
"""Standard output, for results. With `--json` nothing else is printed there."""

err: Final = Screen(stderr=True)
"""Standard error, for progress, notes and errors."""


def counted(count: int, word: str) -> str:
    """Returns a number with its noun, in the plural if needed: "1 chat", "2 memories"."""
    if count == 1:
        return f"1 {word}"
    return f"{count} {word[:-1]}ies" if word.endswith("y") else f"{count} {word}s"


def run(work: Coroutine[Any, Any, T]) -> T:
    """Runs a command to its end. Errors and Ctrl-C are handled as by `ending`."""
    with ending():
        return asyncio.run(work)


@contextmanager
def ending() -> Iterator[None]:
    """On a `HippographError` or `NlpError`, prints its message and exits with code 1; on Ctrl-C exits with code 130."""
    try:
        yield
    except (HippographError, NlpError) as error:
        fail(error)
    except KeyboardInterrupt:
        raise SystemExit(130) from None


def fail(error: Exception) -> NoReturn:
    """Prints the message of an error and exits with code 1. Lines after the first are indented, so that text quoted in
    the message starts no line.
    """
    for number, line in enumerate(str(error).split("\n")):
        err.line((f"  {line}" if number else line, "red"))
    raise SystemExit(1) from None


def standard_output() -> TextIO:
    """Returns standard output, for a file that is written to it unescaped."""
    return sys.stdout


def print_json(value: object) -> None:
    """Prints a value as one JSON document, spelt as in GraphQL: names in camelCase, enums in upper case."""
    import json

    from hippograph.api.json_form import json_form

    sys.stdout.write(escaped_json(json.dumps(json_form(value), ensure_ascii=False, indent=2)) + "\n")


def tell(found: T, show: Callable[[T], object], *, json: bool) -> None:
    """Prints a result as JSON, or by `show`."""
    if json:
        print_json(found)
    else:
        show(found)


def tell_all(found: Sequence[T], show: Callable[[T], object], *, json: bool, none: str) -> None:
    """Prints results as JSON, or each by `show`; without results prints `none` to standard error."""
    if json:
        print_json(found)
        return
    for one in found:
        show(one)
    if not found:
        err.line(none)


@contextmanager
def progress(title: str, *, shown: bool = True, lines: bool = False) -> Iterator[Report]:
    """Shows a progress bar on standard error from the first report until the context ends, with rate and time left.

    Nothing is shown without `shown`, or if standard error is no terminal. In the latter case `lines` prints a line for
    each step that takes longer than two seconds.
    """
    if shown and lines and not err.console.is_terminal:
        with _step_lines() as report:
            yield report
        return
    # Imported late: it loads slowly, and an agent waits for the first output of a command.
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
