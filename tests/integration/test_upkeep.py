"""Upkeep with a real graph: retiring, archiving, restoring, the schedule, and its batches (T3, T7, T8, W9)."""

import asyncio
import itertools
from collections.abc import Sequence
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from hippograph.graph.errors import DatabaseFailed, InvalidInput, NotAllowed, NotFound
from hippograph.graph.jobs.queue import LEASE
from hippograph.graph.jobs.runner import Periodic, Runner
from hippograph.graph.knowledge.entity_resolution.merge_suggestions import MergeSuggestions
from hippograph.graph.model import INTERNAL, ChatKind, Sensitivity, Viewer
from hippograph.graph.people.people import Member
from hippograph.graph.retention.strength import strength
from hippograph.graph.upkeep import steps as upkeep_steps
from hippograph.graph.upkeep import upkeep as upkeep_module
from hippograph.graph.upkeep.jobs import bounds, make_steps, scheduled_jobs
from hippograph.graph.upkeep.steps import (
    CAUSES,
    ENTRIES,
    EXPIRE,
    FADE,
    FOLD,
    IMPORTANCE,
    MERGES,
    NIGHTLY,
    SIZE,
    STRENGTH,
    SUMMARIES,
    Batch,
    WorkStep,
)
from hippograph.graph.upkeep.upkeep import Upkeep
from hippograph.graph.writing.fact import Fact

STATES = """
MATCH (m:Memory) WHERE m.id IN $ids
RETURN m.id AS id, m.retired_by AS why, m.retired_at AS at, m.status AS status, m.live_key IS NOT NULL AS live,
       m:Archived AS archived, m.expires_at AS expires_at, m.strength AS strength
"""
NIGHT = timedelta(hours=24)


def upkeep_of(service: Any, **given: Any) -> Upkeep:
    """Returns the upkeep of a service. `given` are limits for `bounds`, `steps` to add or replace, the scheduled
    `jobs`, and `load`.
    """
    more = given.pop("steps", {})
    jobs, load = given.pop("jobs", None), given.pop("load", 1.0)
    limits = {
        "threshold": 0.05,
        "most_entries": None,
        "most_megabytes": 100.0,
        "percent": 1.0,
        "dimensions": 0,
        **given,
    }
    found = bounds(**limits)
    made = make_steps(
        service.database,
        service.clock,
        found,
        slot=None,
        consolidation=None,
        suggestions=MergeSuggestions(service.database, service.clock, None),
        least_mentions=3,
    )
    every = {**made, **more}
    scheduled = scheduled_jobs(every, nightly="0 3 * * *", pruning="0 4 * * *", strength_hours=6)
    return Upkeep(service.database, service.clock, scheduled if jobs is None else jobs, every, plan=found, load=load)


async def remember(scene: Any, *contents: str, **more: Any) -> list[str]:
    """Stores facts as the local user. Returns the ids of their memories."""
    stored = await scene.service.facts.remember(Viewer(scene.me), [Fact(content, **more) for content in contents])
    return [each.memory_id for each in stored]


async def states(raw: Any, ids: Sequence[str]) -> list[dict[str, Any]]:
    """Returns the rows of `STATES` for these memories, in this order."""
    rows = {row["id"]: row for row in await raw(STATES, ids=list(ids))}
    return [rows[each] for each in ids]


async def found(scene: Any, words: str) -> set[str]:
    """Returns the ids that a search by the local user finds."""
    page = await scene.service.search.search(Viewer(scene.me), words, first=20)
    return {result.memory.id for result in page.results}


# --- retiring ---


async def test_what_has_run_out_is_retired_as_of_when_it_did(scene, raw, clock) -> None:
    """A memory that has expired is retired as of its expiry, however late the step runs. `explain` says that it
    expired. A second run changes nothing.
    """
    event, kept = [*await remember(scene, "We had otter soup", kind="event"), *await remember(scene, "I like otters")]
    clock.advance(timedelta(days=45))
    upkeep = upkeep_of(scene.service)
    [run] = await upkeep.run([EXPIRE])
    assert (1, None, EXPIRE) == (run.changed, run.failure, run.step)
    gone, there = await states(raw, [event, kept])
    assert ("expired", gone["expires_at"], False) == (gone["why"], gone["at"], gone["live"])
    assert (None, True) == (there["why"], there["live"])
    explained = await scene.service.explaining.explain(Viewer(scene.me), event)
    assert ["expired"] == [step.retired_by for step in explained.chain]
    [again] = await upkeep.run([EXPIRE])
    assert 0 == again.changed


