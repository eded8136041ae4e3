"""Random histories of facts, told in any order, compared with a model that is a plain list of days. After the last
step every valid time is read as of every record time: by listings on each day, by the search, with both its lists, on
one day for each step.
"""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from hippograph.graph.errors import NotFound
from hippograph.graph.model import INTERNAL, Times, Viewer
from hippograph.graph.reading.browsing import Browsing
from hippograph.graph.writing.fact import Fact
from hippograph.graph.writing.facts import Facts

HISTORIES, STEPS, DAYS = settings().max_examples // 10, 8, 8
START = datetime(2024, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Step:
    """A step of a history: `remember` a value from `day` on, perhaps to `until`, or a change to memory
    number `which`.
    """

    what: str
    value: int
    day: int
    until: int | None
    which: int


steps = st.builds(
    Step,
    what=st.sampled_from(["remember"] * 5 + ["correct", "update", "forget"]),
    value=st.integers(0, 3),
    day=st.integers(0, DAYS - 1),
    until=st.one_of(st.none(), st.none(), st.none(), st.integers(1, DAYS)),
    which=st.integers(0, STEPS),
)


@dataclass
class Story:
    """The model: the number of the memory that holds on each day, and the words and first day of each memory."""

    days: list[int | None] = field(default_factory=lambda: [None] * (DAYS + 1))
    words: dict[int, str] = field(default_factory=dict)
    begins: dict[int, int] = field(default_factory=dict)
    numbers: Any = field(default_factory=count)

    def shown(self) -> list[str | None]:
        """Returns the words that hold on each day, None where nothing does."""
        return [None if number is None else self.words[number] for number in self.days]

    def remember(self, words: str, first: int, until: int | None) -> int | None:
        """Adds a memory that holds from a day on, and returns its number; None if the same was said already."""
        there = self.days[first]
        if there is not None and self.words[there] == words and until is None:
            return None
        if there is not None and self.words[there] == words and until == self._end(there):
            return None
        new = next(self.numbers)
        for day in range(first, DAYS + 1):
            holds = self.days[day]
            if holds is not None and self.begins[holds] <= first:
                self.days[day] = None
        end = min([DAYS + 1 if until is None else until, *(b for b in self.begins.values() if b > first)])
        for day in range(first, end):
            self.days[day] = new
        self.words[new], self.begins[new] = words, first
        return new

    def forget(self, number: int) -> None:
        """Removes a memory from all its days."""
        self.days = [None if holds == number else holds for holds in self.days]
        self.begins.pop(number, None)

    def _end(self, number: int) -> int | None:
        held = [day for day, holds in enumerate(self.days) if holds == number]
        return None if held[-1] == DAYS else held[-1] + 1


@dataclass
class Scribe:
    """Applies the steps of one history to the service and to the model. `told` holds the time of each step, and what
    then holds on each day.
    """

    facts: Facts
    clock: Any
    viewer: Viewer
    story: Story = field(default_factory=Story)
    ids: dict[int, str] = field(default_factory=dict)
    told: list[tuple[datetime, list[str | None]]] = field(default_factory=list)

    async def tell(self, step: Step) -> None:
        """Applies a step, an hour after the one before."""
        self.clock.now += timedelta(hours=1)
        if step.what == "remember":
            await self._remember(step)
        elif step.which in self.ids and step.which in self.story.begins:
            await self._change(step)
        self.told.append((self.clock.now, self.story.shown()))

    async def _remember(self, step: Step) -> None:
        until = step.until if step.until is not None and step.until > step.day else None
        words = f"value {step.value}"
        fact = Fact(
            words,
            aspect="lives_in",
            valid_from=START + timedelta(days=step.day),
            valid_until=None if until is None else START + timedelta(days=until),
        )
        number = self.story.remember(words, step.day, until)
        [stored] = await self.facts.remember(self.viewer, [fact])
        assert (number is None) == stored.confirmed, step
        if number is not None:
            self.ids[number] = stored.memory_id

    async def _change(self, step: Step) -> None:
        memory_id, words = self.ids[step.which], f"changed {step.value} {step.which}"
        try:
            if step.what == "forget":
                await self.facts.forget(self.viewer, memory_id)
                self.story.forget(step.which)
            elif step.what == "update":
                await self.facts.update(self.viewer, memory_id, words)
                self.story.words[step.which] = words
            else:
                self.ids[step.which] = await self.facts.correct(self.viewer, memory_id, words)
                self.story.words[step.which] = words
        except NotFound:
            # It no longer holds, or was stored under another id since: a memory that is not visible now is not changed.
            return


@settings(
    max_examples=HISTORIES,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
)
@given(history=st.lists(steps, min_size=3, max_size=STEPS))
async def test_every_time_is_read_as_it_was_told(shared_service, telling, history) -> None:
    """For each day, as known after each step, listings and search return what the model says."""
    clock, facts = telling()
    someone = await shared_service.people.create_person(INTERNAL, "Someone")
    scribe = Scribe(facts, clock, Viewer(someone.id))
    for step in history:
        await scribe.tell(step)
    while await shared_service.enrichment.step():
        pass
    browsing = Browsing(shared_service.database, clock)
    for number, (moment, expected) in enumerate(scribe.told):
        searched = Times(START + timedelta(days=number % (DAYS + 1)), moment)
        page = await shared_service.search.search(scribe.viewer, "Which value was changed?", times=searched)
        there = expected[number % (DAYS + 1)]
        assert [result.memory.content for result in page.results] == ([] if there is None else [there]), searched
        for day in range(DAYS + 1):
            times = Times(START + timedelta(days=day), moment)
            listing = await browsing.memories_about(scribe.viewer, [someone.id], times=times, first=100)
            found = [listed.item.content for listed in listing.items]
            assert found == ([] if expected[day] is None else [expected[day]]), (day, moment)
