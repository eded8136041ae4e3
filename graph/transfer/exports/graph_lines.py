"""The format of an export of the graph: a manifest, a line for each node, one for each relationship, and an end.

Each line is one JSON object. The `key` of a node is its kind and id (`Memory/0198…`); relationships name their ends by
it. A property is a JSON value or, for a type that JSON lacks, an object that names the type: `{"datetime": …}`,
`{"date": …}`, `{"time": …}`, `{"duration": …}`, `{"number": …}` (infinite or not a number), `{"vector": …}` (base64 of
little-endian float32, or of float64 if float32 is not exact). Numbers, moments and texts are restored exactly.
"""

import gzip
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final, TypeAlias

from hippograph.graph.errors import InvalidInput
from hippograph.graph.transfer.exports.property_values import Properties, decode_properties, encode_properties

FORMAT: Final = "hippograph-export"
VERSION: Final = 1
KINDS: Final = (
    "Use",
    "Memory",
    "RollingSummary",
    "SummarySpine",
    "GraphAnalysis",
    "UserState",
    "Block",
    "Todo",
    "Version",
    "Session",
    "Chat",
    "Space",
    "Credential",
    "Erasure",
    "Forgetting",
    "Purged",
    "EntityProfile",
    "SummaryRequest",
    "MaintenanceRun",
    "ScheduledJob",
    "Persona",
    "Merged",
    "Entity",
)
"""The label of each kind of node; ids are unique within a kind. Kinds that refer to others precede those."""

EMBEDDED: Final = ("embedding", "embedding_model", "embedding_tokens", "embedding_parts")
"""The properties of a memory and its parts that exist once for each vector slot."""

HAS_PART: Final = "HAS_PART"
"""The relationship that holds the vector of one part of a long text."""

UNIQUE: Final[Mapping[str, tuple[str, ...]]] = {
    "Block": ("key",),
    "Entity": ("key",),
    "INVITED_TO": ("id",),
    "Memory": ("idempotency_key", "live_key"),
    "MERGED_INTO": ("id",),
    "Merged": ("key",),
    "PARTICIPATES_IN": ("id",),
    "Person": ("id", "user_id"),
    "Persona": ("name",),
    "Session": ("open_key", "word_key"),
    "SessionSummary": ("id",),
    "Space": ("name_key",),
    "Todo": ("key",),
    "UserState": ("open_key",),
}
"""Further unique properties, by label or type of relationship."""


_LABEL: Final = re.compile(r"[A-Z][A-Za-z]*")
_TYPE: Final = re.compile(r"[A-Z][A-Z_]*")
_VERSION: Final = re.compile(r"[0-9]{1,9}")
_NOT_OURS: Final = frozenset(("Lock", "EmbeddingSlot", "ModelUse"))
_GZIP: Final = b"\x1f\x8b"
_MOST_DIMENSIONS: Final = 4096
_LONGEST_LINE: Final = 2**26
"""Maximum length of a line, in bytes; lines that are written have about a thousandth of it."""
_DIALECT: Final = {"ensure_ascii": False, "separators": (",", ":"), "allow_nan": False}


@dataclass(frozen=True, slots=True)
class Manifest:
    """The description of an export. `schema` is the version of the last migration, `hippograph` that of the program.
    `of` is the key of the person whose export it is, None for an export of everything. `vectors` has the `model` and
    the `dimensions` of the vectors, None without vectors. `exported_at` is when the export began.
    """

    id: str
    schema: str
    hippograph: str
    exported_at: str
    of: str | None
    vectors: dict[str, Any] | None = None
    format: str = FORMAT
    version: int = VERSION


@dataclass(frozen=True, slots=True)
class Node:
    """A node with its labels and properties."""

    labels: tuple[str, ...]
    properties: Properties

    @property
    def kind(self) -> str:
        """The label among `KINDS`, empty if there is none."""
        return kind_of(self.labels) or ""

    @property
    def key(self) -> str:
        """The kind and the id, unique in an export."""
        return f"{self.kind}/{self.properties['id']}"


@dataclass(frozen=True, slots=True)
class Relationship:
    """A relationship with its properties; `source` and `target` are keys of nodes."""

    type: str
    source: str
    target: str
    properties: Properties


@dataclass(slots=True)
class Counts:
    """Numbers of nodes by kind and of relationships by type."""

    nodes: dict[str, int] = field(default_factory=dict)
    relationships: dict[str, int] = field(default_factory=dict)

    def add(self, line: Node | Relationship) -> None:
        """Counts a line."""
        if isinstance(line, Node):
            self.nodes[line.kind] = self.nodes.get(line.kind, 0) + 1
        else:
            self.relationships[line.type] = self.relationships.get(line.type, 0) + 1

    @property
    def lines(self) -> int:
        """The number of lines of all nodes and relationships."""
        return sum(self.nodes.values()) + sum(self.relationships.values())


Line: TypeAlias = Node | Relationship | Counts


def kind_of(labels: Iterable[str]) -> str | None:
    """The first of `KINDS` that is among the labels; None if none is."""
    found = frozenset(labels)
    return next((kind for kind in KINDS if kind in found), None)


def unique_values(line: Node | Relationship) -> Iterator[str]:
    """Yields the values that no other line may have, besides the key of a node, as `label.property=value`."""
    for label in line.labels if isinstance(line, Node) else (line.type,):
        for name in UNIQUE.get(label, ()):
            if (value := line.properties.get(name)) is not None:
                yield f"{label}.{name}={value!r}"


# --- writing ---


def manifest_line(manifest: Manifest) -> str:
    """The first line of an export."""
    return _json({"format": manifest.format, "version": manifest.version, **asdict(manifest)})


