"""The format of exports, the errors of invalid ones, and their conversion to GraphML, CSV and Markdown."""

import gzip
import json
import math
import stat
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import networkx
import pandas
import pytest
from hypothesis import given
from hypothesis import strategies as st
from neo4j.time import Date, Duration, Time

from hippograph.cypher import migrations
from hippograph.graph.errors import InvalidInput, SchemaMismatch
from hippograph.graph.transfer.exports.graph_files import new_file, new_folder
from hippograph.graph.transfer.exports.graph_import import check
from hippograph.graph.transfer.exports.graph_lines import (
    KINDS,
    UNIQUE,
    Counts,
    ExportFile,
    Manifest,
    Node,
    Relationship,
    end_line,
    is_export,
    manifest_line,
    node_line,
    relationship_line,
)
from hippograph.graph.transfer.exports.graph_pages import write_pages
from hippograph.graph.transfer.exports.graph_tables import write_csv, write_graphml
from hippograph.graph.transfer.exports.property_values import Moment
from tests.integration.test_schema import UNIQUE as SCHEMA_UNIQUE

SCHEMA = migrations()[-1].version
MANIFEST = Manifest("e1", SCHEMA, "1.0", "2026-11-01T00:00:00+00:00", None)
NOON = Moment("2024-03-04T12:00:00Z")
NO_END = Moment("9999-12-31T23:59:59Z")


def entity(number: str, key: str, name: str, **more: Any) -> Node:
    """The node of an entity; the prefix of the key gives its label."""
    label = key.partition(":")[0].title()
    return Node(("Entity", label), {"id": number, "key": key, "canonical_name": name, "aliases": [], **more})


def memory(number: str, kind: str, content: str, **more: Any) -> Node:
    """The node of a turn (`episodic`) or a fact, at `NOON` and without an end."""
    times = {"event_time": NOON, "created_at": NOON, "valid_until": NO_END, "retired_at": NO_END}
    labels = ("Episodic" if kind == "episodic" else "Semantic", "Memory")
    return Node(labels, {"id": number, "type": kind, "content": content, **times, **more})


def link(kind: str, source: str, target: str, **properties: Any) -> Relationship:
    """A relationship."""
    return Relationship(kind, source, target, properties)


TALK: list[Node | Relationship] = [
    memory("t1", "episodic", "# I moved *to*\nGraz <b>", speaker_name="Maya [x]", embedding=[0.5, 0.25]),
    memory("f1", "semantic", "Maya lives in Graz", confidence=0.9, pinned=True, importance=2, tags=["home", "a;b"]),
    memory("f2", "semantic", "Maya lives in Linz", valid_until=NOON, confidence=1, odd="\x0b\x00&\"'<"),
    entity("e1", "person:maya", "Maya", aliases=["May"]),
    entity("e2", "place:../graz", "Graz (city)"),
    entity("e3", "project:con", "Con"),
    entity("e4", "project:CON", "CON"),
    link("ABOUT", "Memory/f1", "Entity/e1", primary=True),
    link("ABOUT", "Memory/f2", "Entity/e1", primary=False),
    link("MENTIONS", "Memory/f1", "Entity/e2", texts=["Graz"]),
    link("ABOUT", "Memory/f1", "Entity/e2", primary=False),
    link("DERIVED_FROM", "Memory/f1", "Memory/t1", words="I moved *to* Graz"),
    link("RELATED_TO", "Entity/e1", "Entity/e2", predicate="lives_in", evidence=["f1"]),
]


def lines_of(things: Iterable[Node | Relationship], manifest: Manifest = MANIFEST) -> list[str]:
    """The lines of an export of these nodes and relationships."""
    counts, lines = Counts(), [manifest_line(manifest)]
    for each in things:
        counts.add(each)
        lines.append(node_line(each) if isinstance(each, Node) else relationship_line(each))
    return [*lines, end_line(counts)]


@pytest.fixture
def written(tmp_path: Path) -> Callable[..., ExportFile]:
    """Returns a function that writes lines to a file and opens it as an export."""

    def write(lines: Iterable[str]) -> ExportFile:
        path = tmp_path / "export.jsonl"
        path.write_text("".join(lines), "utf-8", newline="\n")
        return ExportFile(path)

    return write


