"""Concurrent writes of one key have the same result as writes one after the other."""

import asyncio
from collections import defaultdict
from datetime import UTC, datetime, timedelta

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from hippograph.graph.model import INTERNAL, ChatKind, Sensitivity, Times, Viewer
from hippograph.graph.people.people import Member
from hippograph.graph.reading.browsing import Browsing
from hippograph.graph.writing.fact import Fact

ROUNDS, DAYS = settings().max_examples // 5, 4
START = datetime(2024, 1, 1, tzinfo=UTC)

writes = st.tuples(
    st.integers(0, 1),  # speaker
    st.booleans(),  # whether for the group
    st.integers(0, DAYS - 1),  # first day
    st.integers(0, 6),  # delay in milliseconds
)


@settings(
    max_examples=ROUNDS,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
)
@given(told=st.lists(writes, min_size=2, max_size=8))
async def test_writers_at_once_are_as_if_in_turns(shared_service, told) -> None:
    """No concurrent write fails. On each day, each speaker has one value in each scope, one of the last to begin."""
    people, facts = shared_service.people, shared_service.facts
    whom, *tellers = [await people.create_person(INTERNAL, name) for name in ("Whom", "One", "Other")]
    since = START - timedelta(days=1)
    members = [Member(one.id, since) for one in (whom, *tellers)]
    group = await people.create_chat(INTERNAL, ChatKind.GROUP, "talk", members)

    async def write(number: int, who: int, for_group: bool, day: int, later: int) -> None:
        await asyncio.sleep(later / 1000)
        fact = Fact(
            f"value {number}",
            about=(whom.id,),
            aspect="lives_in",
            valid_from=START + timedelta(days=day),
            sensitivity=Sensitivity.PUBLIC,
            portable=True,
        )
        viewer = Viewer(tellers[who].id, group.id if for_group else None)
        [stored] = await facts.remember(viewer, [fact], for_chat=for_group)
        assert not stored.confirmed

    await asyncio.gather(*(write(number, *one) for number, one in enumerate(told)))
    browsing, known_at = Browsing(shared_service.database, shared_service.clock), shared_service.clock()
    for day in range(DAYS + 1):
        times = Times(START + timedelta(days=day), known_at)
        listing = await browsing.memories_about(Viewer(whom.id), [whom.id], times=times, first=100)
        found = sorted(int(listed.item.content.split()[1]) for listed in listing.items)
        latest: dict[tuple[int, bool], list[tuple[int, int]]] = defaultdict(list)
        for number, (who, for_group, first, _) in enumerate(told):
            if first <= day:
                latest[who, for_group].append((first, number))
        # Of those that begin on the same day, any may have been written last.
        allowed = [{number for first, number in each if first == max(each)[0]} for each in latest.values()]
        assert len(found) == len(allowed), (day, found)
        assert all(len(numbers.intersection(found)) == 1 for numbers in allowed), (day, found)
