"""`bench hostile`: how much a client that sends hostile texts slows down another, which searches and writes (P6).

One run alternates between timing the other client alone and beside the hostile one. Each has credentials of its own;
the rate limit is too high to slow either down.
"""

import asyncio
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from itertools import count
from typing import Final

import httpx

from benchmarks.environment import Report, Row
from benchmarks.hostile_texts import HOSTILE, repeated
from benchmarks.quality.metrics import percentile
from benchmarks.served import Served
from hippograph.api.global_ids import global_id
from hippograph.api.service import Service
from hippograph.graph.model import ChatKind, Viewer
from hippograph.graph.people.people import Member
from hippograph.graph.writing.recording import Turn

TURNS: Final = 12
"""Number of times that the other client is timed alone, then beside a share of the hostile texts."""
ALONE: Final = 60
"""Number of requests of each kind while it is timed alone."""
BAR: Final = 3
_PAUSE_S: Final = 0.02
_TIMEOUT_S: Final = 120
_KNOWN: Final = 300
_RESULT: Final = "{ __typename ... on Error { code } }"
_SEARCH: Final = "query ($text: String!) { search(query: $text, first: 10) { nodes { id content } } }"
_RECORD: Final = (
    f"mutation ($chat: ID!, $text: String!) {{ recordMessage(input: {{chatId: $chat, content: $text}}) {_RESULT} }}"
)
_MANY_FIELDS: Final = f"{{ {'stats { memories } ' * 400} }}"

# Every entry point that takes text: its document, and the maximum length of the text in characters.
_DOORS: Final[Mapping[str, tuple[str, int]]] = {
    "search": (_SEARCH, 10_000),
    "context": ("query ($text: String!) { context(query: $text) { text } }", 10_000),
    "memoriesAbout": ("query ($text: String!) { memoriesAbout(query: $text) { nodes { id } } }", 10_000),
    "recordMessage": (_RECORD, 32_000),
    "rememberFact": (
        f"mutation ($text: String!) {{ rememberFact(input: {{fact: {{content: $text}}}}) {_RESULT} }}",
        8_000,
    ),
    "seedProfile": (
        f"mutation ($text: String!) {{ seedProfile(input: {{facts: [{{content: $text}}]}}) {_RESULT} }}",
        8_000,
    ),
    "addTodo": (
        f"mutation ($text: String!) {{ addTodo(input: {{content: $text, kind: COMMITMENT}}) {_RESULT} }}",
        500,
    ),
    "updateUserState": (
        f'mutation ($text: String!) {{ updateUserState(input: {{key: "mood", value: $text}}) {_RESULT} }}',
        2_000,
    ),
    "addAlias": (
        f"mutation ($me: ID!, $text: String!) {{ addAlias(input: {{personId: $me, alias: $text}}) {_RESULT} }}",
        200,
    ),
}

Seconds = defaultdict[str, list[float]]


class _Client:
    """A client with an API key of its own. `ids` are the values of the variables of its documents, except `text`."""

    def __init__(self, url: str, key: str, ids: Mapping[str, str]) -> None:
        self._http = httpx.AsyncClient(base_url=url, timeout=_TIMEOUT_S, headers={"authorization": f"Bearer {key}"})
        self._ids = ids
        self._number = count()

    async def ask(self, document: str, text: str) -> float:
        """Sends a request. Returns its duration in seconds, even if the answer is an error."""
        variables = {name: value for name, value in {**self._ids, "text": text}.items() if f"${name}:" in document}
        started = time.perf_counter()
        answer = await self._http.post("/graphql", json={"query": document, "variables": variables})
        took = time.perf_counter() - started
        answer.json()
        return took

    async def search_and_write(self, into: Seconds, going: Callable[[int], bool]) -> None:
        """Searches and writes in turns, with a short pause after each, and adds the durations to `into`. Continues
        while `going`, called with the number of pairs done, returns True.
        """
        asked = 0
        while going(asked):
            number = next(self._number)
            into["search"].append(await self.ask(_SEARCH, f"What did I say of the garden {number % _KNOWN}?"))
            await asyncio.sleep(_PAUSE_S)
            into["write"].append(await self.ask(_RECORD, f"I watered the garden for the {number}th time."))
            await asyncio.sleep(_PAUSE_S)
            asked += 1


