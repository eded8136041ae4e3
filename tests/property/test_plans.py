"""Random facts of the past and the future, against a plain list: what is valid on each day, after each fact."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from hippograph.graph.model import INTERNAL, Times, Viewer
from hippograph.graph.reading.browsing import Browsing
from hippograph.graph.writing.fact import Fact

HISTORIES, STEPS, DAYS = settings().max_examples // 10, 6, 8
START = datetime(2024, 1, 1, tzinfo=UTC)

steps = st.tuples(st.integers(0, 3), st.integers(0, DAYS - 1))
"""The value of a fact, and the day on which it takes effect. One fact is told each day, at noon."""


@dataclass
class Told:
    """A fact in the plain list: valid from day `since` to day `end`, with effect from day `effect`. START is day 0."""

    value: int
    since: float
    effect: int
    end: float = DAYS + 1

    def holds(self, day: int) -> bool:
        """Returns whether the fact is valid at the start of a day."""
        return self.since <= day < self.end


@settings(
    max_examples=HISTORIES,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
)
@given(history=st.lists(steps, min_size=2, max_size=STEPS))
async def test_what_is_told_in_advance_takes_effect_on_its_day(shared_service, telling, history) -> None:
    """A fact told in advance is valid from when it is told; what held before stays valid until the fact takes effect.
    Facts are told in any order of their days.
    """
    clock, facts = telling()
    viewer = Viewer((await shared_service.people.create_person(INTERNAL, "Maya")).id)
    browsing, story = Browsing(shared_service.database, clock), list[Told]()
    for today, (value, effect) in enumerate(history):
        clock.now = START + timedelta(days=today, hours=12)
        before = [told for told in story if told.effect <= effect]
        again = [told for told in before if told.value == value and effect < told.end]
        fact = Fact(f"value {value}", aspect="works_at", event_time=START + timedelta(days=effect))
        [stored] = await facts.remember(viewer, [fact])
        assert bool(again) == stored.confirmed
        if not again:
            after = [told.effect for told in story if told not in before]
            for told in before:
                told.end = min(told.end, effect)
            story.append(Told(value, min(today + 0.5, effect), effect, min([DAYS + 1, *after])))
        for day in range(DAYS + 1):
            times = Times(START + timedelta(days=day), clock.now)
            listed = await browsing.memories_about(viewer, [viewer.person_id], times=times, first=100)
            found = sorted(int(each.item.content.split()[1]) for each in listed.items)
            assert sorted(told.value for told in story if told.holds(day)) == found, (today, day)
