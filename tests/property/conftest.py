"""Fixtures for tests of histories of facts: a clock that the test sets, and a writer of facts that uses it."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

import pytest

from hippograph.api.service import Service
from hippograph.graph.writing.fact_writer import FactWriter
from hippograph.graph.writing.facts import Facts


@dataclass
class StandingClock:
    """A clock that a test sets. It starts after all days that occur in the histories."""

    now: datetime = datetime(2024, 2, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        """The time that the test has set."""
        return self.now


@pytest.fixture
def telling(shared_service: Service) -> Callable[[], tuple[StandingClock, Facts]]:
    """Makes a clock and a `Facts` that uses it, a new pair for each history. The facts do not expire."""

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
