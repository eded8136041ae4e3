"""GraphQL: queries and mutations, the errors for invalid input, and what stays hidden."""

import base64
import json
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from unittest.mock import patch

import httpx
import pytest
from graphql import GraphQLObjectType, get_named_type

from hippograph.api.graphql import schema
from hippograph.api.graphql.nodes import global_id
from hippograph.api.service import Service
from hippograph.graph.database import Transaction
from hippograph.graph.errors import DatabaseUnavailable
from hippograph.graph.ids import derived_id, new_id
from hippograph.graph.model import INTERNAL, Chat, ChatKind, Person, Viewer
from hippograph.graph.people.people import Member
from hippograph.graph.retrieval.filters import NO_FILTERS
from hippograph.graph.writing.recording import Turn
from tests.integration.conftest import statements_of

Ask = Callable[..., Awaitable[dict[str, Any]]]
Drain = Callable[[], Awaitable[int]]

RECORD = """
mutation Record($input: RecordMessageInput!) {
  recordMessage(input: $input) {
    __typename
    ... on RecordMessagePayload { memoryId sessionId repeated }
    ... on Error { message code retryable }
  }
}
"""
SEARCH = """
query Search(
  $query: String!, $chat: ID, $persona: ID, $filter: SearchFilter, $first: Int! = 10, $after: String,
  $asOf: DateTime, $knownAt: DateTime
) {
  search(
    query: $query, chatId: $chat, personaId: $persona, filter: $filter, first: $first, after: $after,
    asOf: $asOf, knownAt: $knownAt
  ) {
    pageInfo { hasNextPage endCursor }
    edges { cursor score ranks { list rank similarity } parts { name value } node { id content } }
  }
}
"""
NODE = "query Node($id: ID!) { node(id: $id) { __typename id } }"


@pytest.fixture
async def mine(service: Service) -> Chat:
    """The viewer's private chat."""
    return await service.people.create_chat(INTERNAL, ChatKind.PRIVATE, "Mine", [Member(service.local_user.id)])


@pytest.fixture
async def bob(service: Service) -> Person:
    """A person other than the viewer."""
    return await service.people.create_person(INTERNAL, "Bob", usernames=["bob"])


@pytest.fixture
async def group(service: Service, bob: Person) -> Chat:
    """A group of the viewer and Bob."""
    return await service.people.create_chat(
        INTERNAL, ChatKind.GROUP, "Trip", [Member(service.local_user.id), Member(bob.id)]
    )


@pytest.fixture
async def theirs(service: Service, bob: Person) -> Chat:
    """Bob's private chat, in which the viewer takes no part."""
    return await service.people.create_chat(INTERNAL, ChatKind.PRIVATE, "Bob's", [Member(bob.id)])


async def _say(service: Service, chat: Chat, *texts: str, by: str | None = None, minutes: int = 1) -> list[str]:
    """Records texts some minutes apart, the last one as many minutes ago. Returns the ids of their memories."""
    start = service.clock() - timedelta(minutes=minutes * len(texts))
    turns = [
        Turn(text, by or service.local_user.id, start + timedelta(minutes=minutes * n)) for n, text in enumerate(texts)
    ]
    return [recorded.memory_id for recorded in await service.recorder.record(service.viewer(), chat.id, turns)]


def _as(person: Person) -> Viewer:
    return Viewer(person.id)


def _reader(service: Service, person: Person) -> dict[str, Any]:
    now = service.clock()
    return {"viewer": person.id, "now": now, "as_of": now, "known_at": now}


def _chat(chat: Chat) -> str:
    return global_id("Chat", chat.id)


def _found(answer: dict[str, Any]) -> list[str]:
    return [edge["node"]["content"] for edge in answer["data"]["search"]["edges"]]


def _code(answer: dict[str, Any]) -> str:
    """The code of the one error of an answer that failed."""
    (error,) = answer["errors"]
    return str(error["extensions"]["code"])


# --- recording ---


async def test_message_is_recorded_and_read_back(ask: Ask, mine: Chat) -> None:
    """A recorded message is a pending episodic memory, and a turn by the viewer in an open session of its chat."""
    document = """
    mutation Record($input: RecordMessageInput!) {
      recordMessage(input: $input) {
        ... on RecordMessagePayload {
          memoryId
          memory {
            id type content speakerName speaker { __typename ... on Person { key } } chat { title }
            session { id turns { nodes { content } } } entities { key } sourceRole sensitivity pending tags
          }
          session { id endedAt chat { title } persona { name } }
          sessionId
        }
      }
    }
    """
    answer = await ask(document, input={"chatId": _chat(mine), "content": "Hello there", "tags": ["greeting"]})
    recorded = answer["data"]["recordMessage"]
    assert {
        "id": recorded["memoryId"],
        "type": "EPISODIC",
        "content": "Hello there",
        "speakerName": "tester",
        "speaker": {"__typename": "Person", "key": "person:tester"},
        "chat": {"title": "Mine"},
        "session": {"id": recorded["sessionId"], "turns": {"nodes": [{"content": "Hello there"}]}},
        "entities": [],
        "sourceRole": "USER",
        "sensitivity": "PUBLIC",
        "pending": True,
        "tags": ["greeting"],
    } == recorded["memory"]
    assert {"id": recorded["sessionId"], "endedAt": None, "chat": {"title": "Mine"}, "persona": None} == recorded[
        "session"
    ]


async def test_assistant_speaks_as_its_persona(ask: Ask, service: Service, mine: Chat) -> None:
    """The speaker of an assistant's message is the persona of its session."""
    atlas = await service.people.create_persona(INTERNAL, "Atlas")
    given = {
        "chatId": _chat(mine),
        "personaId": global_id("Persona", atlas.id),
        "content": "I am here",
        "asAssistant": True,
    }
    recorded = (await ask(RECORD, input=given))["data"]["recordMessage"]
    document = """query Q($id: ID!) { node(id: $id) { ... on Memory {
      sourceRole persona { name } speaker { __typename ... on Persona { name } } session { persona { name } }
    } } }"""
    assert {
        "sourceRole": "ASSISTANT",
        "persona": {"name": "Atlas"},
        "speaker": {"__typename": "Persona", "name": "Atlas"},
        "session": {"persona": {"name": "Atlas"}},
    } == (await ask(document, id=recorded["memoryId"]))["data"]["node"]


async def test_retry_gives_what_the_first_try_gave(ask: Ask, mine: Chat) -> None:
    """A retry with the same idempotency key returns the first result and stores nothing; with other content it is a
    conflict.
    """
    given = {"chatId": _chat(mine), "content": "Once", "idempotencyKey": "k-1"}
    first = (await ask(RECORD, input=given))["data"]["recordMessage"]
    again = (await ask(RECORD, input=given))["data"]["recordMessage"]
    assert {**first, "repeated": True} == again
    other = (await ask(RECORD, input={**given, "content": "Twice"}))["data"]["recordMessage"]
    assert ("ConflictError", "CONFLICT", False) == (other["__typename"], other["code"], other["retryable"])
    stats = await ask("{ stats { memories byType { type count } pending failed tryingAgain entities } }")
    assert 1 == stats["data"]["stats"]["memories"]


async def test_session_under_a_word_of_the_callers(ask: Ask, mine: Chat) -> None:
    """A later message joins a session by the caller's own name for it, or by the id that was returned."""
    given = {"chatId": _chat(mine), "content": "One", "sessionId": "thread-7"}
    first = (await ask(RECORD, input=given))["data"]["recordMessage"]
    by_word = (await ask(RECORD, input={**given, "content": "Two"}))["data"]["recordMessage"]
    by_id = (await ask(RECORD, input={**given, "content": "Three", "sessionId": first["sessionId"]}))["data"]
    assert first["sessionId"] == by_word["sessionId"] == by_id["recordMessage"]["sessionId"]


async def test_a_word_for_a_session_is_nobody_elses(ask: Ask, mine: Chat, service: Service) -> None:
    """A session name or id that is used in one chat denotes a new session in another chat."""
    other = await service.people.create_chat(service.viewer(), ChatKind.GROUP, "Other", [Member(service.local_user.id)])
    given = {"content": "Hello", "sessionId": "morning"}
    here = (await ask(RECORD, input={**given, "chatId": _chat(mine)}))["data"]["recordMessage"]["sessionId"]
    there = (await ask(RECORD, input={**given, "chatId": _chat(other)}))["data"]["recordMessage"]["sessionId"]
    given["sessionId"] = here
    by_id = (await ask(RECORD, input={**given, "chatId": _chat(other)}))["data"]["recordMessage"]["sessionId"]
    assert 3 == len({here, there, by_id})


