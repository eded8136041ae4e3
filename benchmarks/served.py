"""Runs the service of a benchmark in processes of its own, which can be killed, restarted and watched."""

import asyncio
import os
import signal
import socket
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import httpx
import psutil

from hippograph.api.local_server import local_server
from hippograph.api.settings.settings import Settings
from hippograph.api.settings.sources import as_environment
from hippograph.api.workers import COMMAND
from hippograph.graph.local.server import LocalServer

_READY_WITHIN_S: Final = 120


class Served:
    """`hippograph serve` on a free local port, with one worker and no `ner_model`, and the Neo4j that it uses."""

    def __init__(self, settings: Settings, log: Path, **more: Any) -> None:
        """Starts nothing yet. `more` overrides single settings. `log` receives the output of the service."""
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = int(taken.getsockname()[1])
        self.settings = settings.model_copy(update={"port": port, "workers": 1, "ner_model": "none", **more})
        self.url = f"http://127.0.0.1:{port}"
        self._log = log
        self._service: subprocess.Popen[bytes] | None = None
        self._server: LocalServer = local_server(settings)

    def pids(self) -> dict[str, int]:
        """Returns the ids of the processes that run now, by `database`, `service` and `worker`."""
        found = {"database": self._server.status().pid}
        if self._service is not None and self._service.poll() is None:
            found["service"] = self._service.pid
            children = psutil.Process(self._service.pid).children(recursive=True)
            found["worker"] = next((child.pid for child in children if "worker" in child.cmdline()), None)
        return {what: pid for what, pid in found.items() if pid is not None}

    def signal(self, which: tuple[str, ...], number: signal.Signals) -> None:
        """Sends a signal to those of the processes `which` that run."""
        pids = self.pids()
        for what in which:
            with suppress(KeyError, ProcessLookupError):
                os.kill(pids[what], number)

    async def revive(self) -> None:
        """Starts what does not restart by itself: the service, and a database that its supervisor has given up."""
        if self._service is None or self._service.poll() is not None:
            with self._log.open("ab") as output:
                self._service = await asyncio.to_thread(
                    subprocess.Popen,
                    [*COMMAND, "serve"],
                    env={**os.environ, **as_environment(self.settings)},
                    stdout=output,
                    stderr=output,
                )
        if self._server.status().phase in ("failed", "stopped"):
            await asyncio.to_thread(self._server.start)

    async def ready(self) -> None:
        """Waits until the service reports that it is ready. Raises TimeoutError after two minutes."""
        deadline = time.monotonic() + _READY_WITHIN_S
        async with httpx.AsyncClient() as client:
            while time.monotonic() < deadline:
                with suppress(httpx.TransportError):
                    if (await client.get(f"{self.url}/readyz")).status_code == httpx.codes.OK:
                        return
                await asyncio.sleep(0.2)
        raise TimeoutError("the service did not get ready within two minutes")

    async def stop(self) -> None:
        """Terminates the service, waits for its end, and releases the lease on the database."""
        if self._service:
            self._service.terminate()
            await asyncio.to_thread(self._service.wait)
        self._server.release()
