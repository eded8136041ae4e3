"""Takes the screenshots of /memory for the documentation, from a service that shows the demo's graph.

    make demo &                                  # or: hippograph demo
    python -m scripts.screenshots                # docs/images/memory-*.png

Needs Playwright and Pillow (`requirements/dev.txt`), and an installed Chromium.
"""

import argparse
import io
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal
from urllib.parse import quote

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

FOLDER: Final = Path(__file__).parents[1] / "docs" / "images"
COLOURS: Final = 160
WIDE: Final = (1180, 860)
PHONE: Final = (390, 800)
PATIENCE_MS: Final = 180_000


@dataclass(frozen=True, slots=True)
class Shot:
    """A screenshot: its name, the path of the page, the size of the window in CSS pixels, and the colour scheme."""

    name: str
    path: str
    size: tuple[int, int] = WIDE
    scheme: Literal["light", "dark"] = "light"


SHOTS: Final = (
    Shot("search", "/memory?q=" + quote("Why did we push back the Soča trip?")),
    Shot("card", "/memory/entity?key=" + quote("person:jonas_weber")),
    Shot("timeline", "/memory/timeline?key=" + quote("person:jonas_weber"), PHONE),
    Shot("me", "/memory/me", WIDE, "dark"),
)


def main() -> None:
    """Takes all screenshots."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--service", default="http://127.0.0.1:8000", help="where the demo answers")
    parser.add_argument("--chromium", default="/usr/bin/chromium", help="the browser")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where the pictures go")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=given.chromium)
        for shot in SHOTS:
            file = given.folder / f"memory-{shot.name}.png"
            save(_taken(browser, given.service, shot), file)
            print(f"{file}: {file.stat().st_size:,} bytes")
        browser.close()


def _taken(browser: Browser, service: str, shot: Shot) -> bytes:
    """Returns the screenshot as the browser takes it (PNG)."""
    width, height = shot.size
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme=shot.scheme,
        device_scale_factor=1.5,
        locale="en-GB",
    )
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    page.goto(service + shot.path)
    _prepare(page, shot.name)
    picture = page.screenshot()
    context.close()
    return picture


def _prepare(page: Page, name: str) -> None:
    """Runs the search of the page `search` and opens the first explanation; scrolls the page `card` to the graph."""
    if name == "search":
        page.get_by_label("Seen from").select_option(label="Friday Table (group)")
        page.get_by_label("With the assistant as").select_option(label="Atlas")
        page.get_by_role("button", name="Search").click()
        page.locator("details.why summary").first.click()
    if name == "card":
        page.locator("[data-drawn]").scroll_into_view_if_needed()
        page.locator("h2#around").evaluate("heading => heading.scrollIntoView({block: 'center'})")


def save(picture: bytes, file: Path) -> None:
    """Writes a screenshot with `COLOURS` colours, which makes the file small; these pages have few anyway."""
    image = Image.open(io.BytesIO(picture)).convert("RGB")
    image.quantize(COLOURS, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE).save(file, optimize=True)


if __name__ == "__main__":
    main()
