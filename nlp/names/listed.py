"""Look-ups of names of people and places, in lists beside this module and a library of nicknames.

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
    """Whether a word is a given name in some country, or a nickname."""
    return word in _people().given or bool(_nicknames().canonicals_of(word) or _nicknames().nicknames_of(word))


def is_family(word: str) -> bool:
    """Whether a word is a family name in some country."""
    return word in _people().families


def gender(word: str) -> Gender | None:
    """Returns the sex of those who bear a given name, None if it is of both or unknown. A name in no list is judged by
    its ending (-a, -o).
    """
    if word in _people().given:
        return _people().sexes.get(word)
    return "female" if word.endswith("a") else "male" if word.endswith("o") else None


def are_neighbours(one: str, other: str) -> bool:
    """Whether some country has both names as given names, or both as family names."""
    people = _people()
    return any(_share(listed.get(one, ""), listed.get(other, "")) for listed in (people.given, people.families))


@lru_cache(_CACHED)
def called(name: str) -> frozenset[str]:
    """Returns the short forms of a given name: `bob` and `rob` for `robert`.

    A listed form must not be of the other sex. It must be at least two letters shorter than the name, or end in -y or
    -ie; otherwise it is more likely another name (Rupert and Robert).
    """
    listed = {word for word in _nicknames().nicknames_of(name) if {gender(word), gender(name)} != {"female", "male"}}
    short = {word for word in listed if len(word) < len(name) - 1 or word.endswith(("y", "ie"))}
    return frozenset(short) | _called().get(sound(name), frozenset())


def is_shared(words: tuple[str, ...]) -> bool:
    """Whether several places of similar size have this name: true of Cambridge and Georgia, false of Paris."""
    return bool(_places().get(" ".join(words)))


def is_place(words: tuple[str, ...]) -> bool:
    """Whether a city of 15,000 people or more, a country or a state of the United States has this name."""
    return " ".join(words) in _places()


def is_ambiguous(name: str) -> bool:
    """Whether a name could be something else: all its words are common words or well-known places (Will, Florence, Will
    Grant), several places share it, or it is a word that `other_names` lists.
    """
    words = tuple(slug(name).split("_"))
    small = _ambiguous()
    return is_shared(words) or bool(other_names(" ".join(words))) or small.issuperset(words)


def other_names(thing: str) -> frozenset[str]:
    """Returns the other names of a thing, in other languages or for short, and the name itself: `munchen` for `munich`.
    Names are in lower case, without spaces. Empty if none are listed.
    """
    return _other_names().get(thing, frozenset())


@dataclass(frozen=True, slots=True)
class _People:
    """Given names and family names, each with the codes of its countries, separated by spaces; and the sex of each
    given name that only one sex bears.
    """

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
    """Returns the names of places, each with `shared` if several places of similar size have it, else with ""."""
    return dict(_rows("places.csv"))


def _rows(name: str) -> list[list[str]]:
    """Returns the rows of a list, without the line that names its source and the line of column names."""
    with (_FOLDER / name).open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))[2:]


def _share(countries: str, others: str) -> bool:
    return not set(countries.split()).isdisjoint(others.split())


@cache
def _called() -> defaultdict[str, frozenset[str]]:
    """Returns the short forms of `tables.toml`, by the sound of the given name: Dmitri and Dmitrii have the same."""
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
