"""Subscriptions over WebSocket and as server-sent events: what is sent to whom, each memory once, and when they end."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from typing import Any

import httpx
import pytest
import websockets
from starlette.types import Message
from websockets.asyncio.client import ClientConnection, connect

from hippograph import cypher
from hippograph.api import viewer as viewers
from hippograph.api.graphql.http import endpoint
from hippograph.api.graphql.memory import following
from hippograph.api.graphql.nodes import global_id
from hippograph.api.service import Service
from hippograph.api.viewer import Credentials
from hippograph.api.web.http import create_app
from hippograph.api.web.rate_limit import RateLimit
from hippograph.api.web.subscriptions import OpenSubscriptions
from hippograph.graph.access.labels import CONSTANTS
from hippograph.graph.database import Database
from hippograph.graph.errors import DatabaseUnavailable, FellBehind
from hippograph.graph.model import INTERNAL, Viewer
from hippograph.graph.reading import feed as feeds
from hippograph.graph.reading.feed import Feed
from hippograph.graph.rights import ALL_RIGHTS
from hippograph.graph.writing.fact import Fact
from hippograph.graph.writing.recording import Recorder, Turn
from tests.conftest import MovingClock

ADDED = "subscription A($chat: ID, $types: [MemoryType!]) { memoryAdded(chatId: $chat, types: $types) { id content } }"
NOTHING = {"own": {"waiting": 0, "before": 0}, "jobs": []}
PROGRESS = "subscription { workProgress { own { waiting before } jobs { job waiting failed } } }"
PATIENCE_S = 60.0

Address = Callable[[Service], AbstractAsyncContextManager[str]]


class Socket:
    """A client of graphql-transport-ws."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection

    async def send(self, **message: Any) -> None:
        """Sends a message."""
        await self._connection.send(json.dumps(message))

    async def next(self) -> dict[str, Any]:
        """Returns the next message."""
        async with asyncio.timeout(PATIENCE_S):
            message: dict[str, Any] = json.loads(await self._connection.recv())
            return message

    async def subscribe(self, query: str, name: str = "1", **variables: Any) -> None:
        """Starts a subscription; `name` is its id in the protocol."""
        await self.send(id=name, type="subscribe", payload={"query": query, "variables": variables})

    async def content(self) -> str:
        """Returns the content of the next new memory."""
        message = await self.next()
        assert "next" == message["type"], message
        return str(message["payload"]["data"]["memoryAdded"]["content"])

    async def closed(self) -> int:
        """Waits until the connection is closed, and returns the close code."""
        async with asyncio.timeout(PATIENCE_S):
            await self._connection.wait_closed()
        assert self._connection.close_code is not None
        return self._connection.close_code


@asynccontextmanager
async def opened(address: str, *, begin: dict[str, Any] | None = None, **headers: str) -> AsyncIterator[Socket]:
    """A connection after `connection_init`, which the service has acknowledged."""
    async with connection(address, **headers) as socket:
        await socket.send(type="connection_init", payload=begin or {})
        assert {"type": "connection_ack"} == await socket.next()
        yield socket


@asynccontextmanager
async def connection(address: str, **headers: str) -> AsyncIterator[Socket]:
    """A connection before `connection_init`."""
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    url = f"ws://{address}/graphql"
    async with connect(url, subprotocols=["graphql-transport-ws"], additional_headers=sent) as raw:  # type: ignore[list-item]
        yield Socket(raw)


async def eventually(holds: Callable[[], bool]) -> None:
    """Waits until a condition holds."""
    async with asyncio.timeout(PATIENCE_S):
        while not holds():  # noqa: ASYNC110
            await asyncio.sleep(0.02)


async def followed(service: Service, count: int = 1) -> None:
    """Waits until the feed has at least this many followers."""
    await eventually(lambda: service.feed.followers >= count)


async def remember(service: Service, text: str, person: str | None = None) -> None:
    """Stores a fact of a person, by default of the local user."""
    await service.facts.remember(Viewer(person or service.local_user.id), [Fact(text)])


