"""Reads the word lists of `lexicon.toml` and the phrases of `phrases.toml`; nothing else belongs here."""

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
    """The word lists by name; `spelling` maps misspelled words to their correct form."""

    words: dict[str, frozenset[str]]
    spelling: dict[str, str]


@cache
def lexicon() -> Lexicon:
    """Returns the lists of `lexicon.toml`, read once."""
    data = tomllib.loads((_FOLDER / "lexicon.toml").read_text("utf-8"))
    return Lexicon({name: frozenset(listed.split()) for name, listed in data["words"].items()}, data["spelling"])


def phrases(name: str) -> list[str]:
    """Returns the phrases of a list of `phrases.toml`, in order."""
    return " ".join(_phrases()[name].split()).split(", ")


@cache
def _phrases() -> dict[str, str]:
    return tomllib.loads((_FOLDER / "phrases.toml").read_text("utf-8"))


def lemma(token: "Token") -> str:
    """Returns spaCy's lemma of a token, with known errors corrected."""
    return _LEMMAS.get(token.lemma_, token.lemma_)
