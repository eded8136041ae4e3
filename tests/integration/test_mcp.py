"""The door for agents: the SDK's own client over both transports, who asks, the rule, and an agent with tools alone."""

import asyncio
import json
import os
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult
from pydantic import TypeAdapter

from api.mcp.server import INSTRUCTIONS, make_server
from api.rate_limit import RateLimit
from api.service import Service
from api.viewer import Credentials
from api.workers import COMMAND
from graph.model import Person, Sensitivity, Viewer
from graph.rights import ALL_RIGHTS, NO_RIGHTS
from graph.writing.fact import Fact
from graph.writing.importing import DialogueFile
from tests.conftest import own_settings

TOOLS = {
    "block_write",
    "block_read",
    "block_list",
    "block_delete",
    "search_memory",
    "get_context",
    "get_entity_info",
    "explain_fact",
    "weak_facts",
    "memory_stats",
    "query_archive",
    "remember_fact",
    "correct_fact",
    "confirm_fact",
    "update_memory",
    "forget",
    "reinforce",
    "demote",
    "update_user_state",
    "user_state_history",
}
Told = dict[str, Any]


class Agent:
    """An agent: a client of the SDK that calls tools."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def call(self, tool: str, **arguments: object) -> Told:
        """The structured answer of a tool."""
        answer = await self.client.call_tool(tool, arguments)
        assert not answer.is_error, answer.content
        assert answer.structured_content is not None
        return answer.structured_content

    async def patient(self, tool: str, progress: Any = None, **arguments: object) -> Told:
        """The answer of a tool of a server that is starting, however long that takes."""
        answer = await self._started(tool, arguments, progress)
        assert not answer.is_error, answer.content
        assert answer.structured_content is not None
        return answer.structured_content

    async def refused_at_last(self, tool: str, **arguments: object) -> str:
        """What an agent reads when a tool of a server that is starting refuses."""
        answer = await self._started(tool, arguments)
        assert answer.is_error
        return answer.content[0].text  # type: ignore[union-attr]

    async def _started(self, tool: str, arguments: Told, progress: Any = None) -> CallToolResult:
        while True:
            answer = await self.client.call_tool(tool, arguments, progress_callback=progress)
            if not (answer.is_error and "still starting" in answer.content[0].text):  # type: ignore[union-attr]
                return answer

    async def refused(self, tool: str, **arguments: object) -> str:
        """What an agent reads when a tool refuses."""
        answer = await self.client.call_tool(tool, arguments)
        assert answer.is_error
        return answer.content[0].text  # type: ignore[union-attr]


@asynccontextmanager
async def within(service: Service, viewer: Viewer | None = None) -> AsyncIterator[Agent]:
    """An agent in this process, on behalf of a viewer: without one the local user."""
    async with Client(make_server(service, lambda _: viewer or service.viewer())) as client:
        yield Agent(client)


@asynccontextmanager
async def over_http(address: str, **headers: str) -> AsyncIterator[Agent]:
    """An agent that talks to a running service."""
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as http,
        Client(streamable_http_client(f"http://{address}/mcp", http_client=http)) as client,
    ):
        yield Agent(client)


@pytest.fixture
async def agent(service: Service) -> AsyncIterator[Agent]:
    """An agent of the local user's, over an empty graph."""
    opened: asyncio.Future[Agent] = asyncio.get_running_loop().create_future()
    done = asyncio.Event()

    async def hold() -> None:
        """A client is closed by the task that opened it."""
        async with within(service) as agent:
            opened.set_result(agent)
            await done.wait()

    holding = asyncio.create_task(hold())
    yield await opened
    done.set()
    await holding


# --- what an agent is told ---


async def test_tools_say_what_they_take_and_give(agent: Agent) -> None:
    """Each tool has a description, described arguments and no others, and a schema of its answer."""
    listed = (await agent.client.list_tools()).tools
    assert {tool.name for tool in listed} == TOOLS
    for tool in listed:
        assert tool.description
        assert tool.output_schema
        assert tool.annotations is not None
        assert False is tool.input_schema["additionalProperties"]
        assert "asked" not in tool.input_schema["properties"]


