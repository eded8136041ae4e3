"""Forgetting over simulated years: the graph agrees with plain Python, on a clock that the test sets (T1–T4)."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from math import exp, log1p
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from hippograph.graph.jobs.wipe import wipe
from hippograph.graph.model import Viewer
from hippograph.graph.reading.weak_facts import WeakFacts
from hippograph.graph.retention.confidence import confidence_after_recall, days_until_faded, decayed_confidence
from hippograph.graph.retention.recall import Recall
from hippograph.graph.retention.strength import first_stability, stability_after_recall, strength
from hippograph.graph.upkeep.steps import EXPIRE, FADE, STRENGTH, StatementStep
from hippograph.graph.upkeep.upkeep import Upkeep
from hippograph.graph.writing.fact import Fact
from hippograph.graph.writing.fact_writer import FactWriter
from hippograph.graph.writing.facts import Facts
from tests.neo4j_servers import driver_of

START = datetime(2024, 1, 1, tzinfo=UTC)
THRESHOLD, RATE = 0.05, 0.1
LIFETIMES = {"event": timedelta(days=30), "observation": timedelta(days=3)}
HISTORIES = settings().max_examples // 10

days = st.floats(0, 2000)
confidences = st.floats(0, 1)
rates = st.floats(0, 2)


@given(confidences, rates, days, days)
def test_confidence_only_fades(confidence, rate, one, other) -> None:
    """Without recall, confidence never grows with time and never exceeds the stored one."""
    sooner, later = sorted((one, other))
    assert decayed_confidence(confidence, rate, later) <= decayed_confidence(confidence, rate, sooner) <= confidence


@given(st.floats(0, 3), st.floats(1, 365), days, days)
def test_strength_only_fades(importance, stability, one, other) -> None:
    """Without recall, strength never grows with time and never exceeds the importance."""
    sooner, later = sorted((one, other))
    assert strength(importance, later, stability) <= strength(importance, sooner, stability) <= importance


@given(confidences, rates, st.floats(1, 400), st.integers(1, 10_000), days, days, st.floats(1, 10), st.floats(1, 365))
def test_recall_never_weakens(confidence, rate, stability, count, before, after, growth, most) -> None:
    """At any time after a recall, confidence and strength are at least what they would be without it."""
    surer = confidence_after_recall(confidence, count)
    lasting = stability_after_recall(stability, growth=growth, most=most)
    assert decayed_confidence(surer, rate, after) >= decayed_confidence(confidence, rate, before + after)
    assert strength(1, after, lasting) >= strength(1, before + after, stability)


@given(st.floats(0.06, 1), st.floats(0.01, 2))
def test_the_day_of_fading_is_the_day_on_which_it_fades(confidence, rate) -> None:
    """Right before the computed day the confidence is above the threshold, right after it below."""
    day = days_until_faded(confidence, rate, THRESHOLD)
    assert day is not None
    assert (
        decayed_confidence(confidence, rate, day * 0.999)
        > THRESHOLD
        > decayed_confidence(confidence, rate, day * 1.001)
    )


def test_what_is_certain_fades_on_day_71() -> None:
    """A confidence of 1 that decays by λ = 0.1 is above 0.05 after 70 days and below it after 71 (T2)."""
    assert decayed_confidence(1, 0.1, 70) > 0.05 > decayed_confidence(1, 0.1, 71)


def test_the_stated_formulas_are_those_of_the_specification() -> None:
    """At some points the functions agree with the formulas of the specification, written out again (T1, T2, T4)."""
    assert exp(-2.0 / 5.0) * 2 == pytest.approx(strength(2, 2.0, 5.0))
    assert 0.6 + 0.05 * log1p(3 / 20) == pytest.approx(confidence_after_recall(0.6, 3))
    assert [1, 1, 5, 5, 10] == [first_stability(each) for each in (None, 0.5, 0.51, 0.7, 0.71)]
    assert [1.5, 365, 400] == [stability_after_recall(each, growth=1.5, most=365) for each in (1, 300, 400)]


# --- in the graph ---


@dataclass
class Clock:
    """A clock that a test sets."""

    now: datetime = START

    def __call__(self) -> datetime:
        """The time that the test has set."""
        return self.now


@dataclass(frozen=True)
class Life:
    """The history of a fact: its initial confidence, its kind, and the days on which it is recalled, pinned or
    confirmed.
    """

    confidence: float
    kind: str
    recalled: tuple[int, ...]
    pinned: int | None
    confirmed: int | None


@dataclass
class Expected:
    """The state of a fact as plain Python computes it."""

    confidence: float
    expires: datetime | None
    rate: float = RATE
    count: int = 0
    stability: float = 1.0
    pinned: bool = False
    touched: datetime = START
    gone: tuple[datetime, str] | None = None
    days: list[float] = field(default_factory=list)

    def advance(self, now: datetime) -> None:
        """Retires the fact if it has expired or faded by `now`, as of whichever came first."""
        if self.gone:
            return
        left = days_until_faded(self.confidence, self.rate, THRESHOLD) if not self.pinned else None
        faded = self.touched + timedelta(days=left) if left is not None else None
        ends = [(at, why) for at, why in ((self.expires, "expired"), (faded, "faded")) if at and at <= now]
        self.gone = min(ends, default=None)


lives = st.builds(
    Life,
    confidence=st.sampled_from([0.04, 0.3, 0.7, 1.0]),
    kind=st.sampled_from(["knowledge", "knowledge", "event", "observation"]),
    recalled=st.lists(st.integers(0, 700), max_size=6).map(tuple),
    pinned=st.one_of(st.none(), st.none(), st.integers(0, 100)),
    confirmed=st.one_of(st.none(), st.none(), st.integers(0, 100)),
)


class Story:
    """Plays histories of facts in an emptied graph, event by event, on a clock of its own."""

    def __init__(self, service: Any) -> None:
        self.clock = clock = Clock()
        self.service = service
        self.viewer = Viewer(service.local_user.id)
        writer = FactWriter(clock, lifetimes=LIFETIMES, decay_rate=RATE)
        limits = {"reinforce_weight": 3, "demote_weight": 1, "max_characters": 1000}
        self.facts = Facts(service.database, clock, writer, **limits)
        self.recall = Recall(service.database, clock, growth=1.5, most_days=365)
        given = {"label_terms": {}, "threshold": THRESHOLD}
        steps = {
            EXPIRE: StatementStep("upkeep/expire", given),
            FADE: StatementStep("upkeep/fade", given),
            STRENGTH: StatementStep("upkeep/store_strength"),
        }
        self.upkeep = Upkeep(service.database, clock, [], steps, plan={})

    async def tell(self, lives: list[Life], nights: list[int]) -> tuple[list[str], list[Expected]]:
        """Plays histories up to day 1100, with upkeep on the days `nights`; returns ids and expected states."""
        await wipe(self.service.database, self.service.local_user.id)
        self.clock.now = START
        told = [
            Fact(f"I saw {number} otters", kind=life.kind, confidence=life.confidence)
            for number, life in enumerate(lives)
        ]
        ids = [each.memory_id for each in await self.facts.remember(self.viewer, told)]
        expected = [
            Expected(life.confidence, START + LIFETIMES[life.kind] if life.kind in LIFETIMES else None)
            for life in lives
        ]
        for at, what, number in events(lives, nights):
            self.clock.now = at
            for each in expected:
                each.advance(at)
            if what == "night":
                await self.upkeep.run([EXPIRE, FADE])
            elif not expected[number].gone:
                await self._live(what, ids[number], expected[number], at)
        return ids, expected

    async def _live(self, what: str, memory_id: str, one: Expected, now: datetime) -> None:
        if what == "recall":
            self.recall.note(self.viewer, [memory_id])
            await self.recall.flush()
            one.count += 1
            one.confidence = confidence_after_recall(one.confidence, one.count)
            one.stability = stability_after_recall(one.stability, growth=1.5, most=365)
            one.touched = now
        elif what == "pin":
            await self.facts.pin(self.viewer, memory_id)
            one.pinned, one.expires = True, None
        else:
            await self.facts.confirm(self.viewer, memory_id)
            one.confidence, one.rate, one.expires = 1.0, 0.0, None


def events(lives: list[Life], nights: list[int]) -> list[tuple[datetime, str, int]]:
    """All events, in order; the last is upkeep on day 1100. No two events of one fact coincide."""
    found = []
    for number, life in enumerate(lives):
        found += [(START + timedelta(days=day, hours=12), "recall", number) for day in set(life.recalled)]
        found += [(START + timedelta(days=life.pinned, hours=13), "pin", number)] if life.pinned is not None else []
        found += [(START + timedelta(days=life.confirmed, hours=14), "confirm", number)] if life.confirmed else []
    found += [(START + timedelta(days=day, hours=3), "night", 0) for day in {*nights, 1100}]
    return sorted(found)


STATE = """
MATCH (m:Memory) WHERE m.id IN $ids
RETURN m.id AS id, m.retired_at AS retired_at, m.retired_by AS why, m.access_count AS count, m.confidence AS confidence,
       m.stability AS stability, m.strength AS strength
