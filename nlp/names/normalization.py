"""Transliteration of names in any script into words of lower-case Latin letters.

What belongs here: how names are written, and the tables of `tables.toml`. What does not: how they sound.
"""

import re
import tomllib
import unicodedata
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final

from anyascii import anyascii

_FILE: Final = Path(__file__).with_name("tables.toml")
_CACHED: Final = 50_000
_WORD: Final = re.compile(r"[a-z0-9+#]+")
_DIGRAPHS: Final = re.compile(r"([aou])e")
_GREEK: Final = re.compile(r"[\u0370-\u03ff]")
# The boundary of two words that are written as one: JavaScript, JPMorgan.
_HUMPS: Final = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_UNVOWELLED: Final = re.compile(r"[\u0590-\u0dff]")


@cache
def tables() -> dict[str, Any]:
    """Returns the content of `tables.toml`."""
    return tomllib.loads(_FILE.read_text("utf-8"))


def substituted(text: str, section: str, which: str) -> str:
    """Returns a text after one list of substitutions of `tables.toml`, applied in order."""
    for pattern, replacement in _patterns(section, which):
        text = pattern.sub(replacement, text)
    return text


@lru_cache(_CACHED)
def words_of(text: str) -> tuple[str, ...]:
    """Returns the words of a name in lower-case ASCII without accents: "Юлия" is `yuliya`, "Müller" is `muller`."""
    text = unicodedata.normalize("NFKC", text)
    latin = "".join(_latin(character) for character in (_from_greek(text) if _GREEK.search(text) else text))
    latin = latin.replace("&", " and ").replace("'", "").replace("’", "").replace("`", "")
    return tuple(_WORD.findall(latin.lower()))


def inner_words(text: str) -> tuple[str, ...]:
    """Returns the words of a name, split at inner capitals too: `java` and `script` for JavaScript."""
    return words_of(_HUMPS.sub(" ", text))


def omits_vowels(text: str) -> bool:
    """Whether a text has characters of a script that omits vowels."""
    return bool(_UNVOWELLED.search(text))


def plain(word: str) -> str:
    """Returns a word without the e of umlauts that are written out: `muller` for `mueller`."""
    return _DIGRAPHS.sub(r"\1", word)


def _from_greek(text: str) -> str:
    bare = "".join(each for each in unicodedata.normalize("NFD", text.lower()) if not unicodedata.combining(each))
    return substituted(bare, "greek", "digraphs")


def _latin(character: str) -> str:
    """Transliterates a character. In scripts without spaces each becomes a word of its own. An emoji is a space."""
    if character.isascii():
        return character
    if unicodedata.category(character) == "So":
        return " "  # emoji
    latin = anyascii(character)
    return f" {latin} " if "\u2e80" <= character <= "\u9fff" else latin


@cache
def _patterns(section: str, which: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(pattern), replacement) for pattern, replacement in tables()[section][which])