async def test_a_fact_fades_on_day_71_unless_pinned_or_confirmed(scene, raw, clock) -> None:
    """A fact of confidence 1 with λ = 0.1 is retired on day 71 and not on day 70. Pinned and confirmed facts and turns
    are not retired then.
    """
    clock.stop()
    plain, pinned, confirmed = ids = await remember(scene, "I like otters", "I like seals", "I like crabs")
    await scene.service.facts.pin(Viewer(scene.me), pinned)
    await scene.service.facts.confirm(Viewer(scene.me), confirmed)
    said = await scene.say("I like walruses", by=scene.ben)
    clock.advance(timedelta(days=70))
    upkeep = upkeep_of(scene.service)
    assert [0] == [run.changed for run in await upkeep.run([FADE])]
    clock.advance(timedelta(days=1))
    assert [1] == [run.changed for run in await upkeep.run([FADE])]
    assert ["faded", None, None, None] == [row["why"] for row in await states(raw, [*ids, said.memory_id])]
    assert plain not in await found(scene, "otters")


async def test_upkeep_rests_between_batches(scene, drain, monkeypatch) -> None:
    """With a load of 0.25, steps from the queue pause after each batch for three times as long as it took; steps that
    are run directly do not pause.
    """
    rests: list[float] = []

    async def rest(seconds: float) -> None:
        rests.append(seconds)

    monkeypatch.setattr(upkeep_module, "asyncio", SimpleNamespace(sleep=rest))
    monkeypatch.setattr(upkeep_module, "time", SimpleNamespace(monotonic=itertools.count(0, 2).__next__))
    monkeypatch.setattr(upkeep_steps, "BATCH", 2)
    await remember(scene, *(f"I saw {number} otters" for number in range(5)))
    upkeep = upkeep_of(scene.service, load=0.25, jobs=[])
    await upkeep.run([STRENGTH])
    assert {0.0} == set(rests)
    rests.clear()
    await upkeep.request([STRENGTH])
    while await upkeep.step():
        pass
    assert len(rests) >= 2
    assert {6.0} == set(rests)


async def test_batches_go_through_everything(scene, raw, clock, monkeypatch) -> None:
    """With batches of two, each memory is retired and counted once."""
    monkeypatch.setattr(upkeep_steps, "BATCH", 2)
    ids = await remember(scene, *(f"I saw {number} otters" for number in range(7)), kind="observation")
    kept = await remember(scene, "I like otters")
    clock.advance(timedelta(days=100))
    runs = await upkeep_of(scene.service).run([EXPIRE, FADE, STRENGTH])
    assert [7, 1] == [run.changed for run in runs[:2]]
    assert {"expired"} == {row["why"] for row in await states(raw, ids)}
    assert ["faded"] == [row["why"] for row in await states(raw, kept)]


async def test_strength_is_stored_for_who_looks(scene, raw, clock) -> None:
    """The stored strength equals that of the formula, and a second run changes nothing."""
    clock.stop()
    ids = await remember(scene, "I like otters", importance=2)
    clock.advance(timedelta(days=2))
    upkeep = upkeep_of(scene.service)
    assert 1 <= (await upkeep.run([STRENGTH]))[0].changed
    [row] = await states(raw, ids)
    assert row["strength"] == pytest.approx(strength(2, 2, 1))
    assert 0 == (await upkeep.run([STRENGTH]))[0].changed


# --- archiving ---


