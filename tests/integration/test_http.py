"""The service over HTTP: the protocol, limits, allowed senders, headers, logs, bookmarks and health probes."""

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any
from unittest.mock import patch

import httpx
import pytest
import structlog

from hippograph.api.service import Service
from hippograph.api.settings.settings import Settings
from hippograph.api.viewer import Caller
from hippograph.api.web import health
from hippograph.api.web.http import create_app
from hippograph.graph.errors import DatabaseUnavailable
from hippograph.graph.model import Viewer
from hippograph.graph.writing.fact import Fact

RESPONSE = "application/graphql-response+json"
WHO = "{ viewer { person { key } } }"
PERSONA = 'mutation { createPersona(input: {name: "Atlas"}) { __typename } }'


def _codes(answer: httpx.Response) -> list[str]:
    return [error["extensions"]["code"] for error in answer.json()["errors"]]


# --- GraphQL over HTTP ---


async def test_query_by_post(client: httpx.AsyncClient) -> None:
    """A query by POST is answered in the media type of the GraphQL-over-HTTP specification."""
    answer = await client.post("/graphql", json={"query": WHO})
    assert 200 == answer.status_code
    assert answer.headers["content-type"].startswith(RESPONSE)
    assert {"data": {"viewer": {"person": {"key": "person:tester"}}}} == answer.json()


async def test_query_by_get(client: httpx.AsyncClient) -> None:
    """A query by GET, with its variables and operation name in the URL, is answered."""
    document = "query A { stats { memories } } query B($key: String!) { entity(key: $key) { key } }"
    given = {"query": document, "operationName": "B", "variables": json.dumps({"key": "person:tester"})}
    answer = await client.get("/graphql", params=given)
    assert {"data": {"entity": {"key": "person:tester"}}} == answer.json()


async def test_mutation_by_get_is_refused(client: httpx.AsyncClient) -> None:
    """A mutation by GET, which a mere link could send, is refused with the allowed method."""
    answer = await client.get("/graphql", params={"query": PERSONA})
    assert (405, "POST") == (answer.status_code, answer.headers["allow"])


@pytest.mark.parametrize(
    ("accept", "media_type"),
    [
        (RESPONSE, RESPONSE),
        ("application/json", "application/json"),
        (f"{RESPONSE}, application/json;q=0.9", RESPONSE),
        ("*/*", "application/json"),
    ],
)
async def test_answer_is_in_the_accepted_type(client: httpx.AsyncClient, accept: str, media_type: str) -> None:
    """The answer has the first of the two media types that the client accepts; for `*/*` it is `application/json`."""
    answer = await client.post("/graphql", json={"query": WHO}, headers={"accept": accept})
    assert media_type == answer.headers["content-type"].partition(";")[0]


async def test_who_accepts_no_json_is_refused(client: httpx.AsyncClient) -> None:
    """A client that accepts neither of the two media types gets 406."""
    assert 406 == (await client.post("/graphql", json={"query": WHO}, headers={"accept": "text/html"})).status_code


@pytest.mark.parametrize(
    ("document", "code"),
    [
        ("{ viewer { ", "GRAPHQL_PARSE_FAILED"),
        ("{ nothing }", "GRAPHQL_VALIDATION_FAILED"),
        ("query Q($key: String!) { entity(key: $key) { key } }", "BAD_USER_INPUT"),
    ],
)
async def test_request_error_has_no_data(client: httpx.AsyncClient, document: str, code: str) -> None:
    """A request that cannot be executed gets 400 and no `data`; clients that accept `application/json` get 200."""
    answer = await client.post("/graphql", json={"query": document}, headers={"accept": RESPONSE})
    assert 400 == answer.status_code
    assert "data" not in answer.json()
    assert [code] == _codes(answer)
    legacy = await client.post("/graphql", json={"query": document}, headers={"accept": "application/json"})
    assert 200 == legacy.status_code