async def test_instructions_teach_the_recall_protocol(agent: Agent) -> None:
    """Who connects is told how to recall, in which rounds, and what to do afterwards; every tool named there is one."""
    assert INSTRUCTIONS == agent.client.instructions
    for word in ("synonyms", "Three\n   rounds", "reinforce", "demote"):
        assert word in INSTRUCTIONS
    named = {name for name in re.findall(r"`([a-z_]+)`", INSTRUCTIONS) if "_" in name}
    assert named <= TOOLS


# --- remembering and recalling ---


async def test_a_fact_is_remembered_and_found(agent: Agent) -> None:
    """What an agent remembers it finds again, in both forms of the answer, with ids that other tools take."""
    stored = await agent.call("remember_fact", content="Ada prefers trains to planes.", tags=["travel"])
    assert ("preference", False) == (stored["kind"], stored["confirmed"])
    answer = await agent.client.call_tool("search_memory", {"query": "trains", "tags": ["travel"]})
    assert json.loads(answer.content[0].text) == answer.structured_content  # type: ignore[union-attr]
    [result] = answer.structured_content["results"]  # type: ignore[index]
    assert stored["memoryId"] == result["memory"]["memoryId"]
    assert "validUntil" not in result["memory"]
    context = await agent.call("get_context", query="How does Ada like to travel?")
    [inner] = re.findall(r"\[id:(\w+)\]", context["text"])
    for given in (stored["memoryId"], inner, inner[:18]):
        assert (
            "Ada prefers trains to planes."
            == (await agent.call("explain_fact", memory_id=given))["chain"][0]["content"]
        )


async def test_given_kinds_stand(agent: Agent) -> None:
    """A kind that the agent names is taken in place of that which the words show."""
    stored = await agent.call("remember_fact", content="Ada prefers trains this week.", kind="context")
    assert "context" == stored["kind"]


async def test_a_fact_changes_in_every_way(agent: Agent) -> None:
    """Confirmed, reworded, corrected, weighed and forgotten: each is seen by the next call."""
    stored = (await agent.call("remember_fact", content="Ada lives in Graz.", aspect="lives_in", value="Graz"))[
        "memoryId"
    ]
    assert 3 == (await agent.call("reinforce", memory_id=stored))["score"]
    assert 2 == (await agent.call("demote", memory_id=stored))["score"]
    assert stored == (await agent.call("confirm_fact", memory_id=stored))["memoryId"]
    await agent.call("update_memory", memory_id=stored, content="Ada lives in Graz, Austria.", value="Graz")
    await agent.call("update_memory", memory_id=stored, tags=["home"])
    assert 1 == len((await agent.call("search_memory", query="Graz", tags=["home"]))["results"])
    corrected = (await agent.call("correct_fact", memory_id=stored, content="Ada lives in Linz.", value="Linz"))[
        "memoryId"
    ]
    explained = await agent.call("explain_fact", memory_id=corrected)
    assert ["Ada lives in Graz, Austria.", "Ada lives in Linz."] == sorted(s["content"] for s in explained["chain"])
    await agent.call("forget", memory_id=corrected)
    assert [] == (await agent.call("search_memory", query="Where does Ada live?"))["results"]


async def test_a_group_fact_belongs_to_the_chat(scene: Any) -> None:
    """A fact for the chat is found by others there, and names people as they are called."""
    async with within(scene.service) as agent:
        told = {"content": "Ben plays chess.", "about": ["Ben Okafor"], "chat": "Friday Table", "for_chat": True}
        await agent.call("remember_fact", **told)
    async with within(scene.service, Viewer(scene.maya.id)) as hers:
        found = await hers.call("search_memory", query="chess", chat="Friday Table")
        assert ["Ben plays chess."] == [result["memory"]["content"] for result in found["results"]]


