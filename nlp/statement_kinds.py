"""Classifies an explicit statement by its words; its kind decides how long it is kept (W10, T3).

English only: a statement in other words or another language is knowledge, which lasts. Facts that are extracted from
talk get their kind from `nlp.extraction`.
"""

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Final

DEFAULT: Final = "knowledge"
LONGEST: Final = 2_000
"""Maximum number of characters of a statement that are read."""


def kind_of(statement: str) -> str:
    """The kind of a statement: identity, relationship, preference, observation, task, event, context or knowledge."""
    return next((kind for kind, pattern in _patterns() if pattern.search(statement, 0, LONGEST)), DEFAULT)


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    table = tomllib.loads(Path(__file__).with_name("statement_kinds.toml").read_text("utf-8"))
    return tuple((row["name"], _pattern(row["patterns"])) for row in table["kind"])


def _pattern(patterns: list[str]) -> re.Pattern[str]:
    # A pattern that begins with an apostrophe may directly follow a word.
    return re.compile("|".join(rf"(?:(?<!\w)|(?=['’]))(?:{each})\b" for each in patterns), re.IGNORECASE)
