"""What finders share: the span of a secret in a text, and the word lists of `secrets.toml`."""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

Kind = Literal[
    "bank_account", "card", "code", "national_number", "password", "pin", "private_key", "seed_phrase", "token"
]
REMOVED = "[secret removed]"
WORDS: dict[str, Any] = tomllib.loads(Path(__file__).parents[1].joinpath("secrets.toml").read_text("utf-8"))


@dataclass(frozen=True, slots=True)
class Span:
    """Position of a secret in a text, in characters; `end` is exclusive."""

    start: int
    end: int
    kind: Kind
