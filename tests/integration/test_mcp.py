"""The MCP server: the SDK's client over both transports, credentials, visibility, and an agent that has only tools."""

import json
import re
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from mcp import Client, StdioServerParameters
from pydantic import TypeAdapter

from hippograph.api.mcp.server import INSTRUCTIONS
from hippograph.api.service import Service
from hippograph.api.viewer import Credentials
from hippograph.api.web.rate_limit import RateLimit
from hippograph.graph.model import Person, Sensitivity, Viewer
from hippograph.graph.rights import ALL_RIGHTS, NO_RIGHTS
from hippograph.graph.writing.dialogue_file import DialogueFile
from hippograph.graph.writing.fact import Fact
from tests.agents import Agent, Told, over_http, within
from tests.conftest import own_settings

TOOLS = {
    "get_context",
    "search_memory",
    "get_entity_info",
    "explain_fact",
    "weak_facts",
    "memory_stats",
    "record_turns",
    "close_session",
    "remember_fact",
    "correct_fact",
    "update_memory",
    "mark_memory",
    "purge",
    "forget",
    "block_write",
    "block_read",
    "block_delete",
    "update_user_state",
    "user_state_history",
    "todo_write",
    "todo_list",
    "person_write",
}
# --- what an agent is told ---


async def test_tools_say_what_they_take(agent: Agent) -> None:
    """Each tool has a description of at most 25 words, annotations, a compact input schema that allows no other
    arguments, and no output schema.
    """
    listed = (await agent.client.list_tools()).tools
    assert {tool.name for tool in listed} == TOOLS
    for tool in listed:
        assert tool.description
        assert len(tool.description.split()) <= 25
        assert tool.output_schema is None
        assert tool.annotations is not None
        assert False is tool.input_schema["additionalProperties"]
        assert "call" not in tool.input_schema["properties"]
        assert not re.search(r'"(title|default|\$ref|anyOf)"', json.dumps(tool.input_schema))


async def test_tools_cost_an_agent_little(service: Service, agent: Agent) -> None:
    """Names, descriptions and input schemas of all tools are fewer than 4,000 tokens of bge-small's tokenizer."""
    listed = (await agent.client.list_tools()).tools
    texts = [
        f"{tool.name}\n{tool.description}\n{json.dumps(tool.input_schema, separators=(',', ':'))}" for tool in listed
    ]
    assert service.settings.embedding_model == "bge-small-en-v1.5"
    assert 1_000 < sum(map(service.count_tokens, texts)) < 4_000


async def test_instructions_teach_the_recall_protocol(agent: Agent) -> None:
    """The instructions describe the rounds of recall and what to do afterwards, and name only tools that exist."""
    assert INSTRUCTIONS == agent.client.instructions
    for word in ("synonyms", "Three\n   rounds", "reinforce", "demote", "record_turns", "close_session"):
        assert word in INSTRUCTIONS
    arguments = {"as_of", "known_at"}
    named = {name for name in re.findall(r"`([a-z_]+)`", INSTRUCTIONS) if "_" in name}
    assert named - arguments <= TOOLS


# --- remembering and recalling ---


async def test_a_fact_is_remembered_and_found(agent: Agent) -> None:
    """An agent finds a fact that it remembered, with a short id that other tools accept."""
    stored = await agent.call("remember_fact", content="Ada prefers trains to planes.", tags=["travel"])
    assert "preference" == stored["kind"]
    assert "confirmed" not in stored
    [result] = (await agent.call("search_memory", query="trains", tags=["travel"]))["results"]
    assert stored["id"] == result["id"]
    assert "until" not in result
    context = await agent.text("get_context", query="How does Ada like to travel?")
    [inner] = re.findall(r"\[id:(\w+)\]", context)
    assert stored["id"] == inner
    explained = await agent.call("explain_fact", memory_id=inner)
    assert "Ada prefers trains to planes." == explained["chain"][0]["text"]


async def test_given_kinds_stand(agent: Agent) -> None:
    """A kind given by the agent replaces the one that would be derived from the words."""
    stored = await agent.call("remember_fact", content="Ada prefers trains this week.", kind="context")
    assert "context" == stored["kind"]


