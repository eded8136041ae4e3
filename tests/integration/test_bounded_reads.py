"""A page of a long talk costs what a page of a short one does: its statements read in an index's order, and stop."""

from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from datetime import timedelta
from typing import Any

import neo4j
import pytest

from hippograph.graph import database
from hippograph.graph.access.parameters import read_params, request_params
from hippograph.graph.model import ChatKind
from hippograph.graph.people.people import Member
from hippograph.graph.retrieval.filters import NO_FILTERS
from hippograph.graph.writing.recording import Recorded, Turn
from tests.neo4j_servers import db_hits

FEW, MANY = 60, 300
PAGE = 10
READS = {
    *("browse/chat_memories", "browse/session_turns", "timeline/of_chat"),
    *("summary/session_sources.a", "summary/rolling_sources.a", "search/relations"),
}
SCANS = {"AllNodesScan", "NodeByLabelScan", "NodeIndexScan"}


def _operators(plan: Any) -> Iterator[str]:
    yield plan["operatorType"].split("@")[0]
    for child in plan.get("children", []):
        yield from _operators(child)


@pytest.fixture
def cost(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], Awaitable[object]]], Awaitable[Counter[str]]]:
    """How often each statement that a call reads by touched the graph. None scans an index or a label."""
    hits: Counter[str] = Counter()

    async def profiled(session: Any, query: neo4j.Query, arguments: dict[str, object]) -> list[database.Row]:
        text = query.text.replace("CYPHER 25", "CYPHER 25 PROFILE", 1)
        result = await session.run(neo4j.Query(text, query.metadata), arguments)
        rows = await database._rows(result)
        plan = (await result.consume()).profile
        name = query.metadata["statement"]
        hits[name] += db_hits(plan)
        assert name not in READS or not SCANS & set(_operators(plan)), name
        return rows

    async def measured(call: Callable[[], Awaitable[object]]) -> Counter[str]:
        hits.clear()
        with monkeypatch.context() as patch:
            patch.setattr(database, "_read", profiled)
            await call()
        return hits.copy()

    return measured


async def test_a_page_of_a_long_talk_costs_no_more(service, viewer, cost) -> None:
    """Lists of what was said, the sources of summaries, and how two candidates of a search lie in their session."""
    me, now = viewer.person_id, service.clock()
    chat = await service.people.create_chat(viewer, ChatKind.PRIVATE, "long", [Member(me)])
    recorded: list[Recorded] = []

    async def say(turns: int) -> None:
        for number in range(len(recorded), turns):
            at = now - timedelta(days=1) + timedelta(seconds=number)
            said.append(Turn(f"I have seen otter {number}.", me, at, "talk"))
        recorded.extend(await service.recorder.record(viewer, chat.id, said[len(recorded) :]))

    async def read() -> None:
        session = recorded[0].session_id
        await service.browsing.chat_memories(viewer, chat.id, first=PAGE)
        await service.browsing.session_turns(viewer, session, first=PAGE)
        await service.timelines.of_chat(viewer, chat.id, first=PAGE)
        scope = {
            "persona": "",
            "space_id": "",
            "scope": me,
            "group": "",
            "most": PAGE,
            **read_params(viewer, None, clock),
        }
        await service.database.run("summary/session_sources.a", session=session, **scope)
        await service.database.run("summary/rolling_sources.a", **scope)
        beside = {"turns": [turn.memory_id for turn in recorded[:2]], "facts": [], "reach": PAGE, "group": ""}
        await service.database.run(
            "search/relations", **beside, **NO_FILTERS.params(), **request_params(viewer, None, clock)
        )

    said: list[Turn] = []
    clock = service.clock
    await say(FEW)
    few = await cost(read)
    await say(MANY)
    many = await cost(read)
    assert READS <= many.keys()  # what else the service read meanwhile is not asked
    assert {} == {name: (few[name], many[name]) for name in READS if many[name] > 1.2 * few[name]}
