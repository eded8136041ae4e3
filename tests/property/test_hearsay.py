"""What a person says of herself and what others say of her, in any order and scope, against a model in plain lists."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st

from hippograph.api.service import Service
from hippograph.graph.database import _native_value
from hippograph.graph.model import INTERNAL, NO_END, ChatKind, Sensitivity, Times, Viewer
from hippograph.graph.people.people import Member
from hippograph.graph.reading.browsing import Browsing
from hippograph.graph.writing.fact import Fact
from tests.neo4j_servers import driver_of

HISTORIES, STEPS, DAYS = settings().max_examples // 10, 8, 6
START = datetime(2024, 1, 1, tzinfo=UTC)
HERSELF, GROUP = 0, "group"
NAMES = ("Herself", "Gossip", "Rumour")
JOINED = """
MATCH (:Person {id: $herself})<-[:ABOUT]-(a:Memory)-[:CONTRADICTS]->(b:Memory)
WHERE a.retired_at = $end AND b.retired_at = $end AND a.scope = b.scope
RETURN [a.speaker_name, a.valid_from, a.content] AS a, [b.speaker_name, b.valid_from, b.content] AS b
"""


@dataclass(frozen=True)
class Step:
    """A person tells, to themselves or in the group, a value that holds of the first person from a day on. `who` is an
    index of `NAMES`; `until` counts only if it is after `day`.
    """

    who: int
    for_group: bool
    value: int
    day: int
    until: int | None


steps = st.builds(
    Step,
    who=st.integers(0, 2),
    for_group=st.booleans(),
    value=st.integers(0, 2),
    day=st.integers(0, DAYS - 1),
    until=st.one_of(st.none(), st.none(), st.integers(1, DAYS)),
)


@dataclass(frozen=True)
class Told:
    """A fact that is believed: who tells it, its scope, its value, and the days from `first` until before `end`."""

    number: int
    who: int
    scope: str | int
    value: int
    first: int
    end: int

    def holds(self, day: int) -> bool:
        """Whether it holds on a day."""
        return self.first <= day < self.end


Place = tuple[str, int, str]
"""The teller's name, the first day, and the words of a fact."""


def _place(told: Told) -> Place:
    return NAMES[told.who], told.first, f"value {told.value}"


@dataclass
class Story:
    """The model: everything that is believed by the rules W5 and W6."""

    told: list[Told] = field(default_factory=list)

    def say(self, step: Step) -> bool:
        """Takes a step. Returns whether it said something new."""
        scope, until = (
            GROUP if step.for_group else step.who,
            step.until if step.until and step.until > step.day else None,
        )
        beside = [told for told in self.told if told.scope == scope]
        if any(self._repeats(told, step, until) for told in beside):
            return False
        own = [told for told in beside if told.who == step.who]
        end = min([until or DAYS + 1, *(told.first for told in own if told.first > step.day)])
        ended = {told.number for told in own if told.first <= step.day}
        if step.who == HERSELF:
            ended |= {told.number for told in beside if told.who != HERSELF}
        self.told = [_until(told, step.day) if told.number in ended else told for told in self.told]
        self.told.append(Told(len(self.told), step.who, scope, step.value, step.day, end))
        return True

    def shown(self, day: int, scopes: Iterable[str | int]) -> list[int]:
        """Returns the values of a day for a viewer of these scopes; hearsay only if she says nothing of that day
        herself.
        """
        seen = [told for told in self.told if told.scope in scopes and told.holds(day)]
        herself = [told for told in seen if told.who == HERSELF]
        return sorted(told.value for told in herself or seen)

    def contradictions(self) -> set[frozenset[Place]]:
        """Returns the pairs of hearsay in one scope, of different tellers, with different values on the same day."""
        hearsay = [told for told in self.told if told.who != HERSELF]
        return {
            frozenset((_place(a), _place(b)))
            for a in hearsay
            for b in hearsay
            if a.scope == b.scope and a.who != b.who and a.value != b.value
            if any(a.holds(day) and b.holds(day) for day in range(DAYS + 1))
        }

    def _repeats(self, told: Told, step: Step, until: int | None) -> bool:
        """Returns whether a step repeats a fact. What she says herself, or what has an end, repeats only a fact of the
        same teller, an end only the same end.
        """
        if told.value != step.value or not told.holds(step.day):
            return False
        if told.who == step.who:
            return until in (None, told.end)
        # Hearsay that is hidden, because she says something herself, is not repeated.
        hidden = told.who != HERSELF and any(other.who == HERSELF and other.holds(told.first) for other in self.told)
        return step.who != HERSELF and until is None and not hidden


