"""The work of the commands `serve`, `worker` and `demo`. It is slow to load, so `run` imports it late."""

import asyncio
import json
import os
import signal
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from types import FrameType
from typing import Final

import structlog
import uvicorn
from prometheus_client import start_http_server

from hippograph.api.cli.data import read_dialogues, sample_file, show, until_searchable
from hippograph.api.cli.opening import opened
from hippograph.api.cli.output import Report, out, progress
from hippograph.api.cli.reading import DEMO_USER_NAME
from hippograph.api.cli.server.warming import planning, warm_up
from hippograph.api.hooks.following import following
from hippograph.api.service import Service
from hippograph.api.settings.settings import Settings
from hippograph.api.startup import freeze_gc, open_service
from hippograph.api.web.http import create_app
from hippograph.api.web.middleware import MAX_BODY
from hippograph.api.workers import worker_processes
from hippograph.graph.errors import InvalidInput

log = structlog.get_logger(__name__)

_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


async def serve(settings: Settings) -> None:
    """Answers requests until a signal comes. Runs workers meanwhile.

    Raises `InvalidInput` if credentials are required and there are none.
    """
    async with opened(settings, vectors=True, facts=True, linger=False) as service, worker_processes(settings):
        await _check_credentials(service)
        freeze_gc()
        tell_addresses(service)
        await listen(service)


@asynccontextmanager
async def opened_for_agent(settings: Settings, report: Report) -> AsyncIterator[Service]:
    """Opens the service for an agent on standard input, and runs workers that print to standard error."""
    async with (
        open_service(settings, facts=True, linger=True, progress=report) as service,
        worker_processes(settings, out=sys.stderr),
    ):
        freeze_gc()
        async with service.recall.writing(), planning(service), following(service):
            yield service


async def demonstrate(settings: Settings, *, leave: bool) -> None:
    """Loads the sample and asks its questions; then, unless `leave` is set, answers requests until a signal comes."""
    async with opened(settings, vectors=True, facts=True, linger=False) as service, worker_processes(settings):
        await _tell_story(service)
        if not leave:
            freeze_gc()
            tell_addresses(service)
            await listen(service)


async def work(settings: Settings, *, retry_failed: bool, until_done: bool, for_parent: int | None) -> None:
    """Runs the jobs until a signal comes, the queues are empty (`until_done`), or the parent `for_parent` ends."""
    stop = stop_on_signals()
    # A worker of a service shares its terminal, which has the progress bar of the service.
    shown = for_parent is None
    async with opened(settings, vectors=True, names=True, linger=until_done, shown=shown) as service:
        freeze_gc()
        if retry_failed:
            log.info("what failed is tried again", queued=await service.runner.retry_failed())
        if queued := await service.enrichment.requeue_lost():
            log.info("what lacks a vector is queued", queued=queued)
        _tell_metrics(service)
        working = asyncio.create_task(service.runner.run(stop))
        watching = []
        if until_done:
            watching.append(asyncio.create_task(_stop_when_done(service, stop)))
        if for_parent is not None:
            watching.append(asyncio.create_task(_stop_with_parent(for_parent, stop)))
        await stop.wait()
        await working
        for task in watching:
            task.cancel()


def _tell_metrics(service: Service) -> None:
    """Serves the metrics of a worker on 127.0.0.1, if a port is set. A port that is in use is only logged."""
    if port := service.settings.worker_metrics_port:
        try:
            start_http_server(port, "127.0.0.1", service.observation.metrics.registry)
        except OSError as error:
            log.warning("metrics are not told: set HIPPOGRAPH_WORKER_METRICS_PORT", port=port, error=str(error))


async def _check_credentials(service: Service) -> None:
    """Raises `InvalidInput` if requests need credentials, and neither a valid API key nor a JWT key exists."""
    settings = service.settings
    if settings.auth == "local" or settings.jwt_keys:
        return
    if not any(key.holds(service.clock()) for key in await service.api_keys.list()):
        raise InvalidInput(
            "HIPPOGRAPH_AUTH is credentials, and there are none: make one with `hippograph token create`, or set "
            "HIPPOGRAPH_JWT_KEYS"
        )


