"""Runs the work of a command with the service, for a viewer; and the options that choose the viewer."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from hippograph.api.cli.output import ending, run

if TYPE_CHECKING:
    from hippograph.api.service import Service
    from hippograph.graph.model import Viewer

T = TypeVar("T")
As = Annotated[str | None, typer.Option("--as", help="Act as this person: a (first) name or @username.")]
In = Annotated[str | None, typer.Option("--chat", help="The chat in which you ask, by title or id.")]
First = Annotated[int, typer.Option(help="Maximum number of results, 1 to 100.")]


def checked_id(type_name: str, given: str) -> str:
    """Returns the inner id of a given id. An invalid one ends the command before the service is opened."""
    from hippograph.api.arguments import inner_id

    with ending():
        return inner_id(type_name, given)


def with_service(
    work: Callable[[Service], Awaitable[T]], *, vectors: bool = False, names: bool = False, facts: bool = False
) -> T:
    """Opens the service, does the work, and closes it again. The other parameters are those of `open_service`."""
    from hippograph.api.cli.opening import opened
    from hippograph.api.cli.reading import read_settings

    async def do() -> T:
        async with opened(current, vectors=vectors, names=names, facts=facts) as service:
            return await work(service)

    current = read_settings()
    return run(do())


def with_zone(work: Callable[[Service, Viewer], Awaitable[T]]) -> Callable[[Service, Viewer], Awaitable[tuple[T, str]]]:
    """Returns work whose result comes with the viewer's time zone, in which its times are to be shown."""

    async def zoned(service: Service, viewer: Viewer) -> tuple[T, str]:
        return await work(service, viewer), await service.people.time_zone(viewer)

    return zoned


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
    """Does the work as `with_service` does, for a viewer: a person (None: the local user) in a chat, with a persona
    (None: all personas), or within a space. Each is given by the name or id that people use.
    """

    async def do(service: Service) -> T:
        from hippograph.api.viewer import named_viewer

        all_of = service.viewer().with_every_persona()
        viewer = await named_viewer(service, all_of, person=as_person, chat=chat, persona=persona, space=space)
        return await work(service, viewer)

    return with_service(do, vectors=vectors, facts=facts)
