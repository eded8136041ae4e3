"""The sounds of the words of names, and phonetic distances between words.

What belongs here: single words, or several that are spoken together. What does not: who bears a name
(`nlp.names.listed`), and whether two names may be of one thing (`nlp.names.matching`).
"""

import re
import sqlite3
from collections import defaultdict
from collections.abc import Sequence
from contextlib import closing
from functools import cache, lru_cache
from importlib.resources import as_file, files
from itertools import accumulate
from string import ascii_letters, digits
from typing import Final

from rapidfuzz.distance import Levenshtein

from hippograph.nlp.names.normalization import plain, substituted, tables, words_of

_CACHED: Final = 50_000
_VOWELS: Final = re.compile(r"[aeiouhy]")
_MAX_DISTANCE: Final = 0.5
"""The distance of words that have nothing in common."""
_SKELETON_LIMIT: Final = 2
"""Maximum edit distance of the consonant skeletons of two words that are aligned."""
_INITIAL_WEIGHT: Final = 1.8
"""Factor for differences in the first sound, which is heard best."""
_GLIDES: Final = frozenset(("uw", "ow", "iy", "ey"))
_HALF_VOWELS: Final = re.compile(r"[yw]")
_ARTICLE: Final = re.compile(r"^a?l(?=[^aeiou]{2})")
_DOUBLED: Final = re.compile(r"(.)\1+")
_FINAL: Final = str.maketrans("AEIOUKGWY", "aeioukgwy")
_CLASSES: Final = str.maketrans("vbpwdtTkgszSZCJmn", "fffftttkkssssssnn")


@lru_cache(_CACHED)
def sound(word: str, reading: str = "english") -> str:
    """Returns the sounds, in English, of a word that is read by the rules of the language `reading`."""
    read = word if reading == "english" else substituted(word, "sounds", reading)
    return _DOUBLED.sub(r"\1", substituted(read, "sounds", "english").translate(_FINAL)) or word


@lru_cache(_CACHED)
def sounds_of(text: str) -> tuple[str, ...]:
    """Returns the ways in which a word, or several that are spoken together, may sound: first as read in English, then
    as read in other languages, then by a dictionary.
    """
    return tuple(dict.fromkeys([*_readings(text), *_spoken(text)]))


@lru_cache(_CACHED)
def heard_as(text: str, *, as_written: bool = False) -> frozenset[str]:
    """Returns the sounds that an English-speaking listener may have meant by a spelling: as read in English, or as
    written phonetically; unless `as_written`, also by a dictionary.
    """
    word = text.replace(" ", "")
    return frozenset((sound(word), sound(word, "phonetic"), *(() if as_written else _spoken(text))))


def is_word(word: str) -> bool:
    """Whether a word is in the dictionary: an English word, or a name that is well known in English."""
    return word in _pronounced()


def skeleton(word: str) -> str:
    """Returns the consonant skeleton of a word as read in English: its consonants, with one symbol for those that are
    easily confused. A word without consonants has its first sound.
    """
    return _consonants_of(sound(word)) or sound(word)[:1]


@lru_cache(_CACHED)
def skeletons(word: str) -> frozenset[str]:
    """Returns the consonant skeletons of all ways in which a word may sound. Those of one consonant tell too little and
    are left out, except the one as read in English.
    """
    return frozenset(each for each in map(_consonants_of, sounds_of(word)) if len(each) > 1) | {skeleton(word)}


def written_skeletons(word: str) -> frozenset[str]:
    """Returns the consonant skeletons of a word for scripts that omit vowels: without y and w, and also without v or
    the article. There y, w and v may stand for vowels.
    """
    bare = _HALF_VOWELS.sub("", word)
    return skeletons(bare) | skeletons(bare.replace("v", "")) | skeletons(_ARTICLE.sub("", bare))


@lru_cache(_CACHED)
def distance(one: str, other: str, *, as_written: bool = False) -> float:
    """Returns the phonetic distance of two words, or of several that are spoken together: 0 if they sound the same, 0.5
    if they have nothing in common.

    The distance is the cost of turning the sounds of one word into those of the other, as a share of the whole. Sounds
    that are articulated alike cost less, as in G. Kondrak, "A new algorithm for the alignment of phonetic sequences"
    (2000). The minimum over the possible sounds counts: of one word those of `heard_as`, of the other those of
    `sounds_of`. With `as_written`, dictionary pronunciations are not considered.
    """
    if one == other:
        return 0.0
    least, read_as = _MAX_DISTANCE, _readings if as_written else sounds_of
    for mine, theirs in ((one, other), (other, one)):
        for heard in heard_as(mine, as_written=as_written):
            for read in read_as(theirs):
                consonants = _consonants_of(heard), _consonants_of(read)
                if Levenshtein.distance(*consonants, score_cutoff=_SKELETON_LIMIT) <= _SKELETON_LIMIT:
                    least = min(least, _alignment_cost(heard, read, least))
    return least


