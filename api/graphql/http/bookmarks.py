"""The header `Hippograph-Bookmark`: signed Neo4j bookmarks of the writes that a client has seen.

The database waits until it has caught up with a bookmark, and a process keeps the bookmarks it was given. So only
bookmarks that the service itself issued are accepted.
"""

import hashlib
import hmac
from functools import lru_cache
from typing import Final

BOOKMARK: Final = "hippograph-bookmark"


def signed(bookmarks: frozenset[str], password: str) -> str:
    """Signs bookmarks for the header. The key is derived from the Neo4j password, which all instances share."""
    text = ",".join(sorted(bookmarks))
    return f"{text}.{_signature(text, password)}"


def verified(header: str, password: str) -> frozenset[str]:
    """Returns the bookmarks in a header value. Raises `ValueError` if no instance signed it."""
    text, _, signature = header.strip().rpartition(".")
    if not hmac.compare_digest(signature.encode(), _signature(text, password).encode()):
        raise ValueError("this was signed by no instance of this service")
    return frozenset(text.split(","))


def _signature(text: str, password: str) -> str:
    return hmac.new(_key(password), text.encode(), hashlib.sha256).hexdigest()


@lru_cache(maxsize=8)
def _key(password: str) -> bytes:
    """Derives the key slowly (scrypt, RFC 7914), so that a signature does not help to guess the password."""
    return hashlib.scrypt(password.encode(), salt=b"hippograph bookmarks", n=2**14, r=8, p=1)
