"""What the labelled sets share: files with one JSON object a line, in which unknown fields are errors."""

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
"""Minimum token F1 at which two texts say the same."""
_SMALL: Final = frozenset({"the", "a", "an", "is", "are", "was", "were", "of"})
_NOT_WORDS: Final = re.compile(r"\W+")
_TOKEN: Final = re.compile(r"\w+(?:['’]\w+)?")

ASSISTANT: Final = "assistant"
"""The speaker of the assistant's turns."""


class Labelled(BaseModel):
    """An object of a labelled set. Unknown fields are errors."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class SpokenTurn(Labelled):
    """A turn of a labelled dialogue."""

    id: str
    speaker: str
    time: AwareDatetime
    text: str

    @property
    def said(self) -> Said:
        """The turn as input of an extractor, which knows the assistant as the speaker None."""
        return Said(None if self.speaker == ASSISTANT else self.speaker, self.time, self.text)


class SpokenDialogue(Labelled):
    """A labelled dialogue without its turns."""

    id: str
    style: str
    chat: Literal["private", "group"]
    participants: list[str]


Kind = Literal["fact", "preference", "relationship", "friction", "habit", "event", "plan", "procedure", "opinion"]


class Label(Labelled):
    """A statement that is to be extracted. `date` is the day of an event or plan, else None."""

    content: str
    subject: str
    kind: Kind
    sensitivity: Sensitivity
    date: date | None


class LabelledTurn(SpokenTurn):
    """A turn with the statements worth remembering of it."""

    statements: list[Label]


class LabelledDialogue(SpokenDialogue):
    """A dialogue with labelled turns."""

    turns: list[LabelledTurn]


@dataclass(slots=True)
class Count:
    """The number of items found, of these right, and labelled."""

    found: int = 0
    right: int = 0
    labelled: int = 0

    def numbers(self) -> dict[str, float]:
        """Returns precision, recall and F1 (0 if undefined), and the numbers found and labelled."""
        precision = self.right / self.found if self.found else 0.0
        recall = self.right / self.labelled if self.labelled else 0.0
        f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
        return {"precision": precision, "recall": recall, "F1": f1, "found": self.found, "labelled": self.labelled}


Form = TypeVar("Form", bound=Labelled)


def read_labelled(file: Path, form: type[Form]) -> list[Form]:
    """Returns the objects of a file, one a line. Raises pydantic's `ValidationError`."""
    lines = [line for line in file.read_text("utf-8").splitlines() if line.strip()]
    # Validated as one list, so that an error names the line.
    return TypeAdapter(list[form]).validate_json(f"[{','.join(lines)}]")  # type: ignore[valid-type]


def token_f1(one: str, other: str) -> float:
    """Returns the F1 of the words that two statements share, without articles and the like, from 0 to 1."""
    a, b = _tokens(one), _tokens(other)
    shared = (a & b).total()
    return 2 * shared / (a.total() + b.total()) if shared else 0.0


def same_subject(one: str, other: str) -> bool:
    """Whether two names are equal or one contains the other, ignoring case and punctuation."""
    a, b = _NOT_WORDS.sub(" ", one.casefold()), _NOT_WORDS.sub(" ", other.casefold())
    return a in b or b in a


def _tokens(text: str) -> Counter[str]:
    return Counter(word for word in _TOKEN.findall(text.lower()) if word not in _SMALL)
