"""Names found by the trained tagger: which tokens of a text form a name, and what the name is of.

What belongs here: turning a text into tokens and features of their spelling, and the tagger's probabilities into names.
What does not: training the tagger (`scripts.train_frames`), and what is done with a name (`nlp.names.recognition`).
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Final, Literal, get_args

import numpy as np

from hippograph.nlp.models.encoder import Tokens, Vector, encoded
from hippograph.nlp.models.tagger import SHAPES, run
from hippograph.nlp.names.listed import is_ambiguous, is_family, is_given, is_place
from hippograph.nlp.names.normalization import tables, words_of
from hippograph.nlp.names.parsed_name import titles_of
from hippograph.nlp.parsing.lexicon import lexicon

Sort = Literal["person", "animal", "place", "organization", "project", "tool", "other"]
"""Label of a name: what it is the name of."""
SORTS: Final[tuple[Sort, ...]] = get_args(Sort)
LEAST: Final = 0.5
"""Minimum probability that a word is part of a name for it to be taken as one."""
LEAST_IN_SMALL: Final = 0.75
"""The same minimum for a word in lower case."""
SURE: Final = 0.95
"""Minimum probability of each word of a name for the name to be sure (`Tagged.sure`)."""
SURE_IF_KNOWN: Final = 0.8
"""The same minimum for a name whose sort the lists decide (`_listed`), or that they know as a given name or a place."""
_INSIDE: Final = frozenset({" ", "-", "'", "’", "", " - "})
"""Texts that may separate two words of one name."""
_AND: Final = " & "
"""Separator of two words of a firm's name, or of two people."""
_BEHIND_INITIALS: Final = frozenset({".", ". "})
_INITIALS: Final = re.compile(r"(?:[^\W\d_]\.)*[^\W\d_]|St|Dr")
"""Beginnings of a name that continues after a full stop: J.K. Rowling, St. Pölten."""
_LONGEST: Final = 1_200
"""Maximum number of characters that are tagged together."""
_KEPT: Final = 2_000
"""Number of texts whose names are cached."""
_ENDS: Final = ".!?…\n:"
_LONGEST_PLACE: Final = 3
"""Maximum number of words of a place name that is looked up."""
_WORD: Final = re.compile(r"[^\W_]+")
_WORD_BEFORE: Final = re.compile(r"([\w-]+)\.?\s$")
_ALONG: Final = re.compile(r"\b(?:along|across|up|down) the\s$", re.IGNORECASE)
_WORD_BEHIND: Final = re.compile(r"\s([a-z]+)\b")
_OWNED: Final = re.compile(r"['’]s\b")
_LONGEST_WORD_BEFORE: Final = len("great-grandmother ")
_LEARNED: Final = frozenset({"dr", "doctor", "prof", "professor"})


Spotted = tuple[int, int, str]
"""A named entity that spaCy found: start and end (exclusive) in characters, and its label."""
_SPOTTED: Final = {"PERSON": 0, "GPE": 1, "LOC": 1, "FAC": 1, "ORG": 2}
_OTHER: Final = 3


@dataclass(frozen=True, slots=True)
class Tagged:
    """A name that the tagger found, from `start` up to `end` (characters). `certainty` is the probability of its sort,
    0 to 1, and 1 where lists decide the sort. With `sure` it is almost certainly a name.
    """

    start: int
    end: int
    sort: Sort
    certainty: float
    sure: bool


@dataclass(frozen=True, slots=True)
class Tokenized:
    """A part of a text as tokens: their `ids`, where each begins and ends in the text (characters), and the features of
    their spelling, (tokens, 15).
    """

    ids: Tokens
    starts: Tokens
    ends: Tokens
    shapes: Vector


def tokenized(text: str, spans: Sequence[Spotted]) -> Iterator[Tokenized]:
    """Yields the parts of a text, cut where sentences or words end. `spans` are the entities that spaCy found."""
    start = 0
    while start < len(text):
        end = _cut(text, start)
        ids, starts, ends = encoded(text[start:end])
        starts, ends = tuple(start + each for each in starts), tuple(start + each for each in ends)
        yield Tokenized(ids, starts, ends, _shapes(text, starts, ends, spans))
        start = end


