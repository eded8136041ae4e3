"""The clock. Code that needs the current time is given a `Clock` and does not read the system time itself."""

from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], datetime]
"""Returns the current time, in UTC."""


def system_clock() -> datetime:
    """The system time, in UTC."""
    return datetime.now(UTC)
