"""Worker processes started by a command."""

import asyncio
import logging
import sys
from collections.abc import Iterator

import pytest
import structlog

from hippograph.api import workers
from hippograph.api.settings.settings import Settings


@pytest.fixture
def unconfigured() -> Iterator[None]:
    """Resets the logging configuration before the test and restores it afterwards."""
    root = logging.getLogger()
    handlers, level = root.handlers, root.level
    structlog.reset_defaults()
    yield
    structlog.reset_defaults()
    root.handlers, root.level = handlers, level


@pytest.mark.usefixtures("unconfigured")
async def test_what_workers_do_is_told_on_standard_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Log messages about workers go to standard error, so that a command's standard output is its result alone."""
    monkeypatch.setattr(workers, "COMMAND", (sys.executable, "-c", "raise SystemExit(3)"))
    told = ""
    async with asyncio.timeout(60), workers.worker_processes(Settings(_env_file=None, workers=1)):
        while "is started again" not in told:
            await asyncio.sleep(0.05)
            seen = capsys.readouterr()
            told += seen.err
            assert not seen.out
    assert "exit_code=3" in told
