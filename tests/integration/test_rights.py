"""What a credential may do: each root field, mutation and route by kind of credential, as written by hand (P5, P6).

All credentials look as Ada. What is tried is tried on others, where a field has others: Ben, his chats, their names.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, replace
from string import Template
from typing import Any

import httpx
import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ed25519
from starlette.routing import Route, compile_path

from hippograph.api.graphql import schema
from hippograph.api.graphql.context import admitted_context
from hippograph.api.graphql.nodes import global_id
from hippograph.api.http import create_app
from hippograph.api.signed_tokens import SignedTokens
from hippograph.api.viewer import Credentials
from hippograph.graph.access.credentials import ApiKey
from hippograph.graph.errors import InvalidInput, NotFound
from hippograph.graph.model import INTERNAL, ChatKind, Viewer
from hippograph.graph.people.people import Member
from hippograph.graph.rights import ALL_RIGHTS, Rights
from hippograph.graph.transfer.forgetting import Selection
from hippograph.graph.writing.fact import Fact
from hippograph.graph.writing.recording import Turn

KINDS = ("own", "acts for Ada", "records one chat", "speaks as Atlas", "administers")
SIGNER = ed25519.Ed25519PrivateKey.generate()

# One sign for each kind: + answered, 0 null, - not allowed, ? not found.
ALL, NONE, ADMIN = "+++++", "-----", "----+"

QUERIES = {
    "search": ('search(query: "tea") { __typename }', ALL),
    "memories": ("memories { __typename }", ALL),
    "memoriesAbout": ('memoriesAbout(personIds: ["$ben"]) { __typename }', ALL),
    "context": ('context(query: "tea") { __typename }', ALL),
    "weakFacts": ("weakFacts { __typename }", ALL),
    "archive": ("archive { __typename }", ALL),
    "archiveSearch": ('archiveSearch(query: "tea") { __typename }', ALL),
    "entityCard": ('entityCard(key: "person:ada") { __typename }', ALL),
    "timeline": ('timeline(key: "person:ada") { __typename }', ALL),
    "explain": ('explain(memoryId: "$fact") { __typename }', ALL),
    "explain of another's": ('explain(memoryId: "$bens_fact") { __typename }', "?????"),
    "node": ('node(id: "$fact") { __typename }', ALL),
    "node of another's": ('node(id: "$bens_fact") { __typename }', "00000"),
    "nodes": ('nodes(ids: ["$fact"]) { __typename }', ALL),
    "viewer": ("viewer { __typename }", ALL),
    "chats": ("chats { __typename }", ALL),
    "invitations": ("invitations { __typename }", ALL),
    "entity": ('entity(key: "person:ada") { __typename }', ALL),
    "entities": ("entities { __typename }", ALL),
    "communities": ("communities { __typename }", ALL),
    "merges": ("merges { __typename }", ALL),
    "suggestMerges": ("suggestMerges { __typename }", ALL),
    "personas": ("personas { __typename }", ALL),
    "sessionState": ("sessionState { __typename }", ALL),
    "userState": ("userState { __typename }", ALL),
    "userStateHistory": ('userStateHistory(key: "name") { __typename }', ALL),
    "blocks": ("blocks { __typename }", ALL),
    "block": ('block(name: "active_context") { __typename }', "00000"),
    "summaries": ("summaries { __typename }", ALL),
    "sessionSummary": ('sessionSummary(sessionId: "$session") { __typename }', "00000"),
    "todos": ("todos { __typename }", ALL),
    "stats": ("stats { __typename }", ALL),
    "consolidation": ("consolidation { __typename }", "0000+"),
    "recall": ("recall { __typename }", "0000+"),
    "languageModel": ("languageModel { __typename }", "0000+"),
    "undecidedErasures": ("undecidedErasures { __typename }", "0000+"),
    "erasurePlan": ('erasurePlan(id: "$nothing") { __typename }', "0000?"),
    "exportPerson": ('exportPerson(id: "$ada")', ALL),
    "forgettings": ("forgettings { __typename }", ALL),
    "forgetting of another": ('forgetting(id: "$bens_plan") { __typename }', "?????"),
    "exportPerson of another": ('exportPerson(id: "$ben")', NONE),
    "upkeepJobs": ("upkeepJobs { __typename }", "0000+"),
    "upkeepRuns": ("upkeepRuns { __typename }", "0000+"),
    "upkeepPlan": ("upkeepPlan { __typename }", "0000+"),
}

MUTATIONS = {
    "recordMessage": ('chatId: "$group", content: "Tea."', ALL),
    "recordMessage of another": ('chatId: "$group", content: "Tea.", speakerId: "$ben"', "--+--"),
    "recordMessage of another elsewhere": ('chatId: "$other_group", content: "Tea.", speakerId: "$ben"', NONE),
    "recordMessage of a persona": (
        'chatId: "$private", content: "Tea.", asAssistant: true, personaId: "$atlas"',
        "---+-",
    ),
    "recordMessage of another persona": (
        'chatId: "$private", content: "Tea.", asAssistant: true, personaId: "$iris"',
        NONE,
    ),
    "recordMessage of a persona in a group": (
        'chatId: "$group", content: "Tea.", asAssistant: true, personaId: "$atlas"',
        "--+--",
    ),
    "recordMessage of a persona in another's chat": (
        'chatId: "$bens", content: "Tea.", asAssistant: true, personaId: "$atlas"',
        "---?-",
    ),
    "recordMessages": ('chatId: "$group", messages: [{content: "Tea."}, {content: "Or not."}]', ALL),
    "recordMessages of another": (
        'chatId: "$group", messages: [{content: "Tea."}, {content: "Tea.", speakerId: "$ben"}]',
        "--+--",
    ),
    "rememberFact": ('fact: {content: "I like tea."}', ALL),
    "rememberFacts": ('facts: [{content: "I like tea."}]', ALL),
    "seedProfile": ('facts: [{content: "I like tea."}]', ALL),
    "correctFact": ('memoryId: "$fact", content: "I like green tea."', "+????"),
    "correctFact of another's": ('memoryId: "$bens_fact", content: "I like tea."', "?????"),
    "updateMemory": ('memoryId: "$fact", content: "I like green tea."', ALL),
    "updateMemory of another's": ('memoryId: "$bens_fact", content: "I like tea."', "?????"),
    "unfoldMemory of another's": ('memoryId: "$bens_fact"', "?????"),
    "confirmFact": ('memoryId: "$fact"', ALL),
    "confirmFact of another's": ('memoryId: "$bens_fact"', "?????"),
    "pin": ('memoryId: "$fact"', ALL),
    "unpin": ('memoryId: "$fact"', ALL),
    "pin of another's": ('memoryId: "$bens_fact"', "?????"),
    "unpin of another's": ('memoryId: "$bens_fact"', "?????"),
    "forget of another's": ('memoryId: "$bens_fact"', "?????"),
    "reinforce": ('memoryId: "$fact"', ALL),
    "demote": ('memoryId: "$fact"', ALL),
    "setSensitivity": ('memoryId: "$fact", sensitivity: PERSONAL', ALL),
    "setSensitivity of another's": ('memoryId: "$bens_fact", sensitivity: PUBLIC', "?????"),
    "setPortable": ('memoryId: "$fact", portable: false', ALL),
    "setPortable of another's": ('memoryId: "$bens_fact", portable: true', "?????"),
    "updateUserState": ('key: "mood", value: "calm"', ALL),
    "writeBlock": ('name: "active_context", content: "tea"', ALL),
    "appendToBlock": ('name: "active_context", text: "tea"', ALL),
    "replaceInBlock": ('name: "active_context", old: "tea", new: "coffee"', "?????"),
    "deleteBlock": ('name: "active_context"', ALL),
    "summarizeSession": ('sessionId: "$session"', ALL),
    "summarizeSession elsewhere": ('sessionId: "$other_session"', "?????"),
    "addTodo": ('content: "Buy tea.", kind: COMMITMENT', ALL),
    "setTodoStatus": ('todoId: "$no_todo", status: DONE', "?????"),
    "createChat": ('kind: GROUP, title: "Ours", participants: [{personId: "$ada"}, {personId: "$ben"}]', ALL),
    "createChat for others": ('kind: GROUP, title: "Theirs", participants: [{personId: "$ben"}]', ADMIN),
    "createChat since long ago": (
        'kind: GROUP, title: "Ours", participants: [{personId: "$ada", since: "2020-01-01T00:00Z"}]',
        ADMIN,
    ),
    "setExtraction": ('chatId: "$group", extraction: OFF', ALL),
    "setExtraction elsewhere": ('chatId: "$other_group", extraction: OFF', "????+"),
    "joinChat": ('chatId: "$group", personId: "$ben"', ALL),
    "joinChat since long ago": ('chatId: "$group", personId: "$ben", since: "2020-01-01T00:00Z"', ADMIN),
    "joinChat elsewhere": ('chatId: "$other_group", personId: "$ada"', "????+"),
    "joinChat of an account": ('chatId: "$group", personId: "$zack"', ALL),
    "acceptInvitation": ('chatId: "$asked"', ALL),
    "acceptInvitation elsewhere": ('chatId: "$other_group"', "?????"),
    "declineInvitation": ('chatId: "$asked"', "+????"),
    "leaveChat of another": ('chatId: "$group", personId: "$ben"', ADMIN),
    "leaveChat elsewhere": ('chatId: "$other_group", personId: "$ben"', ADMIN),
    "closeSession": ('chatId: "$group"', ALL),
    "closeSession elsewhere": ('chatId: "$other_group"', "?????"),
    "consolidateSession": ('sessionId: "$session"', ALL),
    "consolidateSession elsewhere": ('sessionId: "$other_session"', "?????"),
    "createPerson": ('name: "Rui"', ALL),
    "updatePerson": ('personId: "$ada", name: "Ada L."', ALL),
    "updatePerson of another": ('personId: "$ben", name: "B. O."', ADMIN),
    "addAlias": ('personId: "$ada", alias: "Ada L."', ALL),
    "addAlias of another": ('personId: "$ben", alias: "B. O."', ADMIN),
    "mergeEntities": ('keep: "person:ben_okafor", merge: "$benno_key"', ADMIN),
    "unmergeEntities": ('mergeId: "$merge"', ADMIN),
    "dismissMerge": ('one: "person:ben_okafor", other: "$benno_key"', "?????"),
    "restoreMemory of another's": ('memoryId: "$bens_fact"', "?????"),
    "createPersona": ('name: "Iris"', ADMIN),
    "runUpkeep": ('steps: ["expire"]', ADMIN),
    "retryFailed": (None, ADMIN),
    "erasePerson": ('personId: "$ben", dryRun: true', ADMIN),
    "erasePerson for good": ('personId: "$ben"', ADMIN),
    "erasePerson and decide": ('personId: "$ada", confirm: true, dryRun: false', ADMIN),
    "decideErasure": ('id: "$nothing", confirm: true', "----?"),
    "planForgetting": ('chatIds: ["$private"]', ALL),
    "carryOutForgetting": ('id: "$nothing"', "?????"),
    "undoForgetting": ('id: "$nothing"', "?????"),
    "purgeForgotten": ('id: "$nothing"', "?????"),
    "carryOutForgetting of another's": ('id: "$bens_plan"', "?????"),
    "purgeForgotten of another's": ('id: "$bens_plan"', "?????"),
    "forget": ('memoryId: "$fact"', "+????"),
}

SUBSCRIPTIONS = {
    "memoryAdded": ("memoryAdded { __typename }", ALL),
    "workProgress": ("workProgress { __typename }", ALL),
}

OPEN = {"/livez", "/readyz", "/", "/memory/sign-in", "/memory/sign-out"}
"""Routes that ask for no credential."""

PAGES = {
    "/metrics": ADMIN,
    "/memory": ALL,
    "/memory/": ALL,
    "/memory/me": ALL,
    "/memory/people": ALL,
    "/memory/entity?key=person:ada": ALL,
    "/memory/timeline": ALL,
    "/memory/weak": ALL,
    "/memory/merges": ALL,
    "/memory/invitations": ALL,
    "/memory/forgotten": ALL,
    "/memory/forgotten?plan=$bens_plan_id": "?????",
    "/memory/item/$fact_id": ALL,
    "/memory/item/$bens_fact_id": "?????",
    "/memory/nothing": "?????",
}
FORMS = {
    "/graphql": ({"query": "{ viewer { __typename } }"}, ALL),
    "/mcp": ({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}, ALL),
    "/memory/item/$fact_id/confirm": ({"back": "/memory"}, ALL),
    "/memory/item/$bens_fact_id/confirm": ({"back": "/memory"}, "?????"),
    "/memory/merges/accept": (
        {"keep": "person:ben_okafor", "one": "person:ben_okafor", "other": "$benno_key"},
        ADMIN,
    ),
    "/memory/merges/dismiss": ({"one": "person:ben_okafor", "other": "$benno_key"}, "?????"),
    "/memory/merges/undo": ({"merge": "$merge"}, ADMIN),
    "/memory/invitations/accept": ({"chat": "$nothing"}, "?????"),
    "/memory/forgotten/plan": ({"memory": "$fact_id"}, ALL),
    "/memory/forgotten/carry-out": ({"id": "$bens_plan_id"}, "?????"),
    "/memory/forgotten/undo": ({"id": "$bens_plan_id"}, "?????"),
    "/memory/forgotten/purge": ({"id": "$bens_plan_id"}, "?????"),
    "/memory/invitations/decline": ({"chat": "$nothing"}, "?????"),
}


@dataclass(frozen=True, slots=True)
class World:
    """The service asking for tokens, one of each kind for Ada, and the ids of what is there."""

    service: Any
    client: httpx.AsyncClient
    tokens: Mapping[str, str]
    ids: Mapping[str, str]

    async def post(self, kind: str, query: str) -> httpx.Response:
        """Asks in GraphQL with the token of a kind."""
        return await self.client.post("/graphql", json={"query": query}, headers=self.headers(kind))

    def headers(self, kind: str) -> dict[str, str]:
        """Those of a request of a kind."""
        headers = {"authorization": f"Bearer {self.tokens[kind]}"}
        return headers | ({"hippograph-user": "ada"} if kind == "acts for Ada" else {})

    def filled(self, text: str) -> str:
        """A text with the ids in their places."""
        return Template(text).substitute(self.ids)


@pytest.fixture
async def world(scene: Any, tmp_path: Any) -> AsyncIterator[World]:
    """Ada in a group with Maya and Ben, and in a chat of her own; another group, and a chat and a fact of Ben's."""
    service, people = scene.service, scene.service.people
    key = jwt.algorithms.OKPAlgorithm.to_jwk(SIGNER.public_key(), as_dict=True) | {"kid": "k", "alg": "EdDSA"}
    file = tmp_path / "keys.json"
    file.write_text(json.dumps({"keys": [key]}))
    tokens = SignedTokens(file, algorithms=["EdDSA"], audience="hippograph")
    guarded = replace(service, authenticator=Credentials(people, service.api_keys, tokens))
    ada = await people.with_account("ada", "Ada")
    await people.join_chat(scene.viewer(), scene.group.id, ada)
    private = await people.create_chat(INTERNAL, ChatKind.PRIVATE, "Ada's", [Member(ada)])
    bens = await people.create_chat(INTERNAL, ChatKind.PRIVATE, "Ben's", [Member(scene.ben.id)])
    other = await people.create_chat(INTERNAL, ChatKind.GROUP, "Others", [Member(scene.ben.id), Member(scene.maya.id)])
    benno = await people.create_person(Viewer(scene.ben.id), "Benno", usernames=["benno"])
    bea = await people.create_person(Viewer(scene.ben.id), "Bea", usernames=["bea"])
    bee = await people.create_person(Viewer(scene.ben.id), "Bee")
    merged = await service.merging.merge(Viewer(scene.ben.id), bea.key, bee.key)
    zack = await people.with_account("zack", "Zack")
    asked = await people.create_chat(Viewer(zack), ChatKind.GROUP, "Zack's", [Member(zack), Member(ada)])
    iris = await people.create_persona(INTERNAL, "Iris")
    said = await scene.say("We meet at noon.", by=scene.ben)
    [elsewhere] = await service.recorder.record(Viewer(scene.ben.id), other.id, [Turn("We meet at one.", scene.ben.id)])
    [fact] = await service.facts.remember(Viewer(ada), [Fact("I like tea.")])
    [bens_fact] = await service.facts.remember(Viewer(scene.ben.id), [Fact("My code word is walnut.", portable=False)])
    bens_plan = await service.forgettings.plan(Viewer(scene.ben.id), Selection(ids=(bens_fact.memory_id,)))
    ids = {
        "ada": global_id("Person", ada),
        "ben": global_id("Person", scene.ben.id),
        "benno": global_id("Person", benno.id),
        "benno_key": benno.key,
        "zack": global_id("Person", zack),
        "asked": global_id("Chat", asked.id),
        "group": global_id("Chat", scene.group.id),
        "private": global_id("Chat", private.id),
        "bens": global_id("Chat", bens.id),
        "other_group": global_id("Chat", other.id),
        "atlas": global_id("Persona", scene.atlas.id),
        "iris": global_id("Persona", iris.id),
        "session": global_id("Session", said.session_id),
        "other_session": global_id("Session", elsewhere.session_id),
        "fact": global_id("Memory", fact.memory_id),
        "bens_fact": global_id("Memory", bens_fact.memory_id),
        "merge": merged.merge_id,
        "no_todo": global_id("Todo", "0" * 32),
        "nothing": "0" * 32,
        "fact_id": fact.memory_id,
        "bens_fact_id": bens_fact.memory_id,
        "bens_plan": global_id("Forgetting", bens_plan.id),
        "bens_plan_id": bens_plan.id,
    }
    claims: dict[str, dict[str, Any]] = {
        "own": {},
        "acts for Ada": {"sub": "aide", "acts_for": ["ada"]},
        "records one chat": {"records": [ids["group"]]},
        "speaks as Atlas": {"speaks_as": ids["atlas"]},
        "administers": {"admin": True},
    }
    app = create_app(guarded)
    transport = httpx.ASGITransport(app)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://localhost") as client,
    ):
        yield World(guarded, client, {kind: token(**claims[kind]) for kind in KINDS}, ids)


