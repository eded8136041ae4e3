"""Comparison by sound of people's names of one word, and of misspelt words: whether one may be the other misheard.

What belongs here: given names and family names by themselves, with the maximum distances. What does not: full names
(`nlp.names.matching.people`).
"""

import re
from collections.abc import Callable
from typing import Final

from rapidfuzz.distance import OSA

from hippograph.nlp.names.listed import are_neighbours, is_family, is_given
from hippograph.nlp.names.matching.likeness import NONE, Likeness, Needs
from hippograph.nlp.names.matching.short_forms import other_sex
from hippograph.nlp.names.matching.thresholds import (
    LONG,
    MAX_DISTANCE,
    MAX_FAMILY,
    MAX_FROM_KNOWN,
    MAX_WHERE_LONG,
    MAX_WHERE_SHORT,
    NEVER,
    SAME_SOUND,
    SHORT,
)
from hippograph.nlp.names.normalization import plain
from hippograph.nlp.names.phonetics import distance, is_word, sound, sounds_of

_VOWEL: Final = re.compile(r"[aeiou]")
_INITIALS: Final = tuple(map(frozenset, ("ckq", "cgjyz", "cs", "fp", "iy", "vw", "xs", "xz", "aeiou")))
"""Letters that may stand for the same sound."""
_DISTINGUISHING: Final = frozenset("aeio")
"""Final vowels that distinguish two names."""


def begin_alike(one: str, other: str) -> bool:
    """Whether two words begin with the same letter, or with letters that may stand for one sound."""
    return one[0] == other[0] or any({one[0], other[0]} <= initials for initials in _INITIALS)


def is_ordinary(word: str) -> bool:
    """Whether a word is English and no listed name of people."""
    return is_word(word) and not is_given(word) and not is_family(word)


def first_heard(said: str, first: str, *, most: float = MAX_DISTANCE) -> Likeness:
    """Compares a word with a first name of which it may be a mishearing. `most` is the maximum distance."""
    far = given_distance(said, first) if len(said) > 2 else None
    if far is None or far > most:
        return NONE
    return Likeness(0.85 - far / 2, Needs.CHAT, "a name that sounds alike", heard=True)


def family_distance(said: str, known: str) -> float | None:
    """Returns the distance of two family names; None if neither can be the other misheard."""
    if plain(said) == plain(known):
        return 0.0
    if is_family(said) and is_family(known):
        most = _between_known(said, known, MAX_WHERE_SHORT)
    else:
        most = MAX_WHERE_SHORT if min(len(said), len(known)) <= SHORT else MAX_FAMILY
    far = distance(said, known, as_written=_both_at_home(is_family, said, known))
    return max(far, SAME_SOUND) if far <= most else _mistyped(said, known, is_family)


def _both_at_home(listed: Callable[[str], bool], said: str, known: str) -> bool:
    """Whether two names are listed for one country, where people tell them apart however alike they sound."""
    return listed(said) and listed(known) and are_neighbours(said, known)


def _between_known(said: str, known: str, elsewhere: float) -> float:
    """Returns the maximum distance at which two listed names can be one: `NEVER` if their beginnings or endings tell
    them apart, `elsewhere` if no country has both. Where a country has both, they must sound the same, or be so long
    that one is more likely a misspelling of the other.
    """
    if not begin_alike(said, known):
        return NEVER
    if _ends_otherwise(said, known) and sound(said) != sound(known):
        return NEVER
    if not are_neighbours(said, known):
        return elsewhere
    if said[-1] == known[-1] and min(len(said), len(known)) >= LONG:
        return MAX_FAMILY if misspelt(said, known) else MAX_WHERE_LONG
    return SAME_SOUND


def respelt_distance(said: str, known: str) -> float | None:
    """Returns the distance of two given names whose family names sound the same, one of them in an unlisted spelling:
    whoever spelt the family name by ear probably spelt the given name by ear too. None if they cannot be one name.
    """
    if other_sex(said, known) or not begin_alike(said, known) or _ends_otherwise(said, known):
        return None
    far = distance(said, known)
    return far if far <= MAX_FROM_KNOWN else None


def _ends_otherwise(said: str, known: str) -> bool:
    """Whether two names differ by a distinguishing ending: Lena and Lene, Luka and Lukas."""
    other = said[-1] != known[-1] and {said[-1], known[-1]} <= _DISTINGUISHING
    return other or said.startswith(known) or known.startswith(said)


def given_distance(said: str, known: str, *, most: float = MAX_DISTANCE) -> float | None:
    """Returns the distance of two given names; None if neither can be the other misheard. Two listed names that sound
    different are taken for those of two people.
    """
    if plain(said) == plain(known):
        return 0.0
    if other_sex(said, known):
        return None
    if is_given(said) and is_given(known):
        most = min(most, _between_known(said, known, MAX_FROM_KNOWN))
    elif min(len(sounds_of(said)[0]), len(sounds_of(known)[0])) <= SHORT:
        most = MAX_WHERE_SHORT
    elif is_given(said) or _ends_otherwise(said, known):
        most = MAX_FROM_KNOWN
    if said.startswith(known) or known.startswith(said):
        most = min(most, SAME_SOUND)
    far = distance(said, known, as_written=_both_at_home(is_given, said, known))
    return far if far <= most else _mistyped(said, known, is_given)


def _mistyped(said: str, known: str, listed: Callable[[str], bool]) -> float | None:
    """Returns a distance if two words differ in two exchanged letters and `said` is no listed name; else None."""
    exchanged = said[0] == known[0] and sorted(said) == sorted(known) and OSA.distance(said, known) == 1
    return MAX_WHERE_SHORT if exchanged and len(said) > SHORT and not listed(said) else None


def misspelt(one: str, other: str) -> bool:
    """Whether one word is the plural of the other, or both have at least `LONG` letters and differ by one edit: a
    letter added, left out or replaced, or two exchanged. With one letter less, only another inner vowel counts, which
    is hardly heard.
    """
    least = min(len(one), len(other))
    if least > SHORT and (one == f"{other}s" or other == f"{one}s"):
        return True
    if least < LONG - 1 or OSA.distance(one, other, score_cutoff=1) > 1:
        return False
    return least >= LONG or (one[-1] == other[-1] and _VOWEL.sub("_", one) == _VOWEL.sub("_", other))