async def measure(service: Service, report: Report) -> list[Row]:
    """Returns a row each for searches and writes: times alone and beside the hostile client, in ms, and the ratio of
    their p99. The rows after them are the slowest hostile requests.
    """
    more = {"auth": "credentials", "rate_limit": "100000/second"}
    served = Served(service.settings, service.settings.data_dir / "hostile.log", **more)
    other, hostile = [await _client(service, served.url, account) for account in ("alice", "mallory")]
    try:
        await served.revive()
        await served.ready()
        alone, beside, sent = await _in_turns(other, hostile, report)
    finally:
        await served.stop()
    return [*(_row(kind, alone[kind], beside[kind]) for kind in alone), *_longest(sent)]


async def _in_turns(other: _Client, hostile: _Client, report: Report) -> tuple[Seconds, Seconds, Seconds]:
    """Returns the durations by kind of the other client's requests alone, of those beside hostile ones, and of the
    hostile requests by name. Each turn sends a share of the hostile texts.
    """
    alone, beside, sent = [defaultdict[str, list[float]](list) for _ in range(3)]
    await other.search_and_write(defaultdict(list), lambda asked: asked < ALONE)
    texts = list(_requests())
    share = len(texts) // TURNS + 1
    for number in range(TURNS):
        report(number + 1, TURNS, f"turn {number + 1} of {TURNS}: alone, then beside hostile texts")
        await other.search_and_write(alone, lambda asked: asked < ALONE)
        sending = asyncio.create_task(_send(hostile, texts[number * share : (number + 1) * share], sent))
        await other.search_and_write(beside, lambda _, task=sending: not task.done())  # type: ignore[misc]
        await sending
    return alone, beside, sent


async def _client(service: Service, url: str, account: str) -> _Client:
    """Returns the client of a new person who has an API key and a private chat with some messages."""
    people = service.people
    person = await people.with_account(account, account.title())
    chat = await people.create_chat(Viewer(person), ChatKind.PRIVATE, account, [Member(person)])
    said = [Turn(f"In the garden I planted tree {number}.", person) for number in range(_KNOWN)]
    for start in range(0, _KNOWN, 100):
        await service.recorder.record(Viewer(person), chat.id, said[start : start + 100])
    _, key = await service.api_keys.create(account, "bench")
    return _Client(url, key, {"chat": global_id("Chat", chat.id), "me": global_id("Person", person)})


def _requests() -> Iterator[tuple[str, str, str]]:
    """Yields the name, document and text of each hostile request: each text at each entry point, as long as it allows;
    each again for recordMessage, longer than allowed; and a query with many fields.
    """
    for unit in HOSTILE:
        for door, (document, limit) in _DOORS.items():
            yield f"{door} {unit!r}", document, repeated(unit, limit - 1)
        yield f"recordMessage {unit!r}, too long", _RECORD, repeated(unit, 200_000)
        yield "many fields", _MANY_FIELDS, ""


async def _send(client: _Client, some: list[tuple[str, str, str]], into: Seconds) -> None:
    for name, document, text in some:
        into[name].append(await client.ask(document, text))


def _row(kind: str, alone: list[float], beside: list[float]) -> Row:
    numbers = {
        f"{where} p{share}": percentile(seconds, share / 100) * 1000
        for where, seconds in (("alone", alone), ("beside", beside))
        for share in (50, 99)
    }
    numbers["longest beside"] = max(beside) * 1000
    numbers["requests alone"], numbers["requests beside"] = len(alone), len(beside)
    return Row(kind, {**numbers, f"p99 beside over alone (bar {BAR})": numbers["beside p99"] / numbers["alone p99"]})


def _longest(seconds: Seconds) -> list[Row]:
    """The ten slowest hostile requests, each by the longest duration under its name."""
    found = sorted(((max(each), name) for name, each in seconds.items()), reverse=True)
    return [Row(name, {"ms": took * 1000}) for took, name in found[:10]]