async def test_above_the_bound_of_entries_the_least_worth_is_archived(scene, raw) -> None:
    """Above the maximum number of entries, demoted facts are archived first and reinforced ones last, down to the
    maximum. Pinned facts and turns are never archived, and the plan shows the same.
    """
    viewer, facts = Viewer(scene.me), scene.service.facts
    pinned, demoted, plain, served = ids = await remember(
        scene, *(f"I like otter {name}" for name in ("A", "B", "C", "D"))
    )
    await facts.pin(viewer, pinned)
    for _ in range(3):
        await facts.demote(viewer, pinned)
    await facts.demote(viewer, demoted)
    await facts.reinforce(viewer, served)
    said = await scene.say("I like otter E", by=scene.ben)
    upkeep = upkeep_of(scene.service, most_entries=2)
    planned = {each.step: each for each in await upkeep.plan()}
    assert (2, {demoted, plain}) == (planned[ENTRIES].memories, set(planned[ENTRIES].examples))
    [run] = await upkeep.run([ENTRIES])
    assert 2 == run.changed
    assert [False, True, True, False, False] == [row["archived"] for row in await states(raw, [*ids, said.memory_id])]
    assert {pinned, served} == await found(scene, "otter") & set(ids)
    assert [0] == [run.changed for run in await upkeep.run([ENTRIES])]
    rest = {each.item.memory.id for each in (await scene.service.archive.list(viewer)).items}
    assert {demoted, plain} == rest


async def test_above_the_size_a_share_is_archived_and_below_it_none(scene, raw) -> None:
    """Above the maximum size, a run archives `percent` of the live memories, rounded up, as planned; else none."""
    ids = await remember(scene, *(f"I like otter number {number}" for number in range(10)))
    assert [0] == [run.changed for run in await upkeep_of(scene.service, percent=30).run([SIZE])]
    upkeep = upkeep_of(scene.service, most_megabytes=0.0001, percent=25)
    planned = {each.step: each.memories for each in await upkeep.plan()}
    [run] = await upkeep.run([SIZE])
    assert 3 == run.changed == planned[SIZE]
    assert 3 == sum(row["archived"] for row in await states(raw, ids))


async def test_the_size_is_bound_for_each_owner_and_chat(scene, raw) -> None:
    """The maximum size applies to each owner or chat: nothing is archived if only their sum is above it, and only
    memories of the owner who is above it.
    """
    mine = await remember(scene, *(f"I like otter number {number}" for number in range(8)))
    fact = Fact("I like seals")
    theirs = [
        (await scene.service.facts.remember(Viewer(each.id), [fact]))[0].memory_id for each in (scene.maya, scene.ben)
    ]
    assert 0 == (await upkeep_of(scene.service, most_megabytes=0.0002).run([SIZE]))[0].changed
    upkeep = upkeep_of(scene.service, most_megabytes=0.0001, percent=50)
    planned = {each.step: each.memories for each in await upkeep.plan()}
    assert 4 == (await upkeep.run([SIZE]))[0].changed == planned[SIZE]
    assert 4 == sum(row["archived"] for row in await states(raw, mine))
    assert [False, False] == [row["archived"] for row in await states(raw, theirs)]


async def test_each_scope_that_is_too_large_is_archived_by_its_own_share(scene, raw, monkeypatch) -> None:
    """With batches of two, `percent` of the memories of each owner who is above the maximum size are archived."""
    monkeypatch.setattr(upkeep_steps, "BATCH", 2)
    facts = [Fact(f"I like otter number {number}") for number in range(6)]
    ids = {
        each: [stored.memory_id for stored in await scene.service.facts.remember(Viewer(each), facts)]
        for each in (scene.maya.id, scene.ben.id)
    }
    [run] = await upkeep_of(scene.service, most_megabytes=0.0001, percent=50).run([SIZE])
    assert 6 == run.changed
    assert [3, 3] == [sum(row["archived"] for row in await states(raw, each)) for each in ids.values()]


async def test_the_first_archiving_of_a_scope_is_logged(scene, caplog, clock) -> None:
    """The first archiving in a scope logs a warning with the scope; the next one does not."""
    await remember(scene, *(f"I like otter number {number}" for number in range(8)))
    upkeep = upkeep_of(scene.service, most_megabytes=0.0001, percent=25)
    for _ in range(2):
        await upkeep.run([SIZE])
        clock.advance(timedelta(days=1))
    [told] = [record.getMessage() for record in caplog.records if record.name == "hippograph.graph.upkeep.steps"]
    assert scene.me in told