@pytest.mark.parametrize(
    ("content", "content_type", "status"),
    [
        (b"{", "application/json", 400),
        (b"[]", "application/json", 400),
        (b"1", "application/json", 400),
        (b'{"query": "{ stats { memories } }", "operationName": 1}', "application/json", 400),
        (b"{}", "application/json", 400),
        (b'{"query": 1}', "application/json", 400),
        (b'{"query": "{ stats { memories } }", "variables": []}', "application/json", 400),
        (b'{"query": "{ stats { memories } }", "variables": null}', "application/json", 200),
        (b'{"query": "{ stats { memories } }", "extensions": 1}', "application/json", 400),
        (b'{"query": "{ stats { memories } }", "variables": [1]}', "application/json", 400),
        (b"[" * 100_000, "application/json", 400),
        (b"\xff", "application/json", 400),
        (b"{ stats { memories } }", "text/plain", 415),
        (b"query=%7Bstats%7Bmemories%7D%7D", "application/x-www-form-urlencoded", 415),
    ],
)
async def test_malformed_request_is_refused(
    client: httpx.AsyncClient, content: bytes, content_type: str, status: int
) -> None:
    """Malformed requests are refused, and so are other media types than JSON, which the form of a page could send.
    `variables` may be null.
    """
    answer = await client.post("/graphql", content=content, headers={"content-type": content_type})
    assert status == answer.status_code


async def test_several_requests_at_once_are_refused(client: httpx.AsyncClient) -> None:
    """A list of requests, which would get around the limits of one request, is refused."""
    assert 400 == (await client.post("/graphql", json=[{"query": WHO}, {"query": WHO}])).status_code


async def test_a_query_by_get_needs_a_document(client: httpx.AsyncClient) -> None:
    """A GET without a query is refused; GraphiQL has a URL of its own."""
    assert 400 == (await client.get("/graphql")).status_code


async def test_a_client_that_goes_away_is_no_error(service: Service) -> None:
    """If the client disconnects in the middle of a request, nothing is sent and no error is logged."""
    pieces = [{"type": "http.request", "body": b"{", "more_body": True}, {"type": "http.disconnect"}]
    headers = [(b"host", b"localhost"), (b"content-type", b"application/json")]
    scope = {"type": "http", "method": "POST", "path": "/graphql", "query_string": b"", "headers": headers}
    sent = []

    async def receive() -> dict[str, Any]:
        return pieces.pop(0)

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    with structlog.testing.capture_logs() as lines:
        await create_app(service)(scope, receive, send)  # type: ignore[arg-type]
    assert ([], []) == (sent, [line for line in lines if line["log_level"] == "error"])


async def test_other_methods_are_refused(client: httpx.AsyncClient) -> None:
    """A method other than GET and POST is refused with the allowed ones."""
    answer = await client.put("/graphql", json={"query": WHO})
    assert (405, "GET, POST") == (answer.status_code, answer.headers["allow"])


async def test_unknown_operation_is_refused(client: httpx.AsyncClient) -> None:
    """An operation name that the document does not contain is refused."""
    assert 400 == (await client.post("/graphql", json={"query": WHO, "operationName": "Other"})).status_code


async def test_several_operations_need_a_name(client: httpx.AsyncClient) -> None:
    """A document with several operations is refused unless the request names one; then that one is run."""
    document = f"query A {WHO} {PERSONA.replace('mutation', 'mutation B')}"
    answer = await client.post("/graphql", json={"query": document})
    assert (400, ["OPERATION_NAME_MISSING"]) == (answer.status_code, _codes(answer))
    assert "data" not in answer.json()
    named = await client.post("/graphql", json={"query": document, "operationName": "A"})
    assert {"viewer": {"person": {"key": "person:tester"}}} == named.json()["data"]


async def test_one_bad_argument_leaves_the_other_answers(client: httpx.AsyncClient) -> None:
    """A field that fails is null and has an error of its own; the other fields are answered."""
    answer = (
        await client.post("/graphql", json={"query": "{ viewer { person { key } } chats(first: 0) { nodes { id } } }"})
    ).json()
    assert {"viewer": {"person": {"key": "person:tester"}}, "chats": None} == answer["data"]
    assert [["chats"]] == [error["path"] for error in answer["errors"]]


# --- who asks ---


