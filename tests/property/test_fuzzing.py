"""Runs operations that hypothesis generates from the schema against the service: no internal error, and no leak.

All data that only Ada may know contains a word that occurs nowhere else. The values of arguments are random, or what an
attacker would try: ids of Ada's data, keys, names and questions.
"""

import re
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import graphql
import httpx
import pytest
from hypothesis import HealthCheck, Phase, event, given, settings
from hypothesis import strategies as st
from hypothesis_graphql import Mode, from_schema, nodes, queries

from hippograph.api.global_ids import global_id
from hippograph.api.service import Service
from hippograph.api.viewer import Credentials
from hippograph.api.web.http import create_app
from hippograph.graph.jobs.wipe import wipe
from hippograph.graph.model import INTERNAL, ChatKind, Sensitivity, Viewer
from hippograph.graph.people.people import Member
from hippograph.graph.people.todos import TodoKind
from hippograph.graph.rights import ALL_RIGHTS
from hippograph.graph.writing.fact import Fact
from hippograph.graph.writing.recording import Turn

OPERATIONS = settings().max_examples // 5
SECRET = "zanzibarine"
TRIED = settings(
    max_examples=OPERATIONS,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
)
ROOT = Path(__file__).parent.parent.parent
SCHEMA = (ROOT / "schema.graphql").read_text("utf-8")

# Built-in scalars are renamed, because values can be set for custom scalars only.
_OWN = {"ID": "AnyId", "String": "AnyString", "Int": "AnyInt"}
FUZZED = re.sub(
    r"\b(ID|String|Int)\b(?=[!\]\s)]*(?:=|$|\n|,|\)|@))",
    lambda found: _OWN[found[1]],
    re.sub(r'"""(?s:.*?)"""', "", SCHEMA),
) + "".join(f"\nscalar {name}" for name in _OWN.values())

NAMES = [
    "Ada",
    "ada",
    "@ada",
    "person:ada",
    "Eve",
    "person:eve",
    "active_context",
    "mood",
    "works_as",
    "last_week",
    "*",
]
QUESTIONS = ["What does Ada do?", "Why did Ada leave?", "When was Ada there?", "Who is with Ada?", "2024-03-04", ""]
MOMENTS = ["2024-03-04", "2024-03-04T12:00:00Z", "9999-12-31T23:59:59Z", "0001-01-01T00:00:00+14:00", "now", ""]


@dataclass
class World:
    """A client of the service, the API keys of Ada and Eve, and global ids of Ada's data."""

    client: httpx.AsyncClient
    ada: str
    eve: str
    ids: list[str]


@pytest.fixture(scope="module")
async def world(shared_service: Service) -> AsyncIterator[World]:
    """A graph in which Ada has private data, and Eve has an account and shares a group with her."""
    service = replace(shared_service, authenticator=Credentials(shared_service.people, shared_service.api_keys, None))
    await wipe(service.database, service.local_user.id)
    ids = await _ada(service)
    keys = {name: (await service.api_keys.create(name, "a test"))[1] for name in ("ada", "eve")}
    app = create_app(service)
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://localhost") as c,
    ):
        yield World(c, keys["ada"], keys["eve"], ids)
    await wipe(service.database, service.local_user.id)


async def _ada(service: Service) -> list[str]:
    """Stores Ada's data, and returns the global ids of it and of both people."""
    people = service.people
    ada, eve = [await people.with_account(name, name.title()) for name in ("ada", "eve")]
    private = await people.create_chat(INTERNAL, ChatKind.PRIVATE, f"About {SECRET}", [Member(ada)])
    group = await people.create_chat(INTERNAL, ChatKind.GROUP, "Both", [Member(ada), Member(eve)])
    me = Viewer(ada, private.id, None, ALL_RIGHTS)
    said = await service.recorder.record(
        me, private.id, [Turn(f"I saw the {SECRET} {number} times.", ada) for number in range(3)]
    )
    told = await service.facts.remember(
        Viewer(ada),
        [Fact(f"I have {SECRET} {part}", sensitivity=Sensitivity.SENSITIVE) for part in ("fever", "pains")],
    )
    old = await service.facts.correct(Viewer(ada), told[0].memory_id, f"I had {SECRET} fever")
    await service.facts.pin(Viewer(ada), told[1].memory_id)
    state = await service.states.set_state(Viewer(ada), "mood", SECRET)
    await service.blocks.write(Viewer(ada), "active_context", f"thinks of {SECRET}")
    todo = await service.todos.add(Viewer(ada), TodoKind.COMMITMENT, f"Buy {SECRET}")
    await service.runner.work_until_idle()
    memories = [each.memory_id for each in (*said, *told)] + [old]
    return [
        *(global_id("Memory", memory) for memory in memories),
        *(global_id("Chat", chat.id) for chat in (private, group)),
        *(global_id("Person", person) for person in (ada, eve)),
        global_id("UserState", state.state.id),
        global_id("Todo", todo.id),
    ]


