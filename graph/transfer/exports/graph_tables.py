"""Writes an export in formats of programs for networks and tables: GraphML (Gephi, networkx), CSV (pandas, Gephi).

Each property has a column or a key. Moments are written in ISO 8601, lists as JSON; GraphML has types.
"""

import csv
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, TextIO
from xml.sax.saxutils import escape, quoteattr

from hippograph.graph.transfer.exports.graph_lines import ExportFile, Node, Relationship
from hippograph.graph.transfer.exports.property_values import Moment

_CONTENT: Final = ("content", "canonical_name", "title", "name", "value", "id")
"""Properties for the title of a node: the first that is not empty is used."""
_LONGEST_LABEL: Final = 80
_NOT_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_TYPES: Final = {bool: "boolean", int: "long", float: "double"}
_XML: Final = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<graphml xmlns="http://graphml.graphdrawing.org/xmlns" '
    'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" '
    'xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd">\n'
)


def title_of(properties: Mapping[str, Any]) -> str:
    """The title of a node: one line of up to 80 characters."""
    found = next((str(properties[name]) for name in _CONTENT if properties.get(name)), "")
    line = " ".join(found.split())
    return line if len(line) <= _LONGEST_LABEL else f"{line[: _LONGEST_LABEL - 1]}…"


def write_csv(file: ExportFile, folder: Path) -> None:
    """Writes `nodes.csv` and `relationships.csv`; the columns by which Gephi identifies nodes and edges come first."""
    names = {Node: _names(file, Node), Relationship: _names(file, Relationship)}
    with (
        Path(folder, "nodes.csv").open("w", encoding="utf-8", newline="") as nodes_file,
        Path(folder, "relationships.csv").open("w", encoding="utf-8", newline="") as links_file,
    ):
        nodes, links = csv.writer(nodes_file), csv.writer(links_file)
        nodes.writerow(["Id", "Label", "labels", *names[Node]])
        links.writerow(["Source", "Target", "Type", "Label", *names[Relationship]])
        for line in _lines(file):
            cells = [_cell(line.properties.get(name)) for name in names[type(line)]]
            if isinstance(line, Node):
                nodes.writerow([line.key, title_of(line.properties), ";".join(line.labels), *cells])
            else:
                links.writerow([line.source, line.target, "Directed", line.type, *cells])


def write_graphml(file: ExportFile, out: TextIO) -> None:
    """Writes one directed graph, in which several edges may join the same two nodes."""
    keys = {Node: _graphml_keys(file, Node, "n"), Relationship: _graphml_keys(file, Relationship, "e")}
    out.write(_XML)
    for kind, where in ((Node, "node"), (Relationship, "edge")):
        for name, (key, sort) in keys[kind].items():
            out.write(f'<key id="{key}" for="{where}" attr.name={quoteattr(name)} attr.type="{sort}"/>\n')
    out.write('<graph id="hippograph" edgedefault="directed">\n')
    for number, line in enumerate(_lines(file)):
        data = "".join(_graphml_data(line, keys[type(line)]))
        if isinstance(line, Node):
            out.write(f"<node id={_quoted(line.key)}>{data}</node>\n")
        else:
            ends = f"source={_quoted(line.source)} target={_quoted(line.target)}"
            out.write(f'<edge id="e{number}" {ends}>{data}</edge>\n')
    out.write("</graph>\n</graphml>\n")


def _lines(file: ExportFile) -> Iterator[Node | Relationship]:
    for _, line in file.lines():
        if isinstance(line, (Node, Relationship)):
            yield line


def _names(file: ExportFile, kind: type) -> list[str]:
    found = {name for line in _lines(file) if isinstance(line, kind) for name in line.properties}
    return sorted(found - {"id"} if kind is Node else found)


def _cell(value: Any) -> str:
    match value:
        case None:
            return ""
        case str():
            return value
        case bool():
            return "true" if value else "false"
        case Moment(str(text)):
            return text
        case Moment(texts):
            return json.dumps(texts)
        case list():
            return json.dumps(value, ensure_ascii=False)
    return str(value)


def _shown(line: Node | Relationship) -> dict[str, Any]:
    if isinstance(line, Node):
        labels = {"label": title_of(line.properties), "labels": ";".join(line.labels), "kind_of_node": line.kind}
        return {**line.properties, **labels}
    return {**line.properties, "label": line.type}


def _graphml_keys(file: ExportFile, kind: type, prefix: str) -> dict[str, tuple[str, str]]:
    """Maps each property to its GraphML key and type: the common type of its values, or `string`."""
    found: dict[str, set[str]] = {}
    for line in _lines(file):
        if isinstance(line, kind):
            for name, value in _shown(line).items():
                found.setdefault(name, set()).add(_TYPES.get(type(value), "string"))
    return {name: (f"{prefix}{number}", _common(found[name])) for number, name in enumerate(sorted(found))}


def _common(types: Iterable[str]) -> str:
    found = set(types)
    if found == {"long", "double"}:
        return "double"
    return found.pop() if len(found) == 1 else "string"


def _graphml_data(line: Node | Relationship, keys: Mapping[str, tuple[str, str]]) -> Iterator[str]:
    for name, value in _shown(line).items():
        yield f'<data key="{keys[name][0]}">{escape(_NOT_XML.sub("", _cell(value)))}</data>'


def _quoted(text: str) -> str:
    return quoteattr(_NOT_XML.sub("", text))