async def test_a_fact_changes_in_every_way(service: Service, agent: Agent) -> None:
    """A fact is marked, reworded, tagged, corrected and forgotten; the next call sees each change."""
    told = {"content": "Ada lives in Graz.", "aspect": "lives_in", "value": "Graz"}
    stored = (await agent.call("remember_fact", **told))["id"]
    for mark in ("reinforce", "demote", "confirm", "pin"):
        assert [stored] == (await agent.call("mark_memory", memory_ids=[stored], mark=mark))["marked"]
    viewer = service.viewer()
    inner = await service.memories.called(viewer, stored)
    kept = (await service.browsing.memories(viewer, [inner]))[inner]
    assert (2, 1.0, True) == (kept.score, kept.confidence, kept.pinned_by_viewer)
    [pinned] = (await agent.call("search_memory", query="Graz"))["results"]
    assert pinned["pinned"]
    assert "Graz" in await agent.text("get_context", query="kites")
    await agent.call("mark_memory", memory_ids=[stored], mark="unpin")
    await agent.call("update_memory", memory_id=stored, content="Ada lives in Graz, Austria.", value="Graz")
    await agent.call("update_memory", memory_id=stored, tags=["home"])
    [found] = (await agent.call("search_memory", query="Graz", tags=["home"]))["results"]
    assert "pinned" not in found
    corrected = (await agent.call("correct_fact", memory_id=stored, content="Ada lives in Linz.", value="Linz"))["id"]
    explained = await agent.call("explain_fact", memory_id=corrected)
    assert ["Ada lives in Graz, Austria.", "Ada lives in Linz."] == sorted(s["text"] for s in explained["chain"])
    await agent.call("forget", memory_id=corrected)
    assert [] == (await agent.call("search_memory", query="Where does Ada live?"))["results"]


async def test_a_group_fact_belongs_to_the_chat(scene: Any) -> None:
    """A fact stored for the chat is found by another member there; `about` accepts the name of a person."""
    async with within(scene.service) as agent:
        told = {"content": "Ben plays chess.", "about": ["Ben Okafor"], "chat": "Friday Table", "for_chat": True}
        await agent.call("remember_fact", **told)
    async with within(scene.service, Viewer(scene.maya.id)) as hers:
        found = await hers.call("search_memory", query="chess", chat="Friday Table")
        assert ["Ben plays chess."] == [result["text"] for result in found["results"]]


async def test_an_entity_is_known_by_name_and_key(scene: Any) -> None:
    """An entity is found by name, username or key; an unknown name is refused with NOT_FOUND."""
    async with within(scene.service) as agent:
        fact = {"content": "Ben runs a bakery.", "about": ["person:ben_okafor"], "importance": 2}
        await agent.call("remember_fact", **fact)
        for name in ("person:ben_okafor", "Ben Okafor", "@ben"):
            told = await agent.call("get_entity_info", entity=name)
            assert "person:ben_okafor" == told["key"]
            assert ["Ben runs a bakery."] == [each["text"] for each in told["facts"]]
        assert "NOT_FOUND" in await agent.refused("get_entity_info", entity="Zebedee")


async def test_a_turn_whose_fact_has_ended_says_so(scene: Any, drain: Any) -> None:
    """A found turn whose fact has ended has the reason, the time, and the memory that holds now; without such a memory,
    the reason and the time alone. Other results have nothing of it.
    """
    maya, facts = Viewer(scene.maya.id), scene.service.facts
    turn = await scene.say("I live in Linz.", at=scene.minutes(0), chat=scene.private)
    for town, minute, evidence in (("Linz", 0, (turn.memory_id,)), ("Graz", 20, ())):
        since = scene.minutes(minute)
        fact = Fact(f"Maya lives in {town}", aspect="lives_in", value=town, valid_from=since, evidence=evidence)
        [new] = await facts.remember(maya, [fact])
    await drain()

    async def outdated(agent: Agent) -> dict[str, Told]:
        results = (await agent.call("search_memory", query="Where does Maya live? In Linz?"))["results"]
        return {each["text"]: each["outdated"] for each in results if "outdated" in each}

    ended = {"reason": "ended", "since": "2024-03-04T12:20Z"}
    async with within(scene.service, maya) as agent:
        [(text, told)] = (await outdated(agent)).items()
        now = told.pop("now")
        assert ("I live in Linz.", ended, "Maya lives in Graz") == (text, told, now["text"])
        assert new.memory_id.startswith(now["id"])
        await agent.call("forget", memory_id=now["id"])
        assert {"I live in Linz.": ended} == await outdated(agent)


