import pytest

from nlp.extraction.extractor import Extractor
from nlp.language import load_language


@pytest.fixture(scope="session")
def extractor() -> Extractor:
    """What finds statements, with spaCy's small English model."""
    return Extractor(load_language())