@pytest.fixture
def guarded(scene: Any, service: Service, monkeypatch: pytest.MonkeyPatch) -> Service:
    """The service with required API keys, which are not cached and are checked every 0.1 s during a subscription."""
    monkeypatch.setattr(viewers, "_REMEMBERED_S", 0.0)
    monkeypatch.setattr(following, "RENEWED_S", 0.1)
    return replace(service, authenticator=Credentials(service.people, service.api_keys, None))


async def _key(service: Service, account: str, **asked: Any) -> str:
    await service.people.with_account(account, account)
    return (await service.api_keys.create(account, "a test", **asked))[1]


async def test_what_is_said_comes_over_a_socket(scene: Any, service: Service, serving: Address) -> None:
    """A turn recorded after the start of a subscription is sent once; an earlier one is not sent."""
    await scene.say("This was before.")
    async with serving(service) as address, opened(address) as socket:
        await socket.subscribe(ADDED)
        await followed(service)
        turn = await scene.say("The kettle boils.")
        message = await socket.next()
        memory = {"id": global_id("Memory", turn.memory_id), "content": "The kettle boils."}
        assert {"id": "1", "type": "next", "payload": {"data": {"memoryAdded": memory}}} == message
        await scene.say("The tea is ready.")
        assert "The tea is ready." == await socket.content()


async def test_what_is_said_comes_as_events(scene: Any, service: Service, serving: Address) -> None:
    """A subscription requested by POST or GET is answered as `text/event-stream`."""
    async with serving(service) as address, httpx.AsyncClient(base_url=f"http://{address}", timeout=60) as client:
        accept = {"accept": "text/event-stream"}
        for count, request in enumerate(
            [
                client.stream("POST", "/graphql", json={"query": ADDED}, headers=accept),
                client.stream("GET", "/graphql", params={"query": ADDED}, headers=accept),
            ]
        ):
            async with request as answer:
                assert "text/event-stream" in answer.headers["content-type"]
                await followed(service)
                await scene.say(f"Number {count}.")
                lines = answer.aiter_lines()
                assert ["event: next"] == [await anext(lines)]
                data = json.loads((await anext(lines)).removeprefix("data: "))
                assert f"Number {count}." == data["data"]["memoryAdded"]["content"]
            await eventually(lambda: not service.feed.followers)


ANYTHING = {"accept": "application/graphql-response+json, application/json, text/event-stream, multipart/mixed"}
"""The `accept` header that some clients (urql) send with every request."""


async def test_a_subscription_streams_where_more_is_accepted(scene: Any, service: Service, serving: Address) -> None:
    """A subscription is answered as events if the client accepts events among other media types."""
    async with (
        serving(service) as address,
        httpx.AsyncClient(base_url=f"http://{address}", timeout=60) as client,
        client.stream("POST", "/graphql", json={"query": ADDED}, headers=ANYTHING) as answer,
    ):
        assert "text/event-stream" in answer.headers["content-type"]
        await followed(service)
        await scene.say("Nobody waits in vain.")
        assert "event: next" == await anext(answer.aiter_lines())


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("query A { viewer { person { id } } } query B { stats { memories } }", 400),
        ("{ viewer { person { id } } }", 200),
        ("{ viewer { nothing } }", 400),
        ("subscription {", 400),
    ],
)
async def test_what_is_no_subscription_is_no_stream(client: httpx.AsyncClient, query: str, expected: int) -> None:
    """A query or an invalid document gets an ordinary response, even if the client accepts events."""
    answer = await client.post("/graphql", json={"query": query}, headers=ANYTHING)
    assert (expected, "application/graphql-response+json") == (
        answer.status_code,
        answer.headers["content-type"].partition(";")[0],
    )


