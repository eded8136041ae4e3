"""Short forms and pet names of given names, and whether two given names are of different sexes."""

import re
from functools import lru_cache
from typing import Final

from hippograph.nlp.names.listed import called, gender, is_given
from hippograph.nlp.names.matching.thresholds import LONG, SAME_SOUND, SHORT
from hippograph.nlp.names.phonetics import distance

# Endings that turn a given name into one of the other sex: Martin and Martina, Stefan and Stefanie.
_FEMININE: Final = re.compile(r"a|i?e|y|i|o|in[ae]|ia|n[ae]|(?:et|t)t[ae]|pa|l?l[ae]")
# A pet name: a part of a name (first group) and an ending, of several languages.
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
    """Whether the first is short for the second: listed, its beginning (Max), or a long ending of it (Seun)."""
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
    """Whether the first is a pet name of the second: a part of it, or of one of its short forms, with a usual ending
    (Ibo of Ibrahim, Mishka of Misha). A listed given name counts only with one of the commonest endings (`_LITTLE`).
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
    """Whether a word is the other, or a beginning of four letters or more with at least three left out."""
    return short == word or (len(short) > SHORT and word.startswith(short) and len(word) >= len(short) + SHORT)
