"""The one clock. Whoever needs the time is given a `Clock`; nobody else asks the machine for it."""

from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], datetime]
"""Gives the present moment, in UTC."""


def system_clock() -> datetime:
    """The machine's own time, in UTC."""
    return datetime.now(UTC)