async def test_facts_come_and_types_narrow(scene: Any, service: Service, serving: Address) -> None:
    """Facts are sent as well as turns; a subscription to one type or one chat is sent nothing else."""
    async with serving(service) as address, opened(address) as socket:
        await socket.subscribe(ADDED, "facts", types=["SEMANTIC"])
        await socket.subscribe(ADDED, "private", chat=global_id("Chat", scene.group.id))
        await followed(service, 2)
        await remember(service, "I keep bees.")
        turns = [await scene.say("See you in the group.")]
        await remember(service, "I live in Bergen.")
        turns.append(await scene.say("Here I am."))
        contents: dict[str, list[str]] = {"facts": [], "private": []}
        ids: dict[str, list[str]] = {"facts": [], "private": []}
        while "I live in Bergen." not in contents["facts"] or "Here I am." not in contents["private"]:
            message = await socket.next()
            memory = message["payload"]["data"]["memoryAdded"]
            contents[message["id"]].append(memory["content"])
            ids[message["id"]].append(memory["id"])
        assert ["I keep bees.", "I live in Bergen."] == contents["facts"]
        assert [global_id("Memory", turn.memory_id) for turn in turns] == ids["private"]


async def test_what_is_hidden_is_absent(scene: Any, service: Service, serving: Address) -> None:
    """For a memory that the viewer may not see nothing is sent, not even an empty message."""
    async with serving(service) as address, opened(address) as socket:
        await socket.subscribe(ADDED)
        await followed(service)
        await scene.say("Nobody else hears this.", chat=scene.private)
        await scene.say("All of us hear this.")
        assert "All of us hear this." == await socket.content()


async def test_who_leaves_hears_no_more(scene: Any, service: Service, serving: Address) -> None:
    """Access is checked when a memory is sent: a turn recorded after the viewer left the chat is not sent."""
    me = service.local_user.id
    async with serving(service) as address, opened(address) as socket:
        await socket.subscribe(ADDED)
        await followed(service)
        await scene.say("With you.")
        assert "With you." == await socket.content()
        await service.people.leave_chat(scene.viewer(scene.maya), scene.group.id, me)
        await scene.say("Without you.")
        await remember(service, "I live in Oslo.")
        assert "I live in Oslo." == await socket.content()


async def test_a_foreign_chat_is_like_none(scene: Any, service: Service, serving: Address) -> None:
    """A subscription to a chat in which the viewer takes no part fails like one to a chat that does not exist."""
    async with serving(service) as address, opened(address) as socket:
        codes = []
        for chat in (scene.private.id, "0" * 32):
            await socket.subscribe(ADDED, chat=global_id("Chat", chat))
            message = await socket.next()
            codes.append((message["payload"]["errors"] if "errors" in message["payload"] else message["payload"])[0])
            await socket.next()
        assert ["NOT_FOUND"] * 2 == [error["extensions"]["code"] for error in codes]


# --- each memory is delivered once ---


@asynccontextmanager
async def other_process(service: Service, clock: Any) -> AsyncIterator[Recorder]:
    """A recorder with its own connection, like that of another server: its writes do not wake the feed here."""
    where = service.connection
    database = Database.connect(
        where.uri,
        where.user,
        where.password,
        cypher.load(),
        constants={**CONSTANTS, "legacy_disclosable": False, "default_zone": "UTC"},
    )
    try:
        yield Recorder(
            database,
            clock,
            session_idle=timedelta(minutes=30),
            max_characters=1000,
            clock_skew=timedelta(minutes=5),
        )
    finally:
        await database.close()


async def _until(feed_ids: list[str], count: int, follower: Any) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while len(feed_ids) < count:
            feed_ids += await follower.next(1.0)


async def test_late_commits_come_once(scene: Any, service: Service) -> None:
    """A memory that becomes visible a minute after its time of recording is delivered once, and displaces no other."""
    feed, seen = Feed(service.database, service.clock), []
    late = lambda: service.clock() - timedelta(minutes=1)  # noqa: E731
    turn = Turn("Late.", scene.maya.id)
    async with feed.follow() as follower, other_process(service, late) as recorder:
        first = await scene.say("In time.")
        [second] = await recorder.record(scene.viewer(), scene.group.id, [turn])
        third = await scene.say("In time again.")
        await _until(seen, 3, follower)
        feed.wake()
        assert [] == await follower.next(1.5)
    assert {first.memory_id, second.memory_id, third.memory_id} == set(seen)
    assert 3 == len(seen)