"""


@pytest.fixture
async def raw(shared_service):
    """Runs any Cypher, not only the service's statements."""

    async with driver_of(shared_service.connection) as driver:

        async def run(text: str, **params: Any) -> list[dict[str, Any]]:
            records, _, _ = await driver.execute_query(text, params)
            return [record.data() for record in records]

        yield run


@settings(
    max_examples=HISTORIES,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
)
@given(st.lists(lives, min_size=1, max_size=5), st.lists(st.integers(1, 1000), max_size=8))
async def test_the_graph_forgets_as_plain_python_does(shared_service, raw, lives, nights) -> None:
    """However often and late upkeep runs, the graph and plain Python agree on which facts are retired, when and why,
    and on the values of the rest. Only facts that were pinned or confirmed in time stay.
    """
    story = Story(shared_service)
    ids, expected = await story.tell(lives, nights)
    await story.upkeep.run([EXPIRE, FADE])
    await story.upkeep.run([STRENGTH])
    rows = {row["id"]: row for row in await raw(STATE, ids=ids)}
    for memory_id, one in zip(ids, expected, strict=True):
        row = rows[memory_id]
        assert (one.gone[1] if one.gone else None) == row["why"]
        if one.gone:
            assert abs(row["retired_at"].to_native() - one.gone[0]) < timedelta(seconds=1)
            continue
        assert one.pinned or one.rate == 0
        assert (one.count, one.stability) == (row["count"], pytest.approx(row["stability"]))
        assert one.confidence == pytest.approx(row["confidence"])
        idle = (story.clock() - one.touched).total_seconds() / 86_400
        assert strength(3 if one.pinned else 1, idle, one.stability) == pytest.approx(row["strength"], abs=1e-9)


async def test_weak_facts_know_the_moment_at_which_upkeep_retires_them(shared_service, raw) -> None:
    """The moment that `weakFacts` names for a fact is the one as of which it is retired, however late upkeep runs."""
    story = Story(shared_service)
    await wipe(shared_service.database, shared_service.local_user.id)
    story.clock.now = START
    [stored] = await story.facts.remember(story.viewer, [Fact("I saw an otter", confidence=0.7)])
    story.clock.now = START + timedelta(days=40)
    weak = await WeakFacts(shared_service.database, story.clock, threshold=THRESHOLD).weak(story.viewer)
    [named] = [listed.item.fades_at for listed in weak.items]
    story.clock.now = START + timedelta(days=400)
    await story.upkeep.run([FADE])
    [row] = await raw(STATE, ids=[stored.memory_id])
    assert named is not None
    assert abs(row["retired_at"].to_native() - named) < timedelta(seconds=1)