class _Server(uvicorn.Server):
    """A uvicorn server whose `serve` returns after a signal, so that the service is closed in order. Uvicorn itself
    would raise the signal again.

    WebSockets are closed with code 1012 (service restart). Event streams never end by themselves: `stopping` ends them.
    """

    def __init__(self, config: uvicorn.Config, stopping: asyncio.Event) -> None:
        super().__init__(config)
        self._stopping = stopping

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stops the server, and the event streams by setting `stopping`."""
        self._stopping.set()
        super().handle_exit(sig, frame)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stops the server on Ctrl-C or SIGTERM; after a second Ctrl-C it does not wait for open connections."""
        loop = asyncio.get_running_loop()
        for number in _SIGNALS:
            loop.add_signal_handler(number, self.handle_exit, number, None)
        yield
        for number in _SIGNALS:
            loop.remove_signal_handler(number)


async def listen(service: Service) -> None:
    """Answers requests until a signal comes."""
    settings = service.settings
    config = uvicorn.Config(
        create_app(service),
        host=settings.host,
        port=settings.port,
        log_config=None,
        access_log=False,
        server_header=False,
        ws_max_size=MAX_BODY,
        timeout_graceful_shutdown=settings.shutdown_timeout_s,
        lifespan="on",
    )
    async with service.recall.writing(), planning(service), following(service):
        await _Server(config, service.stopping).serve()


def tell_addresses(service: Service) -> None:
    """Prints the addresses of the running service, and what credentials they need."""
    host = service.settings.host
    base = f"http://{f'[{host}]' if ':' in host else host}:{service.settings.port}"
    out.line()
    out.line(f"GraphQL        {base}/graphql")
    out.line(f"MCP            {base}/mcp")
    out.line(f"GraphiQL       {base}/graphiql/")
    out.line(f"Your memory    {base}/memory")
    if service.settings.auth == "local":
        out.line(f"Credentials    none: whoever reaches this port is {service.local_user.canonical_name}")
    else:
        out.line("Credentials    required for each request (hippograph token list)")
    if service.connection.http_url:
        out.line(f"Neo4j Browser  {service.connection.http_url}/browser/")
        out.line(f"               connect to {service.connection.uri} as {service.connection.user},")
        out.line(f"               password in {service.settings.data_dir / 'password'}")
    out.line("Press Ctrl-C to stop everything.")
    out.line()


async def _tell_story(service: Service) -> None:
    file = sample_file()
    content, questions = read_dialogues(file), json.loads(file.read_text("utf-8"))["demo"]
    with progress("Loading the sample") as report:
        imported = await service.importer.run(service.viewer(), file.stem, content, me=DEMO_USER_NAME, progress=report)
    await until_searchable(service)
    out.line(
        f"{imported.recorded + imported.repeated} turns of {len(imported.chats)} chats are in the graph and searchable."
    )
    persona = await service.people.create_persona(
        service.viewer(), next(d.persona for d in content.dialogues if d.persona)
    )
    await warm_up(service)
    for question in questions:
        viewer = service.viewer(imported.chats[question["dialogue"]], persona.id)
        started = time.perf_counter()
        page = await service.search.search(viewer, question["question"], first=3)
        took = (time.perf_counter() - started) * 1000
        out.line()
        asked = f"{took:.0f} ms, asked in {question['dialogue']}"
        out.line((question["question"], "bold cyan"), "  ", (asked, "dim"))
        show(page)


def stop_on_signals() -> asyncio.Event:
    """Returns an event that SIGINT and SIGTERM set, instead of ending the process, so that current work is finished."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in _SIGNALS:
        loop.add_signal_handler(number, stop.set)
    return stop


async def _stop_when_done(service: Service, stop: asyncio.Event) -> None:
    try:
        await service.runner.until_idle()
    finally:
        stop.set()


async def _stop_with_parent(parent: int, stop: asyncio.Event) -> None:
    """Sets `stop` when `parent` has ended, even killed: its workers then have another parent. Polls once a second."""
    while os.getppid() == parent:  # noqa: ASYNC110  # there is no event for it, so it is polled
        await asyncio.sleep(1)
    stop.set()