# --- the format ---

texts = st.text(st.characters(exclude_categories=["Cs"]))
numbers = st.floats(allow_nan=False)
integers = st.integers(-(2**63), 2**63 - 1)
moments = st.sampled_from(
    [
        *("0000-02-29T00:00Z", "-0044-03-15T12:00:00Z", "+12345-01-01T00:00Z", "9999-12-31T23:59:59.999999999Z"),
        *("2024-07-01T00:00:00.5+02:00[Europe/Vienna]", "1880-01-01T00:00:00-00:01:15", "2024-02-29T12:00+18:00"),
    ]
)
values = st.one_of(
    *(texts, st.booleans(), integers, numbers, st.lists(texts), st.lists(integers)),
    st.lists(numbers, min_size=1, max_size=20),
    st.lists(st.floats(width=32, allow_nan=False), min_size=8, max_size=20),
    st.dates().map(lambda day: Date(day.year, day.month, day.day)),
    st.times().map(lambda moment: Time(moment.hour, moment.minute, moment.second, moment.microsecond * 1000)),
    st.builds(Duration, months=st.integers(-99, 99), days=st.integers(-99, 99), nanoseconds=st.integers(0, 10**9)),
    st.builds(Moment, st.one_of(moments, st.lists(moments).map(tuple))),
)


@given(st.dictionaries(texts.filter(lambda name: name and "\0" not in name), values, max_size=6))
def test_every_property_comes_back_as_it_was(tmp_path_factory: pytest.TempPathFactory, properties) -> None:
    """Properties of any name, type and value are read exactly as they were written, and each node takes one line."""
    node = Node(("Memory",), {**properties, "id": "m1"})
    path = tmp_path_factory.mktemp("lines") / "one.jsonl"
    path.write_text("".join(lines_of([node])), "utf-8", newline="\n")
    [(_, read), (number, counts)] = list(ExportFile(path).lines())
    assert 3 == number
    assert isinstance(read, Node)
    assert node == read
    assert [type(value) for value in node.properties.values()] == [
        type(read.properties[name]) for name in node.properties
    ]
    assert Counts({"Memory": 1}) == counts


def test_what_json_has_no_number_for(written) -> None:
    """Infinity is restored alone and in a list, NaN in a list."""
    odd = {"id": "m1", "one": math.inf, "two": [-math.inf, 1.5], "three": [math.nan, 0.5]}
    [(_, node), _] = list(written(lines_of([Node(("Memory",), odd)])).lines())
    assert odd["one"] == node.properties["one"]
    assert odd["two"] == node.properties["two"]
    assert math.isnan(node.properties["three"][0])


def test_a_vector_takes_four_bytes_a_number() -> None:
    """A vector takes four bytes a number if it is exact as float32, as models return it, else eight; before Base64."""
    single, double = (Node(("Memory",), {"id": "m1", "embedding": [number] * 384}) for number in (0.5, 0.1))
    assert 384 * 4 * 4 / 3 == pytest.approx(len(node_line(single)), rel=0.1)
    assert 384 * 8 * 4 / 3 == pytest.approx(len(node_line(double)), rel=0.1)


def test_every_label_of_the_graph_is_exported(root: Path) -> None:
    """Each label in docs/reference/graph.md is an exported kind, belongs to nodes of one, or is excluded here."""
    text = (root / "docs/reference/graph.md").read_text("utf-8").split("\n## Labels\n")[1].split("\n## ")[0]
    rows = [row.split("|") for row in text.splitlines() if row.startswith("| `")]
    labels = {row[1].strip(" `"): {part.strip(" `") for part in row[2].split(",")} for row in rows}
    beside_a_kind = {label for label, others in labels.items() if others & set(KINDS)}
    of_any_kind = {"Pending", "Failed", "Summary"}
    left_out = {"EmbeddingSlot", "Lock", "ModelUse", "__Neo4jMigration", "__Neo4jMigrationsLock"}
    assert set() == set(labels) - set(KINDS) - beside_a_kind - of_any_kind - left_out
    assert set() == set(KINDS) - set(labels)