async def test_whose_request_it_is_the_authenticator_says(scene: Any) -> None:
    """The authenticator decides by the credential whose request it is. By default, every request is the local user's,
    whatever its credential.
    """

    class Badges:
        """An authenticator that knows Maya by her badge and takes everybody else for Ben."""

        async def authenticate(self, credential: str | None, acting_for: str | None = None) -> Caller:
            return Caller(Viewer(scene.maya.id if credential == "Badge maya" else scene.ben.id), "badge")

    async def asking(service: Service, **headers: str) -> str:
        client = httpx.AsyncClient(transport=httpx.ASGITransport(create_app(service)), base_url="http://localhost")
        answer = (await client.post("/graphql", json={"query": WHO}, headers=headers)).json()
        return str(answer["data"]["viewer"]["person"]["key"])

    service = replace(scene.service, authenticator=Badges())
    assert scene.maya.key == await asking(service, authorization="Badge maya")
    assert scene.ben.key == await asking(service)
    assert "person:tester" == await asking(scene.service, authorization="Badge maya")


# --- limits ---


async def test_body_above_the_limit_is_refused(client: httpx.AsyncClient) -> None:
    """A body whose announced length is above 1 MiB is refused."""
    answer = await client.post("/graphql", json={"query": "#" * (1024 * 1024 + 1)})
    assert (413, ["BODY_TOO_LARGE"]) == (answer.status_code, _codes(answer))


async def test_unannounced_body_above_the_limit_is_refused(client: httpx.AsyncClient) -> None:
    """A body that is sent in chunks, without a length, is refused once more than 1 MiB has arrived."""

    async def pieces() -> Any:
        for _ in range(20):
            yield b" " * 65_536

    answer = await client.post("/graphql", content=pieces(), headers={"content-type": "application/json"})
    assert 413 == answer.status_code


_CHAIN = " ".join(f"fragment F{n} on Query {{ ...F{n + 1} }}" for n in range(220))
_BOMB = " ".join(f"fragment F{n} on Query {{ ...F{n + 1} ...F{n + 1} }}" for n in range(100))


@pytest.mark.parametrize(
    "document",
    [
        "{ chats { nodes { sessions { nodes { chat { sessions { nodes { chat { sessions { nodes { chat { sessions { "
        "nodes { chat { sessions { nodes { chat { title } } } } } } } } } } } } } } } } } }",
        "{" + " ".join(f"a{n}: stats {{ memories }}" for n in range(31)) + "}",
        "{" + " ".join("stats { memories }" for _ in range(600)) + "}",
        "{ chats(first: 100) { nodes { sessions(first: 100) { nodes { id } } } } }",
        "query($n: Int! = 100) { chats(first: $n) { nodes { sessions(first: $n) { nodes { id } } } } }",
        "{" + "a{" * 600 + "a" + "}" * 600 + "}",
        f"{{ ...F0 }} {_CHAIN} fragment F220 on Query {{ stats {{ memories }} }}",
        "{" + "stats { memories } " * 495 + "}",
        "{" + "... on Query { stats { memories } } " * 52 + "}",
        "{ x" * 5 + " " * 100_001 + "}" * 5,
        "{"
        + " ".join(f'a{n}: search(query: "Soča", chatId: "c", first: 1) {{ edges {{ score }} }}' for n in range(12))
        + "}",
    ],
    ids=[
        *("depth", "aliases", "tokens", "nodes", "nodes by default", "nesting", "chain of fragments", "selections"),
        *("repeated fields", "characters", "searches"),
    ],
)
async def test_document_that_asks_for_too_much_is_refused(client: httpx.AsyncClient, document: str) -> None:
    """A document above the limit on length, depth, aliases, tokens, selections, repeated fields, fragments, nodes or
    searches is refused, and one that is nested too deeply to be parsed.
    """
    answer = await client.post("/graphql", json={"query": document})
    assert 400 == answer.status_code
    assert {"LIMIT_EXCEEDED"} == set(_codes(answer))


async def test_fragments_of_fragments_take_no_time(client: httpx.AsyncClient) -> None:
    """A hundred fragments that each spread the next twice are measured in linear time; else this test would not end."""
    document = f"{{ ...F0 }} {_BOMB} fragment F100 on Query {{ stats {{ memories }} }}"
    answer = await client.post("/graphql", json={"query": document})
    assert answer.status_code in (200, 400)


