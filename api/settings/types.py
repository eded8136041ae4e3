"""The types of settings."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Field
from pydantic_settings import NoDecode

from hippograph.graph.errors import InvalidInput
from hippograph.graph.upkeep.schedule import next_time
from hippograph.graph.zones import checked_zone


def _split_words(value: object) -> object:
    """The words of a text between its commas."""
    return tuple(filter(None, map(str.strip, value.split(",")))) if isinstance(value, str) else value


UserPath = Annotated[Path, AfterValidator(Path.expanduser)]  # no shell expands `~` in a file

Words = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_split_words)]


def _checked_schedule(schedule: str) -> str:
    """A schedule that has times to come."""
    try:
        next_time(schedule, datetime.now(UTC))
    except InvalidInput as error:
        raise ValueError(str(error)) from error
    return schedule


def _checked_time_zone(name: str) -> str:
    """The name of a zone that there is."""
    try:
        return checked_zone(name)
    except InvalidInput as error:
        raise ValueError(str(error)) from error


Schedule = Annotated[str, AfterValidator(_checked_schedule)]

TimeZone = Annotated[str, AfterValidator(_checked_time_zone)]

Positive = Annotated[int, Field(ge=1)]

Port = Annotated[int, Field(ge=1, le=65535)]
