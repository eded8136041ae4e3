"""Exports of random worlds: loaded again they give the same graph; that of a person has what the oracle names."""

import io
import json
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st

from hippograph.api.service import Service
from hippograph.graph.access.parameters import read_params
from hippograph.graph.jobs.wipe import wipe
from hippograph.graph.model import NO_END, Person, Times, Viewer
from hippograph.graph.schema import answering_slot
from hippograph.graph.transfer.exports.graph_export import GraphExport
from hippograph.graph.transfer.exports.graph_import import GraphImport
from hippograph.graph.transfer.exports.graph_lines import ExportFile
from hippograph.graph.transfer.exports.graph_seen import seen_by
from tests.neo4j_servers import driver_of
from tests.property.test_visibility import (
    EDGES,
    NOW,
    Ground,
    View,
    World,
    build,
    drafts,
    entities_at_home,
    exported,
    knows,
    stretches,
)

NODES = "MATCH (n:Memory|Chat|Session|Entity) RETURN DISTINCT n.id AS id"
LINKS = """
MATCH (a:Memory)-[r]->(b) WHERE NOT type(r) IN ['RELATED_TO', 'HAS_PART']
RETURN type(r) AS type, a.id AS source, labels(b) AS labels, b.id AS target
"""
ONE_KIND = "MATCH (m:Memory) REMOVE m:RollingSummary:SummarySpine:GraphAnalysis"
"""Leaves each summary one label of a kind. In the random worlds it has all of them, in a real graph one."""

ODD = """
MATCH (m:Memory {id: $id})
SET m += $properties, m.nanoseconds = datetime('2024-02-29T12:00:00.123456789+05:45'),
    m.zoned = datetime({year: 2024, month: 7, timezone: 'Europe/Vienna'}), m.day = date('2024-02-29'),
    m.days = [date('0001-01-01'), date('9999-12-31')], m.moments = [datetime(), datetime('0001-03-15T00:00Z')],
    m.long = duration('P1Y2M3DT4.000000005S'), m.hour = time('10:00:00.5+01:00'), m.nan = 0.0 / 0.0
"""
"""Sets properties of types that no statement of ours writes, but that a graph may hold."""

texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=20)
integers = st.integers(-(2**63), 2**63 - 1)
floats = st.floats(allow_nan=False)
properties = st.dictionaries(
    st.sampled_from(["odd_one", "odd two", "Ödd-3", "evidence"]),
    st.one_of(
        *(texts, integers, floats, st.booleans()),
        *(st.lists(each, max_size=12) for each in (texts, integers, floats, st.booleans())),
    ),
)
few = settings(
    max_examples=max(3, settings().max_examples // 20),
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
)
EDGE = {name: EDGES[name] for name in ("found", "memberships", "legacy_disclosable")}
worlds = given(
    found=st.lists(drafts(), min_size=12, max_size=20),
    memberships=stretches,
    legacy_disclosable=st.booleans(),
    odd=properties,
)


@pytest.fixture(scope="module")
async def ground(shared_service: Service) -> AsyncIterator[Ground]:
    """Yields the graph in which one world after the other is laid out. Restores the local user at the end."""
    where, embedder, me = shared_service.connection, shared_service.embedder, shared_service.local_user.id
    assert embedder is not None
    slot = await answering_slot(shared_service.database, shared_service.clock, embedder.model, embedder.dimensions)
    async with driver_of(where) as driver:
        kept, _, _ = await driver.execute_query("MATCH (p:Person {id: $me}) RETURN properties(p) AS p", me=me)
        with ThreadPoolExecutor(1) as executor:
            yield Ground(shared_service, driver, slot, executor)
        await wipe(shared_service.database, "")
        await driver.execute_query("CREATE (p:Entity:Person) SET p = $p", p=kept[0]["p"])


async def begin(ground: Ground, found: Any, memberships: Any, legacy_disclosable: bool) -> tuple[Ground, World]:
    """Empties the graph and loads one world into it."""
    await wipe(ground.service.database, "")
    world = build(found, memberships, legacy_disclosable)
    there = ground.of(world)
    await there.load(world)
    return there, world


@few
@worlds
@example(**EDGE, odd={"odd_one": [0.1] * 9, "odd two": [2.0**-149] * 8})
async def test_what_is_loaded_is_what_was_exported(
    ground: Ground, dump, tmp_path_factory: pytest.TempPathFactory, found, memberships, legacy_disclosable, odd
) -> None:
    """An export that is loaded into an empty graph restores every node and relationship with its labels and properties,
    such as ids, times and vectors. Exported again, the graph gives the same lines, except for the manifest.
    """
    ground, world = await begin(ground, found, memberships, legacy_disclosable)
    await ground.driver.execute_query(ONE_KIND)
    await ground.driver.execute_query(ODD, id=next(iter(world.memories)), properties=odd)
    before, path = await dump(), tmp_path_factory.mktemp("export") / "all.jsonl"
    lines = await exported_lines(ground, path)
    await wipe(ground.service.database, "")
    assert [] == await dump()
    await loader(ground).load(ExportFile(path))
    assert before == await dump()
    assert sorted(lines[1:]) == sorted((await exported_lines(ground, path))[1:])


async def exported_lines(ground: Ground, path: Path) -> list[str]:
    """Writes an export of everything, including what a world places in the future, to `path`; returns its lines."""
    out = io.StringIO()
    await GraphExport(ground.service.database, lambda: NO_END, "1.0").write(out)
    path.write_text(out.getvalue(), "utf-8")  # noqa: ASYNC240
    return out.getvalue().split("\n")


def loader(ground: Ground) -> GraphImport:
    """Returns an importer into the graph."""
    settings = ground.service.settings
    return GraphImport(
        ground.service.database,
        lambda: NOW,
        model=ground.slot.model,
        analyzer=settings.fulltext_analyzer,
        user_id=settings.local_user,
    )


@few
@worlds
@example(**EDGE, odd={})
async def test_the_export_of_a_person_is_what_they_may_see(
    ground: Ground, found, memberships, legacy_disclosable, odd
) -> None:
    """The export of a person has exactly the memories and entities that the oracle names, and the relationships between
    them. It has no id of a memory, a chat, a session or a person that is hidden from the person.
    """
    ground, world = await begin(ground, found, memberships, legacy_disclosable)
    database = ground.service.database
    links, _, _ = await ground.driver.execute_query(LINKS)
    nodes, _, _ = await ground.driver.execute_query(NODES)
    every = {node["id"] for node in nodes}
    for person, person_id in enumerate(world.persons):
        view, out = View(person, None, None, Times(NOW, NOW), None), io.StringIO()
        share = seen_by(Person(person_id, f"person:{person_id}", ""), lambda: NOW)
        await GraphExport(database, lambda: NOW, "1.0").write(out, share)
        lines = [json.loads(line) for line in out.getvalue().splitlines()]
        keys = {line["key"] for line in lines if "key" in line}
        seen = exported(world, view)
        known = {one for one in world.persons if knows(world, view, one)} | entities_at_home(world, view)
        assert {f"Memory/{one}" for one in seen} == of_kind(keys, "Memory")
        assert {f"Entity/{one}" for one in known} == of_kind(keys, "Entity")
        assert links_between(links, keys) == {
            (line["type"], line["from"], line["to"])
            for line in lines
            if "type" in line and line["from"].startswith("Memory/")
        }
        evidence = [line["properties"]["evidence"] for line in lines if line.get("type") == "RELATED_TO"]
        assert all(each and seen.issuperset(each) for each in evidence)
        told = await database.run(
            "people/export_told",
            ids=[person_id],
            after="",
            limit=1000,
            **read_params(Viewer(person_id), None, lambda: NOW),
        )
        named = {row["memory"]["chat_id"] for row in told if row["memory"]["chat_id"] or row["memory"]["session_id"]}
        assert all(world.takes_part(person_id, chat) for chat in named)
        text = out.getvalue()
        for made in of_kind(keys, "Todo") | of_kind(keys, "Session"):
            text = text.replace(made.partition("/")[2], "")  # in these worlds such an id is composed of other ids
        assert set() == {one for one in every if not shown(one, keys) and one in text}


def shown(one: str, keys: set[str]) -> bool:
    """Returns whether the export has a node with this id."""
    return any(f"{kind}/{one}" in keys for kind in ("Memory", "Chat", "Session", "Entity"))


def of_kind(keys: set[str], kind: str) -> set[str]:
    """Returns the keys of nodes of a kind."""
    return {key for key in keys if key.startswith(f"{kind}/")}


def links_between(links: Any, keys: set[str]) -> set[tuple[str, str, str]]:
    """Returns the relationships that start at a memory and have both ends among the keys."""
    named = {
        (link["type"], f"Memory/{link['source']}", f"{next(iter(set(link['labels']) & KINDS))}/{link['target']}")
        for link in links
    }
    return {link for link in named if {link[1], link[2]} <= keys}


KINDS = {"Memory", "Entity", "Version", "Session"}
