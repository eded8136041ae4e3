"""The title hop: from the best results to the memories whose titles they name. For collections of passages."""

from collections import Counter
from dataclasses import replace
from typing import Final

from hippograph.graph.retrieval.filters import title_slug, titled
from hippograph.graph.retrieval.fusion import CONTEXT, TITLE_HOP
from hippograph.graph.retrieval.memories import Memories
from hippograph.graph.retrieval.retrievers.full_text import FullText
from hippograph.graph.retrieval.retrievers.retriever import EMPTY, RankedList, Request
from hippograph.nlp.text import names_in

_MOST_NAMES: Final = 1_000
"""Maximum number of titles in a query: Lucene takes no more than about 1,500 clauses."""
_MOST_NAMESAKES: Final = 5
"""Maximum number of memories with one title; a title that more share leads to none of them."""


class TitleHop:
    """Finds memories by titles that the best found memories name. It starts from `Request.found`."""

    name: Final = TITLE_HOP

    def __init__(self, memories: Memories, full_text: FullText) -> None:
        self._memories = memories
        self._full_text = full_text

    async def retrieve(self, request: Request) -> RankedList:
        """The memories with such a title, each with the seeds that name it; none if nothing found has a title."""
        if not any(item.title for item in request.found):
            return EMPTY
        named = await self._named(request)
        slugs = list(dict.fromkeys(name for names in named.values() for name in sorted(names)))[:_MOST_NAMES]
        if not slugs:
            return EMPTY
        found = await self._full_text.matching(request, titled(slugs))
        titles = {item.id: title_slug(item.title or "") for item in found.items}
        namesakes = Counter(titles.values())
        leading = {
            title: {seed: 1.0 for seed, names in named.items() if title in names}
            for title, count in namesakes.items()
            if count <= _MOST_NAMESAKES
        }
        return RankedList([replace(item, seeds=leading.get(titles[item.id], {})) for item in found.items])

    async def _named(self, request: Request) -> dict[str, set[str]]:
        """Possible names in the texts of the best results, as slugs, by the id of the result, best first."""
        seeds = [item.id for item in request.found[: CONTEXT.seeds]]
        memories = await self._memories.load(request.viewer, seeds, request.times)
        return {seed: names_in(memories[seed].content) for seed in seeds if seed in memories}
