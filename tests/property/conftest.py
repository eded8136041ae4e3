"""What histories of facts share: a clock that stands until it is moved, and facts that are told by it."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

import pytest

from hippograph.api.service import Service
from hippograph.graph.writing.fact_writer import FactWriter
from hippograph.graph.writing.facts import Facts


@dataclass
class StandingClock:
    """A clock that a test sets. It begins after all the days that histories speak of."""

    now: datetime = datetime(2024, 2, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        """What the test has set."""
        return self.now


@pytest.fixture
def telling(shared_service: Service) -> Callable[[], tuple[StandingClock, Facts]]:
    """For each history a clock of its own, and facts that are told by it and do not run out."""

    def make() -> tuple[StandingClock, Facts]:
        clock = StandingClock()

        facts = Facts(
            shared_service.database,
            clock,
            FactWriter(clock, lifetimes={}, decay_rate=0.1),
            reinforce_weight=3,
            demote_weight=1,
            max_characters=1000,
        )
        return clock, facts

    return make
