"""Which of many names may be alike at all (W7): bounds that are cheap for many at once, before anything dear.

A bound never rules out what `nlp.names.matching` finds alike, so that decisions are those of comparing each with each.
What is not ruled out shares a key with the name (a word, a beginning, initials …), or may sound alike: what it costs to
turn the sounds of the one into those of the other is no more than `likeness` ever allows.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import accumulate
from typing import Any, Final

import numpy as np
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist

from nlp.names.listed import called
from nlp.names.matching import (
    HUMPS,
    POSSESSIVE,
    TakenApart,
    handle_of,
    is_acronym,
    looks_made,
    other_names,
    taken_apart,
)
from nlp.names.phonetics import (
    BONES,
    FIRST,
    bones_of,
    exchange,
    heard_of,
    is_word,
    loss,
    plain,
    sounds_of,
    whole_of,
    words_of,
)

_CACHED: Final = 20_000
# The farthest apart that parts of names may sound that `nlp.names.matching` finds alike, and a little more.
_MOST_IN_FULL: Final = 0.205
_MOST_OF_ONE: Final = 0.255
_MOST_ORDINARY: Final = 0.325
_MOST_OF_FAMILY: Final = 0.025
_MOST_OF_FIRST_WORD: Final = 0.095
_PHONES: Final = "abdefghiklmnoprstuvwyzCJNSTZ"
_OTHER: Final = len(_PHONES)
_WIDTH: Final = _OTHER + 1
_MOST_REJOINED: Final = 4
_LONG: Final = 6
_ODD: Final = re.compile(r"[\u0590-\u0dff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af@]")
_FURTHER: Final = re.compile(r" (?:from|on|at|in|the|who) ")
_SEPARATOR: Final = re.compile(r"[._-]")
_NUMERONYM: Final = re.compile(r"([a-z])(\d{1,2})([a-z])")

_LONGEST: Final = 64
_ROUNDED: Final = 1e-4

Numbers = np.ndarray[Any, np.dtype[np.float32]]
Codes = np.ndarray[Any, np.dtype[np.int8 | np.int64]]
Flags = np.ndarray[Any, np.dtype[np.bool]]
_Keys = Callable[[TakenApart, str], Iterator[str]]


class Screen:
    """Names of one sort of thing, to which more can be added, and which of them a name may mean."""

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._by_key = defaultdict[str, set[str]](set)
        self._all = set[str]()
        self._always = set[str]()
        self._parts = defaultdict[str, _Sounds](_Sounds)

    def add(self, one: str, names: Sequence[str], usernames: Sequence[str]) -> None:
        """Adds one under its id by its names, unless it is there."""
        if one in self._all:
            return
        self._all.add(one)
        if usernames or any(map(_ODD.search, names)):
            self._always.add(one)
            return
        known = _known(tuple(names), self._kind)
        for key in known.keys:
            self._by_key[key].add(one)
        for part, unit in known.units:
            self._parts[part].append(one, unit)

    def may_mean(self, text: str, *, by_sound: bool) -> set[str]:
        """The ids of those that a name may mean: it is like none of the others, or not but `by_sound`."""
        said = _said(text.strip().rstrip(":,;!?"), self._kind)
        if said is None:
            return self._all
        found = self._always.union(*(self._by_key[key] for key in said.keys if key in self._by_key))
        if by_sound:
            for part, unit, most in said.units:
                found |= self._parts[part].heard(unit, found, most)
        return found


class _Sounds:
    """One part of many names, each once with whose it is: what of them may sound like another."""

    def __init__(self) -> None:
        self._places: dict[str, int] = {}
        self._owners: list[set[str]] = []
        self._sounds = _Rows(4 * _WIDTH + 1, np.float32)
        self._heard = _FormRows()
        self._read = _FormRows()

    def append(self, owner: str, unit: str) -> None:
        """Adds that of one."""
        place = self._places.setdefault(unit, len(self._owners))
        if place < len(self._owners):
            self._owners[place].add(owner)
            return
        self._owners.append({owner})
        self._sounds.append(_sounding(unit)[np.newaxis])
        forms = _forms(unit)
        self._heard.append(place, forms.heard)
        self._read.append(place, forms.read)

    def heard(self, unit: str, found: set[str], most: float) -> set[str]:
        """Whose is no farther from it, beside those who were found."""
        near = self._near(unit, most)
        for place in np.flatnonzero(near):
            near[place] = not self._owners[place] <= found
        if not near.any():
            return set()
        mine, alike = _forms(unit), np.zeros(len(near), bool)
        for ours, rows in ((mine.heard, self._read), (mine.read, self._heard)):
            there, places = rows.of(near)
            at_most = most * np.maximum(ours.numbers[:, -1:], there.numbers[:, -1])
            apart = cdist(ours.bones, there.bones, scorer=Levenshtein.distance, score_cutoff=BONES, dtype=np.uint8)
            one, other = np.nonzero((apart <= BONES) & (_bound(ours.numbers, there.numbers) <= at_most))
            cost = _turned(ours.codes[one], ours.lengths[one], there.codes[other], there.lengths[other])
            alike[places[other[cost <= at_most[one, other] + _ROUNDED]]] = True
        return set[str]().union(*(self._owners[place] for place in np.flatnonzero(alike)))

    def _near(self, unit: str, most: float) -> Flags:
        """What may sound like it, whatever the order of the sounds."""
        there, mine = self._sounds.all, _sounding(unit)[np.newaxis]
        return np.asarray(_bound(mine, there)[0] <= most * np.maximum(there[:, -1], mine[:, -1]))


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
        self._numbers = _Rows(4 * _WIDTH + 1, np.float32)
        self._codes = _Rows(_LONGEST, np.int8)
        self._lengths = _Rows(1, np.int64)
        self._bones = _Rows(1, object)
        self._places = _Rows(1, np.int64)

    def append(self, place: int, forms: "_Coded") -> None:
        """Adds those of one word."""
        self._numbers.append(forms.numbers)
        self._codes.append(forms.codes)
        self._lengths.append(forms.lengths[:, np.newaxis])
        self._bones.append(forms.bones[:, np.newaxis])
        self._places.append(np.full((len(forms.lengths), 1), place))

    def of(self, near: Flags) -> tuple["_Coded", Codes]:
        """Those of some words, and of which each is."""
        places = self._places.all[:, 0]
        rows = np.flatnonzero(near[places])
        forms = _Coded(
            self._numbers.all[rows], self._codes.all[rows], self._lengths.all[rows, 0], self._bones.all[rows, 0]
        )
        return forms, places[rows]


def _bound(ones: Numbers, others: Numbers) -> Numbers:
    """What it costs at least to turn each of the ones into each of the others: what each of its sounds costs beside
    those of the other, the other way round too.
    """
    forth = ones[:, : 2 * _WIDTH] @ others[:, 2 * _WIDTH : -1].T
    back = ones[:, 2 * _WIDTH : -1] @ others[:, : 2 * _WIDTH].T
    return np.asarray(np.maximum(forth, back))


def _turned(ones: Codes, lengths: Codes, others: Codes, their_lengths: Codes) -> Numbers:
    """What it costs to turn one sound after the other into the other word's, pair by pair
    (`nlp.names.phonetics.apart`).
    """
    pairs, width = len(ones), int(their_lengths.max(initial=0))
    if not pairs:
        return np.empty(0, np.float32)
    lost = _losses()[others[:, :width]]
    lost[:, 0] *= FIRST
    added = np.concatenate([np.zeros((pairs, 1), np.float32), np.cumsum(lost, axis=1)], axis=1)
    least = added
    for row in range(int(lengths.max())):
        mine, first = ones[:, row], 1.0 if row else FIRST
        taken = _exchanges()[mine[:, np.newaxis], others[:, :width]]
        taken[:, 0] *= first
        following = least + (_losses()[mine] * first)[:, np.newaxis]
        following[:, 1:] = np.minimum(following[:, 1:], least[:, :-1] + taken)
        # Then whatever of the other word is lost, from any place on.
        following = added + np.minimum.accumulate(following - added, axis=1)
        least = np.where((row < lengths)[:, np.newaxis], following, least)
    costs: Numbers = least[np.arange(pairs), their_lengths]
    costs[np.maximum(lengths, their_lengths) == _LONGEST] = 0.0  # they may be longer
    return costs


@dataclass(frozen=True, slots=True)
class _Coded:
    """Forms of a word, a row each: in numbers (`_numbered`), as codes of their phones, how many these are, and without
    vowels.
    """

    numbers: Numbers
    codes: Codes
    lengths: Codes
    bones: np.ndarray[Any, np.dtype[np.object_]]


@dataclass(frozen=True, slots=True)
class _Forms:
    """How a word may be heard, and how it may be read."""

    heard: _Coded
    read: _Coded


@lru_cache(_CACHED)
def _forms(unit: str) -> _Forms:
    """Of words said in one breath, and written as one."""
    ways = {unit, unit.replace(" ", "")}
    return _Forms(
        _coded({form for each in ways for form in heard_of(each)}),
        _coded({form for each in ways for form in sounds_of(each)}),
    )


def _coded(forms: set[str]) -> _Coded:
    codes = np.zeros((len(forms), _LONGEST), np.int8)
    for row, form in enumerate(forms):
        codes[row, : min(len(form), _LONGEST)] = [_place(phone) for phone in form[:_LONGEST]]
    lengths = np.array([min(len(form), _LONGEST) for form in forms], np.int64)
    return _Coded(
        np.stack([_numbered([form]) for form in forms]), codes, lengths, np.array([*map(bones_of, forms)], object)
    )


@dataclass(frozen=True, slots=True)
class _Marks:
    """Under which keys a name is found, and what of it may be heard in another way, by which part it is."""

    keys: frozenset[str]
    units: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class _Said:
    """Under which keys a name is looked for, and what of it may be which part misheard, so far apart at most."""

    keys: frozenset[str]
    units: tuple[tuple[str, str, float], ...]


@lru_cache(_CACHED)
def _sounding(unit: str) -> Numbers:
    """What a word may sound like, in numbers."""
    ways = {unit, unit.replace(" ", "")}
    return _numbered({form for each in ways for form in (*heard_of(each), *sounds_of(each))})


def _numbered(forms: Collection[str]) -> Numbers:
    """How often each phone is there at least, and what each of another word costs beside these at least, once for the
    rest of a word and once for its first phone; and how much there is at most.
    """
    counts = np.min([_counts(form) for form in forms], axis=0)
    costs = np.min([_costs(form) for form in forms], axis=0)
    made: Numbers = np.concatenate([counts, costs, [max(map(whole_of, forms))]]).astype(np.float32)
    return made


def _place(phone: str) -> int:
    return _PHONES.find(phone) if phone in _PHONES else _OTHER


@lru_cache(_CACHED)
def _counts(heard: str) -> Numbers:
    counts = np.zeros(2 * _WIDTH, np.float32)
    for place, phone in enumerate(heard):
        counts[_place(phone) + (_WIDTH if place == 0 else 0)] += 1
    return counts


@lru_cache(_CACHED)
def _costs(heard: str) -> Numbers:
    """What each phone costs at least beside these: it is not heard, or taken for one of them."""
    table = _exchanges()
    places = [_place(phone) for phone in heard]
    rest = np.minimum(_losses(), table[:, places].min(axis=1))
    first = np.minimum(FIRST * _losses(), FIRST * table[:, places[0]])
    if len(places) > 1:
        first = np.minimum(first, table[:, places[1:]].min(axis=1))
    costs: Numbers = np.concatenate([rest, first]) - np.float32(1e-5)
    return costs


@cache
def _losses() -> Numbers:
    return np.array([*map(loss, _PHONES), 0.0], np.float32)


@cache
def _exchanges() -> Numbers:
    table = np.zeros((_WIDTH, _WIDTH), np.float32)
    for row, one in enumerate(_PHONES):
        for column, other in enumerate(_PHONES):
            table[row, column] = exchange(one, other)
    return table


# --- what a name is found by ---


@lru_cache(_CACHED)
def _said(text: str, kind: str) -> _Said | None:
    """Of a name that is said; None when it may be read in so many ways that nothing is ruled out."""
    if _ODD.search(text):
        return None
    keys: _Keys
    if kind == "person":
        if looks_made(text) or _FURTHER.search(text):
            return None
        parts = [taken_apart(POSSESSIVE.sub("", text), kind)]
        keys, units = _said_person, _units_of_said_person
    else:
        parts = [taken_apart(each, kind) for each in {text, POSSESSIVE.sub("", text)} if each]
        keys, units = _said_thing, _units_of_said_thing
    parts = [one for one in parts if one.words]
    return _Said(
        frozenset(key for one in parts for key in keys(one, text)),
        tuple({unit for one in parts for unit in units(one)}),
    )


@lru_cache(_CACHED)
def _known(names: tuple[str, ...], kind: str) -> _Marks:
    """Of a thing that goes by these names."""
    parts = [(one, name) for name in names if (one := taken_apart(name, kind)).words]
    keys: _Keys
    if kind == "person":
        words = [words_of(name) for name in names]
        full = next((each for each in words if len(each) > 1), None)
        parts += [
            (taken_apart(name, kind), name)
            for each in words
            if full and len(each) == 1
            for name in [f"{each[0]} {full[-1]}"]
        ]
        keys, units = _known_person, _units_of_known_person
    else:
        keys, units = _known_thing, _units_of_known_thing
    return _Marks(
        frozenset(key for one, name in parts for key in keys(one, name)),
        tuple({unit for one, _ in parts for unit in units(one)}),
    )


def _said_person(said: TakenApart, _text: str) -> Iterator[str]:
    yield from _of_person(said)
    words = said.words
    for turned in (words[1:] + words[:1], words[-1:] + words[:-1]):
        yield f"joined:{plain(''.join(turned))}"
    yield f"initials:{said.joined}"
    for word in (*words, *_begun(words)):
        yield f"short:{word}"
        yield from (f"long:{each}" for each in called(word))
    if len(words) == 1:
        yield f"two:{words[0][:2]}"
    else:
        yield f"username:{words[0]}{words[-1][:3]}"
        yield f"username:{words[0][0]}{words[-1]}"


def _known_person(known: TakenApart, name: str) -> Iterator[str]:
    yield from _of_person(known)
    words, first = known.words, known.words[0]
    initials = "".join(word[0] for word in words)
    yield from (f"initials:{initials[:end]}" for end in range(2, len(initials) + 1))
    for word in (*words, *_begun(words)):
        yield f"long:{word}"
        for each in called(word):
            yield f"short:{each}"
            yield f"three:{each[:3]}"
    yield f"two:{first[:2]}"
    yield from (f"three:{first[start : start + 3]}" for start in range(len(first) - 2))
    if len(words) == 1:
        bare = _SEPARATOR.sub("", handle_of(name))
        yield from (f"username:{bare[:end]}" for end in range(2, len(bare) + 1))


def _of_person(one: TakenApart) -> Iterator[str]:
    yield f"joined:{plain(one.joined)}"
    for word in (*one.words, *_begun(one.words), *_ended(one.words), one.joined):
        yield f"word:{plain(word)}"
        yield f"letters:{word[0]}{''.join(sorted(word))}"
        if len(word) > 2:
            yield f"three:{word[:3]}"
        if len(word) > 3:
            yield f"end:{word[-4:]}"


def _begun(words: tuple[str, ...]) -> list[str]:
    """The first words as one: given names may be parted otherwise."""
    return list(accumulate(words))[1:-1] if len(words) <= _MOST_REJOINED else ["".join(words[:2])]


def _ended(words: tuple[str, ...]) -> list[str]:
    """The last words as one, the family name of several too."""
    return ["".join(words[start:]) for start in range(1, len(words) - 1)] if len(words) <= _MOST_REJOINED else []


def _units_of_said_person(said: TakenApart) -> list[tuple[str, str, float]]:
    words, whole = said.words, " ".join(said.words)
    most = _MOST_ORDINARY if all(map(is_word, words)) else _MOST_OF_ONE
    if len(words) == 1:
        return [("first", whole, most), ("last", whole, _MOST_OF_FAMILY)]
    lasts = [("last", each, most) for each in (words[-1], *_ended(words))]
    return [("first", whole, most), ("whole", whole, _MOST_IN_FULL), *lasts]


def _units_of_known_person(known: TakenApart) -> list[tuple[str, str]]:
    words = known.words
    if len(words) == 1:
        return [("first", words[0])]
    firsts = [words[0], "".join(words[:2])] if len(words) > 2 else [words[0]]
    lasts = [words[-1], *_ended(words)]
    return [*(("first", each) for each in firsts), ("whole", " ".join(words)), *(("last", each) for each in lasts)]


def _said_thing(said: TakenApart, text: str) -> Iterator[str]:
    yield from _of_thing(said, text)
    yield from (f"other:{each}" for each in other_names(said.joined))
    for words in _worded(said, text):
        yield from (f"word:{run}" for run in _runs(words))
        yield from (f"initials:{word}" for word in words)
    yield from _numeronyms(said, "short", "long")
    yield f"of acronym:{said.all_words[0][0]}"
    if _may_be_acronym(said, text):
        yield f"acronym:{said.joined[0]}"


def _known_thing(known: TakenApart, name: str) -> Iterator[str]:
    yield from _of_thing(known, name)
    yield f"other:{known.joined}"
    yield from (f"joined:{plain(joined)}" for joined in accumulate(known.words))
    for words in _worded(known, name):
        yield from (f"initials:{run}" for run in _runs(words))
    yield from _numeronyms(known, "long", "short")
    yield f"acronym:{known.all_words[0][0]}"
    if _may_be_acronym(known, name):
        yield f"of acronym:{known.joined[0]}"


def _of_thing(one: TakenApart, text: str) -> Iterator[str]:
    first, joined = one.words[0], one.joined
    yield f"joined:{plain(joined)}"
    yield f"joined:{plain(first[0] + ''.join(one.words[1:]))}"
    for words in _worded(one, text):
        yield from (f"word:{word}" for word in words)
        yield f"four:{words[0][:4]}"
    yield f"four:{joined[:4]}"
    for word in (first, joined):
        if len(word) >= _LONG:
            yield f"three:{word[:3]}"
            yield f"end:{word[-3:]}"


def _worded(one: TakenApart, text: str) -> list[tuple[str, ...]]:
    """Its words: without small ones, all, and those that are inside others."""
    return [words for words in (one.words, one.all_words, words_of(HUMPS.sub(" ", text))) if words]


def _runs(words: tuple[str, ...]) -> Iterator[str]:
    """First letters of two words or more, in a row."""
    letters = "".join(word[0] for word in words)
    for start in range(len(letters)):
        yield from (letters[start:end] for end in range(start + 2, len(letters) + 1))


def _may_be_acronym(one: TakenApart, text: str) -> bool:
    return len(one.words) == 1 and is_acronym(text.removeprefix("the ").removesuffix("s"))


def _numeronyms(one: TakenApart, short: str, long: str) -> Iterator[str]:
    if len(one.all_words) == 1:
        word = one.all_words[0]
        yield f"numbered {long}:{word[0]}{len(word) - 2}{word[-1]}"
        if match := _NUMERONYM.fullmatch(word):
            yield f"numbered {short}:{match[1]}{int(match[2])}{match[3]}"


def _units_of_said_thing(said: TakenApart) -> list[tuple[str, str, float]]:
    whole, everything = " ".join(said.words), " ".join(said.all_words)
    units = [("whole", whole, _MOST_OF_ONE)]
    if everything != whole:
        units.append(("whole", everything, _MOST_IN_FULL))
    if len(said.words) > 1:
        units.append((f"first of {len(said.words)}", said.words[0], _MOST_OF_FIRST_WORD))
    return units


def _units_of_known_thing(known: TakenApart) -> list[tuple[str, str]]:
    first = [(f"first of {len(known.words)}", known.words[0])] if len(known.words) > 1 else []
    return [("whole", " ".join(known.words)), *first]
