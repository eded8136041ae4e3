"""How the words of names look without their script and accents, and how they sound.

What belongs here: single words. What does not: names of several words, and who bears a name (`nlp.names.listed`).
"""

import re
import sqlite3
import tomllib
import unicodedata
from collections import defaultdict
from collections.abc import Sequence
from contextlib import closing
from functools import cache, lru_cache
from importlib.resources import as_file, files
from itertools import accumulate
from pathlib import Path
from string import ascii_letters, digits
from typing import Any, Final

from anyascii import anyascii
from rapidfuzz.distance import Levenshtein

_FILE: Final = Path(__file__).with_name("matching.toml")
_CACHED: Final = 50_000
_WORD: Final = re.compile(r"[a-z0-9+#]+")
_DIGRAPHS: Final = re.compile(r"([aou])e")
_VOWELS: Final = re.compile(r"[aeiouhy]")
_FARTHEST: Final = 0.5
"""Words that sound farther apart than this have nothing in common."""
BONES: Final = 2
"""So many consonants may differ before a closer look is not worth it."""
FIRST: Final = 1.8
"""How a word begins is heard best."""
_GLIDES: Final = frozenset(("uw", "ow", "iy", "ey"))
_DOUBLED: Final = re.compile(r"(.)\1+")
_FINAL: Final = str.maketrans("AEIOUKGWY", "aeioukgwy")
_CLASSES: Final = str.maketrans("vbpwdtTkgszSZCJmn", "fffftttkkssssssnn")
_GREEK: Final = re.compile(r"[\u0370-\u03ff]")
_UNVOWELLED: Final = re.compile(r"[\u0590-\u0dff]")


@cache
def told() -> dict[str, Any]:
    """What `matching.toml` says."""
    return tomllib.loads(_FILE.read_text("utf-8"))


def substituted(text: str, section: str, which: str) -> str:
    """A text after one list of substitutions of `matching.toml`, step by step."""
    for pattern, replacement in _patterns(section, which):
        text = pattern.sub(replacement, text)
    return text


@lru_cache(_CACHED)
def words_of(text: str) -> tuple[str, ...]:
    """The words of a name in lower-case Latin letters without accents: "Юлия" is `yuliya`, "Müller" is `muller`."""
    text = unicodedata.normalize("NFKC", text)
    latin = "".join(_latin(character) for character in (_from_greek(text) if _GREEK.search(text) else text))
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
    read = word if reading == "english" else substituted(word, "sounds", reading)
    return _DOUBLED.sub(r"\1", substituted(read, "sounds", "english").translate(_FINAL)) or word


@lru_cache(_CACHED)
def sounds_of(text: str) -> tuple[str, ...]:
    """How a word, or several said in one breath, may sound: to English ears first, as other tongues read it, and as a
    dictionary has it.
    """
    return tuple(dict.fromkeys([*_readings(text), *_spoken(text)]))


@lru_cache(_CACHED)
def heard_of(text: str, *, as_written: bool = False) -> frozenset[str]:
    """How English ears may write a word down, or several said in one breath, and as a dictionary has it (not
    `as_written`).
    """
    word = text.replace(" ", "")
    return frozenset((sound(word), sound(word, "phonetic"), *(() if as_written else _spoken(text))))


def is_word(word: str) -> bool:
    """Whether it is an English word, or a name that is well known where English is spoken."""
    return word in _pronounced()


def skeleton(word: str) -> str:
    """The consonants of a word as it sounds to English ears, those that are easily mistaken for each other as one."""
    return bones_of(sound(word)) or sound(word)[:1]


@lru_cache(_CACHED)
def skeletons(word: str) -> frozenset[str]:
    """Its consonants as it may sound; one alone tells nothing, but where English ears hear no more."""
    return frozenset(bones for bones in map(bones_of, sounds_of(word)) if len(bones) > 1) | {skeleton(word)}


@lru_cache(_CACHED)
def apart(one: str, other: str, *, as_written: bool = False) -> float:
    """How far apart two words sound, or several said in one breath, 0 when they are heard the same: one as English ears
    write it down, or as it is written, the other as it may be read, or as a dictionary has it (not `as_written`); 0.5
    for words that have nothing in common.

    What it costs to turn the sounds of the one into those of the other, those made alike for less, as in G. Kondrak, "A
    new algorithm for the alignment of phonetic sequences" (2000).
    """
    if one == other:
        return 0.0
    least, read_as = _FARTHEST, _readings if as_written else sounds_of
    for mine, theirs in ((one, other), (other, one)):
        for heard in heard_of(mine, as_written=as_written):
            for read in read_as(theirs):
                if Levenshtein.distance(bones_of(heard), bones_of(read), score_cutoff=BONES) <= BONES:
                    least = min(least, _turned(heard, read, least))
    return least


