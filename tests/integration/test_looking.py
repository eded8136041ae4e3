"""The documentation of the graph and the files for Neo4j Browser, tested against a graph in which everything that the
service writes happened once (A4).
"""

import re
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from neo4j import AsyncDriver, AsyncManagedTransaction

from hippograph import cypher
from hippograph.api.browser import STYLE, SavedQuery, saved_queries
from hippograph.graph.jobs.wipe import wipe
from tests.neo4j_servers import driver_of
from tests.world import happen, load_sample, tell_more

NODES = "MATCH (n) UNWIND keys(n) AS key RETURN labels(n) AS labels, collect(DISTINCT key) AS keys"
LINKS = """
MATCH (a)-[r]->(b)
RETURN type(r) AS type, labels(a) AS source, labels(b) AS target, COLLECT { UNWIND keys(r) AS key RETURN key } AS keys
"""
SHARED = {"weight", "confidence", "valid_from", "valid_until", "evidence", "predicate", "created_at", "merged_from"}
"""Properties that the documentation describes once for all relationships."""
RARE = {
    *("Failed", "Lock", "Archived", "__Neo4jMigrationsLock", "EntityProfile", "SummaryRequest", "Procedural"),
    *("Project", "Tool", "SummarySpine", "Opinion", "ModelUse"),
}
"""Labels and types that exist only for a moment, or do not occur in the sample."""
UNSTYLED = {
    *("Space", "Credential", "Erasure", "UndecidedErasure", "Forgetting", "Purged", "EntityProfile", "SummaryRequest"),
    *("Pending", "Failed", "Use", "__Neo4jMigrationsLock"),
}
"""Labels of nodes for which the style sheet has only its default style."""


@pytest.fixture(scope="module")
async def world(shared_service, moving_clock) -> AsyncIterator[AsyncDriver]:
    """Fills the graph with the sample and all that can happen to it, and yields a driver of it."""
    moving_clock.reset()
    await wipe(shared_service.database, shared_service.local_user.id)
    await tell_more(shared_service, await load_sample(shared_service))
    await happen(shared_service)
    async with driver_of(shared_service.connection) as driver:
        yield driver


async def rows(driver: AsyncDriver, text: str) -> list[dict[str, Any]]:
    """Returns the rows of a query, run in a read-only transaction."""

    async def read(transaction: AsyncManagedTransaction) -> list[dict[str, Any]]:
        return [dict(record) async for record in await transaction.run(text)]

    async with driver.session(default_access_mode="READ") as session:
        return await session.execute_read(read)


# --- docs/reference/graph.md ---


@pytest.fixture
def document(root: Path) -> str:
    """The text of `docs/reference/graph.md`."""
    return (root / "docs/reference/graph.md").read_text("utf-8")


def table(text: str) -> Iterator[list[set[str]]]:
    """Yields the table rows whose first cell begins with a name, each cell as the set of names in it."""
    for line in text.splitlines():
        if line.startswith("| `"):
            yield [set(re.findall(r"`(\w+)`", cell)) for cell in line.strip("|").split("|")]


def section(document: str, title: str) -> str:
    """Returns the text under a heading of level 2."""
    return document.split(f"\n## {title}\n")[1].split("\n## ")[0]


def node_properties(document: str) -> dict[str, set[str]]:
    """Returns the documented properties of each label that has a table of its own."""
    found = {}
    for part in section(document, "Properties of nodes").split("\n### ")[1:]:
        label, _, text = part.partition("\n")
        found[label] = set().union(*(cells[0] for cells in table(text)), set())
    found["Merged"] = found["Entity"] | found["Pending"]
    found["Summary"] |= found["Memory"]
    return found


async def test_every_label_and_property_is_documented(world: AsyncDriver, document: str) -> None:
    """Each label of the graph is in the table of labels, and each property of a node under one of its labels."""
    labels = {label for cells in table(section(document, "Labels")) for label in cells[0]}
    properties, unknown = node_properties(document), set()
    for row in await rows(world, NODES):
        unknown |= set(row["labels"]) - labels
        told = set().union(*(properties.get(label, set()) for label in row["labels"]))
        unknown |= {f"{':'.join(row['labels'])}.{key}" for key in set(row["keys"]) - told}
    assert "" == " ".join(sorted(unknown))


