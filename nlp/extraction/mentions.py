"""Mentions: somebody or something that was named in a talk, for which a pronoun may stand."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from hippograph.nlp.parsing.wording import IT

SHE: Final = {"she", "her", "hers", "herself"}
HE: Final = {"he", "him", "his", "himself"}


@dataclass(frozen=True, slots=True)
class Mention:
    """Somebody or something that was named: by what name, in which turn, sentence and place, and how one refers to it.

    `sort` is "person" (`gender` she, he, or empty where either will do), "thing", "group", or "firm", which is both.
    """

    name: str
    turn: int
    sentence: int
    at: int
    sort: str = "person"
    gender: str = ""
    leads: bool = False

    def fits(self, pronoun: str) -> bool:
        """Whether a pronoun may stand for it."""
        if pronoun in SHE | HE:
            return self.sort == "person" and self.gender in ("", "she" if pronoun in SHE else "he")
        return self.sort in ({"thing", "firm"} if pronoun in IT else {"group", "firm"})


def distinct(mentions: Sequence[Mention]) -> list[str]:
    """The names, of which one that is part of another is the same: Olga, Olga Lindt."""
    names = list(dict.fromkeys(each.name for each in mentions))
    return [name for name in names if not any(name != other and name in other for other in names)]