def _from_greek(text: str) -> str:
    bare = "".join(each for each in unicodedata.normalize("NFD", text.lower()) if not unicodedata.combining(each))
    return substituted(bare, "greek", "digraphs")


def _latin(character: str) -> str:
    """A letter in Latin; of a script that writes no spaces each is a word of its own."""
    if character.isascii():
        return character
    if unicodedata.category(character) == "So":
        return " "  # emoji
    latin = anyascii(character)
    return f" {latin} " if "\u2e80" <= character <= "\u9fff" else latin


@lru_cache(_CACHED)
def _readings(text: str) -> tuple[str, ...]:
    word = text.replace(" ", "")
    return tuple(dict.fromkeys(sound(one, reading) for one in (word, plain(word)) for reading in told()["sounds"]))


def _spoken(text: str) -> tuple[str, ...]:
    """How words are pronounced, one after the other; of several those that are in no dictionary as they are read."""
    words = text.split()
    if len(words) == 1:
        return _pronounced().get(text, ())
    return (_DOUBLED.sub(r"\1", "".join((*_pronounced().get(word, ()), sound(word))[0] for word in words)),)


@cache
def _pronounced() -> dict[str, tuple[str, ...]]:
    """How the words of a dictionary of English sound, well-known names among them: Siobhan, Worcester, Siemens."""
    phones, found = told()["phones"]["ipa"], defaultdict[str, dict[str, None]](dict)
    with (
        as_file(files("gruut_lang_en") / "lexicon.db") as file,
        closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as lexicon,
    ):
        for text, pronounced in lexicon.execute("SELECT word, phonemes FROM word_phonemes ORDER BY pron_order"):
            heard = "".join(phones[phone.lstrip("ˈˌ")] for phone in pronounced.split())
            if len(words := words_of.__wrapped__(text)) == 1:  # or they would push out of the cache what is asked for
                found[words[0]][_DOUBLED.sub(r"\1", heard)] = None
    return {word: tuple(heard) for word, heard in found.items()}


@cache
def _patterns(section: str, which: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(pattern), replacement) for pattern, replacement in told()[section][which])


@lru_cache(_CACHED)
def bones_of(heard: str) -> str:
    """The consonants, those that are easily mistaken for each other as one."""
    return _DOUBLED.sub(r"\1", _VOWELS.sub("", heard).translate(_CLASSES))


def loss(phone: str) -> float:
    """What it costs not to hear a sound."""
    return _lost()[phone]


def exchange(one: str, other: str) -> float:
    """What it costs to take a sound for another one."""
    return _exchanged(one)[other]


def _turned(one: str, other: str, most: float) -> float:
    """What it costs to turn one sound after the other into another word's, as a share of what there is; `most` when it
    costs as much at least.
    """
    if one == other:
        return 0.0
    whole = max(whole_of(one), whole_of(other))
    if abs(whole_of(one) - whole_of(other)) >= most * whole:
        return most
    lost = [_lost()[phone] for phone in other]
    lost[0] *= FIRST
    least = [0.0, *accumulate(lost)]
    for row, mine in enumerate(one):
        first = 1.0 if row else FIRST
        gone = _lost()[mine] * first
        before, least = least, [least[0] + gone]
        costs = _exchanged(mine)
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
def whole_of(heard: str) -> float:
    """How much there is of a sound: what it costs not to hear any of it."""
    return sum(_lost()[phone] for phone in heard)


@cache
def _lost() -> defaultdict[str, float]:
    """What it costs not to hear a sound."""
    return defaultdict(lambda: 0.8, told()["phones"]["faint"])


@cache
def _exchanged(one: str) -> dict[str, float]:
    """What it costs to take a sound for each other one."""
    return {other: _exchange(one, other) for other in ascii_letters + digits + "+#"}


def _exchange(one: str, other: str) -> float:
    if one == other:
        return 0.0
    vowels, consonants = told()["phones"]["vowels"], told()["phones"]["consonants"]
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