async def test_stats_tell_how_near_the_bound_is(scene, ask) -> None:
    """`stats` returns the size of the viewer's own memories and of their chat, in bytes and as a share of the maximum;
    not the size of another person's memories.
    """
    await remember(scene, "I like otters")
    await scene.say("We all do", by=scene.service.local_user)
    await scene.service.facts.remember(Viewer(scene.maya.id), [Fact("I like seals")])
    answer = await ask("{ stats { sizes { sizeBytes share chat { title } } } }")
    assert [
        {"sizeBytes": 13, "share": 1.3e-07, "chat": None},
        {"sizeBytes": 9, "share": 9e-08, "chat": {"title": "Friday Table"}},
    ] == answer["data"]["stats"]["sizes"]


async def test_what_is_archived_is_in_no_other_read_and_comes_back(scene, raw, drain, ask) -> None:
    """An archived memory is in no search, count or context, and `explain` does not find it. The archive lists it, and
    after restoring it is active and found again; it cannot be restored twice.
    """
    viewer = Viewer(scene.me)
    kept, gone = await remember(scene, "I feed the otters", "I feed the seals", importance=2)
    await drain()
    await scene.service.facts.demote(viewer, gone)
    before = await scene.service.stats.counts(viewer)
    upkeep = upkeep_of(scene.service, most_entries=1)
    await upkeep.run([ENTRIES])
    assert {kept} == await found(scene, "feed otters seals")
    assert before.memories - 1 == (await scene.service.stats.counts(viewer)).memories
    context = await scene.service.contexts.context(viewer, "feed the seals")
    assert gone not in context.memories
    with pytest.raises(NotFound):
        await scene.service.explaining.explain(viewer, gone)
    archive = scene.service.archive
    assert gone == await archive.called(viewer, gone[:20])
    answer = await ask("{ archive { nodes { archivedAt memory { id content status } } } }")
    [node] = answer["data"]["archive"]["nodes"]
    assert ("I feed the seals", "ARCHIVED") == (node["memory"]["content"], node["memory"]["status"])
    mutation = (
        "mutation($id: ID!) { restoreMemory(input: {memoryId: $id}) "
        "{ __typename ... on RestoreMemoryPayload { memory { content } } } }"
    )
    restored = await ask(mutation, id=node["memory"]["id"])
    assert "I feed the seals" == restored["data"]["restoreMemory"]["memory"]["content"]
    assert "NotFoundError" == (await ask(mutation, id=node["memory"]["id"]))["data"]["restoreMemory"]["__typename"]
    assert {kept, gone} == await found(scene, "feed otters seals")
    [row] = await states(raw, [gone])
    assert ("active", True, False) == (row["status"], row["live"], row["archived"])
    assert [] == (await archive.list(viewer)).items


async def test_who_may_not_change_a_memory_may_not_restore_it(scene, raw) -> None:
    """Restoring raises `NotAllowed` for a person whom the memory is about and who may see it, and `NotFound` for one
    who may not see it.
    """
    about_ben = [
        each.memory_id
        for each in await scene.service.facts.remember(
            Viewer(scene.maya.id),
            [
                Fact("Ben likes otters", about=(scene.ben.id,), portable=True),
                Fact("I like seals", sensitivity=Sensitivity.SENSITIVE),
            ],
        )
    ]
    await upkeep_of(scene.service, most_megabytes=0.000001, percent=100).run([SIZE])
    assert [True, True] == [row["archived"] for row in await states(raw, about_ben)]
    with pytest.raises(NotAllowed):
        await scene.service.archive.restore(Viewer(scene.ben.id), about_ben[0])
    with pytest.raises(NotFound):
        await scene.service.archive.restore(Viewer(scene.ben.id), about_ben[1])


