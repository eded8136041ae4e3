"""Security headers of every response: load nothing from elsewhere, show it in no frame, keep no copy of data."""

from collections.abc import Iterator
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

_CONSOLE: Final = b"/graphiql"
_PAGES: Final = b"/memory"
_FILES: Final = b"/memory/static/"
_HSTS: Final = (b"strict-transport-security", b"max-age=31536000")
_NO_STORE: Final = (b"cache-control", b"no-store")
_ALWAYS: Final = [
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
]
_NOTHING: Final = b"default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
_OWN_FILES: Final = (
    b"default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    b"connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)
"""The policy of GraphiQL, whose editor uses inline styles. All else is loaded from this service and connects to it."""
_OWN_PAGES: Final = (
    b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; "
    b"frame-ancestors 'none'; base-uri 'none'"
)
"""The policy of the pages of /memory: scripts and styles only from files of this service, and forms only to it."""


class SecurityHeaders:
    """Adds the headers to every response that lacks them. `tls` means that users reach the service only over TLS."""

    def __init__(self, app: ASGIApp, *, tls: bool) -> None:
        self._app = app
        self._tls = tls

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes the request on and adds the headers to the response."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        added = list(self._added(scope["path"].encode()))

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = {name.lower() for name, _ in message["headers"]}
                missing = [(name, value) for name, value in added if name not in given]
                message["headers"] = [*message["headers"], *missing]
            await send(message)

        await self._app(scope, receive, answer)

    def _added(self, path: bytes) -> Iterator[tuple[bytes, bytes]]:
        console, pages = path.startswith(_CONSOLE), path == _PAGES or path.startswith(_PAGES + b"/")
        yield from _ALWAYS
        yield b"content-security-policy", _OWN_FILES if console else _OWN_PAGES if pages else _NOTHING
        # With `no-referrer`, a form is sent with the origin `null`, which `KnownSenders` would refuse.
        yield b"referrer-policy", b"same-origin" if pages else b"no-referrer"
        if path.startswith(_FILES):
            yield b"cache-control", b"no-cache"
        elif not console:
            yield _NO_STORE
        if self._tls:
            yield _HSTS
