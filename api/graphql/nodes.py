"""Shared parts of the schema: the Node interface with global ids, and connections with their pages."""

from collections.abc import Callable, Sequence
from dataclasses import fields
from functools import lru_cache
from typing import Any, Generic, TypeVar, cast

import strawberry

from hippograph.api import global_ids
from hippograph.api.graphql.docs import described, interface, object_type
from hippograph.graph.paging import Listing

T = TypeVar("T")
Item = TypeVar("Item")


@interface
class Node:
    """An object with an id, by which `node(id:)` finds it."""

    id: strawberry.ID


@object_type
class PageInfo:
    """The position of a page in its list. Lists are read forwards only."""

    has_next_page: bool
    end_cursor: str | None
    has_previous_page: bool = described("Whether there are items before this page.")
    start_cursor: str | None = None


@object_type
class Edge(Generic[T]):
    """An item of a list, and the cursor from which the list continues after it."""

    node: T
    cursor: str


@object_type
class Connection(Generic[T]):
    """A page of a list."""

    page_info: PageInfo
    edges: list[Edge[T]]
    nodes: list[T]


def global_id(type_name: str, inner: str) -> strawberry.ID:
    """Returns the public id of an object: `Chat:<id>` in Base64."""
    return strawberry.ID(global_ids.global_id(type_name, inner))


def to_type(kind: type[T], found: object, /, **given: object) -> T:
    """Returns a GraphQL object made from a domain value. A field that is not `given` is the value's attribute of the
    same name; a field `found` is the value itself.
    """
    names = _field_names(cast(Any, kind))
    if "found" in names:
        given["found"] = found
    return kind(**given, **{name: getattr(found, name) for name in names - given.keys()})


@lru_cache(maxsize=256)
def _field_names(kind: Any) -> frozenset[str]:
    return frozenset(each.name for each in fields(kind) if each.init)


def page_info(has_next: bool, cursors: Sequence[str], after: str | None) -> PageInfo:
    """Returns the position of the page with these item cursors. `after` is the cursor before it, None at the start."""
    start, end = (cursors[0], cursors[-1]) if cursors else (None, None)
    return PageInfo(has_next_page=has_next, has_previous_page=after is not None, start_cursor=start, end_cursor=end)


def connection(page: Listing[Item], convert: Callable[[Item], T], after: str | None) -> Connection[T]:
    """Returns the connection of a page that begins after the cursor `after`, with its items converted."""
    edges = [Edge(node=convert(listed.item), cursor=listed.cursor) for listed in page.items]
    return Connection(
        page_info=page_info(page.has_next, [edge.cursor for edge in edges], after),
        edges=edges,
        nodes=[edge.node for edge in edges],
    )
