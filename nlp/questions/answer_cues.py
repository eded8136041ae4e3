"""Words that answers to a question often contain: an expression of time for when, a connective for why, a place for
where, a number for how many.
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
    """Cues of an answer. `words` is a regular expression that matches a whole text if it contains such words; None if
    there are no such words. Java, and so Cypher, needs the flag U to read it as Python does. `place` says that the name
    of a place is a cue too.
    """

    words: str | None = None
    place: bool = False


NO_CUES: Final = AnswerCues()


def answer_cues(intent: Intent, question: str) -> AnswerCues:
    """Returns the cues of answers to a question of this intent."""
    start = read_part(question).casefold()
    kinds = tuple(kind for kind in _cues() if kind == intent.value or _asked_for(kind, start))
    return AnswerCues(_any_of(kinds), _PLACE in kinds)


def _asked_for(kind: str, question: str) -> bool:
    """Returns whether the beginning of a question asks for something of a kind."""
    patterns = "|".join(_cues()[kind].get("questions", ()))
    return bool(patterns and re.match(rf"\W*(?:(?:and|so|but|а|и|но)\s+)?(?:{patterns})(?!\w)", question))


@cache
def _any_of(kinds: tuple[str, ...]) -> str | None:
    words = [pattern for kind in kinds for pattern in _cues()[kind]["words"]]
    return rf"(?isu).*(?<!\w)(?:{'|'.join(words)})(?!\w).*" if words else None


@cache
def _cues() -> dict[str, dict[str, Sequence[str]]]:
    return tomllib.loads(Path(__file__).with_name("answer_cues.toml").read_text("utf-8"))
