"""`bench extraction`: which frames the local extractor fills of those that are labelled, and how many of its are right.

The format of the files, and what counts as right, is written beside the sets (`tests/benchmark/extraction/README.md`).
"""

import re
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Final, Literal

from pydantic import AwareDatetime, Field

from api.bench.environment import Report, Row
from api.bench.labelled import Labelled
from graph.model import Sensitivity
from nlp.extraction.statements import Said, Statement
from nlp.frames.extractor import LocalExtractor
from nlp.frames.frame import WHO, load_frames

LEAST_F1: Final = 0.5
ASSISTANT: Final = "assistant"
_SMALL: Final = frozenset({"the", "a", "an", "is", "are", "was", "were", "of"})
_NOT_WORDS: Final = re.compile(r"\W+")
_TOKEN: Final = re.compile(r"\w+(?:['’]\w+)?")

Kind = Literal["fact", "preference", "relationship", "friction", "habit", "event", "plan", "procedure", "opinion"]


class Label(Labelled):
    """A statement of a turn, with how private it is."""

    content: str
    subject: str
    kind: Kind
    sensitivity: Sensitivity
    date: date | None


class LabelledTurn(Labelled):
    """A turn, what it states, and the frames that it fills: each with its slots as they stand in the text."""

    id: str
    speaker: str
    time: AwareDatetime
    text: str
    statements: list[Label] = Field(default_factory=list)
    frames: list[tuple[str, dict[str, str]]] | None = None


class LabelledDialogue(Labelled):
    """A dialogue of the set."""

    id: str
    style: str
    chat: Literal["private", "group"]
    participants: list[str]
    turns: list[LabelledTurn]


@dataclass(slots=True)
class _Count:
    found: int = 0
    right: int = 0
    labelled: int = 0

    def numbers(self) -> dict[str, float]:
        precision = self.right / self.found if self.found else 0.0
        recall = self.right / self.labelled if self.labelled else 0.0
        f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
        return {"precision": precision, "recall": recall, "F1": f1, "found": self.found, "labelled": self.labelled}


@dataclass(slots=True)
class _Counts:
    """What is counted over all dialogues."""

    everything: _Count = field(default_factory=_Count)
    by_style: dict[str, _Count] = field(default_factory=lambda: defaultdict(_Count))
    by_frame: dict[str, _Count] = field(default_factory=lambda: defaultdict(_Count))


def measure(
    extractor: LocalExtractor, dialogues: Sequence[LabelledDialogue], threshold: float, report: Report
) -> list[Row]:
    """Precision, recall and F1 of the frames that are filled with a confidence of `threshold` or more, over all, by
    style and by frame; and how fast it is.
    """
    counts, took = _Counts(), 0.0
    for number, dialogue in enumerate(dialogues):
        report(number, len(dialogues), "extracting")
        turns = [Said(None if t.speaker == ASSISTANT else t.speaker, t.time, t.text) for t in dialogue.turns]
        started = time.perf_counter()
        extracted = extractor.find(turns, dialogue.participants)
        took += time.perf_counter() - started
        for turn, found in zip(dialogue.turns, extracted.turns, strict=True):
            kept = [statement for statement in found if statement.confidence >= threshold]
            _compare(dialogue.style, turn.frames or [], kept, counts)
    rows = [Row("all", counts.everything.numbers())]
    rows += [Row(f"style {name}", count.numbers()) for name, count in sorted(counts.by_style.items())]
    rows += [Row(f"frame {name}", count.numbers()) for name, count in sorted(counts.by_frame.items())]
    turns_read = sum(len(dialogue.turns) for dialogue in dialogues)
    return [*rows, Row("speed, parsing and all", {"turns/s": turns_read / took})]


def _compare(
    style: str, labels: Sequence[tuple[str, dict[str, str]]], found: Sequence[Statement], counts: _Counts
) -> None:
    """Matches each label with at most one statement."""
    left = list(found)
    for name, slots in labels:
        counted = (counts.everything, counts.by_style[style], counts.by_frame[name])
        match = next((each for each in left if _right(each, name, slots)), None)
        if match is not None:
            left.remove(match)
        for count in counted:
            count.labelled += 1
            count.right += match is not None
    for each in found:
        for count in (counts.everything, counts.by_style[style], counts.by_frame[each.frame]):
            count.found += 1


def _right(found: Statement, name: str, slots: dict[str, str]) -> bool:
    """Whether a statement fills the labelled frame, about the same, and with most words of its main slot."""
    if found.frame != name or not any(same_subject(each.name, slots["about"]) for each in found.subjects):
        return False
    frame = load_frames()[name]
    told = _tokens(found.content)
    wanted = [_tokens(slots[slot]) for slot in frame.main if slots.get(slot) and slot != WHO]
    days = all(frame.slots[slot] == "day" for slot in frame.main if slot in slots)
    return not wanted or days or any(2 * (each & told).total() >= each.total() for each in wanted)


def token_f1(one: str, other: str) -> float:
    """The F1 of the words that two statements share, without the smallest."""
    a, b = _tokens(one), _tokens(other)
    shared = (a & b).total()
    return 2 * shared / (a.total() + b.total()) if shared else 0.0


def same_subject(one: str, other: str) -> bool:
    """Whether two names are equal, or one is part of the other, however they are hyphenated."""
    a, b = _NOT_WORDS.sub(" ", one.casefold()), _NOT_WORDS.sub(" ", other.casefold())
    return a in b or b in a


def _tokens(text: str) -> Counter[str]:
    return Counter(word for word in _TOKEN.findall(text.lower()) if word not in _SMALL)
