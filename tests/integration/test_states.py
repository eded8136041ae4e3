import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from hippograph.api.graphql.nodes import global_id
from hippograph.graph.errors import InvalidInput, NotFound
from hippograph.graph.ids import new_id
from hippograph.graph.model import INTERNAL, NO_END, Times, Viewer
from hippograph.graph.people.user_state import States, UserState
from hippograph.graph.rights import ALL_RIGHTS

MAY, JUNE, JULY = (datetime(2024, month, 1, tzinfo=UTC) for month in (5, 6, 7))
UPDATE = """
mutation Update($key: String!, $value: String!, $from: DateTime, $persona: ID) {
  updateUserState(input: {key: $key, value: $value, validFrom: $from, personaId: $persona}) {
    __typename
    ... on UpdateUserStatePayload { changed userState { key value validFrom validUntil isCurrent persona { name } } }
    ... on Error { message }
  }
}
"""


async def shown(states: States, viewer: Viewer, times: Times | None = None) -> dict[str, str]:
    """The value of each key."""
    return {found.key: found.value for found in await states.current(viewer, times)}


async def told(states: States, viewer: Viewer, key: str, times: Times | None = None) -> list[UserState]:
    """The whole history of a key, the latest value first."""
    return [listed.item for listed in (await states.history(viewer, key, times, first=100)).items]


def stretches(history: list[UserState]) -> list[tuple[str, datetime, datetime | None]]:
    """Each value of a history with the start and end of its valid time."""
    return [(found.value, found.valid_from, found.valid_until) for found in history]


# --- setting ---


async def test_setting_ends_what_was_and_begins_what_is(service, viewer, raw) -> None:
    """A new value ends the previous one at the moment it begins; each is a node that is linked to the person."""
    states = service.states
    first = (await states.set_state(viewer, "nickname", "Mo")).state
    second = (await states.set_state(viewer, "nickname", "Momo")).state
    assert {"nickname": "Momo"} == await shown(states, viewer)
    history = await told(states, viewer, "nickname")
    assert [("Momo", second.valid_from, None), ("Mo", first.valid_from, second.valid_from)] == stretches(history)
    assert [True, False] == [found.is_current for found in history]
    assert [{"of": viewer.person_id, "count": 2}] == await raw(
        "MATCH (:UserState)-[r:OF]->(p) WHERE r.created_at IS NOT NULL RETURN p.id AS of, count(*) AS count"
    )


async def test_keys_differ_in_more_than_case_and_space(service, viewer) -> None:
    """Keys that differ only in case or surrounding white space are the same; other differences count."""
    for key in ("Preferred_Address", "  preferred_ADDRESS ", "preferred address", "STRASSE", "straße", "имя", "a|b|"):
        await service.states.set_state(viewer, key, key.strip())
    assert {
        "a|b|": "a|b|",
        "preferred address": "preferred address",
        "preferred_address": "preferred_ADDRESS",
        "strasse": "straße",
        "имя": "имя",
    } == await shown(service.states, viewer)


async def test_what_is_no_key_or_value_is_refused(service, viewer, raw) -> None:
    """Empty, too long and invalid texts, times without an offset and the time that stands for no end are refused;
    nothing is written. Texts of the maximum length are accepted.
    """
    refused: list[tuple[Any, ...]] = [
        *((key, "v", None) for key in ("", "  ", "x" * 101, "ß" * 51, "a\x00b", "a\ud83d")),
        *(("k", value, None) for value in ("", " ", "x" * 2001, "a\x00b")),
        ("k", "v", datetime(2024, 1, 1)),  # noqa: DTZ001  # that it lacks an offset is the point
        ("k", "v", NO_END),
    ]
    for key, value, since in refused:
        with pytest.raises(InvalidInput):
            await service.states.set_state(viewer, key, value, valid_from=since)
    assert [{"states": 0}] == await raw("MATCH (s:UserState) RETURN count(s) AS states")
    await service.states.set_state(viewer, "x" * 100, "x" * 2000)


