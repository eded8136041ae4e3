"""Takes the names of a person out of texts (M13)."""

import re
from collections.abc import Iterable
from typing import Final
from urllib.parse import unquote

REMOVED: Final = "[name removed]"
"""What stands in the place of a name."""

_PARTS: Final = re.compile(r"[^\W_]+")
_SHORTEST: Final = 2
_WORD: Final = re.compile(r"\S+")
_CODED: Final = re.compile(r"%[0-9A-Fa-f]{2}")


def names_pattern(names: Iterable[str], as_written: Iterable[str] = ()) -> re.Pattern[str] | None:
    """Finds any of the names as whole words, in any case and with anything but letters and digits between their parts,
    so that `Ada Byron` is found in `ada_byron` too; None when there is nothing to look for. The longest comes first.

    A username (`@will`) is found behind its sign alone. Those `as_written` are found in this form alone, so that `Will`
    is not found in `I will`.
    """
    names = list(names)
    # Some letters are others when folded: "Groß" is found as it is written, and as "gross".
    folded = {(each[:1] == "@", *_PARTS.findall(each)) for name in names for each in (name.lower(), name.casefold())}
    any_case = {
        ("@" if handle else "@?") + r"[\W_]{1,3}".join(map(re.escape, parts))
        for handle, *parts in folded
        if len("".join(parts)) >= _SHORTEST
    }
    exact = {re.escape(name) for name in as_written if len(name) >= _SHORTEST}
    kinds = [("(?i:", any_case), ("(?:", exact)]
    found = [start + "|".join(sorted(each, key=lambda one: (-len(one), one))) + ")" for start, each in kinds if each]
    return re.compile(rf"(?<![^\W_])(?:{'|'.join(found)})(?![^\W_])") if found else None


def whose_pattern(names: Iterable[str]) -> re.Pattern[str] | None:
    """Finds the names where they say whose somebody is: `Ada Byron's landlord`, `the landlord of Ada Byron`; None when
    there is nothing to look for.
    """
    pattern = names_pattern(names)
    if pattern is None:
        return None
    return re.compile(rf"(?:{pattern.pattern})(?=['’])|(?<=\b(?i:of) )(?:{pattern.pattern})")


def without_names(pattern: re.Pattern[str] | None, text: str) -> str:
    """The text with `REMOVED` in place of each name that the pattern finds. An address that has one in another writing
    (`Ada%20Byron`) is decoded.
    """
    if pattern is None:
        return text
    if _CODED.search(text):
        text = _WORD.sub(lambda word: _decoded(pattern, word[0]), text)
    return pattern.sub(REMOVED, text)


def _decoded(pattern: re.Pattern[str], word: str) -> str:
    decoded = unquote(word) if _CODED.search(word) else word
    return decoded if decoded != word and pattern.search(decoded) else word
