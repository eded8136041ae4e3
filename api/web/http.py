"""The service over HTTP: its routes, its middleware and its lifespan."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Final

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import RedirectResponse
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from hippograph.api.graphql import schema
from hippograph.api.graphql.http.bookmarks import BOOKMARK
from hippograph.api.graphql.http.endpoint import GraphQLEndpoint
from hippograph.api.graphql.http.limits import cached_documents
from hippograph.api.mcp.authorization import ProtectedResource
from hippograph.api.mcp.endpoint import McpEndpoint
from hippograph.api.memory_page.routes import routes as memory_pages
from hippograph.api.memory_page.visits import HOME
from hippograph.api.observability.monitoring import metrics
from hippograph.api.service import Service
from hippograph.api.settings.settings import Settings
from hippograph.api.startup import open_service
from hippograph.api.web.health import livez, readyz
from hippograph.api.web.middleware import LOOPBACK, BodyLimit, KnownSenders, RequestLog
from hippograph.api.web.security_headers import SecurityHeaders

_MCP_HEADERS: Final = ("MCP-Protocol-Version", "Mcp-Method", "Mcp-Name")
_METHODS: Final = frozenset({"GET", "POST", "HEAD", "OPTIONS"})
GRAPHIQL: Final = Path(__file__).parent.parent / "static" / "graphiql"


def create_app(source: Service | Settings) -> Starlette:
    """The application for a service. Given settings, it opens its own service at startup and closes it at shutdown."""
    service = source if isinstance(source, Service) else None
    settings = source.settings if isinstance(source, Service) else source

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            running = service
            if running is None:
                running = await stack.enter_async_context(open_service(settings, facts=True))
                await stack.enter_async_context(running.recall.writing())
            running.observation.metrics.cache("documents", cached_documents)
            app.state.service = running
            await stack.enter_async_context(mcp.serving(running))
            yield

    resource = ProtectedResource(settings)
    graphql, mcp = GraphQLEndpoint(schema), McpEndpoint(resource.challenge)
    app = Starlette(
        routes=[
            Route("/graphql", graphql),
            WebSocketRoute("/graphql", graphql),
            Route("/mcp", mcp, methods=["POST"]),
            *resource.routes,
            Route("/livez", livez),
            Route("/readyz", readyz),
            Route("/metrics", metrics),
            Route("/", lambda _: RedirectResponse("/graphiql/")),
            Mount("/graphiql", StaticFiles(directory=GRAPHIQL, html=True)),
            *memory_pages(),
        ],
        middleware=_middleware(settings),
        lifespan=lifespan,
    )
    app.state.service = service
    return app


def _middleware(settings: Settings) -> list[Middleware]:
    """The middleware, from the outermost to the innermost."""
    return [
        Middleware(SecurityHeaders, tls=settings.tls),
        Middleware(RequestLog, answered=_answered),
        Middleware(
            CORSMiddleware,
            allow_origins=settings.allowed_origins,
            allow_methods=["GET", "POST"],
            allow_headers=["Authorization", "Content-Type", BOOKMARK, "X-Request-ID", *_MCP_HEADERS],
            expose_headers=[BOOKMARK, "X-Request-ID", "WWW-Authenticate"],
        ),
        Middleware(
            KnownSenders,
            hosts={*LOOPBACK, _name(settings.host), *settings.allowed_hosts},
            origins=settings.allowed_origins,
        ),
        Middleware(BodyLimit),
    ]


_PATHS: Final = frozenset({"/graphql", "/mcp", "/livez", "/readyz", "/metrics", "/"})
_FOLDERS: Final = ("/graphiql", HOME)


def _answered(scope: Scope, status: int, seconds: float) -> None:
    """Counts and times a request in the metrics; all unknown paths count as `other`. Streams are not timed."""
    service: Service | None = scope["app"].state.service if "app" in scope else None
    if service is None:
        return
    path, found = scope["path"], service.observation.metrics
    folder = next((each for each in _FOLDERS if path == each or path.startswith(f"{each}/")), "other")
    path = path if path in _PATHS else folder
    method = scope["method"] if scope["method"] in _METHODS else "other"
    found.http.labels(method, path, str(status)).inc()
    if not scope.get("state", {}).get("streamed"):
        found.http_seconds.labels(path).observe(seconds)


def _name(host: str) -> str:
    """A host in the form of the header `Host`, without a port."""
    return f"[{host}]" if ":" in host else host.lower()