async def test_a_card_has_the_relations_of_its_entity(scene: Any, drain: Any) -> None:
    """The cards of both ends of a relation list it with its predicate and its evidence. On the cards that another
    person gets, a relation that was told in private is absent.
    """
    ends = {"source": scene.ben.key, "predicate": "brother_of", "target": scene.maya.key}
    await scene.say("Hello, Ben!")  # whom Maya means by the name in private too
    await drain()
    async with within(scene.service, Viewer(scene.maya.id)) as hers, within(scene.service, Viewer(scene.ben.id)) as his:
        told = await hers.call("remember_fact", content="Ben Okafor is my brother.")
        for entity in (scene.maya.key, scene.ben.key):
            known = await hers.call("get_entity_info", entity=entity)
            assert [{**ends, "evidence": [told["id"]]}] == known["relations"]
            assert "relations" not in await his.call("get_entity_info", entity=entity)


async def test_user_state_has_a_history(agent: Agent) -> None:
    """A new value of the user's state replaces the one before, which stays in the history."""
    await agent.call("update_user_state", key="nickname", value="Addie")
    changed = await agent.call("update_user_state", key="nickname", value="Countess")
    assert ("Countess", True) == (changed["text"], changed["changed"])
    states = (await agent.call("user_state_history", key="nickname"))["states"]
    assert ["Countess", "Addie"] == [state["text"] for state in states]


async def test_lists_go_on_from_their_cursor(agent: Agent) -> None:
    """A page that is not the last has a cursor; with it the next page has the rest, and no result comes twice."""
    for number in range(3):
        await agent.call("remember_fact", content=f"Ada owns book number {number}.")
    first = await agent.call("search_memory", query="Ada owns book", first=2)
    rest = await agent.call("search_memory", query="Ada owns book", first=2, cursor=first["cursor"])
    assert "cursor" not in rest
    contents = [each["text"] for page in (first, rest) for each in page["results"]]
    assert [f"Ada owns book number {number}." for number in range(3)] == sorted(contents)


async def test_weak_facts_archive_and_counts(service: Service, agent: Agent, clock: Any, raw: Any) -> None:
    """`weak_facts` returns a faded fact with its present confidence, but no archived one; nor is that one counted."""
    await agent.call("remember_fact", content="Ada collects stamps.")
    stamps = await service.facts.remember(service.viewer(), [Fact("Ada owns a parrot.")])
    await raw("MATCH (m:Memory {id: $id}) SET m:Archived, m.status = 'archived'", id=stamps[0].memory_id)
    clock.advance(timedelta(days=40))
    [weak] = (await agent.call("weak_facts"))["facts"]
    assert "Ada collects stamps." == weak["text"]
    assert weak["now"] < 0.3
    assert 1 == (await agent.call("memory_stats"))["memories"]


async def test_whether_a_read_counts_as_recall_is_said(service: Service, agent: Agent, raw: Any) -> None:
    """Search, context and card count as recall with `reinforce` true, and do not with false."""
    await agent.call("remember_fact", content="Ada prefers trains to planes.", importance=2)
    reads = {
        "search_memory": {"query": "trains"},
        "get_context": {"query": "trains"},
        "get_entity_info": {"entity": service.local_user.key},
    }
    for tool, arguments in reads.items():
        counts = []
        for reinforce in (False, True):
            assert "trains" in await agent.text(tool, **arguments, reinforce=reinforce)
            await service.recall.flush()
            counts += await raw("MATCH (m:Memory) RETURN m.access_count AS count")
            await raw("MATCH (m:Memory) SET m.access_count = 0")
        assert [{"count": 0}, {"count": 1}] == counts


# --- size of answers ---


