"""A headless Chromium of this machine, for tests of pages."""

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from playwright.async_api import Browser, Page, async_playwright

PATIENCE_S = 180.0
"""How long a page may take to come to where a test waits for it, on the slowest machine."""

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)

needs_chromium = pytest.mark.skipif(
    CHROMIUM is None, reason="NOT LOOKED AT: no Chromium is installed, so pages were not tried in a browser"
)


@asynccontextmanager
async def opened_browser() -> AsyncIterator[Browser]:
    """A browser, which knows nothing of others."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        try:
            yield browser
        finally:
            await browser.close()


@asynccontextmanager
async def opened_page() -> AsyncIterator[Page]:
    """An empty page in a browser of its own."""
    async with opened_browser() as browser:
        page = await browser.new_page()
        page.set_default_timeout(1000 * PATIENCE_S)
        yield page
