"""How the names of people that are written in Chinese characters, kana or Hangul are read, in Latin letters.

What belongs here: what Japanese and Koreans call themselves. What does not: Chinese names, which `nlp.sounds` reads.
"""

import re
from functools import cache, lru_cache
from typing import Final

from anyascii import anyascii
from jaconv import kata2alphabet
from janome.tokenizer import Tokenizer

from nlp.sounds import told

_CACHED: Final = 20_000
_JAPANESE: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]{2,8}")
_HANGUL: Final = re.compile(r"[\uac00-\ud7af]{2,5}")
_LONG: Final = re.compile(r"(?<=o)[uo]|(?<=u)u")
_OF_PEOPLE: Final = "人名"


@lru_cache(_CACHED)
def readings(name: str) -> tuple[str, ...]:
    """A full name as its bearer may say it, the given name first and last: 佐藤健一 is Kenichi Sato and Sato Kenichi.

    Nothing for what is in other letters, or no name of a person by the dictionary.
    """
    bare = "".join(name.split())
    if _HANGUL.fullmatch(bare):
        family, given = _korean(bare)
    elif _JAPANESE.fullmatch(bare):
        family, given = _japanese(bare)
    else:
        return ()
    return (f"{given} {family}", f"{family} {given}") if family and given else ()


def _korean(name: str) -> tuple[str, str]:
    """One syllable is the family's, but for a few of two; families are not written by the letter, nor is 우."""
    families = told()["hangul"]
    first = 2 if name[:2] in families and len(name) > 2 else 1
    family, given = anyascii(name[:first]), anyascii(name[first:]).replace("U", "woo")
    return families.get(name[:first], family.lower()), given.lower()


def _japanese(name: str) -> tuple[str, str]:
    """The dictionary knows names of families; behind one everything is the given name."""
    first, *rest = _tokenizer().tokenize(name)
    if _OF_PEOPLE not in first.part_of_speech or any(token.reading == "*" for token in (first, *rest)):
        return "", ""
    return _latin(first.reading), _latin("".join(token.reading for token in rest))


def _latin(katakana: str) -> str:
    """Long vowels are written as short ones: サトウ is Sato."""
    return _LONG.sub("", kata2alphabet(katakana).replace("-", ""))


@cache
def _tokenizer() -> Tokenizer:
    return Tokenizer()
