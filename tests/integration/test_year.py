"""Simulates a year of one person's memories with upkeep, day by day on a set clock, and compares it with an oracle."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from hippograph.graph.model import Times, Viewer
from hippograph.graph.people.user_state import States
from hippograph.graph.reading.browsing import Browsing
from hippograph.graph.reading.explanation import Explaining
from hippograph.graph.retention.confidence import confidence_after_recall, days_until_faded
from hippograph.graph.retention.recall import Recall
from hippograph.graph.upkeep.steps import EXPIRE, FADE, IMPORTANCE, StatementStep
from hippograph.graph.upkeep.upkeep import Upkeep
from hippograph.graph.writing.fact import Fact
from hippograph.graph.writing.fact_writer import FactWriter
from hippograph.graph.writing.facts import Facts

NEW_YEAR = datetime(2024, 1, 1, tzinfo=UTC)
DAYS = 366
RATE, THRESHOLD = 0.1, 0.05
LIFETIMES = {"context": 7, "event": 30, "task": 14, "observation": 3}
MONTH_ENDS = [datetime(2024, month, 1, 12, tzinfo=UTC) - timedelta(days=1) for month in range(2, 13)]


@dataclass
class Entry:
    """A fact of the calendar, with the days of its events, counted from 0; None if an event never happens.

    `told` is the day on which it is first stated, `again` are days on which it is stated again, and `recalled` those on
    which an answer contains it.
    """

    told: int
    content: str
    kind: str = "knowledge"
    aspect: str | None = None
    again: tuple[int, ...] = ()
    recalled: tuple[int, ...] = ()
    pinned: int | None = None
    confirmed: int | None = None
    corrected: int | None = None
    """Day on which the fact was corrected, since it was never true."""
    ended: int | None = None
    """Day on which another value of the aspect superseded the fact."""

    def believed(self, at: datetime) -> bool:
        """The oracle: whether the fact is valid and still remembered at a time."""
        if at < moment(self.told) or any(day is not None and moment(day) <= at for day in (self.corrected, self.ended)):
            return False
        certain = any(day is not None and moment(day) <= at for day in (self.pinned, self.confirmed))
        return certain or self._lasts(at)

    def _lasts(self, at: datetime) -> bool:
        if self.kind in LIFETIMES:
            return at < moment(self.told) + timedelta(days=LIFETIMES[self.kind])
        confidence, count, touched = 1.0, 0, moment(self.told)
        for day in sorted({*self.again, *self.recalled}):
            if moment(day) > at:
                break
            if _faded(confidence, touched, moment(day)):
                return False
            if day in self.recalled:
                count += 1
                confidence = confidence_after_recall(confidence, count)
            touched = moment(day)
        return not _faded(confidence, touched, at)


def _faded(confidence: float, touched: datetime, at: datetime) -> bool:
    left = days_until_faded(confidence, RATE, THRESHOLD)
    assert left is not None
    return touched + timedelta(days=left) <= at


def moment(day: int) -> datetime:
    """One hour after midnight on a day of the year (counted from 0), which is before the upkeep of that day."""
    return NEW_YEAR + timedelta(days=day, hours=1)


MONTHLY = tuple(range(25, DAYS, 30))
WEEKLY = tuple(range(8, DAYS, 7))
YEAR = [
    Entry(0, "I work at Deltaroute", aspect="works_at", recalled=(25, 55, 85), ended=120),
    Entry(120, "I work at Brightwater", aspect="works_at", recalled=(145, 175, 205, 235, 265, 295), ended=300),
    Entry(300, "I work at Lindenhof", aspect="works_at", recalled=(325, 355)),
    Entry(0, "I live in Bled", aspect="lives_in", recalled=(25, 55, 85, 115, 145, 175), ended=200),
    Entry(200, "I live in Trieste", aspect="lives_in", recalled=(205, 235, 265, 295, 325)),
    Entry(10, "I am allergic to nuts", pinned=12, corrected=40),
    Entry(1, "I run on Mondays", again=WEEKLY),
    Entry(5, "I prefer green pens"),
    Entry(5, "I prefer window seats", recalled=MONTHLY),
    Entry(90, "I once had a parrot", recalled=(150,)),
    Entry(60, "My blood group is A", confirmed=61),
    Entry(70, "My passport lies in the blue box", pinned=75),
    *(Entry(day, f"Jonas told me his news number {day}", kind="event") for day in range(15, DAYS, 45)),
    *(Entry(day, f"I must return book number {day}", kind="task") for day in range(20, DAYS, 60)),
    *(Entry(day, f"It smells of rain number {day}", kind="observation") for day in range(30, DAYS, 50)),
]
NIGHTS = {*range(0, DAYS, 5), *((at - NEW_YEAR).days for at in MONTH_ENDS)}
"""Days on which upkeep runs: every fifth, and the ends of months, when the memories are compared some hours later."""
CORRECTION = Entry(40, "I am allergic to mustard", pinned=40)
CALENDAR = [*YEAR, CORRECTION]
ADDRESSES = {0: "Maya", 150: "Ms Lindqvist", 280: "Dr Lindqvist"}


@dataclass
class Clock:
    """A clock that shows the time it is set to."""

    now: datetime = NEW_YEAR

    def __call__(self) -> datetime:
        """The time that was set."""
        return self.now


class Life:
    """Stores the events of the year in the graph, and reads the memories back."""

    def __init__(self, service: Any) -> None:
        database, self.clock = service.database, Clock()
        self.viewer = Viewer(service.local_user.id)
        lifetimes = {kind: timedelta(days=days) for kind, days in LIFETIMES.items()}
        writer = FactWriter(self.clock, lifetimes=lifetimes, decay_rate=RATE)
        limits = {"reinforce_weight": 3, "demote_weight": 1, "max_characters": 1000}
        self.facts = Facts(database, self.clock, writer, **limits)
        self.states = States(database, self.clock)
        self.recall = Recall(database, self.clock, growth=1.5, most_days=365)
        self.browsing = Browsing(database, self.clock)
        self.explaining = Explaining(database, self.clock)
        given = {"label_terms": {}, "threshold": THRESHOLD}
        steps = {
            EXPIRE: StatementStep("upkeep/expire", given),
            FADE: StatementStep("upkeep/fade", given),
            IMPORTANCE: StatementStep("upkeep/grow_importance"),
        }
        self.upkeep = Upkeep(database, self.clock, [], steps, plan={})
        self.ids: dict[str, str] = {}

    async def day(self, day: int) -> None:
        """Stores the events of a day, and two hours later runs upkeep if the day is one of `NIGHTS`."""
        self.clock.now = moment(day)
        if day in ADDRESSES:
            await self.states.set_state(self.viewer, "preferred_address", ADDRESSES[day])
        for entry in YEAR:
            await self._live(entry, day)
        self.clock.now += timedelta(hours=2)
        if day in NIGHTS:
            await self.upkeep.run([EXPIRE, FADE, IMPORTANCE])

    async def _live(self, entry: Entry, day: int) -> None:
        if day == entry.told or day in entry.again:
            fact = Fact(entry.content, kind=entry.kind, aspect=entry.aspect)
            [stored] = await self.facts.remember(self.viewer, [fact])
            self.ids[entry.content] = stored.memory_id
        memory_id = self.ids.get(entry.content, "")
        if day in entry.recalled:
            self.recall.note(self.viewer, [memory_id])
            await self.recall.flush()
        if day == entry.pinned:
            await self.facts.pin(self.viewer, memory_id)
        if day == entry.confirmed:
            await self.facts.confirm(self.viewer, memory_id)
        if day == entry.corrected:
            self.ids[CORRECTION.content] = await self.facts.correct(self.viewer, memory_id, CORRECTION.content)

    async def remembered(self, times: Times | None = None) -> set[str]:
        """The contents of the memories that are valid, now or at the given times."""
        page = await self.browsing.my_memories(self.viewer, times=times, first=100)
        return {listed.item.content for listed in page.items}

    async def address(self, times: Times | None = None) -> str:
        """The person's preferred address, now or at the given times."""
        [state] = await self.states.current(self.viewer, times)
        return str(state.value)