RECORD_ALL = """
mutation Record($input: RecordMessagesInput!) {
  recordMessages(input: $input) {
    ... on RecordMessagesPayload { messages { repeated memory { content session { turns { nodes { content } } } } } }
    ... on Error { code message }
  }
}
"""


async def test_messages_are_recorded_in_their_order(ask: Ask, mine: Chat) -> None:
    """Messages recorded together are turns of one session in the given order; a retry stores only what is missing."""
    messages = [{"content": f"Line {n}", "idempotencyKey": f"k-{n}"} for n in range(3)]
    given = {"chatId": _chat(mine), "messages": messages[:2]}
    first = (await ask(RECORD_ALL, input=given))["data"]["recordMessages"]["messages"]
    assert ["Line 0", "Line 1"] == [each["memory"]["content"] for each in first]
    again = (await ask(RECORD_ALL, input={**given, "messages": messages}))["data"]["recordMessages"]["messages"]
    assert [True, True, False] == [each["repeated"] for each in again]
    turns = again[2]["memory"]["session"]["turns"]["nodes"]
    assert ["Line 0", "Line 1", "Line 2"] == [turn["content"] for turn in turns]
    nothing = (await ask(RECORD_ALL, input={**given, "messages": []}))["data"]["recordMessages"]
    assert {"messages": []} == nothing


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"content": ""}, "INVALID_INPUT"),
        ({"content": "Other words", "idempotencyKey": "k-1"}, "CONFLICT"),
        ({"content": "fine", "speakerId": global_id("Person", new_id())}, "NOT_FOUND"),
    ],
)
async def test_one_wrong_message_stores_none_and_is_named(
    ask: Ask, mine: Chat, wrong: dict[str, Any], code: str
) -> None:
    """If one of several messages is invalid, the error gives its position and none is stored; over 100 are refused."""
    await ask(RECORD, input={"chatId": _chat(mine), "content": "Once", "idempotencyKey": "k-1"})
    given = {"chatId": _chat(mine), "messages": [{"content": "Right"}, wrong]}
    refused = (await ask(RECORD_ALL, input=given))["data"]["recordMessages"]
    assert (code, "turn 2 of 2: ") == (refused["code"], refused["message"][:13]), refused
    many = (await ask(RECORD_ALL, input={**given, "messages": [{"content": "x"}] * 101}))["data"]["recordMessages"]
    assert "INVALID_INPUT" == many["code"]
    assert {"stats": {"memories": 1}} == (await ask("{ stats { memories } }"))["data"]


async def test_facts_are_remembered_all_or_none(ask: Ask) -> None:
    """Facts are stored in order, and a repeated one is confirmed. If one is invalid, the error gives its position and
    none is stored.
    """
    document = """mutation R($facts: [FactInput!]!) { rememberFacts(input: {facts: $facts}) {
      ... on RememberFactsPayload { facts { confirmed memory { content } } }
      ... on Error { code message }
    } }"""
    facts = [{"content": "I play the tuba"}, {"content": "I sail"}, {"content": "I play the tuba"}]
    stored = (await ask(document, facts=facts))["data"]["rememberFacts"]["facts"]
    assert ["I play the tuba", "I sail", "I play the tuba"] == [each["memory"]["content"] for each in stored]
    assert [False, False, True] == [each["confirmed"] for each in stored]
    refused = (await ask(document, facts=[{"content": "I row"}, {"content": ""}]))["data"]["rememberFacts"]
    assert ("INVALID_INPUT", "fact 2 of 2: ") == (refused["code"], refused["message"][:13])
    assert {"stats": {"memories": 2}} == (await ask("{ stats { memories } }"))["data"]


@pytest.mark.parametrize(
    ("changes", "kind"),
    [
        ({"content": ""}, "InvalidInputError"),
        ({"content": " \n\t"}, "InvalidInputError"),
        ({"content": "x" * 100_000}, "InvalidInputError"),
        ({"content": "a\x00b"}, "InvalidInputError"),
        ({"content": "half \ud83d of a pair"}, "InvalidInputError"),
        ({"content": "fine", "tags": [""]}, "InvalidInputError"),
        ({"content": "fine", "tags": ["\udc00"]}, "InvalidInputError"),
        ({"content": "fine", "eventTime": "9999-12-31T23:59:59Z"}, "InvalidInputError"),
        ({"content": "fine", "eventTime": "0001-01-01T00:00:00+12:00"}, "InvalidInputError"),
        ({"content": "fine", "idempotencyKey": ""}, "InvalidInputError"),
        ({"content": "fine", "idempotencyKey": "\ud800"}, "InvalidInputError"),
        ({"content": "fine", "sessionId": "\x00"}, "InvalidInputError"),
        ({"content": "fine", "sessionId": "x" * 201}, "InvalidInputError"),
        ({"content": "fine", "asAssistant": True}, "InvalidInputError"),
        ({"content": "fine", "asAssistant": True, "speakerId": global_id("Person", new_id())}, "InvalidInputError"),
        ({"content": "fine", "chatId": "nonsense"}, "InvalidInputError"),
        ({"content": "fine", "chatId": ""}, "InvalidInputError"),
        ({"content": "fine", "chatId": "\ud800"}, "InvalidInputError"),
        ({"content": "fine", "chatId": global_id("Person", new_id())}, "InvalidInputError"),
        ({"content": "fine", "chatId": global_id("Chat", new_id())}, "NotFoundError"),
        ({"content": "fine", "chatId": global_id("Chat", "\x00")}, "NotFoundError"),
        ({"content": "fine", "speakerId": global_id("Person", new_id())}, "NotFoundError"),
        ({"content": "fine", "speakerId": ""}, "InvalidInputError"),
        ({"content": "fine", "personaId": global_id("Persona", new_id()), "asAssistant": True}, "NotFoundError"),
    ],
)
async def test_wrong_message_is_a_typed_error(ask: Ask, mine: Chat, changes: dict[str, Any], kind: str) -> None:
    """An invalid message returns the typed error of its cause and stores neither a memory nor a session."""
    answer = (await ask(RECORD, input={"chatId": _chat(mine), **changes}))["data"]["recordMessage"]
    assert kind == answer["__typename"], answer
    assert answer["message"]
    assert answer["retryable"] is False
    stats = await ask("{ stats { memories } chats { nodes { sessions { nodes { id } } } } }")
    assert {"stats": {"memories": 0}, "chats": {"nodes": [{"sessions": {"nodes": []}}]}} == stats["data"]


@pytest.mark.parametrize("value", [None, 7, ["a"], {"a": 1}])
async def test_wrong_type_is_a_plain_error(ask: Ask, mine: Chat, value: object) -> None:
    """A value of a wrong type is refused by the schema, without data."""
    answer = await ask(RECORD, input={"chatId": _chat(mine), "content": value})
    assert "BAD_USER_INPUT" == _code(answer)
    assert "data" not in answer


@pytest.mark.parametrize("time", ["yesterday", "2026-13-01T00:00:00Z", "", 5])
async def test_what_is_no_time_is_a_plain_error(ask: Ask, mine: Chat, time: object) -> None:
    """An invalid time is refused by the schema."""
    answer = await ask(RECORD, input={"chatId": _chat(mine), "content": "fine", "eventTime": time})
    assert "BAD_USER_INPUT" == _code(answer)


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("الاجتماع يوم الثلاثاء في المكتبة", "المكتبة"),
        ("פגישה ביום שלישי", "שלישי"),
        ("We celebrate 🎉🎂 with Zoë 👩‍👩‍👧‍👦 at noon", "celebrate"),
        ("Встреча во вторник у Ольги", "вторник"),
        ('C++ AND (NOT regex) +(a:b) "quoted" ~2 ^4 [1 TO 2] {x} \\ / ? *', "regex quoted"),
        ("line one\nline two\ttabbed", "tabbed"),
    ],
)
async def test_any_script_is_kept_and_found(ask: Ask, mine: Chat, text: str, question: str) -> None:
    """Right-to-left text, emoji, other scripts and query syntax are stored unchanged and found by their words."""
    await ask(RECORD, input={"chatId": _chat(mine), "content": text})
    assert [text] == _found(await ask(SEARCH, query=question))


# --- searching ---


@pytest.mark.embedding_ranked
async def test_search_says_why(ask: Ask, service: Service, drain: Drain, mine: Chat) -> None:
    """A result has its rank in each list and its similarity, and its score is the sum of its parts."""
    await _say(service, mine, "The ferry to Crete leaves at nine", "My dog is called Max")
    await drain()
    answer = await ask(SEARCH, query="When does the ferry to Crete leave?")
    edge = answer["data"]["search"]["edges"][0]
    assert "The ferry to Crete leaves at nine" == edge["node"]["content"]
    ranks = {reason["list"]: reason for reason in edge["ranks"]}
    assert {"FULL_TEXT": 1, "VECTOR": 1} == {name: reason["rank"] for name, reason in ranks.items()}
    assert ranks["FULL_TEXT"]["similarity"] is None
    assert 0.5 < ranks["VECTOR"]["similarity"] <= 1
    assert edge["score"] == pytest.approx(sum(part["value"] for part in edge["parts"]))


