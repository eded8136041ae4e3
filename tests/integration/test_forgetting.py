"""Forgetting many memories at once: the plan, the act, its undo and the purge (W12)."""

from datetime import timedelta

import pytest

from hippograph.graph.errors import Conflict, InvalidInput, NotFound
from hippograph.graph.model import MemoryType, Viewer
from hippograph.graph.retrieval.filters import Filters
from hippograph.graph.transfer import forgetting
from hippograph.graph.transfer.forgetting import PLAN_LASTS, Forgetting, ForgettingStatus, Selection
from hippograph.graph.writing.dialogue_file import DialogueFile, FileDialogue, FileTurn
from hippograph.graph.writing.fact import Fact
from hippograph.graph.writing.recording import Turn
from tests.integration.conftest import NOON


async def _done(service, viewer, act: Forgetting) -> Forgetting:
    return await service.forgettings.finished(viewer, act.id)


async def _forget(service, viewer, selection: Selection) -> Forgetting:
    plan = await service.forgettings.plan(viewer, selection)
    return await _done(service, viewer, await service.forgettings.carry_out(viewer, plan.id))


async def _believed(raw) -> set[str]:
    rows = await raw("MATCH (m:Memory) WHERE m.retired_at.year = 9999 RETURN m.content AS content")
    return {row["content"] for row in rows}


async def _state(raw) -> list[object]:
    """Returns all memories but summaries, with their relations and those of entities, without the locks that writes
    leave.
    """
    nodes = await raw(
        "MATCH (m:Memory) WHERE NOT m:Summary WITH m ORDER BY m.id "
        "RETURN m {.id, .content, .retired_at, .retired_by, .changed_by, .live_key, .valid_until, .ended_at, "
        ".sensitivity, .portable, .inferred_labels} AS memory"
    )
    edges = await raw(
        "MATCH (a)-[r:ABOUT|DERIVED_FROM|SUPERSEDES|RELATED_TO]->(b) WITH a, r, b ORDER BY a.id, b.id, type(r) "
        "RETURN a.id AS a, type(r) AS type, b.id AS b, r {.retired_at, .valid_until, .evidence, .said} AS r"
    )
    return [nodes, edges]


@pytest.fixture
async def talk(scene, learn):
    """The scene with two turns in Maya's private chat and two in the group, and the facts extracted from them."""
    private = scene.private
    await scene.say("I live in Oslo.", chat=private, at=scene.minutes(0))
    await scene.say("I love rowing.", chat=private, at=scene.minutes(1))
    await scene.say("I work at Siemens.", at=scene.minutes(2))
    await scene.say("I live in Graz.", by=scene.ben, at=scene.minutes(3))
    await learn()
    return scene


async def test_a_plan_changes_nothing_and_counts_what_is_ones_own(talk, raw):
    """A plan for a group selects only the viewer's own turn and fact there. It returns their counts and examples, and
    changes no memory.
    """
    before = await _state(raw)
    maya = Viewer(talk.maya.id)
    plan = await talk.service.forgettings.plan(maya, Selection(chats=(talk.group.id,)))
    assert {"turns": 1, "facts": 1, "given_up": 0} == {k: plan.counts[k] for k in ("turns", "facts", "given_up")}
    assert plan.status is ForgettingStatus.PLANNED
    assert before == await _state(raw)
    shown = await talk.service.memories.load(Viewer(talk.maya.id, talk.group.id), plan.examples)
    assert any("Siemens" in one.content for one in shown.values())


async def test_what_was_planned_goes_and_nothing_that_came_later(talk, raw):
    """Carrying out a plan forgets the planned turns and their facts, but no turn recorded later or elsewhere."""
    maya, service = Viewer(talk.maya.id), talk.service
    plan = await service.forgettings.plan(maya, Selection(chats=(talk.private.id,)))
    await talk.say("I like tea.", chat=talk.private, at=talk.minutes(5))
    act = await _done(service, maya, await service.forgettings.carry_out(maya, plan.id))
    assert act.status is ForgettingStatus.FORGOTTEN
    left = await _believed(raw)
    assert "I like tea." in left
    assert "I work at Siemens." in left
    assert not {one for one in left if "Oslo" in one or "rowing" in one}


async def test_an_act_is_undone_as_one(talk, raw):
    """An undo restores all memories of an act, with keys, labels and the times of relations."""
    before, maya = await _state(raw), Viewer(talk.maya.id)
    act = await _forget(talk.service, maya, Selection(filters=Filters(statuses=(), after=NOON - timedelta(days=1))))
    assert before != await _state(raw)
    undone = await _done(talk.service, maya, await talk.service.forgettings.undo(maya, act.id))
    assert undone.status is ForgettingStatus.UNDONE
    assert before == await _state(raw)
    assert await talk.service.doctor.examine() == []


