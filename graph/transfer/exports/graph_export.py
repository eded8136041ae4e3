"""Writes the graph, all of it or what one person may see, as an export (`graph_lines`).

The graph is read in batches by keys, while others write. An export is not a snapshot, since Neo4j has none. It
guarantees the following:

- What existed when the export began, and was not deleted meanwhile, is in it, as it was when its batch was read.
- Nodes created since then are not in the export of everything. If two nodes held the same unique key one after the
  other, only the first can be in it.
- Nodes come first, then the relationships between exported nodes, so no relationship lacks an end. In the export of
  everything, nodes that refer to others come before these, so what a node referred to when it was read is there.
- What is written meanwhile may be missing, in whole or in part. For a consistent state of the whole graph, stop all
  writes while it runs, or use `hippograph neo4j dump`.

The schema's own nodes, locks and leases are not in it, nor vectors of a model that is not the active one. Of
credentials it has the hashes: they can be restored from the file, but no key can be read from it.
"""

from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Final, Protocol

from hippograph.graph.clock import Clock
from hippograph.graph.database import Database, Row
from hippograph.graph.errors import Conflict
from hippograph.graph.ids import new_id
from hippograph.graph.model import Report
from hippograph.graph.schema import applied_version
from hippograph.graph.transfer.exports.graph_keys import Keys
from hippograph.graph.transfer.exports.graph_lines import (
    EMBEDDED,
    HAS_PART,
    KINDS,
    Counts,
    Manifest,
    Node,
    Relationship,
    end_line,
    kind_of,
    manifest_line,
    node_line,
    relationship_line,
    unique_values,
)
from hippograph.graph.transfer.exports.property_values import Moment

NODES_AT_ONCE: Final = 250
LINKS_AT_ONCE: Final = 100
_LEASES: Final = ("lock", "worker")
_SLOTS: Final = ("a", "b")
_COPIED: Final = "ABOUT"
"""Type of relationship that carries a copy of its memory's vector, for an index. The copy is not exported."""
_PROVEN: Final = "RELATED_TO"
"""Type of relationship that the export of one person holds only with evidence that is in it too."""


class LineWriter(Protocol):
    """The output of an export."""

    def write(self, text: str, /) -> object:
        """Writes a line."""


@dataclass(frozen=True, slots=True)
class ExportScope:
    """The part of the graph that an export holds.

    `statements` are the names of the statements that read the nodes of each kind, in pages by id; `params` are their
    parameters. A row without labels stands for a node that is left out. `of` is the key of the person whose export it
    is, None for everything. `shown` has the exported properties by type of relationship, None for all of all types.
    `finish` turns a node and the keys of the nodes before it into the node to export.
    """

    statements: Mapping[str, str]
    params: Mapping[str, object]
    of: str | None = None
    shown: Mapping[str, tuple[str, ...]] | None = None
    finish: Callable[[Node, Keys], Node] = lambda node, _: node


EVERYTHING: Final = ExportScope({kind: f"export/nodes.{kind}" for kind in KINDS}, {"shown": None})
"""The whole graph, for the operator of the service."""


class GraphExport:
    """Exports the graph line by line, in memory that does not grow with the graph."""

    def __init__(self, database: Database, clock: Clock, hippograph: str) -> None:
        """`hippograph` is the version of hippograph for the manifest."""
        self._database = database
        self._clock = clock
        self._hippograph = hippograph

    async def write(
        self,
        out: LineWriter,
        scope: ExportScope = EVERYTHING,
        *,
        vectors: bool = True,
        folder: Path | None = None,
        report: Report | None = None,
    ) -> Counts:
        """Writes an export and returns its numbers of nodes and relationships. Without `vectors`, all is embedded anew
        after loading. The export of one person has no vectors, and cannot be loaded.

        While it runs, `folder` holds a temporary file with the written keys. Raises `Conflict` if the graph changed
        while it was read in such a way that the export could not be loaded.
        """
        slot = await self._database.one("export/answering_slot") if vectors and scope.of is None else None
        begun = await self._begun() if scope.of is None else self._clock()
        reading = _Reading(self._database, scope, slot["slot"] if slot else None, begun)
        total = await self._database.one("export/counts") if report and scope is EVERYTHING else None
        rows, counts = sum(total.values()) if total else 0, Counts()
        out.write(manifest_line(await self._manifest(scope, slot, begun)))
        done = 0
        with Keys(folder) as keys:
            async for node in reading.nodes(keys):
                if keys.add(node.key):
                    _check_unique(node, keys)
                    counts.add(node)
                    out.write(node_line(node))
                    done = _told(report, done + 1, rows, "nodes")
            async for link in reading.relationships(keys):
                _check_unique(link, keys)
                counts.add(link)
                out.write(relationship_line(link))
                done = _told(report, done + 1, rows, "relationships")
        out.write(end_line(counts))
        return counts

    async def _manifest(self, scope: ExportScope, slot: Row | None, begun: datetime) -> Manifest:
        """Returns the content of the first line."""
        return Manifest(
            id=new_id(),
            schema=await applied_version(self._database),
            hippograph=self._hippograph,
            exported_at=begun.isoformat(),
            of=scope.of,
            vectors={"model": slot["model"], "dimensions": slot["dimensions"]} if slot else None,
        )

    async def _begun(self) -> datetime:
        """Returns the creation time up to which nodes are exported: now, or the latest one if a clock was ahead."""
        now = self._clock()
        row = await self._database.one("export/newest", now=now)
        return (row and row["newest"]) or now


