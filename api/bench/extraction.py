"""`bench extraction`: what the local extractor finds of what is labelled, and how much of what it finds is right.

The format of the files, and what counts as right, is written beside the sets (`tests/benchmark/extraction/README.md`).
"""

import re
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Final, Literal

from api.bench.environment import Report, Row
from api.bench.labelled import Labelled, SpokenDialogue, SpokenTurn
from graph.access.labels import guess
from graph.model import Sensitivity
from nlp.extraction.extractor import LocalExtractor, Statement

LEAST_F1: Final = 0.5
_SMALL: Final = frozenset({"the", "a", "an", "is", "are", "was", "were", "of"})
_NOT_WORDS: Final = re.compile(r"\W+")
_TOKEN: Final = re.compile(r"\w+(?:['’]\w+)?")

Kind = Literal["fact", "preference", "relationship", "friction", "habit", "event", "plan", "procedure", "opinion"]


class Label(Labelled):
    """A statement that is to be found."""

    content: str
    subject: str
    kind: Kind
    sensitivity: Sensitivity
    date: date | None


class LabelledTurn(SpokenTurn):
    """A turn, and all that is worth remembering of it."""

    statements: list[Label]


class LabelledDialogue(SpokenDialogue):
    """A dialogue of the set."""

    turns: list[LabelledTurn]


@dataclass(slots=True)
class Count:
    """How many were found, how many of these are right, and how many are labelled."""

    found: int = 0
    right: int = 0
    labelled: int = 0

    def numbers(self) -> dict[str, float]:
        """Precision, recall and F1, and what they are made of."""
        precision = self.right / self.found if self.found else 0.0
        recall = self.right / self.labelled if self.labelled else 0.0
        f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
        return {"precision": precision, "recall": recall, "F1": f1, "found": self.found, "labelled": self.labelled}


@dataclass(slots=True)
class _Counts:
    """What is counted over all dialogues; of what the words agree with, how often the rest does."""

    everything: Count = field(default_factory=Count)
    by_style: dict[str, Count] = field(default_factory=lambda: defaultdict(Count))
    by_kind: dict[str, Count] = field(default_factory=lambda: defaultdict(Count))
    agree: dict[str, list[bool]] = field(default_factory=lambda: defaultdict(list))


def measure(
    extractor: LocalExtractor, dialogues: Sequence[LabelledDialogue], threshold: float, report: Report
) -> list[Row]:
    """Precision, recall and F1 of what is found with a confidence of `threshold` or more, over all and by style, recall
    by kind; how often subject, kind, sensitivity and date are right where the words are; and how fast it is.
    """
    counts, took = _Counts(), 0.0
    for number, dialogue in enumerate(dialogues):
        report(number, len(dialogues), "extracting")
        turns = [turn.said for turn in dialogue.turns]
        started = time.perf_counter()
        extracted = extractor.find(turns, dialogue.participants)
        took += time.perf_counter() - started
        for turn, found in zip(dialogue.turns, extracted.turns, strict=True):
            kept = [statement for statement in found if statement.confidence >= threshold]
            _compare(dialogue.style, turn.statements, kept, counts)
    rows = [Row("all", counts.everything.numbers())]
    rows += [Row(f"style {name}", count.numbers()) for name, count in sorted(counts.by_style.items())]
    rows += [Row(f"kind {name}", {"recall": c.right / c.labelled}) for name, c in sorted(counts.by_kind.items())]
    rows += [Row(f"{name} right", {"share": sum(each) / len(each)}) for name, each in sorted(counts.agree.items())]
    turns_read = sum(len(dialogue.turns) for dialogue in dialogues)
    return [*rows, Row("speed, parsing and all", {"turns/s": turns_read / took})]


def _compare(style: str, labels: Sequence[Label], found: Sequence[Statement], counts: _Counts) -> None:
    """Matches each label with at most one statement, the likest first; the subject has to be the same too."""
    pairs = [(token_f1(s.content, label.content), i, j) for i, s in enumerate(found) for j, label in enumerate(labels)]
    matched: dict[int, int] = {}
    for likeness, i, j in sorted(pairs, reverse=True):
        if likeness < LEAST_F1 or i in matched or j in matched.values():
            continue
        agrees = same_subject(found[i].subject, labels[j].subject)
        counts.agree["subject"].append(agrees)
        if agrees:
            matched[i] = j
            _agree(found[i], labels[j], counts)
    for count in (counts.everything, counts.by_style[style]):
        count.found += len(found)
        count.right += len(matched)
        count.labelled += len(labels)
    for j, label in enumerate(labels):
        counts.by_kind[label.kind].labelled += 1
        counts.by_kind[label.kind].right += j in matched.values()


def _agree(found: Statement, label: Label, counts: _Counts) -> None:
    counts.agree["kind"].append(found.kind == label.kind)
    counts.agree["sensitivity"].append(guess(found.content).sensitivity is label.sensitivity)
    if label.date is not None:
        counts.agree["date"].append(found.event_time is not None and found.event_time.date() == label.date)


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
