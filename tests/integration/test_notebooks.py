"""The notebooks are run on the sample's graph (A4), and their answers are checked against the graph."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import nbformat
import networkx
import pytest

from hippograph.graph.jobs.wipe import wipe
from scripts.run_notebooks import FOLDER, run
from scripts.tell_changes import tell
from tests.neo4j_servers import driver_of
from tests.world import load_sample

BOOKS = sorted(FOLDER.glob("*.ipynb"))
EVERYTHING = "MATCH (n) OPTIONAL MATCH (n)-[r]->() RETURN count(DISTINCT n) AS nodes, count(r) AS links"
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
Rows = Callable[[str], Awaitable[list[dict[str, Any]]]]


@pytest.fixture(scope="module")
async def sample(gds, shared_service, moving_clock) -> dict[str, str]:
    """Loads the sample and the facts that `make notebooks` adds; returns the environment variables to connect."""
    moving_clock.reset()
    await wipe(shared_service.database, shared_service.local_user.id)
    await load_sample(shared_service)
    await tell(shared_service)
    await tell(shared_service)  # the second call adds nothing
    where = shared_service.connection
    return {"NEO4J_URI": where.uri, "NEO4J_USERNAME": where.user, "NEO4J_PASSWORD": where.password}


def answer(book: nbformat.NotebookNode) -> str:
    """Returns the Markdown output of the last cell."""
    [output] = book.cells[-1].outputs
    return str(output.data["text/markdown"])


async def _map(rows: Rows, said: str) -> None:
    [row] = await rows("MATCH (m:Memory) RETURN count(m) AS all, count(CASE WHEN m:Episodic THEN 1 END) AS turns")
    assert f"There are **{row['all']}** memories: {row['turns']} turns" in said


async def _network(rows: Rows) -> tuple[networkx.Graph, dict[str, str]]:
    """Returns the graph of the group's entities, weighted as in the notebook's projection, and their names by key."""
    pairs = await rows(TOGETHER)
    network = networkx.Graph()
    network.add_weighted_edges_from((row["one"], row["other"], row["weight"]) for row in pairs)
    names = {row[end]: row[f"{end}_name"] for row in pairs for end in ("one", "other")}
    return network, names


async def _communities(rows: Rows, said: str) -> None:
    network, names = await _network(rows)
    others = networkx.community.louvain_communities(network, weight="weight", seed=7)
    reached = networkx.community.modularity(network, others, weight="weight")
    told = float(re.search(r"modularity ([\d.]+)", said)[1])  # type: ignore[index]
    assert reached - 0.05 <= told <= 1
    size, members = re.search(r"of (\d+) entities, is about \*\*(.+)\*\*", said).groups()  # type: ignore[union-attr]
    assert 1 < int(size) < len(network)
    assert set(members.split(", ")) <= set(names.values())


async def _central(rows: Rows, said: str) -> None:
    network, names = await _network(rows)
    rank = networkx.pagerank(network, weight="weight")
    between = networkx.betweenness_centrality(network)
    assert f"Most central is **{names[max(rank, key=rank.__getitem__)]}**" in said
    assert f"joined by **{names[max(between, key=between.__getitem__)]}**" in said


async def _similar(rows: Rows, said: str) -> None:
    [row] = await rows(SUGGESTED)
    assert f"suggests **{row['suggested']}** merges" in said
    network, _ = await _network(rows)
    likeliest = re.search(r"the likeliest \*\*(.+?)\*\* and \*\*(.+?)\*\*", said)
    if likeliest is None:
        assert "0 of the suggested pairs keep the same company." in said
    else:
        assert set(network[likeliest[1]]) & set(network[likeliest[2]])


async def _changes(rows: Rows, said: str) -> None:
    [row] = await rows(CHANGED)
    assert 0 < row["replaced"]
    assert f"**{row['replaced']}** gave their place to another: {row['replaced']} were true for their time" in said
    assert "“Maya drinks coffee in the morning”, then “Maya drinks peppermint tea in the morning”, then" in said
    assert f"stand open: **{row['disputes']}**" in said


async def _forgetting(rows: Rows, said: str) -> None:
    [row] = await rows(FACTS)
    assert "has faded after **70 days**" in said
    assert f"Of the {row['facts']} facts here" in said


async def _search(_: Rows, said: str) -> None:
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


@pytest.mark.parametrize("file", BOOKS, ids=lambda file: file.stem)
async def test_a_notebook_answers_its_question(sample: dict[str, str], shared_service, file: Path) -> None:
    """All cells of a notebook run. It begins with a question, has an image, and ends with an answer that agrees with
    the graph. The numbers of nodes and relationships are unchanged, and no projection is left.
    """
    book = nbformat.read(file, as_version=4)
    async with driver_of(shared_service.connection) as driver:

        async def rows(text: str) -> list[dict[str, Any]]:
            return [record.data() for record in (await driver.execute_query(text)).records]  # type: ignore[arg-type]

        before = await rows(EVERYTHING)
        await asyncio.to_thread(run, book, sample)
        assert before == await rows(EVERYTHING)
        assert [] == await rows("CALL gds.graph.list() YIELD graphName")
        assert book.cells[0].source.splitlines()[0].endswith("?")
        assert any("image/png" in output.get("data", {}) for cell in book.cells for output in cell.get("outputs", []))
        await CLAIMS[file.stem](rows, answer(book))


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
