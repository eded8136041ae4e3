"""Pagination of lists: page sizes, and the cursors between pages.

A cursor holds the name of its list and the sort key of the last item, so insertions and deletions between two pages do
not shift the list.
"""

import base64
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import isfinite
from typing import Final, Generic, TypeVar, cast

from hippograph.graph.checks import checked_moment
from hippograph.graph.errors import InvalidInput
from hippograph.graph.model import NO_END

T = TypeVar("T")
U = TypeVar("U")
Key = tuple[str | int | float | datetime, ...]
K = TypeVar("K", bound=Key)

MAX_PAGE: Final = 100
_LEAST_INTEGER: Final = -(2**63)
"""Minimum integer in Neo4j, whose integers have 64 bits."""


@dataclass(frozen=True, slots=True)
class Listed(Generic[T]):
    """An item of a list, and the cursor of the place after it."""

    item: T
    cursor: str


@dataclass(frozen=True, slots=True)
class Listing(Generic[T]):
    """A page: some items in order, and whether more follow."""

    items: list[Listed[T]]
    has_next: bool

    def converted(self, convert: Callable[[T], U]) -> "Listing[U]":
        """The same page with converted items."""
        return Listing([Listed(convert(listed.item), listed.cursor) for listed in self.items], self.has_next)


def listing(name: str, first: int, found: Sequence[T], key: Callable[[T], Key]) -> Listing[T]:
    """The page of the first `first` items found. The query asks for one more, which tells whether more follow."""
    return Listing([Listed(item, encode_cursor(name, key(item))) for item in found[:first]], len(found) > first)


def checked_first(first: int) -> int:
    """The size of a page. Raises `InvalidInput` if it is not 1 to `MAX_PAGE`."""
    if not 1 <= first <= MAX_PAGE:
        raise InvalidInput(f"a page has 1 to {MAX_PAGE} items; {first} were asked for")
    return first


def encode_cursor(name: str, key: Key) -> str:
    """The cursor of the place after an item with this sort key, in the list of this name."""
    fields = [part.isoformat() if isinstance(part, datetime) else part for part in key]
    return base64.urlsafe_b64encode(json.dumps([name, *fields]).encode()).decode()


def decode_cursor(name: str, cursor: str | None, start: K) -> K:
    """The sort key in a cursor, or `start` without one. The key must have the types of `start`.

    Raises `InvalidInput` for a malformed cursor or one of another list.
    """
    if cursor is None:
        return start
    try:
        decoded = json.loads(base64.urlsafe_b64decode(cursor))
        listed, fields = decoded[0], decoded[1:]
        key = tuple(_as(type(like), field) for like, field in zip(start, fields, strict=True))
    except (ValueError, TypeError, LookupError, RecursionError, InvalidInput) as error:
        raise InvalidInput("this is no cursor of a list: pass on the one that a page gave, unchanged") from error
    if listed != name:
        raise InvalidInput("this cursor belongs to another list: pass on the one that a page of this list gave")
    return cast(K, key)


def newest_first(name: str, first: int, after: str | None = None) -> dict[str, object]:
    """The parameters of a statement that lists items by time and id, newest first, from the place of a cursor on.

    `limit` is one more than the page size (see `listing`). Raises `InvalidInput` for a page size out of range or a
    cursor of another list.
    """
    until, until_id = decode_cursor(name, after, (NO_END, ""))
    return {"until": until, "until_id": until_id, "limit": checked_first(first) + 1}


def _as(kind: type, field: object) -> str | int | float | datetime:
    """The field as a value that the database can hold. Raises `ValueError`, or `InvalidInput` for an invalid time."""
    if kind is datetime and isinstance(field, str):
        return checked_moment(datetime.fromisoformat(field))
    if kind is int and type(field) is int and _LEAST_INTEGER <= field < -_LEAST_INTEGER:
        return field
    if kind is float and type(field) is float and isfinite(field):
        return field
    if kind is str and isinstance(field, str):
        field.encode()  # raises ValueError for half a surrogate pair
        return field
    raise ValueError(f"{field!r} is no {kind.__name__}")
