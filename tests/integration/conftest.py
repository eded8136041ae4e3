"""The service over HTTP, as a client meets it."""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import httpx
import pytest

from api.http import create_app
from api.service import Service

Ask = Callable[..., Awaitable[dict[str, Any]]]


@pytest.fixture
async def client(service: Service) -> AsyncIterator[httpx.AsyncClient]:
    """A client of the service, over an empty graph."""
    app = create_app(service)
    transport = httpx.ASGITransport(app)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://localhost:8000") as client,
    ):
        yield client


@pytest.fixture
def ask(client: httpx.AsyncClient) -> Ask:
    """Asks in GraphQL, `ask(document, variable=…)`, and gives the whole answer."""

    async def post(query: str, **variables: object) -> dict[str, Any]:
        answer: dict[str, Any] = (await client.post("/graphql", json={"query": query, "variables": variables})).json()
        return answer

    return post