@lru_cache(_CACHED)
def _readings(text: str) -> tuple[str, ...]:
    word = text.replace(" ", "")
    return tuple(dict.fromkeys(sound(one, reading) for one in (word, plain(word)) for reading in tables()["sounds"]))


def _spoken(text: str) -> tuple[str, ...]:
    """Returns the dictionary pronunciations of a word. Of several words it returns one for all together; words that are
    not in the dictionary are read in English.
    """
    words = text.split()
    if len(words) == 1:
        return _pronounced().get(text, ())
    return (_DOUBLED.sub(r"\1", "".join((*_pronounced().get(word, ()), sound(word))[0] for word in words)),)


@cache
def _pronounced() -> dict[str, tuple[str, ...]]:
    """Returns the pronunciations of the words of an English dictionary, which has well-known names (Siobhan)."""
    phones, found = tables()["phones"]["ipa"], defaultdict[str, dict[str, None]](dict)
    with (
        as_file(files("gruut_lang_en") / "lexicon.db") as file,
        closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as lexicon,
    ):
        for text, pronounced in lexicon.execute("SELECT word, phonemes FROM word_phonemes ORDER BY pron_order"):
            heard = "".join(phones[phone.lstrip("ˈˌ")] for phone in pronounced.split())
            if len(words := words_of.__wrapped__(text)) == 1:  # uncached, to keep names in the cache
                found[words[0]][_DOUBLED.sub(r"\1", heard)] = None
    return {word: tuple(heard) for word, heard in found.items()}


@lru_cache(_CACHED)
def _consonants_of(heard: str) -> str:
    """Returns the consonants, with one symbol for those that are easily confused."""
    return _DOUBLED.sub(r"\1", _VOWELS.sub("", heard).translate(_CLASSES))


def _alignment_cost(one: str, other: str, most: float) -> float:
    """Returns the cost of the best alignment of two words' sounds, as a share of the larger total; `most` if the cost
    is at least that.
    """
    if one == other:
        return 0.0
    whole = max(_total_cost(one), _total_cost(other))
    if abs(_total_cost(one) - _total_cost(other)) >= most * whole:
        return most
    lost = [_deletion_costs()[phone] for phone in other]
    lost[0] *= _INITIAL_WEIGHT
    least = [0.0, *accumulate(lost)]
    for row, mine in enumerate(one):
        first = 1.0 if row else _INITIAL_WEIGHT
        gone = _deletion_costs()[mine] * first
        before, least = least, [least[0] + gone]
        costs = _substitution_costs(mine)
        for place, theirs in enumerate(other):
            least.append(
                min(
                    before[place] + costs[theirs] * (first if place == 0 else 1.0),
                    before[place + 1] + gone,
                    least[place] + lost[place],
                )
            )
        if min(least) >= most * whole:
            return most
    return least[-1] / whole


@lru_cache(_CACHED)
def _total_cost(heard: str) -> float:
    """Returns the total cost of missing all sounds of a word."""
    return sum(_deletion_costs()[phone] for phone in heard)


@cache
def _deletion_costs() -> defaultdict[str, float]:
    """Returns the cost of missing each sound."""
    return defaultdict(lambda: 0.8, tables()["phones"]["faint"])


@cache
def _substitution_costs(one: str) -> dict[str, float]:
    """Returns the cost of confusing a sound with each other one."""
    return {other: _substitution_cost(one, other) for other in ascii_letters + digits + "+#"}


def _substitution_cost(one: str, other: str) -> float:
    if one == other:
        return 0.0
    vowels, consonants = tables()["phones"]["vowels"], tables()["phones"]["consonants"]
    if one in vowels and other in vowels:
        high, back = _differences(vowels[one], vowels[other])
        return 0.4 * high + 0.25 * back
    if one in vowels or other in vowels:
        return 0.2 if f"{one}{other}" in _GLIDES or f"{other}{one}" in _GLIDES else 1.2
    if one not in consonants or other not in consonants:
        return 1.0  # digits
    place, manner, voice, nose = _differences(consonants[one], consonants[other])
    return min(1.2, 0.05 + 0.9 * place + 0.6 * manner + 0.2 * voice + 0.5 * nose)


def _differences(one: Sequence[float], other: Sequence[float]) -> list[float]:
    return [abs(a - b) for a, b in zip(one, other, strict=True)]
