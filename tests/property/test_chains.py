"""The chain of turns over sessions, against a model in Python, for turns that arrive late and in any order (M11)."""

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from hippograph.api.service import Service
from hippograph.graph.jobs.wipe import wipe
from hippograph.graph.model import INTERNAL, ChatKind, Viewer
from hippograph.graph.people.people import Member
from hippograph.graph.writing.recording import Turn
from tests.neo4j_servers import driver_of

Raw = Callable[..., Awaitable[list[dict[str, Any]]]]
START = datetime(2024, 1, 1, tzinfo=UTC)
LINKS = (
    "MATCH (a:Memory {learned_in: $chat})-[:TEMPORAL]->(b:Memory) "
    "RETURN toInteger(a.content) AS earlier, toInteger(b.content) AS later"
)


@dataclass(frozen=True)
class Said:
    """A turn said some minutes after the start, to a persona or to none. `word` is the caller's name of the session;
    None leaves the session to the service.
    """

    minute: int
    to_persona: bool
    word: str | None


sayings = st.builds(
    Said,
    minute=st.integers(0, 300),
    # Mostly without a persona, so that one chain gets most turns.
    to_persona=st.sampled_from([False, False, False, True]),
    word=st.sampled_from([None, None, None, "a", "b"]),
)


def expected(said: list[Said], sessions: list[str]) -> set[tuple[int, int]]:
    """Returns the expected links: turns of a session by time, sessions of a persona by their first turn."""
    links = set()
    for persona in (False, True):
        turns: dict[str, list[int]] = {}
        for number, each in enumerate(said):
            if each.to_persona is persona:
                turns.setdefault(sessions[number], []).append(number)
        for of in turns.values():
            of.sort(key=lambda number: (said[number].minute, number))
        in_order = sorted(turns, key=lambda session: (said[turns[session][0]].minute, session))
        chain = [number for session in in_order for number in turns[session]]
        links |= set(pairwise(chain))
    return links


@pytest.fixture(scope="module")
async def raw(shared_service: Service) -> AsyncIterator[Raw]:
    """Runs any Cypher, in a graph that all examples share; it is emptied before and after."""
    await wipe(shared_service.database, shared_service.local_user.id)
    async with driver_of(shared_service.connection) as driver:

        async def run(text: str, **params: Any) -> list[dict[str, Any]]:
            async with driver.session() as session:
                return [record.data() async for record in await session.run(text, params)]

        yield run
    await wipe(shared_service.database, shared_service.local_user.id)


@settings(
    max_examples=settings().max_examples // 5,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
)
@given(said=st.lists(sayings, min_size=2, max_size=12))
async def test_turns_follow_each_other_over_sessions(shared_service: Service, raw: Raw, said: list[Said]) -> None:
    """Each turn is linked to the next of its session, and the last to the first turn of the next session of the same
    chat and persona. The doctor's checks find nothing.
    """
    people, database = shared_service.people, shared_service.database
    ann = await people.create_person(INTERNAL, "Ann")
    persona = await people.create_persona(INTERNAL, "Atlas")
    chat = await people.create_chat(INTERNAL, ChatKind.GROUP, "talk", [Member(ann.id, START)])
    sessions = []
    for number, each in enumerate(said):
        turn = Turn(str(number), ann.id, event_time=START + timedelta(minutes=each.minute), session_id=each.word)
        to = persona.id if each.to_persona else None
        [stored] = await shared_service.recorder.record(Viewer(ann.id), chat.id, [turn], to)
        sessions.append(stored.session_id)

    async def links() -> set[tuple[int, int]]:
        return {(row["earlier"], row["later"]) for row in await raw(LINKS, chat=chat.id)}

    assert expected(said, sessions) == await links()
    for check in ("check/broken_chains", "check/broken_session_chains"):
        assert [{"found": 0, "examples": []}] == await database.run(check)