def token(**claims: Any) -> str:
    """A token, of Ada if nothing else is said."""
    given = {"sub": "ada", "aud": "hippograph", "exp": 4_000_000_000} | claims
    return jwt.encode(given, SIGNER, algorithm="EdDSA", headers={"kid": "k"})


def signed(answer: Mapping[str, Any], field: str) -> str:
    """The sign for an answer."""
    if "errors" in answer:
        return _SIGNS[answer["errors"][0]["extensions"]["code"]]
    found = answer["data"][field]
    if found is None:
        return "0"
    return _SIGNS.get(found.get("code", ""), "+") if isinstance(found, dict) else "+"


_SIGNS = {"NOT_ALLOWED": "-", "NOT_FOUND": "?"}
_STATUSES = {200: "+", 303: "+", 307: "+", 403: "-", 404: "?"}


def roots(kind: str) -> set[str]:
    """The names of the root fields of a kind of operation."""
    return set(getattr(schema._schema, f"{kind}_type").fields)


def fields(rows: Mapping[str, Any]) -> set[str]:
    """The root fields that rows are of."""
    return {row.partition(" ")[0] for row in rows}


def test_every_way_in_has_a_row(world: World) -> None:
    """What is new has to say which right it needs."""
    assert roots("query") == fields(QUERIES)
    assert roots("mutation") == fields(MUTATIONS)
    assert roots("subscription") == fields(SUBSCRIPTIONS)
    tried = [*PAGES, *FORMS, *OPEN]
    for route in create_app(world.service).routes:
        if isinstance(route, Route):
            pattern, _, _ = compile_path(route.path)
            assert any(pattern.match(world.filled(path).partition("?")[0]) for path in tried), route.path