# --- what is refused ---


def test_a_whole_file_passes(written) -> None:
    """`check` accepts a valid export and returns its counts."""
    counts = check(written(lines_of(TALK)))
    assert {"Memory": 3, "Entity": 4} == counts.nodes
    assert len(TALK) == counts.lines


@pytest.mark.parametrize(
    ("number", "line", "said"),
    [
        (3, "{not json}\n", "line 3 .* no JSON"),
        (3, "[]\n", "line 3 .* no JSON object"),
        (3, '{"key": "Memory/f1"}\n', "line 3 .* neither"),
        (3, '{"key": "Memory/f1", "labels": ["Memory"], "properties": {"id": "f9"}}\n', "line 3 .* not the key"),
        (3, '{"key": "Lock/f1", "labels": ["Lock"], "properties": {"id": "f1"}}\n', "line 3 .* no labels"),
        (3, '{"key": "Memory/f1", "labels": ["Memory`"], "properties": {"id": "f1"}}\n', "line 3 .* no labels"),
        (3, '{"key": "Memory/f1", "labels": ["Memory"], "properties": {"id": "f1", "x": {}}}\n', "line 3 .* no value"),
        (3, '{"key": "Memory/f1", "labels": ["Memory"], "properties": {"id": "f1", "x": {"date": "?"}}}\n', "line 3"),
        (3, '{"key": "Memory/f1", "labels": ["Memory"], "properties": {"id": "f1", "x": {"vector": "?"}}}\n', "line 3"),
        (3, "", "line 8 .* no node Memory/f1"),
        (4, "", "not whole|no node"),
        (9, '{"type": "A B", "from": "Memory/f1", "to": "Entity/e1", "properties": {}}\n', "line 9 .* no type"),
        (9, '{"type": "ABOUT", "from": "Memory/f1", "to": "Entity/e9", "properties": {}}\n', "line 9 .* Entity/e9"),
        (9, "", "lines are missing"),
        (15, "", "no end"),
    ],
)
def test_a_broken_line_is_refused_with_its_number(written, number: int, line: str, said: str) -> None:
    """An invalid line is refused with its number; a missing line is noticed by a later one or at the end."""
    lines = lines_of(TALK)
    lines[number - 1] = line
    with pytest.raises(InvalidInput, match=said):
        check(written(lines))


@pytest.mark.parametrize(
    "value",
    [
        *(
            "1" + "0" * 19,
            "[1, 2.5]",
            '[1, "a"]',
            "[true, 1]",
            "[[1], [2]]",
            "[null]",
            "null",
            '[{"datetime": "2024"}]',
        ),
        *('{"datetime": "2024-02-30T00:00Z"}', '{"datetime": "noon"}', '{"datetime": "2024-01-01T25:00Z"}'),
        *('{"datetime": "2024-01-01T00:00"}', '{"datetime": "2024-01-01T00:00Z[No/Where]"}', '"\\ud800"'),
        *('{"datetime": ["2024-01-01T00:00Z", "?"]}', '{"datetime": "2024-01-01T00:00+18:01"}', '{"number": "x"}'),
        *(
            '{"duration": "P99999999999999999999Y"}',
            '{"time": "25:00"}',
            '{"date": "2024-02-30"}',
            '{"vector": "AAA="}',
        ),
    ],
)
def test_what_the_database_would_refuse_is_refused_before(written, value: str) -> None:
    """A property value that the driver or Neo4j would reject is refused with the number of its line."""
    lines = lines_of(TALK)
    lines[2] = f'{{"key": "Memory/f1", "labels": ["Memory"], "properties": {{"id": "f1", "x": {value}}}}}\n'
    with pytest.raises(InvalidInput, match=r"line 3 .* is broken"):
        check(written(lines))


@pytest.mark.parametrize("name", ["", "a\0b", "\ud800"])
def test_a_property_has_a_name(written, name: str) -> None:
    """A property name that Neo4j does not accept is refused."""
    properties = json.dumps({"id": "f1", name: 1})
    lines = [manifest_line(MANIFEST), f'{{"key": "Memory/f1", "labels": ["Memory"], "properties": {properties}}}\n']
    with pytest.raises(InvalidInput, match=r"line 2 .* is broken"):
        check(written(lines))


