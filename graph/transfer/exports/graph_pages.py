"""Writes an export as a folder of Markdown for people to read: a page for each person, project and other entity with
the known facts and quotations of their sources, a page for each month of turns, and one page of states, blocks, todos
and summaries.

The pages are written from the lines of an export alone and say no more than those. What people wrote is escaped, so it
is shown as text, never as markup.
"""

import json
import re
import sqlite3
import tempfile
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, Final, TextIO

from hippograph.graph.model import EventPrecision
from hippograph.graph.transfer.exports.graph_lines import ExportFile, Node, Relationship
from hippograph.graph.transfer.exports.property_values import Moment
from hippograph.graph.zones import UTC_ZONE, day_there, wall_clock

_FOLDERS: Final = {"person": "people", "project": "projects"}
_THINGS: Final = "things"
_TIMELINE: Final = "timeline"
_TITLES: Final = {"people": "People", "projects": "Projects", _THINGS: "Places, organizations and other things"}
_OWN: Final = ("UserState", "Block", "Todo", "RollingSummary", "SummarySpine")
_TABLES: Final = """
CREATE TABLE nodes (key TEXT PRIMARY KEY, kind TEXT, sort TEXT, at TEXT, properties TEXT) WITHOUT ROWID;
CREATE TABLE links (type TEXT, source TEXT, target TEXT, properties TEXT);
CREATE TABLE pages (key TEXT PRIMARY KEY, path TEXT UNIQUE COLLATE NOCASE, name TEXT) WITHOUT ROWID;
BEGIN
"""
_INDEXES: Final = """
CREATE INDEX links_to ON links (target, type);
CREATE INDEX links_from ON links (source, type);
CREATE INDEX nodes_at ON nodes (kind, sort, at, key)
"""
_ABOUT: Final = """
SELECT DISTINCT node.key, node.properties FROM links JOIN nodes AS node ON node.key = links.source
WHERE links.target = ? AND links.type IN ('ABOUT', 'MENTIONS') AND node.kind = 'Memory' AND node.sort <> 'episodic'
ORDER BY CAST(node.at AS INTEGER), node.at, node.key
"""
_SOURCES: Final = """
SELECT node.properties, links.properties FROM links JOIN nodes AS node ON node.key = links.target
WHERE links.source = ? AND links.type = 'DERIVED_FROM' AND node.sort = 'episodic'
ORDER BY CAST(node.at AS INTEGER), node.at, node.key
"""
_NAMED: Final = """
SELECT DISTINCT pages.path, pages.name FROM links JOIN pages ON pages.key = links.target
WHERE links.source = ? AND links.type IN ('ABOUT', 'MENTIONS') ORDER BY pages.path
"""
_RELATED: Final = """
SELECT links.properties, source.path, source.name, target.path, target.name FROM links
JOIN pages AS source ON source.key = links.source JOIN pages AS target ON target.key = links.target
WHERE links.type = 'RELATED_TO' AND (links.source = ?1 OR links.target = ?1) ORDER BY source.path, target.path
"""
_ZONE: Final = """
SELECT json_extract(properties, '$.time_zone') FROM nodes
WHERE kind = 'Entity' AND json_extract(properties, '$.key') = ?
"""
_SAID: Final = """
SELECT key, shown(at, properties) AS moment, properties FROM nodes WHERE kind = 'Memory' AND sort = 'episodic'
ORDER BY CAST(moment AS INTEGER), moment, key
"""
_MARKUP: Final = str.maketrans({sign: f"\\{sign}" for sign in "\\`*_{}[]<>#|~!()&"})
_LIST_SIGN: Final = re.compile(r"^([^\S\n]*)([-+=]|\d+[.)])", re.MULTILINE)
_UNSAFE: Final = re.compile(r"[^\w-]+")
_RESERVED: Final = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)", re.IGNORECASE)
_LONGEST_NAME: Final = 80
_NO_END: Final = "9999"


