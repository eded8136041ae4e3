"""Which of many names may be alike (W7): cheap tests on many at once, before names are compared one by one.

A test never rules out what `nlp.names.matching` finds alike, so that decisions are those of comparing each with each.
What is left shares a key with the name (a word, a beginning, initials …), or may sound alike: the distance of its
sounds is at most what `nlp.names.matching` ever allows.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist

from hippograph.nlp.names.blocking.bounds import (
    LONGEST,
    WIDTH,
    Coded,
    Codes,
    alignment_costs,
    coded_forms,
    lower_bounds,
    to_numbers,
)
from hippograph.nlp.names.blocking.keys import known_keys, mention_keys
from hippograph.nlp.names.phonetics import SKELETON_LIMIT

_ODD: Final = re.compile(r"[\u0590-\u0dff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af@]")
_ROUNDED: Final = 1e-4
Flags = np.ndarray[Any, np.dtype[np.bool]]


class BlockingIndex:
    """Names of one sort of thing, to which more can be added, and which of them a name may mean."""

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._by_key = defaultdict[str, set[str]](set)
        self._all = set[str]()
        self._always = set[str]()
        self._parts = defaultdict[str, _PhoneticIndex](_PhoneticIndex)

    def add(self, one: str, names: Sequence[str], usernames: Sequence[str]) -> None:
        """Adds one under its id by its names, unless it is there."""
        if one in self._all:
            return
        self._all.add(one)
        if usernames or any(map(_ODD.search, names)):
            self._always.add(one)
            return
        known = known_keys(tuple(names), self._kind)
        for key in known.keys:
            self._by_key[key].add(one)
        for part, unit in known.units:
            self._parts[part].append(one, unit)

    def candidates(self, text: str, *, by_sound: bool) -> set[str]:
        """The ids of those that a name may mean: it is like none of the others, or not but `by_sound`."""
        said = mention_keys(text.strip().rstrip(":,;!?"), self._kind)
        if said is None:
            return self._all
        found = self._always.union(*(self._by_key[key] for key in said.keys if key in self._by_key))
        if by_sound:
            for part, unit, most in said.units:
                found |= self._parts[part].heard(unit, found, most)
        return found


class _PhoneticIndex:
    """One part of many names, each once with whose it is: what of them may sound like another."""

    def __init__(self) -> None:
        self._places: dict[str, int] = {}
        self._owners: list[set[str]] = []
        self._sounds = _Rows(4 * WIDTH + 1, np.float32)
        self._heard = _FormRows()
        self._read = _FormRows()

    def append(self, owner: str, unit: str) -> None:
        """Adds that of one."""
        place = self._places.setdefault(unit, len(self._owners))
        if place < len(self._owners):
            self._owners[place].add(owner)
            return
        self._owners.append({owner})
        self._sounds.append(to_numbers(unit)[np.newaxis])
        forms = coded_forms(unit)
        self._heard.append(place, forms.heard)
        self._read.append(place, forms.read)

    def heard(self, unit: str, found: set[str], most: float) -> set[str]:
        """Whose is no farther from it, beside those who were found."""
        near = self._near(unit, most)
        for place in np.flatnonzero(near):
            near[place] = not self._owners[place] <= found
        if not near.any():
            return set()
        mine, alike = coded_forms(unit), np.zeros(len(near), bool)
        for ours, rows in ((mine.heard, self._read), (mine.read, self._heard)):
            there, places = rows.of(near)
            at_most = most * np.maximum(ours.numbers[:, -1:], there.numbers[:, -1])
            skeletons = ours.skeletons, there.skeletons
            edits = cdist(*skeletons, scorer=Levenshtein.distance, score_cutoff=SKELETON_LIMIT, dtype=np.uint8)
            one, other = np.nonzero((edits <= SKELETON_LIMIT) & (lower_bounds(ours.numbers, there.numbers) <= at_most))
            cost = alignment_costs(ours.codes[one], ours.lengths[one], there.codes[other], there.lengths[other])
            alike[places[other[cost <= at_most[one, other] + _ROUNDED]]] = True
        return set[str]().union(*(self._owners[place] for place in np.flatnonzero(alike)))

    def _near(self, unit: str, most: float) -> Flags:
        """What may sound like it, whatever the order of the sounds."""
        there, mine = self._sounds.all, to_numbers(unit)[np.newaxis]
        return np.asarray(lower_bounds(mine, there)[0] <= most * np.maximum(there[:, -1], mine[:, -1]))


class _Rows:
    """An array that rows are added to."""

    def __init__(self, width: int, kind: type) -> None:
        self._array: np.ndarray[Any, Any] = np.empty((256, width), kind)
        self._size = 0

    @property
    def all(self) -> np.ndarray[Any, Any]:
        """Those that were added."""
        return self._array[: self._size]

    def append(self, rows: np.ndarray[Any, Any]) -> None:
        """Adds some."""
        while self._size + len(rows) > len(self._array):
            self._array = np.concatenate([self._array, np.empty_like(self._array)])
        self._array[self._size : self._size + len(rows)] = rows
        self._size += len(rows)


class _FormRows:
    """Forms of words, by the places of these."""

    def __init__(self) -> None:
        self._numbers = _Rows(4 * WIDTH + 1, np.float32)
        self._codes = _Rows(LONGEST, np.int8)
        self._lengths = _Rows(1, np.int64)
        self._skeletons = _Rows(1, object)
        self._places = _Rows(1, np.int64)

    def append(self, place: int, forms: Coded) -> None:
        """Adds those of one word."""
        self._numbers.append(forms.numbers)
        self._codes.append(forms.codes)
        self._lengths.append(forms.lengths[:, np.newaxis])
        self._skeletons.append(forms.skeletons[:, np.newaxis])
        self._places.append(np.full((len(forms.lengths), 1), place))

    def of(self, near: Flags) -> tuple[Coded, Codes]:
        """Those of some words, and of which each is."""
        places = self._places.all[:, 0]
        rows = np.flatnonzero(near[places])
        forms = Coded(
            self._numbers.all[rows], self._codes.all[rows], self._lengths.all[rows, 0], self._skeletons.all[rows, 0]
        )
        return forms, places[rows]