async def test_an_entity_is_known_by_name_and_key(scene: Any) -> None:
    """What is known of somebody comes by their name, their username or their key; unknown names are told so."""
    async with within(scene.service) as agent:
        fact = {"content": "Ben runs a bakery.", "about": ["person:ben_okafor"], "importance": 2}
        await agent.call("remember_fact", **fact)
        for name in ("person:ben_okafor", "Ben Okafor", "@ben"):
            told = await agent.call("get_entity_info", entity=name)
            assert ("person:ben_okafor", "[person:ben_okafor]: Ben runs a bakery.") == (told["key"], told["card"])
        assert "NOT_FOUND" in await agent.refused("get_entity_info", entity="Zebedee")


async def test_user_state_has_a_history(agent: Agent) -> None:
    """A value of the user's state ends the one before."""
    await agent.call("update_user_state", key="nickname", value="Addie")
    changed = await agent.call("update_user_state", key="nickname", value="Countess")
    assert ("Countess", True) == (changed["state"]["value"], changed["changed"])
    states = (await agent.call("user_state_history", key="nickname"))["states"]
    assert ["Countess", "Addie"] == [state["value"] for state in states]


async def test_lists_go_on_from_their_cursor(agent: Agent) -> None:
    """A page that has more behind it gives a cursor, and with it the rest comes, nothing twice."""
    for number in range(3):
        await agent.call("remember_fact", content=f"Ada owns book number {number}.")
    first = await agent.call("search_memory", query="Ada owns book", first=2)
    rest = await agent.call("search_memory", query="Ada owns book", first=2, cursor=first["cursor"])
    assert "cursor" not in rest
    contents = [each["memory"]["content"] for page in (first, rest) for each in page["results"]]
    assert [f"Ada owns book number {number}." for number in range(3)] == sorted(contents)


async def test_weak_facts_archive_and_counts(service: Service, agent: Agent, clock: Any, raw: Any) -> None:
    """Faded facts, archived memories and counts are there for agents too."""
    await agent.call("remember_fact", content="Ada collects stamps.")
    stamps = await service.facts.remember(service.viewer(), [Fact("Ada owns a parrot.")])
    await raw("MATCH (m:Memory {id: $id}) SET m:Archived, m.status = 'archived'", id=stamps[0].memory_id)
    clock.advance(timedelta(days=40))
    [weak] = (await agent.call("weak_facts"))["facts"]
    assert "Ada collects stamps." == weak["memory"]["content"]
    assert 1 == (await agent.call("memory_stats"))["memories"]


# --- what an agent can do about errors ---


@pytest.mark.parametrize(
    ("tool", "arguments", "says"),
    [
        ("search_memory", {"query": ""}, "INVALID_INPUT"),
        ("search_memory", {"query": "x", "first": 1000}, "1 to 100"),
        ("search_memory", {"query": "x", "after": "soon"}, "write 2026-03-01"),
        ("search_memory", {"query": "x", "kinds": ["mood"]}, "preference"),
        ("search_memory", {"query": "x", "chat": "Nowhere"}, "there is no chat Nowhere (NOT_FOUND)"),
        ("search_memory", {"query": "x", "chatId": "Nowhere"}, "chatId"),
        ("search_memory", {}, "query"),
        ("search_memory", {"query": "x", "profile": "best"}, "hebbian"),
        ("remember_fact", {"content": "The key is AKIAIOSFODNN7EXAMPLE"}, "INVALID_INPUT"),
        ("remember_fact", {"content": "x", "about": ["person:nobody"]}, "NOT_FOUND"),
        ("remember_fact", {"content": "x", "for_chat": True}, "say in which one"),
        ("reinforce", {"memory_id": "nonsense"}, "pass on one that this service gave"),
        ("reinforce", {"memory_id": "0" * 32}, "NOT_FOUND"),
        ("update_user_state", {"key": "", "value": "x"}, "INVALID_INPUT"),
        ("no_such_tool", {}, "no_such_tool"),
    ],
)
async def test_errors_say_what_to_do(agent: Agent, tool: str, arguments: Told, says: str) -> None:
    """What cannot be taken is refused in words that a model can act on, and never repeats a secret."""
    told = await agent.refused(tool, **arguments)
    assert says in told
    assert "AKIA" not in told


