"""Authentication over HTTP: API keys, signed tokens, and services that act for users (P5)."""

import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import httpx
import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ed25519
from mcp.client.auth.utils import extract_resource_metadata_from_www_auth
from mcp.shared.auth import ProtectedResourceMetadata

from hippograph.api.graphql.nodes import global_id
from hippograph.api.service import Service
from hippograph.api.signed_tokens import SignedTokens
from hippograph.api.viewer import Credentials
from hippograph.api.web.http import create_app
from hippograph.api.web.rate_limit import RateLimit
from hippograph.graph.access.credentials import ApiKeys
from hippograph.graph.errors import InvalidInput, NotFound, Unauthenticated
from hippograph.graph.model import INTERNAL
from hippograph.graph.rights import ALL_RIGHTS, Rights
from tests.conftest import MovingClock

WHO = "{ viewer { person { key } } }"
SIGNER = ed25519.Ed25519PrivateKey.generate()
Ask = Callable[..., Awaitable[httpx.Response]]


@pytest.fixture
def guarded(scene: Any, tmp_path: Any) -> Service:
    """The service with authentication: it accepts API keys of its graph, and tokens signed with `SIGNER`."""
    key = jwt.algorithms.OKPAlgorithm.to_jwk(SIGNER.public_key(), as_dict=True) | {"kid": "k", "alg": "EdDSA"}
    file = tmp_path / "keys.json"
    file.write_text(json.dumps({"keys": [key]}))
    tokens = SignedTokens(file, algorithms=["EdDSA"], audience="hippograph")
    service: Service = scene.service
    return replace(service, authenticator=Credentials(service.people, service.api_keys, tokens))


@pytest.fixture
async def post(guarded: Service) -> AsyncIterator[Ask]:
    """Returns a function that posts a GraphQL document with a credential (None: without), optionally for another
    account.
    """
    transport = httpx.ASGITransport(create_app(guarded))
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:

        async def ask(
            key: str | None, acting_for: str | None = None, query: str = WHO, **variables: Any
        ) -> httpx.Response:
            headers = {"authorization": f"Bearer {key}".encode()} if key is not None else {}
            headers |= {"hippograph-user": acting_for.encode()} if acting_for is not None else {}
            return await client.post("/graphql", json={"query": query, "variables": variables}, headers=headers)

        yield ask


async def _key(service: Service, account: str, **asked: Any) -> str:
    await service.people.with_account(account, account)
    return (await service.api_keys.create(account, "a test", **asked))[1]


def _token(**claims: Any) -> str:
    given = {"sub": "ada", "aud": "hippograph", "exp": 4_000_000_000} | claims
    return jwt.encode(given, SIGNER, algorithm="EdDSA", headers={"kid": "k"})


def _who(answer: httpx.Response) -> str:
    return str(answer.json()["data"]["viewer"]["person"]["key"])


async def test_a_key_is_its_accounts(guarded: Service, post: Ask) -> None:
    """A request with an API key or a signed token is made as the person of its account."""
    assert "person:ada" == _who(await post(await _key(guarded, "ada")))
    assert "person:ada" == _who(await post(_token()))


async def test_a_token_brings_its_person(post: Ask) -> None:
    """The first token of an unknown account creates a person with the token's name; the second one finds them."""
    first, second = [_who(await post(_token(sub="id|42", name="Grace Hopper"))) for _ in range(2)]
    assert first == second
    assert re.fullmatch(r"person:grace_hopper-[0-9a-f]{6}", first)


@pytest.mark.parametrize("name", ["!?", "x" * 300])
async def test_a_token_whose_name_is_none_brings_its_account(post: Ask, name: str) -> None:
    """If a token's name is invalid, the new person is named after the account."""
    assert re.fullmatch(r"person:mary_9-[0-9a-f]{6}", _who(await post(_token(sub="mary 9", name=name))))


async def test_an_account_may_be_called_none(guarded: Service, post: Ask) -> None:
    """A request for the account `None` is made as that account; one that names no account, as the service's own."""
    bot = await _key(guarded, "bot", rights=ALL_RIGHTS)
    keys = [_who(await post(bot, acting_for)) for acting_for in (None, "None", None)]
    assert ["person:bot", "person:none", "person:bot"] == keys


async def test_bookmarks_are_looked_at_after_the_credential(guarded: Service) -> None:
    """A request with a bookmark but no credential is refused at once, so that it cannot make the service wait for the
    database.
    """
    transport = httpx.ASGITransport(create_app(guarded))
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        answer = await client.post("/graphql", json={"query": WHO}, headers={"hippograph-bookmark": "FB:invented"})
    assert 401 == answer.status_code


