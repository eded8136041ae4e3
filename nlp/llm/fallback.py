"""An extractor that asks a language model, and serves without it."""

from dataclasses import dataclass, replace

from hippograph.nlp.errors import LlmFailed
from hippograph.nlp.extraction.protocol import Dialogue, Extraction, Extractor
from hippograph.nlp.extraction.statements import Extracted


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
