import ast
import re
import zlib
from fnmatch import fnmatch
from pathlib import Path

import pytest

from benchmarks.environment import load_statements
from hippograph.cypher import StatementError, load, migrations

HEADER = "// Does a thing.\n// params: $a\n// returns: b\n// mode: read\n"
BODY = "RETURN $a AS b\n"


def put(root: Path, name: str, text: str) -> Path:
    """Writes a statement file below `root`, and returns `root`."""
    path = root / f"{name}.cypher"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return root


# --- statement files ---


def test_a_statement_is_read_with_all_it_declares(tmp_path: Path) -> None:
    """A statement has the name, text, description, parameters, columns and mode of its file."""
    statement = load(put(tmp_path, "area/do_thing", HEADER + BODY))["area/do_thing"]
    expected = ("area/do_thing", "CYPHER 25 RETURN $given.a AS b", "Does a thing.", frozenset({"a"}), ("b",), "read")
    fields = (
        statement.name,
        statement.text,
        statement.description,
        statement.params,
        statement.returns,
        statement.mode,
    )
    assert expected == fields


def test_a_dash_stands_for_nothing(tmp_path: Path) -> None:
    """A `-` in the header declares no parameters or no columns."""
    text = "// Does a thing.\n// params: -\n// returns: -\n// mode: write\nCREATE (:Thing)\n"
    statement = load(put(tmp_path, "area/do_thing", text))["area/do_thing"]
    assert (frozenset(), (), "write") == (statement.params, statement.returns, statement.mode)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (BODY, "lacks `description`"),
        (HEADER.replace("// Does a thing.\n", "") + BODY, "lacks `description`"),
        (HEADER.replace("// params: $a\n", "") + BODY, "lacks `params`"),
        (HEADER.replace("// returns: b\n", "") + BODY, "lacks `returns`"),
        (HEADER.replace("// mode: read\n", "") + BODY, "lacks `mode`"),
        (HEADER.replace("read", "append") + BODY, "it must be read or write"),
        (HEADER + "RETURN $a + $c AS b", "uses c without declaring"),
        (HEADER + "RETURN 1 AS b", "declares a in `params:` and never uses"),
        (HEADER + "RETURN '$a' AS b", "never uses"),
        (HEADER + "// $a\nRETURN 1 AS b", "never uses"),
        (HEADER + "RETURN $a AS b; RETURN 2 AS b", "holds a `;`"),
        (HEADER + BODY + "// include: nothing\n", "fragments/nothing.cypher does not exist"),
        (
            HEADER + "MATCH (m) SEARCH m IN (VECTOR INDEX i FOR $a LIMIT 1) WITH m MATCH (m:Memory) RETURN m AS b",
            "'m' is a SEARCH variable",
        ),
        (
            HEADER + "UNWIND $a AS m MATCH (m) SEARCH m IN (VECTOR INDEX i FOR $a LIMIT 1) RETURN m AS b",
            "'m' is a SEARCH variable",
        ),
        (
            HEADER
            + "MATCH ()-[r:ABOUT]->() SEARCH r IN (VECTOR INDEX i FOR $a LIMIT 1) MATCH ()-[r]->() RETURN r AS b",
            "'r' is a SEARCH variable",
        ),
    ],
)
def test_a_wrong_file_is_refused_by_name(tmp_path: Path, text: str, message: str) -> None:
    """An invalid file is refused when it is loaded, with an error that names the file and says what is wrong."""
    with pytest.raises(StatementError, match=re.escape(message)) as caught:
        load(put(tmp_path, "area/do_thing", text))
    assert "do_thing.cypher" in str(caught.value)


def test_a_semicolon_in_a_text_or_a_comment_is_none(tmp_path: Path) -> None:
    """A `;` in a comment or a string is accepted."""
    text = HEADER + "// first; then\nRETURN $a + ';' AS b\n"
    assert "area/do_thing" in load(put(tmp_path, "area/do_thing", text))


@pytest.mark.parametrize("quoted", ["'http://b'", '"it\'s // no comment"', "`a//b`", r"'it\'s // one'"])
def test_slashes_within_quotes_are_no_comment(tmp_path: Path, quoted: str) -> None:
    """`//` within a string or a quoted name begins no comment, neither in a statement nor in a migration; an apostrophe
    within a comment begins no string.
    """
    comment = "// it's what\n"
    text = HEADER + f"WITH 1 AS x {comment}WITH {quoted} AS b, $a AS c {comment}RETURN b, c\n"
    assert "area/do_thing" in load(put(tmp_path, "area/do_thing", text))
    put(tmp_path, "migrations/V001__one", f"{comment}MATCH (n) SET n.a = {quoted}; {comment}CREATE INDEX a;")
    [migration] = migrations(tmp_path)
    assert (f"CYPHER 25 MATCH (n) SET n.a = {quoted}", "CYPHER 25 CREATE INDEX a") == migration.statements