@pytest.mark.parametrize("budget", [150, 400, 2_000])
async def test_a_budget_bounds_what_is_sent(scene: Any, drain: Any, budget: int) -> None:
    """No answer has more tokens than the budget; a search returns the rest by its cursor, each result once."""
    service: Service = scene.service
    facts = [Fact(f"Ben baked loaf number {n} of {'rye ' * (n % 5)}bread.", ("person:ben_okafor",)) for n in range(30)]
    await service.facts.remember(service.viewer(), [*facts, Fact(f"The longest story of bread: {'flour ' * 2_000}")])
    await service.blocks.write(service.viewer(), "active_context", "salt " * 700)
    await drain()
    async with within(service) as agent:
        [found] = (await agent.call("search_memory", query="longest story", first=1))["results"]
        for tool, arguments in (
            ("get_context", {"query": "Which bread did Ben bake?", "left_out": True}),
            ("search_memory", {"query": "Which bread did Ben bake?", "first": 50}),
            ("get_entity_info", {"entity": "person:ben_okafor", "timeline": 50}),
            ("block_read", {}),
            ("explain_fact", {"memory_id": found["id"]}),
        ):
            text = await agent.text(tool, **arguments, budget=budget)
            assert service.count_tokens(text) <= budget
        seen: list[str] = []
        page: Told = {"cursor": None}
        while "cursor" in page:
            asked = {"query": "bread", "first": 50, "budget": budget, "cursor": page["cursor"]}
            page = await agent.call("search_memory", **asked)
            seen += [result["id"] for result in page["results"]]
        assert len(set(seen)) == len(seen) == 31


async def test_budgets_are_checked(agent: Agent) -> None:
    """A budget below the minimum is refused with the allowed range."""
    for tool, arguments in (("get_context", {"query": "x"}), ("search_memory", {"query": "x"}), ("block_read", {})):
        assert "100 to 100000 tokens" in await agent.refused(tool, **arguments, budget=10)


async def test_what_a_context_left_out_is_told(scene: Any, drain: Any) -> None:
    """With `left_out`, a context lists the ids of facts that the budget left out; other tools accept them."""
    service: Service = scene.service
    await service.facts.remember(service.viewer(), [Fact(f"Ben baked loaf number {n} of bread.") for n in range(30)])
    await drain()
    async with within(service) as agent:
        asked = {"query": "Which bread did Ben bake?", "budget": 500}
        assert "Left out" not in await agent.text("get_context", **asked)
        told = await agent.text("get_context", **asked, left_out=True)
        [line, *_] = [line for line in told.splitlines() if line.startswith("Left out of facts (budget): ")]
        explained = await agent.call("explain_fact", memory_id=line.rpartition(" ")[2])
        assert "[id:" not in line
        assert "loaf number" in explained["chain"][0]["text"]


# --- errors ---


@pytest.mark.parametrize(
    ("tool", "arguments", "says"),
    [
        ("search_memory", {"query": ""}, "INVALID_INPUT"),
        ("search_memory", {"query": "x", "first": 1000}, "1 to 100"),
        ("search_memory", {"query": "x", "after": "soon"}, "write 2026-03-01"),
        ("search_memory", {"query": "x", "kinds": ["mood"]}, "preference"),
        ("search_memory", {"query": "x", "chat": "Nowhere"}, "there is no chat Nowhere (NOT_FOUND)"),
        ("search_memory", {"query": "x", "chatId": "Nowhere"}, "there is no argument `chatId`; there are query, chat,"),
        ("search_memory", {}, "`query` is missing (INVALID_INPUT)"),
        ("search_memory", {"query": "x", "profile": "best"}, "there is no argument `profile`"),
        ("search_memory", {"query": "x", "first": "many"}, "`first`: input should be a valid integer"),
        ("remember_fact", {"content": "The key is AKIAIOSFODNN7EXAMPLE"}, "INVALID_INPUT"),
        ("remember_fact", {"content": "x", "about": ["person:nobody"]}, "NOT_FOUND"),
        ("remember_fact", {"content": "x", "for_chat": True}, "say in which one"),
        ("mark_memory", {"memory_ids": ["nonsense"], "mark": "pin"}, "pass on one that this service gave"),
        ("mark_memory", {"memory_ids": ["0" * 32], "mark": "reinforce"}, "NOT_FOUND"),
        ("mark_memory", {"memory_ids": [], "mark": "adore"}, "demote"),
        ("record_turns", {"turns": [{"role": "bot", "content": "x"}], "chat": "Mine"}, "user"),
        ("record_turns", {"turns": [{"role": "agent", "content": "x"}], "chat": "Mine"}, "needs a speaker"),
        ("close_session", {"chat": "Nowhere"}, "NOT_FOUND"),
        ("search_memory", {"query": "x", "archived": True, "tags": ["tea"]}, "give no filter"),
        ("record_turns", {"turns": [], "chat": "Mine", "time_zone": "Mars/Base"}, "is no time zone"),
        ("todo_write", {}, "INVALID_INPUT"),
        ("todo_write", {"todo_id": "0" * 18, "status": "done"}, "NOT_FOUND"),
        ("person_write", {"alias": "Bee"}, "INVALID_INPUT"),
        ("update_user_state", {"key": "", "value": "x"}, "INVALID_INPUT"),
        ("no_such_tool", {}, "no_such_tool"),
    ],
)
async def test_errors_say_what_to_do(agent: Agent, tool: str, arguments: Told, says: str) -> None:
    """A wrong call is refused in words that a model can act on, which do not repeat a secret."""
    told = await agent.refused(tool, **arguments)
    assert says in told
    assert "AKIA" not in told
    assert "pydantic" not in told


