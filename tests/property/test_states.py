"""Compares a person's state with a plain Python model, in histories that Hypothesis generates."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from hippograph.api.service import Service
from hippograph.graph.ids import new_id
from hippograph.graph.jobs.wipe import wipe
from hippograph.graph.model import INTERNAL, Times, Viewer
from hippograph.graph.people.user_state import States

HISTORIES, AT_ONCE = settings().max_examples // 10, 8
DAYS = [datetime(2024, 1, day, tzinfo=UTC) for day in range(1, 7)]
A_LITTLE = timedelta(microseconds=1)
KEYS, VALUES = ("name", "mood"), ("Ann", "Bob", "Cem", "Dea")

Stretch = tuple[str, datetime, datetime | None]

# --- what was said ---


@dataclass(frozen=True)
class Said:
    """A statement of a value: the time on a server's clock, whether it is for the persona, and since when the value
    holds; None for from now on.
    """

    clock: datetime
    persona: bool
    key: str
    value: str
    since: datetime | None


sayings = st.builds(
    Said,
    # Clocks of servers differ: a later statement may have an earlier time.
    clock=st.sampled_from(DAYS),
    # Mostly without the persona, so that much happens in one line.
    persona=st.sampled_from([False, False, False, True]),
    key=st.sampled_from([KEYS[0], KEYS[0], *KEYS]),
    value=st.sampled_from(VALUES),
    since=st.sampled_from([None, *DAYS]),
)

# --- the oracle ---


@dataclass(frozen=True)
class Event:
    """A value that was recorded: when, in which line (for the persona or not, and key), and since when it holds."""

    recorded: datetime
    line: tuple[bool, str]
    since: datetime
    value: str


def timeline(events: list[Event], line: tuple[bool, str], known_at: datetime) -> dict[datetime, str]:
    """The values of a line by the moment from which each holds, as known at `known_at`. For one moment the one said
    last counts.
    """
    return dict(sorted((e.since, e.value) for e in _last_said(events, line, known_at)))


def _last_said(events: list[Event], line: tuple[bool, str], known_at: datetime) -> list[Event]:
    last = {e.since: e for e in events if e.line == line and e.recorded <= known_at}
    return list(last.values())


def holding(events: list[Event], line: tuple[bool, str], times: Times) -> str | None:
    """The value of a line at the times of a read: the one with the latest beginning up to `as_of`; None if there is
    none.
    """
    begun = [value for since, value in timeline(events, line, times.known_at).items() if since <= times.as_of]
    return begun[-1] if begun else None


def state(events: list[Event], persona: bool, times: Times) -> dict[str, str]:
    """The expected state at the times of a read, with the persona or without."""
    found = {}
    for key in KEYS:
        own = holding(events, (True, key), times) if persona else None
        value = own or holding(events, (False, key), times)
        if value:
            found[key] = value
    return found


def history(events: list[Event], persona: bool, key: str, known_at: datetime) -> list[Stretch]:
    """The expected intervals of a key, as known at `known_at`."""
    found = []
    for mine in (True, False) if persona else (False,):
        line = list(timeline(events, (mine, key), known_at).items())
        following = [*(since for since, _ in line[1:]), None]
        found += [(value, since, end) for (since, value), end in zip(line, following, strict=False)]
    return sorted(found, key=str)


def record(events: list[Event], said: Said) -> None:
    """Adds a statement, unless the same value already holds then. Times of recording only increase."""
    now = max([said.clock, *(e.recorded + A_LITTLE for e in events)])
    since, line = said.since or now, (said.persona, said.key)
    if holding(events, line, Times(since, now)) != said.value:
        events.append(Event(now, line, since, said.value))


# --- the test ---


@pytest.fixture(scope="module")
async def persona_id(shared_service: Service) -> AsyncIterator[str]:
    """The id of a persona in an empty graph, for many histories, each of which has its own person."""
    await wipe(shared_service.database, shared_service.local_user.id)
    yield (await shared_service.people.create_persona(INTERNAL, "Atlas")).id
    await wipe(shared_service.database, shared_service.local_user.id)


@settings(
    max_examples=HISTORIES,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
)
@given(said=st.lists(sayings, min_size=6, max_size=10))
async def test_every_moment_is_what_was_said_of_it(shared_service: Service, persona_id: str, said: list[Said]) -> None:
    """At each pair of valid time and known time, state and history are those of the model, in whatever order values
    were set.
    """
    time = DAYS[0]
    states = States(shared_service.database, lambda: time)
    person = await shared_service.people.create_person(INTERNAL, f"Somebody {new_id()}")
    viewers = {False: Viewer(person.id), True: Viewer(person.id, persona_id=persona_id)}
    events: list[Event] = []
    for each in said:
        time = each.clock
        result = await states.set_state(viewers[each.persona], each.key, each.value, valid_from=each.since)
        before = len(events)
        record(events, each)
        assert (len(events) > before, each.value) == (result.changed, result.state.value)
    # Nothing changes between two beginnings, so the moments of each and right before each are enough.
    moments = sorted({moment for e in events for moment in (e.since, e.since - A_LITTLE)})
    known = [DAYS[0] - A_LITTLE, *sorted({e.recorded for e in events})]
    room = asyncio.Semaphore(AT_ONCE)

    async def compare_state(persona: bool, times: Times) -> None:
        async with room:
            found = await states.current(viewers[persona], times)
        assert state(events, persona, times) == {one.key: one.value for one in found}, (persona, times)

    async def compare_history(persona: bool, key: str, times: Times) -> None:
        async with room:
            listed = [one.item for one in (await states.history(viewers[persona], key, times, first=100)).items]
        told = [(one.value, one.valid_from, one.valid_until) for one in listed]
        assert history(events, persona, key, times.known_at) == sorted(told, key=str), (persona, key, times)
        assert [one.valid_from for one in listed] == sorted((one.valid_from for one in listed), reverse=True)
        now = [one.value for one in listed if one.is_current]
        assert [state(events, persona, times)[key]] == now if key in state(events, persona, times) else now == []

    await asyncio.gather(
        *(compare_state(persona, Times(v, k)) for persona in viewers for v in moments for k in known),
        *(
            compare_history(p, key, Times(moments[n % len(moments)], k))
            for n, k in enumerate(known)
            for p in viewers
            for key in KEYS
        ),
    )
