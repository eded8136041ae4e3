"""The header `Hippograph-Bookmark`: what a client has seen written, signed.

The database waits until it has caught up with a bookmark, and a process keeps those that it was given. So only what
the service itself gave out may come back.
"""

import hashlib
import hmac
from functools import lru_cache
from typing import Final

BOOKMARK: Final = "hippograph-bookmark"


def signed(bookmarks: frozenset[str], password: str) -> str:
    """The header's value for some bookmarks. The key is made of the password for Neo4j, which all instances share."""
    text = ",".join(sorted(bookmarks))
    return f"{text}.{_signature(text, password)}"


def verified(header: str, password: str) -> frozenset[str]:
    """The bookmarks in a header. Raises `ValueError` for what no instance signed."""
    text, _, signature = header.strip().rpartition(".")
    if not hmac.compare_digest(signature.encode(), _signature(text, password).encode()):
        raise ValueError("this was signed by no instance of this service")
    return frozenset(text.split(","))


def _signature(text: str, password: str) -> str:
    return hmac.new(_key(password), text.encode(), hashlib.sha256).hexdigest()


@lru_cache(maxsize=8)
def _key(password: str) -> bytes:
    """A slow derivation (scrypt, RFC 7914): a signature is no short way to guess the password."""
    return hashlib.scrypt(password.encode(), salt=b"hippograph bookmarks", n=2**14, r=8, p=1)