async def test_cost_is_published(client: httpx.AsyncClient) -> None:
    """An answer says how many nodes its request may return: the sum of the products of nested page sizes."""
    document = "query Q($n: Int!) { chats(first: $n) { nodes { sessions(first: 5) { nodes { id } } } } }"
    answer = await client.post("/graphql", json={"query": document, "variables": {"n": 10}})
    assert {"nodes": 10 + 10 * 5, "limit": 10_000} == answer.json()["extensions"]["cost"]


# --- who may send ---


@pytest.mark.parametrize("host", ["localhost", "localhost:8000", "127.0.0.1:8000", "[::1]:8000", "LOCALHOST"])
async def test_own_names_are_known(client: httpx.AsyncClient, host: str) -> None:
    """A request to a name of the loopback interface, with any port and in any case, is answered."""
    assert 200 == (await client.get("/livez", headers={"host": host})).status_code


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example:8000", ""])
async def test_foreign_names_are_refused(client: httpx.AsyncClient, host: str) -> None:
    """A request to another host name, which may resolve to this machine (DNS rebinding), is refused."""
    answer = await client.get("/livez", headers={"host": host})
    assert (400, ["UNKNOWN_HOST"]) == (answer.status_code, _codes(answer))


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"origin": "http://localhost:8000"}, 200),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "http://localhost:3000"}, 403),
        ({"origin": "null"}, 403),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"sec-fetch-site": "same-origin"}, 200),
        ({"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}, 200),
    ],
)
async def test_pages_of_other_sites_are_refused(
    client: httpx.AsyncClient, headers: dict[str, str], status: int
) -> None:
    """A request by a page of another site is refused; following a link to the service is allowed."""
    assert status == (await client.get("/graphql", params={"query": WHO}, headers=headers)).status_code


PAGE = "http://localhost:5173"


@pytest.fixture
async def open_client(service: Service) -> AsyncIterator[httpx.AsyncClient]:
    """A client of a service with one allowed origin and one additional host name."""
    changes = {"allowed_origins": (PAGE,), "allowed_hosts": ("memory.example",)}
    app = create_app(replace(service, settings=service.settings.model_copy(update=changes)))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://localhost:8000") as client:
        yield client


async def test_a_page_of_an_allowed_origin_may_ask(open_client: httpx.AsyncClient) -> None:
    """A page of an allowed origin passes the preflight request, and may read the answer and its bookmark."""
    wish = {"origin": PAGE, "access-control-request-method": "POST", "access-control-request-headers": "content-type"}
    assert 200 == (await open_client.options("/graphql", headers=wish)).status_code
    answer = await open_client.post("/graphql", json={"query": WHO}, headers={"origin": PAGE})
    assert (200, PAGE) == (answer.status_code, answer.headers["access-control-allow-origin"])
    assert "hippograph-bookmark" in answer.headers["access-control-expose-headers"]


async def test_a_page_of_another_origin_may_not_ask(open_client: httpx.AsyncClient) -> None:
    """A page of another origin is refused, without a header that would let it read the answer."""
    answer = await open_client.post("/graphql", json={"query": WHO}, headers={"origin": "http://localhost:5174"})
    assert (403, False) == (answer.status_code, "access-control-allow-origin" in answer.headers)


async def test_an_origin_that_is_no_address_is_refused(open_client: httpx.AsyncClient) -> None:
    """An `Origin` that is not a URL is refused like that of another site."""
    answer = await open_client.post("/graphql", json={"query": WHO}, headers={"origin": "http://["})
    assert (403, ["CROSS_SITE"]) == (answer.status_code, _codes(answer))


async def test_an_allowed_name_is_known(open_client: httpx.AsyncClient) -> None:
    """A host name from the settings, such as that of a proxy, is accepted; other names are not."""
    assert 200 == (await open_client.get("/livez", headers={"host": "memory.example:443"})).status_code
    assert 400 == (await open_client.get("/livez", headers={"host": "other.example"})).status_code


# --- what browsers are told ---


@pytest.mark.parametrize("path", ["/livez", "/graphql", "/graphiql/", "/nowhere", "/readyz"])
async def test_every_answer_has_security_headers(client: httpx.AsyncClient, path: str) -> None:
    """Every answer, also an error, has the headers against content sniffing, framing, referrers and foreign content.
    Only GraphiQL may run scripts and be cached. Without TLS there is no HSTS.
    """
    headers = (await client.get(path)).headers
    assert ("nosniff", "DENY", "no-referrer") == tuple(
        headers[name] for name in ("x-content-type-options", "x-frame-options", "referrer-policy")
    )
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert ("script-src 'self'" in policy) == (path == "/graphiql/")
    assert ("no-store" == headers.get("cache-control")) == (path != "/graphiql/")
    assert "strict-transport-security" not in headers


