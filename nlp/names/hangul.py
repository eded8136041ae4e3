"""Korean names of people that are written in Hangul, in Latin letters.

What belongs here: names that their bearers write otherwise than letter by letter. What does not: all other scripts,
which `nlp.names.normalization` transliterates.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from anyascii import anyascii

from hippograph.nlp.names.normalization import substituted, tables

_CACHED: Final = 20_000
_HANGUL: Final = re.compile(r"[\uac00-\ud7af]{3,5}")


@dataclass(frozen=True, slots=True)
class Romanised:
    """A given name, and how a family may write its own."""

    given: str
    families: tuple[str, ...]

    def is_whole(self, words: Sequence[str]) -> bool:
        """Whether words in Latin letters are the whole name, in either order."""
        written, given = "".join(map(_short, words)), _short(self.given)
        return any(written in (given + family, family + given) for family in map(_short, self.families))

    def is_given(self, words: Sequence[str]) -> bool:
        """Whether they are the given name."""
        return "".join(map(_short, words)) == _short(self.given)

    def is_family(self, words: Sequence[str]) -> bool:
        """Whether they are the family's name."""
        return "".join(map(_short, words)) in map(_short, self.families)

    def full(self) -> tuple[str, ...]:
        """The full name in the ways it may be written."""
        return tuple(f"{self.given} {family}" for family in self.families)


@lru_cache(_CACHED)
def romanised(name: str) -> Romanised | None:
    """How its bearer may write a full name in Hangul: 김지우 is Ji-woo Kim. None for any other name.

    The first syllable is the family's, or the first two. Families do not write theirs letter by letter, and 우 is woo.
    """
    bare = "".join(name.split())
    families: dict[str, list[str]] = tables()["hangul"]
    first = 2 if bare[:2] in families else 1
    if not _HANGUL.fullmatch(bare) or bare[:first] not in families:
        return None
    return Romanised(anyascii(bare[first:]).replace("U", "woo").lower(), tuple(families[bare[:first]]))


def _short(latin: str) -> str:
    return substituted(latin, "written", "korean")