async def test_our_own_mistakes_are_hidden(service: Service) -> None:
    """The message of an unexpected exception is not sent to the agent."""

    class Broken:
        async def counts(self, _: Viewer) -> None:
            raise RuntimeError("a secret path")

    async with within(replace(service, stats=Broken())) as agent:  # type: ignore[arg-type]
        assert "secret" not in await agent.refused("memory_stats")


async def test_calls_are_counted(service: Service, agent: Agent) -> None:
    """Each call is counted as an operation in the metrics, by tool and code."""
    await agent.call("memory_stats")
    await agent.refused("forget", memory_id="0" * 32)
    told = service.observation.metrics.text().decode()
    assert 'hippograph_operations_total{code="OK",name="memory_stats",type="tool"}' in told
    assert 'hippograph_operations_total{code="NOT_FOUND",name="forget",type="tool"}' in told


# --- visibility ---


async def test_what_is_hidden_is_absent(scene: Any, drain: Any) -> None:
    """A memory that the viewer may not see is in no tool's answer; its id, and a chat's title, are refused like unknown
    ones.
    """
    said = await scene.say("I am pregnant, tell nobody.", chat=scene.private)
    [secret] = await scene.service.facts.remember(
        Viewer(scene.maya.id), [Fact("Maya is pregnant.", sensitivity=Sensitivity.SENSITIVE)]
    )
    await drain()
    async with within(scene.service, Viewer(scene.maya.id)) as hers:
        assert 2 == len((await hers.call("search_memory", query="pregnant", chat="Maya and Atlas"))["results"])
    for viewer in (Viewer(scene.ben.id), Viewer(scene.ben.id, rights=ALL_RIGHTS)):
        async with within(scene.service, viewer) as his:
            for chat in (None, "Friday Table"):
                found = await his.call("search_memory", query="Maya pregnant", chat=chat)
                context = await his.text("get_context", query="Is Maya pregnant?", chat=chat, left_out=True)
                known = await his.call("get_entity_info", entity="Maya Lindqvist", chat=chat)
                assert "pregnant" not in json.dumps([found, context, known])
            assert 0 == (await his.call("memory_stats"))["memories"]
            for hidden in (said.memory_id, secret.memory_id):
                unknown = hidden.replace(hidden[:8], "01234567")
                for tool in ("explain_fact", "forget"):
                    told = [await his.refused(tool, memory_id=one) for one in (hidden, unknown)]
                    assert told[0].replace(hidden, "") == told[1].replace(unknown, "")
                for mark in ("reinforce", "demote", "confirm", "pin", "unpin"):
                    told = [await his.refused("mark_memory", memory_ids=[one], mark=mark) for one in (hidden, unknown)]
                    assert told[0].replace(hidden, "") == told[1].replace(unknown, "")
            there = await his.refused("search_memory", query="x", chat="Maya and Atlas")
            assert there == (await his.refused("search_memory", query="x", chat="Nowhere")).replace(
                "Nowhere", "Maya and Atlas"
            )


# --- over HTTP ---

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}
ACCEPT = {"accept": "application/json, text/event-stream"}


@pytest.fixture
def guarded(scene: Any) -> Service:
    """Returns the service with API keys required."""
    service: Service = scene.service
    return replace(service, authenticator=Credentials(service.people, service.api_keys, None))


