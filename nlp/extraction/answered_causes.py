"""Causes between consecutive turns, found by how one answers the other: the second source of causes in talk.

The patterns are English; in other languages each turn and the one before it are an unsure candidate.

What belongs here: causes without a connective between cause and effect, that is answers to a question of why,
explanations of what was just said, and conclusions from it. What does not: causes that a connective states
(`nlp.extraction.causes`).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from hippograph.nlp.parsing.english import is_english


@dataclass(frozen=True, slots=True)
class Uttered:
    """A turn: its text, its speaker (None for the assistant), and the keys of the entities that it mentions."""

    text: str
    speaker: str | None
    entities: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Inferred:
    """A possible cause and its effect, as indexes into a list of turns, and the `connective` that suggests it. If it is
    not `sure`, a judge decides.
    """

    cause: int
    effect: int
    connective: str
    sure: bool


_SENTENCE: Final = re.compile(r"[^.!?\n]+[.!?]*")
_WHY: Final = re.compile(r"\b(?:why|how come)\b", re.IGNORECASE)
_NO_WHY: Final = re.compile(
    r"\b(?:(?:that|this)(?:['’]s| is)|is (?:that|this)|which is|tell \w+|know|wonder) why\b"
    r"|\bwhy (?:not|don['’]t (?:you|we)|would|should|on earth would)\b",
    re.IGNORECASE,
)
_WHAT_HAPPENED: Final = re.compile(
    r"\b(?:what (?:on earth )?happened|what['’]s wrong|what went wrong)\W*$", re.IGNORECASE
)
_NO_ANSWER: Final = re.compile(
    r"(?:(?:well|oh|um|hm+)\W+)?(?:no(?=[,.!]|$)|no idea|nothing|never mind|i don['’]?t know"
    r"|i (?:can['’]t|won['’]t) (?:say|tell)|not sure|thanks|thank you|who knows|ask\b)",
    re.IGNORECASE,
)
_SO: Final = re.compile(r"(?:and\s+)?(?P<word>so|therefore)\s+(?:i|we|my|our)(?:\s|['’])", re.IGNORECASE)
_SUPPOSED: Final = re.compile(
    r"\b(?:if|guess|suppose|hope|wonder|mean|maybe|perhaps|sorry|glad|happy|excited|agree|love)\b", re.IGNORECASE
)
_AFTER: Final = re.compile(r"(?:and\s+)?(?:(?:ever\s+)?after (?:that|this|which)|since then|then)\b", re.IGNORECASE)
_LEAST_WORDS: Final = 4
"""Minimum number of words of a turn, questions aside, for it to be a cause or an effect."""


def answered_causes(turns: Sequence[Uttered]) -> list[Inferred]:
    """Returns the possible causes that the last of these consecutive turns shows, as its cause or as its effect."""
    if len(turns) < 2 or not _tells(turns[-1]):
        return []
    last = len(turns) - 1
    if (asked := _asked(turns, last)) is not None:
        return [asked]
    return list(_concluded(turns, last))


def _asked(turns: Sequence[Uttered], last: int) -> Inferred | None:
    """The last turn as the answer to a question of why: the cause of what is asked about, or of the turn before."""
    question, answer = turns[last - 1], turns[last]
    sentences = _sentences(question.text)
    if question.speaker == answer.speaker or not sentences or not sentences[-1].endswith("?"):
        return None
    if _NO_ANSWER.match(answer.text.strip()):
        return None
    asks = sentences[-1]
    if _WHY.search(asks) and not _NO_WHY.search(asks):
        # A question of why presupposes what it asks about.
        told = len(_WHY.split(asks, maxsplit=1)[-1].split()) >= _LEAST_WORDS - 1
        effect = last - 1 if told and question.speaker else _said_before(turns, last)
        return None if effect is None else Inferred(last, effect, "why", sure=True)
    if _WHAT_HAPPENED.search(asks.rstrip("?! ")):
        effect = _said_before(turns, last)
        if effect is not None and "happen" not in turns[effect].text.casefold():
            return Inferred(last, effect, "what happened", sure=True)
    return None


def _said_before(turns: Sequence[Uttered], last: int) -> int | None:
    """The index of the turn right before the question, if the answerer said something in it."""
    place = last - 2
    return place if place >= 0 and turns[place].speaker == turns[last].speaker and _tells(turns[place]) else None


def _concluded(turns: Sequence[Uttered], last: int) -> Iterator[Inferred]:
    """The last turn as the effect of the one before it: sure if it begins with "so I", else a candidate for a judge."""
    before, turn = turns[last - 1], turns[last]
    if not _tells(before):
        return
    first = _sentences(turn.text)[0]
    apart = before.entities and turn.entities and not before.entities & turn.entities
    if (found := _SO.match(first)) and not first.endswith("?") and not apart and not _SUPPOSED.search(first):
        yield Inferred(last - 1, last, found["word"].casefold(), sure=True)
    elif _AFTER.match(first) or before.entities & turn.entities or not is_english(f"{before.text} {turn.text}"):
        yield Inferred(last - 1, last, "after", sure=False)


def _tells(turn: Uttered) -> bool:
    """Whether a person speaks, and says at least `_LEAST_WORDS` words apart from questions."""
    sentences = [each for each in _sentences(turn.text) if not each.endswith("?")]
    return turn.speaker is not None and sum(len(each.split()) for each in sentences) >= _LEAST_WORDS


def _sentences(text: str) -> list[str]:
    return [match[0].strip() for match in _SENTENCE.finditer(text) if match[0].strip()]
