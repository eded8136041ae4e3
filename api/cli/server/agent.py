"""The command `mcp`: answers an agent on standard input at once, while the service starts in the background."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import traceback
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import import_module

from hippograph.api.mcp.server import make_server
from hippograph.api.mcp.standby import Standby
from hippograph.api.mcp.startup import Startup
from hippograph.graph.errors import HippographError
from hippograph.graph.model import Viewer
from hippograph.nlp.errors import NlpError


async def serve_agent(standby: Standby, space: str | None = None) -> None:
    """Answers the calls of an agent as the local user, within a space if one is named, until its input ends. Runs
    workers meanwhile.

    If the start of the service fails, this goes on: each tool reports the reason.
    """
    # A thread blocks on standard input and cannot be interrupted: Ctrl-C kills the process, and its workers follow.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    startup = Startup()
    viewer: asyncio.Future[Viewer] = asyncio.get_running_loop().create_future()
    async with _starting(startup, space, viewer):
        await make_server(startup, lambda _: viewer.result()).run_on(standby)


@asynccontextmanager
async def _starting(startup: Startup, space: str | None, viewer: asyncio.Future[Viewer]) -> AsyncIterator[None]:
    """Opens the service in a task, and closes it at the end. `viewer` is set before `startup` is ready."""
    ending = asyncio.Event()
    opening = asyncio.create_task(_open(startup, ending, space, viewer))
    try:
        yield
    finally:
        ending.set()
        if not startup.over:
            opening.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await opening


async def _open(startup: Startup, ending: asyncio.Event, space: str | None, viewer: asyncio.Future[Viewer]) -> None:
    try:
        # Importing the parts of the service takes seconds. In a thread it does not delay answers.
        await asyncio.to_thread(import_module, "hippograph.api.cli.server.serving")
        from hippograph.api.cli.opening import within
        from hippograph.api.cli.reading import WrongSettings, checked_settings
        from hippograph.api.cli.server.serving import opened_for_agent
        from hippograph.api.observability.logs import configure_logging

        try:
            settings = checked_settings()
        except WrongSettings as error:
            startup.failed(str(error))
            return
        configure_logging(settings)
        async with opened_for_agent(settings, startup.tell) as service:
            viewer.set_result(await within(service, space))
            startup.ready(service)
            await ending.wait()
    except (HippographError, NlpError) as error:
        startup.failed(str(error))
    except Exception as error:
        traceback.print_exc()
        startup.failed(f"{type(error).__name__}; see standard error for details")
