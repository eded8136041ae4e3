"""What the labelled sets share: files with one thing a line, in which nothing is unknown."""

import re
from collections import Counter
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Final, Literal, TypeVar

from pydantic import AwareDatetime, BaseModel, ConfigDict, TypeAdapter

from hippograph.graph.model import Sensitivity
from hippograph.nlp.extraction.statements import Said

LEAST_F1: Final = 0.5
"""Words that agree this well say the same."""
_SMALL: Final = frozenset({"the", "a", "an", "is", "are", "was", "were", "of"})
_NOT_WORDS: Final = re.compile(r"\W+")
_TOKEN: Final = re.compile(r"\w+(?:['’]\w+)?")

ASSISTANT: Final = "assistant"
"""The speaker of what the assistant says."""


class Labelled(BaseModel):
    """A thing of a set; a field too many is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class SpokenTurn(Labelled):
    """A turn of a labelled talk."""

    id: str
    speaker: str
    time: AwareDatetime
    text: str

    @property
    def said(self) -> Said:
        """The turn as an extractor takes it."""
        return Said(None if self.speaker == ASSISTANT else self.speaker, self.time, self.text)


class SpokenDialogue(Labelled):
    """A labelled talk, but for its turns."""

    id: str
    style: str
    chat: Literal["private", "group"]
    participants: list[str]


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


Form = TypeVar("Form", bound=Labelled)


def read_labelled(file: Path, form: type[Form]) -> list[Form]:
    """The things of a file, one a line. Raises pydantic's `ValidationError`."""
    lines = [line for line in file.read_text("utf-8").splitlines() if line.strip()]
    # All at once, so that an error tells which of them it is in.
    return TypeAdapter(list[form]).validate_json(f"[{','.join(lines)}]")  # type: ignore[valid-type]


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
