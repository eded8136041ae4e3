"""The service over HTTP: what answers where, and what begins and ends with it."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Final

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import RedirectResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from api.graphql import schema
from api.graphql.endpoint import BOOKMARK, GraphQLEndpoint
from api.health import livez, readyz
from api.middleware import LOOPBACK, BodyLimit, KnownSenders, RequestLog
from api.service import Service, open_service
from api.settings import Settings

GRAPHIQL: Final = Path(__file__).parent / "static" / "graphiql"


def create_app(source: Service | Settings) -> Starlette:
    """The application over a service; from settings it opens one of its own when it starts, and closes it."""
    service = source if isinstance(source, Service) else None
    settings = source.settings if isinstance(source, Service) else source

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            app.state.service = service or await stack.enter_async_context(open_service(settings))
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
            Middleware(
                CORSMiddleware,
                allow_origins=settings.allowed_origins,
                allow_methods=["GET", "POST"],
                allow_headers=["Authorization", "Content-Type", BOOKMARK, "X-Request-ID"],
                expose_headers=[BOOKMARK, "X-Request-ID"],
            ),
            Middleware(
                KnownSenders,
                hosts={*LOOPBACK, _name(settings.host), *settings.allowed_hosts},
                origins=settings.allowed_origins,
            ),
            Middleware(BodyLimit),
        ],
        lifespan=lifespan,
    )
    app.state.service = service
    return app


def _name(host: str) -> str:
    """A host as the header of that name has it."""
    return f"[{host}]" if ":" in host else host.lower()
