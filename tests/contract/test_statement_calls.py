"""Every call that runs a statement by name passes the parameters that the statement needs."""

import ast
from collections.abc import Iterator
from pathlib import Path

from hippograph import cypher
from hippograph.graph.access.labels import CONSTANTS

_RUNS = frozenset({"run", "one", "schema"})
_SETTINGS = frozenset({*CONSTANTS, "legacy_disclosable", "default_zone"})
"""Parameters that every statement gets from `graph.database.Database`."""


def calls(file: Path) -> Iterator[tuple[str, int, frozenset[str]]]:
    """The statements that a module runs by name, with line and parameters, except calls that pass a mapping."""
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.func.attr not in _RUNS:
            continue
        first = node.args[0] if node.args else None
        named = [keyword.arg for keyword in node.keywords]
        if (
            isinstance(first, ast.Constant)
            and isinstance(first.value, str)
            and "/" in first.value
            and None not in named
        ):
            yield first.value, node.lineno, frozenset(name for name in named if name)


def test_no_call_leaves_a_parameter_out(root: Path) -> None:
    """Each call passes the parameters that the header of its statement lists."""
    statements = cypher.load()
    found = [
        (file, line, name, given)
        for folder in ("api", "graph")
        for file in sorted((root / folder).rglob("*.py"))
        for name, line, given in calls(file)
    ]
    lacking = [
        f"{file.relative_to(root)}:{line}: {name} lacks {', '.join(sorted(missing))}"
        for file, line, name, given in found
        if (missing := statements[name].params - given - _SETTINGS)
    ]
    assert len(found) > 100
    assert [] == lacking
