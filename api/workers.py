"""Workers in processes of their own, so that models never delay a request."""

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
"""The command `hippograph` with this Python. Without `-P`, a `hippograph` in the working folder would be run
instead."""

_PAUSE_S: Final = 2.0
_ENVIRONMENT: Final = {"OPENBLAS_NUM_THREADS": "1"}
"""Variables for workers. numpy's matrices are small here, so that a second thread would only spin."""
_STOP_S: Final = 20.0


@asynccontextmanager
async def worker_processes(settings: Settings, out: IO[str] | None = None) -> AsyncIterator[None]:
    """Runs the number of workers in the settings, restarts those that end, and stops all of them at the end.

    They print to `out`, or to the standard output of this process without it.
    """
    if not structlog.is_configured():
        configure_logging(settings)  # logs to standard error: a command's standard output is its result
    async with contextlib.AsyncExitStack() as stack:
        for number in range(settings.workers):
            await stack.enter_async_context(in_background(_keep_running(settings, number, out)))
        yield


async def _keep_running(settings: Settings, number: int, out: IO[str] | None) -> None:
    while True:
        try:
            # A process session of its own, so that Ctrl-C reaches only the service, which then stops its workers.
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
    """The settings of the worker with a number, counted from 0; each worker has its own port for metrics."""
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