def test_a_search_variable_declared_once_is_taken(tmp_path: Path) -> None:
    """A SEARCH variable that is declared once is accepted."""
    text = HEADER + "MATCH (near:Memory) SEARCH near IN (VECTOR INDEX i FOR $a LIMIT 1) RETURN near.id AS b\n"
    assert "area/do_thing" in load(put(tmp_path, "area/do_thing", text))


# --- fragments and slots ---


def test_a_fragment_brings_its_text_and_its_parameters(tmp_path: Path) -> None:
    """An include is replaced by the body of the fragment, whose parameters are added to those of the statement."""
    put(tmp_path, "fragments/only", "// Keeps some.\n// expects: m\n// params: $c\nWITH * WHERE m.id = $c\n")
    text = HEADER + "MATCH (m {id: $a})\n  // include: only\nRETURN m AS b\n"
    statement = load(put(tmp_path, "area/do_thing", text))["area/do_thing"]
    assert frozenset({"a", "c"}) == statement.params
    assert "CYPHER 25 MATCH (m {id: $given.a})\nWITH * WHERE m.id = $given.c\nRETURN m AS b" == statement.text


def test_a_fragment_is_given_values(tmp_path: Path) -> None:
    """The values of an include replace the placeholders of its fragment, also in nested fragments. A value may
    continue on the next line.
    """
    put(tmp_path, "fragments/inner", "// Is newer.\n// takes: m\n// params: $c\n$$m.at > $c\n")
    outer = "// Keeps some.\n// takes: m, bound\n"
    put(tmp_path, "fragments/outer", outer + "WHERE $$bound AND\n// include: inner(m=$$m)\n")
    include = "// include: outer(m=found,\n//   bound=f(found) = 1\n//     AND found.ok)\n"
    statement = load(put(tmp_path, "area/do_thing", HEADER + f"MATCH (found {{id: $a}})\n{include}RETURN found AS b\n"))
    expected = (
        "CYPHER 25 MATCH (found {id: $given.a})\n"
        "WHERE f(found) = 1 AND found.ok AND\nfound.at > $given.c\nRETURN found AS b"
    )
    assert expected == statement["area/do_thing"].text


@pytest.mark.parametrize(
    ("fragment", "include", "message"),
    [
        ("// takes: m\n$$m", "some", "with no values; it takes m"),
        ("// takes: m\n$$m", "some(m=x, row=y)", "with m, row; it takes m"),
        ("1", "some(m=x)", "with m; it takes none"),
        ("// takes: m, row\n$$m", "some(m=x, row=y)", "declares row in `takes:` and never uses"),
        ("$$m", "some", "uses $$m without declaring"),
    ],
)
def test_values_must_fit_the_fragment(tmp_path: Path, fragment: str, include: str, message: str) -> None:
    """Missing and superfluous values are refused, and so are placeholders that are unused or undeclared."""
    put(tmp_path, "fragments/some", f"// Is.\n{fragment}\n")
    text = HEADER + f"MATCH (m {{id: $a}}) WHERE\n// include: {include}\nRETURN m AS b\n"
    with pytest.raises(StatementError, match=re.escape(message)):
        load(put(tmp_path, "area/do_thing", text))


def test_a_search_variable_declared_again_by_a_fragment_is_refused(tmp_path: Path) -> None:
    """A SEARCH variable that a fragment declares again is refused, since the check comes after inclusion."""
    put(tmp_path, "fragments/again", "// Matches.\nMATCH (near:Other)\n")
    search = "MATCH (near) SEARCH near IN (VECTOR INDEX i FOR $a LIMIT 1)\n// include: again\nRETURN near AS b\n"
    with pytest.raises(StatementError, match="'near' is a SEARCH variable"):
        load(put(tmp_path, "area/do_thing", HEADER + search))


def test_slots_make_a_statement_each(tmp_path: Path) -> None:
    """A file with slots is loaded once for each slot, with the name of the slot in the text."""
    table = load(put(tmp_path, "area/do_thing", HEADER + "// slots: a, b\nRETURN $a.x_$$slot AS b\n"))
    expected = {f"area/do_thing.{slot}": f"CYPHER 25 RETURN $given.a.x_{slot} AS b" for slot in "ab"}
    assert expected == {name: statement.text for name, statement in table.items()}


def test_parameters_go_as_one_map_but_where_the_language_wants_them_bare(tmp_path: Path) -> None:
    """Parameters are sent as one map, so that lists and strings of another length need no other plan. Those after
    LIMIT are also sent by name.
    """
    text = HEADER.replace("$a", "$a, $c") + "RETURN $a + $c AS b LIMIT $c\n"
    statement = load(put(tmp_path, "area/do_thing", text))["area/do_thing"]
    assert "CYPHER 25 RETURN $given.a + $c AS b LIMIT $c" == statement.text
    given = {"a": [1, 2], "c": 3}
    assert {"given": given, "c": 3} == statement.arguments(given)


