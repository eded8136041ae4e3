"""The page part of `bench speed`: a search at /memory and the same search in GraphQL, in turns."""

from typing import Final

import httpx2

from benchmarks.environment import Row, in_turns, percentiles
from benchmarks.quality.metrics import percentile
from benchmarks.synthetic_data import Maker
from hippograph.api.service import Service
from hippograph.api.web.http import create_app

QUERIES: Final = 100
_RESULTS: Final = 10
_DOCUMENT: Final = """
query Find($query: String!, $first: Int!) {
  search(query: $query, first: $first, reinforce: false) { edges { ranks { list rank } node { content speakerName } } }
}
"""


async def measure(service: Service, maker: Maker, size: int) -> list[Row]:
    """Returns rows of the time from a request to its whole response, in ms. The embedding of each question is cached.

    Requests do not go over a socket. The page takes longer by its further reads and its rendering.
    """
    transport = httpx2.ASGITransport(create_app(service))
    async with httpx2.AsyncClient(transport=transport, base_url="http://localhost") as client:

        async def query(question: str) -> None:
            given = {"query": _DOCUMENT, "variables": {"query": question, "first": _RESULTS}}
            (await client.post("/graphql", json=given)).raise_for_status()

        async def page(question: str) -> None:
            (await client.get("/memory", params={"q": question})).raise_for_status()

        ways = {"the GraphQL query": query, "the page": page}
        took = await in_turns(service, [maker.question() for _ in range(QUERIES)], ways)
    ratio = percentile(took["the page"], 0.5) / percentile(took["the GraphQL query"], 0.5)
    return [
        *(Row(f"{what} of a search, {size:,} memories", percentiles(seconds)) for what, seconds in took.items()),
        Row("  p50 of the page over that of the query", {"ratio": ratio}),
    ]