async def test_http_serves_the_local_user(
    service: Service, serving: Callable[[Service], AbstractAsyncContextManager[str]]
) -> None:
    """Over a real port an agent lists tools and remembers a fact; a client of the legacy protocol finds it."""
    async with serving(service) as address:
        async with over_http(address) as agent:
            assert TOOLS == {tool.name for tool in (await agent.client.list_tools()).tools}
            await agent.call("remember_fact", content="Ada prefers trains to planes.")
        async with Client(f"http://{address}/mcp", mode="legacy") as legacy:
            found = await Agent(legacy).call("search_memory", query="trains")
            assert 1 == len(found["results"])


async def test_http_takes_the_credential_of_each_request(guarded: Service, serving: Any) -> None:
    """An agent acts as the account of its credential; a service acts for the account that its header names."""
    keys = {}
    for account, rights in (("ada", NO_RIGHTS), ("bot", ALL_RIGHTS)):
        await guarded.people.with_account(account, account)
        keys[account] = (await guarded.api_keys.create(account, "a test", rights=rights))[1]
    async with serving(guarded) as address:
        async with over_http(address, Authorization=f"Bearer {keys['ada']}") as hers:
            await hers.call("remember_fact", content="I keep bees.")
            assert 1 == (await hers.call("memory_stats"))["memories"]
        async with over_http(address, Authorization=f"Bearer {keys['bot']}") as bot:
            assert 0 == (await bot.call("memory_stats"))["memories"]
        headers = {"Authorization": f"Bearer {keys['bot']}", "Hippograph-User": "ada"}
        async with over_http(address, **headers) as for_her:
            assert 1 == (await for_her.call("memory_stats"))["memories"]


async def test_http_refuses_what_opens_nothing(guarded: Service, serving: Any) -> None:
    """A missing, forged or revoked credential gets status 401, and acting for others without the right 403."""
    await guarded.people.with_account("ada", "ada")
    _, secret = await guarded.api_keys.create("ada", "a test")
    gone, gone_secret = await guarded.api_keys.create("ada", "a test")
    await guarded.api_keys.revoke(gone.id)
    async with serving(guarded) as address, httpx.AsyncClient(base_url=f"http://{address}", headers=ACCEPT) as client:
        for given in (None, "hippo_x_y", gone_secret, secret[:-1]):
            headers = {"authorization": f"Bearer {given}"} if given else {}
            answer = await client.post("/mcp", json=INITIALIZE, headers=headers)
            assert (401, "Bearer") == (answer.status_code, answer.headers["www-authenticate"])
        headers = {"authorization": f"Bearer {secret}"}
        assert 200 == (await client.post("/mcp", json=INITIALIZE, headers=headers)).status_code
        refused = await client.post("/mcp", json=INITIALIZE, headers=headers | {"hippograph-user": "maya"})
        assert 403 == refused.status_code


async def test_http_has_the_limits_of_the_service(service: Service, serving: Any) -> None:
    """Foreign hosts and origins, too large bodies, other methods and too many requests are refused."""
    limited = replace(service, rate_limit=RateLimit("3/hour"))
    async with serving(limited) as address, httpx.AsyncClient(base_url=f"http://{address}", headers=ACCEPT) as client:
        assert 400 == (await client.post("/mcp", json=INITIALIZE, headers={"host": "evil.example"})).status_code
        crossed = await client.post("/mcp", json=INITIALIZE, headers={"origin": "http://evil.example"})
        assert 403 == crossed.status_code
        assert 413 == (await client.post("/mcp", content=b" " * 2_000_000)).status_code
        assert 405 == (await client.get("/mcp")).status_code
        answers = [(await client.post("/mcp", json=INITIALIZE)).status_code for _ in range(3)]
        assert [200, 200, 200] == answers
        assert 429 == (await client.post("/mcp", json=INITIALIZE)).status_code


# --- over stdio ---


