"""Phrases in questions: relatives, events, and cues of answers."""

import re
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippograph.nlp.questions.answer_cues import NO_CUES, answer_cues
from hippograph.nlp.questions.events import EventPhrase, around, find_event
from hippograph.nlp.questions.intent import Intent
from hippograph.nlp.questions.periods import EARLIEST, LATEST
from hippograph.nlp.questions.relatives import Relative, Step, find_relatives

SISTER, EMPLOYER = Step("sister_of", outward=False), Step("works_at", outward=True)
AT = datetime(2026, 5, 3, 18, 30, tzinfo=UTC)
DAY, NEXT = datetime(2026, 5, 3, tzinfo=UTC), datetime(2026, 5, 4, tzinfo=UTC)


@pytest.mark.parametrize(
    ("question", "relatives"),
    [
        ("Where does my sister live?", [Relative(None, (SISTER,))]),
        ("What is my sister's company called?", [Relative(None, (SISTER, EMPLOYER))]),
        ("What does Priya's sister do?", [Relative("Priya", (SISTER,))]),
        ("Who runs Maya Lindqvist’s company?", [Relative("Maya Lindqvist", (EMPLOYER,))]),
        ("What is my sister's favourite dish?", [Relative(None, (SISTER,))]),
        ("What is my favourite dish?", []),
        ("Where is the sister?", []),
        ("", []),
    ],
)
def test_whom_a_question_means_by_what_they_are_to_somebody(question: str, relatives: list[Relative]) -> None:
    """A relative is found as steps from its owner, who is the asker (None) or a name in the question."""
    assert relatives == find_relatives(question)


@pytest.mark.parametrize(
    ("question", "phrase"),
    [
        (
            "Where did I live before the move to Berlin?",
            EventPhrase("before", "the move to Berlin", "before the move to Berlin"),
        ),
        ("Before Ola's wedding, where was she?", EventPhrase("before", "Ola's wedding", "before Ola's wedding")),
        (
            "What changed since we adopted Biscuit?",
            EventPhrase("after", "we adopted Biscuit", "since we adopted Biscuit"),
        ),
        (
            "What did I do before I moved to Porto?",
            EventPhrase("before", "I moved to Porto", "before I moved to Porto"),
        ),
        ("When did it happen after all?", None),
        ("When did Ola marry?", None),
    ],
)
def test_the_event_that_a_question_places_itself_by(question: str, phrase: EventPhrase | None) -> None:
    """The event that a question refers to for its time is found, with the side of it that is asked about."""
    assert phrase == find_event(question)


@pytest.mark.parametrize(
    ("side", "start", "end"), [("before", EARLIEST, DAY), ("after", NEXT, LATEST), ("during", DAY, NEXT)]
)
def test_the_time_beside_an_event(side, start: datetime, end: datetime) -> None:
    """The period before or after an event excludes the day of the event; the period during it is that day."""
    period = around(EventPhrase(side, "the move", f"{side} the move"), AT)
    assert (start, end, f"{side} the move") == (period.start, period.end, period.words)


@pytest.mark.parametrize(
    ("intent", "question", "text", "held"),
    [
        (Intent.WHEN, "When?", "They opened on the second of March.", True),
        (Intent.WHEN, "When?", "We moved two years ago.\nIt was raining.", True),
        (Intent.WHEN, "Когда?", "Мы переехали в марте.", True),
        (Intent.WHEN, "How long did they stay?", "Three weeks, I think.", True),
        (Intent.WHY, "Why?", "His back gave out, that’s why it is empty.", True),
        (Intent.WHY, "Why?", "Cancelled because of rain.", True),
        (Intent.WHY, "Why?", "The sofa is blue.", False),
        (Intent.WHAT, "Where does Ana live?", "Ana has a flat in Graz.", True),
        (Intent.WHAT, "and where does Ana live?", "Ana moved in May.", False),
        (Intent.GENERAL, "In which city does Ana live?", "At the Kornblume, above the shop.", True),
        (Intent.WHAT, "Где живёт Аня?", "Аня живёт в Москве.", True),
        (Intent.WHAT, "How many dogs does Ana have?", "The twenty dogs are next door.", True),
        (Intent.WHAT, "How much is the rent?", "820 a month", True),
        (Intent.WHAT, "How much is the rent?", "Too much.", False),
    ],
)
def test_words_that_answers_often_hold(intent: Intent, question: str, text: str, held: bool) -> None:
    """A text has a cue if it contains a time for when, a reason for why, a place for where, a number for how many."""
    assert held == bool(re.fullmatch(answer_cues(intent, question).words or "", text))


def test_the_name_of_a_place_answers_where() -> None:
    """The name of a place is a cue for a question with where, and not for one with when."""
    assert answer_cues(Intent.WHAT, "Where does Ana live?").place
    assert not answer_cues(Intent.WHEN, "When did Ana move?").place


def test_any_words_answer_who_and_what() -> None:
    """Questions of the intents who, what and general have no cues."""
    kinds = (Intent.WHO, Intent.WHAT, Intent.GENERAL)
    assert {NO_CUES} == {answer_cues(each, "Who knows where that is?") for each in kinds}


@given(st.text())
def test_no_question_is_too_much(question: str) -> None:
    """Any text can be read as a question. Relatives have one or two steps, and an event is part of its phrase."""
    for relative in find_relatives(question):
        assert 1 <= len(relative.steps) <= 2
    phrase = find_event(question)
    assert phrase is None or phrase.event in phrase.words
