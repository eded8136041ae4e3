"""What an extractor is: the interface of the local one and of the one that asks a language model."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from hippograph.nlp.extraction.causes import Cause
from hippograph.nlp.extraction.statements import Extracted, Said


@dataclass(frozen=True, slots=True)
class Dialogue:
    """What is to be read: turns in their order, the full names of who takes part, and whether these are all turns."""

    turns: Sequence[Said]
    participants: Sequence[str] = ()
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Extraction:
    """What was read in a dialogue: the statements of each turn, not yet validated, and the causes that people name.

    `complete` says whether what is not in it is not in the dialogue; `repeatable` whether reading again finds the same.
    """

    extracted: Extracted
    causes: Sequence[Cause]
    complete: bool = True
    repeatable: bool = True


class Extractor(Protocol):
    """Reads statements and causes out of dialogues."""

    @property
    def repeatable(self) -> bool:
        """Whether all that it reads is repeatable: what is not is not read twice."""

    async def extract(self, dialogue: Dialogue) -> Extraction:
        """What a dialogue says."""
