"""Causes that people state with a connective: because, so, that's why.

What belongs here: which words of which turn are the cause, and which the effect. What does not: which memories these
are, and causes that nobody states.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from hippograph.nlp.extraction.statements import Said

CONFIDENCE: Final = 0.7
"""Confidence, 0 to 1, of a cause that people state, or that the words of a talk suggest (M11)."""
REACH: Final = 3
"""Maximum number of turns that "that's why" may refer back."""
REACH_OF_ANSWER: Final = 5
"""Maximum number of turns that "because" may refer back to its speaker's last turn; in a group others speak between."""


@dataclass(frozen=True, slots=True)
class Told:
    """A turn, by its index, and the words of it that are meant; empty `words` mean the whole turn."""

    turn: int
    words: str = ""


@dataclass(frozen=True, slots=True)
class Cause:
    """A cause, its effect, and the connective that states it."""

    cause: Told
    effect: Told
    connective: str


_SENTENCE: Final = re.compile(r"[^.!?\n]+[.!?]?")
_UNSURE: Final = re.compile(r"\b(?:if|whether|maybe|perhaps|probably|might|would|could)\b", re.IGNORECASE)
_BECAUSE: Final = re.compile(
    r"(?P<effect>\S.{5,}?),?\s+(?P<word>because of|because|'cause|cuz|due to|thanks to|as a result of)\s+"
    r"(?P<cause>.{3,})",
    re.IGNORECASE,
)
_FIRST: Final = re.compile(
    r"(?P<word>because of|because|due to)\s+(?P<cause>[^,]{5,}),(?!\s*(?:and|but|or|nor)\b)\s*(?P<effect>.{5,})",
    re.IGNORECASE,
)
_SO: Final = re.compile(
    r"(?P<cause>\S.{5,}?)(?:,\s*(?:and\s+)?|\s+and\s+)(?P<word>so|therefore|thus|hence|consequently|as a result"
    r"|that['’]?s why|which is why)\s+"
    r"(?!that\b|much\b|many\b|far\b|long\b|called\b|on\b|do\b|does\b|am\b|is\b|are\b|yeah\b)(?P<effect>.{5,})",
    re.IGNORECASE,
)
_THAT_IS_WHY: Final = re.compile(
    r"\s*(?:and\s+|so\s+)?(that['’]?s why|that is why|which is why|because of (?:that|this|it)|as a result|therefore"
    r"|consequently)\b",
    re.IGNORECASE,
)
_BECAUSE_OF_WHAT: Final = re.compile(
    r"\s*(?:(?:well|oh|just|mostly),?\s+)?(because|'cause|cuz)\s+(?!of (?:that|this|it)\b)", re.IGNORECASE
)


def causes(turns: Sequence[Said]) -> list[Cause]:
    """Returns the causes that people state in a talk (turns in order), except in questions and suppositions."""
    return [cause for number, turn in enumerate(turns) if turn.speaker for cause in _of(turns, number)]


def _of(turns: Sequence[Said], number: int) -> Iterator[Cause]:
    for match in _SENTENCE.finditer(turns[number].text):
        sentence = " ".join(match[0].split())  # runs of spaces would make the patterns backtrack
        if not sentence or sentence.endswith("?") or _UNSURE.search(sentence):
            continue
        if found := _THAT_IS_WHY.match(sentence):
            yield from _between(turns, number, found[1], effect=True)
        elif found := _FIRST.match(sentence) or _BECAUSE.match(sentence) or _SO.match(sentence):
            cause, effect = Told(number, found["cause"]), Told(number, found["effect"])
            yield Cause(cause, effect, found["word"].casefold())
        elif found := _BECAUSE_OF_WHAT.match(sentence):
            yield from _between(turns, number, found[1], effect=False)


def _between(turns: Sequence[Said], number: int, word: str, *, effect: bool) -> Iterator[Cause]:
    """Yields the cause between this turn and the one it refers to. "That's why" refers to the last turn of anybody, an
    answer that begins with "because" to the last turn of its speaker; questions and the assistant are skipped.
    """
    reach = REACH if effect else REACH_OF_ANSWER
    for before in range(number - 1, max(-1, number - reach - 1), -1):
        turn = turns[before]
        if turn.speaker is None or turn.text.rstrip().endswith("?"):
            continue
        if effect or turn.speaker == turns[number].speaker:
            ends = (Told(before), Told(number)) if effect else (Told(number), Told(before))
            yield Cause(*ends, word.casefold())
            return