async def test_what_is_told_anew_while_archived_is_a_memory_of_its_own(scene, raw, clock) -> None:
    """Stating an archived fact again creates a new memory. If the archived one is restored, it ends when the new one
    begins (W5).
    """
    viewer = Viewer(scene.me)
    [old] = await remember(scene, "I live in Bled", aspect="lives_in")
    await upkeep_of(scene.service, most_megabytes=0.000001, percent=100).run([SIZE])
    clock.advance(timedelta(days=1))
    [new] = await remember(scene, "I live in Bled", aspect="lives_in")
    assert new != old
    assert {new} == await found(scene, "live in Bled")
    await scene.service.archive.restore(viewer, old)
    restored, live = await states(raw, [old, new])
    assert (False, True) == (restored["live"], live["live"])
    steps = (await scene.service.explaining.explain(viewer, new)).chain
    assert [old, new] == [step.memory_id for step in steps]
    assert steps[0].valid_until == steps[1].valid_from


async def test_an_entity_without_a_summary_gets_one(scene, raw) -> None:
    """An entity that three memories of a scope are about is queued for a summary if it has none, and not again once it
    has one.
    """
    facts = [Fact(f"Ben told Maya {number}", about=(scene.ben.key,)) for number in ("one", "two", "three")]
    await scene.service.facts.remember(Viewer(scene.maya.id), facts)
    upkeep = upkeep_of(scene.service)
    [run] = await upkeep.run([SUMMARIES])
    assert 1 == run.changed
    assert 1 == await scene.service.summaries.step()
    found = await scene.service.cards.summaries(Viewer(scene.maya.id), [scene.ben.key])
    told = found[scene.ben.key].memory.content.removesuffix(".").split(". ")
    assert {"Ben told Maya one", "Ben told Maya two", "Ben told Maya three"} == set(told)
    assert [0] == [run.changed for run in await upkeep.run([SUMMARIES])]


async def test_sessions_are_looked_through_for_causes_that_were_left_out(scene, learn, raw) -> None:
    """A session is queued for causal inference if a link between its turns was not examined, and only then."""
    await scene.say("I missed the bus.", at=scene.minutes(0))
    await scene.say("That is why I was late.", at=scene.minutes(1))
    await scene.service.sessions.close(scene.viewer(), scene.group.id)
    await learn()
    upkeep = upkeep_of(scene.service)
    assert [0] == [run.changed for run in await upkeep.run([CAUSES])]
    await raw("MATCH ()-[link:TEMPORAL]->() REMOVE link.examined_at")
    assert [1] == [run.changed for run in await upkeep.run([CAUSES])]
    await learn()
    assert [0] == [run.changed for run in await upkeep.run([CAUSES])]


# --- importance, near-duplicates, suggested merges ---


async def test_importance_grows_with_the_days_on_which_it_was_said(scene, raw) -> None:
    """A fact said on three days gets importance 1, on seven days 2, on two days no change (W9)."""
    ids = await remember(scene, *(f"I like otter {name}" for name in ("A", "B", "C")), importance=0)
    days = [f"2024010{day}" for day in range(1, 8)]
    for memory_id, count in zip(ids, (2, 3, 7), strict=True):
        await raw(
            "MATCH (m:Memory {id: $id}) SET m.said_on = $days, m.grown_importance = 0", id=memory_id, days=days[:count]
        )
    upkeep = upkeep_of(scene.service)
    assert [2] == [run.changed for run in await upkeep.run([IMPORTANCE])]
    grown = {
        row["id"]: row["grown"] for row in await raw("MATCH (m:Memory) RETURN m.id AS id, m.grown_importance AS grown")
    }
    assert [0, 1, 2] == [grown[each] for each in ids]
    assert [0] == [run.changed for run in await upkeep.run([IMPORTANCE])]


async def test_near_duplicates_that_were_missed_are_folded(scene, drain, raw) -> None:
    """Near-duplicates of different sensitivity are not folded; once their sensitivity is the same, the step folds them
    into one memory, and `explain` shows both.
    """
    service = scene.service
    [one] = await remember(scene, "I like feeding the otters", sensitivity=Sensitivity.PUBLIC)
    [other] = await remember(scene, "I like to feed the otters", sensitivity=Sensitivity.PERSONAL)
    await drain()
    assert [0] == [run.changed for run in await service.upkeep.run([FOLD])]
    await service.labels.set_sensitivity(Viewer(scene.me), other, Sensitivity.PUBLIC)
    [run] = await service.upkeep.run([FOLD])
    assert 1 == run.changed
    assert [None, "folded"] == [row["why"] for row in await states(raw, [one, other])]
    chain = (await service.explaining.explain(Viewer(scene.me), one)).chain
    assert {one, other} == {step.memory_id for step in chain}