def write_pages(file: ExportFile, folder: Path) -> None:
    """Writes the pages of an export into an existing folder."""
    with tempfile.TemporaryDirectory(prefix="hippograph-") as place:
        table = sqlite3.connect(Path(place, "lines"), isolation_level=None)
        try:
            _fill(table, file)
            _Pages(table, folder, of=file.manifest.of).write()
        finally:
            table.close()


def _fill(table: sqlite3.Connection, file: ExportFile) -> None:
    table.execute("PRAGMA journal_mode = OFF")
    table.executescript(_TABLES)
    for _, line in file.lines():
        if isinstance(line, Node):
            text = json.dumps(_plain(line))
            at = _text(line.properties.get("event_time") or line.properties.get("created_at"))
            row = (line.key, line.kind, line.properties.get("type", ""), at, text)
            table.execute("INSERT INTO nodes VALUES (?, ?, ?, ?, ?)", row)
            if line.kind == "Entity":
                _give_page(table, line)
        elif isinstance(line, Relationship):
            table.execute(
                "INSERT INTO links VALUES (?, ?, ?, ?)", (line.type, line.source, line.target, json.dumps(_plain(line)))
            )
    table.execute("COMMIT")
    table.executescript(_INDEXES)


def _plain(line: Node | Relationship) -> dict[str, Any]:
    return {
        name: _text(value) if isinstance(value, Moment) else value
        for name, value in line.properties.items()
        if isinstance(value, (Moment, str, int, float, list))
    }


def _text(value: object) -> str:
    return value.text if isinstance(value, Moment) and isinstance(value.text, str) else ""


def _give_page(table: sqlite3.Connection, entity: Node) -> None:
    """Gives an entity a page, with a unique file name that is valid on every operating system."""
    kind, _, name = str(entity.properties.get("key", "")).partition(":")
    folder = _FOLDERS.get(kind, _THINGS)
    stem = _UNSAFE.sub("_", name)[:_LONGEST_NAME] or "unnamed"
    if _RESERVED.fullmatch(stem):
        stem += "_"
    shown = str(entity.properties.get("canonical_name") or name)
    for path in (f"{folder}/{stem}.md", f"{folder}/{stem}-{_UNSAFE.sub('_', str(entity.properties['id']))}.md"):
        row = (entity.key, path, shown)
        if table.execute("INSERT OR IGNORE INTO pages VALUES (?, ?, ?)", row).rowcount == 1:
            return


def escaped(text: str) -> str:
    """Escapes a text for Markdown, so that it is shown literally."""
    return _LIST_SIGN.sub(r"\1\\\2", text.translate(_MARKUP))


def _one_line(text: str) -> str:
    return escaped(" ".join(text.split()))


