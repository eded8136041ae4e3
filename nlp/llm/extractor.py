"""Extraction of statements by a large language model, which fills frames.

It is optional: `nlp.frames.extractor` needs no network, and is the fallback when a call fails. Turns go to the model as
data, whole sessions at a time. Only filled frames are taken from its answer; speaker, time and chat are known here and
never asked for. Its findings have to pass the checks of `nlp.llm.frame_reading`, and then those of
`nlp.extraction.validation`, as those of the local extractor do.
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
"""Maximum number of turns and characters of a piece; a longer session is read in several. The rest of a longer turn is
not read.
"""
TURNS_BEFORE: Final = 4
CHARACTERS_BEFORE: Final = 500
"""Maximum number of turns shown before a piece, and of characters of each."""

_ASSISTANT: Final = "assistant"


class LlmExtractor:
    """Extracts statements by asking a model, which may answer differently each time."""

    repeatable: Final = False

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint

    async def extract(self, dialogue: Dialogue) -> Extraction:
        """Returns the statements of a dialogue, and the causes in it, which are found locally. Raises LlmFailed."""
        extracted = await self.find(dialogue.turns, dialogue.participants)
        named = await asyncio.to_thread(causes, dialogue.turns)
        return Extraction(extracted, named, repeatable=False)

    async def find(self, turns: Sequence[Said], participants: Sequence[str] = ()) -> Extracted:
        """Returns the statements of each turn of one talk, whose turns are in order. `participants` are full names.

        Findings that fill no frame are dropped and counted. Raises LlmFailed if the call for any piece fails.
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
    """Reads whole dialogues with the model, and parts of dialogues with the local extractor, if there is one. If the
    model fails, the local extractor reads the dialogue; the result is marked incomplete, since the model has yet to
    read it.
    """

    model: Extractor
    local: Extractor | None

    @property
    def repeatable(self) -> bool:
        """Whether both extractors are repeatable."""
        return self.model.repeatable and (self.local is None or self.local.repeatable)

    async def extract(self, dialogue: Dialogue) -> Extraction:
        """Returns the statements of a dialogue and the causes named in it."""
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
    """Returns the findings of an answer. Raises LlmFailed without a list, or with a list that holds no object but is
    not empty.
    """
    found = listed(answer, "findings")
    if found and not any(isinstance(each, dict) for each in found):
        raise LlmFailed("wrong shape")
    return found


def _pieces(turns: Sequence[Said]) -> Iterator[range]:
    """Yields the turns in pieces of bounded size, without pieces in which only the assistant speaks."""
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
    """Returns the user message for a piece."""
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
