"""Fixtures of integration tests: the service over HTTP, a group of people, and direct access to the graph by Cypher."""

import asyncio
import json
import os
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from unittest.mock import patch

import httpx
import pytest
import uvicorn
from mcp import StdioServerParameters

from hippograph.api.service import Service
from hippograph.api.viewer import LocalUser
from hippograph.api.web.http import create_app
from hippograph.api.workers import COMMAND
from hippograph.graph.database import _native_value
from hippograph.graph.jobs.wipe import wipe
from hippograph.graph.model import INTERNAL, Chat, ChatKind, Person, Persona, Viewer
from hippograph.graph.people.people import Member
from hippograph.graph.rights import ALL_RIGHTS, Rights
from hippograph.graph.writing.recording import Recorded, Turn
from tests.agents import Agent, within
from tests.neo4j_servers import driver_of

LONG_AGO = datetime(2024, 1, 1, tzinfo=UTC)
NOON = datetime(2024, 3, 4, 12, tzinfo=UTC)

_ACCEPT = "application/graphql-response+json"
"""The media type of the GraphQL over HTTP specification. With it, errors in a document have a status other than 200."""

Ask = Callable[..., Awaitable[dict[str, Any]]]
Empty = Callable[[], Awaitable[None]]
Raw = Callable[..., Awaitable[list[dict[str, Any]]]]
Serving = Callable[..., AbstractAsyncContextManager[str]]


class Everything:
    """A detector that judges every pair to be a retraction, and records the pairs."""

    def __init__(self) -> None:
        self.pairs: list[tuple[str, str, str]] = []

    def takes_back(self, pairs: Sequence[tuple[str, str, str]]) -> list[bool]:
        """Records the pairs and returns True for each."""
        self.pairs += pairs
        return [True] * len(pairs)


@pytest.fixture
async def client(service: Service) -> AsyncIterator[httpx.AsyncClient]:
    """An HTTP client of the service, with an empty graph."""
    async with _client_of(service) as client:
        yield client


@asynccontextmanager
async def _client_of(service: Service) -> AsyncIterator[httpx.AsyncClient]:
    app = create_app(service)
    transport = httpx.ASGITransport(app)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://localhost:8000", headers={"accept": _ACCEPT}) as client,
    ):
        yield client


@pytest.fixture
def ask(client: httpx.AsyncClient) -> Ask:
    """Returns a function `ask(document, variable=…)` that sends a GraphQL request and returns the whole response."""
    return _asking(client)


@asynccontextmanager
async def asking_as(service: Service, person: Person) -> AsyncIterator[Ask]:
    """Yields a function like `ask` that makes its requests as a person, with all rights."""
    async with _client_of(replace(service, authenticator=LocalUser(person))) as client:
        yield _asking(client)


def _asking(client: httpx.AsyncClient) -> Ask:
    async def post(query: str, /, **variables: object) -> dict[str, Any]:
        # Escaped as ASCII, so that half a surrogate pair can be sent too.
        body = json.dumps({"query": query, "variables": variables})
        answer = await client.post("/graphql", content=body, headers={"content-type": "application/json"})
        given: dict[str, Any] = answer.json()
        return given

    return post


@pytest.fixture
def serving() -> Serving:
    """Serves on a local port, a free one unless one is given: `async with serving(service) as address`."""
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
        """The id of the local user."""
        return self.service.local_user.id

    def viewer(self, person: Person | None = None, chat: Chat | None = None, *, rights: Rights = ALL_RIGHTS) -> Viewer:
        """A viewer in a chat; by default the local user and the group."""
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
        """Records one turn; by default of Maya in the group."""
        turn = Turn(content, (by or self.maya).id, event_time=at, **more)
        [stored] = await self.service.recorder.record(self.viewer(), (chat or self.group).id, [turn])
        return stored

    @staticmethod
    def minutes(count: float) -> datetime:
        """The time this many minutes after `NOON`, which is on a Monday."""
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
    await service.enrichment.step()  # work on their names is done; what a test finds pending is its own
    return Scene(service, group, private, maya, ben, await people.create_persona(INTERNAL, "Atlas"))