async def test_every_relationship_is_documented(world: AsyncDriver, document: str) -> None:
    """Each relationship type of the graph is documented with the labels of its ends and all its properties."""
    ends = {next(iter(cells[0])): cells[1] for cells in table(section(document, "Relationships"))}
    told: dict[str, set[str]] = {}
    for cells in table(section(document, "Properties of relationships")):
        told.setdefault(next(iter(cells[0])), set()).update(cells[1])
    unknown = set()
    for row in await rows(world, LINKS):
        kind, known = row["type"], ends.get(row["type"], set())
        if not (known & set(row["source"]) and known & set(row["target"])):
            unknown.add(f"{row['source']} {kind} {row['target']}")
        unknown |= {f"{kind}.{key}" for key in set(row["keys"]) - SHARED - told.get(kind, set())}
    assert "" == " ".join(sorted(unknown))


@pytest.mark.usefixtures("gds")
async def test_what_is_documented_is_there(world: AsyncDriver, document: str) -> None:
    """Each documented label and type, except the rare ones, is in the graph. Each documented property is in the graph
    or named by a statement.
    """
    [there] = await rows(
        world,
        "CALL () { MATCH (n) UNWIND labels(n) AS label RETURN collect(DISTINCT label) AS labels } "
        "CALL () { MATCH ()-[r]->() RETURN collect(DISTINCT type(r)) AS types } "
        "CALL () { CALL db.propertyKeys() YIELD propertyKey RETURN collect(propertyKey) AS keys } "
        "RETURN labels + types AS names, keys",
    )
    names = {
        name for title in ("Labels", "Relationships") for cells in table(section(document, title)) for name in cells[0]
    }
    properties = set().union(*node_properties(document).values())
    assert set() == names - set(there["names"]) - RARE
    statements = " ".join(statement.text for statement in cypher.load().values())
    assert "" == " ".join(sorted(properties - set(there["keys"]) - set(re.findall(r"\w+", statements))))


# --- Neo4j Browser ---


@pytest.mark.parametrize("query", saved_queries(), ids=lambda query: query.name)
async def test_a_saved_query_returns_rows(world: AsyncDriver, query: SavedQuery) -> None:
    """A saved query returns between 1 and 400 rows without writing, and begins with a comment."""
    found = await rows(world, query.text)
    assert 0 < len(found) <= 400
    assert query.text.startswith("// ")


def styles() -> dict[str, str]:
    """Returns the caption of each selector of the style sheet, empty if it has none."""
    blocks = re.findall(r"^([\w.]+) \{(.*?)\n\}", STYLE.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    found = {}
    for selector, body in blocks:
        caption = re.search(r'caption: "(.*)";', body)
        found[selector] = caption[1] if caption else ""
    return found


async def test_captions_show_what_a_node_says(world: AsyncDriver, document: str) -> None:
    """Each label and type of the style sheet is documented; a caption names only properties that such nodes have."""
    names = {
        name for title in ("Labels", "Relationships") for cells in table(section(document, title)) for name in cells[0]
    }
    nodes = await rows(world, "MATCH (n) RETURN labels(n) AS labels, properties(n) AS properties")
    wrong = []
    for selector, caption in styles().items():
        kind, _, name = selector.partition(".")
        keys = re.findall(r"\{(\w+)\}", caption)
        alike = [node["properties"] for node in nodes if kind == "node" and name in node["labels"]]
        if (name and name not in names) or any(key not in node for node in alike for key in keys):
            wrong.append(selector)
    assert [] == wrong
    assert "{content}" == styles()["node.Episodic"]


async def test_every_label_that_is_shown_has_a_style(document: str) -> None:
    """Each documented label, except those in `UNSTYLED`, has a style or stands beside one that has, so that Browser
    does not choose their captions. The main labels have a style of their own.
    """
    styled = {selector.partition(".")[2] for selector in styles()}
    assert {"Memory", "Episodic", "Entity", "Person", "Persona", "Chat", "Session", "Summary", "Todo"} <= styled
    rows = list(table(section(document, "Labels")))
    assert UNSTYLED == {name for label, beside, *_ in rows for name in label if not (label | beside) & styled}