def test_a_node_is_of_one_kind(written) -> None:
    """A node with the labels of two kinds is refused, so that no API key can be loaded as a memory."""
    line = '{"key": "Memory/f1", "labels": ["Memory", "Credential"], "properties": {"id": "f1"}}\n'
    with pytest.raises(InvalidInput, match=r"line 2 .* several kinds"):
        check(written([manifest_line(MANIFEST), line]))


@pytest.mark.parametrize(
    "change",
    [
        *({"vectors": {"x": 1}}, {"vectors": 1}, {"vectors": {"model": "m", "dimensions": "8"}}, {"id": 1}),
        *({"vectors": {"model": "m", "dimensions": 0}}, {"schema": 26}, {"schema": "x"}, {"of": 1}, {"more": 1}),
    ],
)
def test_a_manifest_is_as_it_must_be(written, change: dict[str, Any]) -> None:
    """A manifest with a value of a wrong type or form, or with an unknown field, is refused when the file is opened."""
    manifest = {**json.loads(manifest_line(MANIFEST)), **change}
    with pytest.raises(InvalidInput, match="the manifest is not as it must be"):
        written([json.dumps(manifest)])


def test_what_one_person_may_see_is_not_loaded(written) -> None:
    """`check` refuses the export of one person, for reading only: it must not bring in API keys or unchecked data."""
    with pytest.raises(InvalidInput, match="only an export of everything"):
        check(written(lines_of(TALK, replace(MANIFEST, of="person:maya"))))


def test_what_is_unique_is_there_once(written) -> None:
    """`check` refuses a second node or relationship with the same unique value."""
    sessions = [Node(("Session",), {"id": one, "open_key": "c|p"}) for one in ("s1", "s2")]
    with pytest.raises(InvalidInput, match=r"line 3 .*Session.open_key='c\|p' is there twice"):
        check(written(lines_of(sessions)))
    parts = [link("PARTICIPATES_IN", "Entity/e1", "Entity/e2", id="p1")] * 2
    with pytest.raises(InvalidInput, match=r"line 10 .*PARTICIPATES_IN.id='p1' is there twice"):
        check(written(lines_of([*TALK[:7], *parts])))


def test_every_constraint_is_known() -> None:
    """`UNIQUE` has all uniqueness constraints of the schema, except ids of kinds and labels that are not exported."""
    left_out = {"EmbeddingSlot", "Lock", "ModelUse", "__Neo4jMigration", "__Neo4jMigrationsLock"}
    constraints = {
        label: tuple(name for name in names if name != "id" or label not in KINDS)
        for label, names in SCHEMA_UNIQUE.items()
        if label not in left_out
    }
    assert {label: names for label, names in constraints.items() if names} == UNIQUE


def test_a_node_stands_there_once(written) -> None:
    """A duplicate node, and a node after a relationship, are refused."""
    with pytest.raises(InvalidInput, match=r"line 9 .* is there twice"):
        check(written(lines_of([*TALK[:7], TALK[0]])))
    with pytest.raises(InvalidInput, match=r"line 15 .* behind a relationship"):
        check(written(lines_of([*TALK, memory("f3", "semantic", "late")])))


def test_a_newer_export_is_refused(written) -> None:
    """An export with a newer schema or a newer version of the format is refused, and a file without a manifest."""
    with pytest.raises(SchemaMismatch, match="newer"):
        check(written(lines_of(TALK, Manifest("e1", str(int(SCHEMA) + 1), "9.0", "", None))))
    with pytest.raises(InvalidInput, match="newer"):
        written(lines_of(TALK, Manifest("e1", SCHEMA, "9.0", "", None, version=2)))
    with pytest.raises(InvalidInput, match="manifest"):
        written(lines_of(TALK)[1:])


def test_a_packed_file_that_was_cut_off(tmp_path: Path) -> None:
    """A complete compressed export is read; a truncated one is refused with the number of the line where it ends."""
    whole = gzip.compress("".join(lines_of(TALK)).encode())
    path = tmp_path / "all.jsonl.gz"
    path.write_bytes(whole)
    assert is_export(path)
    assert len(TALK) == check(ExportFile(path)).lines
    path.write_bytes(whole[:-20])
    with pytest.raises(InvalidInput, match=r"line .* cannot be read on"):
        check(ExportFile(path))


