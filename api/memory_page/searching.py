"""The search page: results with the reasons why each is there."""

from collections.abc import Mapping
from typing import Final

from starlette.responses import Response

from hippograph.api.memory_page.rendering import page
from hippograph.api.memory_page.visits import HOME, Visit
from hippograph.graph.model import Memory
from hippograph.graph.retrieval.search import Page

_RESULTS: Final = 10
_LATEST: Final = 5


async def search_page(visit: Visit) -> Response:
    """What was found for a question; without one the latest that there is.

    Looking at one's own memories recalls none of them: pages never change how long something lasts.
    """
    query, times = visit.asked("q"), visit.times()
    if query is None:
        latest = await visit.service.browsing.my_memories(visit.viewer, first=_LATEST)
        return page(visit, "search.html", query="", latest=[listed.item for listed in latest.items])
    found = await visit.service.search.search(
        visit.viewer, query, times=times, first=_RESULTS, after=visit.asked("after"), reinforce=False
    )
    return page(
        visit,
        "search.html",
        query=query,
        found=found,
        steps=await _steps(visit, found),
        more=_more(visit, query, found),
    )


async def _steps(visit: Visit, found: Page) -> Mapping[str, Memory]:
    """The memories on the way to results, by id."""
    ids = [step for result in found.results for link in result.links.values() for step in link.path]
    if not ids:
        return {}
    return await visit.service.memories.load(visit.viewer, list(dict.fromkeys(ids)), visit.times())


def _more(visit: Visit, query: str, found: Page) -> str | None:
    """The address of the next page of results."""
    if not (found.has_next and found.results):
        return None
    kept = {name: visit.asked(name) for name in ("as_of", "known")}
    return visit.url(HOME, q=query, after=found.results[-1].cursor, **kept)
