"""What is known of words: the lists of `lexicon.toml` and the phrases of `phrases.toml`.

What belongs here: reading the files.
"""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from spacy.tokens import Token

_FOLDER: Final = Path(__file__).parent
_LEMMAS: Final = {"hat": "hate", "'ve": "have", "’ve": "have", "'s": "be", "’s": "be", "'m": "be", "’m": "be"}


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Lists of words by name, and spellings."""

    words: dict[str, frozenset[str]]
    spelling: dict[str, str]


@cache
def lexicon() -> Lexicon:
    """Read once."""
    data = tomllib.loads((_FOLDER / "lexicon.toml").read_text("utf-8"))
    return Lexicon({name: frozenset(listed.split()) for name, listed in data["words"].items()}, data["spelling"])


def phrases(name: str) -> list[str]:
    """The phrases of a list, in their order."""
    return " ".join(_phrases()[name].split()).split(", ")


@cache
def _phrases() -> dict[str, str]:
    return tomllib.loads((_FOLDER / "phrases.toml").read_text("utf-8"))


def lemma(token: "Token") -> str:
    """spaCy's lemma, where it is right."""
    return _LEMMAS.get(token.lemma_, token.lemma_)