@pytest.mark.parametrize("row", QUERIES)
async def test_who_may_ask(world: World, row: str) -> None:
    """Each query, by kind of credential."""
    query, expected = QUERIES[row]
    field = row.partition(" ")[0]
    answers = [(await world.post(kind, f"{{ {world.filled(query)} }}")).json() for kind in KINDS]
    assert expected == "".join(signed(answer, field) for answer in answers), answers


@pytest.mark.parametrize("row", MUTATIONS)
async def test_who_may_change(world: World, row: str) -> None:
    """Each mutation, by kind of credential, one after the other."""
    given, expected = MUTATIONS[row]
    field = row.partition(" ")[0]
    arguments = "" if given is None else f"(input: {{{world.filled(given)}}})"
    query = f"mutation {{ {field}{arguments} {{ __typename ... on Error {{ code message }} }} }}"
    answers = [(await world.post(kind, query)).json() for kind in KINDS]
    assert expected == "".join(signed(answer, field) for answer in answers), answers


@pytest.mark.parametrize("row", SUBSCRIPTIONS)
async def test_who_may_follow(world: World, row: str) -> None:
    """Each subscription, by kind of credential: whether it is refused before anything is sent."""
    query, expected = SUBSCRIPTIONS[row]
    found = ""
    for kind in KINDS:
        headers = world.headers(kind)
        acting_for = headers.get("hippograph-user")
        context = await admitted_context(world.service, headers["authorization"], acting_for, {})
        stream = await schema.subscribe(f"subscription {{ {query} }}", context_value=context)
        first = asyncio.ensure_future(anext(stream))
        done, _ = await asyncio.wait([first], timeout=1)
        errors = (await first).errors if done else None
        found += _SIGNS[errors[0].extensions["code"]] if errors else "+"
        first.cancel()
    assert expected == found


