"""The intents of questions."""

from pathlib import Path

import platformdirs
import pytest

from benchmarks.quality.intents import LabelledQuestion
from benchmarks.quality.labelled import read_labelled
from hippograph.graph.artifacts.embedding_models import fetch_embedder
from hippograph.nlp.embedding.embedder import BGE_SMALL, Embedder, load_embedder
from hippograph.nlp.questions.intent import Intent, IntentClassifier, by_keywords, exemplars, load_classifier

CACHE = Path(platformdirs.user_cache_dir("hippograph"))
QUESTIONS = read_labelled(Path(__file__).parents[1] / "benchmark" / "intents" / "dev.jsonl", LabelledQuestion)


@pytest.fixture(scope="module")
def embedder() -> Embedder:
    """The default embedding model."""
    return load_embedder(BGE_SMALL, folder=fetch_embedder(BGE_SMALL, CACHE))


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """The folder in which the vectors of the exemplars are cached."""
    return tmp_path_factory.mktemp("intents")


@pytest.fixture(scope="module")
def classifier(embedder, folder) -> IntentClassifier:
    """The classifier for the default model."""
    return load_classifier(embedder, folder)


@pytest.mark.parametrize("language", ["en", "ru"])
def test_intents_are_told(classifier, embedder, language):
    """At least nine in ten questions of the development set are classified correctly."""
    questions = [each for each in QUESTIONS if each.language == language]
    right = [
        classifier.classify(each.text, embedder.embed_query(each.text).vector).intent is each.intent
        for each in questions
    ]
    assert sum(right) >= 0.9 * len(right)


@pytest.mark.parametrize("language", ["en", "ru"])
def test_words_are_enough(language):
    """Without an embedder, at least eight in ten questions of the development set are classified correctly."""
    classifier = IntentClassifier()
    questions = [each for each in QUESTIONS if each.language == language]
    right = [classifier.classify(each.text).intent is each.intent for each in questions]
    assert sum(right) >= 0.8 * len(right)


def test_vectors_are_kept(classifier, embedder, folder):
    """A classifier made from cached vectors gives the same result, and writes no file."""
    files = list(folder.iterdir())
    again = load_classifier(embedder, folder)
    text = "remind me why we moved"
    vector = embedder.embed_query(text).vector
    assert (files, classifier.classify(text, vector)) == (list(folder.iterdir()), again.classify(text, vector))


@pytest.mark.parametrize("text", ["", " ", "?", "🙂", "ъ", "a" * 20_000])
def test_odd_texts_have_an_intent(classifier, embedder, text):
    """Any text has an intent, even an empty or a very long one."""
    assert classifier.classify(text, embedder.embed_query(text).vector).intent in Intent


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("When I was ill, who called?", Intent.WHO),
        ("Когда мы застряли, кто нас вытащил?", Intent.WHO),
        ("When did she leave?", Intent.WHEN),
    ],
)
def test_a_clause_before_the_question_does_not_count(text, intent):
    """The words of a clause before the question, up to its comma, do not decide the intent."""
    assert intent is by_keywords(text)[0]


def test_exemplars_are_of_all_intents_and_languages():
    """Every intent has exemplars in each language, and no exemplar occurs twice."""
    found = {(each.intent, each.language) for each in exemplars()}
    texts = [each.text.casefold() for each in exemplars()]
    assert {(intent, language) for intent in Intent for language in ("en", "ru")} == found
    assert len(set(texts)) == len(texts)


def test_a_question_unlike_all_exemplars_is_judged_by_keywords(embedder, folder):
    """Keywords alone decide for a question whose similarity to all exemplars is below the threshold; above it the
    classifier decides.
    """
    text = "remind me of the reason we moved"
    vector = embedder.embed_query(text).vector
    below, above = (load_classifier(embedder, folder, threshold=threshold) for threshold in (0.999, 0.1))
    assert (by_keywords(text)[0], 0.0) == (below.classify(text, vector).intent, below.classify(text, vector).margin)
    assert load_classifier(embedder, folder).classify(text, vector) == above.classify(text, vector)
