"""Work that a command does with the service, for somebody where they stand, and the options that say for whom."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from hippograph.api.cli.output import ending, run

if TYPE_CHECKING:
    from hippograph.api.service import Service
    from hippograph.graph.model import Viewer

T = TypeVar("T")
As = Annotated[str | None, typer.Option("--as", help="For somebody: a (first) name or @username.")]
In = Annotated[str | None, typer.Option("--chat", help="The chat in which you ask, by title or id.")]
First = Annotated[int, typer.Option(help="How many, 1 to 100.")]


def checked_id(type_name: str, given: str) -> str:
    """The inner id in what is given as one; what is none ends the command before anything starts."""
    from hippograph.api.arguments import inner_id

    with ending():
        return inner_id(type_name, given)


def with_service(
    work: Callable[[Service], Awaitable[T]], *, vectors: bool = False, names: bool = False, facts: bool = False
) -> T:
    """Opens the service, does the work, and closes it again; the rest as of `open_service`."""
    from hippograph.api.cli.opening import opened
    from hippograph.api.cli.reading import read_settings

    async def do() -> T:
        async with opened(current, vectors=vectors, names=names, facts=facts) as service:
            return await work(service)

    current = read_settings()
    return run(do())


def as_viewer(
    work: Callable[[Service, Viewer], Awaitable[T]],
    as_person: str | None,
    chat: str | None = None,
    persona: str | None = None,
    *,
    space: str | None = None,
    vectors: bool = False,
    facts: bool = False,
) -> T:
    """As `with_service`, for this person in this chat with this persona (with all when none is named), or within this
    space, each by the name that people give them.
    """

    async def do(service: Service) -> T:
        from hippograph.api.viewer import named_viewer

        all_of = service.viewer().with_every_persona()
        viewer = await named_viewer(service, all_of, person=as_person, chat=chat, persona=persona, space=space)
        return await work(service, viewer)

    return with_service(do, vectors=vectors, facts=facts)
