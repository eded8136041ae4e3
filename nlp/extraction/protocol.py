"""The interface of extractors: the local one and the one that asks a language model."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from hippograph.nlp.extraction.causes import Cause
from hippograph.nlp.extraction.statements import Extracted, Said


@dataclass(frozen=True, slots=True)
class Dialogue:
    """The input of an extractor: turns in order, the full names of the participants, and whether the turns are the
    `whole` session.
    """

    turns: Sequence[Said]
    participants: Sequence[str] = ()
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Extraction:
    """The result of an extractor: the statements of each turn, not yet validated, and the causes that people name.

    `complete` is False if statements may be missing, so that the dialogue has to be read again. `repeatable` says
    whether another extraction of the same dialogue has the same result.
    """

    extracted: Extracted
    causes: Sequence[Cause]
    complete: bool = True
    repeatable: bool = True


class Extractor(Protocol):
    """Extracts statements and causes from dialogues."""

    @property
    def repeatable(self) -> bool:
        """Whether all its extractions are repeatable. If not, a session that it read as a whole is not read again."""

    async def extract(self, dialogue: Dialogue) -> Extraction:
        """Extracts the statements and causes of a dialogue."""
