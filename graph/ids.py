"""Names for things: new ids, ids that follow from others, and tokens that a full-text index keeps whole.

Every id and token is lower-case hexadecimal that ends in a digit. The `english` analyzer and its kin stem what
looks like a word, so that `u12ed` and `u7ing` would match `u12` and `u7`: in an index that keeps people apart
that is a leak. No stemmer touches a word that ends in a digit, and no tokenizer splits letters from digits.
"""

import secrets
import time
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import Any

from hippograph.graph.errors import InvalidInput, NotFound

_LENGTH = 32


def new_id() -> str:
    """A new id of 32 characters: 12 of milliseconds, so that ids sort by age, then 19 random, then a digit."""
    return f"{time.time_ns() // 1_000_000:012x}{secrets.token_hex(10)[:19]}{secrets.randbelow(10)}"


def derived_id(*parts: str) -> str:
    """The id that always follows from these parts: what is made twice from the same source is made once.

    The parts are length-prefixed before hashing (BLAKE2b), so `("ab", "c")` and `("a", "bc")` differ.
    """
    # What is no Unicode gets an id like everything else; the database then refuses it.
    parts_in_bytes = "".join(f"{len(part)}:{part}" for part in parts).encode("utf-8", "surrogatepass")
    digest = blake2b(parts_in_bytes, digest_size=_LENGTH // 2)
    value = digest.hexdigest()
    return f"{value[: _LENGTH - 1]}{int(value[-1], 16) % 10}"


def token(field: str, value: str) -> str:
    """One word that stands for `field = value` in a full-text index, and for nothing else."""
    return derived_id("token", field, value)


def only_id(rows: Sequence[Mapping[str, Any]], prefix: str, one: str, several: str) -> str:
    """The id in the only row of those whose ids begin with a prefix. `one` and `several` are what a reader calls them.

    Raises `NotFound`, and `InvalidInput` when several begin so.
    """
    if len(rows) > 1:
        raise InvalidInput(f"several {several} have an id that begins with {prefix!r}; give more of it")
    if not rows:
        raise NotFound(f"there is no {one} {prefix}")
    return str(rows[0]["id"])