async def test_our_own_mistakes_are_hidden(service: Service) -> None:
    """What nobody meant to show stays on the server."""

    class Broken:
        async def counts(self, _: Viewer) -> None:
            raise RuntimeError("a secret path")

    async with within(replace(service, stats=Broken())) as agent:  # type: ignore[arg-type]
        assert "secret" not in await agent.refused("memory_stats")


async def test_calls_are_counted(service: Service, agent: Agent) -> None:
    """Each call is an operation in the metrics, by tool and code."""
    await agent.call("memory_stats")
    await agent.refused("reinforce", memory_id="0" * 32)
    told = service.observation.metrics.text().decode()
    assert 'hippograph_operations_total{code="OK",name="memory_stats",type="tool"}' in told
    assert 'hippograph_operations_total{code="NOT_FOUND",name="reinforce",type="tool"}' in told


# --- the rule ---


async def test_what_is_hidden_is_absent(scene: Any, drain: Any) -> None:
    """A memory that somebody may not see is in no tool's answer, and its id answers like one that never was."""
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
                context = await his.call("get_context", query="Is Maya pregnant?", chat=chat)
                known = await his.call("get_entity_info", entity="Maya Lindqvist", chat=chat)
                assert "pregnant" not in json.dumps([found, context, known])
            assert 0 == (await his.call("memory_stats"))["memories"]
            for tool in ("explain_fact", "reinforce", "demote", "forget", "confirm_fact"):
                for hidden in (said.memory_id, secret.memory_id):
                    unknown = hidden.replace(hidden[:8], "01234567")
                    told = [await his.refused(tool, memory_id=one) for one in (hidden, unknown)]
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
    """The service asking for API keys."""
    service: Service = scene.service
    return replace(service, authenticator=Credentials(service.people, service.api_keys, None))


async def test_http_serves_the_local_user(
    service: Service, serving: Callable[[Service], AbstractAsyncContextManager[str]]
) -> None:
    """Over a real port an agent initialises, lists tools, remembers and recalls, in old and new versions."""
    async with serving(service) as address:
        async with over_http(address) as agent:
            assert TOOLS == {tool.name for tool in (await agent.client.list_tools()).tools}
            await agent.call("remember_fact", content="Ada prefers trains to planes.")
        async with Client(f"http://{address}/mcp", mode="legacy") as legacy:
            found = await Agent(legacy).call("search_memory", query="trains")
            assert 1 == len(found["results"])


async def test_http_takes_the_credential_of_each_request(guarded: Service, serving: Any) -> None:
    """Each agent is its credential's account, and a service acts for the account that it names."""
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
    """Without a credential, with a forged or a revoked one, or acting for others unasked: refused before any tool."""
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
    """Strangers' hosts and pages, too many requests, too large bodies and other methods are refused as elsewhere."""
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


@pytest.fixture
def spawned(service: Service, root: Path, tmp_path: Path) -> Callable[..., StdioServerParameters]:
    """`hippograph mcp` as a client starts it, over the graph of the tests; without models unless settings say so."""

    def command(**settings: str) -> StdioServerParameters:
        where = service.connection
        variables = {
            "NEO4J_URI": where.uri,
            "NEO4J_USER": where.user,
            "NEO4J_PASSWORD": where.password,
            "LOCAL_USER": service.settings.local_user,
            "EMBEDDING_MODEL": "none",
            "NER_MODEL": "none",
            "WORKERS": "1",
            "LOG_LEVEL": "DEBUG",
        } | settings
        environment = {**os.environ, "PYTHONPATH": str(root)} | {f"HIPPOGRAPH_{k}": v for k, v in variables.items()}
        return StdioServerParameters(command=COMMAND[0], args=[*COMMAND[1:], "mcp"], env=environment, cwd=tmp_path)

    return command