class _Pages:
    def __init__(self, table: sqlite3.Connection, folder: Path, *, of: str | None) -> None:
        """`of` is the key of the person whose export it is; times are shown in their time zone. None stands for an
        export of everything, with times in UTC.
        """
        self._table = table
        self._folder = folder
        self._of_everybody = of is None
        found = table.execute(_ZONE, (of,)).fetchone()
        self._zone = (found and found[0]) or UTC_ZONE
        table.create_function("shown", 2, lambda at, told: self._shown(at, json.loads(told)), deterministic=True)

    def write(self) -> None:
        """Writes all pages and the index of them, `README.md`."""
        months = self._timeline()
        for key, path, name in self._rows("SELECT key, path, name FROM pages ORDER BY path"):
            with self._page(path) as out:
                self._entity(out, key, name)
        own = self._own()
        self._index(months, own=own)

    def _page(self, path: str) -> TextIO:
        file = self._folder / path
        file.parent.mkdir(exist_ok=True)
        return file.open("w", encoding="utf-8", newline="\n")

    def _rows(self, query: str, *values: str) -> Iterator[Any]:
        yield from self._table.execute(query, values)

    def _index(self, months: list[str], *, own: bool) -> None:
        with self._page("README.md") as out:
            out.write("# Memories\n")
            if own:
                out.write("\n[States, blocks, todos and summaries](own.md)\n")
            for folder, title in _TITLES.items():
                pages = list(self._rows("SELECT path, name FROM pages WHERE path LIKE ? ORDER BY path", f"{folder}/%"))
                if pages:
                    out.write(f"\n## {title}\n\n")
                    out.writelines(f"- [{_one_line(name)}]({path})\n" for path, name in pages)
            if months:
                out.write("\n## Timeline\n\n")
                out.writelines(f"- [{month}](timeline/{month}.md)\n" for month in months)

    def _timeline(self) -> list[str]:
        """Writes a page for each month, with the turns of each day. Returns the months, such as `2025-07`."""
        months: list[str] = []
        day, out = "", None
        try:
            for key, at, text in self._rows(_SAID):
                if not months or _month(at) != months[-1]:
                    months.append(_month(at))
                    if out:
                        out.close()
                    out = self._page(f"{_TIMELINE}/{_month(at)}.md")
                    out.write(f"# {_month(at)}\n")
                assert out is not None
                if _day(at) != day:
                    day = _day(at)
                    out.write(f"\n## {day}\n")
                self._turn(out, key, at, json.loads(text))
        finally:
            if out:
                out.close()
        return months

    def _turn(self, out: TextIO, key: str, at: str, turn: dict[str, Any]) -> None:
        who = _one_line(turn.get("speaker_name") or "Somebody")
        said = escaped(turn["content"].strip()).replace("\n", "  \n  ")
        links = ", ".join(self._link(path, name, "..") for path, name in self._rows(_NAMED, key))
        where = self._where(turn)
        time = at.partition("T")[2][:5]
        out.write(f'\n<a id="{_anchor(turn)}"></a>**{who}**, {time}{where}: {said}{f" ({links})" if links else ""}\n')

    def _where(self, turn: dict[str, Any]) -> str:
        """The words for the chat of a turn in an export of everything; empty in the export of one person."""
        title = self._name(f"Chat/{turn.get('learned_in')}", "title")
        return f" in {_one_line(title)}" if self._of_everybody and title else ""

    def _name(self, key: str, name: str) -> str:
        """The property `name` of the node of a key; empty if the node or the property is not in the export."""
        for (text,) in self._rows("SELECT properties FROM nodes WHERE key = ?", key):
            return str(json.loads(text).get(name) or "")
        return ""

    def _entity(self, out: TextIO, key: str, name: str) -> None:
        [(text,)] = self._rows("SELECT properties FROM nodes WHERE key = ?", key)
        properties = json.loads(text)
        out.write(f"# {_one_line(name)}\n\n`{properties['key']}`")
        others = [one for one in properties.get("aliases", []) if one != name]
        if others:
            out.write(f"; also {', '.join(map(_one_line, others))}")
        out.write("\n")
        related = [self._relation(*row) for row in self._rows(_RELATED, key)]
        if related:
            out.write("\n## Relations\n\n")
            out.writelines(related)
        facts = list(self._rows(_ABOUT, key))
        if facts:
            out.write("\n## What is known\n")
        for fact_key, fact in facts:
            self._fact(out, fact_key, json.loads(fact))

    def _relation(self, text: str, source: str, source_name: str, target: str, target_name: str) -> str:
        predicate = _one_line(str(json.loads(text).get("predicate", "")).replace("_", " "))
        return f"- {self._link(source, source_name, '..')} {predicate} {self._link(target, target_name, '..')}\n"

    def _fact(self, out: TextIO, key: str, fact: dict[str, Any]) -> None:
        links = ", ".join(self._link(path, name, "..") for path, name in self._rows(_NAMED, key))
        times = ", ".join(self._times(fact))
        out.write(f"\n- {_one_line(fact['content'])} ({times}){f' – {links}' if links else ''}\n")
        for turn_text, link_text in self._rows(_SOURCES, key):
            turn, link = json.loads(turn_text), json.loads(link_text)
            at = self._shown(turn.get("event_time", ""), turn)
            words = _one_line(link.get("words") or turn["content"])
            who = _one_line(turn.get("speaker_name") or "Somebody")
            out.write(f"  > {words}  \n  > – {who}, [{_day(at)}](../timeline/{_month(at)}.md#{_anchor(turn)})\n")

    def _own(self) -> bool:
        """Writes the page of states, blocks, todos and summaries, if there are any. Returns whether it was written."""
        marks = ", ".join("?" for _ in _OWN)
        order = "kind, CAST(at AS INTEGER), at, key"
        query = f"SELECT kind, properties FROM nodes WHERE kind IN ({marks}) ORDER BY {order}"  # noqa: S608
        rows = list(self._rows(query, *_OWN))
        if rows:
            with self._page("own.md") as out:
                out.write("# States, blocks, todos and summaries\n")
                for kind, text in rows:
                    each = json.loads(text)
                    name = each.get("key") if kind == "UserState" else each.get("name") or each.get("kind") or "summary"
                    words = _one_line(each.get("value") or each.get("content") or "")
                    head = f"**{_one_line(str(name))}**{self._whose(each)}"
                    out.write(f"\n- {head}: {words} ({', '.join(self._times(each))})\n")
        return bool(rows)

    def _whose(self, each: dict[str, Any]) -> str:
        """The words for the person or chat of a node in an export of everything; empty in the export of one person."""
        person = self._name(f"Entity/{each.get('person_id') or each.get('owner_id')}", "canonical_name")
        whose = person or self._name(f"Chat/{each.get('chat_id')}", "title")
        return f" of {_one_line(whose)}" if self._of_everybody and whose else ""

    def _times(self, fact: dict[str, Any]) -> Iterator[str]:
        """Yields the date of a node and, where there are any, its end, its retirement and its final status."""
        yield _day(self._shown(str(fact.get("event_time") or fact.get("created_at") or ""), fact))
        if (until := str(fact.get("valid_until", _NO_END)))[:4] != _NO_END:
            yield f"until {self._day_there(until)}"
        if (retired := str(fact.get("retired_at", _NO_END)))[:4] != _NO_END:
            yield f"{fact.get('retired_by') or 'retired'} on {self._day_there(retired)}"
        if fact.get("status") in ("archived", "done", "dropped"):
            yield str(fact["status"])

    def _shown(self, at: str, told: dict[str, Any]) -> str:
        """A time as local time of the zone; a time known only to the day, month or year, or in a year that Python does
        not have, is unchanged.
        """
        if told.get("event_precision", EventPrecision.MINUTE) != EventPrecision.MINUTE:
            return at
        moment = _moment(at)
        return wall_clock(moment, self._zone).isoformat() if moment else at

    def _day_there(self, at: str) -> str:
        moment = _moment(at)
        return day_there(moment, self._zone).isoformat() if moment else _day(at)

    @staticmethod
    def _link(path: str, name: str, up: str) -> str:
        return f"[{_one_line(name)}]({up}/{path})"


def _moment(text: str) -> datetime | None:
    """A time in Neo4j's text form, without the name of its zone; None for a year outside 1 to 9999, and for no text."""
    try:
        return datetime.fromisoformat(text.partition("[")[0])
    except ValueError:
        return None


def _day(at: str) -> str:
    """The day of a time: `2025-07-01`; in other years `-0044-03-15` or `+12025-07-01`."""
    return at.partition("T")[0]


def _month(at: str) -> str:
    return _day(at)[:-3]


def _anchor(turn: dict[str, Any]) -> str:
    return _UNSAFE.sub("_", str(turn["id"]))