async def test_a_fact_is_taken_out_of_the_one_it_was_folded_into(scene, drain, raw) -> None:
    """A fact that is unfolded is believed again beside the other, and the step does not fold it again. A fact can be
    unfolded only if it was folded, once, and by somebody who may change it.
    """
    service, viewer = scene.service, Viewer(scene.me)
    [one] = await remember(scene, "I like feeding the otters")
    [other] = await remember(scene, "I like to feed the otters")
    await drain()
    assert [None, "folded"] == [row["why"] for row in await states(raw, [one, other])]
    with pytest.raises(NotFound):
        await service.facts.unfold(viewer, one)
    with pytest.raises((NotFound, NotAllowed)):
        await service.facts.unfold(Viewer(scene.ben.id), other)
    again = await service.facts.unfold(viewer, other)
    assert {one, again} == await found(scene, "otters")
    assert [0] == [run.changed for run in await service.upkeep.run([FOLD])]
    assert [None, None, True] == [row["why"] for row in await states(raw, [one, again])] + [
        (await states(raw, [again]))[0]["live"]
    ]
    steps = (await service.explaining.explain(viewer, again)).chain
    assert {one, other, again} == {step.memory_id for step in steps}
    with pytest.raises(NotFound):
        await service.facts.unfold(viewer, other)


async def test_merges_are_suggested_of_what_is_there(scene, drain, raw) -> None:
    """A missing suggestion to merge two people of the same name is added once, and not again after it is dismissed."""
    people = scene.service.people
    first = await people.create_person(INTERNAL, "Anna Berger")
    await people.join_chat(scene.viewer(), scene.group.id, first.id, scene.minutes(-10))
    carl = await people.create_person(INTERNAL, "Carl Maier")
    chat = await people.create_chat(INTERNAL, ChatKind.GROUP, "Tax office", [Member(carl.id, scene.minutes(-10))])
    await drain()
    await scene.say("Yesterday Anna Berger told me that she will come.", by=carl, chat=chat, at=scene.minutes(2))
    await drain()
    await raw("MATCH ()-[maybe:MAY_BE]->() DELETE maybe")
    upkeep = upkeep_of(scene.service)
    [run] = await upkeep.run([MERGES])
    assert (1, None) == (run.changed, run.failure)
    [row] = await raw(
        "MATCH (one)-[maybe:MAY_BE]->(other) RETURN one.key AS one, other.key AS other, maybe.reason AS why"
    )
    assert (first.key, "the same name") in {(row["one"], row["why"]), (row["other"], row["why"])}
    await raw("MATCH ()-[maybe:MAY_BE]->() SET maybe.dismissed_at = datetime()")
    assert [0] == [run.changed for run in await upkeep.run([MERGES])]


# --- the schedule ---


async def night(upkeep: Upkeep) -> int:
    """Runs all steps that are due. Returns their number."""
    count = 0
    while await upkeep.step():
        count += 1
    return count


async def test_a_night_is_done_when_it_is_due_and_then_the_next_day(scene, clock, raw) -> None:
    """Each nightly step runs once and in order when the job is due, with a record, also if several nights were missed.
    Then the job is due within a day.
    """
    clock.stop()
    upkeep = upkeep_of(scene.service)
    assert 0 == await night(upkeep)
    nightly = next(job for job in await upkeep.jobs() if job.name == "nightly")
    assert 3 == nightly.next_at.hour
    clock.advance(3 * NIGHT)
    done = 0
    while await upkeep.step():
        done += 1
        clock.advance(timedelta(seconds=1))  # runs are listed by the times at which they began
    runs = [listed.item for listed in (await upkeep.runs(first=100)).items][::-1]
    assert list(nightly.steps) == [run.step for run in runs if run.job == "nightly"]
    assert list(nightly.steps) == [step for step in NIGHTLY if step in nightly.steps]
    assert done == len(runs)
    assert all(run.ended_at and not run.failure for run in runs)
    assert 0 == await night(upkeep)
    after = next(job for job in await upkeep.jobs() if job.name == "nightly")
    assert timedelta(0) < after.next_at - clock() <= NIGHT
    assert after.step is None


