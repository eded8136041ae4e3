"""Probes of whether the process is alive (`/livez`), and whether it can serve requests (`/readyz`)."""

import asyncio
from dataclasses import dataclass
from typing import Final

import structlog
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from hippograph.api.models.query_models import NO_MODEL
from hippograph.api.service import Service
from hippograph.graph.errors import HippographError
from hippograph.graph.schema import pending_migrations

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

PATIENCE_S: Final = 1.5
"""Timeout of the database in a probe, in seconds."""


@dataclass(frozen=True, slots=True)
class Readiness:
    """The state of each part by its name, and the problems that keep the service from answering, if any."""

    checks: dict[str, str]
    problems: list[str]


async def livez(_: Request) -> Response:
    """Answers 200 as long as the process is alive."""
    return JSONResponse({"status": "alive"})


async def readyz(request: Request) -> Response:
    """Answers 200 if the service can serve requests, else 503 with the reasons."""
    found = await readiness(request.app.state.service)
    status = "not ready" if found.problems else "ready"
    answer = {"status": status, "checks": found.checks, "problems": found.problems}
    return JSONResponse(answer, 503 if found.problems else 200)


async def readiness(service: Service | None) -> Readiness:
    """Checks database and schema, and names the embedder. Takes at most two seconds, whatever their state."""
    if service is None:
        return Readiness({"service": "starting"}, ["the service is starting"])
    embedder = service.settings.embedding_model
    checks = {"embedder": "off: full-text search alone" if embedder == NO_MODEL else embedder}
    problem = await _problem(service)
    checks["database"] = problem or "answers, with every migration applied"
    return Readiness(checks, [problem] if problem else [])


async def _problem(service: Service) -> str | None:
    asking = asyncio.create_task(_ask(service))
    # Not `wait_for`, which also waits for the cancellation: that may take long on a connection that hangs.
    done, _ = await asyncio.wait([asking], timeout=PATIENCE_S)
    if not done:
        asking.cancel()
        return f"Neo4j does not answer within {PATIENCE_S} s"
    return asking.result()


async def _ask(service: Service) -> str | None:
    try:
        missing = await pending_migrations(service.database)
    except HippographError as error:
        # The driver's message names hosts, ports and users, which only the operator may see.
        log.warning("the database is unavailable", reason=str(error))
        return "the database does not answer now; the log says why"
    return f"migration {missing[0].version} is not applied: restart the service" if missing else None
