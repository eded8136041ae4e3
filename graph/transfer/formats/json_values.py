"""Values out of JSON that others wrote: of the type that is looked for, or an empty one."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from hippograph.graph.errors import InvalidInput


def parsed(data: bytes, path: str) -> Any:
    """The JSON of a file. Raises `InvalidInput` with the place of what is none."""
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
    """The place and the JSON of each line of a file that is not blank; of a bad one the `InvalidInput` that says so."""
    for number, line in enumerate(data.splitlines(), start=1):
        if line.strip():
            place = f"{path}, line {number}"
            try:
                yield place, parsed(line, place)
            except InvalidInput as error:
                yield place, error


def text_of(value: Any, key: str) -> str:
    """The text under a key of an object; a number as text; without one an empty text."""
    found = value.get(key) if isinstance(value, dict) else None
    if isinstance(found, int) and not isinstance(found, bool):
        return str(found)
    return found if isinstance(found, str) else ""


def list_of(value: Any, key: str) -> list[Any]:
    """The list under a key of an object; without one an empty list."""
    found = value.get(key) if isinstance(value, dict) else None
    return found if isinstance(found, list) else []


def object_of(value: Any, key: str) -> dict[str, Any]:
    """The object under a key of an object; without one an empty object."""
    found = value.get(key) if isinstance(value, dict) else None
    return found if isinstance(found, dict) else {}


def moment_of(value: Any) -> datetime | None:
    """The moment that seconds since 1970 (a number, or one as text) or an ISO time with an offset name."""
    try:
        if isinstance(value, int | float) and not isinstance(value, bool):
            return datetime.fromtimestamp(value, UTC)
        if isinstance(value, str) and value.replace(".", "", 1).isdecimal():
            return datetime.fromtimestamp(float(value), UTC)
        moment = datetime.fromisoformat(value) if isinstance(value, str) else None
        return moment.astimezone(UTC) if moment and moment.tzinfo else None
    except (ValueError, OverflowError, OSError):
        return None
