"""Work that a command does for somebody, where they stand."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, TypeVar

from hippograph.api.cli.output import run

if TYPE_CHECKING:
    from hippograph.api.service import Service
    from hippograph.graph.model import Viewer

T = TypeVar("T")


def as_viewer(
    as_person: str | None,
    chat: str | None,
    persona: str | None,
    work: Callable[[Service, Viewer], Awaitable[T]],
    *,
    space: str | None = None,
    vectors: bool = False,
    facts: bool = False,
) -> T:
    """Opens the service, does the work for this person in this chat with this persona, or within this space, and closes
    it again.

    `vectors` loads the model that embeds, `facts` what reads explicit facts.
    """
    from hippograph.api.cli.opening import opened, standing
    from hippograph.api.cli.reading import read_settings

    async def do() -> T:
        async with opened(current, vectors=vectors, facts=facts) as service:
            return await work(service, await standing(service, as_person, chat, persona, space))

    current = read_settings()
    return run(do())
