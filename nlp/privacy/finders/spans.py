"""What finders share: the place of a secret in a text, and the words of `secrets.toml`."""

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
    """A secret in a text, from `start` up to `end` (in characters, `end` excluded)."""

    start: int
    end: int
    kind: Kind
