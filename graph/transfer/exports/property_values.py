"""Encodes and decodes the values of properties in the lines of an export."""

import base64
import re
import sys
from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, time
from math import isfinite
from typing import Any, Final, TypeAlias
from zoneinfo import ZoneInfo

from neo4j.time import Date, Duration, Time

from hippograph.graph.errors import InvalidInput

Properties: TypeAlias = Mapping[str, Any]
"""Values of properties by name; a value that is a moment is a `Moment`."""

_SHORTEST_VECTOR: Final = 8
"""Minimum length of a list of numbers to be encoded as a vector; shorter lists stay readable as JSON."""

_SMALLEST_INTEGER: Final = -(2**63)

_LARGEST_INTEGER: Final = 2**63 - 1

_LARGEST_OFFSET: Final = 18 * 3600
"""Maximum offset of a time zone from UTC in Neo4j, in seconds."""

_MOMENT: Final = re.compile(
    r"(?P<year>[+-]\d{4,9}|\d{4})-(?P<month>\d\d)-(?P<day>\d\d)"
    r"T(?P<hour>\d\d):(?P<minute>\d\d)(?::(?P<second>\d\d)(?:\.\d{1,9})?)?"
    r"(?:Z|[+-](?P<hours>\d\d):(?P<minutes>[0-5]\d)(?::(?P<seconds>[0-5]\d))?)(?:\[(?P<zone>[\w/+-]+)\])?",
    re.ASCII,
)


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment, or a list of moments, in Neo4j's text form, with all digits of the second and the zone."""

    text: str | tuple[str, ...]


def encode_properties(properties: Properties) -> dict[str, Any]:
    """The JSON form of properties, sorted by name. Raises `InvalidInput` for a value of a type without such a form."""
    return {name: _encoded_value(value) for name, value in sorted(properties.items())}


def _encoded_value(value: Any) -> Any:
    match value:
        case Moment():
            return {"datetime": value.text}
        case Date() | Time() | Duration():
            return {type(value).__name__.lower(): value.iso_format()}
        case float() if not isfinite(value):
            return {"number": str(value)}
        case [float(), *_] if len(value) >= _SHORTEST_VECTOR or not all(map(isfinite, value)):
            return _encoded_vector(value)
        case list():
            return [_encoded_value(item) for item in value]
        case str() | int() | float():
            return value
    raise InvalidInput(f"a property holds {type(value).__name__}, for which an export has no form")


def _encoded_vector(numbers: Sequence[float]) -> dict[str, str]:
    single = array("f", numbers)  # infinite where a number is too large
    exact = single.tolist() == numbers
    packed = single if exact else array("d", numbers)
    if sys.byteorder == "big":
        packed.byteswap()
    text = base64.b64encode(packed.tobytes()).decode("ascii")
    return {"vector": text} if exact else {"vector": text, "of": "float64"}


def _moment(text: str) -> Moment:
    _check_moment(text)
    return Moment(text)


def _moments(texts: list[str]) -> Moment:
    for text in texts:
        _check_moment(text)
    return Moment(tuple(texts))


def _check_moment(text: str) -> None:
    """Raises `ValueError` for a text that Neo4j does not accept as a moment."""
    found = _MOMENT.fullmatch(text)
    if not found:
        raise ValueError(f"{text[:60]!r} is no moment")
    year, month, day, hour, minute, second, hours, minutes, seconds = (
        int(number or 0) for number in found.groups()[:-1]
    )
    date(2000 + year % 400, month, day)  # the calendar repeats every 400 years
    time(hour, minute, second)
    if hours * 3600 + minutes * 60 + seconds > _LARGEST_OFFSET:
        raise ValueError(f"{text!r} is too far from Greenwich")
    if found["zone"]:
        ZoneInfo(found["zone"])


_FROM_TEXT: Final[Mapping[str, Callable[[str], Any]]] = {
    "datetime": _moment,
    "date": Date.from_iso_format,
    "time": Time.from_iso_format,
    "duration": Duration.from_iso_format,
    "number": float,
}
"""The parser of the text in an object that names a type, by that type."""


def decode_properties(properties: dict[str, Any]) -> Properties:
    """The properties from the JSON of a line. Raises `ValueError` for a name or value that Neo4j does not accept."""
    for name in properties:
        if not name or "\0" in name:
            raise ValueError(f"{name!r} is no name of a property")
        name.encode()
    return {name: _decoded_value(value) for name, value in properties.items()}


def _decoded_value(value: Any) -> Any:
    match value:
        case str() | int() | float():
            _check_scalar(value)
            return value
        case list():
            return _decoded_list(value)
        case {"vector": str(text)}:
            return _decoded_vector(text, value.get("of"))
        case {"datetime": [*texts]} if all(isinstance(text, str) for text in texts):
            return _moments(texts)
        case dict() if len(value) == 1:
            [(name, text)] = value.items()
            if name in _FROM_TEXT and isinstance(text, str):
                return _FROM_TEXT[name](text)
    raise ValueError(f"{str(value)[:60]!r} is no value of a property")


def _check_scalar(value: str | float) -> None:
    """Raises `ValueError` for a text with a lone surrogate, and for an integer of more than 64 bits."""
    if isinstance(value, str):
        value.encode()
    elif isinstance(value, int) and not _SMALLEST_INTEGER <= value <= _LARGEST_INTEGER:
        raise ValueError("a number has more than 64 bits")


def _decoded_list(values: list[Any]) -> list[Any]:
    items = [_decoded_value(item) for item in values]
    if len({type(item) for item in items}) > 1 or any(isinstance(item, list | Moment) for item in items):
        raise ValueError(f"{str(values)[:60]} is no list of values of one type")
    return items


def _decoded_vector(text: str, of: str | None) -> list[float]:
    numbers = array("d" if of == "float64" else "f")
    numbers.frombytes(base64.b64decode(text, validate=True))
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers.tolist()