async def test_many_writers_are_all_heard_once(scene: Any, service: Service) -> None:
    """A follower gets each turn once while six writers, on two connections, record at the same time."""
    feed, seen, told = Feed(service.database, service.clock), [], []
    async with feed.follow() as follower, other_process(service, service.clock) as recorder:

        async def write(number: int) -> None:
            source = recorder if number % 2 else service.recorder
            for index in range(15):
                turn = Turn(f"Words {number} {index}.", scene.maya.id)
                [stored] = await source.record(scene.viewer(), scene.group.id, [turn])
                told.append(stored.memory_id)
                feed.wake()

        await asyncio.gather(*(write(number) for number in range(6)))
        await _until(seen, 90, follower)
        assert [] == await follower.next(1.5)
    assert (90, set(told)) == (len(seen), set(seen))


async def test_the_clock_is_put_back(scene: Any, service: Service, clock: MovingClock) -> None:
    """After the clock was set back an hour, new memories are delivered, and none is delivered twice."""
    feed, seen = Feed(service.database, service.clock), []
    async with feed.follow() as follower:
        before = await scene.say("Before.")
        feed.wake()
        await _until(seen, 1, follower)
        clock.advance(timedelta(hours=-1))
        feed.wake()
        assert [] == await follower.next(1.5)
        after = await scene.say("After.")
        feed.wake()
        await _until(seen, 2, follower)
        assert [] == await follower.next(1.5)
    assert [before.memory_id, after.memory_id] == seen


async def test_who_reads_too_slowly_is_told(scene: Any, service: Service) -> None:
    """A follower with more unread memories than the feed keeps gets an error that says what to do; others do not."""
    feed = Feed(service.database, service.clock, kept=2)
    async with feed.follow() as slow, feed.follow() as quick:
        seen: list[str] = []
        for number in range(3):
            await scene.say(f"Number {number}.")
            feed.wake()
            await _until(seen, number + 1, quick)
        with pytest.raises(FellBehind, match="subscribe again"):
            await slow.next(1.0)
        assert [] == await quick.next(0.0)


async def test_events_that_nobody_reads_end(scene: Any, service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    """A subscription ends if its client stops reading the event stream."""
    monkeypatch.setattr(endpoint, "UNREAD_S", 0.1)
    begun, body = asyncio.Event(), json.dumps({"query": ADDED}).encode()
    given = iter([{"type": "http.request", "body": body, "more_body": False}])

    async def receive() -> Message:
        message = next(given, None)
        return message or await asyncio.Event().wait() or {}

    async def send(message: Message) -> None:
        if message["type"] == "http.response.body":
            begun.set()
            await asyncio.Event().wait()

    headers = [(b"host", b"localhost"), (b"content-type", b"application/json"), (b"accept", b"text/event-stream")]
    scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": "/graphql",
        "raw_path": b"/graphql",
        "query_string": b"",
        "root_path": "",
        "headers": headers,
        "server": ("localhost", 80),
        "client": ("127.0.0.1", 1),
    }
    answering = asyncio.create_task(create_app(service)(scope, receive, send))
    await followed(service)
    await scene.say("I fed the otters.")
    async with asyncio.timeout(PATIENCE_S):
        await begun.wait()
        await answering
    assert 0 == service.subscriptions.count == service.feed.followers