@pytest.mark.parametrize(
    "query",
    ['"', "/", "a OR b) AND (c", "content:secret +scopes:*", "*:*", "[1 TO", "\\", "~", "&&", "!", "ferry~2^3", "(((("],
)
async def test_query_language_is_only_words(
    ask: Ask, service: Service, mine: Chat, theirs: Chat, bob: Person, query: str
) -> None:
    """Lucene syntax in a query neither makes a search fail nor finds another person's memories."""
    await _say(service, mine, "the ferry is mine")
    await _say(service, theirs, "a secret of Bob's about the ferry", by=bob.id)
    answer = await ask(SEARCH, query=query)
    assert "errors" not in answer
    assert "a secret of Bob's about the ferry" not in _found(answer)


@pytest.mark.parametrize("query", ["", "  ", "\x00", "\ud800", "x" * 10_001])
async def test_wrong_question_is_an_error(ask: Ask, query: str) -> None:
    """A query that is empty, too long or invalid Unicode is refused with a code."""
    assert "INVALID_INPUT" == _code(await ask(SEARCH, query=query))


async def test_pages_are_one_ranking(ask: Ask, service: Service, drain: Drain, mine: Chat) -> None:
    """Pages of two make up the whole ranking, even if memories are written between them."""
    await _say(service, mine, *(f"Ferry number {n} leaves the harbour" for n in range(7)))
    await drain()
    whole = _found(await ask(SEARCH, query="ferry harbour", first=100))
    pages, after = [], None
    while True:
        answer = await ask(SEARCH, query="ferry harbour", first=2, after=after)
        pages += _found(answer)
        info = answer["data"]["search"]["pageInfo"]
        if not info["hasNextPage"]:
            break
        after = info["endCursor"]
        await _say(service, mine, "One more ferry in the harbour")
        await drain()
    assert whole == pages


@pytest.mark.parametrize("cursor", ["", "nonsense", "bm9uc2Vuc2U=", "WyJhIl0=", "\ud800", "é"])
async def test_wrong_cursor_is_an_error(ask: Ask, cursor: str) -> None:
    """An invalid cursor is refused by searches and by lists."""
    assert "INVALID_INPUT" == _code(await ask(SEARCH, query="ferry", after=cursor))
    document = "query Q($after: String) { chats(after: $after) { nodes { id } } }"
    assert "INVALID_INPUT" == _code(await ask(document, after=cursor))


PAGED = {
    "Query.search": 'search(query: "ferry", after: $a) { nodes { id } }',
    "Query.memoriesAbout": "memoriesAbout(personIds: [$person], after: $a) { nodes { id } }",
    "Query.timeline": "timeline(key: $key, after: $a) { nodes { id } }",
    "Query.weakFacts": "weakFacts(after: $a) { nodes { confidence } }",
    "Query.archive": "archive(after: $a) { nodes { archivedAt } }",
    "Query.todos": "todos(after: $a) { nodes { id } }",
    "Query.forgettings": "forgettings(after: $a) { nodes { id } }",
    "Query.upkeepRuns": "upkeepRuns(after: $a) { nodes { step } }",
    "Query.archiveSearch": 'archiveSearch(query: "ferry", after: $a) { nodes { id } }',
    "Query.chats": "chats(after: $a) { nodes { id } }",
    "Query.uses": "uses(after: $a) { nodes { at } }",
    "Memory.uses": "memories { nodes { uses(after: $a) { nodes { at } } } }",
    "Query.spaces": "spaces(after: $a) { nodes { id } }",
    "Space.chats": "spaces { nodes { chats(after: $a) { nodes { id } } } }",
    "Query.invitations": "invitations(after: $a) { nodes { title } }",
    "Query.entities": "entities(after: $a) { nodes { id } }",
    "Query.communities": "communities(after: $a) { nodes { community } }",
    "Query.merges": "merges(after: $a) { nodes { key } }",
    "Query.suggestMerges": "suggestMerges(after: $a) { nodes { score } }",
    "Query.personas": "personas(after: $a) { nodes { id } }",
    "Query.userStateHistory": 'userStateHistory(key: "mood", after: $a) { nodes { value } }',
    "Viewer.chats": "viewer { chats(after: $a) { nodes { id } } }",
    "Chat.sessions": "node(id: $chat) { ... on Chat { sessions(after: $a) { nodes { id } } } }",
    "Chat.memories": "node(id: $chat) { ... on Chat { memories(after: $a) { nodes { id } } } }",
    "Session.turns": "node(id: $session) { ... on Session { turns(after: $a) { nodes { id } } } }",
    "Query.memories": "memories(after: $a) { nodes { id } }",
    **{
        f"{kind}.memories": f"node(id: $person) {{ ... on {kind} {{ memories(after: $a) {{ nodes {{ id }} }} }} }}"
        for kind in ("Person", "Project", "Organization", "Place", "Concept", "Tool")
    },
    "EntityCard.timeline": "entityCard(key: $key) { timeline(after: $a) { nodes { id } } }",
    "EntityCard.relations": "entityCard(key: $key) { relations(after: $a) { nodes { predicate } } }",
    "UndecidedErasure.places": "undecidedErasures { places(after: $a) { nodes { kind } } }",
}
"""A selection of each paged field, by type and field."""
UNASKED = {f"{kind}.memories" for kind in ("Project", "Organization", "Place", "Concept", "Tool")}
"""Fields of `PAGED` that are not evaluated, since the entity of the test is a person."""
KEYS = [
    [],
    ["x"],
    [""],
    ["\ud800"],
    [10**30],
    ["9999-12-31T23:59:59+23:00", "x"],
    ["9999-12-31T23:59:59-23:00", "x"],
    ["0001-01-01T00:00:00+00:00", 10**30],
    ["2024-01-01T00:00:00+00:00", -1],
    ["2024-01-01T00:00:00+18:30", "x"],
    [1e30, "x", "x"],
    [10**30, "x", "x"],
    ["x", "\ud800", "x"],
    ["2024-01-01T00:00:00+00:00", 0.5, "x"],
    ["2024-01-01T00:00:00+00:00", float("nan"), "x"],
    [None, None],
]


async def test_no_cursor_is_an_internal_error(ask: Ask, service: Service, mine: Chat) -> None:
    """A forged cursor of the list itself is refused as invalid input or answered with a page, and one of another list
    is always refused. Every paged field is tested.
    """
    paged = {
        f"{kind.name}.{name}"
        for kind in schema._schema.type_map.values()
        if isinstance(kind, GraphQLObjectType)
        for name, field in kind.fields.items()
        if "after" in field.args
    }
    assert paged == set(PAGED)
    me, [said] = service.local_user, await _say(service, mine, "The ferry leaves")
    gone = await service.people.create_person(INTERNAL, "Malvina Crowe", user_id="mal@example")
    await service.people.add_alias(Viewer(gone.id), gone.id, "Ferry Harbour")
    await _say(service, mine, "Ferry Harbour is lovely in May")
    await service.erasures.erase(Viewer(gone.id), gone.id)
    assert 1 == len((await ask("{ undecidedErasures { places { nodes { kind } } } }"))["data"]["undecidedErasures"])
    session = (await service.browsing.memories(service.viewer(), [said]))[said].session_id
    await service.spaces.create(service.viewer(), "Ferries")
    lists = {
        "Query.weakFacts": "weak facts",
        "Query.archive": "archive",
        "Query.todos": "todos",
        "Query.forgettings": "forgettings",
        "Query.upkeepRuns": "runs of upkeep",
        "Query.chats": "chats",
        "Viewer.chats": "chats",
        "Query.uses": "uses",
        "Memory.uses": f"uses of {said}",
        "Query.spaces": "spaces",
        "Query.invitations": "invitations",
        "Query.entities": "entities",
        "Query.suggestMerges": "suggestions",
        "Query.merges": "merges",
        "Query.personas": "personas",
        "Chat.sessions": f"sessions of {mine.id}",
        "Chat.memories": f"memories of {mine.id}",
        "Session.turns": f"turns of {session}",
        "Query.timeline": f"timeline of {me.key}",
        "EntityCard.timeline": f"timeline of {me.key}",
        "EntityCard.relations": f"relations of {me.key}",
        "Query.memoriesAbout": f"memories about {derived_id('', me.id)}",
        "Query.userStateHistory": f"history of {me.id}||mood",
        "Person.memories": f"memories of entity {me.id}",
        "Query.memories": f"memories with {derived_id(repr(NO_FILTERS))}",
        "UndecidedErasure.places": "places",
    }
    given = {"chat": _chat(mine), "session": global_id("Session", session or ""), "key": me.key}
    given["person"] = global_id("Person", me.id)
    fields, names = list(PAGED), list(lists.values())
    for turn, key in enumerate(KEYS):
        others = {field: names[(turn + place) % len(names)] for place, field in enumerate(fields)}
        for of in (others | lists, others):  # the cursor of the list itself, then those of other lists in turn
            cursors = {field: _forged([of[field], *key]) for field in fields}
            for some in (fields[:20], fields[20:]):  # A document may have at most 30 aliases.
                answer = await _pages(ask, {field: cursors[field] for field in some}, given)
                errors = answer.get("errors", [])
                assert {"INVALID_INPUT"} >= {error["extensions"]["code"] for error in errors}, (of, key, answer)
                of_another = {_alias(field) for field in some if of[field] != lists.get(field) and field not in UNASKED}
                assert of_another <= {error["path"][0] for error in errors}, (of, key, answer)


