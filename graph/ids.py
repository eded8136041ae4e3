"""Ids: new ones, ids derived from other values, and tokens that a full-text index keeps whole.

Every id and token is lower-case hexadecimal and ends in a decimal digit. Analyzers such as `english` stem what looks
like a word, so that `u12ed` and `u7ing` would match `u12` and `u7`, which would leak data between people. No stemmer
changes a word that ends in a digit, and no tokenizer splits letters from digits.
"""

import secrets
import time
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import Any

from hippograph.graph.errors import InvalidInput, NotFound

_LENGTH = 32


def new_id() -> str:
    """A new id of 32 characters: 12 for the time in milliseconds, so that ids sort by age, then 19 random hexadecimal
    digits, then a random decimal digit.
    """
    return f"{time.time_ns() // 1_000_000:012x}{secrets.token_hex(10)[:19]}{secrets.randbelow(10)}"


def derived_id(*parts: str) -> str:
    """An id that depends only on these parts, so that what is made twice from the same source is stored once.

    The parts are length-prefixed before hashing (BLAKE2b), so `("ab", "c")` and `("a", "bc")` differ.
    """
    # Invalid Unicode gets an id too; the database then refuses the value itself.
    parts_in_bytes = "".join(f"{len(part)}:{part}" for part in parts).encode("utf-8", "surrogatepass")
    digest = blake2b(parts_in_bytes, digest_size=_LENGTH // 2)
    value = digest.hexdigest()
    return f"{value[: _LENGTH - 1]}{int(value[-1], 16) % 10}"


def token(field: str, value: str) -> str:
    """A word that stands for exactly `field = value` in a full-text index."""
    return derived_id("token", field, value)


def only_id(rows: Sequence[Mapping[str, Any]], prefix: str, one: str, several: str) -> str:
    """The id in the only row; `rows` are those whose ids begin with `prefix`. `one` and `several` are the singular and
    the plural for messages.

    Raises `NotFound` for no row, and `InvalidInput` for several.
    """
    if len(rows) > 1:
        raise InvalidInput(f"several {several} have an id that begins with {prefix!r}; give more of it")
    if not rows:
        raise NotFound(f"there is no {one} {prefix}")
    return str(rows[0]["id"])
