"""The progress bar of the commands."""

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
    """A column with the number of items done and the total; empty if the total is unknown."""

    def render(self, task: Task) -> Text:
        return Text("" if task.total is None else f"{task.completed:.0f}/{task.total:.0f}")


class _Rate(ProgressColumn):
    """A column with the items per second; empty if the rate or the total is unknown."""

    def render(self, task: Task) -> Text:
        return Text("" if task.total is None or not task.speed else f"{task.speed:.0f}/s")


@contextmanager
def progress_bar(console: Console, title: str, *, shown: bool) -> Iterator[Callable[[int, int, str], None]]:
    """Shows a bar on a console, for `api.cli.output.progress`. Yields its progress callback.

    Nothing is shown without `shown`, or if the console is no terminal.
    """
    # The current step stands last: its length changes, and would move the columns after it.
    what_column = TextColumn("{task.fields[what]}", markup=False)
    times = (TimeElapsedColumn(), _Rate(), TimeRemainingColumn(compact=True))
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), _Count(), *times, what_column)
    disabled = not (shown and console.is_terminal)
    with Progress(*columns, console=console, transient=True, disable=disabled) as bar:
        task, endless = None, False

        def report(done: int, total: int, what: str = "") -> None:
            nonlocal task, endless
            if task is not None and endless != (total == 0):
                bar.remove_task(task)  # `update` cannot take the total of a task away
                task = None
            if task is None:
                task, endless = bar.add_task(title, total=total or None, what=""), total == 0
            bar.update(task, completed=done, total=total or None, what=printable(what)[:40])

        yield report
