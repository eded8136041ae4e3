"""Wrappers around Strawberry's decorators that use the docstring as the description.

They keep the types of what they decorate; Strawberry's own decorators lose them when called with arguments.
"""

import inspect
from collections.abc import Callable
from typing import Any, TypeVar, cast, dataclass_transform

import strawberry

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")


def field(resolver: F) -> F:
    """Makes a function the resolver of a field: of an object type, of Query, or of Mutation."""
    return cast(F, strawberry.field(resolver, description=_words(resolver)))


def subscription(resolver: F) -> F:
    """Makes an asynchronous generator the resolver of a field of Subscription."""
    return cast(F, strawberry.subscription(resolver, description=_words(resolver)))


def argument(description: str) -> Any:
    """Describes an argument of a field."""
    return strawberry.argument(description=description)


def described(description: str, **rest: Any) -> Any:
    """Describes a field that holds a value; `rest` are further options of `strawberry.field`, such as a default."""
    return strawberry.field(description=description, **rest)


@dataclass_transform(order_default=True, kw_only_default=True, field_specifiers=(described, strawberry.field))
def object_type(cls: type[T]) -> type[T]:
    """Makes a class an object type."""
    return strawberry.type(cls, description=_words(cls))


@dataclass_transform(order_default=True, kw_only_default=True, field_specifiers=(described, strawberry.field))
def interface(cls: type[T]) -> type[T]:
    """Makes a class an interface."""
    return strawberry.interface(cls, description=_words(cls))


@dataclass_transform(order_default=True, kw_only_default=True, field_specifiers=(described, strawberry.field))
def input_type(cls: type[T]) -> type[T]:
    """Makes a class an input object type."""
    return strawberry.input(cls, description=_words(cls))


def _words(documented: object) -> str:
    """Returns the docstring as one line."""
    return " ".join((inspect.getdoc(documented) or "").split())
