"""The scalars of the schema that are not GraphQL's own."""

from datetime import datetime
from operator import methodcaller
from typing import Final

import strawberry
from strawberry.exceptions import StrawberryInputCoercionError
from strawberry.types.scalar import ScalarDefinition

from hippograph.api.arguments import read_time
from hippograph.graph.errors import InvalidInput


def _parse(given: object) -> datetime:
    if not isinstance(given, str):
        raise StrawberryInputCoercionError(f"{given!r} is no time; write it as text, like 2026-03-01T12:00+01:00")
    try:
        return read_time(given)
    except InvalidInput as error:
        raise StrawberryInputCoercionError(str(error)) from error


DATE_TIME: Final[ScalarDefinition] = strawberry.scalar(
    name="DateTime",
    description="A moment. It is answered in UTC, as in RFC 3339 (`2026-03-01T11:00:00+00:00`). Taken are a time with "
    "an offset, a time without one, which is UTC, and a day (`2026-03-01`), which is its first moment in UTC.",
    specified_by_url="https://www.rfc-editor.org/rfc/rfc3339",
    serialize=methodcaller("isoformat"),
    parse_value=_parse,
)