@pytest.mark.parametrize("page", PAGES)
async def test_who_may_open(world: World, page: str) -> None:
    """Each page, and what a program reads, by kind of credential."""
    answers = [await world.client.get(world.filled(page), headers=world.headers(kind)) for kind in KINDS]
    assert PAGES[page] == "".join(_STATUSES[answer.status_code] for answer in answers)


@pytest.mark.parametrize("path", FORMS)
async def test_who_may_post(world: World, path: str) -> None:
    """Each form and endpoint, by kind of credential, one after the other."""
    given, expected = FORMS[path]
    fields = {name: world.filled(value) if isinstance(value, str) else value for name, value in given.items()}
    sent = {"data": fields} if path.startswith("/memory") else {"json": fields}
    more = {"origin": "http://localhost", "accept": "application/json, text/event-stream"}
    answers = [
        await world.client.post(world.filled(path), **sent, headers={**world.headers(kind), **more}) for kind in KINDS
    ]
    assert expected == "".join(_STATUSES[answer.status_code] for answer in answers), [each.text for each in answers]


# --- keys ---


async def _key(world: World, account: str, **rights: Any) -> tuple[ApiKey, dict[str, str]]:
    """A key of an account with these rights, and the headers of its requests."""
    await world.service.people.with_account(account, account)
    key, secret = await world.service.api_keys.create(account, "a test", rights=Rights(**rights))
    return key, {"authorization": f"Bearer {secret}"}


