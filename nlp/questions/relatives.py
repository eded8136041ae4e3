"""Whom a question means by what they are to somebody: my sister, my sister's company, Priya's brother.

English. Who that is, relations in the graph tell.
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
    """From somebody to who is their `predicate` (`sister_of`), or, `outward`, to what they are that to (`works_at`)."""

    predicate: str
    outward: bool


@dataclass(frozen=True, slots=True)
class Relative:
    """Somebody or something by the way that leads there from its owner: their name as it was said, None for who
    asks.
    """

    owner: str | None
    steps: tuple[Step, ...]


def find_relatives(question: str) -> list[Relative]:
    """Whom and what a question means in this way, each once, in their order."""
    found: dict[Relative, None] = {}
    for match in _PHRASE.finditer(read_part(question)):
        words = [word.casefold() for word in (match["first"], match["second"]) if word]
        steps = [_steps()[word] for word in words if word in _steps()]
        # Of "my sister's question" the sister is meant all the same, of "my idea's sister" nobody.
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