@lru_cache(maxsize=_KEPT)
def tagged(folder: Path, text: str, spans: tuple[Spotted, ...]) -> tuple[Tagged, ...]:
    """Returns the names in a text, as the tagger in `folder` finds them. `spans` are the entities that spaCy found, one
    feature among others. Results are cached, because a turn is read for its names and soon after for its facts.
    """
    return tuple(_read(folder, text, spans))


def _read(folder: Path, text: str, spans: Sequence[Spotted]) -> Iterator[Tagged]:
    for part in tokenized(text, spans):
        means = np.full((1, len(part.ids)), 1 / len(part.ids), np.float32)
        [classes] = run(folder, ["names"], part.ids, means, part.shapes)
        for start, end, sort, certainty, probability in found(text, part, classes):
            if _is_of_the_body(text, start, end):
                continue
            listed = _listed(text, start, end, sort)
            known = listed or _is_known(words_of(text[start:end]))
            sure = probability >= (SURE_IF_KNOWN if known else SURE)
            yield Tagged(start, end, listed or sort, 1.0 if listed else certainty, sure)


def found(text: str, part: Tokenized, probabilities: Vector) -> Iterator[tuple[int, int, Sort, float, float]]:
    """Yields the names in a part of a text: start, end, sort, the probability of that sort given that it is a name, and
    the probability that it is a name, which is the lowest of its words (both 0 to 1).

    `probabilities` holds those of the classes of each token, (tokens, 15). The first class means outside a name; each
    sort has two, for the first token of a name and for a further one. A word belongs to a name as a whole, and the
    words of a name are adjacent.
    """
    start = end = 0
    sorts, least = np.zeros(len(SORTS), np.float32), 1.0
    for first, last, word in _words(text, part, probabilities):
        written, probable = text[first:last], float(word.sum())
        if not written.isalnum() or probable < (LEAST_IN_SMALL if written.islower() else LEAST):
            continue
        between = text[end:first]
        initial = _INITIALS.fullmatch(text, start, end) and between in _BEHIND_INITIALS
        if end and not initial and between not in _INSIDE and not (between == _AND and _are_firms(sorts, word)):
            yield start, end, *_likeliest(sorts), least
            end = 0
        if not end:
            start, sorts, least = first, np.zeros(len(SORTS), np.float32), 1.0
        end, sorts, least = last, sorts + word, min(least, probable)
    if end:
        yield start, end, *_likeliest(sorts), least


def _are_firms(*sorts: Vector) -> bool:
    return all(_likeliest(each)[0] == "organization" for each in sorts)


def _likeliest(sorts: Vector) -> tuple[Sort, float]:
    place = int(sorts.argmax())
    return SORTS[place], float(sorts[place] / sorts.sum())


def _listed(text: str, start: int, end: int, sort: Sort) -> Sort | None:
    """Returns the sort of a name if lists decide it, else None.

    A name with a title, or after a kinship word, is a person; after a kinship word it may be a firm (our client
    Siemens). A name with a digit is no person (A1c). A name before a landform is a place (Kozjak waterfall), unless it
    is a single given name (I took Tom mountain biking). So are what one goes along (along the Mur), a street
    (Lendplatz), and a listed city or country whose name is no given or family name.
    """
    before = _WORD_BEFORE.search(text, max(0, start - _LONGEST_WORD_BEFORE), start)
    word = before[1].lower() if before else ""
    if word in _titles() or (word in lexicon().words["kin"] and sort != "organization"):
        return "person"
    name = text[start:end]
    words = words_of(name)
    if len(words) > 1 and words[0] in _titles():
        return "person"
    if sort == "person" and any(map(str.isdigit, name)):
        return "other"
    behind = _WORD_BEHIND.match(text, end)
    if behind and behind[1] in _landforms() and not (len(words) == 1 and is_given(words[0])):
        return "place"
    if _ALONG.search(text, max(0, start - _LONGEST_WORD_BEFORE), start) or name.lower().endswith(_streets()):
        return "place"
    nobodys = words and not is_given(words[0]) and not any(map(is_family, words))
    return "place" if nobodys and is_place(words) else None


def _is_known(words: tuple[str, ...]) -> bool:
    """Whether lists know a name as a given name or a place, and not all of its words are ambiguous."""
    return bool(words) and (is_given(words[0]) or is_place(words)) and not all(map(is_ambiguous, words))