async def test_the_same_again_changes_nothing(service, viewer) -> None:
    """Setting a value that already holds, as of now, of its start or of a later time, writes nothing, so that a write
    can be retried.
    """
    first = await service.states.set_state(viewer, "name", "Maya", valid_from=MAY)
    for since in (None, MAY, JUNE):
        again = await service.states.set_state(viewer, "name", " Maya ", valid_from=since)
        assert (True, False, first.state) == (first.changed, again.changed, again.state)
    assert 1 == len(await told(service.states, viewer, "name"))


# --- the two times ---


async def test_late_news_takes_its_place_in_the_past(service, viewer, clock) -> None:
    """A value with a start in the past holds until the next one begins. Reads as known before do not show it."""
    states = service.states
    await states.set_state(viewer, "city", "Graz", valid_from=MAY)
    await states.set_state(viewer, "city", "Linz", valid_from=JULY)
    before = clock()
    late = await states.set_state(viewer, "city", "Wels", valid_from=JUNE)
    assert (JULY, False) == (late.state.valid_until, late.state.is_current)
    expected = [("Linz", JULY, None), ("Wels", JUNE, JULY), ("Graz", MAY, JUNE)]
    assert expected == stretches(await told(states, viewer, "city"))
    assert {"city": "Linz"} == await shown(states, viewer)
    in_june = JUNE + timedelta(days=3)
    assert {"city": "Wels"} == await shown(states, viewer, Times(in_june, clock()))
    assert {"city": "Graz"} == await shown(states, viewer, Times(in_june, before))
    known_before = await told(states, viewer, "city", Times(in_june, before))
    assert [("Linz", JULY, None), ("Graz", MAY, JULY)] == stretches(known_before)
    assert [False, True] == [found.is_current for found in known_before]
    assert {} == await shown(states, viewer, Times(MAY - timedelta(seconds=1), clock()))


async def test_a_correction_retires_what_it_was_never(service, viewer, clock, raw) -> None:
    """Another value with the same start retires the first one, which only reads of what was known before still show."""
    states = service.states
    await states.set_state(viewer, "name", "Mia", valid_from=MAY)
    before = clock()
    await states.set_state(viewer, "name", "Maya", valid_from=MAY)
    assert [("Maya", MAY, None)] == stretches(await told(states, viewer, "name"))
    assert {"name": "Mia"} == await shown(states, viewer, Times(JUNE, before))
    [row] = await raw("MATCH (s:UserState {value: 'Mia'}) RETURN s.retired_at AS retired_at, s.open_key AS open_key")
    assert (True, None) == (row["retired_at"] < NO_END, row["open_key"])


async def test_what_is_to_come_is_not_yet(service, viewer, clock) -> None:
    """A value that begins in the future ends the current one only then; a value set in between holds until then."""
    states, tomorrow = service.states, clock() + timedelta(days=1)
    await states.set_state(viewer, "mood", "calm", valid_from=MAY)
    assert not (await states.set_state(viewer, "mood", "busy", valid_from=tomorrow)).state.is_current
    assert {"mood": "calm"} == await shown(states, viewer)
    assert (await states.set_state(viewer, "mood", "glad")).state.valid_until == tomorrow
    assert {"mood": "glad"} == await shown(states, viewer)
    assert [False, True, False] == [found.is_current for found in await told(states, viewer, "mood")]
    clock.advance(timedelta(days=2))
    assert {"mood": "busy"} == await shown(states, viewer)


async def test_a_clock_behind_writes_nothing_into_the_past(scene, clock) -> None:
    """A write by a server whose clock is behind is recorded after the earlier write of another server: reads of what
    was known before do not change, and the new value is current.
    """
    states, viewer = scene.service.states, Viewer(scene.maya.id)
    clock.advance(timedelta(minutes=3))
    ahead = (await states.set_state(viewer, "mood", "calm")).state
    clock.reset()
    assert {"mood": "calm"} == await shown(states, viewer)
    behind = (await states.set_state(viewer, "mood", "glad")).state
    assert ahead.created_at < behind.created_at
    assert {"mood": "calm"} == await shown(states, viewer, Times(ahead.valid_from, ahead.created_at))
    assert {"mood": "glad"} == await shown(states, viewer)


