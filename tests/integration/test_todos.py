"""Todos: extracted from turns or added by hand, due and overdue, closed by hand or by what is said (S7)."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from hippograph.api.graphql.nodes import global_id
from hippograph.graph.errors import InvalidInput, NotFound
from hippograph.graph.ids import new_id
from hippograph.graph.model import Viewer
from hippograph.graph.people.todos import TodoKind, TodoStanding, TodoStatus
from tests.integration.conftest import work_off


async def told(scene: Any, viewer: Viewer | None = None, **more: Any) -> list[tuple[str, str]]:
    """Returns contents and statuses of a viewer's todos, by default of Maya's and with every status."""
    every = {"statuses": tuple(TodoStatus), **more}
    page = await scene.service.todos.all(viewer or Viewer(scene.maya.id), **every)
    return [(listed.item.content, listed.item.status.value) for listed in page.items]


async def say(scene: Any, *words: str, start: float = 0, **more: Any) -> list[Any]:
    """Records turns of Maya, one a minute, by default in her private chat, and runs all jobs; returns the results."""
    more = {"chat": scene.private, **more}
    turns = [await scene.say(each, at=scene.minutes(start + minute), **more) for minute, each in enumerate(words)]
    await work_off(scene.service)
    return turns


async def test_a_promise_is_a_todo(scene) -> None:
    """A promise in a turn becomes an open commitment of its speaker, due on the named day and linked to the turn."""
    [turn] = await say(scene, "I'll send you the report on Friday.")
    [listed] = (await scene.service.todos.all(Viewer(scene.maya.id))).items
    found = listed.item
    assert (TodoKind.COMMITMENT, TodoStatus.OPEN, (turn.memory_id,)) == (found.kind, found.status, found.memory_ids)
    assert (datetime(2024, 3, 8, tzinfo=UTC), TodoStanding.OVERDUE) == (found.due_at, found.standing)


FRAMED = {
    "I promised Ana to help her paint the kitchen": None,
    "My driving test is on 9 May": 9,
    "I have a dentist appointment on Thursday at 9": 7,
}


@pytest.mark.parametrize("words", FRAMED)
async def test_what_fills_a_frame_is_a_todo(scene, raw, words: str) -> None:
    """A promise or a plan becomes one todo with the words of the turn, due on its day, also if the session is
    consolidated twice.
    """
    [turn] = await say(scene, f"{words}.")
    await scene.service.consolidation.ask(scene.viewer(scene.maya, scene.private), turn.session_id)
    await work_off(scene.service)
    [found] = await raw("MATCH (t:Todo) RETURN t.kind AS kind, t.content AS content, t.due_at.day AS due")
    assert {"kind": "commitment", "content": f"{words}.", "due": FRAMED[words]} == found


async def test_an_appointment_is_over_with_its_day(scene) -> None:
    """An appointment whose day is over is neither listed nor in contexts; a duty is overdue instead."""
    await say(scene, "My driving test is on 9 May.", "I have to renew my passport before 9 May", "I'll pay on 9 May")
    left = {"I have to renew my passport before 9 May", "I'll pay on 9 May"}
    assert left == {content for content, _ in await told(scene)}
    assert left == {content for content, _ in await told(scene, overdue=True)}
    here = await scene.service.todos.open_here(Viewer(scene.maya.id, scene.private.id), 10)
    assert left == {todo.content for todo in here}


async def test_an_appointment_that_is_ahead_is_open(scene, clock) -> None:
    """An appointment is open until its day is over."""
    day = clock() + timedelta(days=3)
    await scene.say(f"My driving test is on {day:%-d %B %Y}.", at=clock())
    await work_off(scene.service)
    [(_, status)] = await told(scene)
    assert "open" == status
    clock.advance(timedelta(days=5))
    assert [] == await told(scene)


async def test_a_plan_that_is_said_to_be_done_is_closed(scene) -> None:
    """A todo from a plan is done when a later turn says so with its verb and its object."""
    await say(scene, "I have to renew my passport before 9 May", "I renewed my passport!")
    assert [("I have to renew my passport before 9 May", "done")] == await told(scene)


async def test_a_habit_is_a_todo_without_a_date(scene) -> None:
    """What somebody does regularly becomes one todo of kind habit, without a due time and derived from the fact. A turn
    that says it was done once leaves it open, and consolidating the session again changes nothing.
    """
    turns = await say(scene, "I go swimming every Tuesday.", "I went swimming!")
    await scene.service.consolidation.ask(scene.viewer(scene.maya, scene.private), turns[0].session_id)
    await work_off(scene.service)
    [listed] = (await scene.service.todos.all(Viewer(scene.maya.id))).items
    found = listed.item
    assert (TodoKind.HABIT, TodoStatus.OPEN, None, None) == (found.kind, found.status, found.due_at, found.standing)
    assert "I go swimming every Tuesday" in found.content
    facts = await scene.service.memories.load(Viewer(scene.maya.id), found.memory_ids)
    assert [("habit", found.content)] == [(fact.fact_type, fact.content) for fact in facts.values()]


async def test_reading_again_finds_nothing_twice(scene) -> None:
    """Consolidating a session again leaves its todos unchanged, also if they were dropped."""
    [turn] = await say(scene, "I'll send you the report on Friday.")
    [listed] = (await scene.service.todos.all(Viewer(scene.maya.id))).items
    await scene.service.todos.set_status(Viewer(scene.maya.id), listed.item.id, TodoStatus.DROPPED)
    await scene.service.consolidation.ask(scene.viewer(scene.maya, scene.private), turn.session_id)
    await work_off(scene.service)
    assert [("I'll send you the report on Friday.", "dropped")] == await told(scene)


@pytest.mark.parametrize("done", ["Sent it!", "I've sent the report"])
async def test_what_is_said_to_be_done_is_closed(scene, done: str) -> None:
    """The one open todo that a turn refers to is closed as done. If it is reopened by hand, it stays open when the
    session is consolidated again.
    """
    turns = await say(scene, "I'll send you the report on Friday.", "I'll call the landlord", done)
    assert {("I'll send you the report on Friday.", "done"), ("I'll call the landlord", "open")} == set(
        await told(scene)
    )
    viewer = Viewer(scene.maya.id)
    [sent] = (await scene.service.todos.all(viewer, statuses=[TodoStatus.DONE])).items
    await scene.service.todos.set_status(viewer, sent.item.id, TodoStatus.OPEN)
    await scene.service.consolidation.ask(scene.viewer(scene.maya, scene.private), turns[0].session_id)
    await work_off(scene.service)
    assert {"open"} == {status for _, status in await told(scene)}


@pytest.mark.parametrize(
    "done",
    ["I sent the invoice", "I haven't sent it", "Did I send it?", "I called him", "If only I sent it"],
)
async def test_what_may_be_something_else_closes_nothing(scene, done: str) -> None:
    """A turn about another object or another action, a denial, a question or a wish leaves a todo open."""
    await say(scene, "I'll send you the report on Friday.", done)
    assert ("I'll send you the report on Friday.", "open") in await told(scene)


async def test_of_two_that_may_be_meant_none_is_closed(scene) -> None:
    """If a pronoun may refer to two open todos, both stay open."""
    await say(scene, "I'll send Ana the report", "I'll send Ben the invoice", "Sent it!")
    assert {"open"} == {status for _, status in await told(scene)}


async def test_todos_are_of_who_said_so(scene) -> None:
    """A todo from a turn in a group is its speaker's alone. It is in the context of that group, but not in that of the
    speaker's private chat.
    """
    await say(scene, "I'll book the table for us", chat=scene.group)
    assert [("I'll book the table for us", "open")] == await told(scene)
    assert [] == await told(scene, Viewer(scene.ben.id, scene.group.id))
    here = scene.service.todos.open_here
    assert 1 == len(await here(Viewer(scene.maya.id, scene.group.id), 10))
    assert 0 == len(await here(Viewer(scene.maya.id, scene.private.id), 10))


async def test_a_todo_goes_with_its_source(scene) -> None:
    """When the turn of a todo is forgotten, the todo is no longer listed and cannot be changed."""
    [turn] = await say(scene, "I'll call the landlord")
    viewer = Viewer(scene.maya.id)
    [listed] = (await scene.service.todos.all(viewer)).items
    await scene.service.facts.forget(viewer, turn.memory_id)
    assert [] == await told(scene)
    with pytest.raises(NotFound):
        await scene.service.todos.set_status(viewer, listed.item.id, TodoStatus.DONE)


async def test_todos_are_set_by_hand(scene, clock) -> None:
    """A todo added for a day is upcoming before it, due on it and overdue after it. It is not listed with another
    persona, and another person cannot change it.
    """
    todos, viewer = scene.service.todos, Viewer(scene.maya.id)
    clock.stop()
    today = clock().replace(hour=0, minute=0, second=0, microsecond=0)
    added = await todos.add(viewer, TodoKind.HABIT, "Water the plants", due_at=today + timedelta(days=1))
    assert (TodoStanding.UPCOMING, ()) == (added.standing, added.memory_ids)
    clock.advance(timedelta(days=1))
    [due] = (await todos.all(viewer)).items
    assert TodoStanding.DUE is due.item.standing
    assert [] == await told(scene, overdue=True)
    clock.advance(timedelta(days=1))
    assert [("Water the plants", "open")] == await told(scene, overdue=True)
    assert [] == await told(scene, kinds=[TodoKind.THREAD])
    assert [] == await told(scene, viewer.at(None, scene.atlas.id))
    with pytest.raises(NotFound):
        await todos.set_status(Viewer(scene.ben.id), added.id, TodoStatus.DONE)
    assert TodoStatus.DONE is (await todos.set_status(viewer, added.id, TodoStatus.DONE)).status


async def test_bad_todos_are_refused(scene) -> None:
    """Secrets, empty and overlong contents, and unknown personas are refused, and nothing is written."""
    todos, viewer = scene.service.todos, Viewer(scene.maya.id)
    for content in ("my password is hunter2hunter2", " ", "x" * 501):
        with pytest.raises(InvalidInput):
            await todos.add(viewer, TodoKind.THREAD, content)
    with pytest.raises(NotFound):
        await todos.add(viewer.at(None, new_id()), TodoKind.THREAD, "Call")
    assert [] == await told(scene)


async def test_pages_hold_all_todos_once(scene) -> None:
    """Pages contain each todo once, newest first."""
    todos, viewer = scene.service.todos, Viewer(scene.maya.id)
    for number in range(5):
        await todos.add(viewer, TodoKind.THREAD, f"Number {number}")
    found, after = list[str](), None
    for _ in range(3):
        page = await todos.all(viewer, first=2, after=after)
        found += [listed.item.content for listed in page.items]
        after = page.items[-1].cursor
    assert [f"Number {number}" for number in (4, 3, 2, 1, 0)] == found


async def test_todos_in_graphql(service, ask) -> None:
    """GraphQL adds, lists and closes todos; an unknown one is `NotFoundError`."""
    added = await ask(
        'mutation { addTodo(input: {content: "Call Ana", kind: THREAD}) { ... on TodoPayload { todo { id status } } } }'
    )
    todo = added["data"]["addTodo"]["todo"]
    listed = await ask("{ todos { nodes { id content kind standing foundIn { id } } } }")
    expected = {"id": todo["id"], "content": "Call Ana", "kind": "THREAD", "standing": None, "foundIn": []}
    assert [expected] == listed["data"]["todos"]["nodes"]
    change = "mutation($id: ID!) { setTodoStatus(input: {todoId: $id, status: DONE}) { __typename } }"
    assert "TodoPayload" == (await ask(change, id=todo["id"]))["data"]["setTodoStatus"]["__typename"]
    missing = await ask(change, id=global_id("Todo", new_id()))
    assert "NotFoundError" == missing["data"]["setTodoStatus"]["__typename"]