async def test_the_database_is_away_for_a_while(
    scene: Any, service: Service, serving: Address, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A subscription waits while the database is unavailable, and then sends what was recorded meanwhile."""
    monkeypatch.setattr(following, "_PAUSE_S", 0.05)
    away = 3
    memories = type(service.browsing).memories

    async def sometimes(*args: Any, **kwargs: Any) -> Any:
        nonlocal away
        if args[2] and away:
            away -= 1
            raise DatabaseUnavailable("Neo4j does not answer")
        return await memories(*args, **kwargs)

    async with serving(service) as address, opened(address) as socket:
        await socket.subscribe(ADDED)
        await followed(service)
        monkeypatch.setattr(type(service.browsing), "memories", sometimes)
        await scene.say("Still here.")
        assert "Still here." == await socket.content()
    assert 0 == away


@pytest.mark.parametrize("error", [DatabaseUnavailable("Neo4j does not answer"), RuntimeError("a fault")], ids=repr)
async def test_an_outage_of_the_feed_loses_nothing(
    scene: Any, service: Service, serving: Address, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    """A subscription goes on after the feed failed to read the graph, and sends what was recorded meanwhile, once."""
    monkeypatch.setattr(feeds, "_LOOK_S", 0.05)
    run, failed = service.database.run, asyncio.Event()
    failing = False

    async def sometimes(statement: str, /, **params: Any) -> Any:
        nonlocal failing
        if failing and statement == "feed/recorded":
            failing = False
            failed.set()
            raise error
        return await run(statement, **params)

    monkeypatch.setattr(service.database, "run", sometimes)
    async with serving(service) as address, opened(address) as socket:
        await socket.subscribe(ADDED)
        await followed(service)
        failing = True
        await scene.say("The lights are out.")
        await asyncio.wait_for(failed.wait(), PATIENCE_S)
        assert "The lights are out." == await socket.content()
        await scene.say("The lights are on.")
        assert "The lights are on." == await socket.content()


async def test_all_pages_of_what_is_new_are_read(scene: Any, service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    """With two memories a page, a follower gets five that were recorded at the same moment, each once."""
    monkeypatch.setattr(feeds, "_PAGE", 2)
    feed, seen = Feed(service.database, service.clock), []
    await service.recorder.record(scene.viewer(), scene.group.id, [Turn(f"Old {n}.", scene.maya.id) for n in range(3)])
    async with feed.follow() as follower:
        turns = [Turn(f"New {n}.", scene.maya.id) for n in range(5)]
        stored = await service.recorder.record(scene.viewer(), scene.group.id, turns)
        feed.wake()
        await _until(seen, 5, follower)
        assert [] == await follower.next(1.5)
    assert sorted(turn.memory_id for turn in stored) == sorted(seen)


# --- access and limits ---


async def test_a_socket_brings_its_credential(guarded: Service, serving: Address) -> None:
    """A credential is accepted as a header or in `connection_init`, for browsers, which cannot set headers; a service
    also names the user it acts for. A missing or invalid one closes the connection.
    """
    key, bot = await _key(guarded, "ada"), await _key(guarded, "bot", rights=ALL_RIGHTS)
    begin = {"Authorization": f"Bearer {bot}", "Hippograph-User": "ada"}
    async with serving(guarded) as address:
        async with opened(address, authorization=f"Bearer {key}"), opened(address, begin=begin):
            pass
        wrong = ("Bearer nonsense", "Bearer \ud800", 1)
        for refused in ({}, *({"authorization": one} for one in wrong), {"hippograph-user": "ada"}):
            async with connection(address) as socket:
                await socket.send(type="connection_init", payload=refused)
                assert 4403 == await socket.closed()


async def test_each_hears_what_their_account_may(scene: Any, guarded: Service, serving: Address) -> None:
    """Each of two subscribers with different credentials is sent only what their own account may see."""
    await guarded.people.create_person(INTERNAL, "Maya", user_id="maya", person_id=scene.maya.id)
    maya, ada = await _key(guarded, "maya"), await _key(guarded, "ada")
    async with (
        serving(guarded) as address,
        opened(address, authorization=f"Bearer {maya}") as hers,
        opened(address, authorization=f"Bearer {ada}") as theirs,
    ):
        for socket in (hers, theirs):
            await socket.subscribe(ADDED)
        await followed(guarded, 2)
        await scene.say("For my diary.", chat=scene.private)
        assert "For my diary." == await hers.content()
        await remember(guarded, "I like rain.", await guarded.people.with_account("ada", "ada"))
        assert "I like rain." == await theirs.content()


async def test_a_revoked_key_ends_the_stream(scene: Any, guarded: Service, serving: Address) -> None:
    """A subscription whose key is revoked or expires gets an `UNAUTHENTICATED` error and is completed."""
    key = await _key(guarded, "ada")
    short = await _key(guarded, "ada", lifetime=timedelta(hours=1))
    for name, end in (
        (key, lambda: guarded.api_keys.revoke(key.split("_")[1])),
        (short, lambda: asyncio.sleep(0, scene.service.clock.advance(timedelta(hours=2)))),
    ):
        async with serving(guarded) as address, opened(address, authorization=f"Bearer {name}") as socket:
            await socket.subscribe(ADDED)
            await followed(guarded)
            await end()
            message = await socket.next()
            assert ["UNAUTHENTICATED"] == [error["extensions"]["code"] for error in message["payload"]["errors"]]
            assert {"id": "1", "type": "complete"} == await socket.next()


async def test_events_end_with_their_key(guarded: Service, serving: Address) -> None:
    """An event stream whose key is revoked ends with an `UNAUTHENTICATED` error; without a key none is opened."""
    key = await _key(guarded, "ada")
    headers = {"accept": "text/event-stream", "authorization": f"Bearer {key}"}
    async with serving(guarded) as address, httpx.AsyncClient(base_url=f"http://{address}", timeout=60) as client:
        async with client.stream("POST", "/graphql", json={"query": ADDED}, headers=headers) as answer:
            await followed(guarded)
            await guarded.api_keys.revoke(key.split("_")[1])
            text = "".join([piece async for piece in answer.aiter_text()])
        assert "UNAUTHENTICATED" in text
        assert text.rstrip().endswith("event: complete\r\ndata:")
        without = await client.post("/graphql", json={"query": ADDED}, headers={"accept": "text/event-stream"})
        assert 401 == without.status_code


async def test_a_credential_has_so_many_subscriptions(service: Service, serving: Address) -> None:
    """A subscription above the limit of a credential is refused; once another one ends it is accepted."""
    narrow = replace(service, subscriptions=OpenSubscriptions(1))
    async with serving(narrow) as address, opened(address) as socket:
        await socket.subscribe(ADDED, "a")
        await followed(narrow)
        await socket.subscribe(PROGRESS, "b")
        message = await socket.next()
        assert "LIMIT_EXCEEDED" in json.dumps(message)
        assert {"id": "b", "type": "complete"} == await socket.next()
        await socket.send(id="a", type="complete")
        await eventually(lambda: not narrow.subscriptions.count)
        await socket.subscribe(PROGRESS, "b")
        assert "data" in (await socket.next())["payload"]


async def test_a_subscription_counts_as_a_request(service: Service, serving: Address) -> None:
    """A subscription counts towards the rate limit of its credential."""
    limited = replace(service, rate_limit=RateLimit("1/minute"))
    async with serving(limited) as address, opened(address) as socket:
        await socket.subscribe(PROGRESS, "a")
        assert "next" == (await socket.next())["type"]
        await socket.subscribe(PROGRESS, "b")
        while (message := await socket.next())["id"] == "a":
            pass
        assert ("error", "RATE_LIMITED") == (message["type"], message["payload"][0]["extensions"]["code"])


@pytest.mark.parametrize("headers", [{"origin": "http://evil.example"}, {"host": "evil.example"}])
async def test_sockets_of_other_sites_are_refused(service: Service, serving: Address, headers: dict[str, str]) -> None:
    """A connection with a foreign `Origin`, or with a `Host` that is not the service's, is refused."""
    async with serving(service) as address:
        with pytest.raises(websockets.InvalidStatus) as refused:
            async with connection(address, **headers):
                pass
    assert 403 == refused.value.response.status_code


async def test_nothing_but_subscriptions_is_answered(service: Service, serving: Address) -> None:
    """Refused are queries and mutations over WebSocket, a mutation requested as events, and a subscription requested
    as an ordinary response.
    """
    mutation = 'mutation { createPersona(input: {name: "Atlas"}) { __typename } }'
    async with serving(service) as address, opened(address) as socket:
        for query in ("{ stats { memories } }", mutation):
            await socket.subscribe(query)
            message = await socket.next()
            assert ("error", "BAD_REQUEST") == (message["type"], message["payload"][0]["extensions"]["code"])
        async with httpx.AsyncClient(base_url=f"http://{address}") as client:
            accept = {"accept": "text/event-stream"}
            answer = await client.post("/graphql", json={"query": mutation}, headers=accept)
            assert "BAD_REQUEST" in answer.text
            assert 406 == (await client.post("/graphql", json={"query": ADDED})).status_code
    assert [] == (await service.browsing.personas()).items


@pytest.mark.parametrize(
    "text",
    ["[]", "1", "{", '{"type": 1}', '{"type": "subscribe"}', '{"type": "subscribe", "id": [], "payload": {}}',
     '{"type": "subscribe", "id": "1", "payload": {"query": 1}}', '{"type": "subscribe", "id": "1", "payload": []}',
     '{"type": "subscribe", "id": "1", "payload": {"query": "{a}", "variables": []}}', "[" * 5000],
)  # fmt: skip
async def test_odd_messages_end_the_connection(service: Service, serving: Address, text: str) -> None:
    """A message that is invalid in the protocol closes the connection with code 4400."""
    async with serving(service) as address, opened(address) as socket:
        await socket._connection.send(text)
        assert 4400 == await socket.closed()


async def test_work_is_followed_by_whose_it_is(scene: Any, guarded: Service, serving: Address) -> None:
    """Progress is sent at once and when it changes: of each job to administrators, of their own memories to a user."""
    user, bot = await _key(guarded, "ada"), await _key(guarded, "bot", rights=ALL_RIGHTS)
    async with serving(guarded) as address:
        async with opened(address, authorization=f"Bearer {user}") as socket:
            await socket.subscribe(PROGRESS)
            assert NOTHING == (await socket.next())["payload"]["data"]["workProgress"]
            ada = await guarded.people.create_person(INTERNAL, "Ada", user_id="ada")
            await guarded.facts.remember(Viewer(ada.id), [Fact("I like tea")])
            told = (await socket.next())["payload"]["data"]["workProgress"]
            assert (1, []) == (told["own"]["waiting"], told["jobs"])
        async with opened(address, authorization=f"Bearer {bot}") as socket:
            await socket.subscribe(PROGRESS)
            before = (await socket.next())["payload"]["data"]["workProgress"]["jobs"]
            await scene.say("There is something to do.")
            after = (await socket.next())["payload"]["data"]["workProgress"]["jobs"]
    assert ["enrich"] == [job["job"] for job in after][:1]
    assert before[0]["waiting"] + 1 == after[0]["waiting"]


async def test_fields_have_what_is_true_now(scene: Any, service: Service, serving: Address) -> None:
    """The chat of a memory is read for each event: a new participant appears in the next one."""
    query = "subscription { memoryAdded { chat { title participants { person { key } } } } }"
    async with serving(service) as address, opened(address) as socket:
        await socket.subscribe(query)
        await followed(service)
        counts = []
        for number in range(2):
            await scene.say("Who is here?")
            chat = (await socket.next())["payload"]["data"]["memoryAdded"]["chat"]
            counts.append(len(chat["participants"]))
            someone = await service.people.create_person(INTERNAL, "Zoe", usernames=[f"zoe{number}"])
            await service.people.join_chat(scene.viewer(scene.maya), scene.group.id, someone.id)
    assert counts[0] + 1 == counts[1]
