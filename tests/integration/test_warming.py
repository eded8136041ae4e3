"""Planning of statements in advance, before a request needs them."""

import asyncio
from typing import Any
from unittest.mock import patch

from hippograph.api.cli.server import warming
from hippograph.api.cli.server.warming import REQUESTS, SEARCH, planning, to_plan, warm_up
from hippograph.api.service import Service
from hippograph.graph.errors import DatabaseFailed
from hippograph.nlp.questions.intent import Intent
from tests.integration.conftest import statements_of

READS = """
query Read($chat: ID!, $key: String!, $memory: ID!) {
  context(query: "Why did Lena move to Trieste?", chatId: $chat) { text }
  entityCard(key: $key, chatId: $chat) { text summary { content } relations { nodes { predicate } } }
  timeline(key: $key, first: 5) { nodes { id } }
  explain(memoryId: $memory) { sources { memoryId } }
  memoriesAbout(query: "What does Ben do?", first: 5) { nodes { id } }
  weakFacts(first: 5) { nodes { memory { id } } }
  archiveSearch(query: "Trieste") { nodes { id } }
  chats { nodes { id sessions(first: 5) { nodes { id turns { nodes { id } } } } } }
  entities { nodes { key } }
  suggestMerges { nodes { reason } }
  blocks { name } userState { key } todos { nodes { id } } summaries(chatId: $chat) { __typename }
  stats { memories entities }
}
"""
WRITES = """
mutation Write($chat: ID!) {
  recordMessage(input: {chatId: $chat, content: "Lena paints."}) { ... on RecordMessagePayload { memoryId } }
  rememberFact(input: {fact: {content: "Lena lives in Trieste."}}) { ... on RememberFactPayload { memoryId } }
}
"""


async def test_what_searches_run_is_planned_at_the_start(scene: Any, service: Service, learn: Any) -> None:
    """A search with each intent about a known entity runs only statements that are planned at the start."""
    await scene.say("Lena lives in Trieste because she found work.", by=scene.ben)
    await scene.say("Lena starts on Monday.", by=scene.maya)
    await learn()
    with statements_of(service) as ran:
        for intent in Intent:
            page = await service.search.search(scene.viewer(), "What did Lena do in Trieste?", intent=intent)
            assert any("Trieste" in result.memory.content for result in page.results)
    assert {"search/walked.a", "search/entity.a"} < set(ran)
    assert not set(ran) - set(to_plan(service, SEARCH))


async def test_what_requests_run_is_planned_behind(scene: Any, ask: Any, service: Service, learn: Any) -> None:
    """Reads and writes of a first visit run only statements that are planned, at the start or in the background."""
    told = await scene.say("Lena lives in Trieste because she found work.")
    await learn()
    where = {"chat": scene.group.id, "key": "person:maya_lindqvist", "memory": told.memory_id}
    with statements_of(service) as ran:
        read = await ask(READS, **where)
        written = await ask(WRITES, chat=scene.group.id)
    assert [None, None] == [read.get("errors"), written.get("errors")]
    statements = set(ran) & set(service.database.names())
    assert len(statements) > 20
    assert not statements - set(to_plan(service, (*SEARCH, *REQUESTS)))


async def test_a_statement_that_cannot_be_planned_stops_nothing(service: Service) -> None:
    """If the database refuses to plan, the service starts nevertheless, and tries every other statement in order."""
    everything, planned = to_plan(service, (*SEARCH, *REQUESTS)), list[str]()
    done = asyncio.Event()

    async def refuse(name: str) -> None:
        planned.append(name)
        if len(planned) == len(everything):
            done.set()
        raise DatabaseFailed("no")

    with patch.object(type(service.database), "plan", side_effect=refuse), patch.object(warming, "_QUIET_S", 0):
        await warm_up(service)
        async with planning(service):
            await done.wait()
    assert everything == planned


async def test_planning_runs_nothing(service: Service, raw: Any) -> None:
    """Planning a statement that writes creates nothing in the graph."""
    before = await raw("MATCH (n) RETURN count(n) AS nodes")
    await service.database.plan("people/create_person")
    assert before == await raw("MATCH (n) RETURN count(n) AS nodes")


async def test_planning_waits_while_something_is_asked(service: Service) -> None:
    """Statements are planned only once no other has run for `_QUIET_S` seconds, those of searches first."""
    planned, asking, begun = list[str](), True, asyncio.Event()

    async def note(name: str) -> None:
        planned.append(name)
        begun.set()

    async def ask() -> None:
        while asking:
            await service.database.run("migration/applied")

    with patch.object(type(service.database), "plan", side_effect=note), patch.object(warming, "_QUIET_S", 0.3):
        asked = asyncio.create_task(ask())
        async with planning(service):
            await asyncio.sleep(1)
            assert planned == []
            asking = False
            await asked
            await begun.wait()
    assert planned[0] == to_plan(service, SEARCH)[0]
