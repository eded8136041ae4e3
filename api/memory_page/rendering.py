"""Rendering of templates as pages."""

from http import HTTPStatus
from pathlib import Path
from typing import Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.responses import HTMLResponse

from hippograph.api.memory_page import wording
from hippograph.api.memory_page.visits import Visit
from hippograph.api.printable import beginning

_FOLDER: Final = Path(__file__).parent
STATIC: Final = _FOLDER / "static"

DONE: Final = {
    "corrected": "Corrected. This is what holds now; the earlier statement is kept in its history.",
    "forgotten": "Forgotten. It is not believed, found or told any more.",
    "confirmed": "Confirmed. It neither fades nor runs out.",
    "pinned": "Pinned. It counts as most important and does not run out.",
    "shared": "Shared. The group knows these words, as yours.",
    "unshared": "Taken back. The group knows it no more from you.",
    "unpinned": "Unpinned. It is again what it was.",
    "marked": "Saved. From now on it is shown as you said.",
    "merged": "Merged. The two are one from now on.",
    "asked": "Nothing was merged: somebody else knows one of the two. It is suggested, and an administrator decides.",
    "unmerged": "Taken back. The two are apart again.",
    "taken_back": "Taken back. It is believed again.",
    "purged": "Deleted for good. Nothing of it is left.",
    "accepted": "You take part.",
    "declined": "Declined.",
    "dismissed": "Noted. They are not the same, and it is not suggested again.",
}
"""The notice on a page after a change, by the value of `done` in its address; any other value shows none."""


def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_FOLDER / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    names = ("when", "day", "moment", "predicate", "place_in", "led_by", "reasons")
    environment.filters |= {"title": beginning, **{name: getattr(wording, name) for name in names}}
    environment.tests["turn"] = wording.is_turn
    words = ("FORGETTING", "FORGOTTEN_KINDS", "INTENTS", "READS", "RETIRED", "SECTIONS", "SOURCES", "TYPES", "way_to")
    environment.globals |= {"DONE": DONE, **{name: getattr(wording, name) for name in words}}
    return environment


_TEMPLATES: Final = _environment()


def page(visit: Visit, template: str, status: int = HTTPStatus.OK, **values: object) -> HTMLResponse:
    """Renders a page for a visitor."""
    text = _TEMPLATES.get_template(template).render(visit=visit, url=visit.url, **values)
    return HTMLResponse(text, int(status))


def plain_page(template: str, status: int, **values: object) -> HTMLResponse:
    """Renders a page without a visitor: to sign in, or about an error."""
    return HTMLResponse(_TEMPLATES.get_template(template).render(visit=None, **values), int(status))