async def test_a_key_is_narrowed(world: World) -> None:
    """It keeps the rights that are named, of those that it has; it gets none."""
    keys = world.service.api_keys
    key, _ = await _key(world, "bot", acts_for=("*",), records=("a", "b"), speaks_as="p", admin=True)
    fewer = Rights(acts_for=("ada", "ben"), records=("b",), speaks_as="p")
    assert fewer == (await keys.narrow(key.id, fewer)).rights
    for more in (
        Rights(acts_for=("maya",)),
        Rights(acts_for=("*",)),
        Rights(records=("a",)),
        Rights(speaks_as="q"),
        Rights(admin=True),
    ):
        with pytest.raises(InvalidInput, match="only lose"):
            await keys.narrow(key.id, more)
    assert fewer == next(one for one in await keys.list() if one.id == key.id).rights
    assert Rights() == (await keys.narrow(key.id, Rights())).rights
    with pytest.raises(NotFound, match="token list"):
        await keys.narrow("0" * 32, Rights())


async def test_a_service_does_not_lock_itself_out(world: World, raw: Any) -> None:
    """The account of a service is erased when its keys are revoked, or by another administrator; a person with a key of
    their own erases themselves.
    """
    key, headers = await _key(world, "bot", acts_for=("ada",))
    bot = await world.service.people.with_account("bot", "bot")
    query = f'mutation {{ erasePerson(input: {{personId: "{global_id("Person", bot)}"}}) {{ __typename }} }}'

    async def erased() -> str:
        answer = await world.client.post("/graphql", json={"query": query}, headers=headers)
        return str(answer.json()["data"]["erasePerson"]["__typename"])

    assert "ConflictError" == await erased()
    await world.service.api_keys.narrow(key.id, Rights())
    assert "ErasePersonPayload" == await erased()
    assert [] == await raw("MATCH (p:Person {user_id: 'bot'}) RETURN p")


