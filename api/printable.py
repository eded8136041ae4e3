"""Makes text safe for a terminal: characters that could control it become visible escapes such as `\\x9b`.

These are control characters (C0, DEL, C1), line and paragraph separators, characters that change the direction of text,
and unpaired surrogates. Joiners, which emoji and some scripts need, are kept.
"""

import re
from typing import Final

_CONTROLS: Final = r"\x00-\x1f\x7f-\x9f"
_LINE_ENDS: Final = r"\u2028\u2029"
_REORDERING: Final = r"\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_SURROGATES: Final = r"\ud800-\udfff"
_STEERING: Final = re.compile(f"[{_CONTROLS}{_LINE_ENDS}{_REORDERING}{_SURROGATES}]")
_BEGINNING: Final = 60
_STEERING_IN_JSON: Final = re.compile(rf"[\x7f-\x9f{_LINE_ENDS}{_REORDERING}{_SURROGATES}]")


def printable(text: str) -> str:
    """Returns a text on one line, with control characters and line breaks as escapes."""
    return _STEERING.sub(lambda match: match[0].encode("unicode_escape").decode("ascii"), text)


def beginning(text: str) -> str:
    """Returns the beginning of a text on one line, for a title, an address or a label: up to 60 characters."""
    line = printable(" ".join(text.split()))
    return line if len(line) <= _BEGINNING else f"{line[: _BEGINNING - 1]}…"


def escaped_json(document: str) -> str:
    """Returns an equivalent JSON document without characters in its strings that could control a terminal."""
    return _STEERING_IN_JSON.sub(lambda match: f"\\u{ord(match[0]):04x}", document)
