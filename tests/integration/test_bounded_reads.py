"""A page of a long talk costs as much as a page of a short one: its statements read in the order of an index, and stop.
No statement that a request waits for reads a whole index or label.
"""

from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field, replace
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
WAITED_FOR = {"context", "enrichment", "entity", "memory", "search"}
"""The areas of the statements that a person waits for who says or asks something."""
SCANS = {"AllNodesScan", "NodeByLabelScan", "NodeIndexScan"}


@dataclass
class Profiles:
    """The database hits of each statement, by its name, and the names of those that read a whole index or label."""

    hits: Counter[str] = field(default_factory=Counter)
    scanning: set[str] = field(default_factory=set)

    def add(self, name: str, plan: Any) -> None:
        """Adds the profiled plan of one run of a statement."""
        self.hits[name] += db_hits(plan)
        if SCANS.intersection(_operators(plan)):
            self.scanning.add(name)


Profiled = Callable[[Callable[[], Awaitable[object]]], Awaitable[Profiles]]


def _operators(plan: Any) -> Iterator[str]:
    yield plan["operatorType"].split("@")[0]
    for child in plan.get("children", []):
        yield from _operators(child)


@pytest.fixture
def profiled(monkeypatch: pytest.MonkeyPatch) -> Profiled:
    """Returns a function that awaits a call and returns the profiles of the statements that it ran."""

    async def measured(call: Callable[[], Awaitable[object]]) -> Profiles:
        profiles = Profiles()

        async def rows(result: neo4j.AsyncResult, name: str) -> list[database.Row]:
            found = await database._rows(result)
            profiles.add(name, (await result.consume()).profile)
            return found

        async def read(session: Any, query: Any, arguments: dict[str, object]) -> list[database.Row]:
            name = query.metadata["statement"]
            return await rows(await session.run(neo4j.Query(_profile(query.text), query.metadata), arguments), name)

        async def run(transaction: Any, statement: Any, params: Any) -> list[database.Row]:
            return await rows(
                await transaction.run(_profile(statement.text), statement.arguments(params)), statement.name
            )

        with monkeypatch.context() as patch:
            patch.setattr(database, "_read", read)
            patch.setattr(database, "_run", run)
            await call()
        return profiles

    return measured


def _profile(text: str) -> str:
    return text.replace("CYPHER 25", "CYPHER 25 PROFILE", 1)


async def test_what_a_turn_and_a_question_wait_for_scans_nothing(service, viewer, profiled) -> None:
    """No statement of the areas `WAITED_FOR` reads a whole index or label while a turn is recorded and enriched, and a
    search and a context are made.
    """
    chat = await service.people.create_chat(viewer, ChatKind.GROUP, "all", [Member(viewer.person_id)])
    here = replace(viewer, chat_id=chat.id)

    async def talk() -> None:
        await service.recorder.record(here, chat.id, [Turn("My sister Ana lives in Graz.", viewer.person_id)])
        await service.runner.work_until_idle()
        await service.search.search(here, "Where does Ana live?", first=PAGE)
        await service.contexts.context(here, "Where does Ana live?")
        await service.sessions.close(here, chat.id)
        await service.runner.work_until_idle()

    scanning = (await profiled(talk)).scanning
    assert {name for name in scanning if name.split("/")[0] in WAITED_FOR} == set()


async def test_a_page_of_a_long_talk_costs_no_more(service, viewer, profiled) -> None:
    """With five times as many turns in a chat, each statement of `READS` takes at most 20 % more database hits: pages
    of turns, the sources of summaries, and the relations between two candidates of a search.
    """
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
    few = (await profiled(read)).hits
    await say(MANY)
    many = (await profiled(read)).hits
    assert READS <= many.keys()  # other statements that ran meanwhile are not compared
    assert {} == {name: (few[name], many[name]) for name in READS if many[name] > 1.2 * few[name]}
