"""Names that people and places are known to have, from lists beside this module and a library of short forms.

What belongs here: looking a name up. What does not: how it sounds, and what it means. The lists are made by
`scripts/list_names.py`; their first lines name their sources.
"""

import csv
import sys
from collections import defaultdict
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Final, Literal

from nicknames import NickNamer

from hippograph.nlp.names.normalization import tables
from hippograph.nlp.names.phonetics import sound
from hippograph.nlp.text import slug

Gender = Literal["female", "male"]

_FOLDER: Final = Path(__file__).parent
_CACHED: Final = 50_000
_SEXES: Final[dict[str, Gender]] = {"female": "female", "male": "male"}


@lru_cache(_CACHED)
def is_given(word: str) -> bool:
    """Whether people are given this name somewhere."""
    return word in _people().given or bool(_nicknames().canonicals_of(word) or _nicknames().nicknames_of(word))


def is_family(word: str) -> bool:
    """Whether families have this name somewhere."""
    return word in _people().families


def gender(word: str) -> Gender | None:
    """Who bears a given name, if it is one sex alone; the ending decides for a name in no list."""
    if word in _people().given:
        return _people().sexes.get(word)
    return "female" if word.endswith("a") else "male" if word.endswith("o") else None


def are_neighbours(one: str, other: str) -> bool:
    """Whether there is a country where people are given both names, or families have both."""
    people = _people()
    return any(_share(listed.get(one, ""), listed.get(other, "")) for listed in (people.given, people.families))


@lru_cache(_CACHED)
def called(name: str) -> frozenset[str]:
    """What somebody of this given name is called for short: `robert` is `bob` and `rob`.

    What is as long as the name and no pet name (Rupert, Robert) is rather another's.
    """
    listed = {word for word in _nicknames().nicknames_of(name) if {gender(word), gender(name)} != {"female", "male"}}
    short = {word for word in listed if len(word) < len(name) - 1 or word.endswith(("y", "ie"))}
    return frozenset(short) | _called()[sound(name)]


def is_shared(words: tuple[str, ...]) -> bool:
    """Whether several places that are about as big have this name: Cambridge and Georgia, but not Paris."""
    return bool(_places().get(" ".join(words)))


def is_place(words: tuple[str, ...]) -> bool:
    """Whether a larger city, a country or a state of the United States has this name."""
    return " ".join(words) in _places()


def is_ambiguous(name: str) -> bool:
    """Whether a name is a common word or a known place too, or made of nothing else: Will, Florence, Will Grant."""
    words = tuple(slug(name).split("_"))
    small = _ambiguous()
    return is_shared(words) or bool(other_names(" ".join(words))) or small.issuperset(words)


def other_names(thing: str) -> frozenset[str]:
    """What a place, an organisation or a law is called in other tongues."""
    return _other_names().get(thing, frozenset())


@dataclass(frozen=True, slots=True)
class _People:
    """Given names and family names, with the countries where people have them; and given names of one sex alone."""

    given: dict[str, str]
    families: dict[str, str]
    sexes: dict[str, Gender]


@cache
def _people() -> _People:
    people = _People({}, {}, {})
    for name, use, countries in _rows("people.csv"):
        (people.families if use == "family" else people.given)[name] = sys.intern(countries)
        if sex := _SEXES.get(use):
            people.sexes[name] = sex
    return people


@cache
def _ambiguous() -> frozenset[str]:
    generic = tables()["generic"]
    return frozenset(tables()["ambiguous"]["words"]) | frozenset(generic["little"]) | frozenset(generic["where"])


@cache
def _places() -> dict[str, str]:
    """The names of places; what is said of one that several share is not empty."""
    return dict(_rows("places.csv"))


def _rows(name: str) -> list[list[str]]:
    """The rows of a list, without the line that names its source and the names of its columns."""
    with (_FOLDER / name).open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))[2:]


def _share(countries: str, others: str) -> bool:
    return not set(countries.split()).isdisjoint(others.split())


@cache
def _called() -> defaultdict[str, frozenset[str]]:
    """What people are called by how their names sound: Dmitri is Dmitry and Dmitrii."""
    called: defaultdict[str, frozenset[str]] = defaultdict(frozenset)
    for name, short in tables()["called"].items():
        called[sound(name)] |= frozenset(short)
    return called


@cache
def _other_names() -> dict[str, frozenset[str]]:
    found = defaultdict[str, set[str]](set)
    for names in tables()["also"]["called"]:
        for name in names:
            found[name].update(names)
    return {name: frozenset(names) for name, names in found.items()}


@cache
def _nicknames() -> NickNamer:
    return NickNamer()
