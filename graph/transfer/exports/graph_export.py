"""Writes the graph, all of it or what one person may see, as an export (`graph_lines`).

The graph is read in batches by keys, while others write, so it is no snapshot: Neo4j has none. What holds nevertheless:

- What was there when the export began, and was not deleted meanwhile, is in it, as it was when its batch was read.
- What was made since then is not in the export of everything: of two nodes that followed each other under one unique
  key there is the first.
- Nodes come first, and what refers to others before these, then the relationships between nodes that are in it: none
  lacks an end, and what a node had when it was read is there.
- What is written meanwhile may be missing, in whole or in part. For a moment of the whole graph let nobody write while
  it runs, or take `hippograph neo4j dump`.

The schema's own nodes, locks and leases are not in it, nor vectors of a model that does not answer. Of credentials it
has the hashes: whoever has such a file can restore them, and nobody can read a key from it.
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
"""Has its memory's vector, for an index: it is in an export once."""
_PROVEN: Final = "RELATED_TO"
"""Is there as far as its evidence is."""


class LineWriter(Protocol):
    """Where lines go."""

    def write(self, text: str, /) -> object:
        """Writes a line."""


@dataclass(frozen=True, slots=True)
class ExportScope:
    """What part of the graph an export holds: the statement that reads the nodes of each kind and its parameters, the
    properties that are shown of each type of relationship (None: all of all types), whose export it is, and what makes
    of a node, and the keys of those before it, what is shown of it.

    Nodes are read by pages of ids; a row without labels is of a node that is not in it.
    """

    statements: Mapping[str, str]
    params: Mapping[str, object]
    of: str | None = None
    shown: Mapping[str, tuple[str, ...]] | None = None
    finish: Callable[[Node, Keys], Node] = lambda node, _: node


EVERYTHING: Final = ExportScope({kind: f"export/nodes.{kind}" for kind in KINDS}, {"shown": None})
"""The whole graph, for who runs the service."""


class GraphExport:
    """Exports the graph, line by line: what it holds at a time does not grow with the graph."""

    def __init__(self, database: Database, clock: Clock, hippograph: str) -> None:
        """`hippograph` is the version that the manifest names."""
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
        """Writes an export; how many lines of what it has. Without `vectors` whoever loads it embeds anew. The
        export of one person has none, and cannot be loaded.

        In `folder` lies meanwhile a file of the keys that were written. Raises `Conflict` when the graph changed while
        it was read, so that the export could not be loaded.
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
        """The first line: what this is an export of, and of which schema."""
        return Manifest(
            id=new_id(),
            schema=await applied_version(self._database),
            hippograph=self._hippograph,
            exported_at=begun.isoformat(),
            of=scope.of,
            vectors={"model": slot["model"], "dimensions": slot["dimensions"]} if slot else None,
        )

    async def _begun(self) -> datetime:
        """The moment up to which all that was made is in the export: now, or by the clock that was furthest ahead."""
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
        """All nodes, kind by kind, each in the order of ids; `keys` has those before it."""
        for statement in self._scope.statements.values():
            after = ""
            while rows := await self._run(statement, after=after, limit=NODES_AT_ONCE, begun=self._begun):
                for row in rows:
                    if row["labels"]:
                        node = Node(tuple(sorted(row["labels"])), self._properties(row))
                        yield self._scope.finish(node, keys)
                after = rows[-1]["id"]

    async def relationships(self, keys: Keys) -> AsyncIterator[Relationship]:
        """All relationships between these nodes, kind by kind of where they begin."""
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
        """The relationship with what is shown of it: of evidence what is in the export too, and without any none; no
        part of a text whose vector is left out.
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
