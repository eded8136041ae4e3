"""Opens the service for a command, and finds the viewer for whom it works."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from hippograph.api.cli.output import progress
from hippograph.api.service import Service
from hippograph.api.settings.settings import Settings
from hippograph.api.startup import open_service
from hippograph.api.viewer import named_viewer
from hippograph.graph.model import Viewer


@asynccontextmanager
async def opened(
    settings: Settings,
    *,
    vectors: bool = False,
    names: bool = False,
    facts: bool = False,
    linger: bool = True,
    shown: bool = True,
) -> AsyncIterator[Service]:
    """Opens the service, with a progress bar meanwhile if `shown`; the other parameters are those of `open_service`.

    Without `linger`, slow steps are printed as lines if standard error is no terminal.
    """
    async with AsyncExitStack() as stack:
        with progress("Setting up", shown=shown, lines=not linger) as report:
            opening = open_service(settings, vectors=vectors, names=names, facts=facts, linger=linger, progress=report)
            service = await stack.enter_async_context(opening)
        yield service


async def within(service: Service, space: str | None, chat: str | None = None) -> Viewer:
    """Returns the local user as viewer, within a space or in a chat if one is named; for imports and agents. Raises
    `NotFound`, and `InvalidInput` if several have the name.
    """
    return await named_viewer(service, service.viewer(), chat=chat, space=space)