async def test_undone_it_makes_room_for_what_was_told_meanwhile(talk, raw):
    """If a fact of the same key was stated after an act, its undo ends the older fact; the later one holds."""
    maya, service = Viewer(talk.maya.id), talk.service
    act = await _forget(service, maya, Selection(chats=(talk.private.id,)))
    await service.facts.remember(maya, [Fact("Lives in Rome", aspect="lives_in", value="Rome")])
    await _done(service, maya, await service.forgettings.undo(maya, act.id))
    rows = await raw(
        "MATCH (m:Memory) WHERE m.claim_key ENDS WITH '|lives_in' AND m.scope = $me AND m.retired_at.year = 9999 "
        "RETURN m.content AS content, m.valid_until.year = 9999 AS holds ORDER BY holds",
        me=talk.maya.id,
    )
    assert [False, True] == [row["holds"] for row in rows]
    assert "Rome" in rows[1]["content"]
    assert await service.doctor.examine() == []


async def test_others_plans_are_nothing(talk):
    """Another person's plan cannot be found, carried out, undone, purged or listed, and a plan never selects another
    person's memories.
    """
    maya, ben, acts = Viewer(talk.maya.id), Viewer(talk.ben.id), talk.service.forgettings
    plan = await acts.plan(maya, Selection(chats=(talk.private.id,)))
    for attempt in (acts.of, acts.carry_out, acts.undo, acts.purge):
        with pytest.raises(NotFound):
            await attempt(ben, plan.id)
    assert [] == (await acts.all(ben)).items
    others = await acts.plan(ben, Selection(chats=(talk.private.id,)))
    assert others.selected == 0
    by_id = await acts.plan(ben, Selection(ids=plan.examples))
    assert by_id.selected == 0


async def test_a_plan_ends_after_a_day(talk, clock):
    """A plan that is older than `PLAN_LASTS` cannot be carried out."""
    maya, acts = Viewer(talk.maya.id), talk.service.forgettings
    plan = await acts.plan(maya, Selection(chats=(talk.private.id,)))
    clock.advance(PLAN_LASTS + timedelta(seconds=1))
    with pytest.raises(NotFound):
        await acts.carry_out(maya, plan.id)


async def test_an_act_is_carried_out_once(talk):
    """An act cannot be carried out twice; after its undo it can be neither undone again nor purged."""
    maya, acts = Viewer(talk.maya.id), talk.service.forgettings
    act = await _forget(talk.service, maya, Selection(chats=(talk.private.id,)))
    with pytest.raises(Conflict):
        await acts.carry_out(maya, act.id)
    await _done(talk.service, maya, await acts.undo(maya, act.id))
    for attempt in (acts.undo, acts.purge):
        with pytest.raises(Conflict):
            await attempt(maya, act.id)


async def test_who_left_the_group_forgets_nothing_there(talk, raw):
    """A plan for a group forgets nothing if its person has left the group before it is carried out."""
    maya, acts = Viewer(talk.maya.id), talk.service.forgettings
    plan = await acts.plan(maya, Selection(chats=(talk.group.id,)))
    assert plan.selected
    await talk.service.people.leave_chat(talk.viewer(), talk.group.id, talk.maya.id)
    await _done(talk.service, maya, await acts.carry_out(maya, plan.id))
    assert "I work at Siemens." in await _believed(raw)


@pytest.mark.parametrize(
    ("selection", "gone"),
    [
        (Selection(filters=Filters(statuses=(), types=(MemoryType.SEMANTIC,))), {"facts"}),
        (Selection(filters=Filters(statuses=(), sources=("conversation",))), {"turns"}),
        (Selection(filters=Filters(statuses=(), before=NOON + timedelta(seconds=30))), {"turns", "facts"}),
    ],
)
async def test_filters_select(talk, selection, gone):
    """The filters of a selection select by type, source and time."""
    plan = await talk.service.forgettings.plan(Viewer(talk.maya.id), selection)
    assert gone == {kind for kind in ("turns", "facts") if plan.counts[kind]}


async def test_an_import_is_forgotten_by_its_name(scene, raw):
    """Forgetting an import by name forgets all its turns, of every speaker, and none of another import."""
    service = scene.service
    viewer = service.viewer()
    for name in ("trip", "work"):
        turns = [FileTurn(f"{n}", who, f"{name} {n} by {who}", NOON) for n, who in enumerate(("Ann", "Bo"))]
        await service.importer.run(viewer, name, DialogueFile([FileDialogue("d", turns)]), me="Ann")
    await _forget(service, viewer, Selection(imported="trip"))
    assert {"work 0 by Ann", "work 1 by Bo"} == await _believed(raw)


def test_a_selection_says_something():
    """A selection of everything, and ids together with another criterion, raise `InvalidInput`."""
    for wrong in ({}, {"ids": ("1",), "chats": ("2",)}, {"given_up": True}):
        with pytest.raises(InvalidInput):
            Selection(**wrong)