async def test_an_erased_chat_leaves_no_right(scene: Any, world: World) -> None:
    """A key that recorded in the private chat of somebody erased knows the chat no more."""
    maya = await _key(world, "bot", records=(scene.private.id, scene.group.id))
    await world.service.erasures.erase(INTERNAL, scene.maya.id)
    [left] = [key for key in await world.service.api_keys.list() if key.id == maya[0].id]
    assert (scene.group.id,) == left.rights.records


async def test_acting_for_somebody_one_speaks_as_no_persona(scene: Any, world: World) -> None:
    """A key's persona speaks in the private chats of the key's own person."""
    _, headers = await _key(world, "bot", acts_for=("ada",), speaks_as=scene.atlas.id)
    said = world.filled('chatId: "$private", content: "Tea.", asAssistant: true, personaId: "$atlas"')
    query = f"mutation {{ recordMessage(input: {{{said}}}) {{ ... on Error {{ code }} }} }}"
    answer = await world.client.post("/graphql", json={"query": query}, headers=headers | {"hippograph-user": "ada"})
    assert {"code": "NOT_ALLOWED"} == answer.json()["data"]["recordMessage"]


# --- names ---

VOUCHED = "MATCH (p:Person {id: $id}) RETURN p.vouched AS tokens"


async def test_who_records_vouches_for_the_names_of_speakers(scene: Any, raw: Any) -> None:
    """Of all chats for whom it makes; of one chat for who takes part there; without that right for nobody."""
    people, group = scene.service.people, scene.group.id
    for number, (rights, at_once, later) in enumerate(
        (
            (Rights(acts_for=("*",)), False, False),
            (Rights(records=(scene.private.id,)), False, False),
            (Rights(records=(group,)), False, True),
            (Rights(records=("*",)), True, True),
            (Rights(admin=True), True, True),
        )
    ):
        viewer = Viewer(scene.maya.id, rights=rights)
        made = await people.create_person(viewer, f"Speaker Number{number}")
        [row] = await raw(VOUCHED, id=made.id)
        assert at_once == (row["tokens"] != [])
        await people.join_chat(viewer, group, made.id)
        await people.rename(viewer, made.id, f"Speaker Number{number}")
        [row] = await raw(VOUCHED, id=made.id)
        assert later == (row["tokens"] != [])


