"""The start of a service: its progress and its outcome, for the tools that wait for it."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from hippograph.api.service import Service

PATIENCE_S: Final = 20.0
"""Maximum time a call waits for the service, in seconds; then it fails, and the message says what is being done."""
_TOLD_EVERY_S: Final = 1.0
_PRINTED_EVERY_S: Final = 10.0

Told = Callable[[float, str], Awaitable[None]]
"""Called with the seconds that a call has waited, and what the start is doing."""


class NotReady(Exception):
    """Raised if the service is not open yet, or could not be opened. The message is for the caller."""


class Startup:
    """A service that is being opened; if a `service` is given, it is open already."""

    def __init__(self, service: Service | None = None) -> None:
        self._service = service
        self._failed = ""
        self._doing = "loading the program"
        self._began = self._printed = time.monotonic()
        self._over = asyncio.Event()

    @property
    def opened(self) -> Service:
        """The open service. May be used only after `service` has returned it."""
        assert self._service is not None, "the service was not waited for"
        return self._service

    @property
    def over(self) -> bool:
        """Whether `ready` or `failed` was called."""
        return self._over.is_set()

    def tell(self, done: int, total: int, what: str = "") -> None:
        """Sets what is being done (without `what`, the same as before) and its progress. Prints it to standard error if
        it is something else than before, and every 10 seconds. May be called from any thread.
        """
        told = what or self._doing.partition(" (")[0]
        now = time.monotonic()
        if told != self._doing.partition(" (")[0] or now > self._printed + _PRINTED_EVERY_S:
            self._printed = now
            sys.stderr.write(f"hippograph: {told}{_share(done, total)}\n")
        self._doing = told + _share(done, total)

    def ready(self, service: Service) -> None:
        """Ends the start with an open service."""
        self._service = service
        self._over.set()

    def failed(self, reason: str) -> None:
        """Ends the start with the reason why it failed."""
        self._failed = reason
        self._over.set()

    async def service(self, told: Told | None = None) -> Service:
        """Waits for the service and returns it; calls `told` every second meanwhile. Raises `NotReady` after
        `PATIENCE_S`, or if the start failed.
        """
        began = time.monotonic()
        while self._service is None and not self._failed:
            waited = time.monotonic() - began
            if waited >= PATIENCE_S:
                raise NotReady(
                    f"hippograph is still starting ({self._doing}, for {time.monotonic() - self._began:.0f} s now). "
                    "Nothing is lost: try again in a while"
                )
            if told:
                await told(waited, self._doing)
            try:
                await asyncio.wait_for(self._over.wait(), min(_TOLD_EVERY_S, PATIENCE_S - waited))
            except TimeoutError:
                continue
        if self._service is None:
            raise NotReady(f"hippograph could not start: {self._failed}. Set that right, and start the server again")
        return self._service


def _share(done: int, total: int) -> str:
    return f" ({100 * done // total} %)" if total else ""
