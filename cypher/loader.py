"""Reads the statement files into frozen objects and rejects those that would fail later.

A file is `<area>/<verb_noun>.cypher`: a header of comments, then one statement.

    // What it does, in a sentence or more.
    // params: id, $limit …   (the names, with or without the dollar; `-` for none)
    // returns: id, score     (the columns; `-` for none)
    // mode: read             (or write)
    // slots: a, b            (optional: the file is loaded once per slot, with `$$slot` replaced by its name)

Every statement, of files and of migrations, begins with its Cypher version, since each database has a default version
of its own, whatever the configuration of the server.

When a file is loaded, a line `// include: name` is replaced by the body of `fragments/name.cypher`, and the parameters
which that file declares are added to the statement's own. A fragment declares the variables that it `expects`, and its
`params`, if it has any. A fragment that declares `// takes: m, row` is given values: `// include: name(m=near, row=x)`
replaces `$$m` in its body by `near`. A value ends before `, name=`; it may continue on the next comment line. Includes
are the only way to share text. They are resolved once, before anything runs.
"""

import re
import zlib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, Literal, get_args

Mode = Literal["read", "write"]

LANGUAGE: Final = "CYPHER 25"
"""The prefix of every statement. Older Cypher has no vector search."""

_ROOT = Path(__file__).parent
_NOT_AREAS = {"fragments", "migrations", "__pycache__"}
_HEADER = re.compile(r"//\s*(params|returns|mode|slots|expects|takes):\s*(.*)")
_INCLUDE = re.compile(r"^[ \t]*//\s*include:\s*(\w+)(?:\(((?:.|\n[ \t]*//)*?)\))?[ \t]*$", re.MULTILINE)
_CONTINUED = re.compile(r"\n[ \t]*//[ \t]*")
_NEXT_VALUE = re.compile(r",\s*(?=\w+=)")
_PLACEHOLDER = re.compile(r"\$\$(\w+)")
_SLOT = "slot"
_PARAMETER = re.compile(r"\$(\w+)")
_BARE = re.compile(r"\b(?:LIMIT|OPTIONS) \$(\w+)")
_STRING = re.compile(r"""(?s:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`[^`]*`)""")
_STRING_OR_COMMENT = re.compile(rf"({_STRING.pattern})|//.*")
_SEARCH = re.compile(r"\bSEARCH\s+(\w+)\s+IN\b")
_MIGRATION = re.compile(r"V(\d{3,})__(\w+)\.cypher")


class StatementError(Exception):
    """A statement file is invalid, or a statement does not exist; the message says what to mend."""


