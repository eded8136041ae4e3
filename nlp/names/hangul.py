"""Romanisation of Korean names of people that are written in Hangul.

What belongs here: names that their bearers do not transliterate letter by letter. What does not: all other scripts,
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
    """A Korean name in Latin letters: the given name, and the spellings of the family name that are in use."""

    given: str
    families: tuple[str, ...]

    def is_whole(self, words: Sequence[str]) -> bool:
        """Whether words in Latin letters are the full name, in either order. Spelling variants count as equal."""
        written, given = "".join(map(_short, words)), _short(self.given)
        return any(written in (given + family, family + given) for family in map(_short, self.families))

    def is_given(self, words: Sequence[str]) -> bool:
        """Whether words in Latin letters are the given name."""
        return "".join(map(_short, words)) == _short(self.given)

    def is_family(self, words: Sequence[str]) -> bool:
        """Whether words in Latin letters are the family name."""
        return "".join(map(_short, words)) in map(_short, self.families)

    def full(self) -> tuple[str, ...]:
        """Returns the full name once for each spelling of the family name, the given name first."""
        return tuple(f"{self.given} {family}" for family in self.families)


@lru_cache(_CACHED)
def romanised(name: str) -> Romanised | None:
    """Romanises a full name in Hangul: 김지우 is Ji-woo Kim. Returns None for any other name.

    The first syllable is the family name, or the first two. Spellings of family names come from `tables.toml`, since
    they are not letter by letter; 우 is written woo.
    """
    bare = "".join(name.split())
    families: dict[str, list[str]] = tables()["hangul"]
    first = 2 if bare[:2] in families else 1
    if not _HANGUL.fullmatch(bare) or bare[:first] not in families:
        return None
    return Romanised(anyascii(bare[first:]).replace("U", "woo").lower(), tuple(families[bare[:first]]))


def _short(latin: str) -> str:
    return substituted(latin, "written", "korean")
