"""Adds facts that change, and disputed ones, which the demo's conversation lacks, to its graph (`make notebooks`).

Maya's job, home and morning drink change; her friends disagree on a birthday. Notebooks show both.
"""

import asyncio
from datetime import UTC, datetime
from typing import Final

from hippograph.api.cli.choices import demo_chosen
from hippograph.api.cli.opening import opened
from hippograph.api.cli.reading import read_settings
from hippograph.api.service import Service
from hippograph.graph.model import Viewer
from hippograph.graph.retrieval.filters import Filters
from hippograph.graph.writing.fact import Fact

TAG: Final = "changes"
CHAT: Final = "Friday Table"
CHANGES: Final = (
    ("works_at", "Maya works at Deltaroute", "2023-10-02"),
    ("works_at", "Maya works at Brightwater", "2026-11-02"),
    ("lives_in", "Maya lives in Graz", "2021-09-01"),
    ("lives_in", "Maya lives in Ljubljana", "2026-10-24"),
    ("morning_drink", "Maya drinks coffee in the morning", "2024-01-01"),
    ("morning_drink", "Maya drinks peppermint tea in the morning", "2026-09-14"),
    ("morning_drink", "Maya drinks one small coffee in the morning", "2026-10-30"),
)
"""Facts: the aspect, the text, and the day from which it is valid."""
DISPUTED: Final = (
    ("Jonas Weber", "Tomás has his birthday on 12 December"),
    ("Priya Raman", "Tomás has his birthday on 21 December"),
)


async def tell(service: Service) -> None:
    """Writes the facts unless the graph has them already; waits until the queued jobs (embedding) are done."""
    me = service.viewer()
    if (await service.browsing.my_memories(me, Filters(tags=(TAG,)), first=1)).items:
        return
    for aspect, content, since in CHANGES:
        day = datetime.fromisoformat(since).replace(tzinfo=UTC)
        await service.facts.remember(me, [Fact(content, aspect=aspect, valid_from=day, tags=(TAG,))])
    chat = await service.browsing.chat_called(me, CHAT)
    there = await service.browsing.participants(me, [chat.id])
    people = {each.person.canonical_name: each.person for each in there[chat.id]}
    for name, content in DISPUTED:
        fact = Fact(content, about=(people["Tomás Ferreira"].key,), aspect="birthday", tags=(TAG,))
        await service.facts.remember(Viewer(people[name].id, chat.id), [fact], for_chat=True)
    await service.runner.work_until_idle()


async def main() -> None:
    """Opens the demo's graph and writes the facts."""
    demo_chosen.set(True)
    async with opened(read_settings(), vectors=True, names=True) as service:
        await tell(service)


if __name__ == "__main__":
    asyncio.run(main())
