"""The ids by which the outside knows things: `Chat:<id>`, in Base64."""

import base64
from typing import Final

SHORT: Final = 18
"""Characters of a shortened id: 12 are its milliseconds."""


def global_id(type_name: str, inner: str) -> str:
    """The global id of a thing of a type."""
    return base64.b64encode(f"{type_name}:{inner}".encode()).decode()


def short(inner: str) -> str:
    """So much of an id as tells it from others; who is given it may give it in place of the whole."""
    return inner[:SHORT]
