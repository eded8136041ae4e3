"""What a result tells of itself: how relevant it is, and whether it quotes."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippograph.graph.model import Memory, MemoryType, Sensitivity, SourceRole
from hippograph.graph.retrieval.relevance import Relevance, calibrated, strangers, tells_of
from hippograph.nlp.questions.coverage import content_words, coverage

AT = datetime(2026, 5, 1, tzinfo=UTC)


def said(content: str, speaker: str = "Maya Lindqvist") -> Memory:
    """A turn."""
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
    """In whatever form, function words aside."""
    assert pytest.approx(share) == coverage(question, text)


@given(st.text(), st.text())
def test_coverage_is_a_share(question: str, text: str) -> None:
    """A text covers itself, unless it has no words that count."""
    assert 0 <= coverage(question, text) <= 1
    assert bool(content_words(text)) == (coverage(text, text) == 1)


@pytest.mark.parametrize("model", ["bge-small-en-v1.5", None, "never calibrated"])
def test_nonsense_is_below_the_floor_and_an_answer_above(model: str | None) -> None:
    """Whatever tells how near they are."""
    relevance = calibrated(model)
    cosine = {True: 0.85, False: 0.45} if model else {True: None, False: None}
    answer = relevance.of(
        content_words("When did Maya adopt the dog?"), said("Yesterday I adopted a dog."), cosine[True]
    )
    nonsense = relevance.of(content_words("zebrafinch"), said("Yesterday I adopted a dog."), cosine[False])
    assert 0 <= nonsense < relevance.floor < answer <= 1


@pytest.mark.parametrize(
    ("question", "known", "unknown"),
    [
        ("When did Melanie adopt the dog?", [], True),
        ("when did melanie adopt the dog", [], True),
        ("When did Maya adopt the dog?", [], False),  # she says so
        ("Did Jonas see the dog of Melanie?", [], False),  # one of them is told of
        ("When did Melanie adopt the dog?", ["Melanie Berg"], False),
        ("Will may mark the dog?", [], False),  # common words
        ("When did the neighbour adopt the dog?", [], False),
    ],
)
@pytest.mark.parametrize("model", ["bge-small-en-v1.5", None])
def test_a_question_about_people_of_whom_nothing_tells(
    question: str, known: list[str], model: str | None, *, unknown: bool
) -> None:
    """Their given names say so; what was found for it is less relevant."""
    wanted, found = content_words(question), [said("Yesterday I adopted a dog. Jonas was there."), said("It rains.")]
    people, relevance = strangers(wanted, known), calibrated(model)
    assert unknown is (bool(people) and not any(tells_of(memory, people) for memory in found))
    as_known, as_it_is = (
        relevance.of(wanted, found[0], 0.7 if model else None, unknown=each) for each in (False, unknown)
    )
    assert (as_it_is < as_known) is unknown


@given(st.floats(-1, 1), st.floats(-1, 1))
def test_what_is_nearer_is_more_relevant(one: float, other: float) -> None:
    """Of equal words."""
    relevance = Relevance(bias=-3, cosine=4, coverage=2, stranger=-2, floor=0.1)
    low, high = sorted((one, other))
    wanted = content_words("dog")
    assert relevance.of(wanted, said("dog"), low) <= relevance.of(wanted, said("dog"), high)


@pytest.mark.parametrize(
    ("words", "quoted"),
    [("I adopted Biscuit.", True), ("“I adopted Biscuit!”", True), ("I adopted Biscuit, I think.", False)],
)
def test_a_quotation_holds_what_was_said(words: str, quoted: bool) -> None:
    """Word for word, whatever stands around it."""
    assert quoted is said('Jonas: "I adopted Biscuit"').quotes(words)
