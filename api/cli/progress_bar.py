"""The bar that shows how far a command is."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from hippograph.api.printable import printable


class _Count(ProgressColumn):
    """How many of how many; nothing when nobody knows."""

    def render(self, task: Task) -> Text:
        return Text("" if task.total is None else f"{task.completed:.0f}/{task.total:.0f}")


class _Rate(ProgressColumn):
    """How many a second; nothing before that is known."""

    def render(self, task: Task) -> Text:
        return Text("" if task.total is None or not task.speed else f"{task.speed:.0f}/s")


@contextmanager
def progress_bar(console: Console, title: str, *, shown: bool) -> Iterator[Callable[[int, int, str], None]]:
    """A bar on a console, as `api.cli.output.progress` has it."""
    # What is being done stands last: its length changes, and what stands before it stays where it is.
    what_column = TextColumn("{task.fields[what]}", markup=False)
    times = (TimeElapsedColumn(), _Rate(), TimeRemainingColumn(compact=True))
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), _Count(), *times, what_column)
    disabled = not (shown and console.is_terminal)
    with Progress(*columns, console=console, transient=True, disable=disabled) as bar:
        task, endless = None, False

        def report(done: int, total: int, what: str = "") -> None:
            nonlocal task, endless
            if task is not None and endless != (total == 0):
                bar.remove_task(task)  # a bar keeps the kind it began with
                task = None
            if task is None:
                task, endless = bar.add_task(title, total=total or None, what=""), total == 0
            bar.update(task, completed=done, total=total or None, what=printable(what)[:40])

        yield report
