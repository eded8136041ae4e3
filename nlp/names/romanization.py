"""Names of people that are written in Chinese characters, kana or Hangul, in Latin letters as they are read.

What belongs here: what Japanese and Koreans call themselves. What does not: Chinese names, which `nlp.names.phonetics`
reads.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

from anyascii import anyascii
from jaconv import kata2alphabet
from janome.tokenizer import Tokenizer

from nlp.names.phonetics import substituted, told

_CACHED: Final = 20_000
_JAPANESE: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]{2,8}")
_HANGUL: Final = re.compile(r"[\uac00-\ud7af]{3,5}")
_OF_PEOPLE: Final = "人名"


@dataclass(frozen=True, slots=True)
class Romanised:
    """A given name, how a family may write its own, and what is written in several ways in that tongue."""

    given: str
    families: tuple[str, ...]
    tongue: str

    def is_whole(self, words: Sequence[str]) -> bool:
        """Whether words in Latin letters are the whole name, in either order."""
        written, given = "".join(map(self._short, words)), self._short(self.given)
        return any(written in (given + family, family + given) for family in map(self._short, self.families))

    def is_given(self, words: Sequence[str]) -> bool:
        """Whether they are the given name."""
        return "".join(map(self._short, words)) == self._short(self.given)

    def is_family(self, words: Sequence[str]) -> bool:
        """Whether they are the family's name."""
        return "".join(map(self._short, words)) in map(self._short, self.families)

    def full(self) -> tuple[str, ...]:
        """The full name in the ways it may be written."""
        return tuple(f"{self.given} {family}" for family in self.families)

    def _short(self, latin: str) -> str:
        return substituted(latin, "written", self.tongue)


@lru_cache(_CACHED)
def romanised(name: str) -> Romanised | None:
    """How its bearer may say a full name: 佐藤健一 is Kenichi Sato. None for what is in other letters, or no name of a
    person by the dictionary.
    """
    bare = "".join(name.split())
    if _HANGUL.fullmatch(bare):
        return _korean(bare)
    return _japanese(bare) if _JAPANESE.fullmatch(bare) else None


def _korean(name: str) -> Romanised | None:
    """One syllable is the family's, but for a few of two; families do not write theirs by the letter, and 우 is woo."""
    families: dict[str, list[str]] = told()["hangul"]
    first = 2 if name[:2] in families else 1
    if name[:first] not in families:
        return None
    return Romanised(anyascii(name[first:]).replace("U", "woo").lower(), tuple(families[name[:first]]), "korean")


def _japanese(name: str) -> Romanised | None:
    """The dictionary knows names of families; behind one everything is the given name."""
    first, *rest = _tokenizer().tokenize(name)
    if not rest or _OF_PEOPLE not in first.part_of_speech or any(token.reading == "*" for token in (first, *rest)):
        return None
    given = kata2alphabet("".join(token.reading for token in rest))
    return Romanised(given, (kata2alphabet(first.reading),), "japanese")


@cache
def _tokenizer() -> Tokenizer:
    return Tokenizer()