async def test_refusals_have_security_headers(client: httpx.AsyncClient) -> None:
    """The answers to an unknown host and to a request that fails have `Cache-Control: no-store`."""
    refused = await client.get("/livez", headers={"host": "evil.example"})
    with patch.object(health, "readiness", side_effect=RuntimeError("the password is 1234")):
        failed = await client.get("/readyz")
    assert [(400, "no-store"), (500, "no-store")] == [
        (a.status_code, a.headers["cache-control"]) for a in (refused, failed)
    ]


async def test_tls_is_required_where_it_is_said(service: Service) -> None:
    """With the setting `tls`, answers have the header `Strict-Transport-Security`."""
    app = create_app(replace(service, settings=service.settings.model_copy(update={"tls": True})))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://localhost:8000") as client:
        assert (await client.get("/livez")).headers["strict-transport-security"].startswith("max-age=")


# --- ids, logs, errors ---


async def test_request_id_is_kept_or_made(client: httpx.AsyncClient) -> None:
    """A well-formed request id of the client is returned; for any other, a new id is made."""
    sane = await client.get("/livez", headers={"x-request-id": "trace-42"})
    assert "trace-42" == sane.headers["x-request-id"]
    for odd in ("", "a b", "x" * 65, 'x"y'):
        made = (await client.get("/livez", headers={"x-request-id": odd})).headers["x-request-id"]
        assert 32 == len(made)


async def test_each_request_is_logged(client: httpx.AsyncClient) -> None:
    """A request is logged in one line, with its method, path, status, time and id, without the query."""
    with structlog.testing.capture_logs(processors=[structlog.contextvars.merge_contextvars]) as lines:
        await client.post("/graphql", json={"query": WHO}, headers={"x-request-id": "r-1"})
    (line,) = lines
    assert ("request", "POST", "/graphql", 200, "r-1") == tuple(
        line[name] for name in ("event", "method", "path", "status", "request_id")
    )
    assert line["ms"] > 0
    assert "viewer" not in str(lines)


async def test_unexpected_error_is_hidden_and_logged(client: httpx.AsyncClient, service: Service) -> None:
    """For an unexpected error the answer contains only the request id; the details are logged."""
    with (
        patch.object(type(service.database), "run", side_effect=RuntimeError("the password is 1234")),
        structlog.testing.capture_logs() as lines,
    ):
        answer = await client.post(
            "/graphql", json={"query": "{ stats { memories } }"}, headers={"x-request-id": "r-2"}
        )
    (error,) = answer.json()["errors"]
    assert ("internal error (request id r-2)", "INTERNAL") == (error["message"], error["extensions"]["code"])
    assert "1234" not in answer.text
    assert [True] == ["1234" in str(line["exc_info"]) for line in lines if line["event"] == "internal error"]


async def test_unexpected_error_outside_graphql_is_hidden(client: httpx.AsyncClient) -> None:
    """An unexpected error outside GraphQL is answered with 500 and only the request id."""
    with patch.object(health, "readiness", side_effect=RuntimeError("the password is 1234")):
        answer = await client.get("/readyz", headers={"x-request-id": "r-3"})
    assert (500, ["INTERNAL"]) == (answer.status_code, _codes(answer))
    assert "r-3" in answer.text
    assert "1234" not in answer.text


# --- reading what one wrote elsewhere ---


async def test_mutation_gives_bookmarks(client: httpx.AsyncClient) -> None:
    """A mutation returns a bookmark, and a read with this bookmark sees the write."""
    written = await client.post("/graphql", json={"query": PERSONA})
    bookmark = written.headers["hippograph-bookmark"]
    read = await client.post(
        "/graphql", json={"query": "{ personas { nodes { name } } }"}, headers={"hippograph-bookmark": bookmark}
    )
    assert {"personas": {"nodes": [{"name": "Atlas"}]}} == read.json()["data"]


