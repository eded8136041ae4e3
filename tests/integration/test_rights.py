"""Who may do what at each entry point, by the matrix in `tests.rights`, and the rights of keys (P1, P4, P5, P6)."""

import asyncio
import base64
import json
import shlex
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from string import Template
from typing import Any

import click
import httpx
import jwt
import pytest
from click.testing import CliRunner
from cryptography.hazmat.primitives.asymmetric import ed25519
from starlette.routing import Route, compile_path
from typer.main import get_command

from hippograph.api.cli import app as command_line
from hippograph.api.graphql import schema
from hippograph.api.graphql.context import admitted_context
from hippograph.api.graphql.nodes import global_id
from hippograph.api.mcp.server import make_server
from hippograph.api.service import Service
from hippograph.api.signed_tokens import SignedTokens
from hippograph.api.viewer import Credentials
from hippograph.api.web.http import create_app
from hippograph.graph.access.credentials import ApiKey
from hippograph.graph.errors import HippographError, InvalidInput, NotFound
from hippograph.graph.ids import token as facet
from hippograph.graph.model import INTERNAL, ChatKind, Sensitivity, Viewer
from hippograph.graph.people.people import Member
from hippograph.graph.people.todos import TodoKind
from hippograph.graph.rights import ALL_RIGHTS, Rights
from hippograph.graph.transfer.forgetting import Selection
from hippograph.graph.writing.fact import Fact
from hippograph.graph.writing.recording import Turn
from tests.rights import (
    APART,
    COMMANDS,
    FOR_ALL,
    FORMS,
    KINDS,
    MUTATIONS,
    OPEN,
    OPERATORS,
    OTHERS,
    PAGES,
    QUERIES,
    READING,
    RESOURCES,
    SIGNS,
    SUBSCRIPTIONS,
    TOOLS,
)

MATTER = "walnut"
ACCOUNTS = dict(zip(OTHERS, ("stu", "fay", "ina", "mo", "sid", "svc"), strict=True))
SIGNER = ed25519.Ed25519PrivateKey.generate()
THING = (
    "CREATE (:Entity:Organization {id: $id, key: $key, type: 'organization', canonical_name: $name, aliases: [], "
    "usernames: [], names: [], first_seen: $now, last_updated: $now, attributes: '{}', created_by: $by})"
)
ALIKE = (
    "MATCH (one:Entity {key: $one}), (other:Entity {key: $other}) "
    "CREATE (one)-[:MAY_BE {score: 0.5, reason: 'alike', created_at: $now}]->(other)"
)
ARCHIVE = (
    "MATCH (m:Memory {id: $id}) SET m:Archived, m.status = 'archived', m.archived_at = $now, "
    "m.facets = [facet IN m.facets WHERE facet <> $active] + $archived"
)


@dataclass(frozen=True, slots=True)
class World:
    """A service that requires credentials, its client, a token of each of `KINDS`, and ids of the test data by name."""

    service: Any
    client: httpx.AsyncClient
    tokens: Mapping[str, str]
    ids: Mapping[str, str]

    async def post(self, kind: str, query: str) -> httpx.Response:
        """Sends a GraphQL request with the token of a kind."""
        return await self.client.post("/graphql", json={"query": query}, headers=self.headers(kind))

    async def mcp(self, kind: str, method: str, **params: Any) -> str:
        """Calls a method of MCP with the token of a kind. Returns the sign for the answer, else its text."""
        sent = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        headers = {**self.headers(kind), "accept": "application/json, text/event-stream"}
        told = (await self.client.post("/mcp", json=sent, headers=headers)).json()
        text = json.dumps(told)
        if "error" in told:
            return "?" if "there is no" in text else text
        if told["result"].get("isError"):
            return next((sign for code, sign in SIGNS.items() if f"({code})" in text), text)
        return "+" if MATTER in text.lower() else "."

    def headers(self, kind: str) -> dict[str, str]:
        """The headers of a request of a kind."""
        headers = {"authorization": f"Bearer {self.tokens[kind]}"}
        return headers | ({"hippograph-user": "ada"} if kind == "acts for Ada" else {})

    def filled(self, text: str) -> str:
        """Replaces the placeholders in a text by ids."""
        return Template(text).substitute(self.ids)


