"""Random merges of people in small random graphs can be undone."""

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from hippograph.api.service import Service
from hippograph.graph.errors import Conflict, InvalidInput
from hippograph.graph.jobs.wipe import wipe
from hippograph.graph.model import INTERNAL, ChatKind, Viewer
from hippograph.graph.people.people import Member
from hippograph.graph.writing.fact import Fact

GRAPHS, PEOPLE = settings().max_examples // 5, 4
START = datetime(2024, 1, 1, tzinfo=UTC)

person = st.integers(0, PEOPLE - 1)
told = st.tuples(
    st.lists(person, min_size=1, max_size=2, unique=True), person, st.sampled_from("ab"), st.integers(0, 2)
)
# (keep, merge), or the index of the merge to undo.
change = st.one_of(st.tuples(person, person), st.integers(0, 5))


@settings(
    max_examples=GRAPHS,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
@given(facts=st.lists(told, max_size=8), changes=st.lists(change, min_size=1, max_size=6))
async def test_undoing_all_merges_gives_the_graph_as_it_was(
    shared_service: Service, dump: Callable[[], Awaitable[list[str]]], facts: list[Any], changes: list[Any]
) -> None:
    """After any sequence of merges and undone merges, also of people with claims of the same key, undoing the remaining
    ones restores the graph. After each step the doctor finds nothing wrong.
    """
    service = shared_service
    await wipe(service.database, service.local_user.id)
    people = [await service.people.create_person(INTERNAL, f"Person {n}", usernames=[f"p{n}"]) for n in range(PEOPLE)]
    members = [Member(one.id, START) for one in (*people, service.local_user)]
    group = await service.people.create_chat(INTERNAL, ChatKind.GROUP, "Group", members)
    for about, speaker, aspect, value in facts:
        fact = Fact(f"{aspect} is {value}", tuple(people[n].key for n in about), aspect=aspect, value=str(value))
        await service.facts.remember(Viewer(people[speaker].id, group.id), [fact], for_chat=True)
    before, viewer, done = await dump(), service.viewer(group.id), []
    for each in changes:
        try:
            if isinstance(each, tuple):
                merged = await service.merging.merge(viewer, *(people[n].key for n in each))
                done.append(merged.merge_id)
            elif each < len(done):
                await service.merging.unmerge(viewer, done[each])
                done.remove(done[each])
        except (Conflict, InvalidInput):
            continue  # they are one entity already, or a later merge prevents the undo
        assert [] == [f for f in await service.doctor.examine() if "waited" not in f.what]
    for merge_id in reversed(done):
        await service.merging.unmerge(viewer, merge_id)
    assert before == await dump()