@pytest.mark.parametrize("content", [b"", b"{}", b"\x1f\x8b", b"\xff\xfe", b'{"role": "user"}\n', b"# Notes\n"])
def test_what_is_no_export_of_ours(tmp_path: Path, content: bytes) -> None:
    """`is_export` is false for other files, so that other readers get them."""
    path = tmp_path / "file"
    path.write_bytes(content)
    assert not is_export(path)


# --- files ---


def test_a_file_is_whole_or_not_there(tmp_path: Path) -> None:
    """A new file exists only once it is complete, with mode 600. A failure leaves nothing, and an existing file is
    not replaced. A name in `.gz` makes it compressed.
    """
    path = tmp_path / "all.jsonl"

    def fail() -> None:
        with new_file(path) as out:
            out.write("half")
            assert not path.exists()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert [] == list(tmp_path.iterdir())
    with new_file(path) as out:
        out.write("whole\n")
    assert "whole\n" == path.read_text()
    assert 0o600 == stat.S_IMODE(path.stat().st_mode)
    with pytest.raises(InvalidInput, match="already"), new_file(path):
        pass
    with new_file(tmp_path / "all.jsonl.gz") as out:
        out.write("packed\n")
    assert b"packed\n" == gzip.decompress((tmp_path / "all.jsonl.gz").read_bytes())


def test_two_that_write_one_file_do_not_mix(tmp_path: Path) -> None:
    """Of two writers of the same file the first to finish wins; the other gets an error and leaves nothing."""
    path = tmp_path / "all.jsonl"

    def write_late() -> None:
        with new_file(path) as late:
            late.write("late")
            with new_file(path) as out:
                out.write("first")

    with pytest.raises(InvalidInput, match="already"):
        write_late()
    assert ["first"] == [each.read_text() for each in tmp_path.iterdir()]


def test_a_folder_is_whole_or_not_there(tmp_path: Path) -> None:
    """A failure while a folder is filled leaves nothing; a complete folder has mode 700."""
    path = tmp_path / "pages"

    def fail() -> None:
        with new_folder(path) as folder:
            (folder / "half").write_text("half")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert [] == list(tmp_path.iterdir())
    with new_folder(path) as folder:
        (folder / "page").write_text("whole")
    assert "whole" == (path / "page").read_text()
    assert 0o700 == stat.S_IMODE(path.stat().st_mode)


# --- conversions of an export ---


def test_networkx_reads_graphml(written, tmp_path: Path) -> None:
    """networkx reads typed properties of nodes and edges, and keeps two edges between the same nodes apart."""
    with (tmp_path / "all.graphml").open("w", encoding="utf-8") as out:
        write_graphml(written(lines_of(TALK)), out)
    graph = networkx.read_graphml(tmp_path / "all.graphml")
    assert (7, 6) == (graph.number_of_nodes(), graph.number_of_edges())
    assert 2 == graph.number_of_edges("Memory/f1", "Entity/e2")
    fact = graph.nodes["Memory/f1"]
    assert (0.9, True, 2, '["home", "a;b"]') == (fact["confidence"], fact["pinned"], fact["importance"], fact["tags"])
    assert 1.0 == graph.nodes["Memory/f2"]["confidence"]
    assert "&\"'<" == graph.nodes["Memory/f2"]["odd"]
    assert TALK[0].properties["content"] == graph.nodes["Memory/t1"]["content"]
    assert "2024-03-04T12:00:00Z" == fact["event_time"]
    assert {"ABOUT", "MENTIONS"} == {data["label"] for data in graph["Memory/f1"]["Entity/e2"].values()}


