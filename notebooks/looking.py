"""How the notebooks reach the graph: as its operator, who sees everything, or by asking the service. None writes.

`hippograph neo4j connection --shell` prints the variables that are read here.
"""

import os
import warnings
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import neo4j
import pandas as pd

warnings.filterwarnings("ignore", message="IProgress not found")  # no progress bars: no warning of how they look
from graphdatascience import GraphDataScience  # noqa: E402

Ask = Callable[..., Awaitable[dict[str, Any]]]
"""Asks in GraphQL, `await ask(document, variable=…)`, and gives the data of the answer."""

CHAT = "Friday Table"
"""The title of the chat whose scope is projected."""

_TOGETHER = """
MATCH (a:Entity)<-[:ABOUT|MENTIONS]-(m:Memory)-[:ABOUT|MENTIONS]->(b:Entity)
WHERE m.scope = $scope AND m.retired_at > datetime() AND m.status = 'active' AND a.id < b.id
WITH a, b, count(DISTINCT m) AS weight
"""
_COUNT = f"{_TOGETHER} RETURN 2 * count(*) AS links, count(DISTINCT a) + count(DISTINCT b) AS nodes"
_ESTIMATE = """
CALL gds.graph.project.estimate('*', '*', {nodeCount: $nodes, relationshipCount: $links})
YIELD requiredMemory, heapPercentageMax
RETURN requiredMemory AS memory, heapPercentageMax AS share
"""
_PROJECT = f"""{_TOGETHER}
RETURN gds.graph.project($graph, a, b, {{relationshipProperties: {{weight: toFloat(weight)}}}},
                         {{undirectedRelationshipTypes: ['*']}})
"""
_WITH_MEMORIES = """
MATCH (n:Memory)
WHERE n.scope = $scope AND n.retired_at > datetime() AND n.status = 'active' AND NOT n:Summary
  AND n.embedding_a IS NOT NULL
"""
_PROJECT_VECTORS = """ WITH n ORDER BY n.id
RETURN gds.graph.project($graph, n, null,
                         {sourceNodeProperties: {embedding: n.embedding_a}, targetNodeProperties: null})
"""


class Looking:
    """A connection for people: data frames of queries, and projections that are gone afterwards."""

    def __init__(self) -> None:
        auth = os.environ["NEO4J_USERNAME"], os.environ["NEO4J_PASSWORD"]
        self._database = os.environ.get("NEO4J_DATABASE", "neo4j")
        self._driver = neo4j.GraphDatabase.driver(
            os.environ["NEO4J_URI"], auth=auth, telemetry_disabled=True, notifications_min_severity="OFF"
        )
        self.gds = GraphDataScience(self._driver, database=self._database, arrow=False, show_progress=False)

    def frame(self, query: str, **params: Any) -> pd.DataFrame:
        """What a query gives, as a data frame. The query may not write."""
        return self._driver.execute_query(
            query,
            params,
            routing_=neo4j.RoutingControl.READ,
            database_=self._database,
            result_transformer_=neo4j.Result.to_df,
        )

    def scope(self, title: str = CHAT) -> str:
        """The scope of a group chat, by its title."""
        found = self.frame("MATCH (c:Chat {title: $title}) RETURN c.scope AS scope LIMIT 1", title=title)
        if found.empty:
            raise ValueError(f"there is no chat {title!r}; give the title of one of yours")
        return str(found.scope[0])

    @contextmanager
    def together(self, scope: str) -> Iterator[Any]:
        """Entities that come up in the same memories of one scope, as a projection; its weight is how many those are.

        Raises `MemoryError` when it would take more than half of Neo4j's heap.
        """
        with self._projected(f"together {scope}", _COUNT, _PROJECT, scope) as projection:
            yield projection

    @contextmanager
    def memory_vectors(self, scope: str) -> Iterator[Any]:
        """The memories of one scope with their vectors (`embedding`). Raises as `together`."""
        count = f"{_WITH_MEMORIES} RETURN count(n) AS nodes, 0 AS links"
        with self._projected(f"vectors {scope}", count, _WITH_MEMORIES + _PROJECT_VECTORS, scope) as projection:
            yield projection

    @contextmanager
    def _projected(self, name: str, count: str, project: str, scope: str) -> Iterator[Any]:
        """A projection, whose memory is estimated first, and which is dropped whatever happens."""
        size = self.frame(count, scope=scope).iloc[0]
        needed = self.frame(_ESTIMATE, nodes=int(size.nodes), links=int(size.links)).iloc[0]
        print(f"at most {size.nodes} nodes and {size.links} relationships: {needed.memory}")
        if needed.share > 0.5:
            raise MemoryError(f"the projection may take {needed.memory}; raise HIPPOGRAPH_NEO4J_HEAP_MB")
        with self.gds.graph.project.cypher(project, graph=name, scope=scope) as projection:
            yield projection

    @asynccontextmanager
    async def asking(self) -> AsyncIterator[Ask]:
        """The service's GraphQL over this graph, as the first person who has an account there."""
        import httpx2

        from hippograph.api.observability.logs import configure_logging
        from hippograph.api.settings.settings import Settings
        from hippograph.api.web.http import create_app

        accounts = self.frame("MATCH (p:Person) WHERE p.user_id IS NOT NULL RETURN p.user_id AS user ORDER BY p.id")
        settings = Settings(
            _env_file=None,
            neo4j_uri=os.environ["NEO4J_URI"],
            neo4j_user=os.environ["NEO4J_USERNAME"],
            neo4j_password=os.environ["NEO4J_PASSWORD"],
            neo4j_database=self._database,
            local_user=accounts.user[0],
            log_level="ERROR",
        )
        configure_logging(settings)
        app = create_app(settings)
        transport = httpx2.ASGITransport(app)
        async with (
            app.router.lifespan_context(app),
            httpx2.AsyncClient(transport=transport, base_url="http://localhost:8000", timeout=120) as client,
        ):

            async def ask(document: str, **variables: Any) -> dict[str, Any]:
                answer = (await client.post("/graphql", json={"query": document, "variables": variables})).json()
                if "errors" in answer:
                    raise ValueError(answer["errors"][0]["message"])
                return answer["data"]

            yield ask

    def names(self, frame: pd.DataFrame) -> pd.DataFrame:
        """The same rows with `name` and `type` of the entity that `nodeId` is."""
        known = self.frame(
            "UNWIND $ids AS nodeId WITH nodeId, gds.util.asNode(nodeId) AS e "
            "RETURN nodeId, e.canonical_name AS name, e.type AS type",
            ids=frame["nodeId"].tolist(),
        )
        return frame.merge(known, on="nodeId")
