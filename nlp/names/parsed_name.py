"""Parsing of names into words, without titles and generic words.

What belongs here: one name by itself. What does not: comparing two.
"""

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

from cleanco import basename

from hippograph.nlp.names.normalization import tables, words_of

POSSESSIVE: Final = re.compile(r"['’]s?$")
NUMERONYM: Final = re.compile(r"([a-z])(\d{1,2})([a-z])")
"""A word whose inner letters are counted: k8s."""
_OWNED: Final = re.compile(r"['’]s\s+\w")
_PLURAL: Final = re.compile(r"(?<=[a-rt-z]{3})s$|(?<=[sc]h)es$")
_DOTTED: Final = re.compile(r"\b(?:[^\W\d_]\.){2,}")
_HONORIFIC: Final = re.compile(r"(?<=\w)-(?:san|chan|kun|sama|sensei|senpai|ji|bhai|ben)$", re.IGNORECASE)
# Abbreviated van der: Hanneke v.d. Vliet.
_OF_THE: Final = re.compile(r"(?<!\S)v[./]?d[./]?\s+(?=[A-Z])")
# St for street: Harbour St, Harbour St car park; not Mont St Michel.
_STREET: Final = re.compile(r"(?<=\w )[Ss]t\b\.?(?=$|,| [a-z])")
_CACHED: Final = 20_000
_LONGEST_ACRONYM: Final = 6


@dataclass(frozen=True, slots=True)
class ParsedName:
    """A parsed name. `words` are without titles, generic and small words; `all_words` has them too. `titles` are those
    that were taken off. `generation` tells namesakes of a family apart: `1` (senior) to `4`, or "".
    """

    kind: str
    words: tuple[str, ...]
    titles: tuple[str, ...]
    generation: str
    all_words: tuple[str, ...]

    @property
    def joined(self) -> str:
        """The words without spaces between them."""
        return "".join(self.words)


def is_acronym(text: str) -> bool:
    """Whether a text is written like an acronym: short and in capitals."""
    return len(text) <= _LONGEST_ACRONYM and text.isupper()


@lru_cache(_CACHED)
def parse_name(text: str, kind: str) -> ParsedName:
    """Parses the name of an entity of type `kind` (`person`, `place` …). `words` is empty for somebody described
    by a possessive (Maya's landlord), and for a family (the Aigners).
    """
    if kind != "person":
        return _parse_thing(text, kind)
    if _OWNED.search(text):  # Maya's landlord is neither Maya nor another landlord
        return ParsedName(kind, (), (), "", words_of(text))
    return _parse_person(text)


def _parse_thing(text: str, kind: str) -> ParsedName:
    if kind == "organization":
        text = basename(text) or text
    words = words_of(_STREET.sub("street", _DOTTED.sub(lambda dotted: dotted[0].replace(".", ""), text)))
    words = tuple(tables()["shortened"].get(word, word) for word in words)
    little = {*tables()["generic"]["little"], *tables()["generic"][kind]}
    kept = [word for word in words if word not in little] or list(words)
    if len(kept) > 1 and all(len(word) == 1 for word in kept):
        kept = ["".join(kept)]
    if kept and kind in ("concept", "tool") and text[-1] != "S":
        kept[-1] = _PLURAL.sub("", kept[-1])
    return ParsedName(kind, tuple(kept), (), "", words)


def _parse_person(text: str) -> ParsedName:
    text = _OF_THE.sub("van der ", _HONORIFIC.sub("", text))
    if text.count(",") == 1:
        family, given = text.split(",")
        text = f"{given} {family}" if words_of(given) and words_of(given)[-1] not in tables()["generations"] else text
    whole = words_of(text)
    words = list(whole)
    generation = tables()["generations"].get(words[-1], "") if len(words) > 1 else ""
    if generation:
        words = words[:-1]
    words = words[:1] + [word for word in words[1:-1] if word not in tables()["titles"]["between"]] + words[1:][-1:]
    titles = []
    while len(words) > _least_beside(words[:1]) and words[0] in titles_of("all"):
        titles.append(words.pop(0))
    while len(words) > _least_beside(words[-1:]) and words[-1] in tables()["titles"]["after"]:
        titles.append(words.pop())
    if len(words) > 1 and all(len(word) == 1 for word in words):
        words = ["".join(words)]
    if titles[:1] == ["the"] and words[-1].endswith("s"):
        return ParsedName("person", (), (), "", whole)  # the Aigners are a family
    if text.isupper() and len(words) > 1 and len(words[0]) == 2:
        words = [*words[0], *words[1:]]
    return ParsedName("person", tuple(words), tuple(titles), generation, whole)


def _least_beside(title: list[str]) -> int:
    """Returns the minimum number of words that a name keeps besides a title: two if the title is a given name too, else
    one.
    """
    return 2 if title and title[0] in tables()["titles"]["borne"] else 1


@cache
def titles_of(which: str) -> frozenset[str]:
    """Returns the titles of one list (`female`, `male`, `any`), or of `all`."""
    titles = tables()["titles"]
    if which == "all":
        return frozenset({*titles["female"], *titles["male"], *titles["any"]})
    return frozenset(titles[which])
