"""The relevance of a search result, and whether a memory quotes words."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippograph.graph.model import Memory, MemoryType, Sensitivity, SourceRole
from hippograph.graph.retrieval.relevance import Relevance, calibrated, unknown_people
from hippograph.nlp.questions.coverage import content_words, covered, stems

AT = datetime(2026, 5, 1, tzinfo=UTC)


def said(content: str, speaker: str = "Maya Lindqvist") -> Memory:
    """Returns a turn."""
    return Memory(
        id="m1",
        type=MemoryType.EPISODIC,
        content=content,
        owner_id=None,
        chat_id=None,
        learned_in=None,
        persona_id=None,
        session_id=None,
        speaker_id=None,
        speaker_name=speaker,
        source="conversation",
        source_role=SourceRole.USER,
        sensitivity=Sensitivity.PUBLIC,
        portable=True,
        event_time=AT,
        created_at=AT,
        valid_from=AT,
        valid_until=None,
    )


def coverage(question: str, text: str) -> float:
    """Returns the share of a question's content words that a text contains in some form."""
    return covered(content_words(question), stems(content_words(text)))


@pytest.mark.parametrize(
    ("question", "text", "share"),
    [
        ("When did Maya adopt the dog?", "Maya adopted a dog.", 1.0),
        ("When did Maya adopt the dog?", "Maya is out with it.", 1 / 3),
        ("Who is it that you told me about?", "Anything at all.", 0.0),
        ("zebrafinch", "Maya adopted a dog.", 0.0),
        ("Where is Priya's bakery?", "The two bakers left, says Priya.", 1.0),
        ("Где работает Анна?", "Анна работала в банке.", 1.0),
        ("", "", 0.0),
    ],
)
def test_the_share_of_a_question_that_a_text_holds(question: str, text: str, share: float) -> None:
    """Coverage counts words in any inflected form, and ignores function words."""
    assert pytest.approx(share) == coverage(question, text)


@given(st.text(), st.text())
def test_coverage_is_a_share(question: str, text: str) -> None:
    """Coverage is from 0 to 1. A text covers itself if it has content words."""
    assert 0 <= coverage(question, text) <= 1
    assert bool(content_words(text)) == (coverage(text, text) == 1)


@pytest.mark.parametrize("model", ["bge-small-en-v1.5", None, "never calibrated"])
def test_nonsense_is_below_the_floor_and_an_answer_above(model: str | None) -> None:
    """With each calibration an answer is above the floor, and nonsense below it."""
    relevance = calibrated(model)
    cosine = {True: 0.85, False: 0.45} if model else {True: None, False: None}
    answer = relevance.of(
        content_words("When did Maya adopt the dog?"), said("Yesterday I adopted a dog."), cosine[True]
    )
    nonsense = relevance.of(content_words("zebrafinch"), said("Yesterday I adopted a dog."), cosine[False])
    assert 0 <= nonsense < relevance.floor < answer <= 1


@pytest.mark.parametrize("model", ["bge-small-en-v1.5", None])
def test_for_a_question_about_strangers_nothing_reaches_the_floor(model: str | None) -> None:
    """For a question about strangers even the closest memory is below the floor, with a vector and without."""
    relevance, memory = calibrated(model), said("When did Melanie adopt the dog?")
    wanted = content_words(memory.content)
    for cosine in (1.0, None):
        assert relevance.of(wanted, memory, cosine) > relevance.floor
        assert relevance.of(wanted, memory, cosine, strangers=True) < relevance.floor


@pytest.mark.parametrize(
    ("question", "known", "unknown"),
    [
        ("When did Melanie adopt the dog?", [], {"melanie", "mel"}),
        ("when did melanie adopt the dog", ["Maya Lindqvist"], {"melanie", "mel"}),
        ("When did Melanie adopt the dog?", ["Melanie Berg"], set()),
        ("When did Elizabeth adopt the dog?", ["Liz Berg"], set()),
        ("Did Jonas see the dog of Melanie?", ["Jonas Weber"], set()),  # one of them is known
        ("When did Paula adopt the dog?", ["Paul Berg"], {"paula"}),
        ("Will may mark the dog?", [], set()),  # common words
        ("When did the neighbour adopt the dog?", [], set()),
        ("Adam, Adrian, Agnes, Alan, Albert, Alice, Amanda, Amy and Ana are here.", [], set()),
    ],
)
def test_the_people_of_a_question_whom_nobody_knows(question: str, known: list[str], unknown: set[str]) -> None:
    """Unknown people are found by their given names, with short forms; there are none if one person is known."""
    found = unknown_people(content_words(question), known)
    assert unknown <= found
    assert bool(unknown) is bool(found)


@given(st.floats(-1, 1), st.floats(-1, 1))
def test_what_is_nearer_is_more_relevant(one: float, other: float) -> None:
    """With the same words, a higher cosine never lowers the relevance."""
    relevance = Relevance(bias=-3, cosine=4, coverage=2, floor=0.1)
    low, high = sorted((one, other))
    wanted = content_words("dog")
    assert relevance.of(wanted, said("dog"), low) <= relevance.of(wanted, said("dog"), high)


@pytest.mark.parametrize(
    ("words", "quoted"),
    [("I adopted Biscuit.", True), ("“I adopted Biscuit!”", True), ("I adopted Biscuit, I think.", False)],
)
def test_a_quotation_holds_what_was_said(words: str, quoted: bool) -> None:
    """A memory quotes words that it contains verbatim, whatever punctuation surrounds them."""
    assert quoted is said('Jonas: "I adopted Biscuit"').quotes(words)
