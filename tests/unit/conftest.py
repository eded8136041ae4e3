import pytest

from hippograph.nlp.frames.extractor import LocalExtractor
from hippograph.nlp.language import LanguageModel, load_language


@pytest.fixture(scope="session")
def language() -> LanguageModel:
    """spaCy's small English model, loaded once for all unit tests."""
    return load_language()


@pytest.fixture(scope="session")
def extractor(language: LanguageModel) -> LocalExtractor:
    """The local extractor, with spaCy's small English model."""
    return LocalExtractor(language)
