"""What integration tests share: the service over HTTP, a group with people in it, and a look past our statements."""

import asyncio
import json
import os
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from unittest.mock import patch

import httpx
import pytest
import uvicorn
from mcp import StdioServerParameters

from hippograph.api.service import Service
from hippograph.api.web.http import create_app
from hippograph.api.workers import COMMAND
from hippograph.graph.database import _native_value
from hippograph.graph.model import INTERNAL, Chat, ChatKind, Person, Persona, Viewer
from hippograph.graph.people.people import Member
from hippograph.graph.rights import ALL_RIGHTS, Rights
from hippograph.graph.writing.recording import Recorded, Turn
from tests.agents import Agent, within
from tests.neo4j_servers import driver_of

LONG_AGO = datetime(2024, 1, 1, tzinfo=UTC)
NOON = datetime(2024, 3, 4, 12, tzinfo=UTC)

_ACCEPT = "application/graphql-response+json"
"""What clients of the specification accept; for others an error of a document is 200."""

Ask = Callable[..., Awaitable[dict[str, Any]]]
Raw = Callable[..., Awaitable[list[dict[str, Any]]]]
Serving = Callable[..., AbstractAsyncContextManager[str]]


@pytest.fixture
async def client(service: Service) -> AsyncIterator[httpx.AsyncClient]:
    """A client of the service, over an empty graph."""
    app = create_app(service)
    transport = httpx.ASGITransport(app)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://localhost:8000", headers={"accept": _ACCEPT}) as client,
    ):
        yield client


@pytest.fixture
def ask(client: httpx.AsyncClient) -> Ask:
    """Asks in GraphQL, `ask(document, variable=…)`, and gives the whole answer."""

    async def post(query: str, /, **variables: object) -> dict[str, Any]:
        # With JSON's escapes, so that half a surrogate pair can be sent too.
        body = json.dumps({"query": query, "variables": variables})
        answer = await client.post("/graphql", content=body, headers={"content-type": "application/json"})
        given: dict[str, Any] = answer.json()
        return given

    return post


@pytest.fixture
def serving() -> Serving:
    """Serves over a port of this machine, a free one unless one is given: `async with serving(service) as address`."""
    return _serving


@asynccontextmanager
async def _serving(service: Service, port: int = 0) -> AsyncIterator[str]:
    config = uvicorn.Config(
        create_app(service), host="127.0.0.1", port=port, log_config=None, access_log=False, timeout_graceful_shutdown=5
    )
    server = uvicorn.Server(config)
    running = asyncio.create_task(server._serve())
    while not server.started:  # noqa: ASYNC110
        await asyncio.sleep(0.01)
    try:
        yield f"127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        await running


@dataclass(frozen=True, slots=True)
class Scene:
    """A group of Maya, Ben and the local user, a private chat of Maya's, and a persona."""

    service: Service
    group: Chat
    private: Chat
    maya: Person
    ben: Person
    atlas: Persona

    @property
    def me(self) -> str:
        """The local user's id."""
        return self.service.local_user.id

    def viewer(self, person: Person | None = None, chat: Chat | None = None, *, rights: Rights = ALL_RIGHTS) -> Viewer:
        """Somebody (without a name the local user) in a chat (without one the group)."""
        return Viewer((person or self.service.local_user).id, (chat or self.group).id, None, rights)

    async def say(
        self,
        content: str,
        *,
        by: Person | None = None,
        at: datetime | None = None,
        chat: Chat | None = None,
        **more: Any,
    ) -> Recorded:
        """One turn, in the group if no chat is given, by Maya if nobody is."""
        turn = Turn(content, (by or self.maya).id, event_time=at, **more)
        [stored] = await self.service.recorder.record(self.viewer(), (chat or self.group).id, [turn])
        return stored

    @staticmethod
    def minutes(count: float) -> datetime:
        """So many minutes after noon of a Monday in the past."""
        return NOON + timedelta(minutes=count)


@pytest.fixture
async def scene(service: Service) -> Scene:
    """A group, a private chat and a persona in an otherwise empty graph."""
    people = service.people
    maya = await people.create_person(INTERNAL, "Maya Lindqvist", usernames=["maya"])
    ben = await people.create_person(INTERNAL, "Ben Okafor", usernames=["ben"])
    everyone = [Member(person.id, LONG_AGO) for person in (maya, ben, service.local_user)]
    group = await people.create_chat(INTERNAL, ChatKind.GROUP, "Friday Table", everyone)
    private = await people.create_chat(INTERNAL, ChatKind.PRIVATE, "Maya and Atlas", [Member(maya.id, LONG_AGO)])
    await service.enrichment.step()  # the sounds of their names are there; what a test finds pending is its own
    return Scene(service, group, private, maya, ben, await people.create_persona(INTERNAL, "Atlas"))


@pytest.fixture
def learn(service, drain, clock) -> Callable[[], Awaitable[int]]:
    """Lets the workers do what is due, and what they find to do, until nothing is; how many sessions that were."""

    async def work() -> int:
        total = 0
        while True:
            clock.advance(timedelta(seconds=2))
            done, worked = await drain(), await service.consolidation.step()
            rest = await service.causal_inference.step() + await service.conflicts.step()
            if not done + worked + rest:
                return total
            total += worked

    return work


@contextmanager
def statements_of(service: Service) -> Iterator[Counter[str]]:
    """How often each statement runs meanwhile, by its name."""
    ran: Counter[str] = Counter()

    @contextmanager
    def note(name: str) -> Iterator[None]:
        ran[name] += 1
        yield

    with patch.object(service.database, "_watch", note):
        yield ran


@pytest.fixture
async def raw(service: Service) -> AsyncIterator[Raw]:
    """Runs any Cypher, past our statements: to look at the graph, and to damage it."""
    async with driver_of(service.connection) as driver:

        async def run(text: str, **params: Any) -> list[dict[str, Any]]:
            records, _, _ = await driver.execute_query(text, params)
            return [_native_value(record.data()) for record in records]

        yield run


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
