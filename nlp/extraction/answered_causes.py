"""Causes between turns that follow each other, by how one answers the other: the second source of causes in talk.

The words are English; of talk in another language each turn and the one before it are in doubt.

`nlp.extraction.causes` reads the words that join a cause and its effect. Here belongs what no such word joins: the
answer to a question of why, what explains what somebody has just said, and what is concluded from it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from hippograph.nlp.parsing.english import is_english


@dataclass(frozen=True, slots=True)
class Uttered:
    """A turn: its words, who said it (None for the assistant), and the keys of the entities that it names."""

    text: str
    speaker: str | None
    entities: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Inferred:
    """That one turn of a list may be the cause of another, by their places in it, and the words that suggest so. What
    is not `sure` is for a judge to decide.
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
"""Text with fewer words is taken for neither a cause nor an effect."""


def answered_causes(turns: Sequence[Uttered]) -> list[Inferred]:
    """Which turns may be causes of others, as far as the last of these turns shows it; they follow each other."""
    if len(turns) < 2 or not _tells(turns[-1]):
        return []
    last = len(turns) - 1
    if (asked := _asked(turns, last)) is not None:
        return [asked]
    return list(_concluded(turns, last))


def _asked(turns: Sequence[Uttered], last: int) -> Inferred | None:
    """The last turn as the answer to a question of why: the cause of what is asked for, or of what came before it."""
    question, answer = turns[last - 1], turns[last]
    sentences = _sentences(question.text)
    if question.speaker == answer.speaker or not sentences or not sentences[-1].endswith("?"):
        return None
    if _NO_ANSWER.match(answer.text.strip()):
        return None
    asks = sentences[-1]
    if _WHY.search(asks) and not _NO_WHY.search(asks):
        # A question of why takes what it asks for as given.
        told = len(_WHY.split(asks, maxsplit=1)[-1].split()) >= _LEAST_WORDS - 1
        effect = last - 1 if told and question.speaker else _said_before(turns, last)
        return None if effect is None else Inferred(last, effect, "why", sure=True)
    if _WHAT_HAPPENED.search(asks.rstrip("?! ")):
        effect = _said_before(turns, last)
        if effect is not None and "happen" not in turns[effect].text.casefold():
            return Inferred(last, effect, "what happened", sure=True)
    return None


def _said_before(turns: Sequence[Uttered], last: int) -> int | None:
    """What who answers said right before the question."""
    place = last - 2
    return place if place >= 0 and turns[place].speaker == turns[last].speaker and _tells(turns[place]) else None


def _concluded(turns: Sequence[Uttered], last: int) -> Iterator[Inferred]:
    """What begins with "so I" as the effect of what was said right before; and what may be, for a judge."""
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
    """Whether a person says something in it that is no question alone."""
    sentences = [each for each in _sentences(turn.text) if not each.endswith("?")]
    return turn.speaker is not None and sum(len(each.split()) for each in sentences) >= _LEAST_WORDS


def _sentences(text: str) -> list[str]:
    return [match[0].strip() for match in _SENTENCE.finditer(text) if match[0].strip()]