async def test_however_many_processes_there_are_a_night_is_done_once(scene, clock, raw) -> None:
    """Two instances that work at the same time run each step of a night once."""
    clock.stop()
    both = [upkeep_of(scene.service), upkeep_of(scene.service)]
    await asyncio.gather(*map(night, both))
    ids = await remember(scene, *(f"I saw {number} otters" for number in range(5)), kind="observation")
    clock.advance(10 * NIGHT)
    await asyncio.gather(*map(night, both))
    runs = [listed.item for listed in (await both[0].runs(first=100)).items]
    assert len({(run.job, run.step) for run in runs}) == len(runs)
    assert 5 == sum(run.changed for run in runs if run.step == EXPIRE)
    assert {"expired"} == {row["why"] for row in await states(raw, ids)}


class Killed(BaseException):
    """Stands for the death of a process in the middle of its work."""


class Mortal:
    """A step whose process is killed before the progress of batch number `at` is stored."""

    def __init__(self, step: Any, at: int) -> None:
        self._step, self._left = step, at

    async def batch(self, *given: Any) -> Batch:
        """Runs a batch; raises `Killed` after the last one."""
        batch = await self._step.batch(*given)
        self._left -= 1
        if self._left == 0:
            raise Killed
        return batch


async def test_a_night_that_is_killed_goes_on_where_it_was(scene, clock, raw, monkeypatch) -> None:
    """If a process is killed in a batch, that batch is rolled back. Another process resumes the step when the lease has
    expired, and each memory is retired and counted once.
    """
    monkeypatch.setattr(upkeep_steps, "BATCH", 2)
    clock.stop()
    first = upkeep_of(scene.service)
    await night(first)
    ids = await remember(scene, *(f"I saw {number} otters" for number in range(7)), kind="observation")
    clock.advance(5 * NIGHT)
    mortal = upkeep_of(scene.service, steps={EXPIRE: Mortal(first._steps[EXPIRE], 3)})
    with pytest.raises(Killed):
        await night(mortal)
    assert 4 == sum(row["why"] == "expired" for row in await states(raw, ids))
    other = upkeep_of(scene.service)
    await night(other)  # runs only the items that are not leased
    assert 4 == sum(row["why"] == "expired" for row in await states(raw, ids))
    clock.advance(LEASE)
    await night(other)
    assert {"expired"} == {row["why"] for row in await states(raw, ids)}
    runs = [listed.item for listed in (await other.runs(first=100)).items]
    [expired] = [run for run in runs if run.job == "nightly" and run.step == EXPIRE]
    assert (7, None) == (expired.changed, expired.failure)
    assert {row["at"] - row["expires_at"] for row in await states(raw, ids)} == {timedelta(0)}


async def test_a_night_in_a_process_that_stops_is_given_back(scene, raw) -> None:
    """A process that stops releases its item, so that another one finishes it without waiting for the lease."""
    begun, never = asyncio.Event(), asyncio.Event()

    async def hang(_position: str) -> Batch:
        begun.set()
        await never.wait()
        return Batch(0, None)

    upkeep, stop = upkeep_of(scene.service, steps={FOLD: WorkStep(hang)}, jobs=[]), asyncio.Event()
    await upkeep.request([FOLD, STRENGTH])
    runner = Runner([], [Periodic("upkeep", upkeep.step, timedelta(hours=1), upkeep.queue)])
    running = asyncio.create_task(runner.run(stop, patience_s=0.1))
    await begun.wait()
    stop.set()
    await running
    other = upkeep_of(scene.service, steps={FOLD: WorkStep(_nothing)}, jobs=[])
    while await other.step():
        pass
    assert not [job for job in await other.jobs() if job.schedule is None]


async def _nothing(_position: str) -> Batch:
    return Batch(0, None)


