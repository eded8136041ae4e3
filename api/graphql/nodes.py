"""What all of the graph share: the Node interface with its global ids, and connections with their pages."""

import base64
from collections.abc import Callable
from typing import Generic, TypeVar

import strawberry

from graph.errors import InvalidInput
from graph.paging import Listing

T = TypeVar("T")
Item = TypeVar("Item")


@strawberry.interface(description="Something with an id of its own, which `node(id:)` finds again.")
class Node:
    """Something with a global id."""

    id: strawberry.ID


@strawberry.type(description="Where a page stands in its list.")
class PageInfo:
    """Where a page stands in its list. Lists are read forwards."""

    has_next_page: bool
    end_cursor: str | None


@strawberry.type
class Edge(Generic[T]):
    """An item of a list, and the cursor behind it."""

    node: T
    cursor: str


@strawberry.type
class Connection(Generic[T]):
    """A page of a list."""

    page_info: PageInfo
    edges: list[Edge[T]]
    nodes: list[T]


def global_id(type_name: str, inner: str) -> strawberry.ID:
    """The id by which the outside knows a thing: `Chat:<id>`, in Base64."""
    return strawberry.ID(base64.b64encode(f"{type_name}:{inner}".encode()).decode())


def split_id(given: str) -> tuple[str, str]:
    """The type and the inner id in a global id. Raises `InvalidInput` when it is none."""
    try:
        type_name, _, inner = base64.b64decode(given, validate=True).decode().partition(":")
    except ValueError as error:
        raise InvalidInput(f"{given[:100]!r} is no id: pass on one that this service gave, unchanged") from error
    if not inner:
        raise InvalidInput(f"{given[:100]!r} is no id: pass on one that this service gave, unchanged")
    return type_name, inner


def inner_id(type_name: str, given: str) -> str:
    """The inner id in the global id of a thing of this type. Raises `InvalidInput` when it is of another."""
    found, inner = split_id(given)
    if found != type_name:
        raise InvalidInput(f"{given[:100]!r} is the id of a {found}; here belongs that of a {type_name}")
    return inner


def optional_id(type_name: str, given: str | None) -> str | None:
    """As `inner_id`, for an id that may be left out."""
    return None if given is None else inner_id(type_name, given)


def connection(page: Listing[Item], convert: Callable[[Item], T]) -> Connection[T]:
    """A page as the outside sees it."""
    edges = [Edge(node=convert(listed.item), cursor=listed.cursor) for listed in page.items]
    return Connection(
        page_info=PageInfo(has_next_page=page.has_next, end_cursor=edges[-1].cursor if edges else None),
        edges=edges,
        nodes=[edge.node for edge in edges],
    )