@pytest.mark.timeout(1800)
async def test_a_year_is_remembered_as_a_calendar_has_it(service) -> None:
    """At the end of each month from January to November, exactly the facts that the oracle expects are valid, and the
    preferred address is right. At the end of the year pinned and confirmed facts are still valid, retired ones have the
    expected reason, and the facts of each month's end can be read as of then.
    """
    life = Life(service)
    seen: dict[datetime, set[str]] = {}
    for day in range(DAYS):
        await life.day(day)
        noon = NEW_YEAR + timedelta(days=day, hours=12)
        if noon in MONTH_ENDS:
            life.clock.now = noon
            seen[noon] = await life.remembered()
            assert {entry.content for entry in CALENDAR if entry.believed(noon)} == seen[noon], noon
            assert ADDRESSES[max(at for at in ADDRESSES if at <= day)] == await life.address()
    assert len(MONTH_ENDS) == len(seen)
    assert {"I work at Lindenhof", "I live in Trieste", "My blood group is A", "My passport lies in the blue box"} <= (
        await life.remembered()
    )
    for at, believed in seen.items():
        assert believed == await life.remembered(Times(at, at)), at
    reasons = {}
    for entry in CALENDAR:
        steps = (await life.explaining.explain(life.viewer, life.ids[entry.content])).chain
        reasons[entry.content] = next(step.retired_by for step in steps if step.memory_id == life.ids[entry.content])
    assert ("faded", "corrected", None) == tuple(
        reasons[words] for words in ("I prefer green pens", "I am allergic to nuts", "I run on Mondays")
    )
    assert {"expired"} == {reasons[entry.content] for entry in CALENDAR if entry.kind == "event" and entry.told < 330}
