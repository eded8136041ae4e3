"""Counts the calls of a language model in the graph, by use: their outcomes and the daily budgets.

All processes share the budgets. The content of prompts and answers is not stored.
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

_OWED_USES: Final = frozenset((Use.FACTS, Use.CAUSES, Use.CONFLICTS))
"""Uses that sessions wait for, as `model/queue_owed` requeues them."""
_OWED_AT_ONCE: Final = 100
_TRIED: Final = 2
"""Maximum number of sessions that a call requeues while the model does not answer."""


@dataclass(frozen=True, slots=True)
class ModelUse:
    """The calls of a language model for one use since a time, by outcome: answers, refusals, timeouts, answers in no
    usable form (`invalid`), and other failures. `over_budget` counts the requests that exceeded the daily budget,
    `spent_today` the calls of the current UTC day. `failure` is the reason of the last failure.
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
    """Counts calls and limits each use to its budget, a number of calls per day.

    It logs the first failure of a use and the first answer after it; failures in between are only counted.
    """

    def __init__(self, database: Database, clock: Clock, budgets: Mapping[Use, int]) -> None:
        self._database = database
        self._clock = clock
        self._budgets = dict(budgets)
        self._failing: set[Use] = set()

    async def spend(self, use: Use, calls: int) -> None:
        """Charges calls that are about to be made to the daily budget. Raises LlmFailed if it does not cover all of
        them; then none is charged.
        """
        row = await self._database.one(
            "model/spend", use=use, calls=calls, most=self._budgets[use], day=self._day(), now=self._clock()
        )
        if row is None or not row["granted"]:
            self._tell(use, "budget")
            raise LlmFailed("budget")

    async def note(self, use: Use, outcome: Outcome, reason: str = "") -> None:
        """Counts the outcome of a call; `reason` says why it failed, and is empty for an answer."""
        await self._database.run("model/note", use=use, outcome=outcome, failure=reason, now=self._clock())
        self._tell(use, reason)

    async def counts(self) -> list[ModelUse]:
        """Returns the counts of each use so far."""
        return [ModelUse(**row) for row in await self._database.run("model/counts", day=self._day())]

    async def queue_owed(self) -> int:
        """Requeues sessions in which the model still has something to do, and returns their number. While a use that
        sessions wait for fails or has spent its budget, only a few are requeued.
        """
        failing = any(
            use.fails or use.spent_today >= budget
            for use in await self.counts()
            if use.name in _OWED_USES and (budget := self._budgets[Use(use.name)])
        )
        limit = _TRIED if failing else _OWED_AT_ONCE
        return await self._database.count("model/queue_owed", limit=limit, now=self._clock())

    async def step(self) -> int:
        """One step of the job that requeues owed sessions. Returns 0 unless a whole batch was requeued, so that the job
        pauses before it tries again, above all while the model fails.
        """
        requeued = await self.queue_owed()
        return requeued if requeued == _OWED_AT_ONCE else 0

    def _tell(self, use: Use, failure: str) -> None:
        """Logs when a use begins to fail, and when it answers again."""
        if failure and use not in self._failing:
            self._failing.add(use)
            log.warning("the language model fails for %s (%s): what is local serves, and this is counted", use, failure)
        elif not failure and use in self._failing:
            self._failing.remove(use)
            log.info("the language model answers again for %s", use)

    def _day(self) -> str:
        return self._clock().date().isoformat()