def _alias(field: str) -> str:
    """Returns the name of a field of `PAGED` in a request of `_pages`."""
    return field.replace(".", "_")


def _forged(fields: list[object]) -> str:
    """Returns the cursor that encodes these fields."""
    return base64.urlsafe_b64encode(json.dumps(fields).encode()).decode()


async def _pages(ask: Ask, cursors: dict[str, str], given: dict[str, str]) -> dict[str, Any]:
    """Asks for the page of each field in `PAGED` after its cursor, in one request."""
    body = " ".join(
        f"{_alias(field)}: {PAGED[field]}".replace("$a", json.dumps(cursor)) for field, cursor in cursors.items()
    )
    types = ", ".join(f"${name}: {'String' if name == 'key' else 'ID'}!" for name in given if f"${name}" in body)
    return await ask(f"query Q({types}) {{ {body} }}", **given)


async def test_cursor_of_another_search_is_an_error(ask: Ask, service: Service, mine: Chat) -> None:
    """The cursor of a search is refused by a search for another query."""
    await _say(service, mine, "The ferry leaves", "The ferry arrives")
    after = (await ask(SEARCH, query="ferry", first=1))["data"]["search"]["pageInfo"]["endCursor"]
    assert "INVALID_INPUT" == _code(await ask(SEARCH, query="train", first=1, after=after))


@pytest.mark.parametrize("first", [0, -1, 101, 2_147_483_647])
async def test_page_size_out_of_range_is_an_error(ask: Ask, first: int) -> None:
    """A page size outside 1 to 100 is refused, by searches and by lists."""
    assert "INVALID_INPUT" == _code(await ask(SEARCH, query="ferry", first=first))
    document = "query Q($n: Int!) { personas(first: $n) { nodes { id } } }"
    assert "INVALID_INPUT" == _code(await ask(document, n=first))


async def test_a_search_goes_by_a_profile_and_a_least_relevance(ask: Ask, service: Service, mine: Chat) -> None:
    """A search ranks by the given profile, returns the relevance of each result, and leaves out results below
    `minRelevance`, which may be at most 1.
    """
    await _say(service, mine, "the ferry leaves at noon")
    document = """
    query Q($chat: ID!, $least: Float!) {
      search(query: "ferry", chatId: $chat, profile: STRENGTH, minRelevance: $least) {
        edges { relevance outdated { reason since now { id } } parts { name } }
      }
    }
    """
    [edge] = (await ask(document, chat=_chat(mine), least=0.0))["data"]["search"]["edges"]
    assert ["relevance", "strength"] == [part["name"] for part in edge["parts"]]
    assert edge["outdated"] is None
    assert 0 < edge["relevance"] < 1
    assert [] == (await ask(document, chat=_chat(mine), least=1.0))["data"]["search"]["edges"]
    assert "INVALID_INPUT" == _code(await ask(document, chat=_chat(mine), least=2.0))


async def test_filters_narrow_a_search(ask: Ask, service: Service, mine: Chat, group: Chat, bob: Person) -> None:
    """Speaker, tags, type and time narrow a search. Speakers and types are alternatives; all tags must match."""
    me = service.local_user
    await _say(service, group, "ferry, says the viewer")
    await _say(service, group, "ferry, says Bob", by=bob.id)
    tagged = [Turn("ferry, tagged", me.id, tags=("travel", "sea"))]
    await service.recorder.record(service.viewer(), group.id, tagged)

    async def found(**given: object) -> set[str]:
        return set(_found(await ask(SEARCH, query="ferry", chat=_chat(group), filter=given)))

    everything = {"ferry, says the viewer", "ferry, says Bob", "ferry, tagged"}
    assert {"ferry, says Bob"} == await found(speakerIds=[global_id("Person", bob.id)])
    assert everything == await found(speakerIds=[global_id("Person", bob.id), global_id("Person", me.id)])
    assert {"ferry, tagged"} == await found(tags=["travel", "sea"])
    assert set() == await found(tags=["travel", "land"])
    assert everything == await found(types=["EPISODIC", "OPINION"])
    assert set() == await found(types=["OPINION"])
    assert set() == await found(before="2020-01-01T00:00:00Z")
    assert everything == await found(after="2020-01-01T00:00:00+02:00")


@pytest.mark.parametrize(
    "given",
    [
        {"tags": [""]},
        {"tags": ["\ud800"]},
        {"entities": ["x"] * 101},
        {"speakerIds": ["nonsense"]},
        {"sessionIds": [global_id("Chat", new_id())]},
    ],
)
async def test_wrong_filter_is_an_error(ask: Ask, given: dict[str, Any]) -> None:
    """An invalid filter is refused, not ignored."""
    assert "INVALID_INPUT" == _code(await ask(SEARCH, query="ferry", filter=given))


@pytest.mark.parametrize(
    "given",
    [
        {"kinds": ["NONSENSE"]},
        {"categories": ["NONSENSE"]},
        {"sources": ["NONSENSE"]},
        {"statuses": ["ACTIVE", "NONSENSE"]},
        {"after": 2026},
    ],
)
async def test_a_value_that_no_enum_or_time_has_is_an_error(ask: Ask, given: dict[str, Any]) -> None:
    """An unknown enum value or a value that is no time is refused by the schema; the message names the filter."""
    answer = await ask(SEARCH, query="ferry", filter=given)
    assert "BAD_USER_INPUT" == _code(answer)
    assert "filter" in answer["errors"][0]["message"]


UNKNOWN_PERSONA = {
    "search": 'search(query: "ferry", personaId: $p) { nodes { id } }',
    "memoriesAbout": 'memoriesAbout(query: "who is Bob?", personaId: $p) { nodes { id } }',
    "entityCard": 'entityCard(key: "person:tester", personaId: $p) { text }',
    "timeline": 'timeline(key: "person:tester", personaId: $p) { nodes { id } }',
    "communities": "communities(personaId: $p) { nodes { community } }",
    "context": 'context(query: "ferry", personaId: $p) { text }',
    "archiveSearch": 'archiveSearch(query: "ferry", personaId: $p) { nodes { id } }',
    "userState": "userState(personaId: $p) { key }",
    "userStateHistory": 'userStateHistory(key: "mood", personaId: $p) { nodes { key } }',
    "node": "node(id: $c) { ... on Chat { memories(personaId: $p) { nodes { id } } } }",
    "recordMessage": 'recordMessage(input: {chatId: $c, content: "Hello", personaId: $p}) { ... on Error { code } }',
    "rememberFact": 'rememberFact(input: {fact: {content: "I sail"}, personaId: $p}) { ... on Error { code } }',
    "recordMessages": 'recordMessages(input: {chatId: $c, messages: [{content: "Hello"}], personaId: $p}) '
    "{ ... on Error { code } }",
    "rememberFacts": 'rememberFacts(input: {facts: [{content: "I sail"}], personaId: $p}) { ... on Error { code } }',
    "updateUserState": 'updateUserState(input: {key: "a", value: "b", personaId: $p}) { ... on Error { code } }',
    "block": 'block(name: "a", personaId: $p) { content }',
    "blocks": "blocks(personaId: $p) { content }",
    "todos": "todos(personaId: $p) { nodes { id } }",
    "summaries": "summaries(personaId: $p) { session { content } }",
    "sessionState": "sessionState(personaId: $p) { messageCount }",
    "writeBlock": 'writeBlock(input: {name: "a", content: "b", personaId: $p}) { ... on Error { code } }',
    "appendToBlock": 'appendToBlock(input: {name: "a", text: "b", personaId: $p}) { ... on Error { code } }',
    "replaceInBlock": 'replaceInBlock(input: {name: "a", old: "b", new: "c", personaId: $p}) { ... on Error { code } }',
    "deleteBlock": 'deleteBlock(input: {name: "a", personaId: $p}) { ... on Error { code } }',
    "addTodo": 'addTodo(input: {content: "Call Ana", personaId: $p}) { ... on Error { code } }',
    "closeSession": "closeSession(input: {chatId: $c, personaId: $p}) { ... on Error { code } }",
}
"""A selection of each field that takes a persona, by the root field."""


