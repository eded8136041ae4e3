"""Removal of the names of an erased person from texts: which go at once, and which are left to be decided (M13, P6).

Pure functions on rows, which `graph.transfer.erasure` reads and writes.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from hippograph.graph.database import Row
from hippograph.graph.people.people import name_token
from hippograph.graph.transfer.erased_names import Names, PersonNames
from hippograph.graph.writing.fact import text_key
from hippograph.nlp.names.listed import is_ambiguous
from hippograph.nlp.privacy.name_removal import names_pattern, whose_pattern, without_names
from hippograph.nlp.text import slug

_NOBODY: Final = "person||fact|="
"""Prefix of the claim key of a fact that was about an erased person."""
_KEYS: Final = frozenset({"claim_key", "memory_key", "live_key"})
"""Properties that are computed from a claim, and are not texts."""
_COMPARED: Final = "value_key"
"""Property with the words of a fact in lower case, which are compared and never shown."""

Texts = Iterable[Sequence[object]]


@dataclass(frozen=True, slots=True)
class Found:
    """A node whose texts may name a person. `changed` holds the new values to write at once, None if there are none;
    `left` is the row stored for a later decision on the rest, None if nothing is left.

    `of` is the id of the memory of which it is an earlier wording. `words` are pairs of changed texts, before and
    after; `undecided` those of texts that change if an administrator confirms it.
    """

    id: str
    kind: str
    of: str | None = None
    changed: Row | None = None
    left: Row | None = None
    words: tuple[tuple[str, str], ...] = ()
    undecided: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Going:
    """The person whose names are removed. With `everywhere` (an administrator's erasure) full names that are sure are
    removed from all texts, otherwise only where the person took part or was meant. `refs` are the prefixes of the keys
    of claims about them.
    """

    names: PersonNames
    everywhere: bool
    refs: frozenset[str] = frozenset()

    def memory(self, row: Row) -> Found:
        """Returns the changes to a memory. Writing them also removes its links to the person."""
        meant_by = [text for text in row["learned"] if self.names.vouches_for(text)]
        at_once = self._at_once(row, bool(meant_by)).with_(_learned(meant_by)).without(row["others"])
        place = {"near": row["near"], "linked": row["linked"], "learned": [each for each in row["learned"] if each]}
        changed = _memory(row, at_once, self.refs)
        rest = undecided(self.names.every, place)
        return _found(row, changed, _memory(row | _texts_after(row, changed), rest, frozenset()), place)

    def entity(self, row: Row) -> Found:
        """Returns the changes to the names of another entity, such as `Ada Byron's landlord`."""
        place = {"near": False, "linked": False, "learned": []}
        changed = _entity(row, self.names.sure if self.everywhere else Names())
        return _found(row, changed, _entity(row | _texts_after(row, changed), self.names.every), place)

    def other(self, row: Row) -> Found:
        """Returns the changes to a title, a state and the like."""
        place = {"near": row["near"], "linked": False, "learned": []}
        changed = _other(row, self._at_once(row, False))
        rest = undecided(self.names.every, place)
        return _found(row, changed, _other(row | _texts_after(row, changed), rest), place)

    def _at_once(self, row: Row, is_meant: bool) -> Names:
        if is_meant:
            return self.names.vouched
        if row["near"]:
            return self.names.sure
        return Names(self.names.sure.full) if self.everywhere else Names()


def undecided(every: Names, place: Mapping[str, object]) -> Names:
    """Returns the names to be decided at a place: single words only where the person took part or was meant."""
    if place["linked"]:
        learned = place["learned"]
        assert isinstance(learned, list)
        return every.with_(_learned(learned))
    return every if place["near"] else Names(every.full)


def confirmed(row: Row, every: Names, refs: frozenset[str]) -> Found:
    """Returns the changes to a confirmed place as it is now; `refs` are claim prefixes of entities with these names."""
    if row["kind"] == "Memory":
        changed = _memory(row | {"linked": False}, undecided(every, row), refs)
    elif row["kind"] == "Entity":
        changed = _entity(row, every)
    else:
        changed = _other(row, undecided(every, row))
    return _found(row, changed, None, {})


def _found(row: Row, changed: Row | None, rest: Row | None, place: Row) -> Found:
    left = {"id": row["id"], **place} if rest and rest["words"] else None
    return Found(
        row["id"],
        row["kind"],
        row.get("of"),
        changed,
        left,
        tuple(changed["words"]) if changed else (),
        tuple(rest["words"]) if rest else (),
    )


def _learned(texts: Iterable[str]) -> Names:
    """Returns the names among the words by which a memory means somebody; not `my sister` or `she`."""
    names = [text for text in texts if text[:1].isalpha() and not text[:1].islower()]
    return Names(tuple(name for name in names if " " in name), tuple(name for name in names if " " not in name))


def _memory(row: Row, names: Names, refs: frozenset[str]) -> Row | None:
    """Returns the changes to a memory without the names; None if there are none and it is not linked to the person."""
    pattern = names_pattern(names.full, names.words)
    texts = _changed(pattern, [each for each in row["texts"] if each[0] not in _KEYS])
    versions = [[each, new] for each, text in row["versions"] if (new := without_names(pattern, text)) != text]
    quoted = [[each, new] for each, text in row["quoted"] if (new := without_names(pattern, text)) != text]
    words = [*_words(row["texts"], texts), *_pairs(row["versions"], versions), *_pairs(row["quoted"], quoted)]
    if not (row["linked"] or words):
        return None
    if words and (compared := dict(row["texts"]).get(_COMPARED)):
        loose = names_pattern([*names.full, *(one for one in names.words if not is_ambiguous(one))])
        texts[_COMPARED] = without_names(loose, str(compared))
    claim = _claim(row, texts, refs)
    return {
        "id": row["id"],
        "texts": texts,
        "versions": versions,
        "quoted": quoted,
        "claim": claim,
        "words": words,
    }


def _entity(row: Row, names: Names) -> Row | None:
    """Returns the changes to an entity whose names contain the person's; None if none does.

    The names of a person count only if they say whose somebody is (`whose_pattern`), since people may have the same
    name, or one that begins like it.
    """
    full = [name for name in names.full if not name.startswith("@")]
    kind, _, ref = row["key"].partition(":")
    pattern = whose_pattern(full) if kind == "person" else names_pattern(full)
    texts = _changed(pattern, row["texts"])
    if not texts:
        return None
    now = {**dict(row["texts"]), **texts}
    if "canonical_name" in texts:
        ref = f"{slug(str(now['canonical_name']))}-{row['id']}"
    tokens = [name_token(each) for each in dict.fromkeys([str(now["canonical_name"]), *now["aliases"]])]
    links = [{"id": link, "texts": new} for link, said in row["links"] if (new := _changed(pattern, said))]
    return {
        "id": row["id"],
        "key": f"{kind}:{ref}",
        "ref": ref,
        "texts": texts,
        "names": tokens,
        "links": links,
        "words": _words(row["texts"], texts),
    }


_UNIQUE: Final = frozenset(("open_key", "word_key", "name_key"))
"""Properties that must be unique in the graph."""


def _other(row: Row, names: Names) -> Row | None:
    texts, before = _changed(names_pattern(names.full, names.words), row["texts"]), dict(row["texts"])
    # Two names of the person must not give two nodes the same key.
    for key in _UNIQUE.intersection(texts):
        texts[key] = f"{texts[key]}|{row['id']}"
    if row["kind"] == "Space" and "name" in texts:
        texts["name_key"] = f"{before['scope']}|{slug(str(texts['name']))}|{row['id']}"
    if row["kind"] == "Block" and "name" in texts and "key" in texts:
        texts["name"] = f"{texts['name']} {row['id'][-8:]}"
        texts["key"] = str(before["key"]).replace(str(before["name"]), str(texts["name"]))
    if row["kind"] == "UserState" and "key" in texts:
        texts["key"] = f"{texts['key']} {row['latest_of_line'][-8:]}"
        texts["line"] = str(before["line"]).replace(str(before["key"]), str(texts["key"]))
        if "open_key" in texts:
            texts["open_key"] = texts["line"]
    return {"id": row["id"], "texts": texts, "words": _words(row["texts"], texts)} if texts else None


def _texts_after(row: Row, changed: Row | None) -> Row:
    """Returns the row values of a place after the changes made at once; the person is not linked to it any more."""
    if changed is None:
        return {"linked": False}
    after: Row = {"texts": list((dict(row["texts"]) | changed["texts"]).items()), "linked": False}
    for key in ("versions", "quoted"):
        if key in changed:
            after[key] = list((dict(row[key]) | dict(changed[key])).items())
    return after


def _claim(row: Row, changed: Mapping[str, object], refs: frozenset[str]) -> str | None:
    """Returns the claim key of a fact for its current words (`graph.writing.fact.claim_key`)."""
    claim = row["claim"]
    if claim is None:
        return None
    content = changed.get("content", dict(row["texts"])["content"])
    if "|".join(claim.split("|")[:2]) in refs:
        return f"{_NOBODY}{text_key(str(content))}"
    return f"{claim.split('|=')[0]}|={text_key(str(content))}" if "|=" in claim else str(claim)


def _changed(pattern: re.Pattern[str] | None, texts: Texts) -> dict[str, object]:
    """Returns the properties in which a text, or a list of texts, holds a name, without the names."""
    changed: dict[str, object] = {}
    for key, value in texts:
        if isinstance(value, str) and (text := without_names(pattern, value)) != value:
            changed[str(key)] = text
        elif isinstance(value, list) and all(isinstance(each, str) for each in value):
            items = [without_names(pattern, each) for each in value]
            if items != value:
                changed[str(key)] = items
    return changed


def _words(before: Texts, after: Mapping[str, object]) -> list[tuple[str, str]]:
    """Returns pairs of changed texts, before and after; of a list only its changed texts."""
    were = {str(key): value for key, value in before}
    found: list[tuple[str, str]] = []
    for key, value in after.items():
        old = were[key]
        if isinstance(value, list) and isinstance(old, list):
            found += [(one, new) for one, new in zip(old, value, strict=True) if one != new]
        else:
            found.append((str(old), str(value)))
    return found


def _pairs(before: Texts, after: Texts) -> list[tuple[str, str]]:
    were = {str(key): str(text) for key, text in before}
    return [(were[str(key)], str(text)) for key, text in after]
