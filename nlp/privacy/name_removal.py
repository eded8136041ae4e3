"""Removes the names of a person from texts (M13)."""

import re
from collections.abc import Iterable
from typing import Final
from urllib.parse import quote, unquote

from hippograph.nlp.text import WORD_BEGIN, WORD_END

REMOVED: Final = "[name removed]"
"""Replacement for a removed name."""

_PARTS: Final = re.compile(r"[^\W_]+")
_SHORTEST: Final = 2
_APOSTROPHE: Final = re.compile("['’]")
_WORD: Final = re.compile(r"\S+")
_CODED: Final = re.compile(r"%[0-9A-Fa-f]{2}")


def names_pattern(names: Iterable[str], as_written: Iterable[str] = ()) -> re.Pattern[str] | None:
    """Returns a pattern for any of the names as whole words, in any case, None if there is nothing to look for. Between
    their parts it allows one to three characters other than letters and digits, so that `Ada Byron` is found in
    `ada_byron` too. Longer names come first.

    A username (`@will`) is found only with its sign. Names in `as_written` are found only in exactly this form, so that
    `Will` is not found in `I will`; but an apostrophe may be straight or curly.
    """
    names = list(names)
    folded = {(each[:1] == "@", *_PARTS.findall(each)) for name in names for each in _folded(name)}
    any_case = {
        ("@" if handle else "@?") + r"[\W_]{1,3}".join(map(re.escape, parts))
        for handle, *parts in folded
        if len("".join(parts)) >= _SHORTEST
    }
    exact = {_APOSTROPHE.sub(_APOSTROPHE.pattern, re.escape(name)) for name in as_written if len(name) >= _SHORTEST}
    kinds = [("(?i:", any_case), ("(?:", exact)]
    found = [start + "|".join(sorted(each, key=lambda one: (-len(one), one))) + ")" for start, each in kinds if each]
    return re.compile(rf"{WORD_BEGIN}(?:{'|'.join(found)}){WORD_END}") if found else None


def longest_parts(names: Iterable[str]) -> list[str]:
    """Returns the longest part of each name in lower case, and its percent-encoded forms with a small and a capital
    first letter. A text from which `without_names` removes a name contains one of them in lower case, whatever stands
    between the parts. Not found are words that are percent-encoded in another way: with further capitals beyond ASCII,
    or with letters in ASCII that need no encoding.
    """
    parts = (_PARTS.findall(each) for name in names for each in _folded(name))
    longest = {max(some, key=len) for some in parts if some}
    encoded = {quote(each).lower() for part in longest for each in (part, part.capitalize())}
    return sorted(longest | encoded)


def _folded(name: str) -> tuple[str, str]:
    """Returns a name in lower case as it is written, and with letters replaced: "groß" and "gross" for "Groß"."""
    return name.lower(), name.casefold()


def whose_pattern(names: Iterable[str]) -> re.Pattern[str] | None:
    """Returns a pattern for the names used as possessives: `Ada Byron's landlord`, `the landlord of Ada Byron`. None if
    there is nothing to look for.
    """
    pattern = names_pattern(names)
    if pattern is None:
        return None
    return re.compile(rf"(?:{pattern.pattern})(?=['’])|(?<=\b(?i:of) )(?:{pattern.pattern})")


def without_names(pattern: re.Pattern[str] | None, text: str) -> str:
    """Returns the text with `REMOVED` in place of each name that the pattern finds. A percent-encoded word with a name
    in it (`Ada%20Byron`) is decoded first.
    """
    if pattern is None:
        return text
    if _CODED.search(text):
        text = _WORD.sub(lambda word: _decoded(pattern, word[0]), text)
    return pattern.sub(REMOVED, text)


def _decoded(pattern: re.Pattern[str], word: str) -> str:
    decoded = unquote(word) if _CODED.search(word) else word
    return decoded if decoded != word and pattern.search(decoded) else word