# --- whose ---


async def test_nobody_sees_anothers_state(scene) -> None:
    """State is shown to its person alone: neither to another member of their group, nor to viewers with all rights."""
    states = scene.service.states
    await states.set_state(Viewer(scene.maya.id), "nickname", "Mo")
    for other in (scene.viewer(scene.ben), scene.viewer(), Viewer(new_id(), rights=ALL_RIGHTS)):
        assert ({}, []) == (await shown(states, other), await told(states, other, "nickname"))
    assert {"nickname": "Mo"} == await shown(states, scene.viewer(scene.maya))


async def test_who_is_not_there_has_no_state(service, viewer, raw) -> None:
    """Setting a value for a person or persona that does not exist raises `NotFound` and writes nothing."""
    for nobody in (Viewer(new_id()), Viewer(viewer.person_id, persona_id=new_id())):
        with pytest.raises(NotFound):
            await service.states.set_state(nobody, "name", "Maya")
    assert [{"states": 0}] == await raw("MATCH (s:UserState) RETURN count(s) AS states")


async def test_a_personas_value_stands_before_that_of_none(scene) -> None:
    """A read with a persona prefers its values to those of no persona; other personas and reads without one show only
    the latter.
    """
    states, plain = scene.service.states, Viewer(scene.me)
    iris = await scene.service.people.create_persona(INTERNAL, "Iris")
    atlas, other = (Viewer(scene.me, persona_id=persona.id) for persona in (scene.atlas, iris))
    await states.set_state(plain, "nickname", "Mo", valid_from=MAY)
    await states.set_state(plain, "city", "Graz", valid_from=MAY)
    await states.set_state(atlas, "nickname", "Captain", valid_from=JUNE)
    assert {"city": "Graz", "nickname": "Captain"} == await shown(states, atlas)
    for viewer in (plain, other):
        assert {"city": "Graz", "nickname": "Mo"} == await shown(states, viewer)
    assert "Mo" == (await shown(states, atlas, Times(MAY, scene.service.clock())))["nickname"]
    history = await told(states, atlas, "nickname")
    assert [("Captain", True), ("Mo", False)] == [(found.value, found.is_current) for found in history]
    assert [("Mo", True)] == [(found.value, found.is_current) for found in await told(states, plain, "nickname")]


# --- many at once ---


@pytest.mark.parametrize("moments", [[None] * 8, [MAY + timedelta(days=n * 5 % 8) for n in range(8)], [JUNE] * 8])
async def test_writers_at_once_leave_one_current_value(service, viewer, raw, moments) -> None:
    """Eight concurrent writes of a key all succeed. Their values follow one another without a gap, and one is open."""
    states = service.states
    await asyncio.gather(
        *(states.set_state(viewer, "mood", f"mood {n}", valid_from=since) for n, since in enumerate(moments))
    )
    history = await told(states, viewer, "mood")
    assert (8 if moments[0] is None else len(set(moments))) == len(history)
    assert [None, *(found.valid_from for found in history[:-1])] == [found.valid_until for found in history]
    assert {"mood": history[0].value} == await shown(states, viewer)
    assert [{"open": 1}] == await raw("MATCH (s:UserState) RETURN count(s.open_key) AS open")
    [row] = await raw("MATCH (s:UserState) RETURN count(DISTINCT s.created_at) AS moments, count(s) AS nodes")
    # A value that is written anew, with another end, has the record time of the write that ended it.
    assert 8 == row["moments"] <= row["nodes"]


# --- pages and GraphQL ---