def node_line(node: Node) -> str:
    """The line of a node."""
    return _json({"key": node.key, "labels": node.labels, "properties": encode_properties(node.properties)})


def relationship_line(link: Relationship) -> str:
    """The line of a relationship."""
    ends = {"from": link.source, "to": link.target}
    return _json({"type": link.type, **ends, "properties": encode_properties(link.properties)})


def end_line(counts: Counts) -> str:
    """The last line of an export, by which missing lines are detected."""
    return _json({"end": asdict(counts)})


def _json(value: object) -> str:
    return json.dumps(value, **_DIALECT) + "\n"  # type: ignore[arg-type]


# --- reading ---


def is_export(path: Path) -> bool:
    """Whether the first line of a file is that of an export."""
    try:
        with _opened(path) as stream:
            head = stream.readline(len(FORMAT) * 40)
    except (OSError, EOFError, gzip.BadGzipFile):
        return False
    return f'"{FORMAT}"'.encode() in head and head.lstrip().startswith(b"{")


class ExportFile:
    """An export, which can be read repeatedly, line by line. An invalid line raises `InvalidInput` with its number."""

    def __init__(self, path: Path) -> None:
        """Reads the manifest. Raises `InvalidInput` for another format or another version of it."""
        self.path = path
        with _opened(path) as stream:
            number, value = next(self._objects(stream), (1, {}))
        if value.get("format") != FORMAT:
            raise self._wrong(number, "it is no manifest of an export of hippograph")
        if value.get("version") != VERSION:
            raise InvalidInput(
                f"{path.name} has version {value.get('version')} of the format, and this hippograph reads {VERSION}: "
                "use a newer hippograph"
            )
        try:
            self.manifest = Manifest(**value)
            _check_manifest(self.manifest)
        except (TypeError, ValueError) as error:
            raise self._wrong(number, f"the manifest is not as it must be ({error})") from error

    def lines(self) -> Iterator[tuple[int, Line]]:
        """Yields all lines after the manifest with their numbers, counted from 1; the last line has the counts."""
        with _opened(self.path) as stream:
            for number, value in self._objects(stream):
                if number > 1:
                    yield number, self._line(number, value)

    def _objects(self, stream: Any) -> Iterator[tuple[int, dict[str, Any]]]:
        number = 1
        try:
            while text := stream.readline(_LONGEST_LINE):
                value = json.loads(text)
                if not isinstance(value, dict):
                    raise self._wrong(number, "it is no JSON object")
                yield number, value
                number += 1
        except (ValueError, RecursionError) as error:
            raise self._wrong(number, f"it is no JSON ({error})") from error
        except (OSError, EOFError) as error:
            raise self._wrong(number, f"the file cannot be read on ({error})") from error

    def _line(self, number: int, value: dict[str, Any]) -> Line:
        try:
            match value:
                case {"key": str(key), "labels": [*labels], "properties": dict(properties)}:
                    return _node(key, labels, properties)
                case {"type": str(kind), "from": str(source), "to": str(target), "properties": dict(properties)}:
                    return _relationship(kind, source, target, properties)
                case {"end": {"nodes": dict(nodes), "relationships": dict(links)}}:
                    return Counts(nodes, links)
        except (ValueError, TypeError, KeyError, OverflowError) as error:
            raise self._wrong(number, str(error)) from error
        raise self._wrong(number, "it is neither a node nor a relationship nor the end")

    def _wrong(self, number: int, what: str) -> InvalidInput:
        return InvalidInput(f"line {number} of {self.path.name} is broken: {what}")


def _opened(path: Path) -> Any:
    with path.open("rb") as stream:
        packed = stream.read(len(_GZIP)) == _GZIP
    return gzip.open(path, "rb") if packed else path.open("rb")


def _check_manifest(manifest: Manifest) -> None:
    """Raises `ValueError` if a value is of a wrong type or form."""
    texts = (manifest.id, manifest.schema, manifest.hippograph, manifest.exported_at)
    if not all(isinstance(text, str) for text in (*texts, manifest.of or "")):
        raise ValueError("it has a number where a text must be")
    manifest.id.encode()
    if not _VERSION.fullmatch(manifest.schema):
        raise ValueError("it names no version of the schema")
    if manifest.vectors is not None and not _is_of_vectors(manifest.vectors):
        raise ValueError("it does not say the model and the dimensions of the vectors")


def _is_of_vectors(value: Any) -> bool:
    match value:
        case {"model": str(model), "dimensions": int(size)}:
            model.encode()
            return len(value) == 2 and 0 < size <= _MOST_DIMENSIONS
    return False


def _node(key: str, labels: list[Any], properties: dict[str, Any]) -> Node:
    if not all(isinstance(label, str) and _LABEL.fullmatch(label) and label not in _NOT_OURS for label in labels):
        raise ValueError(f"{labels} are no labels of an export")
    if len(frozenset(labels).intersection(KINDS)) > 1:
        raise ValueError(f"{labels} are those of several kinds of nodes")
    node = Node(tuple(labels), decode_properties(properties))
    if not isinstance(properties.get("id"), str) or kind_of(labels) is None or node.key != key:
        raise ValueError(f"{key!r} is not the key of its labels and its id")
    return node


def _relationship(kind: str, source: str, target: str, properties: dict[str, Any]) -> Relationship:
    if not _TYPE.fullmatch(kind):
        raise ValueError(f"{kind!r} is no type of a relationship")
    for key in (source, target):
        if key.partition("/")[0] not in KINDS:
            raise ValueError(f"{key!r} is no key")
    return Relationship(kind, source, target, decode_properties(properties))
