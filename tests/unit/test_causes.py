from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hippograph.nlp.extraction.causes import Told, causes
from hippograph.nlp.extraction.statements import Said

NOON = datetime(2026, 5, 3, 12, tzinfo=UTC)


def talk(*said: str | tuple[str | None, str]) -> list[Said]:
    """Returns turns by Maya, or by the speaker that comes with a text."""
    return [Said("Maya", NOON, each) if isinstance(each, str) else Said(each[0], NOON, each[1]) for each in said]


@pytest.mark.parametrize(
    ("text", "cause", "effect"),
    [
        ("Ben moved because his landlord sold the flat.", "his landlord sold the flat.", "Ben moved"),
        ("My landlord sold the flat, so I moved to Graz.", "My landlord sold the flat", "I moved to Graz."),
        ("Because the tram broke down, I was late.", "the tram broke down", "I was late."),
        ("The match was cancelled due to the storm.", "the storm.", "The match was cancelled"),
        ("We missed the train and therefore we slept in Linz.", "We missed the train", "we slept in Linz."),
        ("The heating failed, which is why we left.", "The heating failed", "we left."),
    ],
)
def test_words_that_join_tell_which_is_the_cause(text: str, cause: str, effect: str) -> None:
    """A connective tells the cause from the effect, in whatever order they stand."""
    [found] = causes(talk(text))
    assert (Told(0, cause), Told(0, effect)) == (found.cause, found.effect)


@pytest.mark.parametrize(
    "text",
    [
        "Did you leave because of the noise?",
        "Maybe he left because of the noise.",
        "If it rains, so be it, we will stay at home.",
        "I like it so much that I bought two.",
        "He has lived here since May.",
        "So far it works.",
        "",
    ],
)
def test_what_is_asked_supposed_or_says_something_else_is_no_cause(text: str) -> None:
    """Questions, suppositions and other uses of the connectives give no cause."""
    assert [] == causes(talk(text))


def test_that_is_why_points_to_what_was_said_before() -> None:
    """The words "that's why" refer to anybody's last turn, past questions and the assistant, up to a few turns back."""
    turns = talk("The bridge is closed.", ("Ben", "Really?"), (None, "Yes."), ("Ben", "That's why I took the tram."))
    [found] = causes(turns)
    assert (Told(0), Told(3)) == (found.cause, found.effect)
    assert [] == causes(talk("The bridge is closed.", "What?", "Who?", "When?", "That's why I took the tram."))


def test_an_answer_with_because_is_the_cause_of_what_one_said() -> None:
    """An answer that begins with "because" is the cause of its speaker's last turn; others may speak in between."""
    [found] = causes(talk("I sold the car.", ("Ben", "Why?"), "Because the parking got too expensive."))
    assert (Told(2), Told(0)) == (found.cause, found.effect)
    others = [("Ben", "WHAT"), ("Ben", "ok good for you"), ("Ida", "Furious. Why now?")]
    answer = "Because the parking got too expensive, and I cycle anyway. It's only two miles."
    [found] = causes(talk("I sold the car.", *others, answer))
    assert (Told(4), Told(0)) == (found.cause, found.effect)


@given(st.lists(st.tuples(st.sampled_from([None, "Maya", "Ben"]), st.text()), max_size=6))
def test_no_text_is_too_much(said: list[tuple[str | None, str]]) -> None:
    """In any talk, a cause and its effect are turns that exist and that the assistant did not say."""
    for found in causes(talk(*said)):
        for end in (found.cause, found.effect):
            assert said[end.turn][0] is not None