async def test_acting_for_somebody_vouches_for_no_name(world: World, raw: Any) -> None:
    """An account that a service names is called so by the service that records, and by no other."""
    for account, rights in (("zoe", {"acts_for": ("*",)}), ("yara", {"acts_for": ("*",), "records": ("*",)})):
        _, headers = await _key(world, "bot", **rights)
        query = {"query": "{ viewer { __typename } }"}
        await world.client.post("/graphql", json=query, headers=headers | {"hippograph-user": account})
        [row] = await raw("MATCH (p:Person {user_id: $account}) RETURN p.vouched AS tokens", account=account)
        assert ("records" in rights) == (row["tokens"] != [])


async def test_an_export_keeps_what_others_call_somebody_in_private(scene: Any, world: World, drain: Any) -> None:
    """Ada's export has the names by which she is known to herself, and none that Maya uses in her private chat."""
    service = world.service
    await scene.say("Ada is away.", by=scene.maya)
    ada = await service.people.with_account("ada", "Ada")
    nickname = await service.people.create_person(Viewer(scene.maya.id), "Snoozy Suzy")
    await service.merging.merge(Viewer(scene.maya.id, rights=ALL_RIGHTS), ada, nickname.id)
    own = json.dumps(await service.person_export.export(Viewer(ada), ada))
    everything = json.dumps(await service.person_export.export_everything(ada))
    assert "snoozy" in everything.lower()
    assert "snoozy" not in own.lower()
    assert '"Ada"' in own
