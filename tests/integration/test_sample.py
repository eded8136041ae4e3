"""Tests on the graph of the sample, which is loaded once for this file. They run in its order: the notebooks on the
sample alone, then the documentation of the graph and the files for Neo4j Browser on a graph in which everything that
the service writes happened once (A4), and last an export of that graph, which replaces it.
"""

import asyncio
import re
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import nbformat
import networkx
import pytest
from neo4j import AsyncDriver, AsyncManagedTransaction

from hippograph import cypher
from hippograph.api.browser import STYLE, SavedQuery, saved_queries
from hippograph.api.service import Service
from hippograph.graph.jobs.wipe import wipe
from hippograph.graph.transfer.exports.graph_lines import ExportFile
from scripts.run_notebooks import FOLDER, run
from scripts.tell_changes import tell
from tests.integration.conftest import Empty
from tests.integration.test_graph_exports import export, loader
from tests.neo4j_servers import driver_of
from tests.world import happen, load_sample, tell_more

BOOKS = sorted(FOLDER.glob("*.ipynb"))
EVERYTHING = "MATCH (n) OPTIONAL MATCH (n)-[r]->() RETURN count(DISTINCT n) AS nodes, count(r) AS links"
MEMORIES = "MATCH (m:Memory) RETURN count(m) AS all, count(CASE WHEN m:Episodic THEN 1 END) AS turns"
TOGETHER = """
MATCH (c:Chat {title: 'Friday Table'})
MATCH (a:Entity)<-[:ABOUT|MENTIONS]-(m:Memory {scope: c.scope})-[:ABOUT|MENTIONS]->(b:Entity)
WHERE m.retired_at > datetime() AND m.status = 'active' AND a.key < b.key
RETURN a.key AS one, b.key AS other, a.canonical_name AS one_name, b.canonical_name AS other_name,
       count(DISTINCT m) AS weight ORDER BY one, other
"""
SUGGESTED = """
MATCH (c:Chat {title: 'Friday Table'}) MATCH (a:Entity)-[:MAY_BE]->(b:Entity)
WHERE all(e IN [a, b] WHERE EXISTS { (e)<-[:ABOUT|MENTIONS]-(:Memory {scope: c.scope}) })
RETURN count(*) AS suggested
"""
CHANGED = """
CALL () { MATCH (:Memory)-[r:SUPERSEDES]->(:Memory) RETURN count(r) AS replaced }
CALL () { MATCH (:Memory)-[r:CONTRADICTS]->(:Memory) RETURN count(r) AS disputes }
RETURN replaced, disputes
"""
FACTS = """
MATCH (m:Memory)
WHERE NOT m:Episodic AND NOT m:Summary AND m.retired_at > datetime() AND m.status = 'active'
RETURN count(m) AS facts
"""
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
async def driver(shared_service: Service) -> AsyncIterator[AsyncDriver]:
    """A driver of the run's server."""
    async with driver_of(shared_service.connection) as driver:
        yield driver


@pytest.fixture(scope="module")
async def sample(shared_service: Service, moving_clock) -> dict[str, str]:
    """Loads the sample and the facts that `make notebooks` adds; returns chat ids by dialogue names."""
    moving_clock.reset()
    await wipe(shared_service.database, shared_service.local_user.id)
    chats = await load_sample(shared_service)
    await tell(shared_service)
    await tell(shared_service)  # the second call adds nothing
    return chats


@pytest.fixture(scope="module")
async def world(shared_service: Service, driver: AsyncDriver, sample: dict[str, str]) -> AsyncDriver:
    """Adds to the sample's graph all that can happen to it, and returns a driver of it."""
    await tell_more(shared_service, sample)
    await happen(shared_service)
    return driver


async def rows(driver: AsyncDriver, text: str) -> list[dict[str, Any]]:
    """Returns the rows of a query, run in a read-only transaction."""

    async def read(transaction: AsyncManagedTransaction) -> list[dict[str, Any]]:
        return [dict(record) async for record in await transaction.run(text)]

    async with driver.session(default_access_mode="READ") as session:
        return await session.execute_read(read)


# --- notebooks ---


def answer(book: nbformat.NotebookNode) -> str:
    """Returns the Markdown output of the last cell."""
    [output] = book.cells[-1].outputs
    return str(output.data["text/markdown"])


async def _map(driver: AsyncDriver, said: str) -> None:
    [row] = await rows(driver, MEMORIES)
    assert f"There are **{row['all']}** memories: {row['turns']} turns" in said


async def _network(driver: AsyncDriver) -> tuple[networkx.Graph, dict[str, str]]:
    """Returns the graph of the group's entities, weighted as in the notebook's projection, and their names by key."""
    pairs = await rows(driver, TOGETHER)
    network = networkx.Graph()
    network.add_weighted_edges_from((row["one"], row["other"], row["weight"]) for row in pairs)
    names = {row[end]: row[f"{end}_name"] for row in pairs for end in ("one", "other")}
    return network, names