async def test_an_unknown_persona_is_not_found(ask: Ask, mine: Chat) -> None:
    """An unknown persona is an error in every field that takes one; the field does not act as if none were given."""
    roots = [schema._schema.query_type, schema._schema.mutation_type]
    takers = {
        name
        for root in roots
        if root is not None
        for name, field in root.fields.items()
        if "personaId" in field.args
        or ("input" in field.args and "personaId" in getattr(get_named_type(field.args["input"].type), "fields", ()))
    }
    assert takers | {"node"} == set(UNKNOWN_PERSONA)
    for name, document in UNKNOWN_PERSONA.items():
        verb = "mutation" if "input:" in document else "query"
        used = "$p: ID!" + (", $c: ID!" if "$c" in document else "")
        answer = await ask(f"{verb} Q({used}) {{ {document} }}", p=global_id("Persona", new_id()), c=_chat(mine))
        assert "NOT_FOUND" == (_code(answer) if "errors" in answer else answer["data"][name]["code"]), answer


async def test_what_lasts_beyond_the_calendar_has_no_end(ask: Ask) -> None:
    """A fact whose lifetime would end after the year 9999 is accepted."""
    fact = {
        "content": "The stars go out",
        "kind": "EVENT",
        "eventTime": "9999-12-30T00:00:00Z",
        "ttlSeconds": 2_000_000_000,
    }
    document = "mutation M($fact: FactInput!) { rememberFact(input: {fact: $fact}) { __typename } }"
    assert {"rememberFact": {"__typename": "RememberFactPayload"}} == (await ask(document, fact=fact))["data"]


async def test_people_are_named_anew(ask: Ask, service: Service) -> None:
    """A person is renamed, which keeps the old name as an alias, and given an alias; an unknown person is not found."""
    made = await service.people.create_person(INTERNAL, "Rui Costa")
    await service.people.create_chat(INTERNAL, ChatKind.GROUP, "Us", [Member(service.local_user.id), Member(made.id)])
    answer = "{ __typename ... on PersonPayload { person { key canonicalName aliases } } ... on Error { code } }"
    document = f"""mutation M($id: ID!) {{
      updatePerson(input: {{personId: $id, name: "Rui Lopes"}}) {answer}
      addAlias(input: {{personId: $id, alias: "Ruizinho"}}) {answer}
    }}"""
    named = (await ask(document, id=global_id("Person", made.id)))["data"]
    expected = {"key": "person:rui_costa", "canonicalName": "Rui Lopes", "aliases": ["Rui Costa", "Ruizinho"]}
    assert expected == named["addAlias"]["person"]
    missing = (await ask(document, id=global_id("Person", new_id())))["data"]
    assert ["NOT_FOUND"] * 2 == [one["code"] for one in missing.values()]


async def test_times_of_a_read(ask: Ask, service: Service, mine: Chat) -> None:
    """A search leaves out what was recorded after `knownAt`; a time without an offset and a date are in UTC."""
    before = service.clock() - timedelta(hours=1)
    await _say(service, mine, "The ferry leaves")
    assert ["The ferry leaves"] == _found(await ask(SEARCH, query="ferry"))
    assert [] == _found(await ask(SEARCH, query="ferry", knownAt=before.isoformat()))
    for ahead, expected in ((timedelta(minutes=-1), []), (timedelta(minutes=1), ["The ferry leaves"])):
        bare = (service.clock() + ahead).replace(tzinfo=None).isoformat()
        assert expected == _found(await ask(SEARCH, query="ferry", knownAt=bare))
    assert [] == _found(await ask(SEARCH, query="ferry", knownAt="2020-02-01"))
    far = datetime(9999, 12, 31, tzinfo=UTC).isoformat()
    assert ["The ferry leaves"] == _found(await ask(SEARCH, query="ferry", asOf=far))


# --- what is hidden ---


async def test_hidden_things_are_missing_things(
    ask: Ask, service: Service, drain: Drain, theirs: Chat, bob: Person
) -> None:
    """`node` and `nodes` return null for what the viewer may not see, as for unknown ids and ids of a wrong type."""
    memory = (await _say(service, theirs, "Bob's secret flight to Lisbon", by=bob.id))[0]
    await drain()
    session = (await service.memories.load(_as(bob), [memory]))[memory].session_id
    named = await service.database.one("browse/entities_by", **_reader(service, bob), refs=["place:lisbon"])
    assert named is not None
    assert session is not None
    zed = await service.people.create_person(_as(bob), "Zed Quill")
    hidden = [
        global_id("Memory", memory),
        global_id("Chat", theirs.id),
        global_id("Session", session),
        global_id("Person", zed.id),
        global_id("Place", named["entity"]["id"]),
    ]
    missing = [global_id(kind, new_id()) for kind in ("Memory", "Chat", "Session", "Person", "Place")]
    odd = [global_id("Nothing", new_id()), global_id("Chat", bob.id), global_id("Project", service.local_user.id)]
    for given in [*hidden, *missing, *odd]:
        assert {"data": {"node": None}} == await ask(NODE, id=given)
    document = "query Nodes($ids: [ID!]!) { nodes(ids: $ids) { id } }"
    own = global_id("Person", service.local_user.id)
    answer = await ask(document, ids=[hidden[0], own, missing[0]])
    assert [None, {"id": own}, None] == answer["data"]["nodes"]


async def test_hidden_things_change_no_list_and_no_count(
    ask: Ask, service: Service, drain: Drain, theirs: Chat, bob: Person
) -> None:
    """Another person's private memory, whether processed or not, is in no list, in no count, and under no key."""
    document = """{
      stats { memories byType { type count } entities pending tryingAgain failed }
      chats { nodes { id } } entities { nodes { key } } entity(key: "place:lisbon") { id }
    }"""
    before = await ask(document)
    await _say(service, theirs, "Bob's secret flight to Lisbon", by=bob.id)
    assert before == await ask(document)
    await drain()
    assert before == await ask(document)


async def test_chat_that_was_left_is_gone(ask: Ask, service: Service, group: Chat, bob: Person) -> None:
    """A viewer who left a group finds neither it nor its memories; a search there fails as in an unknown chat."""
    memory = (await _say(service, group, "See you at the ferry", by=bob.id))[0]
    assert ["See you at the ferry"] == _found(await ask(SEARCH, query="ferry", chat=_chat(group)))
    assert (await ask(NODE, id=global_id("Memory", memory)))["data"]["node"]
    await service.people.leave_chat(service.viewer(), group.id, service.local_user.id)
    for chat_id in (group.id, new_id()):
        [error] = (await ask(SEARCH, query="ferry", chat=global_id("Chat", chat_id)))["errors"]
        assert ("NOT_FOUND", f"there is no chat {chat_id}") == (error["extensions"]["code"], error["message"])
    assert (await ask(NODE, id=global_id("Memory", memory)))["data"]["node"] is None
    assert (await ask(NODE, id=_chat(group)))["data"]["node"] is None


async def test_groups_memories_stay_in_the_group(ask: Ask, service: Service, mine: Chat, group: Chat) -> None:
    """A group's memory is found by a search in the group, by its id, and in the group's list, but not by other
    searches or in other chats.
    """
    memory = (await _say(service, group, "The ferry of the group"))[0]
    assert ["The ferry of the group"] == _found(await ask(SEARCH, query="ferry", chat=_chat(group)))
    assert [] == _found(await ask(SEARCH, query="ferry"))
    assert [] == _found(await ask(SEARCH, query="ferry", chat=_chat(mine)))
    document = """query Q($memory: ID!, $group: ID!, $mine: ID!) {
      memory: node(id: $memory) { ... on Memory { content chat { title } } }
      group: node(id: $group) { ... on Chat { memories { nodes { content } } } }
      mine: node(id: $mine) { ... on Chat { memories { nodes { content } } } }
    }"""
    answer = await ask(document, memory=global_id("Memory", memory), group=_chat(group), mine=_chat(mine))
    content = {"content": "The ferry of the group"}
    assert {
        "memory": {**content, "chat": {"title": "Trip"}},
        "group": {"memories": {"nodes": [content]}},
        "mine": {"memories": {"nodes": []}},
    } == answer["data"]


