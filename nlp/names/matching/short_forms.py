"""Given names: short forms and pet names of them, and whether two are of different sexes."""

import re
from functools import lru_cache
from typing import Final

from hippograph.nlp.names.listed import called, gender, is_given
from hippograph.nlp.names.matching.thresholds import LONG, SAME_SOUND, SHORT
from hippograph.nlp.names.phonetics import distance

# What a given name of the other sex adds: Martin and Martina, Stefan and Stefanie.
_FEMININE: Final = re.compile(r"a|i?e|y|i|o|in[ae]|ia|n[ae]|(?:et|t)t[ae]|pa|l?l[ae]")
# What makes a pet name of a part of a name, here and there.
_PET_NAME: Final = re.compile(
    r"(.{2,}?)(i|y|ie|ey|o|ek|ik|ka|[uy]+sh?k?a|[eo]?chka|zza|it[oa]|inh[oa]|chen|lein|l|[ej]?tje|je|ke|chan|kun|ji|u|us|is)"
)
_LITTLE: Final = frozenset(("i", "y", "ie", "ey"))
_CACHED: Final = 20_000


def other_sex(said: str, known: str) -> bool:
    """Whether two given names are of different sexes: Martin and Martina, Otto and Hannelore."""
    longer, shorter = sorted((said, known), key=len, reverse=True)
    if longer != shorter and longer.startswith(shorter) and _FEMININE.fullmatch(longer[len(shorter) :]):
        return distance(said, known) > SAME_SOUND or (
            is_given(said) and is_given(known) and gender(said) != gender(known)
        )
    return _of_both_sexes(said, known)


def _of_both_sexes(one: str, other: str) -> bool:
    return is_given(one) and is_given(other) and {gender(one), gender(other)} == {"female", "male"}


@lru_cache(_CACHED)
def short_for(short: str, name: str) -> bool:
    """Whether one is called the first for the second: listed, its beginning (Max), or a long end of it (Seun)."""
    if short in called(name):
        return True
    if short == name or _of_both_sexes(short, name):
        return False
    listed = is_given(short) and is_given(name)
    if len(short) >= SHORT and name.startswith(short) and len(name) - len(short) >= (SHORT if listed else 2):
        return not _FEMININE.fullmatch(name[len(short) :])
    return len(short) > SHORT and len(name) >= LONG - 1 and name.endswith(short) and not listed


@lru_cache(_CACHED)
def is_pet_name(short: str, name: str) -> bool:
    """Whether it is made of a part of the name, or of what one of this name is called, in one of the ways in which pet
    names are: Ibo of Ibrahim, Mishka of Misha. What is somebody's whole name may have got no ending but the commonest.
    """
    match = _PET_NAME.fullmatch(short)
    if not match or _of_both_sexes(short, name):
        return False
    stem, ending = match.groups()
    if is_given(short) and (len(stem) < SHORT or ending not in _LITTLE):
        return False
    if name.startswith(stem):
        return len(name) - len(stem) >= 2 or not is_given(short)
    if any(each.startswith(stem) for each in called(name)):
        return len(stem) >= SHORT
    return len(stem) >= SHORT and len(name) >= LONG and stem in name


def clipped(short: str, word: str) -> bool:
    """Whether a word is the other, or its beginning with three letters or more left out."""
    return short == word or (len(short) > SHORT and word.startswith(short) and len(word) >= len(short) + SHORT)