async def test_a_thousand_memories_go_at_once(scene, raw):
    """One act forgets 1,000 turns of a chat, and one undo restores them."""
    maya, service = Viewer(scene.maya.id), scene.service
    for start in range(0, 1000, 200):
        turns = [
            Turn(f"Thing {n} happened.", scene.maya.id, event_time=scene.minutes(n)) for n in range(start, start + 200)
        ]
        await service.recorder.record(scene.viewer(scene.maya), scene.private.id, turns)
    act = await _forget(service, maya, Selection(chats=(scene.private.id,)))
    assert act.done == 1000
    assert await _believed(raw) == set()
    await _done(service, maya, await service.forgettings.undo(maya, act.id))
    assert len(await _believed(raw)) == 1000


async def test_all_pages_and_batches_are_gone_through(scene, raw, monkeypatch):
    """With two memories a page and a batch, an act forgets seven turns, some of which have the same time, its undo
    restores them, and a purge deletes them.
    """
    for size in ("_LOOKED_AT", "_AT_ONCE"):
        monkeypatch.setattr(forgetting, size, 2)
    maya, acts = Viewer(scene.maya.id), scene.service.forgettings
    for number in range(7):
        await scene.say(f"Thing {number} happened.", chat=scene.private, at=scene.minutes(number // 3))
    selection = Selection(chats=(scene.private.id,))
    act = await _forget(scene.service, maya, selection)
    assert (7, 7) == (act.counts["turns"], act.done)
    assert set() == await _believed(raw)
    await _done(scene.service, maya, await acts.undo(maya, act.id))
    assert 7 == len(await _believed(raw))
    plan = await acts.plan(maya, selection)
    purged = await _done(scene.service, maya, await acts.purge(maya, plan.id))
    assert (ForgettingStatus.PURGED, 7) == (purged.status, purged.counts["turns"])
    assert [] == await raw("MATCH (m:Memory) RETURN m.id")


async def test_a_plan_of_too_many_memories_is_refused(scene, raw, monkeypatch):
    """A plan may select up to `MOST_PLANNED` memories. With more it is refused and deleted, and no memory changes."""
    monkeypatch.setattr(forgetting, "MOST_PLANNED", 2)
    maya, acts, selection = Viewer(scene.maya.id), scene.service.forgettings, Selection(chats=(scene.private.id,))
    for number in range(2):
        await scene.say(f"Thing {number} happened.", chat=scene.private)
    plan = await acts.plan(maya, selection)
    assert 2 == plan.selected
    await scene.say("One more thing happened.", chat=scene.private)
    with pytest.raises(InvalidInput, match="more than 2 memories"):
        await acts.plan(maya, selection)
    assert [plan.id] == [listed.item.id for listed in (await acts.all(maya)).items]
    assert 3 == len(await _believed(raw))


ACT = "{ __typename ... on ForgettingPayload { forgetting { id status selected done asked counts { kind count } "
ACT += "examples { content } } } ... on Error { code } }"


async def test_over_graphql(scene, ask, raw):
    """In GraphQL, an act can be planned, carried out, listed, undone and purged."""
    service, me = scene.service, scene.service.viewer()
    await service.facts.remember(me, [Fact("I like zorblatt tea"), Fact("I like rowing", tags=("sport",))])

    async def act(name: str, given: dict[str, object]) -> dict[str, object]:
        kind = "PlanForgettingInput" if name == "planForgetting" else "ForgettingInput"
        answer = await ask(f"mutation ($i: {kind}!) {{ {name}(input: $i) {ACT} }}", i=given)
        assert "errors" not in answer, answer
        return answer["data"][name].get("forgetting") or answer["data"][name]

    plan = await act("planForgetting", {"filter": {"tags": ["sport"]}})
    assert ("PLANNED", 1, ["tags sport"]) == (plan["status"], plan["selected"], plan["asked"])
    assert [{"content": "I like rowing"}] == plan["examples"]
    given = {"id": plan["id"]}
    assert "FORGOTTEN" == (await act("carryOutForgetting", given))["status"]
    assert {"I like zorblatt tea"} == await _believed(raw)
    listed = (await ask("{ forgettings { nodes { id status } } }"))["data"]["forgettings"]["nodes"]
    assert [{"id": plan["id"], "status": "FORGOTTEN"}] == listed
    assert "UNDONE" == (await act("undoForgetting", given))["status"]
    assert "CONFLICT" == (await act("purgeForgotten", given))["code"]
    again = await act("planForgetting", {"filter": {"tags": ["sport"]}})
    assert "PURGED" == (await act("purgeForgotten", {"id": again["id"]}))["status"]
    assert [] == await raw("MATCH (m:Memory) WHERE m.content CONTAINS 'rowing' RETURN m.id")
    one = (await ask("query ($i: ID!) { forgetting(id: $i) { status asked } }", i=again["id"]))["data"]["forgetting"]
    assert {"status": "PURGED", "asked": []} == one
    assert "INVALID_INPUT" == (await act("planForgetting", {}))["code"]
