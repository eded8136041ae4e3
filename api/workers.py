"""The jobs in processes of their own, so that models at work never hold up a request."""

import asyncio
import contextlib
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import IO, Final

import structlog

from hippograph.api.observability.logs import configure_logging
from hippograph.api.settings.settings import Settings
from hippograph.api.settings.sources import as_environment
from hippograph.graph.background import in_background

log = structlog.get_logger(__name__)

COMMAND: Final = (sys.executable, "-P", "-m", "hippograph.api.cli")
"""`hippograph` as a process of this Python: with `-P`, or the working folder's own `api` would be run in its place."""

_PAUSE_S: Final = 2.0
_ENVIRONMENT: Final = {"OPENBLAS_NUM_THREADS": "1"}
"""numpy's matrices here are small: a second thread would only spin."""
_STOP_S: Final = 20.0


@asynccontextmanager
async def worker_processes(settings: Settings, out: IO[str] | None = None) -> AsyncIterator[None]:
    """Runs as many workers as the settings say, starts again those that end, and stops all of them at the end.

    They print to `out`, or without it where this process does.
    """
    if not structlog.is_configured():
        configure_logging(settings)  # what is logged here goes to standard error: a command's output is its result
    async with contextlib.AsyncExitStack() as stack:
        for number in range(settings.workers):
            await stack.enter_async_context(in_background(_keep_running(settings, number, out)))
        yield


async def _keep_running(settings: Settings, number: int, out: IO[str] | None) -> None:
    while True:
        try:
            # A session of its own: Ctrl-C is for the service, which then stops its workers in order.
            process = await asyncio.create_subprocess_exec(
                *(*COMMAND, "worker", "--for-parent", str(os.getpid())),
                env={**os.environ, **_ENVIRONMENT, **as_environment(_of_worker(settings, number))},
                stdin=asyncio.subprocess.DEVNULL,
                stdout=out,
                start_new_session=True,
            )
        except OSError as error:
            log.warning("a worker could not be started and is tried again", worker=number, error=str(error))
            await asyncio.sleep(_PAUSE_S)
            continue
        try:
            code = await process.wait()
        except asyncio.CancelledError:
            await _stop(process)
            raise
        log.warning("a worker ended and is started again", worker=number, exit_code=code)
        await asyncio.sleep(_PAUSE_S)


def _of_worker(settings: Settings, number: int) -> Settings:
    """The settings of one of several workers: each tells its metrics at a port of its own."""
    port = settings.worker_metrics_port
    return settings.model_copy(update={"worker_metrics_port": port + number}) if port else settings


async def _stop(process: asyncio.subprocess.Process) -> None:
    with contextlib.suppress(ProcessLookupError):
        process.terminate()
        try:
            await asyncio.wait_for(process.wait(), _STOP_S)
        except TimeoutError:
            process.kill()
            await process.wait()