async def test_another_service_reads_what_this_one_wrote(client: httpx.AsyncClient, settings: Settings) -> None:
    """Another service on the same graph that is given the bookmark of a write sees that write."""
    app = create_app(settings.model_copy(update={"embedding_model": "none", "ner_model": "none"}))
    async with app.router.lifespan_context(app):
        other = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://localhost")
        for number in range(10):
            document = f'mutation {{ createPersona(input: {{name: "Persona {number}"}}) {{ __typename }} }}'
            written = await client.post("/graphql", json={"query": document})
            headers = {"hippograph-bookmark": written.headers["hippograph-bookmark"]}
            read = await other.post("/graphql", json={"query": "{ personas { nodes { name } } }"}, headers=headers)
            assert number + 1 == len(read.json()["data"]["personas"]["nodes"])


async def test_only_bookmarks_that_were_given_are_taken(client: httpx.AsyncClient) -> None:
    """A bookmark that the service did not sign, or that was changed, is refused."""
    given = (await client.post("/graphql", json={"query": PERSONA})).headers["hippograph-bookmark"]
    for bookmark in ("a b", "FB:invented", given[:-1], f"FB:a,{given}", given.partition(".")[0]):
        answer = await client.post("/graphql", json={"query": WHO}, headers={"hippograph-bookmark": bookmark})
        assert 400 == answer.status_code, bookmark


# --- pages and health ---


async def test_root_leads_to_graphiql(client: httpx.AsyncClient) -> None:
    """`/` redirects to GraphiQL, whose scripts and styles the service serves itself."""
    page = await client.get("/", follow_redirects=True)
    assert ("/graphiql/", 200) == (page.url.path, page.status_code)
    for name in ("graphiql.min.js", "console.js", "graphiql.min.css"):
        assert 200 == (await client.get(f"/graphiql/{name}")).status_code
    assert "DENY" == page.headers["x-frame-options"]


async def test_graphiql_can_read_the_schema(client: httpx.AsyncClient) -> None:
    """The introspection query that tools send is within the limits."""
    from graphql import get_introspection_query

    query = get_introspection_query(input_value_deprecation=True, specified_by_url=True, schema_description=True)
    answer = await client.post("/graphql", json={"query": query})
    assert "errors" not in answer.json()


async def test_lives_and_is_ready(client: httpx.AsyncClient) -> None:
    """With a database that answers, the process is alive, and ready without problems."""
    assert {"status": "alive"} == (await client.get("/livez")).json()
    ready = await client.get("/readyz")
    assert (200, "ready", []) == (ready.status_code, ready.json()["status"], ready.json()["problems"])


async def test_not_ready_without_the_database(client: httpx.AsyncClient) -> None:
    """While the database is unavailable, `/readyz` gives 503 and the reason, without the host, and `/livez` 200.
    Afterwards the service is ready again.
    """
    with patch.object(health, "pending_migrations", side_effect=DatabaseUnavailable("no one at db.example:7687")):
        down = await client.get("/readyz")
        assert 200 == (await client.get("/livez")).status_code
    problem = "the database does not answer now; the log says why"
    assert (503, [problem]) == (down.status_code, down.json()["problems"])
    assert 200 == (await client.get("/readyz")).status_code


async def test_readiness_does_not_wait_for_a_database_that_hangs(client: httpx.AsyncClient) -> None:
    """`/readyz` gives 503 instead of waiting for a database that neither answers nor refuses."""

    async def hang(_: object) -> None:
        await asyncio.Event().wait()

    with patch.object(health, "pending_migrations", hang):
        down = await client.get("/readyz")
    assert 503 == down.status_code


async def test_an_application_reads_what_a_fact_claims(service, raw) -> None:
    """The service that an application opens from settings infers the aspect of a fact from its words: a later value
    ends the earlier one.
    """
    app = create_app(service.settings)
    async with app.router.lifespan_context(app):
        opened = app.state.service
        for content in ("I live in Graz.", "I live in Oslo."):
            await opened.facts.remember(opened.viewer(), [Fact(content)])
    rows = await raw(
        "MATCH (m:Semantic) RETURN m.content AS content, m.valid_until.year = 9999 AS holds ORDER BY content"
    )
    assert [("I live in Graz.", False), ("I live in Oslo.", True)] == [(row["content"], row["holds"]) for row in rows]