def _is_of_the_body(text: str, start: int, end: int) -> bool:
    """Whether a name is that of an illness or a part of the body: Hashimoto's, my left Achilles."""
    word, known = text[start:end].lower(), lexicon().words
    owned = _OWNED.match(text, end) is not None and f"{word}'s" in known["conditions"]
    return owned or word in known["body"]


@cache
def _landforms() -> frozenset[str]:
    return frozenset(tables()["generic"]["landforms"])


@cache
def _streets() -> tuple[str, ...]:
    return tuple(tables()["generic"]["streets"])


@cache
def _titles() -> frozenset[str]:
    """Titles of people that are not given names too."""
    return (titles_of("female") | titles_of("male") | _LEARNED) - frozenset(tables()["titles"]["borne"])


def _words(text: str, part: Tokenized, probabilities: Vector) -> Iterator[tuple[int, int, Vector]]:
    """Yields start and end of each word, and for each sort the probability that the word is part of such a name."""
    place, last = 1, len(part.ids) - 1  # the first and the last token mark the beginning and the end
    while place < last:
        first = place
        place += 1
        while place < last and text[part.ends[place - 1] - 1 : part.starts[place] + 1].isalnum():
            place += 1
        sorts = probabilities[first:place, 1:].reshape(place - first, len(SORTS), 2).sum(axis=2).mean(axis=0)
        yield part.starts[first], part.ends[place - 1], sorts


def _cut(text: str, start: int) -> int:
    """Returns the end of the part from `start`: after a sentence if one ends in its second half, else after a word."""
    if len(text) - start <= _LONGEST:
        return len(text)
    part = text[start : start + _LONGEST]
    sentence = max(part.rfind(mark) for mark in (". ", "! ", "? ", "\n"))
    cut = sentence if sentence > _LONGEST // 2 else part.rfind(" ")
    return start + (cut + 1 if cut > 0 else _LONGEST)


def _shapes(text: str, starts: Sequence[int], ends: Sequence[int], spans: Sequence[Spotted]) -> Vector:
    """Returns the features of each token, (tokens, 15), each 0 or 1.

    Spelling: the token begins a word; its word begins with a capital, is all capitals, has a digit, has a capital after
    the first letter, begins a sentence; the text has capitals at all. Lists: its word is a given name, a family name,
    part of a place name (alone or with the words beside it), or ambiguous. spaCy: it is part of the name of a person, a
    place, an organization, or something else.
    """
    spotted = {}
    for first, last, label in spans:
        for at in range(first, last):
            spotted[at] = _SPOTTED.get(label, _OTHER)
    shapes = np.zeros((len(starts), SHAPES), np.float32)
    cased = any(map(str.isupper, text[:_LONGEST]))
    words = [match.span() for match in _WORD.finditer(text, min(starts), max(ends))]
    places = _in_places(text, words)
    begins = [first for first, _ in words]
    for place, (start, end) in enumerate(zip(starts, ends, strict=True)):
        number = bisect_right(begins, start) - 1
        if start == end or number < 0 or words[number][1] <= start:
            continue
        first, last = words[number]
        word = text[first:last]
        plain = word.casefold()
        before = text[max(0, first - 3) : first].rstrip(" \"'“‘*_(")
        shapes[place] = (
            start == first,
            word[:1].isupper(),
            len(word) > 1 and word.isupper(),
            any(map(str.isdigit, word)),
            any(map(str.isupper, word[1:])),
            not before or before[-1] in _ENDS,
            cased,
            is_given(plain),
            is_family(plain),
            number in places,
            is_ambiguous(plain),
            *(spotted.get(start) == each for each in range(_OTHER + 1)),
        )
    return shapes


def _in_places(text: str, words: Sequence[tuple[int, int]]) -> set[int]:
    """Returns the indexes of the words that are the name of a place, alone or with those beside them."""
    plain = [text[first:last].casefold() for first, last in words]
    return {
        number
        for size in range(1, _LONGEST_PLACE + 1)
        for first in range(len(plain) - size + 1)
        if is_place(tuple(plain[first : first + size]))
        for number in range(first, first + size)
    }