@pytest.fixture
def learn(service, drain, clock) -> Callable[[], Awaitable[int]]:
    """Returns a function that does all work of enrichment, consolidation, causal inference and conflicts, and returns
    the number of consolidated sessions. It moves the clock forward, so that everything is due.
    """

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


async def work_off(service: Service) -> None:
    """Does all queued work. If nothing is due, it moves the service's clock instead of waiting; processes with the
    machine's clock may then not see what was written.
    """
    runner = service.runner
    while waiting := {name for name, backlog in (await runner.backlogs()).items() if backlog.waiting}:
        async with asyncio.TaskGroup() as tasks:
            steps = [tasks.create_task(job.step()) for job in runner._queued if job.name in waiting]
        if not any(step.result() for step in steps):
            service.clock.advance(timedelta(seconds=2))  # type: ignore[attr-defined]


@contextmanager
def statements_of(service: Service) -> Iterator[Counter[str]]:
    """Counts the executions of each statement within the block, by its name."""
    ran: Counter[str] = Counter()

    @contextmanager
    def note(name: str) -> Iterator[None]:
        ran[name] += 1
        yield

    with patch.object(service.database, "_watch", note):
        yield ran


@pytest.fixture
async def raw(service: Service) -> AsyncIterator[Raw]:
    """Returns a function that runs any Cypher, to inspect the graph or to damage it."""
    async with driver_of(service.connection) as driver:

        async def run(text: str, **params: Any) -> list[dict[str, Any]]:
            records, _, _ = await driver.execute_query(text, params)
            return [_native_value(record.data()) for record in records]

        yield run


@pytest.fixture
async def empty(shared_service: Service) -> AsyncIterator[Empty]:
    """Returns a function that empties the graph, including the local user. After the test only the local user is in
    the graph.
    """
    me = shared_service.local_user.id
    async with driver_of(shared_service.connection) as driver:
        [kept], _, _ = await driver.execute_query("MATCH (p:Person {id: $id}) RETURN properties(p) AS p", id=me)

        async def work() -> None:
            await wipe(shared_service.database, "")

        yield work
        await wipe(shared_service.database, me)
        await driver.execute_query(
            "OPTIONAL MATCH (there:Person {id: $p.id}) WITH there WHERE there IS NULL "
            "CREATE (p:Entity:Person) SET p = $p",
            p=kept["p"],
        )


@pytest.fixture
async def agent(service: Service) -> AsyncIterator[Agent]:
    """An agent of the local user, with an empty graph."""
    opened: asyncio.Future[Agent] = asyncio.get_running_loop().create_future()
    done = asyncio.Event()

    async def hold() -> None:
        """Opens the client and closes it in the same task, as it requires."""
        async with within(service) as agent:
            opened.set_result(agent)
            await done.wait()

    holding = asyncio.create_task(hold())
    yield await opened
    done.set()
    await holding


@pytest.fixture
def spawned(service: Service, root: Path, tmp_path: Path) -> Callable[..., StdioServerParameters]:
    """Returns a function that gives the parameters with which a client starts `hippograph mcp` on the tests' graph, by
    default without models and workers.
    """

    def command(**settings: str) -> StdioServerParameters:
        where = service.connection
        variables = {
            "NEO4J_URI": where.uri,
            "NEO4J_USER": where.user,
            "NEO4J_PASSWORD": where.password,
            "LOCAL_USER": service.settings.local_user,
            "EMBEDDING_MODEL": "none",
            "NER_MODEL": "none",
            "WORKERS": "0",
            "LOG_LEVEL": "DEBUG",
        } | settings
        environment = {**os.environ, "PYTHONPATH": str(root)} | {f"HIPPOGRAPH_{k}": v for k, v in variables.items()}
        return StdioServerParameters(command=COMMAND[0], args=[*COMMAND[1:], "mcp"], env=environment, cwd=tmp_path)

    return command