async def test_history_in_pages(scene) -> None:
    """Pages of the values of a persona and of none together neither skip nor repeat any while newer values are written.
    A cursor of another key, an invalid cursor and a page size of 0 raise `InvalidInput`.
    """
    states = scene.service.states
    atlas, plain = Viewer(scene.me, persona_id=scene.atlas.id), Viewer(scene.me)
    for n in range(7):
        await states.set_state(atlas if n % 2 else plain, "mood", f"mood {n}", valid_from=MAY + timedelta(days=n // 3))
    found, cursor, more = [], None, True
    while more:
        page = await states.history(atlas, "mood", first=2, after=cursor)
        found += [listed.item.value for listed in page.items]
        cursor, more = page.items[-1].cursor, page.has_next
        await states.set_state(atlas, "mood", f"newer {len(found)}")
    complete = [state.value for state in await told(states, atlas, "mood") if not state.value.startswith("newer")]
    assert complete == found
    assert len(found) >= 5
    for wrong in ({"after": cursor, "key": "other"}, {"after": "x", "key": "mood"}, {"first": 0, "key": "mood"}):
        with pytest.raises(InvalidInput):
            await states.history(atlas, **wrong)


async def test_state_through_graphql(ask, scene, clock) -> None:
    """`updateUserState` sets values. `userState` returns them for now, for a persona, at an earlier valid time and as
    known earlier; `userStateHistory` lists them for a persona.
    """
    atlas = global_id("Persona", scene.atlas.id)
    first = (await ask(UPDATE, **{"key": "Name", "value": "Mia", "from": MAY.isoformat()}))["data"]["updateUserState"]
    assert {"key": "name", "value": "Mia", "validFrom": MAY.isoformat(), "validUntil": None, "isCurrent": True} == {
        name: value for name, value in first["userState"].items() if name != "persona"
    }
    before = clock()
    await ask(UPDATE, **{"key": "name", "value": "Maya", "from": JUNE.isoformat()})
    of_atlas = (await ask(UPDATE, key="name", value="Captain", persona=atlas))["data"]["updateUserState"]
    assert (True, {"name": "Atlas"}) == (of_atlas["changed"], of_atlas["userState"]["persona"])
    answer = await ask(
        "query Q($atlas: ID, $may: DateTime, $before: DateTime) {"
        " now: userState { key value } his: userState(personaId: $atlas) { value }"
        " then: userState(asOf: $may) { value validUntil } known: userState(knownAt: $before) { value }"
        ' userStateHistory(key: " NAME", personaId: $atlas, first: 2) {'
        "   nodes { value isCurrent persona { name } } pageInfo { hasNextPage } } }",
        atlas=atlas,
        may=MAY.isoformat(),
        before=before.isoformat(),
    )
    assert {
        "now": [{"key": "name", "value": "Maya"}],
        "his": [{"value": "Captain"}],
        "then": [{"value": "Mia", "validUntil": JUNE.isoformat()}],
        "known": [{"value": "Mia"}],
        "userStateHistory": {
            "nodes": [
                {"value": "Captain", "isCurrent": True, "persona": {"name": "Atlas"}},
                {"value": "Maya", "isCurrent": False, "persona": None},
            ],
            "pageInfo": {"hasNextPage": True},
        },
    } == answer["data"]


async def test_refusals_are_types(ask, service) -> None:
    """An invalid key and an unknown persona are returned as error types of the mutation's union."""
    answer = (await ask(UPDATE, key=" ", value="x"))["data"]["updateUserState"]
    assert ("InvalidInputError", True) == (answer["__typename"], "empty" in answer["message"])
    answer = (await ask(UPDATE, key="k", value="x", persona=global_id("Persona", new_id())))["data"]["updateUserState"]
    assert "NotFoundError" == answer["__typename"]


async def test_a_secret_is_no_state(scene) -> None:
    """A value that contains a password is refused, and the error does not repeat it (W8)."""
    with pytest.raises(InvalidInput, match="take it out") as error:
        await scene.service.states.set_state(Viewer(scene.maya.id), "login", "my password is tr0ub4dor&3")
    assert "tr0ub4dor" not in str(error.value)
