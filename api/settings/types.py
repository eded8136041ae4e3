"""The types of settings."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Field
from pydantic_settings import NoDecode

from hippograph.graph.errors import InvalidInput
from hippograph.graph.upkeep.schedule import next_time
from hippograph.graph.zones import checked_zone


def _split_words(value: object) -> object:
    """Splits a text at its commas into non-empty words; returns any other value unchanged."""
    return tuple(filter(None, map(str.strip, value.split(",")))) if isinstance(value, str) else value


UserPath = Annotated[Path, AfterValidator(Path.expanduser)]  # no shell expands `~` in a file

Words = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_split_words)]


def _checked(check: Callable[[str], object]) -> AfterValidator:
    """A validator that turns an `InvalidInput` of `check` into a `ValueError` with the same message."""

    def checked(value: str) -> str:
        try:
            check(value)
        except InvalidInput as error:
            raise ValueError(str(error)) from error
        return value

    return AfterValidator(checked)


Schedule = Annotated[str, _checked(lambda schedule: next_time(schedule, datetime.now(UTC)))]
"""A cron schedule that matches some time in the future."""

TimeZone = Annotated[str, _checked(checked_zone)]
"""The name of a known time zone."""

Positive = Annotated[int, Field(ge=1)]

Port = Annotated[int, Field(ge=1, le=65535)]
