import pytest

from nlp.frames.extractor import LocalExtractor
from nlp.language import load_language


@pytest.fixture(scope="session")
def extractor() -> LocalExtractor:
    """What finds statements, with spaCy's small English model."""
    return LocalExtractor(load_language())