@pytest.fixture(scope="module")
def scalars(world: World) -> dict[str, st.SearchStrategy[Any]]:
    """Strategies for the values of arguments, by scalar type."""
    values: dict[str, Any] = {
        "AnyId": st.sampled_from(world.ids) | st.sampled_from(world.ids) | st.text(max_size=40),
        "AnyString": st.sampled_from(NAMES) | st.sampled_from(QUESTIONS) | st.text(max_size=40),
        "AnyInt": st.integers(0, 5) | st.integers(-(2**31), 2**31 - 1),
        "DateTime": st.sampled_from(MOMENTS),
        "Date": st.sampled_from(MOMENTS),
        "JSON": st.text(max_size=10),
    }
    made: dict[str, Callable[[Any], graphql.ValueNode]] = {"AnyInt": nodes.Int}
    return {name: each.map(made.get(name, nodes.String)) for name, each in values.items()}


async def _ask(world: World, key: str | None, document: str) -> httpx.Response:
    headers = {"authorization": f"Bearer {key}"} if key else {}
    answer = await world.client.post("/graphql", json={"query": document}, headers=headers)
    assert 500 > answer.status_code, document
    assert "INTERNAL" not in {error.get("extensions", {}).get("code") for error in answer.json().get("errors", [])}, (
        document
    )
    return answer


@pytest.mark.parametrize("mode", [Mode.POSITIVE, Mode.NEGATIVE])
@TRIED
@given(data=st.data())
async def test_a_stranger_learns_nothing(
    world: World, scalars: dict[str, st.SearchStrategy[Any]], mode: Mode, data: st.DataObject
) -> None:
    """No operation of Eve's, valid or not, returns the secret word of Ada's data, or ends in an internal error."""
    answer = await _ask(world, world.eve, data.draw(from_schema(FUZZED, custom_scalars=scalars, mode=mode)))
    event(f"{answer.status_code}, {'answered' if answer.json().get('data') else 'refused'}")
    assert SECRET not in answer.text.casefold()


@TRIED
@given(data=st.data())
async def test_without_a_credential_nothing_is_said(
    world: World, scalars: dict[str, st.SearchStrategy[Any]], data: st.DataObject
) -> None:
    """Any operation with a missing, forged or unknown key gets status 401, without the secret word."""
    forged = world.ada[:-1] + ("A" if world.ada[-1] != "A" else "B")
    key = data.draw(st.sampled_from([None, forged, "hippo_" + "0" * 32, "x"]))
    answer = await _ask(world, key, data.draw(from_schema(FUZZED, custom_scalars=scalars)))
    assert 401 == answer.status_code
    assert SECRET not in answer.text.casefold()


@TRIED
@given(data=st.data())
async def test_who_may_know_is_answered(
    world: World, scalars: dict[str, st.SearchStrategy[Any]], data: st.DataObject
) -> None:
    """No query of Ada's ends in an internal error."""
    await _ask(world, world.ada, data.draw(queries(FUZZED, custom_scalars=scalars)))


async def test_who_may_know_reads_it(world: World) -> None:
    """A search of Ada's returns the secret word, so the other tests could find a leak."""
    answer = await _ask(world, world.ada, '{ search(query: "fever") { nodes { content } } }')
    assert SECRET in answer.text
