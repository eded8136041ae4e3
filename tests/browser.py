"""A headless Chromium of this machine for tests of pages, and a pytest plugin that reports which of these were skipped.

Under CI a skipped test of a page is an error; elsewhere the run's last line says how many were skipped, and why.
"""

import os
import shutil
from collections.abc import AsyncIterator, Generator
from contextlib import asynccontextmanager
from typing import Final

import pytest
from playwright.async_api import Browser, Page, async_playwright

PATIENCE_S = 180.0
"""Timeout for a page to reach what a test waits for, in seconds, on the slowest machine."""

CHROMIUM: Final = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)

needs_chromium = pytest.mark.needs_chromium


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skips a test that needs Chromium if there is none."""
    if CHROMIUM is None and item.get_closest_marker(needs_chromium.name):
        pytest.skip("no Chromium is on the PATH: install one (Debian: apt-get install chromium)")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Under CI, fails a test of a page that was skipped for any reason."""
    report = yield
    if report.skipped and os.environ.get("CI") == "true" and item.get_closest_marker(needs_chromium.name):
        report.outcome, report.longrepr = "failed", f"NOT LOOKED AT: {_reason(report)}"
    return report


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> Generator[None, None, None]:
    """Says in the last line of a run how many tests of pages were skipped, and why."""
    yield
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    skipped = reporter.stats.get("skipped", []) if reporter else []
    if reasons := [_reason(report) for report in skipped if needs_chromium.name in report.keywords]:
        reporter.write_line(f"NOT LOOKED AT: pages, in {len(reasons)} tests; {'; '.join(sorted(set(reasons)))}")


def _reason(report: pytest.TestReport) -> str:
    """Returns the reason for which a test was skipped."""
    assert isinstance(report.longrepr, tuple)
    return report.longrepr[2].removeprefix("Skipped: ")


@asynccontextmanager
async def opened_browser() -> AsyncIterator[Browser]:
    """Yields a new browser that shares nothing with others."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        try:
            yield browser
        finally:
            await browser.close()


@asynccontextmanager
async def opened_page() -> AsyncIterator[Page]:
    """Yields an empty page in a browser of its own."""
    async with opened_browser() as browser:
        page = await browser.new_page()
        page.set_default_timeout(1000 * PATIENCE_S)
        yield page
