"""How names look without their script and accents, how they sound, and which are names that people are given.

What belongs here: single words. What does not: names of several words, and who is meant by one.
"""

import importlib
import pkgutil
import re
import tomllib
import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final, Literal

from anyascii import anyascii
from nicknames import NickNamer
from rapidfuzz.distance import OSA, Levenshtein

Gender = Literal["female", "male"]

_FILE: Final = Path(__file__).with_name("likeness.toml")
_CACHED: Final = 50_000
_WORD: Final = re.compile(r"[a-z0-9+#]+")
_CASES: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")
_DIGRAPHS: Final = re.compile(r"([aou])e")
_VOWELS: Final = re.compile(r"[aeiou]")
_CLASSES: Final = str.maketrans("vbpdtkgszSCJjmn", "fffttkksssssjnn")
_UNVOWELLED: Final = re.compile(r"[\u0590-\u0dff]")


@cache
def told() -> dict[str, Any]:
    """What `likeness.toml` says."""
    return tomllib.loads(_FILE.read_text("utf-8"))


@lru_cache(_CACHED)
def words_of(text: str) -> tuple[str, ...]:
    """The words of a name in lower-case Latin letters without accents: "Юлия" is `yuliya`, "Müller" is `muller`."""
    latin = "".join(_latin(character) for character in unicodedata.normalize("NFKC", text))
    latin = latin.replace("&", " and ").replace("'", "").replace("’", "").replace("`", "")
    return tuple(_WORD.findall(latin.lower()))


def unvowelled(text: str) -> bool:
    """Whether it is written in a script that leaves vowels out."""
    return bool(_UNVOWELLED.search(text))


def plain(word: str) -> str:
    """A word without the second letter of an umlaut that was written out: `mueller` is `muller`."""
    return _DIGRAPHS.sub(r"\1", word)


@lru_cache(_CACHED)
def sound(word: str, reading: str = "english") -> str:
    """How a word sounds to English ears, when it is read as a word of that tongue."""
    if reading != "english":
        word = _substituted(word, reading)
    return _substituted(plain(word), "english") or word


@lru_cache(_CACHED)
def skeleton(word: str) -> str:
    """The consonants of a word as it sounds, those that are easily mistaken for each other as one."""
    heard = sound(word)
    return re.sub(r"(.)\1+", r"\1", _consonants(heard)) or heard[:1]


@lru_cache(_CACHED)
def sounds_like(one: str, other: str) -> float:
    """How much two words sound alike, 0 to 1; 1 when they are heard the same."""
    if one == other:
        return 1.0
    readings = told()["sounds"]
    heard = {(sound(one), sound(other, reading)) for reading in readings}
    heard |= {(sound(one, reading), sound(other)) for reading in readings}
    return max(_heard_alike(a, b) for a, b in heard)


@lru_cache(_CACHED)
def is_given(word: str) -> bool:
    """Whether people are given this name somewhere."""
    return word in _given() or bool(_nicknames().canonicals_of(word) or _nicknames().nicknames_of(word))


def is_family(word: str) -> bool:
    """Whether families have this name somewhere."""
    return word in _families()


def gender(word: str) -> Gender | None:
    """Who bears a given name, if it is one sex alone; a name in no list tells by its ending."""
    borne = _given().get(word)
    if borne is None:
        return "female" if word.endswith("a") else "male" if word.endswith("o") else None
    return borne or None


@lru_cache(_CACHED)
def called(name: str) -> frozenset[str]:
    """What somebody of this given name is called for short: `robert` is `bob` and `rob`.

    What is as long as the name and no pet name (Rupert, Robert) is rather another's.
    """
    listed = _nicknames().nicknames_of(name)
    short = {word for word in listed if len(word) < len(name) - 1 or word.endswith(("y", "ie"))}
    return frozenset(short).union(told()["called"].get(name, ()))


def _latin(character: str) -> str:
    """A letter in Latin; of a script that writes no spaces each is a word of its own."""
    if character.isascii():
        return character
    latin = anyascii(character)
    return f" {latin} " if "\u2e80" <= character <= "\u9fff" else latin


def _substituted(word: str, reading: str) -> str:
    for pattern, replacement in _patterns(reading):
        word = pattern.sub(replacement, word)
    return word


@cache
def _patterns(reading: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(pattern), replacement) for pattern, replacement in told()["sounds"][reading])


def _consonants(heard: str) -> str:
    return _VOWELS.sub("", heard).translate(_CLASSES)


def _heard_alike(one: str, other: str) -> float:
    if one == other:
        return 1.0
    whole = OSA.normalized_similarity(one, other)
    bones = Levenshtein.normalized_similarity(_consonants(one), _consonants(other))
    return 0.5 * whole + 0.5 * bones


@cache
def _nicknames() -> NickNamer:
    return NickNamer()


@cache
def _given() -> dict[str, Gender | Literal[""]]:
    """The given names of many countries, and whether women or men alone bear them."""
    girls, boys = set(_listed("first_names_female")), set(_listed("first_names_male"))
    both = set(_listed("first_names")) - girls - boys
    found: dict[str, Gender | Literal[""]] = dict.fromkeys(girls - boys, "female")
    return found | dict.fromkeys(boys - girls, "male") | dict.fromkeys(both | girls & boys, "")


@cache
def _families() -> frozenset[str]:
    return frozenset(_listed("last_names"))


def _listed(what: str) -> Iterator[str]:
    """The names of one sort that Faker knows, which makes persons up in the names of their countries."""
    import faker.providers.person as persons

    for module in pkgutil.iter_modules(persons.__path__):
        provider = importlib.import_module(f"{persons.__name__}.{module.name}").Provider
        listed = getattr(provider, what, ())
        for name in listed if isinstance(listed, list | tuple | dict) else ():
            if len(words := words_of(name)) == 1:
                yield words[0]
