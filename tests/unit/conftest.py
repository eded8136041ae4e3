import pytest

from hippograph.nlp.frames.extractor import LocalExtractor
from hippograph.nlp.language import load_language


@pytest.fixture(scope="session")
def extractor() -> LocalExtractor:
    """The local extractor, with spaCy's small English model."""
    return LocalExtractor(load_language())
