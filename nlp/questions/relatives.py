"""Finds whom a question means by a relation to somebody: my sister, my sister's company, Priya's brother.

English only. The relations in the graph tell who that is.
"""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from hippograph.nlp.questions.reading import read_part

_OWN: Final = ("my", "our")
_NAME: Final = r"[^\W\d_a-zа-яё][\w-]{0,40}"
_PHRASE: Final = re.compile(
    rf"\b(?P<owner>[Mm]y|[Oo]ur|{_NAME}(?:\ {_NAME})?(?=['’]s\ ))(?:['’]s)?\ (?P<first>[^\W\d_]+)"
    r"(?:['’]s\ (?P<second>[^\W\d_]+))?"
)


@dataclass(frozen=True, slots=True)
class Step:
    """A relation to follow from somebody: against its direction, to the one who is their `predicate` (`sister_of`); if
    `outward`, in its direction (`works_at`).
    """

    predicate: str
    outward: bool


@dataclass(frozen=True, slots=True)
class Relative:
    """A person or thing, as a path of relations from an owner. `owner` is their name as the question has it, None for
    the asker.
    """

    owner: str | None
    steps: tuple[Step, ...]


def find_relatives(question: str) -> list[Relative]:
    """Returns the people and things that a question means by a relation, in order, without duplicates."""
    found: dict[Relative, None] = {}
    for match in _PHRASE.finditer(read_part(question)):
        words = [word.casefold() for word in (match["first"], match["second"]) if word]
        steps = [_steps()[word] for word in words if word in _steps()]
        # "my sister's question" still means the sister; "my idea's sister" means nobody.
        if steps and words[0] in _steps():
            owner = None if match["owner"].casefold() in _OWN else match["owner"]
            found[Relative(owner, tuple(steps))] = None
    return list(found)


@cache
def _steps() -> dict[str, Step]:
    table = tomllib.loads(Path(__file__).with_name("relatives.toml").read_text("utf-8"))
    kin = {word: Step(f"{name}_of", outward=False) for name, words in table["kin"].items() for word in words.split()}
    things = {word: Step(name, outward=True) for name, words in table["things"].items() for word in words.split()}
    return kin | things