def _check_unique(line: Node | Relationship, keys: Keys) -> None:
    for value in unique_values(line):
        if not keys.add(value):
            raise Conflict(
                f"the graph changed while it was read, and {value} is there twice: export again, best with the service "
                "stopped"
            )


def _told(report: Report | None, done: int, total: int, what: str) -> int:
    if report and done % NODES_AT_ONCE == 0:
        report(min(done, total) if total else done, total, what)
    return done


class _Reading:
    def __init__(self, database: Database, scope: ExportScope, slot: str | None, begun: datetime) -> None:
        self._database = database
        self._begun = begun
        self._scope = scope
        self._names = {f"{name}_{slot}": name for name in EMBEDDED} if slot else {}
        every = [f"{name}_{one}" for name in EMBEDDED for one in _SLOTS]
        self._left_out = [*_LEASES, *(name for name in every if name not in self._names)]

    async def nodes(self, keys: Keys) -> AsyncIterator[Node]:
        """Yields all nodes, kind by kind and in the order of ids; `keys` has the keys of those before."""
        for statement in self._scope.statements.values():
            after = ""
            while rows := await self._run(statement, after=after, limit=NODES_AT_ONCE, begun=self._begun):
                for row in rows:
                    if row["labels"]:
                        node = Node(tuple(sorted(row["labels"])), self._properties(row))
                        yield self._scope.finish(node, keys)
                after = rows[-1]["id"]

    async def relationships(self, keys: Keys) -> AsyncIterator[Relationship]:
        """Yields all relationships between the nodes of `keys`, by the kind of their source."""
        for kind in self._scope.statements:
            for batch in keys.batches(kind):
                for start in range(0, len(batch), LINKS_AT_ONCE):
                    ids = batch[start : start + LINKS_AT_ONCE]
                    for row in await self._run(f"export/relationships.{kind}", ids=ids, shown=None):
                        link = self._relationship(kind, row)
                        if link.target in keys and (seen := self._seen(link, keys)):
                            yield seen

    async def _run(self, statement: str, **params: object) -> list[Row]:
        return await self._database.run(statement, **{**self._scope.params, **params, "left_out": self._left_out})

    def _properties(self, row: Row) -> dict[str, Any]:
        times = {name: Moment(text if isinstance(text, str) else tuple(text)) for name, text in row["times"]}
        return {self._names.get(name, name): value for name, value in (*times.items(), *row["values"])}

    def _relationship(self, kind: str, row: Row) -> Relationship:
        properties = self._properties(row)
        if row["type"] == _COPIED:
            properties.pop("embedding", None)
        target = f"{kind_of(row['target_labels'])}/{row['target']}"
        return Relationship(row["type"], f"{kind}/{row['source']}", target, properties)

    def _seen(self, link: Relationship, keys: Keys) -> Relationship | None:
        """Returns the relationship with the properties that the scope shows and the evidence that is in the export;
        None if it is left out. Parts of a text without their vector are always left out.
        """
        if link.type == HAS_PART and "embedding" not in link.properties:
            return None
        if self._scope.shown is None:
            return link
        if link.type not in self._scope.shown:
            return None
        properties = {name: value for name, value in link.properties.items() if name in self._scope.shown[link.type]}
        if "evidence" in properties:
            properties["evidence"] = [one for one in properties["evidence"] if f"Memory/{one}" in keys]
        if link.type == _PROVEN and not properties.get("evidence"):
            return None
        return replace(link, properties=properties)
