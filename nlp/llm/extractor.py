"""What is worth remembering of what people say, as a large language model sees it: the frames that talk fills.

An option: `nlp.frames.extractor` does it without a network, and serves when this fails. What people say goes to the
model as data, whole sessions at a time, and of its answer only filled frames are taken: who spoke, when, and in which
talk is known here and never asked. What comes back has to pass the checks of `nlp.llm.frame_reading`, and then those of
`nlp.extraction.validation`, as what the local extractor finds.
"""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC
from typing import Any, Final

from hippograph.nlp.errors import LlmFailed
from hippograph.nlp.extraction.causes import causes
from hippograph.nlp.extraction.protocol import Dialogue, Extraction, Extractor
from hippograph.nlp.extraction.quoting import LONGEST_QUOTATION
from hippograph.nlp.extraction.statements import Extracted, Said
from hippograph.nlp.frames.spans import LONGEST_PHRASE
from hippograph.nlp.llm.endpoint import Endpoint, Question, listed
from hippograph.nlp.llm.frame_forms import findings_form, frames_told
from hippograph.nlp.llm.frame_reading import LONGEST_CLAUSE, FrameReading
from hippograph.nlp.llm.uses import Use, prompt

TURNS: Final = 120
CHARACTERS: Final = 24_000
"""A longer session is read in pieces of so many turns and characters at most; of a longer turn the rest is not read."""
TURNS_BEFORE: Final = 4
CHARACTERS_BEFORE: Final = 500
"""What is shown of the talk before a piece."""

_ASSISTANT: Final = "assistant"


class LlmExtractor:
    """Extracts statements by asking a model, which may find others another time."""

    repeatable: Final = False

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint

    async def extract(self, dialogue: Dialogue) -> Extraction:
        """What a dialogue says, and which causes people name in it. Raises LlmFailed."""
        extracted = await self.find(dialogue.turns, dialogue.participants)
        named = await asyncio.to_thread(causes, dialogue.turns)
        return Extraction(extracted, named, repeatable=False)

    async def find(self, turns: Sequence[Said], participants: Sequence[str] = ()) -> Extracted:
        """The statements of each turn of one talk, whose turns are in order. `participants` are full names.

        What fills no frame is dropped and counted. Raises LlmFailed, also when it fails for a part of the talk alone.
        """
        reading = FrameReading(turns, participants)
        pieces = list(_pieces(turns))
        question = Question(Use.FACTS, _instructions(), findings_form(), _read)
        answers = await self._endpoint.ask(question, [_shown(reading.participants, turns, each) for each in pieces])
        for piece, found in zip(pieces, answers, strict=True):
            await asyncio.to_thread(reading.take, found, piece)
        return reading.extracted


@dataclass(frozen=True, slots=True)
class FallbackExtractor:
    """Whole dialogues are read by the model, parts of them by the local extractor, where there is one. That serves too
    when the model fails; what it finds then is not complete: the model has still to read it.
    """

    model: Extractor
    local: Extractor | None

    @property
    def repeatable(self) -> bool:
        """Whether all that it reads is."""
        return self.model.repeatable and (self.local is None or self.local.repeatable)

    async def extract(self, dialogue: Dialogue) -> Extraction:
        """What a dialogue says."""
        if not dialogue.whole:
            return await self._locally(dialogue)
        try:
            return await self.model.extract(dialogue)
        except LlmFailed:
            return replace(await self._locally(dialogue), complete=False)

    async def _locally(self, dialogue: Dialogue) -> Extraction:
        if self.local is None:
            return Extraction(Extracted([[] for _ in dialogue.turns]), [])
        return await self.local.extract(dialogue)


def _instructions() -> str:
    return prompt(
        Use.FACTS,
        frames=frames_told(),
        longest_phrase=str(LONGEST_PHRASE),
        longest_clause=str(LONGEST_CLAUSE),
        longest_quotation=str(LONGEST_QUOTATION),
    )


def _read(answer: dict[str, Any]) -> list[Any]:
    """The findings of an answer. Raises LlmFailed when it has none, or not one that is an object."""
    found = listed(answer, "findings")
    if found and not any(isinstance(each, dict) for each in found):
        raise LlmFailed("wrong shape")
    return found


def _pieces(turns: Sequence[Said]) -> Iterator[range]:
    """The numbers of turns in pieces of bounded size, without those in which nobody speaks but the assistant."""
    start = size = 0
    for number, turn in enumerate(turns):
        length = min(len(turn.text), CHARACTERS)
        if number > start and (number - start == TURNS or size + length > CHARACTERS):
            yield from _spoken(turns, range(start, number))
            start, size = number, 0
        size += length
    yield from _spoken(turns, range(start, len(turns)))


def _spoken(turns: Sequence[Said], piece: range) -> Iterator[range]:
    if any(turns[number].speaker and turns[number].text.strip() for number in piece):
        yield piece


def _shown(participants: Sequence[str], turns: Sequence[Said], piece: range) -> dict[str, Any]:
    """What the model is told of a piece."""
    before = turns[max(0, piece.start - TURNS_BEFORE) : piece.start]
    return {
        "participants": participants,
        "before": [{"speaker": turn.speaker or _ASSISTANT, "said": turn.text[:CHARACTERS_BEFORE]} for turn in before],
        "turns": [
            {
                "turn": number,
                "speaker": turns[number].speaker or _ASSISTANT,
                "time": turns[number].time.astimezone(UTC).strftime("%A %Y-%m-%d %H:%M"),
                "said": turns[number].text[:CHARACTERS],
            }
            for number in piece
        ],
    }
