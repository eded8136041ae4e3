"""The service over HTTP: what answers where, and what begins and ends with it."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Final

import structlog
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import RedirectResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from api.graphql import schema
from api.graphql.endpoint import GraphQLEndpoint
from api.health import livez, readyz
from api.middleware import LOOPBACK, BodyLimit, KnownSenders, RequestLog
from api.service import Service, open_service
from api.settings import Settings

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

GRAPHIQL: Final = Path(__file__).parent / "static" / "graphiql"
SWEEP_S: Final = 60.0


def create_app(source: Service | Settings) -> Starlette:
    """The application over a service; from settings it opens one of its own when it starts, and closes it."""
    service = source if isinstance(source, Service) else None
    settings = source.settings if isinstance(source, Service) else source

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            app.state.service = service or await stack.enter_async_context(open_service(settings))
            await stack.enter_async_context(_sweeping(app.state.service))
            yield

    app = Starlette(
        routes=[
            Route("/graphql", GraphQLEndpoint(schema)),
            Route("/livez", livez),
            Route("/readyz", readyz),
            Route("/", lambda _: RedirectResponse("/graphiql/")),
            Mount("/graphiql", StaticFiles(directory=GRAPHIQL, html=True)),
        ],
        middleware=[
            Middleware(RequestLog),
            Middleware(KnownSenders, hosts=LOOPBACK | {_name(settings.host)}),
            Middleware(BodyLimit),
        ],
        lifespan=lifespan,
    )
    app.state.service = service
    return app


def _name(host: str) -> str:
    """A host as the header of that name has it."""
    return f"[{host}]" if ":" in host else host.lower()


@asynccontextmanager
async def _sweeping(service: Service) -> AsyncIterator[None]:
    """Ends idle sessions, and sees to it that none is left out of consolidation, every minute as long as it is open."""
    task = asyncio.create_task(_sweep(service))
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def _sweep(service: Service) -> None:
    sweeps: list[Callable[[], Awaitable[int]]] = [service.sessions.close_idle]
    if service.settings.extraction_enabled:
        sweeps.append(service.consolidation.queue_left)
    while True:
        await asyncio.sleep(SWEEP_S)
        for sweep in sweeps:
            try:
                await sweep()
            except Exception:  # whatever it was, the next minute is another chance
                log.exception("a sweep of idle sessions failed")
