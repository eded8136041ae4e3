"""Takes the names of a person out of texts (M13)."""

import re
from collections.abc import Iterable
from typing import Final

REMOVED: Final = "[name removed]"
"""What stands in the place of a name."""

_PARTS: Final = re.compile(r"[^\W_]+")
_SHORTEST: Final = 2


def names_pattern(names: Iterable[str]) -> re.Pattern[str] | None:
    """Finds any of the names as whole words, in any case and with anything but letters and digits between their parts,
    so that `Ada Byron` is found in `ada_byron` too; None when there is nothing to look for. The longest comes first.
    """
    # Some letters are others when folded: "Groß" is found as it is written, and as "gross".
    parts = {tuple(_PARTS.findall(each)) for name in names for each in (name.lower(), name.casefold())}
    long_enough = [each for each in parts if len("".join(each)) >= _SHORTEST]
    if not long_enough:
        return None
    longest_first = sorted(long_enough, key=lambda each: (-len("".join(each)), each))
    alternatives = "|".join(r"[\W_]{1,3}".join(map(re.escape, each)) for each in longest_first)
    return re.compile(rf"(?<![^\W_])@?(?:{alternatives})(?![^\W_])", re.IGNORECASE)


def whose_pattern(names: Iterable[str]) -> re.Pattern[str] | None:
    """Finds the names where they say whose somebody is: `Ada Byron's landlord`, `the landlord of Ada Byron`; None when
    there is nothing to look for.
    """
    pattern = names_pattern(names)
    if pattern is None:
        return None
    return re.compile(rf"(?:{pattern.pattern})(?=['’])|(?<=\bof )(?:{pattern.pattern})", re.IGNORECASE)


def without_names(pattern: re.Pattern[str] | None, text: str) -> str:
    """The text with `REMOVED` in place of each name that the pattern finds."""
    return pattern.sub(REMOVED, text) if pattern else text