@pytest.mark.parametrize("given", ["", "nonsense", "Q2hhdDo=", "\ud800", "é"])
async def test_what_is_no_id_is_an_error(ask: Ask, given: str) -> None:
    """An invalid id is refused with a code."""
    assert "INVALID_INPUT" == _code(await ask(NODE, id=given))


async def test_too_many_ids_are_an_error(ask: Ask) -> None:
    """More than 100 ids in one query are refused."""
    document = "query Nodes($ids: [ID!]!) { nodes(ids: $ids) { id } }"
    assert "INVALID_INPUT" == _code(await ask(document, ids=[global_id("Chat", new_id())] * 101))


# --- people, chats, sessions ---


async def test_people_personas_and_chats_are_made_and_found(ask: Ask) -> None:
    """People, personas and chats that mutations create are found by id, in lists, and by key or name."""
    document = """mutation {
      person: createPerson(input: {name: "Ada Lovelace", usernames: ["@ada"]}) {
        ... on CreatePersonPayload { person { id key canonicalName usernames type } } }
      persona: createPersona(input: {name: "Atlas"}) { ... on CreatePersonaPayload { persona { id name } } }
    }"""
    made = (await ask(document))["data"]
    person, persona = made["person"]["person"], made["persona"]["persona"]
    assert ("person:ada_lovelace", ["ada"], "PERSON") == (person["key"], person["usernames"], person["type"])
    viewer = (await ask("{ viewer { person { id } } }"))["data"]["viewer"]["person"]["id"]
    create = """mutation Create($input: CreateChatInput!) { createChat(input: $input) {
      __typename ... on CreateChatPayload { chat { id kind title participants { person { key } until } } }
      ... on Error { message } } }"""
    participants = [{"personId": viewer}, {"personId": person["id"]}]
    chat = (await ask(create, input={"kind": "GROUP", "title": "Trip", "participants": participants}))["data"]
    shown = chat["createChat"]["chat"]
    assert [("person:ada_lovelace", None), ("person:tester", None)] == sorted(
        (part["person"]["key"], part["until"]) for part in shown["participants"]
    )
    found = await ask(
        """query Q($person: ID!, $persona: ID!, $chat: ID!) {
          person: node(id: $person) { id } persona: node(id: $persona) { id } chat: node(id: $chat) { id }
          entity(key: "person:ada_lovelace") { id }
          atlas: persona(name: "Atlas") { id } nobody: persona(name: "Nobody") { id }
          personas { nodes { id } } chats { nodes { id } }
          viewer { chats { nodes { id } } } entities(type: PERSON) { nodes { key } }
        }""",
        person=person["id"],
        persona=persona["id"],
        chat=shown["id"],
    )
    assert {
        "person": {"id": person["id"]},
        "persona": {"id": persona["id"]},
        "chat": {"id": shown["id"]},
        "entity": {"id": person["id"]},
        "atlas": {"id": persona["id"]},
        "nobody": None,
        "personas": {"nodes": [{"id": persona["id"]}]},
        "chats": {"nodes": [{"id": shown["id"]}]},
        "viewer": {"chats": {"nodes": [{"id": shown["id"]}]}},
        "entities": {"nodes": [{"key": "person:ada_lovelace"}, {"key": "person:tester"}]},
    } == found["data"]


@pytest.mark.parametrize(
    ("mutation", "given", "kind"),
    [
        ("createPerson", {"name": ""}, "InvalidInputError"),
        ("createPerson", {"name": "!!!"}, "InvalidInputError"),
        ("createPerson", {"name": "x" * 201}, "InvalidInputError"),
        ("createPerson", {"name": "a\x00b"}, "InvalidInputError"),
        ("createPerson", {"name": "Ada", "usernames": ["two words"]}, "InvalidInputError"),
        ("createPerson", {"name": "Ada", "usernames": ["\ud800"]}, "InvalidInputError"),
        ("createPerson", {"name": "Robert", "usernames": ["bob"]}, "ConflictError"),
        ("createPersona", {"name": ""}, "InvalidInputError"),
        ("createPersona", {"name": "\ud800"}, "InvalidInputError"),
        ("createChat", {"kind": "GROUP", "title": "", "participants": []}, "InvalidInputError"),
        ("createChat", {"kind": "PRIVATE", "title": "T", "participants": []}, "InvalidInputError"),
        ("createChat", {"kind": "GROUP", "title": "T", "participants": [{"personId": "x"}]}, "InvalidInputError"),
        (
            "createChat",
            {"kind": "GROUP", "title": "T", "participants": [{"personId": global_id("Person", "0" * 32)}]},
            "NotFoundError",
        ),
        ("joinChat", {"chatId": "GROUP", "personId": global_id("Person", "0" * 32)}, "NotFoundError"),
        ("joinChat", {"chatId": global_id("Chat", "0" * 32), "personId": "BOB"}, "NotFoundError"),
        ("joinChat", {"chatId": "MINE", "personId": "BOB"}, "InvalidInputError"),
        ("joinChat", {"chatId": "GROUP", "personId": "BOB", "since": "9999-12-31T23:59:59Z"}, "InvalidInputError"),
        ("leaveChat", {"chatId": "GROUP", "personId": global_id("Person", "0" * 32)}, "NotFoundError"),
        ("leaveChat", {"chatId": "GROUP", "personId": "GROUP"}, "InvalidInputError"),
        ("closeSession", {"chatId": global_id("Chat", "0" * 32)}, "NotFoundError"),
        ("closeSession", {"chatId": "nonsense"}, "InvalidInputError"),
    ],
)
async def test_wrong_change_is_a_typed_error(
    ask: Ask, mine: Chat, group: Chat, bob: Person, mutation: str, given: dict[str, Any], kind: str
) -> None:
    """An invalid change returns the typed error of its cause, with a message."""
    names = {"GROUP": _chat(group), "MINE": _chat(mine), "BOB": global_id("Person", bob.id)}
    filled = {
        name: names.get(value, value) if isinstance(value, str) and name != "kind" else value
        for name, value in given.items()
    }
    input_type = mutation[0].upper() + mutation[1:] + "Input"
    document = f"""mutation M($input: {input_type}!) {{ {mutation}(input: $input) {{
      __typename ... on Error {{ message code retryable }} }} }}"""
    answer = await ask(document, input=filled)
    assert kind == answer["data"][mutation]["__typename"], answer
    assert answer["data"][mutation]["message"]


@pytest.mark.parametrize(
    ("mutation", "given", "field"),
    [
        ("createPerson", {"name": "!!!"}, "name"),
        ("createPerson", {"name": "Ada", "usernames": ["ada", "two words"]}, "usernames"),
        ("createChat", {"kind": "GROUP", "title": "T", "participants": [{"personId": "x"}]}, "participants.personId"),
        ("rememberFact", {"fact": {"content": "I bake", "aspect": "--"}}, "fact.aspect"),
        ("rememberFact", {"fact": {"content": "I bake", "importance": 7}}, "fact.importance"),
        ("recordMessage", {"chatId": "MINE", "content": " "}, "content"),
        ("recordMessage", {"chatId": "MINE", "content": "Hi", "eventTime": "2999-01-01T12:00:00Z"}, "eventTime"),
        ("createChat", {"kind": "GROUP", "title": "T", "participants": []}, None),
    ],
)
async def test_an_error_names_the_field_of_the_input(
    ask: Ask, mine: Chat, mutation: str, given: dict[str, Any], field: str | None
) -> None:
    """`InvalidInputError.field` is the path of the invalid field, for forms; null if no single field is invalid."""
    filled = {name: _chat(mine) if value == "MINE" else value for name, value in given.items()}
    input_type = f"{mutation[0].upper()}{mutation[1:]}Input"
    document = f"""mutation M($input: {input_type}!) {{ {mutation}(input: $input) {{
      ... on InvalidInputError {{ field }} }} }}"""
    answer = await ask(document, input=filled)
    assert {mutation: {"field": field}} == answer["data"], answer


