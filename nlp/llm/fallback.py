"""An extractor that asks a language model, and serves without it."""

from dataclasses import dataclass, replace

from hippograph.nlp.errors import LlmFailed
from hippograph.nlp.extraction.protocol import Dialogue, Extraction, Extractor


@dataclass(frozen=True, slots=True)
class FallbackExtractor:
    """Whole dialogues are read by the model, parts of them by the local extractor. That serves too when the model
    fails, which is counted; what it finds is not complete, since the model would find more.
    """

    model: Extractor
    local: Extractor

    @property
    def repeatable(self) -> bool:
        """Whether both are."""
        return self.model.repeatable and self.local.repeatable

    async def extract(self, dialogue: Dialogue) -> Extraction:
        """What a dialogue says."""
        if not dialogue.whole:
            return await self.local.extract(dialogue)
        try:
            return await self.model.extract(dialogue)
        except LlmFailed as error:
            found = await self.local.extract(dialogue)
            found.extracted.dropped[f"language model: {error.reason}"] += 1
            return replace(found, complete=False)
