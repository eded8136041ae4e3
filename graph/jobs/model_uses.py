"""What a language model is asked, counted in the graph by its use: budgets of a day, and what became of each call.

Any number of processes share the budgets. Nothing of what was asked or answered is kept.
"""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from hippograph.graph.clock import Clock
from hippograph.graph.database import Database
from hippograph.nlp.errors import LlmFailed
from hippograph.nlp.llm.uses import Outcome, Use

log = logging.getLogger(__name__)

_OWED_AT_ONCE: Final = 100
_TRIED: Final = 2
"""So many sessions are tried again while the model does not answer."""


@dataclass(frozen=True, slots=True)
class ModelUse:
    """How often a language model was asked for a use since when, and what became of it: answers, refusals, calls that
    took too long, answers in no usable form, and other failures. `over_budget` is how often the day's budget did not
    hold what was to be asked; `spent_today` counts calls of this day in UTC. `failure` is why it failed last.
    """

    name: str
    since: datetime
    asked: int
    answered: int
    refused: int
    timed_out: int
    invalid: int
    failed: int
    over_budget: int
    spent_today: int
    answered_at: datetime | None
    failed_at: datetime | None
    failure: str | None

    @property
    def fails(self) -> bool:
        """Whether the last call failed."""
        return self.failed_at is not None and (self.answered_at is None or self.answered_at < self.failed_at)


class ModelUses:
    """Counts, and holds each use to its budget: so many calls a day.

    The first failure of a use is logged, and that it answers again; what comes between is counted alone.
    """

    def __init__(self, database: Database, clock: Clock, budgets: Mapping[Use, int]) -> None:
        self._database = database
        self._clock = clock
        self._budgets = dict(budgets)
        self._failing: set[Use] = set()

    async def spend(self, use: Use, calls: int) -> None:
        """Counts so many calls that are about to be made. Raises LlmFailed when the day's budget does not hold them."""
        row = await self._database.one(
            "model/spend", use=use, calls=calls, most=self._budgets[use], day=self._day(), now=self._clock()
        )
        if row is None or not row["granted"]:
            self._tell(use, "budget")
            raise LlmFailed("budget")

    async def note(self, use: Use, outcome: Outcome, reason: str = "") -> None:
        """Counts what became of a call, and why it failed."""
        await self._database.run("model/note", use=use, outcome=outcome, failure=reason, now=self._clock())
        self._tell(use, reason)

    async def counts(self) -> list[ModelUse]:
        """What was asked for each use so far."""
        return [ModelUse(**row) for row in await self._database.run("model/counts", day=self._day())]

    async def queue_owed(self) -> int:
        """Queues sessions anew for what the model owes there; how many. While it does not answer a few are tried."""
        failing = any(use.fails or use.spent_today >= self._budgets[Use(use.name)] for use in await self.counts())
        limit = _TRIED if failing else _OWED_AT_ONCE
        return await self._database.count("model/queue_owed", limit=limit, now=self._clock())

    def _tell(self, use: Use, failure: str) -> None:
        """Logs when a use begins to fail, and when it no longer does."""
        if failure and use not in self._failing:
            self._failing.add(use)
            log.warning("the language model fails for %s (%s): what is local serves, and this is counted", use, failure)
        elif not failure and use in self._failing:
            self._failing.remove(use)
            log.info("the language model answers again for %s", use)

    def _day(self) -> str:
        return self._clock().date().isoformat()
