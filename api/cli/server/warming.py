"""Has Neo4j plan statements in advance. Else it plans one at its first use, which takes up to a second."""

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
"""Areas of the other statements that requests run, the most likely first. Areas that only jobs and commands use are
left out. `enrichment` is here because entities in a remembered fact are looked up with its statements.
"""


_QUIET_S: Final = 0.5
"""How long no request may have run a statement before one is planned in advance, in seconds. Planning takes a whole
processor, which requests would have to wait for.
"""


async def warm_up(service: Service) -> None:
    """Runs a search with each intent."""
    for intent in Intent:
        await service.search.search(service.viewer(), "What is there to know?", intent=intent, first=3)


def planning(service: Service) -> AbstractAsyncContextManager[None]:
    """Plans the statements of requests in the background, one after the other and while nothing is asked; those of
    searches come first.
    """
    return in_background(_plan_in_turns(service))


def to_plan(service: Service, areas: Iterable[str]) -> list[str]:
    """Returns the names of the statements of these areas, in the order of the areas. Of a statement that has a variant
    for each vector slot, only that of the answering slot is included.
    """
    slot = service.slot.name if service.slot else "a"
    names = [name.partition(".") for name in service.database.names()]
    wanted = ["".join(parts) for parts in names if parts[2] in ("", slot)]
    return [name for area in areas for name in wanted if name.startswith(f"{area}/")]


async def _plan_in_turns(service: Service) -> None:
    """A failure is only logged: Neo4j then plans the statement when it is run."""
    for name in to_plan(service, (*SEARCH, *REQUESTS)):
        await service.database.quiet(_QUIET_S)
        try:
            await service.database.plan(name)
        except HippographError as error:
            log.info("a statement is not planned in advance", statement=name, reason=str(error))
