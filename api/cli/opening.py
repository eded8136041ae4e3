"""What a command opens: the service over its graph, and who asks there."""

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
    """The service over the graph, with a bar while it is opened if it is `shown`; the rest as of `open_service`.

    Where standard error is no terminal, what does not `linger` tells its steps in lines.
    """
    async with AsyncExitStack() as stack:
        with progress("Setting up", shown=shown, lines=not linger) as report:
            opening = open_service(settings, vectors=vectors, names=names, facts=facts, linger=linger, progress=report)
            service = await stack.enter_async_context(opening)
        yield service


async def within(service: Service, space: str | None, chat: str | None = None) -> Viewer:
    """The local user, within a space or in a chat if one is named, for what is written and for agents. Raises
    `NotFound`.
    """
    return await named_viewer(service, service.viewer(), chat=chat, space=space)