def test_an_unknown_name_says_what_there_is(tmp_path: Path) -> None:
    """Looking up an unknown statement raises an error that lists the statements of its area."""
    table = load(put(tmp_path, "area/do_thing", HEADER + BODY))
    with pytest.raises(StatementError, match=r"'area/do_other'.*area/do_thing"):
        table["area/do_other"]


# --- migrations ---


def test_migrations_are_numbered_and_sum_up_their_statements(tmp_path: Path) -> None:
    """Migrations come in order of version, each with its statements and their language. The checksum covers the
    statements alone, without comments and blank lines.
    """
    put(tmp_path, "migrations/V002__second", "CREATE INDEX b;")
    put(tmp_path, "migrations/V001__the_first", "// why\nCREATE INDEX a;\n\nCREATE INDEX c;\n")
    first, second = migrations(tmp_path)
    assert ("001", "the first", "V001__the_first.cypher") == (first.version, first.description, first.source)
    assert ("CYPHER 25 CREATE INDEX a", "CYPHER 25 CREATE INDEX c") == first.statements
    assert ("CYPHER 25 CREATE INDEX b",) == second.statements
    assert str(zlib.crc32(b"CREATE INDEX aCREATE INDEX c")) == first.checksum
    other = put(tmp_path / "other", "migrations/V001__the_first", "CREATE INDEX a;\n// another why\nCREATE INDEX c;")
    assert first.checksum == migrations(other)[0].checksum
    changed = put(tmp_path / "changed", "migrations/V001__the_first", "CREATE INDEX a;\nCREATE INDEX d;")
    assert first.checksum != migrations(changed)[0].checksum


@pytest.mark.parametrize("names", [["V001__one", "V003__three"], ["V001__a", "V0001__b"], ["one"]])
def test_gaps_twins_and_other_names_are_refused(tmp_path: Path, names: list[str]) -> None:
    """A gap in the versions, a version given twice, and a file name of another form are refused."""
    for name in names:
        put(tmp_path, f"migrations/{name}", "CREATE INDEX a;")
    with pytest.raises(StatementError, match="migration"):
        migrations(tmp_path)


# --- the statements of the service ---

STATEMENTS = load_statements()
AREAS = {name.split("/")[0] for name in STATEMENTS}
NAMED = re.compile(rf"(?:{'|'.join(AREAS)})/[a-z_*]+(?:\.[A-Za-z_*]+)?")


def named_in(source: str) -> set[str]:
    """Returns the strings in Python source that look like statement names; `*` stands for a value of an f-string."""
    found, pieces = set(), set()
    for node in ast.walk(ast.parse(source)):  # an f-string comes before its pieces
        if isinstance(node, ast.JoinedStr):
            parts = (part.value if isinstance(part, ast.Constant) else "*" for part in node.values)
            found.add("".join(str(part) for part in parts))
            pieces.update(id(part) for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in pieces:
            found.add(node.value)
    return {text for text in found if NAMED.fullmatch(text)}


@pytest.fixture(scope="module")
def names_in_use(root: Path) -> set[str]:
    """The names of statements in the code of the service and of benchmarks."""
    files = [file for folder in ("api", "benchmarks", "graph") for file in (root / folder).rglob("*.py")]
    return set().union(*(named_in(file.read_text("utf-8")) for file in files))


def test_every_name_in_use_exists(names_in_use: set[str]) -> None:
    """Every statement that is named in the code exists."""
    assert [] == [name for name in sorted(names_in_use) if not any(fnmatch(there, name) for there in STATEMENTS)]


def test_every_statement_is_in_use(names_in_use: set[str]) -> None:
    """Every statement is named in the code."""
    assert [] == [there for there in STATEMENTS if not any(fnmatch(there, name) for name in names_in_use)]


def test_what_is_looked_for_by_its_id_has_an_index() -> None:
    """A label by whose `id` a statement looks nodes up has a unique constraint on it. Without, all nodes of the label
    are scanned, which nobody notices on a small graph.
    """
    unique = {
        label
        for migration in migrations()
        for statement in migration.statements
        for label in re.findall(r"FOR \(\w+:(\w+)\) REQUIRE \w+\.id IS UNIQUE", statement)
    }
    walked = {
        (name, labels)
        for name, statement in load().items()
        if not name.startswith("migration/")
        for labels in re.findall(r"MATCH \(\w*:([\w:|]+) \{id: ", statement.text)
        if not (unique.issuperset(labels.split("|")) if "|" in labels else unique & set(labels.split(":")))
    }
    assert "Memory" in unique
    assert set() == walked
