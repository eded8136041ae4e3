"""Take screenshots of Neo4j Browser with the style sheet and the saved queries, on the demo's graph.

    hippograph demo --exit && hippograph --demo neo4j start
    python -m scripts.browser_screenshots        # docs/images/browser-*.png

Needs Playwright and Pillow (`requirements/dev.txt`), and an installed Chromium.
"""

import argparse
import json
import subprocess
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from playwright.sync_api import Browser, sync_playwright

from hippograph.api.browser import STYLE, address, saved_queries
from hippograph.api.workers import COMMAND
from scripts.screenshots import FOLDER, PATIENCE_MS, save

SHOWN: Final = ("begin", "why")
"""Names of the saved queries whose results are shown."""
SETTLED_MS: Final = 5_000
"""Time that a graph takes to settle, in milliseconds."""

_DROP: Final = """
([name, text]) => {
  const data = new DataTransfer();
  data.items.add(new File([text], name));
  const target = document.querySelector('[data-testid=activeEditor]');
  for (const kind of ['dragenter', 'dragover', 'drop'])
    target.dispatchEvent(new DragEvent(kind, {dataTransfer: data, bubbles: true, cancelable: true}));
}
"""


def main() -> None:
    """Takes all screenshots."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--chromium", default="/usr/bin/chromium", help="the browser")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where the pictures go")
    given = parser.parse_args()
    connection, told = _of_demo("connection"), _of_demo("browser")
    password = Path(connection["passwordFile"]).read_text("utf-8").strip()
    home = urlsplit(told["browser"])._replace(path="", query="").geturl()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=given.chromium, args=["--no-sandbox"])
        for query in saved_queries():
            if query.name in SHOWN:
                file = given.folder / f"browser-{query.name}.png"
                save(_taken(browser, address(home, connection["uri"], connection["user"], query), password), file)
                print(f"{file}: {file.stat().st_size:,} bytes")
        browser.close()


def _of_demo(what: str) -> dict[str, Any]:
    asked = [*COMMAND, "--demo", "neo4j", what, "--json"]
    found: dict[str, Any] = json.loads(subprocess.run(asked, capture_output=True, check=True).stdout)
    return found


def _taken(browser: Browser, link: str, password: str) -> bytes:
    """Returns the screenshot of the graph of a query, after it has settled."""
    page = browser.new_page(viewport={"width": 1280, "height": 900}, device_scale_factor=1.5)
    page.set_default_timeout(PATIENCE_MS)
    page.goto(link)
    page.wait_for_timeout(SETTLED_MS)  # until the query of the link is in the editor
    page.locator("input[type=password]").fill(password)
    page.get_by_test_id("connect").click()
    page.get_by_test_id("disconnectedBanner").wait_for(state="hidden")
    page.wait_for_timeout(SETTLED_MS)
    page.evaluate(_DROP, [STYLE.name, STYLE.read_text("utf-8")])
    page.get_by_test_id("editor-Run").click()
    page.locator("svg .node").first.wait_for(state="attached")
    page.wait_for_timeout(SETTLED_MS)
    return page.get_by_test_id("frame").first.screenshot()


if __name__ == "__main__":
    main()
