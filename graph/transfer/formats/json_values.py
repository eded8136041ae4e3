"""Reads values from JSON of unknown structure: a value of the expected type, or an empty one."""

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, Final

from hippograph.graph.errors import InvalidInput

_SECONDS: Final = re.compile(r"\d{9,}(?:\.\d*)?")
_LEAST_MILLISECONDS: Final = 1e11
"""A number from here on is of milliseconds: in seconds it would be a time after the year 5000."""


def parsed(data: bytes, path: str) -> Any:
    """Returns the JSON of a file. Raises `InvalidInput` with the place of the error when it is not valid."""
    try:
        return json.loads(data.decode("utf-8-sig"))
    except json.JSONDecodeError as error:
        raise InvalidInput(f"{path} is no JSON: {error.msg}, line {error.lineno}, column {error.colno}") from error
    except UnicodeDecodeError as error:
        raise InvalidInput(f"{path} is no UTF-8 text: byte {error.start}") from error
    except RecursionError as error:
        raise InvalidInput(f"{path} is nested too deeply") from error
    except ValueError as error:  # a number of thousands of digits
        raise InvalidInput(f"{path} holds a number that is too long") from error


def parsed_lines(data: bytes, path: str) -> Iterator[tuple[str, Any]]:
    """Yields the place and the JSON of each line that is not blank; for an invalid line, an `InvalidInput` as value."""
    for number, line in enumerate(data.splitlines(), start=1):
        if line.strip():
            place = f"{path}, line {number}"
            try:
                yield place, parsed(line, place)
            except InvalidInput as error:
                yield place, error


def text_of(value: Any, key: str) -> str:
    """Returns the text under a key of an object. An integer is converted to text; all else gives an empty text."""
    found = value.get(key) if isinstance(value, dict) else None
    if isinstance(found, int) and not isinstance(found, bool):
        return str(found)
    return found if isinstance(found, str) else ""


def list_of(value: Any, key: str) -> list[Any]:
    """Returns the list under a key of an object; an empty list if there is none."""
    found = value.get(key) if isinstance(value, dict) else None
    return found if isinstance(found, list) else []


def object_of(value: Any, key: str) -> dict[str, Any]:
    """Returns the object under a key of an object; an empty object if there is none."""
    found = value.get(key) if isinstance(value, dict) else None
    return found if isinstance(found, dict) else {}


def moment_of(value: Any) -> datetime | None:
    """Returns the UTC time of seconds or milliseconds since 1970 (a number, or its text with at least nine digits), or
    of an ISO time with an offset; else None.
    """
    try:
        if isinstance(value, str) and _SECONDS.fullmatch(value):
            value = float(value)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return datetime.fromtimestamp(value if abs(value) < _LEAST_MILLISECONDS else value / 1000, UTC)
        moment = datetime.fromisoformat(value) if isinstance(value, str) else None
        return moment.astimezone(UTC) if moment and moment.tzinfo else None
    except (ValueError, OverflowError, OSError):
        return None