async def test_what_opens_nothing_is_refused_alike(guarded: Service, post: Ask, clock: MovingClock) -> None:
    """A missing, malformed, unknown, forged, expired or revoked credential is answered with 401, `WWW-Authenticate:
    Bearer` and no data.
    """
    short = await _key(guarded, "ada", lifetime=timedelta(hours=1))
    ended = await _key(guarded, "ada")
    await guarded.api_keys.revoke(ended.split("_")[1])
    clock.advance(timedelta(hours=2))
    good = await _key(guarded, "ada")
    forged = good[:-1] + ("A" if good[-1] != "A" else "B")
    unknown = good.replace(good.split("_")[1], "0" * 32)
    for key in (
        short,
        ended,
        forged,
        unknown,
        _token(aud="elsewhere"),
        _token(exp=1),
        "hippo_",
        "hippo__",
        "é",
        "x" * 9_000,
    ):
        answer = await post(key)
        assert 401 == answer.status_code, key
        assert "UNAUTHENTICATED" == answer.json()["errors"][0]["extensions"]["code"]
        assert "Bearer" == answer.headers["www-authenticate"]
        assert "data" not in answer.json()
    assert 401 == (await post(None)).status_code


async def test_only_a_service_acts_for_users(guarded: Service, post: Ask) -> None:
    """A credential acts for the accounts that its rights name, or for all; for any other account the answer is 403."""
    everybody, few = (
        await _key(guarded, "bot", rights=ALL_RIGHTS),
        await _key(guarded, "aide", rights=Rights(acts_for=("ada",))),
    )
    assert "person:ada" == _who(await post(everybody, "ada"))
    assert "person:ada" == _who(await post(few, "ada"))
    assert "person:bot" == _who(await post(everybody))
    assert "person:new_user" == _who(await post(everybody, "new user"))
    assert "person:ada" == _who(await post(_token(sub="app", acts_for=["ada"]), "ada"))
    for key, account in ((few, "bot"), (await _key(guarded, "ada"), "bot"), (_token(), "bot")):
        refused = await post(key, account)
        assert (403, "NOT_ALLOWED") == (refused.status_code, refused.json()["errors"][0]["extensions"]["code"])


RECORD = """
mutation R($input: RecordMessageInput!) {
  recordMessage(input: $input) { __typename ... on Error { code } }
}
"""


async def test_only_a_service_records_what_others_said(scene: Any, guarded: Service, post: Ask) -> None:
    """A user's credential records turns of that user alone; a service's records turns of any participant."""
    service = scene.service
    ada = await service.people.with_account("ada", "Ada")
    await service.people.join_chat(scene.viewer(), scene.group.id, ada)
    said = {"chatId": scene.group.id, "content": "I am on my way.", "speakerId": scene.ben.id}
    user, service_key = await _key(guarded, "ada"), await _key(guarded, "bot", rights=ALL_RIGHTS)
    answers = [
        (await post(user, None, RECORD, input=said)).json()["data"]["recordMessage"],
        (await post(user, None, RECORD, input=said | {"speakerId": ada})).json()["data"]["recordMessage"],
        (await post(service_key, "ada", RECORD, input=said)).json()["data"]["recordMessage"],
    ]
    assert ["NotAllowedError", "RecordMessagePayload", "RecordMessagePayload"] == [one["__typename"] for one in answers]


async def test_a_credential_sees_what_its_account_may(scene: Any, guarded: Service, post: Ask) -> None:
    """A turn of a private chat is returned for its speaker's credential, and null for another's."""
    service = scene.service
    turn = await scene.say("My diary is hidden behind the clock.", chat=scene.private, by=scene.maya)
    await service.people.create_person(INTERNAL, "Maya", user_id="maya", person_id=scene.maya.id)
    query = "query N($id: ID!) { node(id: $id) { ... on Memory { content } } }"
    asked = {"id": global_id("Memory", turn.memory_id)}
    own = await post(await _key(guarded, "maya"), None, query, **asked)
    other = await post(await _key(guarded, "stranger"), None, query, **asked)
    assert {"data": {"node": {"content": "My diary is hidden behind the clock."}}} == own.json()
    assert {"data": {"node": None}} == other.json()