class _Unshown(dict[str, object]):
    """A map of parameters whose `repr` shows no values, so that no log shows what people said. It also saves time: the
    driver formats all that it sends for its debug log, even if that is off, a third of a millisecond for each vector.
    """

    def __repr__(self) -> str:
        return f"<{len(self)} parameters>"


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement: its name (`area/verb_noun`), its text as sent to the server, and what its header declares.

    The parameters are sent as one map `$given`, since Neo4j plans a statement anew for each order of magnitude of the
    length of each list and string among the parameters, and planning a large statement takes a second. Those in `bare`
    are also sent by name: they stand where Cypher allows no expression.
    """

    name: str
    text: str
    description: str
    params: frozenset[str]
    bare: frozenset[str]
    returns: tuple[str, ...]
    mode: Mode

    def arguments(self, params: Mapping[str, object]) -> dict[str, object]:
        """The parameters to send, in the form that the text uses. Those that are not declared are dropped."""
        params = {name: value for name, value in params.items() if name in self.params}
        return {"given": _Unshown(params), **{name: value for name, value in params.items() if name in self.bare}}


@dataclass(frozen=True, slots=True)
class Migration:
    """One versioned change of the schema: its statements in order, as sent to the server, and the checksum of those in
    the file `source`, without comments.
    """

    version: str
    description: str
    source: str
    statements: tuple[str, ...]
    checksum: str


class Statements(Mapping[str, Statement]):
    """The statements by name. Raises `StatementError` for an unknown name, with the names that the area has."""

    def __init__(self, table: Mapping[str, Statement]) -> None:
        self._table = dict(table)

    def __getitem__(self, name: str) -> Statement:
        try:
            return self._table[name]
        except KeyError:
            area = name.partition("/")[0]
            near = ", ".join(sorted(n for n in self._table if n.startswith(f"{area}/"))) or "none"
            raise StatementError(f"no statement {name!r}; in its area there are: {near}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._table)

    def __len__(self) -> int:
        return len(self._table)


@cache
def load(root: Path = _ROOT, more: Path | None = None) -> Statements:
    """Loads and checks every statement below `root` and below `more`, whose files may include fragments of `root`.

    A statement of `more` replaces one of the same name. Raises `StatementError` for the first invalid file.
    """
    fragments = _read_fragments(root / "fragments")
    table: dict[str, Statement] = {}
    for folder in (root, *([more] if more else ())):
        for path in sorted(folder.glob("*/*.cypher")):
            if path.parent.name not in _NOT_AREAS:
                for statement in _read(path, fragments):
                    table[statement.name] = statement
    return Statements(table)


@cache
def migrations(root: Path = _ROOT) -> tuple[Migration, ...]:
    """The migrations in order of version. A file may have several statements, separated by `;`."""
    found = []
    for path in (root / "migrations").glob("*.cypher"):
        match = _MIGRATION.fullmatch(path.name)
        if not match:
            raise StatementError(f"{path.name}: a migration is named V001__what_it_does.cypher")
        bodies = [part.strip() for part in _without_comments(path.read_text("utf-8")).split(";") if part.strip()]
        checksum = zlib.crc32("".join(bodies).encode())
        description = match[2].replace("_", " ")
        statements = tuple(f"{LANGUAGE} {body}" for body in bodies)
        found.append(Migration(match[1], description, path.name, statements, str(checksum)))
    found.sort(key=lambda m: int(m.version))
    versions = [int(m.version) for m in found]
    if versions != list(range(versions[0], versions[0] + len(found))):
        raise StatementError(
            f"migrations must be numbered one after the other, without gaps or twins; found {versions}"
        )
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _Fragment:
    text: str
    params: frozenset[str]
    takes: frozenset[str]

    def filled(self, values: Mapping[str, str]) -> str:
        """Returns the text with the placeholders that it takes replaced by their values."""
        return _PLACEHOLDER.sub(lambda match: values.get(match[1], match[0]), self.text)


def _read_fragments(folder: Path) -> dict[str, _Fragment]:
    """Reads every fragment, by name, with its includes resolved."""
    paths = {path.stem: path for path in sorted(folder.glob("*.cypher"))}
    fragments: dict[str, _Fragment] = {}

    def read(name: str, within: tuple[str, ...]) -> None:
        if name in within:
            raise StatementError(f"{paths[name]}: includes itself ({' → '.join([*within, name])})")
        for inner, _ in _INCLUDE.findall(_body(paths[name])):
            if inner in paths and inner not in fragments:
                read(inner, (*within, name))
        header = _header(paths[name], ("description",))
        text, params = _included(paths[name], fragments)
        takes = frozenset(_names(header.get("takes", "-")))
        _check_placeholders(paths[name], text, takes)
        fragments[name] = _Fragment(text, params.union(_names(header.get("params", "-"))), takes)

    for name in paths:
        if name not in fragments:
            read(name, ())
    return fragments


def _check_placeholders(path: Path, text: str, takes: frozenset[str]) -> None:
    used = frozenset(_PLACEHOLDER.findall(text)) - {_SLOT}
    if undeclared := used - takes:
        raise StatementError(f"{path}: uses $${_list(undeclared)} without declaring it in `takes:`")
    if unused := takes - used:
        raise StatementError(f"{path}: declares {_list(unused)} in `takes:` and never uses it")


def _included(path: Path, fragments: Mapping[str, _Fragment]) -> tuple[str, frozenset[str]]:
    """Returns the text of a file with its includes resolved, and the parameters of the included fragments."""
    params: set[str] = set()

    def fill(match: re.Match[str]) -> str:
        fragment = _fragment(path, match[1], fragments)
        params.update(fragment.params)
        return fragment.filled(_values(path, match[1], match[2], fragment.takes))

    return _INCLUDE.sub(fill, _body(path)).strip(), frozenset(params)


def _values(path: Path, name: str, given: str | None, takes: frozenset[str]) -> dict[str, str]:
    """Returns the values that an include gives to a fragment, by placeholder."""
    values = {}
    for each in _NEXT_VALUE.split(_CONTINUED.sub(" ", given)) if given else ():
        key, _, value = each.partition("=")
        values[key.strip()] = value.strip()
    if values.keys() != takes:
        raise StatementError(
            f"{path}: includes {name!r} with {_list(values) or 'no values'}; it takes {_list(takes) or 'none'}"
        )
    return values


def _read(path: Path, fragments: Mapping[str, _Fragment]) -> Iterator[Statement]:
    header = _header(path, ("description", "params", "returns", "mode"))
    body, included = _included(path, fragments)
    name = f"{path.parent.name}/{path.stem}"
    slots = _names(header["slots"]) if "slots" in header else (None,)
    _check_placeholders(path, body, frozenset())
    params = included.union(_names(header["params"]))
    for slot in slots:
        text = body if slot is None else body.replace("$$slot", slot)
        _check(path, text, params)
        bare = frozenset(_BARE.findall(text))
        yield Statement(
            name=name if slot is None else f"{name}.{slot}",
            text=f"{LANGUAGE} {_gathered(text, bare)}",
            description=header["description"],
            params=params,
            bare=bare,
            returns=_names(header["returns"]),
            mode=_mode(path, header["mode"]),
        )


def _gathered(text: str, bare: Collection[str]) -> str:
    """Returns the text with its parameters read from the map `$given`, except for the bare ones."""
    return _PARAMETER.sub(lambda match: match[0] if match[1] in bare else f"$given.{match[1]}", text)


def _header(path: Path, wanted: Collection[str]) -> dict[str, str]:
    fields: dict[str, str] = {}
    description = []
    for line in path.read_text("utf-8").splitlines():
        if not line.startswith("//"):
            break
        if match := _HEADER.fullmatch(line.strip()):
            fields[match[1]] = match[2].strip()
        else:
            description.append(line.removeprefix("//").strip())
    fields["description"] = " ".join(description)
    for name in wanted:
        if not fields.get(name):
            raise StatementError(f"{path}: the header lacks `{name}`")
    return fields


def _body(path: Path) -> str:
    """Returns the text below the header. Its comments are kept, and so appear in the query log."""
    lines = path.read_text("utf-8").splitlines()
    start = next((i for i, line in enumerate(lines) if not line.startswith("//")), len(lines))
    return "\n".join(lines[start:]).strip("\n")


def _fragment(path: Path, name: str, fragments: Mapping[str, _Fragment]) -> _Fragment:
    if name not in fragments:
        raise StatementError(f"{path}: includes {name!r}, but fragments/{name}.cypher does not exist")
    return fragments[name]


def _names(listing: str) -> tuple[str, ...]:
    return () if listing == "-" else tuple(name.strip().lstrip("$") for name in listing.split(","))


def _mode(path: Path, mode: str) -> Mode:
    for known in get_args(Mode):
        if mode == known:
            return known  # type: ignore[no-any-return]  # get_args gives Any
    raise StatementError(f"{path}: mode is {mode!r}, it must be read or write")


def _without_comments(text: str) -> str:
    """Returns Cypher without its comments; what looks like one within a string or a quoted name is kept."""
    return _STRING_OR_COMMENT.sub(lambda match: match[1] or "", text)


def _check(path: Path, text: str, params: frozenset[str]) -> None:
    code = _STRING.sub("''", _without_comments(text))
    if ";" in code:
        raise StatementError(f"{path}: holds a `;`, but a file is one statement")
    used = set(_PARAMETER.findall(code))
    if undeclared := used - params:
        raise StatementError(f"{path}: uses {_list(undeclared)} without declaring it in `params:`")
    if unused := params - used:
        raise StatementError(f"{path}: declares {_list(unused)} in `params:` and never uses it")
    for variable in _SEARCH.findall(code):
        # The planner fails ("key not found: SymbolUse") if a SEARCH variable is declared again.
        declared = rf"(?<!\w)[(\[]\s*{variable}\s*[:)\]{{]|\bAS\s+{variable}\b"
        if len(re.findall(declared, code)) > 1:
            raise StatementError(f"{path}: {variable!r} is a SEARCH variable and is declared a second time")


def _list(names: Collection[str]) -> str:
    return ", ".join(sorted(names))
