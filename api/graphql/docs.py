"""Decorators of Strawberry's that take a description from where it is written anyway: the docstring.

They keep the types of what they decorate, which Strawberry's own lose when they are called with arguments.
"""

import inspect
from collections.abc import Callable
from typing import Any, TypeVar, cast, dataclass_transform

import strawberry

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")


def field(resolver: F) -> F:
    """A field that a function resolves: of an object, of Query, or of Mutation."""
    return cast(F, strawberry.field(resolver, description=_words(resolver)))


def subscription(resolver: F) -> F:
    """A field of Subscription, which a generator resolves."""
    return cast(F, strawberry.subscription(resolver, description=_words(resolver)))


def argument(description: str) -> Any:
    """What an argument of a field means."""
    return strawberry.argument(description=description)


def described(description: str, **rest: Any) -> Any:
    """A field that holds a value: what that means and, in an input, what it is when it is left out."""
    return strawberry.field(description=description, **rest)


@dataclass_transform(order_default=True, kw_only_default=True, field_specifiers=(described, strawberry.field))
def object_type(cls: type[T]) -> type[T]:
    """An object type."""
    return strawberry.type(cls, description=_words(cls))


@dataclass_transform(order_default=True, kw_only_default=True, field_specifiers=(described, strawberry.field))
def interface(cls: type[T]) -> type[T]:
    """An interface."""
    return strawberry.interface(cls, description=_words(cls))


@dataclass_transform(order_default=True, kw_only_default=True, field_specifiers=(described, strawberry.field))
def input_type(cls: type[T]) -> type[T]:
    """An input object."""
    return strawberry.input(cls, description=_words(cls))


def _words(documented: object) -> str:
    """The docstring as one line: how it is broken in the source means nothing."""
    return " ".join((inspect.getdoc(documented) or "").split())
