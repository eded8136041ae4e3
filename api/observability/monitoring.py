"""The endpoint `/metrics`: metrics of this process and of the queues, and who may read them."""

import asyncio
from collections.abc import Mapping
from ipaddress import ip_address
from typing import Final

from prometheus_client import CONTENT_TYPE_LATEST
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from hippograph.api.service import Service
from hippograph.api.web.admission import AUTHORIZATION, Refused, recognised
from hippograph.graph.errors import HippographError

PATIENCE_S: Final = 2.0
"""Maximum time for counting the queues and the uses of the LLM, in seconds."""

_FORWARDED: Final = ("forwarded", "x-forwarded-for", "x-real-ip")


async def metrics(request: Request) -> Response:
    """Responds with the metrics, or with the reason for a refusal: status 404 if they are off, 403 for a credential
    without admin rights, or the status of `Refused`.
    """
    service: Service = request.app.state.service
    if service.settings.metrics == "off":
        return PlainTextResponse("metrics are off (HIPPOGRAPH_METRICS)", 404)
    if not (service.settings.metrics == "loopback" and _from_this_machine(request)):
        try:
            caller = await recognised(service, request.headers.get(AUTHORIZATION), None)
        except Refused as error:
            refusal = PlainTextResponse(str(error), error.status)
            refusal.raw_headers.extend(error.headers)
            return refusal
        if not caller.viewer.rights.admin:
            return PlainTextResponse("metrics are for administrators (hippograph token create --admin)", 403)
    await _measure(service)
    return Response(service.observation.metrics.text(), media_type=CONTENT_TYPE_LATEST)


async def _measure(service: Service) -> None:
    found = service.observation.metrics
    found.subscriptions.set(service.subscriptions.count)
    try:
        async with asyncio.timeout(PATIENCE_S):
            backlogs = await service.progress.backlogs()
            uses = await service.model_uses.counts()
    except (TimeoutError, HippographError):
        found.database(False, service.database.connections())
        return
    now = service.clock()
    ages: Mapping[str, float] = {
        job: (now - each.due_since).total_seconds() if each.due_since else 0.0 for job, each in backlogs.items()
    }
    found.database(True, service.database.connections())
    found.queues(backlogs, ages)
    found.language_model(uses)


def _from_this_machine(request: Request) -> bool:
    """Whether the client is on this machine; False behind a proxy, which forwards requests of others."""
    if request.client is None or any(name in request.headers for name in _FORWARDED):
        return False
    try:
        return ip_address(request.client.host).is_loopback
    except ValueError:
        return False
