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
    parts = {tuple(_PARTS.findall(name.casefold())) for name in names}
    long_enough = [each for each in parts if len("".join(each)) >= _SHORTEST]
    if not long_enough:
        return None
    longest_first = sorted(long_enough, key=lambda each: (-len("".join(each)), each))
    alternatives = "|".join(r"[\W_]{1,3}".join(map(re.escape, each)) for each in longest_first)
    return re.compile(rf"(?<![^\W_])@?(?:{alternatives})(?![^\W_])", re.IGNORECASE)


def without_names(pattern: re.Pattern[str] | None, text: str) -> str:
    """The text with `REMOVED` in place of each name that the pattern finds."""
    return pattern.sub(REMOVED, text) if pattern else text