async def test_each_credential_has_its_share(guarded: Service) -> None:
    """Above its rate limit a credential gets 429 with `Retry-After`, while another credential is served."""
    limited = replace(guarded, rate_limit=RateLimit("2/minute"))
    transport = httpx.ASGITransport(create_app(limited))
    busy, calm = await _key(guarded, "ada"), await _key(guarded, "ben")
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:

        async def ask(key: str) -> httpx.Response:
            return await client.post("/graphql", json={"query": WHO}, headers={"authorization": f"Bearer {key}"})

        assert [200, 200, 429] == [(await ask(busy)).status_code for _ in range(3)]
        refused = await ask(busy)
        assert "RATE_LIMITED" == refused.json()["errors"][0]["extensions"]["code"]
        assert 1 <= int(refused.headers["retry-after"]) <= 60
        assert 200 == (await ask(calm)).status_code


async def test_by_default_a_service_has_no_limit(guarded: Service) -> None:
    """With `spares_services`, a credential that acts for everybody has no rate limit, and a person's credential has
    one.
    """
    limited = replace(guarded, rate_limit=RateLimit("1/minute", spares_services=True))
    transport = httpx.ASGITransport(create_app(limited))
    service, person = await _key(guarded, "bot", rights=ALL_RIGHTS), await _key(guarded, "ada")
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        for key, expected in ((service, [200, 200]), (person, [200, 429])):
            headers = {"authorization": f"Bearer {key}"}
            answers = [await client.post("/graphql", json={"query": WHO}, headers=headers) for _ in range(2)]
            assert expected == [answer.status_code for answer in answers]


async def test_the_graph_keeps_no_key(guarded: Service, raw: Any) -> None:
    """The secret of a key is neither stored in the graph nor shown by the list of keys."""
    key = await _key(guarded, "ada")
    secret = key.split("_", 2)[2]
    found = await raw("MATCH (c:Credential) UNWIND keys(c) AS name RETURN collect(toStringOrNull(c[name])) AS all")
    assert not any(secret in str(value) for value in found[0]["all"] if value)
    listed = await guarded.api_keys.list()
    assert "ada" in {one.account for one in listed}
    assert secret not in repr(listed)


async def test_keys_say_what_is_wrong(guarded: Service) -> None:
    """An unknown account, a lifetime of zero, an unknown id and a malformed key each raise their error."""
    keys: ApiKeys = guarded.api_keys
    with pytest.raises(NotFound, match="nobody has the account"):
        await keys.create("nobody-at-all", "x")
    await guarded.people.with_account("ada", "Ada")
    with pytest.raises(InvalidInput, match="live for a while"):
        await keys.create("ada", "x", lifetime=timedelta(0))
    with pytest.raises(NotFound, match="token list"):
        await keys.revoke("0" * 32)
    with pytest.raises(Unauthenticated):
        await keys.recognise("nonsense")


async def test_mcp_says_where_tokens_come_from(guarded: Service, tmp_path: Any) -> None:
    """A refused MCP client is referred to metadata that name the resource and the issuer of its tokens (RFC 9728)."""
    announced = {
        "auth": "credentials",
        "jwt_keys": tmp_path / "keys.json",
        "jwt_audience": "http://localhost/mcp",
        "jwt_issuer": "https://login.example.org/realm",
    }
    settings = guarded.settings.model_copy(update=announced)
    app = create_app(replace(guarded, settings=settings))
    client = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://localhost")
    async with app.router.lifespan_context(app), client:
        refused = await client.post("/mcp", json={})
        assert 401 == refused.status_code
        where = extract_resource_metadata_from_www_auth(refused)
        assert "http://localhost/.well-known/oauth-protected-resource/mcp" == where
        found = ProtectedResourceMetadata.model_validate_json((await client.get(where)).content)
    assert ("http://localhost/mcp", ["https://login.example.org/realm"]) == (
        str(found.resource),
        [str(each) for each in found.authorization_servers],
    )


@pytest.mark.parametrize("unknown", [{"jwt_issuer": None}, {"jwt_audience": "hippograph"}, {"auth": "none"}])
async def test_nothing_is_announced_that_has_no_address(
    guarded: Service, tmp_path: Any, unknown: dict[str, Any]
) -> None:
    """Without an issuer, with an audience that is not the resource's address, or without authentication, no metadata
    are served or announced; clients then need an API key.
    """
    announced = {
        "auth": "credentials",
        "jwt_keys": tmp_path / "keys.json",
        "jwt_audience": "http://localhost/mcp",
        "jwt_issuer": "https://login.example.org/realm",
        **unknown,
    }
    settings = guarded.settings.model_copy(update=announced)
    app = create_app(replace(guarded, settings=settings))
    client = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://localhost")
    async with app.router.lifespan_context(app), client:
        assert "Bearer" == (await client.post("/mcp", json={})).headers["www-authenticate"]
        assert 404 == (await client.get("/.well-known/oauth-protected-resource/mcp")).status_code
