"""Global ids, which callers of the API use: `Chat:<id>` in Base64. Also shortened inner ids."""

import base64
from typing import Final

SHORT: Final = 18
"""Length of a shortened id, in characters; the first 12 are the time in milliseconds."""


def global_id(type_name: str, inner: str) -> str:
    """Returns the global id of an object of this type."""
    return base64.b64encode(f"{type_name}:{inner}".encode()).decode()


def short(inner: str) -> str:
    """Returns a prefix of an id that tells it from others; callers may pass it in place of the whole id."""
    return inner[:SHORT]