async def test_who_lost_the_lease_writes_nothing(scene, clock, raw) -> None:
    """A batch is rolled back if another process has taken over the item meanwhile."""
    clock.stop()
    [memory] = await remember(scene, "I saw an otter", kind="observation")
    clock.advance(5 * NIGHT)
    plain = upkeep_of(scene.service)

    class Slow:
        async def batch(self, *given: Any) -> Batch:
            batch: Batch = await plain._steps[EXPIRE].batch(*given)
            await raw("MATCH (j:ScheduledJob) WHERE j.once SET j.worker = 'another'")
            return batch

    assert [None] == [run.ended_at for run in await upkeep_of(scene.service, steps={EXPIRE: Slow()}).run([EXPIRE])]
    assert [None] == [row["why"] for row in await states(raw, [memory])]


async def test_a_step_that_fails_is_noted_and_the_next_one_is_done(scene, clock) -> None:
    """A failed step is recorded with its error, the following steps run, and the job ends."""

    async def fail(_position: str) -> Batch:
        raise DatabaseFailed("it does not work")

    upkeep = upkeep_of(scene.service, steps={FADE: WorkStep(fail)})
    runs = await upkeep.run([EXPIRE, FADE, IMPORTANCE])
    assert [None, "DatabaseFailed: it does not work", None] == [run.failure for run in runs]
    assert [] == [job for job in await upkeep.jobs() if job.schedule is None]


async def test_a_changed_schedule_counts_from_the_next_start(scene, clock) -> None:
    """Declaring a job with another schedule sets its next time and its steps."""
    clock.stop()
    await upkeep_of(scene.service).declare()
    jobs = scheduled_jobs({EXPIRE: None}, nightly="30 5 * * *", pruning="0 4 * * *", strength_hours=6)
    upkeep = upkeep_of(scene.service, jobs=jobs)
    await upkeep.declare()
    nightly = next(job for job in await upkeep.jobs() if job.name == "nightly")
    assert ((5, 30), (EXPIRE,)) == ((nightly.next_at.hour, nightly.next_at.minute), nightly.steps)


async def test_a_plan_tells_what_a_run_does(scene, clock) -> None:
    """A plan shows the numbers that a run then changes, and changes nothing itself."""
    await remember(scene, "We had otter soup", kind="event")
    await remember(scene, "I like otters")
    clock.advance(timedelta(days=100))
    upkeep = upkeep_of(scene.service)
    planned = {each.step: each.memories for each in await upkeep.plan()}
    assert planned == {each.step: each.memories for each in await upkeep.plan()}
    runs = {run.step: run.changed for run in await upkeep.run([EXPIRE, FADE, ENTRIES, SIZE])}
    assert {EXPIRE: 1, FADE: 1, ENTRIES: 0, SIZE: 0} == planned == runs


async def test_an_unknown_step_is_refused(scene) -> None:
    """An unknown step raises `InvalidInput`, which lists the available steps."""
    with pytest.raises(InvalidInput, match="choose among expire"):
        await upkeep_of(scene.service).run(["sweep"])


async def test_upkeep_is_asked_for_and_seen_by_graphql(scene, ask) -> None:
    """In GraphQL, `runUpkeep` queues steps and rejects unknown ones, `upkeepJobs` and `upkeepRuns` show their state,
    and `upkeepPlan` shows what steps would change.
    """
    mutation = (
        "mutation($steps: [String!]!) { runUpkeep(input: {steps: $steps}) "
        "{ __typename ... on RunUpkeepPayload { job } } }"
    )
    assert "InvalidInputError" == (await ask(mutation, steps=["sweep"]))["data"]["runUpkeep"]["__typename"]
    job = (await ask(mutation, steps=["expire", "fade"]))["data"]["runUpkeep"]["job"]
    waiting = await ask("{ upkeepJobs { name schedule steps step } }")
    assert {"name": job, "schedule": None, "steps": ["expire", "fade"], "step": None} in waiting["data"]["upkeepJobs"]
    await night(scene.service.upkeep)
    answer = await ask("{ upkeepRuns { nodes { job step endedAt failure } } upkeepPlan { step memories } }")
    ours = [node for node in answer["data"]["upkeepRuns"]["nodes"] if node["job"] == job]
    assert ["fade", "expire"] == [node["step"] for node in ours if node["endedAt"] and node["failure"] is None]
    assert {"expire", "fade", "archive_for_entries", "archive_for_size"} == {
        each["step"] for each in answer["data"]["upkeepPlan"]
    }