async def test_stdio_serves_the_local_user(service: Service, spawned: Callable[..., StdioServerParameters]) -> None:
    """`hippograph mcp` serves the local user over standard input and output, in both protocols, with debug logs on and
    with a worker.
    """
    await service.facts.remember(service.viewer(), [Fact("Ada prefers trains to planes.")])
    for mode, workers in (("auto", "1"), ("legacy", "0")):
        async with Client(spawned(WORKERS=workers), mode=mode) as client:
            assert INSTRUCTIONS == client.instructions
            agent = Agent(client)
            found = await agent.patient("search_memory", query="trains")
            assert ["Ada prefers trains to planes."] == [each["text"] for each in found["results"]]
            await agent.call("remember_fact", content=f"Ada owns kite number {len(mode)}.")
    assert 3 == (await service.stats.counts(service.viewer())).memories


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({"NEO4J_PASSWORD": "wrong"}, "refused the user or password"),
        ({"NEO4J_URI": "bolt://127.0.0.1:1"}, "127.0.0.1:1"),
        ({"PORT": "many"}, "HIPPOGRAPH_PORT: Input should be a valid integer"),
    ],
    ids=["refused", "nobody there", "settings"],
)
async def test_a_failed_start_is_told_by_every_tool(
    spawned: Callable[..., StdioServerParameters], wrong: dict[str, str], reason: str
) -> None:
    """A server that cannot start lists its tools nevertheless; each call of one fails with the reason."""
    async with Client(spawned(**wrong)) as client:
        assert TOOLS == {tool.name for tool in (await client.list_tools()).tools}
        agent = Agent(client)
        for tool, arguments in (("memory_stats", {}), ("search_memory", {"query": "trains"}), ("weak_facts", {})):
            told = await agent.refused_at_last(tool, **arguments)
            assert "could not start" in told
            assert reason in told
        assert TOOLS == {tool.name for tool in (await client.list_tools()).tools}


async def test_a_first_start_is_told_while_it_is_waited_for(
    spawned: Callable[..., StdioServerParameters], tmp_path: Path
) -> None:
    """With an empty data folder tools are listed before there is a Neo4j; a call waits, and hears so as progress."""
    own = own_settings(tmp_path / "data")
    settings = {
        "NEO4J_URI": "",
        "NEO4J_PASSWORD": "",
        "DATA_DIR": str(own.data_dir),
        "NEO4J_BOLT_PORT": str(own.neo4j_bolt_port),
        "NEO4J_HTTP_PORT": str(own.neo4j_http_port),
        "NEO4J_HEAP_MB": str(own.neo4j_heap_mb),
        "NEO4J_START_TIMEOUT_S": str(own.neo4j_start_timeout_s),
        "NEO4J_LINGER_S": "0",
    }
    async with Client(spawned(**settings)) as client:
        assert TOOLS == {tool.name for tool in (await client.list_tools()).tools}
        assert not own.data_dir.exists()
        heard: set[str | None] = set()

        async def hear(_: float, _total: float | None, message: str | None) -> None:
            heard.add(message)

        agent = Agent(client)
        assert 0 == (await agent.patient("memory_stats", progress=hear))["memories"]
        assert "hippograph is starting: starting Neo4j" in heard


# --- an agent that has only tools ---


@dataclass(frozen=True)
class Question:
    """A question, the chat where it is asked, other words for it, and a pattern that only an answer matches."""

    chat: str
    text: str
    other_words: str
    answer: str