async def test_memories_are_listed_with_a_filter(
    ask: Ask, service: Service, mine: Chat, theirs: Chat, bob: Person
) -> None:
    """`memories` lists what the viewer may see, newest first and page by page, and takes the filter of a search."""
    await _say(service, mine, "one", "two", "three")
    await _say(service, theirs, "hidden", by=bob.id)
    document = """query List($filter: SearchFilter, $after: String) {
      memories(filter: $filter, first: 2, after: $after) { nodes { content } pageInfo { hasNextPage endCursor } }
    }"""
    page = (await ask(document))["data"]["memories"]
    rest = (await ask(document, after=page["pageInfo"]["endCursor"]))["data"]["memories"]
    assert [{"content": each} for each in ("three", "two", "one")] == page["nodes"] + rest["nodes"]
    assert (True, False) == (page["pageInfo"]["hasNextPage"], rest["pageInfo"]["hasNextPage"])
    assert [] == (await ask(document, filter={"types": ["OPINION"]}))["data"]["memories"]["nodes"]


async def test_an_entity_has_its_memories(
    ask: Ask, service: Service, drain: Drain, mine: Chat, theirs: Chat, bob: Person
) -> None:
    """An entity lists the memories that name it, newest first, without those that the viewer may not see."""
    await _say(service, mine, "We fly to Lisbon.", "I live in Lisbon.")
    await _say(service, theirs, "My secret flight to Lisbon", by=bob.id)
    await drain()
    # A place that only strangers mention is a separate entity, so the key of this one is not known in advance.
    document = "{ entities(type: PLACE) { nodes { memories(first: 5) { nodes { content } } } } }"
    [lisbon] = (await ask(document))["data"]["entities"]["nodes"]
    listed = lisbon["memories"]["nodes"]
    assert [{"content": "I live in Lisbon."}, {"content": "We fly to Lisbon."}] == listed


async def test_coming_and_going(ask: Ask, service: Service, group: Chat, bob: Person) -> None:
    """A person who leaves a chat and joins it again has two participations: one ended, one open."""
    document = """mutation Go($leave: LeaveChatInput!, $join: JoinChatInput!) {
      left: leaveChat(input: $leave) { ... on MembershipPayload { personId until } }
      back: joinChat(input: $join) {
        ... on MembershipPayload { personId until chat { id participants { person { id } } } person { id } }
      }
    }"""
    given = {"chatId": _chat(group), "personId": global_id("Person", bob.id)}
    answer = (await ask(document, leave=given, join=given))["data"]
    assert answer["left"]["until"] is not None
    assert answer["back"]["until"] is None
    assert (given["chatId"], given["personId"]) == (answer["back"]["chat"]["id"], answer["back"]["person"]["id"])
    shown = await ask(
        "query Q($id: ID!) { node(id: $id) { ... on Chat { participants { person { key } until } } } }", id=_chat(group)
    )
    stretches = [
        part["until"] is None for part in shown["data"]["node"]["participants"] if "bob" in part["person"]["key"]
    ]
    assert [False, True] == stretches


async def test_session_is_closed_on_request(ask: Ask, service: Service, mine: Chat) -> None:
    """`closeSession` ends the open session at its last activity, and returns null if none is open."""
    await _say(service, mine, "Hello")
    document = """mutation Close($input: CloseSessionInput!) { closeSession(input: $input) {
      ... on CloseSessionPayload { session { endedAt lastActivityAt } } } }"""
    ended = (await ask(document, input={"chatId": _chat(mine)}))["data"]["closeSession"]["session"]
    assert ended["lastActivityAt"] == ended["endedAt"]
    assert {"session": None} == (await ask(document, input={"chatId": _chat(mine)}))["data"]["closeSession"]


async def test_lists_page_by_page(ask: Ask, service: Service, mine: Chat) -> None:
    """A chat lists its memories newest first, a session its turns in order; pages of two make up the whole list."""
    texts = [f"Message {n}" for n in range(5)]
    await _say(service, mine, *texts)
    chat = """query Q($id: ID!, $after: String) { node(id: $id) { ... on Chat {
      page: memories(first: 2, after: $after) { pageInfo { hasNextPage endCursor } nodes { content } } } } }"""
    session = """query Q($id: ID!, $after: String) { node(id: $id) { ... on Session {
      page: turns(first: 2, after: $after) { pageInfo { hasNextPage endCursor } nodes { content } } } } }"""
    document = "query Q($id: ID!) { node(id: $id) { ... on Chat { sessions { nodes { id } } } } }"
    (opened,) = (await ask(document, id=_chat(mine)))["data"]["node"]["sessions"]["nodes"]
    for query, given, expected in ((chat, _chat(mine), texts[::-1]), (session, opened["id"], texts)):
        found, after, more = [], None, True
        while more:
            page = (await ask(query, id=given, after=after))["data"]["node"]["page"]
            found += [node["content"] for node in page["nodes"]]
            after, more = page["pageInfo"]["endCursor"], page["pageInfo"]["hasNextPage"]
        assert expected == found


async def test_cursor_of_another_list_is_an_error(ask: Ask, service: Service, mine: Chat, group: Chat) -> None:
    """The cursor of one chat's list is refused by the list of another chat."""
    await _say(service, mine, "One", "Two")
    document = """query Q($id: ID!, $after: String) { node(id: $id) { ... on Chat {
      memories(first: 1, after: $after) { pageInfo { endCursor } } } } }"""
    cursor = (await ask(document, id=_chat(mine)))["data"]["node"]["memories"]["pageInfo"]["endCursor"]
    assert "INVALID_INPUT" == _code(await ask(document, id=_chat(group), after=cursor))


async def test_memories_of_a_persona(ask: Ask, service: Service, mine: Chat) -> None:
    """A chat lists the memories of all personas; with `personaId`, those of that persona and those without one."""
    atlas, iris = [await service.people.create_persona(INTERNAL, name) for name in ("Atlas", "Iris")]
    for persona, text in ((atlas, "To Atlas"), (iris, "To Iris"), (None, "To nobody")):
        turn = Turn(text, service.local_user.id)
        await service.recorder.record(service.viewer(), mine.id, [turn], persona and persona.id)
    document = """query Q($id: ID!, $persona: ID) { node(id: $id) { ... on Chat {
      memories(personaId: $persona) { nodes { content } } } } }"""

    async def said(persona: str | None) -> set[str]:
        page = (await ask(document, id=_chat(mine), persona=persona))["data"]["node"]["memories"]
        return {node["content"] for node in page["nodes"]}

    assert {"To Atlas", "To Iris", "To nobody"} == await said(None)
    assert {"To Atlas", "To nobody"} == await said(global_id("Persona", atlas.id))


async def test_names_in_a_memory_become_entities(ask: Ask, service: Service, drain: Drain, mine: Chat) -> None:
    """An entity named in a memory is found from the memory, by key, by id, and in the list of entities."""
    memory = (await _say(service, mine, "We flew to Lisbon with Maria Silva"))[0]
    await drain()
    document = """query Q($id: ID!) {
      node(id: $id) { ... on Memory { pending entities { __typename id key type } } }
      entity(key: "place:lisbon") { id canonicalName }
      entities(type: PLACE) { nodes { key } }
      stats { entities pending }
    }"""
    data = (await ask(document, id=global_id("Memory", memory)))["data"]
    lisbon = next(entity for entity in data["node"]["entities"] if entity["key"] == "place:lisbon")
    assert ("Place", "PLACE") == (lisbon["__typename"], lisbon["type"])
    assert {"id": lisbon["id"], "canonicalName": "Lisbon"} == data["entity"]
    assert {"nodes": [{"key": "place:lisbon"}]} == data["entities"]
    assert {"entities": len(data["node"]["entities"]), "pending": 0} == data["stats"]
    assert {"__typename": "Place", "id": lisbon["id"]} == (await ask(NODE, id=lisbon["id"]))["data"]["node"]


async def test_failed_memories_are_put_back(ask: Ask, service: Service, mine: Chat) -> None:
    """Memories whose processing was given up are counted as failed, and `retryFailed` puts them back on the queue."""
    await _say(service, mine, "Hello")
    await service.database.apply(
        "MATCH (m:Memory&Pending) SET m:Failed, m.failed_at = m.due_at REMOVE m:Pending, m.due_at"
    )
    counts = "{ stats { memories pending failed } }"
    assert {"memories": 1, "pending": 0, "failed": 1} == (await ask(counts))["data"]["stats"]
    retried = await ask("mutation { retryFailed { ... on RetryFailedPayload { retried } } }")
    assert {"retryFailed": {"retried": 1}} == retried["data"]
    assert {"memories": 1, "pending": 1, "failed": 0} == (await ask(counts))["data"]["stats"]