async def _communities(driver: AsyncDriver, said: str) -> None:
    network, names = await _network(driver)
    others = networkx.community.louvain_communities(network, weight="weight", seed=7)
    reached = networkx.community.modularity(network, others, weight="weight")
    told = float(re.search(r"modularity ([\d.]+)", said)[1])  # type: ignore[index]
    assert reached - 0.05 <= told <= 1
    size, members = re.search(r"of (\d+) entities, is about \*\*(.+)\*\*", said).groups()  # type: ignore[union-attr]
    assert 1 < int(size) < len(network)
    assert set(members.split(", ")) <= set(names.values())


async def _central(driver: AsyncDriver, said: str) -> None:
    network, names = await _network(driver)
    rank = networkx.pagerank(network, weight="weight")
    between = networkx.betweenness_centrality(network)
    assert f"Most central is **{names[max(rank, key=rank.__getitem__)]}**" in said
    assert f"joined by **{names[max(between, key=between.__getitem__)]}**" in said


async def _similar(driver: AsyncDriver, said: str) -> None:
    [row] = await rows(driver, SUGGESTED)
    assert f"suggests **{row['suggested']}** merges" in said
    network, _ = await _network(driver)
    likeliest = re.search(r"the likeliest \*\*(.+?)\*\* and \*\*(.+?)\*\*", said)
    if likeliest is None:
        assert "0 of the suggested pairs keep the same company." in said
    else:
        assert set(network[likeliest[1]]) & set(network[likeliest[2]])


async def _changes(driver: AsyncDriver, said: str) -> None:
    [row] = await rows(driver, CHANGED)
    assert 0 < row["replaced"]
    assert f"**{row['replaced']}** gave their place to another: {row['replaced']} were true for their time" in said
    assert "“Maya drinks coffee in the morning”, then “Maya drinks peppermint tea in the morning”, then" in said
    assert f"stand open: **{row['disputes']}**" in said


async def _forgetting(driver: AsyncDriver, said: str) -> None:
    [row] = await rows(driver, FACTS)
    assert "has faded after **70 days**" in said
    assert f"Of the {row['facts']} facts here" in said


async def _search(_: AsyncDriver, said: str) -> None:
    assert "one that asks **why**" in said
    assert "The first is “Bad news. We have to push the Soča trip back, because" in said
    search, alone = (float(share) for share in re.findall(r"(\d+)%", said))
    assert search > alone


CLAIMS = {
    "1-map": _map,
    "2-communities": _communities,
    "3-central": _central,
    "4-similar": _similar,
    "5-changes": _changes,
    "6-forgetting": _forgetting,
    "7-search": _search,
}


def test_every_notebook_is_held_against_the_graph() -> None:
    """Every notebook has a check of its claims."""
    assert list(CLAIMS) == [file.stem for file in BOOKS]


@pytest.mark.usefixtures("gds", "sample")
@pytest.mark.parametrize("file", BOOKS, ids=lambda file: file.stem)
async def test_a_notebook_answers_its_question(shared_service: Service, driver: AsyncDriver, file: Path) -> None:
    """All cells of a notebook run. It begins with a question, has an image, and ends with an answer that agrees with
    the graph. The numbers of nodes and relationships are unchanged, and no projection is left.
    """
    book, where = nbformat.read(file, as_version=4), shared_service.connection
    before = await rows(driver, EVERYTHING)
    variables = {"NEO4J_URI": where.uri, "NEO4J_USERNAME": where.user, "NEO4J_PASSWORD": where.password}
    await asyncio.to_thread(run, book, variables)
    assert before == await rows(driver, EVERYTHING)
    assert [] == await rows(driver, "CALL gds.graph.list() YIELD graphName")
    assert book.cells[0].source.splitlines()[0].endswith("?")
    assert any("image/png" in output.get("data", {}) for cell in book.cells for output in cell.get("outputs", []))
    await CLAIMS[file.stem](driver, answer(book))


@pytest.mark.parametrize("file", BOOKS, ids=lambda file: file.stem)
def test_a_notebook_is_committed_with_its_outputs(file: Path) -> None:
    """A committed notebook has outputs to render: every cell was run in order, without errors or warnings, and not as
    the user of the tests.
    """
    cells = [cell for cell in nbformat.read(file, as_version=4).cells if cell.cell_type == "code"]
    assert [*range(1, len(cells) + 1)] == [cell.execution_count for cell in cells]
    outputs = [output for cell in cells for output in cell.outputs]
    assert not any(output.output_type == "error" or output.get("name") == "stderr" for output in outputs)
    assert "**" in answer(nbformat.read(file, as_version=4))
    assert "tester" not in file.read_text("utf-8")


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


# --- the export of everything ---


async def test_an_export_loaded_is_the_graph_that_was(
    shared_service: Service, world: AsyncDriver, tmp_path: Path, dump, empty: Empty
) -> None:
    """A loaded export equals the exported graph in all nodes, labels, properties and relationships, with their ids,
    times and vectors, and `doctor` finds nothing.
    """
    before = await dump()
    path = await export(shared_service, tmp_path / "all.jsonl.gz")
    await empty()
    loaded = await loader(shared_service).load(ExportFile(path))
    assert before == await dump()
    assert loaded.vectors
    assert [] == await shared_service.doctor.examine()