def test_pandas_reads_csv(written, tmp_path: Path) -> None:
    """pandas reads a table of nodes and one of relationships, whose ends are all among the nodes."""
    write_csv(written(lines_of(TALK)), tmp_path)
    nodes = pandas.read_csv(tmp_path / "nodes.csv", index_col="Id")
    links = pandas.read_csv(tmp_path / "relationships.csv")
    assert (7, 6) == (len(nodes), len(links))
    assert set(links["Source"]) | set(links["Target"]) <= set(nodes.index)
    assert TALK[0].properties["content"] == nodes.loc["Memory/t1", "content"]
    assert ["home", "a;b"] == json.loads(nodes.loc["Memory/f1", "tags"])
    assert 0.9 == nodes.loc["Memory/f1", "confidence"]
    assert date(2024, 3, 4) == pandas.to_datetime(nodes.loc["Memory/f1", "event_time"]).date()
    assert {"ABOUT", "MENTIONS", "DERIVED_FROM", "RELATED_TO"} == set(links["Label"])


def test_pages_for_people(written, tmp_path: Path) -> None:
    """Facts are followed by quotations of their turns, markup is escaped, and no link is broken. File names are valid
    and distinct on every operating system.
    """
    with new_folder(tmp_path / "pages") as folder:
        write_pages(written(lines_of(TALK)), folder)
    top = tmp_path / "pages"
    pages = {path.relative_to(top).as_posix(): path.read_text("utf-8") for path in top.rglob("*.md")}
    assert {"README.md", "people/maya.md", "things/_graz.md", "timeline/2024-03.md"} < pages.keys()
    assert 2 == len({name.casefold() for name in pages if name.startswith("projects/")})
    assert "projects/con.md" not in pages
    maya = pages["people/maya.md"]
    assert "- Maya lives in Graz (2024-03-04)" in maya
    assert "> I moved \\*to\\* Graz" in maya
    assert "– Maya \\[x\\], [2024-03-04](../timeline/2024-03.md#t1)" in maya
    assert "Maya lives in Linz (2024-03-04, until 2024-03-04)" in maya
    assert "[Maya](../people/maya.md) lives in [Graz \\(city\\)](../things/_graz.md)" in maya
    assert "\\# I moved \\*to\\*  \n  Graz \\<b\\>" in pages["timeline/2024-03.md"]
    assert [] == [link for name, text in pages.items() for link in links_of(name, text) if link not in pages]


@pytest.mark.parametrize("of", [None, "person:maya"])
def test_pages_of_everybody_say_whose(written, tmp_path: Path, of: str | None) -> None:
    """Pages of everything name the person of a state and the chat of a turn; pages of one person do not."""
    things = [
        memory("t1", "episodic", "Good morning", speaker_name="Maya", learned_in="c1"),
        Node(("UserState",), {"id": "s1", "key": "nickname", "value": "May", "person_id": "e1"}),
        Node(("Chat",), {"id": "c1", "title": "Trip"}),
        entity("e1", "person:maya", "Maya"),
    ]
    with new_folder(tmp_path / "pages") as folder:
        write_pages(written(lines_of(things, replace(MANIFEST, of=of))), folder)
    own, timeline = ((tmp_path / "pages" / name).read_text("utf-8") for name in ("own.md", "timeline/2024-03.md"))
    assert f"**nickname**{'' if of else ' of Maya'}: May" in own
    assert f"**Maya**, 12:00{'' if of else ' in Trip'}: Good morning" in timeline


def test_pages_have_the_days_of_whose_they_are(written, tmp_path: Path) -> None:
    """Turns are sorted into days of the time zone of the person whose export it is; a time known only to the day is
    not shifted.
    """
    things = [
        memory("t1", "episodic", "Good night", event_time=Moment("2024-03-01T05:00:00Z")),
        memory("t2", "episodic", "Of the first", event_time=Moment("2024-03-01T00:00:00Z"), event_precision="day"),
        memory("t3", "episodic", "Good evening", event_time=Moment("2024-03-02T03:00:00Z")),
        entity("e1", "person:maya", "Maya", time_zone="America/Los_Angeles"),
    ]
    with new_folder(tmp_path / "pages") as folder:
        write_pages(written(lines_of(things, replace(MANIFEST, of="person:maya"))), folder)
    february, march = ((tmp_path / f"pages/timeline/2024-0{month}.md").read_text("utf-8") for month in (2, 3))
    assert ["# 2024-02", "## 2024-02-29"] == [line for line in february.splitlines() if line.startswith("#")]
    assert ", 21:00: Good night" in february
    assert ["# 2024-03", "## 2024-03-01"] == [line for line in march.splitlines() if line.startswith("#")]
    assert march.index("Of the first") < march.index(", 19:00: Good evening")