async def test_related_things_are_read_in_batches(ask: Ask, service: Service, drain: Drain, mine: Chat) -> None:
    """A page of 20 memories with their related objects, among them two places, runs the same statements as a page of
    one.
    """
    await _say(service, mine, *(f"We flew to {('Lisbon', 'Berlin')[n % 2]}" for n in range(20)))
    await drain()
    document = """query Q($id: ID!, $n: Int!) { node(id: $id) { ... on Chat { memories(first: $n) { nodes {
      content speaker { ... on Person { key } } session { id } chat { title } entities { key } } } } } }"""
    asked = []
    for size in (1, 20):
        with statements_of(service) as ran:
            answer = await ask(document, id=_chat(mine), n=size)
        nodes = answer["data"]["node"]["memories"]["nodes"]
        assert size == len(nodes)
        assert min(size, 2) == len({entity["key"] for node in nodes for entity in node["entities"]})
        asked.append(ran)
    assert asked[0]
    assert asked[0] == asked[1]


async def test_database_that_is_away_is_a_retryable_error(ask: Ask, service: Service, mine: Chat) -> None:
    """While the database does not answer, a mutation returns a retryable typed error that names no host, and a query
    fails with a retryable code.
    """
    away = DatabaseUnavailable("could not connect to 10.0.0.7:7687")
    with patch.object(type(service.database), "transaction", side_effect=away):
        answer = (await ask(RECORD, input={"chatId": _chat(mine), "content": "Hello"}))["data"]["recordMessage"]
    assert ("UnavailableError", "DATABASE_UNAVAILABLE", True) == (
        answer["__typename"],
        answer["code"],
        answer["retryable"],
    )
    assert "10.0.0.7" not in answer["message"]
    with patch.object(type(service.database), "run", side_effect=away):
        failed = await ask("{ stats { memories } }")
    assert ("DATABASE_UNAVAILABLE", True) == (_code(failed), failed["errors"][0]["extensions"]["retryable"])


async def test_recording_takes_one_transaction(ask: Ask, service: Service, mine: Chat) -> None:
    """Recording a message runs one statement in one transaction; nothing is read back unless it is selected."""
    inside = patch.object(Transaction, "run", autospec=True, side_effect=Transaction.run)
    with statements_of(service) as ran, inside as run:
        await ask(RECORD, input={"chatId": _chat(mine), "content": "Hello"})
    assert {"memory/record_turns": 1} == ran
    assert ["memory/record_turns"] == [call.args[1] for call in run.call_args_list]


async def test_surrogates_come_through_json_escapes(client: httpx.AsyncClient, mine: Chat) -> None:
    """A surrogate pair of JSON escapes is accepted; half of one is refused."""
    body = json.dumps({"query": RECORD, "variables": {"input": {"chatId": _chat(mine), "content": "TEXT"}}})
    for escaped, kind in (("\\ud83d\\ude00 hi", "RecordMessagePayload"), ("\\ud83d hi", "InvalidInputError")):
        content = body.replace("TEXT", escaped)
        answer = (await client.post("/graphql", content=content, headers={"content-type": "application/json"})).json()
        assert kind == answer["data"]["recordMessage"]["__typename"]


async def test_tampered_cursor_breaks_nothing(ask: Ask, service: Service, mine: Chat) -> None:
    """A search cursor with a changed field is answered or refused as invalid input, and causes no internal error."""
    await _say(service, mine, "The ferry leaves", "The ferry arrives")
    after = (await ask(SEARCH, query="ferry", first=1))["data"]["search"]["pageInfo"]["endCursor"]
    fields = json.loads(base64.urlsafe_b64decode(after))
    for place, value in ((3, -5), (3, 10**9), (3, "x"), (4, float("inf")), (1, "0001-01-01T00:00:00+14:00"), (2, 7)):
        odd = json.dumps([value if n == place else field for n, field in enumerate(fields)])
        answer = await ask(SEARCH, query="ferry", first=1, after=base64.urlsafe_b64encode(odd.encode()).decode())
        assert "errors" not in answer or "INVALID_INPUT" == _code(answer)


async def test_a_page_says_what_is_around_it(ask: Ask, service: Service, mine: Chat) -> None:
    """`pageInfo` says whether there are items before and after the page, and has its first and last cursor."""
    await _say(service, mine, "One.", "Two.", "Three.")
    query = """
    query Q($after: String) {
      memories(first: 2, after: $after) {
        pageInfo { hasPreviousPage hasNextPage startCursor endCursor } edges { cursor }
      }
    }
    """
    first = (await ask(query))["data"]["memories"]
    second = (await ask(query, after=first["pageInfo"]["endCursor"]))["data"]["memories"]
    found = [(page["pageInfo"]["hasPreviousPage"], page["pageInfo"]["hasNextPage"]) for page in (first, second)]
    assert [(False, True), (True, False)] == found
    for page in (first, second):
        ends = (page["edges"][0]["cursor"], page["edges"][-1]["cursor"])
        assert ends == (page["pageInfo"]["startCursor"], page["pageInfo"]["endCursor"])


# --- narrative, task, source and attributes ---

BELONGING = """
query Found($narratives: [String!]! = [], $tasks: [String!]! = [], $sources: [MemorySource!]! = []) {
  search(query: "boiler", filter: {narratives: $narratives, tasks: $tasks, sources: $sources}) {
    nodes { content source narrative task attributes }
  }
}
"""


async def test_a_message_tells_what_it_belongs_to(ask: Ask, mine: Chat) -> None:
    """A turn keeps its source, narrative, task and attributes; a filter on any of the first three finds it."""
    given = {
        "chatId": _chat(mine),
        "content": "The boiler shows 61 degrees",
        "narrative": "winter",
        "task": "heating",
        "source": "TOOL_RESULT",
        "attributes": {"sensor": 7, "unit": "°C"},
    }
    await ask(RECORD, input=given)
    await ask(RECORD, input={"chatId": _chat(mine), "content": "The boiler is old"})
    kept = {name: given[name] for name in ("content", "source", "narrative", "task", "attributes")}
    for asked in ({"narratives": ["winter"]}, {"tasks": ["heating"]}, {"sources": ["TOOL_RESULT"]}):
        assert [kept] == (await ask(BELONGING, **asked))["data"]["search"]["nodes"]
    assert [] == (await ask(BELONGING, narratives=["summer"]))["data"]["search"]["nodes"]


async def test_a_fact_tells_what_it_belongs_to(ask: Ask) -> None:
    """A fact keeps its source, narrative, task and attributes; a filter on any of the first three finds it."""
    document = "mutation($input: RememberFactInput!) { rememberFact(input: $input) { __typename } }"
    belonging = {"source": "TOOL_RESULT", "narrative": "winter", "task": "heating", "attributes": {"sensor": 7}}
    await ask(document, input={"fact": {"content": "The boiler is serviced in May", **belonging}})
    await ask(document, input={"fact": {"content": "The boiler is red"}})
    expected = [{"content": "The boiler is serviced in May", **belonging}]
    for asked in ({"narratives": ["winter"]}, {"tasks": ["heating"]}, {"sources": ["TOOL_RESULT"]}):
        assert expected == (await ask(BELONGING, **asked))["data"]["search"]["nodes"]


@pytest.mark.parametrize("attributes", [["a"], "text", {"long": "x" * 4000}, {"key": "AKIAIOSFODNN7EXAMPLE"}])
async def test_attributes_are_a_short_object_without_secrets(ask: Ask, mine: Chat, attributes: object) -> None:
    """Attributes that are no object, are too long, or contain a secret are refused."""
    answer = await ask(RECORD, input={"chatId": _chat(mine), "content": "hello", "attributes": attributes})
    assert "INVALID_INPUT" == answer["data"]["recordMessage"]["code"]


async def test_a_retry_with_another_task_is_a_conflict(ask: Ask, mine: Chat) -> None:
    """A retry with the same idempotency key but another task is a conflict."""
    given = {"chatId": _chat(mine), "content": "hello", "idempotencyKey": "one", "task": "heating"}
    assert not (await ask(RECORD, input=given))["data"]["recordMessage"]["repeated"]
    assert (await ask(RECORD, input=given))["data"]["recordMessage"]["repeated"]
    assert "CONFLICT" == (await ask(RECORD, input=given | {"task": "roof"}))["data"]["recordMessage"]["code"]


async def test_each_mutation_of_a_request_shows_what_the_ones_before_have_done(ask, scene) -> None:
    """Each mutation of a request returns current data, not what an earlier mutation had loaded."""
    record = "recordMessage(input: {chatId: $chat, speakerId: $me, content: %s}) { %s }"
    shown = "... on RecordMessagePayload { session { turnCount } }"
    both = " ".join(f"{name}: {record % (json.dumps(name), shown)}" for name in ("first", "second"))
    given = {"chat": global_id("Chat", scene.group.id), "me": global_id("Person", scene.me)}
    answer = (await ask(f"mutation Two($chat: ID!, $me: ID!) {{ {both} }}", **given))["data"]
    assert [1, 2] == [answer[name]["session"]["turnCount"] for name in ("first", "second")]
