"""Has Neo4j plan statements before somebody waits for it: a plan is made at the first use, and takes up to a second."""

import asyncio
from collections.abc import Iterable
from contextlib import AbstractAsyncContextManager
from typing import Final

import structlog

from hippograph.api.service import Service
from hippograph.graph.background import in_background
from hippograph.graph.errors import HippographError
from hippograph.nlp.questions.intent import Intent

log = structlog.get_logger(__name__)

SEARCH: Final = ("search", "memory")
REQUESTS: Final = (
    "recall",
    "entity",
    "context",
    "summary",
    "state",
    "block",
    "todo",
    "fact",
    "browse",
    "timeline",
    "stats",
    "people",
    "space",
    "session",
    "archive",
    "merge",
    "feed",
    "credential",
    "forgetting",
    "enrichment",
    "use",
)
"""The areas of what requests run besides, the likeliest first. What jobs and commands alone run is not among them. Whom
a fact that is remembered names is looked up as enrichment does.
"""


_LATER_S: Final = 10.0
"""So long the first requests have Neo4j to themselves before what they seldom run is planned."""


async def warm_up(service: Service) -> None:
    """Asks a question of each intent."""
    for intent in Intent:
        await service.search.search(service.viewer(), "What is there to know?", intent=intent, first=3)


def planning(service: Service) -> AbstractAsyncContextManager[None]:
    """Plans what requests run while something else is done, one statement after the other; what a search runs first."""
    return in_background(_plan_in_turns(service))


def to_plan(service: Service, areas: Iterable[str]) -> list[str]:
    """The statements of these areas in their order, of those with a vector slot the one that answers."""
    slot = service.slot.name if service.slot else "a"
    names = [name.partition(".") for name in service.database.names()]
    wanted = ["".join(parts) for parts in names if parts[2] in ("", slot)]
    return [name for area in areas for name in wanted if name.startswith(f"{area}/")]


async def _plan_in_turns(service: Service) -> None:
    await _plan(service, to_plan(service, SEARCH))
    await asyncio.sleep(_LATER_S)
    await _plan(service, to_plan(service, REQUESTS))


async def _plan(service: Service, names: Iterable[str]) -> None:
    """Plans these statements. One that cannot be planned now is planned when it is run."""
    for name in names:
        try:
            await service.database.plan(name)
        except HippographError as error:
            log.info("a statement is not planned in advance", statement=name, reason=str(error))
