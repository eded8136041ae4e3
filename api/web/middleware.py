"""ASGI middleware for every request: its id and log line, the check of host and origin, and the limit on its size."""

import json
import re
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Final
from urllib.parse import urlsplit

import structlog
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from hippograph.graph.ids import new_id

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

MAX_BODY: Final = 1024 * 1024
LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "[::1]"})

_SANE_ID: Final = re.compile(rb"[A-Za-z0-9._-]{1,64}")
_QUIET: Final = frozenset({"/livez", "/readyz", "/metrics"})


Answered = Callable[[Scope, int, float], None]
"""Called after each request with its scope, the status (0 if there was no response), and its duration in seconds."""


class RequestLog:
    """Gives each request an id, which it returns in `X-Request-ID` and binds to every log line. Logs each request and
    calls `answered`. An id that the client sends is kept if it is well-formed.
    """

    def __init__(self, app: ASGIApp, answered: Answered) -> None:
        self._app = app
        self._answered = answered

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes the request on and adds its id to the response."""
        if scope["type"] == "websocket":
            structlog.contextvars.clear_contextvars()
            structlog.contextvars.bind_contextvars(request_id=_request_id(headers_of(scope)).decode())
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = time.perf_counter()
        request_id = _request_id(headers_of(scope))
        status = 0

        async def answer(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message["headers"], (b"x-request-id", request_id)]
            await send(message)

        structlog.contextvars.clear_contextvars()
        structlog.contextvars.bind_contextvars(request_id=request_id.decode())
        try:
            await self._app(scope, receive, answer)
        except Exception:
            log.exception("internal error")
            if not status:
                await refuse(answer, 500, "INTERNAL", f"internal error (request id {request_id.decode()})")
        finally:
            level = log.debug if scope["path"] in _QUIET else log.info
            took = round((time.perf_counter() - started) * 1000, 1)
            level("request", method=scope["method"], path=scope["path"], status=status, ms=took)
            self._answered(scope, status, took / 1000)


class KnownSenders:
    """Refuses requests whose `Host` is none of `hosts`, against DNS rebinding, and requests of a browser that come
    neither from the service's own pages nor from one of `origins`.
    """

    def __init__(self, app: ASGIApp, hosts: Iterable[str], origins: Iterable[str]) -> None:
        self._app = app
        self._hosts = frozenset(hosts)
        self._origins = frozenset(origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes the request on, or refuses it."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = headers_of(scope)
        host = headers.get(b"host", b"").decode("latin-1").lower()
        known = _without_port(host) in self._hosts
        if known and (_origin(headers) in self._origins or not _from_elsewhere(headers, host)):
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        elif known:
            await refuse(send, 403, "CROSS_SITE", "this page's origin is not in HIPPOGRAPH_ALLOWED_ORIGINS")
        else:
            await refuse(send, 400, "UNKNOWN_HOST", f"{host[:100]!r} is not in HIPPOGRAPH_ALLOWED_HOSTS; use localhost")


class BodyLimit:
    """Refuses bodies above `MAX_BODY` bytes, by their `Content-Length` and by what is received."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes the request on, or refuses it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        announced = headers_of(scope).get(b"content-length", b"0")
        received = 0

        async def count() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > MAX_BODY:
                raise _TooLarge
            return message

        if announced.isdigit() and int(announced) > MAX_BODY:
            await self._refuse(send)
            return
        try:
            await self._app(scope, count, send)
        except _TooLarge:
            await self._refuse(send)

    async def _refuse(self, send: Send) -> None:
        await refuse(send, 413, "BODY_TOO_LARGE", f"the body is above {MAX_BODY:,} bytes; send less at a time")


class _TooLarge(Exception):
    pass


def headers_of(scope: Scope) -> Mapping[bytes, bytes]:
    """The headers by lower-case name; of several with the same name, the last."""
    return dict(scope["headers"])


async def refuse(send: Send, status: int, code: str, message: str, headers: Iterable[tuple[bytes, bytes]] = ()) -> None:
    """Sends a response with an error in the format of GraphQL."""
    body = json.dumps({"errors": [{"message": message, "extensions": {"code": code}}]}).encode()
    length = str(len(body)).encode()
    start = [(b"content-type", b"application/json"), (b"content-length", length), *headers]
    await send({"type": "http.response.start", "status": status, "headers": start})
    await send({"type": "http.response.body", "body": body})


def _request_id(headers: Mapping[bytes, bytes]) -> bytes:
    given = headers.get(b"x-request-id", b"")
    return given if _SANE_ID.fullmatch(given) else new_id().encode()


def _without_port(host: str) -> str:
    return host[: host.find("]") + 1] if host.startswith("[") else host.partition(":")[0]


def _origin(headers: Mapping[bytes, bytes]) -> str:
    return headers.get(b"origin", b"").decode("latin-1").lower()


def _from_elsewhere(headers: Mapping[bytes, bytes], host: str) -> bool:
    """Whether a page of another site sent the request. Clients other than browsers send neither of the headers."""
    origin = headers.get(b"origin")
    if origin is not None:
        try:
            return urlsplit(origin.decode("latin-1")).netloc.lower() != host
        except ValueError:  # not a URL
            return True
    visits = headers.get(b"sec-fetch-mode") == b"navigate"
    return headers.get(b"sec-fetch-site") == b"cross-site" and not visits
