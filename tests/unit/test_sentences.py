import pytest
import spacy

from hippograph.nlp.language import DEFAULT_MODEL
from hippograph.nlp.parsing import sentences


@pytest.fixture(scope="module")
def language() -> spacy.language.Language:
    """spaCy's small English model with the components that mark where sentences begin."""
    loaded = spacy.load(DEFAULT_MODEL)
    sentences.add_to(loaded)
    return loaded


@pytest.mark.parametrize(
    "text",
    [
        "We adopted a greyhound yesterday, | her name is Pepper.",
        "the washing machine is leaking again | I called the plumber twice | and he doesn't pick up",
        "I can't do nights | my knees are bad",
        "she made it for my baby | I am due in August | it's a girl",
        "I drive a taxi at night | and I study pharmacy",
        "He finds it okay, | from June I am free on Fridays",
        "I'm out, | pulled my hamstring on Monday",
    ],
)
def test_a_run_of_clauses_is_several_sentences(language: spacy.language.Language, text: str) -> None:
    """Clauses in a row are separate sentences, each with a subject of its own or that of the clause before."""
    doc = language(text.replace("| ", ""))
    assert text.split(" | ") == [sentence.text for sentence in doc.sents]


@pytest.mark.parametrize(
    "text",
    [
        "My boss reviews everything I write",
        "I think she lives in Graz",
        "If I had a garden I would get two dogs",
        "When I came home, he left",
        "the guy I met is a nurse",
        "I told my sister she should come",
        "Ana told Ben she is leaving",
        "I heard Tom and Lea split up",
        "Do you think I should go and he should stay?",
        "I was glad you came",
        "I wish I had a boat and we lived in Graz",
    ],
)
def test_one_sentence_stays_one(language: spacy.language.Language, text: str) -> None:
    """A clause that another one governs, such as what is thought, said, supposed or asked, stays in its sentence."""
    assert [text] == [sentence.text for sentence in language(text).sents]