async def test_stdio_serves_the_local_user(service: Service, spawned: Callable[..., StdioServerParameters]) -> None:
    """`hippograph mcp` is a server for the local user on standard input and output; logs do not get between."""
    await service.facts.remember(service.viewer(), [Fact("Ada prefers trains to planes.")])
    for mode in ("auto", "legacy"):
        async with Client(spawned(), mode=mode) as client:
            assert INSTRUCTIONS == client.instructions
            agent = Agent(client)
            found = await agent.patient("search_memory", query="trains")
            assert ["Ada prefers trains to planes."] == [each["memory"]["content"] for each in found["results"]]
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
    """A server that cannot start lists its tools all the same, and each tells why it cannot work."""
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
    """From an empty data folder tools are listed before there is a Neo4j; a call waits for it, and hears for what."""
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


# --- an agent that answers with tools alone ---


@dataclass(frozen=True)
class Question:
    """A question, where it is asked, other words for it, and words that only an answer holds."""

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
    """The id of the memory that answers, found in up to three rounds as the instructions say; None when none does."""
    there = {"chat": question.chat, "persona": "Atlas"}
    context = await agent.call("get_context", query=question.text, **there)
    for line in context["text"].splitlines():
        if re.search(question.answer, line) and (named := re.findall(r"\[id:(\w+)\]", line)):
            return str(named[0])
    for query in (question.other_words, f"{question.text} {question.other_words}"):
        found = await agent.call("search_memory", query=query, first=10, **there)
        for result in found["results"]:
            memory_id = result["memory"]["memoryId"]
            # A fact stands in the place of the turn in which it was found.
            behind = await agent.call("explain_fact", memory_id=memory_id)
            if re.search(question.answer, json.dumps([result, behind], ensure_ascii=False)):
                return str(memory_id)
    return None


@pytest.mark.embedding_ranked
async def test_an_agent_answers_with_tools_alone(
    service: Service, learn: Callable[[], Awaitable[int]], root: Path
) -> None:
    """Over the sample, thirty questions are answered by the recall protocol, and what served is reinforced."""
    content = TypeAdapter(DialogueFile).validate_json((root / "examples" / "sample.json").read_bytes())
    await service.importer.run(service.viewer(), "sample", content, me="Maya Lindqvist")
    await learn()
    priya: Person = await service.people.called(service.viewer(), "Priya Raman")
    answered: list[str] = []
    for viewer, chats in ((service.viewer(), {TABLE, MAYAS}), (Viewer(priya.id), {PRIYAS})):
        async with within(service, viewer) as agent:
            for question in (each for each in QUESTIONS if each.chat in chats):
                if served := await recall(agent, question):
                    assert 3 <= (await agent.call("reinforce", memory_id=served))["score"]
                    answered.append(question.text)
    assert 30 == len(QUESTIONS)
    assert [] == [question.text for question in QUESTIONS if question.text not in answered]


async def test_blocks_are_written_against_the_version_that_was_read(scene) -> None:
    """A block is written, read, listed, refused over a version that was not read, and deleted."""
    async with Client(make_server(scene.service, lambda _: scene.service.viewer())) as client:
        made = await client.call_tool("block_write", {"name": "active_context", "content": "packing"})
        assert 1 == made.structured_content["version"]
        refused = await client.call_tool("block_write", {"name": "active_context", "content": "resting"})
        assert refused.is_error
        again = {"name": "active_context", "content": "resting", "version": 1}
        await client.call_tool("block_write", again)
        read = await client.call_tool("block_read", {"name": "active_context"})
        assert ("resting", 2) == (read.structured_content["content"], read.structured_content["version"])
        listed = await client.call_tool("block_list", {})
        assert ["active_context"] == [block["name"] for block in listed.structured_content["blocks"]]
        await client.call_tool("block_delete", {"name": "active_context", "version": 2})
        assert (await client.call_tool("block_read", {"name": "active_context"})).is_error