@pytest.fixture
async def world(scene: Any, tmp_path: Any, raw: Any) -> AsyncIterator[World]:
    """Ada in a group with Maya and Ben, and in a private chat; another group; a private chat and a fact of Ben's."""
    service, people = scene.service, scene.service.people
    key = jwt.algorithms.OKPAlgorithm.to_jwk(SIGNER.public_key(), as_dict=True) | {"kid": "k", "alg": "EdDSA"}
    file = tmp_path / "keys.json"
    file.write_text(json.dumps({"keys": [key]}))
    tokens = SignedTokens(file, algorithms=["EdDSA"], audience="hippograph")
    guarded = replace(service, authenticator=Credentials(people, service.api_keys, tokens))
    ids = {"nothing": "0" * 32, "society": "organization:nut_society", "club": "organization:nut_club"}
    ids |= await _people(scene)
    ids |= await _matter(scene, raw, Viewer(_inner(ids["ada"])), _inner(ids["group"]), ids)
    claims: dict[str, dict[str, Any]] = {
        **{kind: {"sub": account} for kind, account in ACCOUNTS.items()},
        "service": {"sub": "svc", "acts_for": ["*"], "records": ["*"], "admin": True},
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


async def _people(scene: Any) -> dict[str, str]:
    """Creates the people and chats, and what Ben has. Returns ids and keys by name."""
    service, people, group, ben = scene.service, scene.service.people, scene.group.id, Viewer(scene.ben.id)
    ada = await people.with_account("ada", "Ada")
    zack = await people.with_account("zack", "Zack")
    one = {account: await people.with_account(account, _named(account)) for account in ACCOUNTS.values()}
    for person in (ada, one["mo"], one["fay"]):
        await people.join_chat(scene.viewer(), group, person)
    await people.leave_chat(Viewer(one["fay"]), group, one["fay"])
    await people.join_chat(Viewer(ada), group, one["ina"])
    private = await people.create_chat(INTERNAL, ChatKind.PRIVATE, "Ada's", [Member(ada)])
    bens = await people.create_chat(INTERNAL, ChatKind.PRIVATE, "Ben's", [Member(scene.ben.id)])
    other = await people.create_chat(INTERNAL, ChatKind.GROUP, "Others", [Member(scene.ben.id), Member(scene.maya.id)])
    asked = await people.create_chat(Viewer(zack), ChatKind.GROUP, "Walnuts", [Member(zack), Member(ada)])
    benno = await people.create_person(ben, "Benno", usernames=["benno"])
    bea = await people.create_person(ben, "Bea", usernames=["bea"])
    merged = await service.merging.merge(ben, bea.key, (await people.create_person(ben, "Bee")).key)
    [elsewhere] = await service.recorder.record(ben, other.id, [Turn("We meet at one.", scene.ben.id)])
    [bens_fact] = await service.facts.remember(ben, [Fact("My code word is almond.", portable=False)])
    plan = await service.forgettings.plan(ben, Selection(ids=(bens_fact.memory_id,)))
    return {
        "ada": global_id("Person", ada),
        "ben": global_id("Person", scene.ben.id),
        "benno": global_id("Person", benno.id),
        "benno_key": benno.key,
        "zack": global_id("Person", zack),
        "sid": global_id("Person", one["sid"]),
        "sid_key": "person:sid_sorel",
        "asked": global_id("Chat", asked.id),
        "group": global_id("Chat", group),
        "group_id": group,
        "private": global_id("Chat", private.id),
        "bens": global_id("Chat", bens.id),
        "other_group": global_id("Chat", other.id),
        "atlas": global_id("Persona", scene.atlas.id),
        "iris": global_id("Persona", (await people.create_persona(INTERNAL, "Iris")).id),
        "other_session": global_id("Session", elsewhere.session_id),
        "bens_fact": global_id("Memory", bens_fact.memory_id),
        "bens_fact_id": bens_fact.memory_id,
        "bens_plan": global_id("Forgetting", plan.id),
        "bens_plan_id": plan.id,
        "merge": merged.merge_id,
    }


async def _matter(scene: Any, raw: Any, ada: Viewer, group: str, ids: Mapping[str, str]) -> dict[str, str]:
    """Creates what Ada has and what is known in her group. Returns ids by name."""
    service, sid, there = scene.service, _inner(ids["sid"]), ada.at(group, None)
    await raw("MATCH (c:Chat {id: $id}) SET c.title = 'Walnut Table'", id=group)
    said = await scene.say("We crack a walnut at noon.", by=scene.ben)
    for thing in ("nut_society", "nut_club", "nut_band"):
        name = thing.replace("_", " ").replace("nut", "Walnut").title()
        key = f"organization:{thing}"
        await raw(THING, id=f"{thing}0", key=key, name=name, now=service.clock(), by=ada.person_id)
        await service.facts.remember(there, [Fact(f"The {name} meets in Graz.", about=(key,))], for_chat=True)
        await raw("MATCH (e:Entity {key: $key}) REMOVE e.created_by", key=key)
    await raw(ALIKE, one=ids["society"], other=ids["club"], now=service.clock())
    things = await service.merging.merge(ada, ids["society"], "organization:nut_band")
    about = {"about": (sid,)}
    [fact, old] = await service.facts.remember(
        ada,
        [
            Fact("Sid Sorel has the walnut key.", portable=True, sensitivity=Sensitivity.PERSONAL, **about),
            Fact("I had a walnut shelf."),
        ],
    )
    [told] = await service.facts.remember(there, [Fact("Sid Sorel bakes a walnut cake.", **about)], for_chat=True)
    active, archived = facet("status", "active"), facet("status", "archived")
    await raw(ARCHIVE, id=old.memory_id, now=service.clock(), active=active, archived=archived)
    await service.states.set_state(ada, "mood", MATTER)
    await service.blocks.write(ada, "user_model", MATTER)
    todo = await service.todos.add(ada, TodoKind.COMMITMENT, "Crack a walnut.")
    space, spare = [await service.spaces.create(ada, name) for name in ("Walnut harvest", "Walnut press")]
    await service.talk_summaries.summarize_session(there, said.session_id)
    return {
        "session": global_id("Session", said.session_id),
        "fact": global_id("Memory", fact.memory_id),
        "fact_id": fact.memory_id,
        "told": global_id("Memory", told.memory_id),
        "told_id": told.memory_id,
        "archived": global_id("Memory", old.memory_id),
        "todo": global_id("Todo", todo.id),
        "merged_things": things.merge_id,
        "space": global_id("Space", space.id),
        "space_id": space.id,
        "spare": global_id("Space", spare.id),
        "spare_id": spare.id,
    }


def _named(account: str) -> str:
    """The name of the person with an account."""
    return f"{account.title()} Sorel"


def _inner(given: str) -> str:
    """The inner id of a global id."""
    return base64.b64decode(given).decode().partition(":")[2]


def token(**claims: Any) -> str:
    """A signed token with these claims; of Ada's account by default."""
    given = {"sub": "ada", "aud": "hippograph", "exp": 4_000_000_000} | claims
    return jwt.encode(given, SIGNER, algorithm="EdDSA", headers={"kid": "k"})


def told(answer: Mapping[str, Any], field: str) -> str:
    """The sign for the answer to a query."""
    if "errors" in answer:
        return SIGNS[answer["errors"][0]["extensions"]["code"]]
    if answer["data"][field] is None:
        return "0"
    return "+" if MATTER in json.dumps(answer["data"]).lower() else "."


def done(answer: Mapping[str, Any], field: str) -> str:
    """The sign for the answer to a mutation."""
    if "errors" in answer:
        return SIGNS[answer["errors"][0]["extensions"]["code"]]
    return SIGNS.get(answer["data"][field].get("code", ""), "+")


_STATUSES = {200: ".", 303: "+", 307: ".", 400: "!", 403: "-", 404: "?", 409: "!"}


def opened(answer: httpx.Response) -> str:
    """The sign for the response of a page."""
    return "+" if answer.status_code == 200 and MATTER in answer.text.lower() else _STATUSES[answer.status_code]


def expected(table: Mapping[str, Any]) -> dict[str, str]:
    """The signs of each row, without the space between the two groups of columns."""
    return {row: (given if isinstance(given, str) else given[-1]).replace(" ", "") for row, given in table.items()}


def roots(kind: str) -> set[str]:
    """The names of the root fields of a kind of operation."""
    return set(getattr(schema._schema, f"{kind}_type").fields)


def heads(rows: Mapping[str, Any]) -> set[str]:
    """The fields or tools that rows are about."""
    return {head(row) for row in rows}


def head(row: str) -> str:
    """The field or tool that a row is about: its first word, without a colon."""
    return row.partition(" ")[0].rstrip(":")


def commands(group: click.Group, path: str = "") -> Mapping[str, click.Command]:
    """All commands by their full names, except `bench`, whose commands measure on a Neo4j of their own."""
    found: dict[str, click.Command] = {}
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            found |= commands(command, f"{path}{name} ") if name != "bench" else {}
        else:
            found[f"{path}{name}"] = command
    return found


def command_of(row: str) -> str:
    """The full name of the command that a row is about."""
    return next(name for name in sorted(commands(COMMAND), key=len, reverse=True) if f"{row} ".startswith(f"{name} "))


def apart(table: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Splits a table into parts, each for one world: the groups of `APART`, and before them all other rows."""
    groups = [{row: table[row] for row in group if row in table} for group in APART]
    together = {row: given for row, given in table.items() if not any(row in group for group in groups)}
    return [part for part in (together, *groups) if part]


def name_of(rows: Mapping[str, Any]) -> str:
    """The test id of a part that `apart` returns: its first row."""
    return next(iter(rows))


COMMAND: Any = get_command(command_line)


# --- the matrix ---


async def test_every_way_in_has_a_row(world: World) -> None:
    """Every root field, tool, resource template and route has a row in the matrix; the only prompt reads nothing."""
    assert roots("query") == heads(QUERIES)
    assert roots("mutation") == heads(MUTATIONS)
    assert roots("subscription") == heads(SUBSCRIPTIONS)
    server = make_server(world.service, lambda _: INTERNAL)
    assert {tool.name for tool in await server.list_tools()} == heads(TOOLS)
    templates = {each.uri_template.partition("{")[0] for each in await server.list_resource_templates()}
    assert all(any(uri.startswith(each) for uri in RESOURCES) for each in templates)
    assert {"recall"} == {prompt.name for prompt in await server.list_prompts()}  # has no row: it reads nothing
    tried = [*PAGES, *FORMS, *OPEN]
    for route in create_app(world.service).routes:
        if isinstance(route, Route):
            pattern, _, _ = compile_path(route.path)
            assert any(pattern.match(world.filled(path).partition("?")[0]) for path in tried), route.path


def test_every_command_has_a_row() -> None:
    """Every command with `--as` has a row in the matrix; the others are listed as the operator's."""
    every = commands(COMMAND)
    looking = {name for name, command in every.items() if any(each.name == "as_person" for each in command.params)}
    assert looking == {command_of(row) for row in COMMANDS}
    assert every.keys() - looking == OPERATORS


async def test_who_may_ask(world: World) -> None:
    """Each query is answered to each kind as the matrix says."""
    found = {}
    for row, (query, _) in QUERIES.items():
        answers = [(await world.post(kind, f"{{ {world.filled(query)} }}")).json() for kind in KINDS]
        found[row] = "".join(told(answer, head(row)) for answer in answers)
    assert expected(QUERIES) == found


@pytest.mark.parametrize("rows", apart(MUTATIONS), ids=name_of)
async def test_who_may_change(world: World, rows: Mapping[str, Any]) -> None:
    """Each mutation, made by one kind after the other, is answered as the matrix says."""
    found = {}
    for row, (given, _) in rows.items():
        arguments = "" if given is None else f"(input: {{{world.filled(given)}}})"
        query = f"mutation {{ {head(row)}{arguments} {{ __typename ... on Error {{ code message }} }} }}"
        answers = [(await world.post(kind, query)).json() for kind in KINDS]
        found[row] = "".join(done(answer, head(row)) for answer in answers)
    assert expected(rows) == found


async def test_who_may_follow(world: World, scene: Any) -> None:
    """Each subscription refuses a kind, sends it a turn of the group, or sends nothing, as the matrix says."""
    found = {}
    for row, signs in expected(SUBSCRIPTIONS).items():
        query, following = world.filled(SUBSCRIPTIONS[row][0]), []
        for kind in KINDS:
            headers = world.headers(kind)
            who = headers["authorization"], headers.get("hippograph-user")
            context = await admitted_context(world.service, *who, {})
            stream = await schema.subscribe(f"subscription {{ {query} }}", context_value=context)
            following.append(asyncio.ensure_future(anext(stream)))
        await asyncio.sleep(0.5)
        await scene.say("The walnut is cracked.", by=scene.ben)
        async with asyncio.timeout(30):
            await asyncio.gather(*(each for each, sign in zip(following, signs, strict=True) if sign != "."))
        await asyncio.sleep(0.5)
        found[row] = "".join(_sent(each.result()) if each.done() else "." for each in following)
        for each in following:
            each.cancel()
            with suppress(asyncio.CancelledError):
                await each
    assert expected(SUBSCRIPTIONS) == found


def _sent(result: Any) -> str:
    if result.errors:
        return SIGNS[result.errors[0].extensions["code"]]
    return "+" if MATTER in json.dumps(result.data).lower() else "."


async def test_who_may_open(world: World) -> None:
    """Each page, and `/metrics`, is answered to each kind as the matrix says."""
    found = {}
    for page in PAGES:
        answers = [await world.client.get(world.filled(page), headers=world.headers(kind)) for kind in KINDS]
        found[page] = "".join(map(opened, answers))
    assert expected(PAGES) == found


@pytest.mark.parametrize("rows", apart(FORMS), ids=name_of)
async def test_who_may_post(world: World, rows: Mapping[str, Any]) -> None:
    """Each form and endpoint, posted to by one kind after the other, answers as the matrix says."""
    found = {}
    more = {"origin": "http://localhost", "accept": "application/json, text/event-stream"}
    for path, (given, _) in rows.items():
        fields = {name: world.filled(value) if isinstance(value, str) else value for name, value in given.items()}
        sent = {"data": fields} if path.startswith("/memory") else {"json": fields}
        answers = [
            await world.client.post(world.filled(path), **sent, headers={**world.headers(kind), **more})
            for kind in KINDS
        ]
        found[path] = "".join(map(opened, answers))
    assert expected(rows) == found


@pytest.mark.parametrize("rows", apart(TOOLS), ids=name_of)
async def test_who_may_call(world: World, rows: Mapping[str, Any]) -> None:
    """Each tool, called by one kind after the other, answers as the matrix says."""
    found, tools = {}, await make_server(world.service, lambda _: INTERNAL).list_tools()
    changing = {tool.name for tool in tools if tool.annotations and not tool.annotations.read_only_hint}
    for row, (given, _) in rows.items():
        asked = {"name": head(row), "arguments": json.loads(world.filled(json.dumps(given)))}
        signs = "".join([await world.mcp(kind, "tools/call", **asked) for kind in KINDS])
        found[row] = signs.replace(".", "+") if head(row) in changing else signs
    assert expected(rows) == found


async def test_who_may_read_resources(world: World) -> None:
    """Each resource is answered to each kind as the matrix says."""
    found = {
        uri: "".join([await world.mcp(kind, "resources/read", uri=world.filled(uri)) for kind in KINDS])
        for uri in RESOURCES
    }
    assert expected(RESOURCES) == found


async def test_whom_a_command_answers(world: World, service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each command, run with `--as` for one person after the other, answers as the matrix says."""
    where, found = service.connection, {}
    here = {"neo4j_uri": where.uri, "neo4j_user": where.user, "neo4j_password": where.password}
    here |= {"local_user": service.settings.local_user, "embedding_model": "none", "ner_model": "none"}
    for name, value in here.items():
        monkeypatch.setenv(f"HIPPOGRAPH_{name.upper()}", value)
    for row, (arguments, _) in COMMANDS.items():
        words = [*command_of(row).split(), *shlex.split(world.filled(arguments))]
        others = OTHERS if row in FOR_ALL else ("stranger", "member")
        names = [*(_named(ACCOUNTS[kind]) for kind in others), "Ada"]
        signs = [await asyncio.to_thread(_run, [*words, "--as", name]) for name in names]
        found[row] = "".join(signs) if command_of(row) in READING else "".join(signs).replace(".", "+")
    assert expected(COMMANDS) == found


def _run(words: list[str]) -> str:
    ran = CliRunner().invoke(COMMAND, words)
    if ran.exit_code:
        error = ran.exception.__context__ if ran.exception else None
        assert isinstance(error, HippographError), (words, ran.output, ran.exception)
        return SIGNS[error.code]
    return "+" if MATTER in ran.stdout.lower() else "."


# --- keys ---


async def _key(world: World, account: str, **rights: Any) -> tuple[ApiKey, dict[str, str]]:
    """Creates a key of an account with these rights. Returns it with the headers of its requests."""
    await world.service.people.with_account(account, account)
    key, secret = await world.service.api_keys.create(account, "a test", rights=Rights(**rights))
    return key, {"authorization": f"Bearer {secret}"}


async def test_a_key_is_narrowed(world: World) -> None:
    """A key can be reduced to some of its rights. A right that it lacks is refused, an unknown key `NotFound`."""
    keys, chats = world.service.api_keys, tuple(_inner(world.ids[name]) for name in ("group", "other_group"))
    key, _ = await _key(world, "bot", acts_for=("*",), records=chats, speaks_as="p", admin=True)
    fewer = Rights(acts_for=("ada", "ben"), records=chats[1:], speaks_as="p")
    assert fewer == (await keys.narrow(key.id, fewer)).rights
    for more in (
        Rights(acts_for=("maya",)),
        Rights(acts_for=("*",)),
        Rights(records=chats[:1]),
        Rights(speaks_as="q"),
        Rights(admin=True),
    ):
        with pytest.raises(InvalidInput, match="only lose"):
            await keys.narrow(key.id, more)
    assert fewer == next(one for one in await keys.list() if one.id == key.id).rights
    assert Rights() == (await keys.narrow(key.id, Rights())).rights
    with pytest.raises(NotFound, match="token list"):
        await keys.narrow("0" * 32, Rights())


async def test_a_key_records_in_chats_that_are_there(world: World, raw: Any) -> None:
    """A key that would record in an unknown chat is not created, and the error names the chat."""
    chats = (_inner(world.ids["group"]), "0" * 32)
    with pytest.raises(NotFound, match=f"there is no chat {'0' * 32};"):
        await _key(world, "bot", records=chats)
    assert [] == await raw("MATCH (c:Credential) RETURN c")
    assert (await _key(world, "bot", records=(chats[0], "*")))[0].rights.records == (chats[0], "*")


async def test_a_service_does_not_lock_itself_out(world: World, raw: Any) -> None:
    """An account whose key acts for others cannot erase itself, since nobody could use the key any more. Once the key
    is narrowed to no rights, it can.
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
    """Erasing a person removes their private chat from the rights of a key that records there."""
    maya = await _key(world, "bot", records=(scene.private.id, scene.group.id))
    await world.service.erasures.erase(INTERNAL, scene.maya.id)
    [left] = [key for key in await world.service.api_keys.list() if key.id == maya[0].id]
    assert (scene.group.id,) == left.rights.records


async def test_acting_for_somebody_one_speaks_as_no_persona(scene: Any, world: World) -> None:
    """A key that acts for another may not record turns of its persona, which speaks only for the key's own person."""
    _, headers = await _key(world, "bot", acts_for=("ada",), speaks_as=scene.atlas.id)
    said = world.filled('chatId: "$private", content: "Tea.", asAssistant: true, personaId: "$atlas"')
    query = f"mutation {{ recordMessage(input: {{{said}}}) {{ ... on Error {{ code }} }} }}"
    answer = await world.client.post("/graphql", json={"query": query}, headers=headers | {"hippograph-user": "ada"})
    assert {"code": "NOT_ALLOWED"} == answer.json()["data"]["recordMessage"]


# --- names ---

VOUCHED = "MATCH (p:Person {id: $id}) RETURN p.vouched AS tokens"


async def test_who_records_vouches_for_the_names_of_speakers(scene: Any, raw: Any) -> None:
    """A name is vouched for at creation by an administrator or a credential that records in all chats, and at renaming
    also by one that records in a chat of the person. Other rights vouch for no name.
    """
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
    """The name of an account that a service acts for is vouched for only if the service may record in all chats."""
    for account, rights in (("zoe", {"acts_for": ("*",)}), ("yara", {"acts_for": ("*",), "records": ("*",)})):
        _, headers = await _key(world, "bot", **rights)
        query = {"query": "{ viewer { __typename } }"}
        await world.client.post("/graphql", json=query, headers=headers | {"hippograph-user": account})
        [row] = await raw("MATCH (p:Person {user_id: $account}) RETURN p.vouched AS tokens", account=account)
        assert ("records" in rights) == (row["tokens"] != [])


async def test_an_export_keeps_what_others_call_somebody_in_private(scene: Any, world: World, drain: Any) -> None:
    """A nickname that only Maya uses for Ada is in the operator's export of Ada's data, but not in Ada's own."""
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
