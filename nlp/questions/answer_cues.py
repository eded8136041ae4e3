"""What the answer to a question often holds: an expression of time for when, a connective for why, a place for where, a
number for how many.
"""

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from hippograph.nlp.questions.intent import Intent
from hippograph.nlp.questions.reading import read_part

_PLACE: Final = "place"


@dataclass(frozen=True, slots=True)
class AnswerCues:
    """`words` is a regular expression that a whole text matches when it holds such words, None where none tell; Java
    (so Cypher) reads it as Python does with the flag U. With `place` the name of a place tells too.
    """

    words: str | None = None
    place: bool = False


NO_CUES: Final = AnswerCues()


def answer_cues(intent: Intent, question: str) -> AnswerCues:
    """What answers to a question of this intent often hold."""
    start = read_part(question).casefold()
    kinds = tuple(kind for kind in _cues() if kind == intent.value or _asked_for(kind, start))
    return AnswerCues(_any_of(kinds), _PLACE in kinds)


def _asked_for(kind: str, question: str) -> bool:
    """Whether the beginning of a question asks for something of a kind."""
    patterns = "|".join(_cues()[kind].get("questions", ()))
    return bool(patterns and re.match(rf"\W*(?:(?:and|so|but|а|и|но)\s+)?(?:{patterns})(?!\w)", question))


@cache
def _any_of(kinds: tuple[str, ...]) -> str | None:
    words = [pattern for kind in kinds for pattern in _cues()[kind]["words"]]
    return rf"(?isu).*(?<!\w)(?:{'|'.join(words)})(?!\w).*" if words else None


@cache
def _cues() -> dict[str, dict[str, Sequence[str]]]:
    return tomllib.loads(Path(__file__).with_name("answer_cues.toml").read_text("utf-8"))
