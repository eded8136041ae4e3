"""Complexity of a question, which decides the depth of a traversal and the number of results (R3)."""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from hippograph.nlp.questions.reading import read_part

_ENTITIES: Final = 2


@dataclass(frozen=True, slots=True)
class QueryBudget:
    """Limits of a search: hops of a traversal (at most 4), results of a page, and tokens of a context."""

    hops: int
    results: int
    tokens: int


SIMPLE: Final = QueryBudget(hops=2, results=5, tokens=1000)
COMPLEX: Final = QueryBudget(hops=4, results=20, tokens=3000)
FIXED: Final = QueryBudget(hops=2, results=10, tokens=2000)
"""Budget of every question if adaptive complexity is off."""


def is_complex(question: str, entities: int) -> bool:
    """Returns whether a question names two entities or more, has a second clause, compares or enumerates."""
    question = read_part(question)
    return entities >= _ENTITIES or any(pattern.search(question) for pattern in _patterns())


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    table = tomllib.loads(Path(__file__).with_name("complexity.toml").read_text(encoding="utf-8"))
    return tuple(re.compile(pattern, re.IGNORECASE) for patterns in table.values() for pattern in patterns)