TABLE, MAYAS, PRIYAS = "Friday Table", "Maya & Atlas", "Priya & Atlas"
QUESTIONS = [
    Question(TABLE, "Why was the Soča trip postponed?", "push back Soča nights swap", "nobody on the ward"),
    Question(
        TABLE, "On which dates did we end up going to the hut?", "trip moves October hut", "16.18 October|18th of"
    ),
    Question(TABLE, "When did Jonas bring Biscuit home from the shelter?", "adopted Biscuit", "adopted Biscuit"),
    Question(
        TABLE, "Why does Jonas go without an umbrella when he walks the dog?", "afraid umbrellas", "terrified of umb"
    ),
    Question(TABLE, "What made Tomás switch databases?", "sqlite postgres moved lantern", "file locked up"),
    Question(TABLE, "Why did Maya want to work at Brightwater?", "sensors rivers", "actual rivers"),
    Question(TABLE, "Which day is Maya really leaving Graz?", "moving a week earlier Saturday", "24th of October"),
    Question(TABLE, "Whose van are we borrowing for the move?", "cousin lending van", "cousin rui"),
    Question(TABLE, "Why did nobody go kayaking?", "Soča level rain kayak", "twice its normal level"),
    Question(TABLE, "What breed did Biscuit turn out to be?", "DNA test hound", "Istrian hound"),
    Question(TABLE, "What did the others make for Jonas?", "framed map poster birthday", "framed map|walk map"),
    Question(TABLE, "Who made the hat that was forgotten at the hut?", "grandmother knitted", "Astrid knitted"),
    Question(TABLE, "Why is Tomás cutting down his hours?", "four days a week Fernhill", "fridays for lantern"),
    Question(TABLE, "When are we all going to see Maya?", "visit Ljubljana November weekend", "14(th)? and 15"),
    Question(TABLE, "How old is Biscuit?", "dog years old ears", "Four years old"),
    Question(TABLE, "What was bought for Biscuit on the day of the adoption?", "tennis balls euros", "tennis balls"),
    Question(MAYAS, "Who talked to me in the job interview?", "interviewed by sensor team", "Ana Kovač"),
    Question(MAYAS, "How much will I earn in the new job?", "a year pays salary", "51,000"),
    Question(MAYAS, "What put me off the job in Vienna?", "Aquanta offer Vienna", "same reports again"),
    Question(MAYAS, "Which food should nobody order for me?", "can't stand raw fish", "sushi"),
    Question(MAYAS, "Why did I stop drinking coffee in September?", "given up coffee awake", "lying awake"),
    Question(MAYAS, "Who is my new landlord?", "flat belongs to keys", "Matej"),
    Question(MAYAS, "When is my last day at the old firm?", "last day Thursday Deltaroute", "15th of October"),
    Question(MAYAS, "Who is my boss at Deltaroute?", "boss hugged", "Karin, my boss"),
    Question(MAYAS, "What do I drink instead of coffee?", "peppermint tea", "peppermint"),
    Question(MAYAS, "What is the rent of my new flat?", "flat a month keys", "820 a month"),
    Question(PRIYAS, "What did the blood test show?", "results thyroid", "Hashimoto"),
    Question(
        PRIYAS, "What is the real reason I skipped the marathon?", "not running marathon", "finding the right dose"
    ),
    Question(PRIYAS, "Who agreed to put me on day shifts?", "ward manager nights", "Sabine"),
    Question(PRIYAS, "When is my next blood test?", "taking blood again", "5 November"),
]


async def recall(agent: Agent, question: Question) -> str | None:
    """Returns the id of a memory that answers, or None. It is looked for in up to three rounds, as instructed."""
    there = {"chat": question.chat, "persona": "Atlas"}
    context = await agent.text("get_context", query=question.text, **there)
    for line in context.splitlines():
        if re.search(question.answer, line) and (named := re.findall(r"\[id:(\w+)\]", line)):
            return str(named[0])
    for query in (question.other_words, f"{question.text} {question.other_words}"):
        found = await agent.call("search_memory", query=query, first=10, **there)
        for result in found["results"]:
            memory_id = result["id"]
            # A fact may stand in place of the turn it was extracted from, so its evidence is read too.
            behind = await agent.call("explain_fact", memory_id=memory_id)
            if re.search(question.answer, json.dumps([result, behind], ensure_ascii=False)):
                return str(memory_id)
    return None


@pytest.mark.embedding_ranked
async def test_an_agent_answers_with_tools_alone(
    service: Service, learn: Callable[[], Awaitable[int]], root: Path
) -> None:
    """The recall protocol answers all thirty questions about the sample; memories that answered are reinforced."""
    content = TypeAdapter(DialogueFile).validate_json((root / "examples" / "sample.json").read_bytes())
    await service.importer.run(service.viewer(), "sample", content, me="Maya Lindqvist")
    await learn()
    priya: Person = await service.people.called(service.viewer(), "Priya Raman")
    answered: list[str] = []
    for viewer, chats in ((service.viewer(), {TABLE, MAYAS}), (Viewer(priya.id), {PRIYAS})):
        async with within(service, viewer) as agent:
            for question in (each for each in QUESTIONS if each.chat in chats):
                if served := await recall(agent, question):
                    await agent.call("mark_memory", memory_ids=[served], mark="reinforce")
                    answered.append(question.text)
    assert 30 == len(QUESTIONS)
    assert [] == [question.text for question in QUESTIONS if question.text not in answered]