def test_pages_show_years_that_python_does_not_have(written, tmp_path: Path) -> None:
    """Turns, facts and states of years outside 1 to 9999, and times with the name of a zone, are shown with their days,
    in the order of the years; no link is broken.
    """
    moments = {
        "t1": "+12025-03-01T05:00:00Z",
        "t2": "2024-03-01T05:00:00Z",
        "t3": "-0044-03-15T12:30:00Z",
        "t4": "2024-07-01T12:00:00.123456789+02:00[Europe/Vienna]",
    }
    things = [
        *(memory(key, "episodic", f"Said {key}", event_time=Moment(at)) for key, at in moments.items()),
        memory("f1", "semantic", "Maya sails", valid_until=Moment("+12025-01-01T00:00:00Z")),
        memory("f2", "semantic", "Maya rows", event_time=Moment("-0044-03-15T00:00Z"), event_precision="day"),
        memory("f3", "semantic", "Maya skis", retired_at=Moment("0000-02-29T00:00Z"), retired_by="corrected"),
        memory("f4", "semantic", "Maya flies", event_time=Moment("+12025-03-15T00:00Z"), event_precision="day"),
        *(
            Node(("UserState",), {"id": f"s{at}", "key": "mood", "value": f"of {at}", "created_at": Moment(at)})
            for at in moments.values()
        ),
        entity("e1", "person:maya", "Maya", time_zone="America/Los_Angeles"),
        *(link("ABOUT", f"Memory/f{number}", "Entity/e1") for number in (1, 2, 3, 4)),
        *(link("DERIVED_FROM", "Memory/f1", f"Memory/{key}") for key in moments),
    ]
    with new_folder(tmp_path / "pages") as folder:
        write_pages(written(lines_of(things, replace(MANIFEST, of="person:maya"))), folder)
    top = tmp_path / "pages"
    pages = {path.relative_to(top).as_posix(): path.read_text("utf-8") for path in top.rglob("*.md")}
    months = ["-0044-03", "2024-02", "2024-07", "+12025-03"]
    assert months == [line[3:].partition("]")[0] for line in pages["README.md"].splitlines() if "timeline/" in line]
    assert "## -0044-03-15\n" in pages["timeline/-0044-03.md"]
    assert ", 12:30: Said t3" in pages["timeline/-0044-03.md"]
    assert ", 03:00: Said t4" in pages["timeline/2024-07.md"]
    assert "[+12025-03-01](../timeline/+12025-03.md#t1)" in pages["people/maya.md"]
    assert "Maya sails (2024-03-04, until +12025-01-01)" in pages["people/maya.md"]
    assert "Maya rows (-0044-03-15)" in pages["people/maya.md"]
    assert "Maya skis (2024-03-04, corrected on 0000-02-29)" in pages["people/maya.md"]
    facts = [line.split()[2] for line in pages["people/maya.md"].splitlines() if line.startswith("- Maya ")]
    assert ["rows", "sails", "skis", "flies"] == facts
    quoted = [line.split()[-1] for line in pages["people/maya.md"].splitlines() if line.startswith("  > Said")]
    assert ["t3", "t2", "t4", "t1"] == quoted
    states = [line.split("(")[1] for line in pages["own.md"].splitlines() if line.startswith("- ")]
    assert ["-0044-03-15)", "2024-02-29)", "2024-07-01)", "+12025-03-01)"] == states
    assert [] == [link for name, text in pages.items() for link in links_of(name, text) if link not in pages]


def links_of(page: str, text: str) -> Iterable[str]:
    """Yields the paths of the pages to which the links of a page lead."""
    for part in text.split("](")[1:]:
        target = part.partition(")")[0].partition("#")[0]
        up = target.startswith("../")
        yield target.removeprefix("../") if up or "/" not in page else f"{page.partition('/')[0]}/{target}"