def _until(told: Told, day: int) -> Told:
    end = max(told.first, min(told.end, day))
    return Told(told.number, told.who, told.scope, told.value, told.first, end)


@settings(
    max_examples=HISTORIES,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
)
@given(history=st.lists(steps, min_size=3, max_size=STEPS))
@example(  # a fact whose end was known is told anew with an earlier end
    history=[
        Step(who=1, for_group=True, value=1, day=1, until=5),
        Step(who=2, for_group=True, value=0, day=0, until=3),
        Step(who=1, for_group=True, value=0, day=4, until=None),
    ]
)
async def test_hearsay_gives_way_to_what_one_says_oneself(shared_service, telling, history) -> None:
    """The store shows the same as the model to each viewer, of each day, at each moment of the telling, and joins all
    contradictions of the model.
    """
    (clock, facts), people = telling(), shared_service.people
    three = [await people.create_person(INTERNAL, name) for name in NAMES]
    since = START - timedelta(days=1)
    group = await people.create_chat(INTERNAL, ChatKind.GROUP, "talk", [Member(one.id, since) for one in three])
    story, snapshots = Story(), []
    for step in history:
        clock.now += timedelta(hours=1)
        new = story.say(step)
        [stored] = await facts.remember(
            Viewer(three[step.who].id, group.id if step.for_group else None),
            [_fact(step, three[HERSELF].id)],
            for_chat=step.for_group,
        )
        assert new != stored.confirmed, step
        snapshots.append((clock.now, Story(list(story.told))))
    await _compare(Browsing(shared_service.database, clock), three, group.id, snapshots)
    assert story.contradictions() <= await _joined(shared_service, three[HERSELF].id)


def _fact(step: Step, about: str) -> Fact:
    ends = step.until is not None and step.until > step.day
    return Fact(
        f"value {step.value}",
        about=(about,),
        aspect="lives_in",
        sensitivity=Sensitivity.PUBLIC,
        portable=True,
        valid_from=START + timedelta(days=step.day),
        valid_until=START + timedelta(days=step.until or 0) if ends else None,
    )


async def _compare(browsing: Browsing, three: list[Any], group: str, snapshots: list[tuple[datetime, Story]]) -> None:
    """Compares what is shown. In the group all is seen. Alone, she sees all that is about her, and another person sees
    what was said in the group and by themselves.
    """
    herself, gossip, _ = (one.id for one in three)
    views = {
        Viewer(herself): (GROUP, 0, 1, 2),
        Viewer(gossip, group): (GROUP, 0, 1, 2),
        Viewer(gossip): (GROUP, 1),
    }
    for viewer, scopes in views.items():
        for moment, story in snapshots:
            for day in range(DAYS + 1):
                times = Times(START + timedelta(days=day), moment)
                listing = await browsing.memories_about(viewer, [herself], times=times, first=100)
                found = sorted(int(listed.item.content.split()[1]) for listed in listing.items)
                assert story.shown(day, scopes) == found, (viewer, day, moment)


async def _joined(service: Service, herself: str) -> set[frozenset[Place]]:
    """Returns the pairs of believed facts about her that are joined as contradicting, read by Cypher of its own."""
    async with driver_of(service.connection) as driver:
        records, _, _ = await driver.execute_query(JOINED, {"herself": herself, "end": NO_END})
    return {
        frozenset((name, (first - START).days, content) for name, first, content in (record["a"], record["b"]))
        for record in ([_native_value(record.data()) for record in records])
    }
